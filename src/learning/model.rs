//! The network while it learns: its weights as real numbers, and which way they should go.

use super::samples::{Sample, sigmoid};
use crate::eval::features::{FEATURES, PIECE_FEATURES};
use crate::eval::network::{HIDDEN, Network, OUTPUT_BUCKETS, QA, QB, Vector};
use rand::RngExt;
use rand::rngs::StdRng;

/// Where each part of the weights begins: rows, what rows of a man share, bias, outputs, output biases.
///
/// What a man on a square means wherever the king stands is learned apart from what depends on that, so that all positions
/// teach it (features with factors: Y. Nasu, 2018); the network has the sums.
const SHARED: usize = FEATURES * HIDDEN;
const BIAS: usize = SHARED + PIECE_FEATURES * HIDDEN;
const OUTPUT: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + OUTPUT_BUCKETS * 2 * HIDDEN;
/// Number of weights.
pub const WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
/// Greatest size of a weight, which leaves room in the integers of [`Network`]. Sums of output weights could still be too
/// large for it, if a quarter of them were that large; no training comes near, and what is written is looked at.
pub const MAX_WEIGHT: f32 = 1.98;
/// Men that usually stand on a board.
const USUAL_PIECES: f32 = 24.0;

/// The weights in one piece, which makes it easy to share work on them among threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// [`WEIGHTS`] of them.
    pub weights: Vec<f32>,
}

impl Model {
    /// Weights by chance, none of them large; rows begin with what they share. Rows that no lesson has are zero and stay so:
    /// nothing is known of a man where none was ever seen, and the promotion variant puts pawns there.
    pub fn new(rng: &mut StdRng, samples: &[Sample]) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |part: &mut [f32], fan_in: f32| {
            let size = fan_in.sqrt().recip();
            part.iter_mut().for_each(|weight| *weight = rng.random_range(-size..size));
        };
        fill(&mut weights[SHARED..BIAS], USUAL_PIECES);
        fill(&mut weights[OUTPUT..OUTPUT_BIAS], 2.0 * HIDDEN as f32);
        let mut is_seen = [false; PIECE_FEATURES];
        samples.iter().flat_map(Sample::rows).flatten().for_each(|&row| is_seen[row as usize % PIECE_FEATURES] = true);
        for (row, _) in weights[SHARED..BIAS].chunks_mut(HIDDEN).zip(is_seen).filter(|(_, is_seen)| !is_seen) {
            row.fill(0.0);
        }
        Model { weights }
    }

    /// What a lesson's side to move can expect, from 0 to 1, by the network.
    pub fn expectation(&self, sample: &Sample) -> f32 {
        sigmoid(self.forward(sample).1)
    }

    /// What both sides see, and the output.
    fn forward(&self, sample: &Sample) -> ([[f32; HIDDEN]; 2], f32) {
        let output = sample.output();
        let mut sum = sample.placement() + self.weights[OUTPUT_BIAS + output];
        let mut seen = [[0.0; HIDDEN]; 2];
        for (half, (values, rows)) in seen.iter_mut().zip(sample.rows()).enumerate() {
            values.copy_from_slice(&self.weights[BIAS..OUTPUT]);
            for &row in rows {
                let [own, shared] = parts_of(row as usize).map(|at| &self.weights[at..][..HIDDEN]);
                values.iter_mut().zip(own).zip(shared).for_each(|((value, own), shared)| *value += own + shared);
            }
            let weights = &self.weights[output_at(output, half)..][..HIDDEN];
            let mut sums = [0.0; 8];
            for (values, weights) in values.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let activation = values[index].clamp(0.0, 1.0);
                    *sum += activation * activation * weights[index];
                }
            }
            sum += sums.iter().sum::<f32>();
        }
        (seen, sum)
    }

    /// Adds to `gradient` how the squared error of the expectation grows with each weight; the squared error.
    pub fn accumulate_gradient(&self, sample: &Sample, target: f32, gradient: &mut [f32]) -> f32 {
        let (seen, sum) = self.forward(sample);
        let found = sigmoid(sum);
        let error = found - target;
        let outer = 2.0 * error * found * (1.0 - found);
        let output = sample.output();
        gradient[OUTPUT_BIAS + output] += outer;
        for (half, (values, rows)) in seen.iter().zip(sample.rows()).enumerate() {
            let mut inner = [0.0; HIDDEN];
            let at = output_at(output, half);
            let (weights, gradients) = (&self.weights[at..][..HIDDEN], &mut gradient[at..][..HIDDEN]);
            for (index, inner) in inner.iter_mut().enumerate() {
                let activation = values[index].clamp(0.0, 1.0);
                gradients[index] += outer * activation * activation;
                let is_between = values[index] > 0.0 && values[index] < 1.0;
                *inner = if is_between { outer * weights[index] * 2.0 * activation } else { 0.0 };
            }
            for at in rows.iter().flat_map(|&row| parts_of(row as usize)).chain([BIAS]) {
                gradient[at..][..HIDDEN].iter_mut().zip(&inner).for_each(|(gradient, inner)| *gradient += inner);
            }
        }
        error * error
    }

    /// The network in integers.
    pub fn to_network(&self, description: String) -> Network {
        let sum = |parts: &[usize], unit: i16| {
            let weight = |index: usize| parts.iter().map(|at| self.weights[at + index]).sum::<f32>();
            Vector(std::array::from_fn(|index| (weight(index) * f32::from(unit)).round() as i16))
        };
        let row = |at: usize, unit: i16| sum(&[at], unit);
        let output_bias = |output| self.weights[OUTPUT_BIAS + output] * f32::from(QA) * f32::from(QB);
        Network {
            description,
            feature_weights: (0..FEATURES).map(|index| sum(&parts_of(index), QA)).collect(),
            feature_bias: row(BIAS, QA),
            output_weights: Box::new(std::array::from_fn(|output| [0, 1].map(|half| row(output_at(output, half), QB)))),
            output_bias: std::array::from_fn(|output| output_bias(output).round() as i32),
        }
    }
}

/// Where the two parts begin whose sum is a row.
fn parts_of(row: usize) -> [usize; 2] {
    [row * HIDDEN, SHARED + row % PIECE_FEATURES * HIDDEN]
}

/// Where the weights of an output for one side's view begin.
fn output_at(output: usize, half: usize) -> usize {
    OUTPUT + (2 * output + half) * HIDDEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::accumulator::AccumulatorStack;
    use crate::eval::network::SCALE;
    use crate::learning::games::{Game, ScoredMove};
    use crate::learning::outcome::GameOutcome;
    use crate::learning::rng::seeded_rng;
    use crate::learning::samples::take;
    use crate::position::START_FEN;

    fn game() -> Game {
        let ply = |text: &str| ScoredMove { mv: text.parse().unwrap(), score: Some(120) };
        let plies = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4", "c6c5"].map(ply).to_vec();
        Game { start: START_FEN.to_string(), outcome: GameOutcome::Win, plies }
    }

    /// The positions of a short game.
    fn samples() -> Vec<Sample> {
        let mut samples = Vec::new();
        take(&game(), &mut samples).unwrap();
        assert_eq!(samples.len(), 6);
        samples
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let samples = samples();
        let mut model = Model::new(&mut seeded_rng(3, 0), &samples);
        let targets = [0.9, 0.1, 0.5, 0.7, 0.3, 0.6];
        let error = |model: &Model| -> f64 {
            let squares = samples
                .iter()
                .zip(targets)
                .map(|(sample, target)| f64::from(model.expectation(sample) - target).powi(2));
            squares.sum()
        };
        let mut gradient = vec![0.0; WEIGHTS];
        let learned: f32 = samples
            .iter()
            .zip(targets)
            .map(|(sample, target)| model.accumulate_gradient(sample, target, &mut gradient))
            .sum();
        assert!((f64::from(learned) - error(&model)).abs() < 1e-5);
        // A weight of each part, each of which matters to these positions.
        let [row, shared] = parts_of(samples[0].rows()[0][5] as usize);
        let output = output_at(samples[0].output(), 1);
        let mut steep = 0;
        for at in (row..row + 40)
            .chain(shared..shared + 40)
            .chain(BIAS..BIAS + 40)
            .chain(output..output + 40)
            .chain([OUTPUT_BIAS + samples[0].output()])
        {
            const STEP: f32 = 0.001;
            let weight = model.weights[at];
            model.weights[at] = weight + STEP;
            let above = error(&model);
            model.weights[at] = weight - STEP;
            let below = error(&model);
            model.weights[at] = weight;
            let found = (above - below) / (2.0 * f64::from(STEP));
            assert!(
                (found - f64::from(gradient[at])).abs() < 2e-3 + 0.02 * found.abs(),
                "{at}: {found}, {}",
                gradient[at]
            );
            steep += (found.abs() > 1e-3) as u32;
        }
        assert!(steep > 20, "{steep}");
    }

    #[test]
    fn integers_and_real_numbers_agree() {
        let model = Model::new(&mut seeded_rng(4, 0), &samples());
        let network = std::sync::Arc::new(model.to_network(String::new()));
        let samples = samples();
        let mut samples = samples.iter();
        let visit = &mut |position: &crate::position::Position, _| {
            let sample = samples.next().unwrap();
            let real = (model.forward(sample).1 - sample.placement()) * SCALE as f32;
            let integer = AccumulatorStack::new(network.clone(), position).evaluate(position);
            assert!((real - integer as f32).abs() < 8.0, "{real} {integer}");
            assert!(integer != 0);
        };
        game().replay(visit).unwrap();
    }
}
