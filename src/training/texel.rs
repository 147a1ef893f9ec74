//! Texel tuning of tapered evaluation weights (Peter Österlund, "Texel's tuning method", 2014): logistic regression of
//! game outcomes and search scores on the features of positions, by gradient descent (Adam).

pub(crate) mod classical;
pub(crate) mod piece_square;

use super::adam::Adam;
use super::samples::target_score;
use super::training_games::{GameError, TrainingGame};
use crate::eval::network::SCALE;
use crate::eval::tapered::FULL_PHASE;
use crate::position::Position;
use crate::rng::seeded_rng;
use rand::seq::SliceRandom;

/// Samples in a batch.
const BATCH: usize = 4_096;
/// The first learning rate, in engine units; it falls linearly to 0.
const LEARNING_RATE: f32 = 4.0;
/// Standard deviation of the weights from their initial values in the prior (L2 regularisation), in engine units:
/// weights that few samples depend on stay near their initial values.
const PRIOR_DEVIATION: f32 = 60.0;
/// Typical squared error of the best prediction: the noise of the targets.
const TARGET_VARIANCE: f32 = 0.015;

/// Early and late value of each weight, in engine units.
pub(crate) type TaperedWeights = Vec<[f32; 2]>;

/// The features of a position: how many more of each weight Red has than Black, without zeros.
pub(crate) type FeatureCounts = Vec<(u16, i8)>;

/// A training sample.
struct Sample {
    /// The part of the evaluation that is not tuned, for Red, in engine units.
    base: f32,
    /// Phase, from 0 (late) to 1 (early).
    phase: f32,
    /// Expected score of Red, 0 to 1.
    target: f32,
    counts: FeatureCounts,
}

/// Logistic regression of tapered weights.
pub(crate) struct TaperedRegression {
    initial: TaperedWeights,
    /// The part of the evaluation that is not tuned, phase (0 to [`FULL_PHASE`]) and features of a position.
    features: fn(&Position) -> (f32, i32, FeatureCounts),
    samples: Vec<Sample>,
}

impl TaperedRegression {
    /// Without samples.
    fn new(initial: TaperedWeights, features: fn(&Position) -> (f32, i32, FeatureCounts)) -> TaperedRegression {
        TaperedRegression { initial, features, samples: Vec::new() }
    }

    /// Whether there are no samples.
    pub(crate) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Adds the samples of a game; its outcome has the weight `wdl_weight` (0 to 1) in the target, search scores the
    /// rest.
    ///
    /// # Errors
    /// When a move of the game is not legal.
    pub(crate) fn add(&mut self, game: &TrainingGame, wdl_weight: f32) -> Result<(), GameError> {
        game.replay(&mut |position, ply| {
            let Some(score) = target_score(position, ply) else { return };
            let (base, phase, counts) = (self.features)(position);
            self.samples.push(Sample {
                base,
                phase: phase as f32 / FULL_PHASE as f32,
                target: target((position.side().sign() * score) as f32, game.outcome as u8, wdl_weight),
                counts,
            });
        })?;
        Ok(())
    }

    /// The fitted weights. Calls `on_epoch` with the mean squared error after each of `epochs` passes over the samples.
    pub(crate) fn fit(&mut self, epochs: u32, seed: u64, on_epoch: &mut dyn FnMut(f32)) -> TaperedWeights {
        let mut weights = self.initial.clone();
        let (mut first, mut second) = (vec![[0.0f32; 2]; weights.len()], vec![[0.0f32; 2]; weights.len()]);
        let regularisation = 2.0 * TARGET_VARIANCE / (PRIOR_DEVIATION * PRIOR_DEVIATION * self.samples.len() as f32);
        let mut steps = 0;
        let mut rng = seeded_rng(seed, 0);
        for epoch in 0..epochs {
            self.samples.shuffle(&mut rng);
            let mut loss = 0.0;
            let learning_rate = LEARNING_RATE * (1.0 - epoch as f32 / epochs as f32);
            for batch in self.samples.chunks(BATCH) {
                let mut gradient = vec![[0.0f32; 2]; weights.len()];
                for sample in batch {
                    loss += f64::from(sample.accumulate_gradient(&weights, &mut gradient));
                }
                steps += 1;
                let adam = Adam::new(steps);
                let gradients = gradient.as_flattened().iter().zip(self.initial.as_flattened());
                let moments = first.as_flattened_mut().iter_mut().zip(second.as_flattened_mut());
                for ((weight, (gradient, initial)), (first, second)) in
                    weights.as_flattened_mut().iter_mut().zip(gradients).zip(moments)
                {
                    let gradient = gradient / batch.len() as f32 + regularisation * (*weight - initial);
                    *weight += learning_rate * adam.direction(first, second, gradient);
                }
            }
            on_epoch((loss / self.samples.len() as f64) as f32);
        }
        weights
    }
}

impl Sample {
    /// Adds the gradient of the loss to `gradient`; returns the loss: the squared error of the expected score.
    fn accumulate_gradient(&self, weights: &[[f32; 2]], gradient: &mut [[f32; 2]]) -> f32 {
        let shares = [self.phase, 1.0 - self.phase];
        let mut score = self.base;
        for &(index, count) in &self.counts {
            let [early, late] = weights[index as usize];
            score += f32::from(count) * (early * shares[0] + late * shares[1]);
        }
        let prediction = sigmoid(score / SCALE as f32);
        let error = prediction - self.target;
        let score_gradient = 2.0 * error * prediction * (1.0 - prediction) / SCALE as f32;
        for &(index, count) in &self.counts {
            for (gradient, share) in gradient[index as usize].iter_mut().zip(shares) {
                *gradient += score_gradient * f32::from(count) * share;
            }
        }
        error * error
    }
}

/// The expected score, from 0 to 1, of a side with a search score of `score` engine units that lost (0), drew (1) or
/// won (2) the game. `wdl_weight` (lambda), from 0 to 1, is the weight of the outcome; the score has the rest.
fn target(score: f32, outcome: u8, wdl_weight: f32) -> f32 {
    wdl_weight * f32::from(outcome) / 2.0 + (1.0 - wdl_weight) * sigmoid(score / SCALE as f32)
}

/// The logistic function.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The nonzero ones of the counts.
fn nonzero(counts: &[i8]) -> FeatureCounts {
    (0u16..).zip(counts.iter().copied()).filter(|&(_, count)| count != 0).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::damping::Damping;
    use crate::training::outcome::GameOutcome;
    use crate::training::training_games::ScoredMove;
    use crate::types::{Move, Score};
    use rand::seq::IndexedRandom;

    /// A drawn game of random moves with these scores for Red, damped as those of a search.
    pub fn random_game(number: u64, score_for_red: fn(&Position) -> Score) -> TrainingGame {
        let mut rng = seeded_rng(9, number);
        let mut position = Position::start();
        let mut plies = Vec::new();
        for _ in 0..60 {
            let legal: Vec<Move> = position.legal_moves().iter().collect();
            let Some(&mv) = legal.choose(&mut rng) else { break };
            let score = position.side().sign() * score_for_red(&position);
            let damped = Damping::default().apply(score, &position);
            plies.push(ScoredMove { mv, score: Some(damped as i16) });
            position.make(mv);
        }
        TrainingGame { start: crate::position::START_FEN.to_string(), outcome: GameOutcome::Draw, plies }
    }
}
