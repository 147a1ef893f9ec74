//! Weights of the classical evaluation, by Peter Österlund's method ("Texel's tuning method", 2014): those with which scores
//! predict results best, found by gradient descent over positions of games.

use super::adam::Adam;
use super::games::{Game, GameError};
use super::rng::seeded_rng;
use super::samples::{expectation, sample, sigmoid};
use crate::eval::network::SCALE;
use crate::eval::piece_square::PieceSquareSum;
use crate::eval::tapered::{FULL_PHASE, Tapered};
use crate::eval::terms::{GROUPS, TERMS, count};
use crate::types::Color;
use rand::seq::SliceRandom;
use std::fmt::Write;

/// Positions between two steps.
const BATCH: usize = 4_096;
/// The first step, in engine units; it shrinks to nothing.
const STEP: f32 = 4.0;
/// How large weights are expected to be, in engine units: the fewer positions speak for more, the less is believed.
const USUAL_WEIGHT: f32 = 60.0;
/// Squared error of the best prediction, about: results and scores have chance in them.
const USUAL_ERROR: f32 = 0.015;

/// A position, as a sum.
struct Example {
    /// What material and placement say, for Red.
    base: f32,
    /// How early in the game it is, 0 to 1.
    earliness: f32,
    /// What Red can expect, 0 to 1.
    target: f32,
    /// Terms, and how many more of them Red has.
    counts: Vec<(u16, i8)>,
}

/// Positions to tune by.
#[derive(Default)]
pub struct Examples(Vec<Example>);

impl Examples {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the lessons of a game; its outcome counts `wdl_weight` (0 to 1) and the scores of the search the rest.
    ///
    /// # Errors
    /// When the game does not follow the rules.
    pub fn take(&mut self, game: &Game, wdl_weight: f32) -> Result<(), GameError> {
        game.replay(&mut |position, ply| {
            let Some(score) = sample(position, ply) else { return };
            let mut counts = [0i8; TERMS];
            count(position, Color::Red, |term| counts[term] += 1);
            count(position, Color::Black, |term| counts[term] -= 1);
            let present = (0u16..).zip(counts).filter(|&(_, count)| count != 0);
            let score = position.side().sign() * score;
            let piece_square = PieceSquareSum::of(position);
            self.0.push(Example {
                base: piece_square.tapered_score(Tapered::default()) as f32,
                earliness: piece_square.phase() as f32 / FULL_PHASE as f32,
                target: expectation(score as f32, game.outcome as u8, wdl_weight),
                counts: present.collect(),
            });
        })?;
        Ok(())
    }

    /// Finds weights, early and late, in engine units; calls `say` after each of `epochs` with the mean squared error.
    pub fn tune(&mut self, epochs: u32, seed: u64, say: &mut dyn FnMut(f32)) -> [[f32; 2]; TERMS] {
        let mut weights = [[0.0f32; 2]; TERMS];
        let mut first = [[0.0f32; 2]; TERMS];
        let mut second = [[0.0f32; 2]; TERMS];
        let total = self.0.len() as f32;
        let mut steps = 0;
        let mut rng = seeded_rng(seed, 0);
        for epoch in 0..epochs {
            self.0.shuffle(&mut rng);
            let mut error = 0.0;
            let step = STEP * (1.0 - epoch as f32 / epochs as f32);
            for batch in self.0.chunks(BATCH) {
                let mut gradient = [[0.0f32; 2]; TERMS];
                for example in batch {
                    error += f64::from(example.learn(&weights, &mut gradient));
                }
                steps += 1;
                let pull = 2.0 * USUAL_ERROR / (USUAL_WEIGHT * USUAL_WEIGHT * total);
                let adam = Adam::new(steps);
                let gradients = gradient.as_flattened().iter();
                let moments = first.as_flattened_mut().iter_mut().zip(second.as_flattened_mut());
                for ((weight, gradient), (first, second)) in
                    weights.as_flattened_mut().iter_mut().zip(gradients).zip(moments)
                {
                    let gradient = gradient / batch.len() as f32 + pull * *weight;
                    *weight += step * adam.direction(first, second, gradient);
                }
            }
            say((error / self.0.len() as f64) as f32);
        }
        weights
    }
}

impl Example {
    /// Adds to `gradient` how the squared error grows with each weight; the squared error.
    fn learn(&self, weights: &[[f32; 2]; TERMS], gradient: &mut [[f32; 2]; TERMS]) -> f32 {
        let shares = [self.earliness, 1.0 - self.earliness];
        let mut score = self.base;
        for &(term, count) in &self.counts {
            let [early, late] = weights[term as usize];
            score += f32::from(count) * (early * shares[0] + late * shares[1]);
        }
        let found = sigmoid(score / SCALE as f32);
        let error = found - self.target;
        let outer = 2.0 * error * found * (1.0 - found) / SCALE as f32;
        for &(term, count) in &self.counts {
            for (gradient, share) in gradient[term as usize].iter_mut().zip(shares) {
                *gradient += outer * f32::from(count) * share;
            }
        }
        error * error
    }
}

/// The weights as lines of the table in `eval/classical.rs`.
pub fn to_source(weights: &[[f32; 2]; TERMS]) -> String {
    let mut text = String::new();
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        for line in weights[group.first..][..group.count].chunks(6) {
            let pairs =
                line.iter().map(|[early, late]| format!("s({}, {})", early.round() as i16, late.round() as i16));
            let _ = writeln!(text, "    {},", pairs.collect::<Vec<_>>().join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::damping::Damping;
    use crate::eval::piece_square::piece_square_score;
    use crate::learning::games::ScoredMove;
    use crate::learning::outcome::GameOutcome;
    use crate::position::Position;
    use crate::types::Move;
    use rand::seq::IndexedRandom;

    /// What a term is worth in this test.
    fn worth(term: usize) -> i32 {
        (term as i32 * 37 + 11) % 81 - 40
    }

    /// A game of random moves with the scores of an engine to which terms are worth that.
    fn game(number: u64) -> Game {
        let mut rng = seeded_rng(9, number);
        let mut position = Position::start();
        let mut plies = Vec::new();
        for _ in 0..60 {
            let legal: Vec<Move> = position.legal_moves().iter().collect();
            let Some(&mv) = legal.choose(&mut rng) else { break };
            let mut score = piece_square_score(&position);
            count(&position, Color::Red, |term| score += worth(term));
            count(&position, Color::Black, |term| score -= worth(term));
            let score = position.side().sign() * score;
            let damped = Damping::default().apply(score, &position);
            plies.push(ScoredMove { mv, score: Some(damped as i16) });
            position.make(mv, &mut ());
        }
        Game { start: crate::position::START_FEN.to_string(), outcome: GameOutcome::Draw, plies }
    }

    #[test]
    fn weights_that_made_the_scores_are_found() {
        let mut examples = Examples::default();
        (0..60).for_each(|number| examples.take(&game(number), 0.0).unwrap());
        assert!(examples.0.len() > 1_000);
        let mut errors = Vec::new();
        let weights = examples.tune(400, 1, &mut |error| errors.push(error));
        assert!(errors[399] < 0.02 * errors[0], "{} {}", errors[0], errors[399]);
        // A term that is seen often, on either side and at all times: a cannon with so many free squares.
        let [early, late] = weights[GROUPS[1].first + 8];
        let phase = 0.7;
        let found = phase * early + (1.0 - phase) * late;
        assert!((found - worth(GROUPS[1].first + 8) as f32).abs() < 20.0, "{early} {late}");
    }

    #[test]
    fn weights_are_printed_group_by_group() {
        let mut weights = [[0.0; 2]; TERMS];
        weights[1] = [1.4, -2.6];
        let text = to_source(&weights);
        assert!(text.starts_with("    // rook mobility\n    s(0, 0), s(1, -3), s(0, 0), "), "{text}");
        assert_eq!(text.matches("s(").count(), TERMS);
    }
}
