//! The network in floating point for training: forward pass, gradient of the loss (backpropagation), and quantisation.

use super::loss::Loss;
use super::samples::{Inputs, Sample};
use crate::eval::features::{ATTACK_FEATURES, FEATURES, KING_BUCKETS, PIECE_FEATURES};
use crate::eval::network::{ATTACK_HIDDEN, AttackVector, HIDDEN, Network, OUTPUT_BUCKETS, QA, QB, SCALE, Vector};
use rand::RngExt;
use rand::rngs::StdRng;

/// Offsets of the parts of the weights. Feature weights come first, then feature bias, attack weights, output weights,
/// output bias, and factor weights.
///
/// Factorised features (virtual features, Yu Nasu 2018): the weights of a piece on a square are the sum of a part of
/// their king bucket and a part that all king buckets share, so that every position trains the shared part. The
/// quantised network has the sums.
const BIAS: usize = FEATURES * HIDDEN;
const ATTACK: usize = BIAS + HIDDEN;
const OUTPUT: usize = ATTACK + ATTACK_FEATURES * ATTACK_HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + OUTPUT_BUCKETS * 2 * HIDDEN;
/// Offset of the factor weights; number of the weights before them, which are those that a gradient has.
pub(crate) const FACTORS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
/// Number of factor weights; of the weights of a king bucket.
pub(crate) const BUCKET_WEIGHTS: usize = PIECE_FEATURES * HIDDEN;
/// Number of weights of the model.
pub(crate) const WEIGHTS: usize = FACTORS + BUCKET_WEIGHTS;
/// Greatest absolute weight, so that it fits the integers of [`Network`]. Sums of output weights could still be too
/// large if a quarter of them were at the maximum; [`Network::cannot_overflow`] checks that.
pub(crate) const MAX_WEIGHT: f32 = 1.98;
/// Typical number of pieces on the board: the fan-in of the first layer.
const TYPICAL_PIECES: f32 = 24.0;

/// The weights in one vector, which threads can split among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// [`WEIGHTS`] of them.
    pub weights: Vec<f32>,
    /// The sums of feature weights and factor weights, by feature. Whoever changes [`Model::weights`] updates them.
    pub sums: Vec<f32>,
}

impl Model {
    /// The model with these weights.
    pub fn of_weights(weights: Vec<f32>) -> Model {
        let factors = weights[FACTORS..].iter().cycle();
        let sums = weights[..BIAS].iter().zip(factors).map(|(own, factor)| own + factor).collect();
        Model { weights, sums }
    }

    /// Random initial weights, uniform within ±1/√fan-in. The king buckets' parts and the attack weights begin with zero.
    /// Factor weights of features that occur in no sample are zero and stay zero: in the promotion variant pawns reach
    /// such squares.
    pub fn new(rng: &mut StdRng, samples: &[Sample]) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |part: &mut [f32], fan_in: f32| {
            let size = fan_in.sqrt().recip();
            part.iter_mut().for_each(|weight| *weight = rng.random_range(-size..size));
        };
        fill(&mut weights[FACTORS..], TYPICAL_PIECES);
        fill(&mut weights[OUTPUT..OUTPUT_BIAS], 2.0 * HIDDEN as f32);
        let mut occurs = [false; PIECE_FEATURES];
        for inputs in samples.iter().map(Sample::inputs) {
            let features = inputs.features().into_iter().flatten();
            features.for_each(|&feature| occurs[feature as usize % PIECE_FEATURES] = true);
        }
        for (factor, _) in weights[FACTORS..].chunks_mut(HIDDEN).zip(occurs).filter(|(_, occurs)| !occurs) {
            factor.fill(0.0);
        }
        Model::of_weights(weights)
    }

    /// The weights of a network, to train it further. What the king buckets have in common, the mean, is in the shared parts.
    pub fn of_network(network: &Network) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let unit = f32::from(QA) * KING_BUCKETS as f32;
        for (feature, vector) in network.feature_weights.iter().enumerate() {
            let factor = factor_at(feature);
            let shares = vector.0.iter().map(|&weight| f32::from(weight) / unit);
            weights[factor..][..HIDDEN].iter_mut().zip(shares).for_each(|(weight, share)| *weight += share);
        }
        for (feature, vector) in network.feature_weights.iter().enumerate() {
            let (own, factor) = (feature * HIDDEN, factor_at(feature));
            for (index, &weight) in vector.0.iter().enumerate() {
                weights[own + index] = f32::from(weight) / f32::from(QA) - weights[factor + index];
            }
        }
        let mut set = |at: usize, values: &[i16], unit: i16| {
            let quotients = values.iter().map(|&value| f32::from(value) / f32::from(unit));
            weights[at..].iter_mut().zip(quotients).for_each(|(weight, quotient)| *weight = quotient);
        };
        set(BIAS, &network.feature_bias.0, QA);
        for (attack, vector) in (0..).zip(&network.attack_weights) {
            set(attack_at(attack), &vector.0, QA);
        }
        for (bucket, halves) in network.output_weights.iter().enumerate() {
            halves.iter().enumerate().for_each(|(half, vector)| set(output_at(bucket, half), &vector.0, QB));
        }
        for (bucket, &bias) in network.output_bias.iter().enumerate() {
            weights[OUTPUT_BIAS + bucket] = bias as f32 / (f32::from(QA) * f32::from(QB));
        }
        Model::of_weights(weights)
    }

    /// The expected score of the side to move, from 0 (loss) to 1 (win).
    pub fn expectation(&self, inputs: &Inputs, loss: Loss) -> f32 {
        loss.expectation(self.forward(inputs).1 * SCALE as f32).0
    }

    /// Forward pass: the hidden layer before activation for both perspectives, and the output with the piece-square
    /// score.
    fn forward(&self, inputs: &Inputs) -> ([[f32; HIDDEN]; 2], f32) {
        let bucket = inputs.output_bucket();
        let mut sum = inputs.piece_square() + self.weights[OUTPUT_BIAS + bucket];
        let mut hidden = [[0.0; HIDDEN]; 2];
        for (half, (values, features)) in hidden.iter_mut().zip(inputs.features()).enumerate() {
            values.copy_from_slice(&self.weights[BIAS..ATTACK]);
            for &feature in features {
                let weights = &self.sums[usize::from(feature) * HIDDEN..][..HIDDEN];
                values.iter_mut().zip(weights).for_each(|(value, weight)| *value += weight);
            }
            for &attack in inputs.attacks()[half] {
                let weights = &self.weights[attack_at(attack)..][..ATTACK_HIDDEN];
                values.iter_mut().zip(weights).for_each(|(value, weight)| *value += weight);
            }
            let weights = &self.weights[output_at(bucket, half)..][..HIDDEN];
            let mut sums = [0.0; 8];
            for (values, weights) in values.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let activation = values[index].clamp(0.0, 1.0);
                    *sum += activation * activation * weights[index];
                }
            }
            sum += sums.iter().sum::<f32>();
        }
        (hidden, sum)
    }

    /// Adds the gradient of `weight` times the loss of a sample to `gradient`, which has [`FACTORS`] numbers: that of a
    /// factor weight is the sum of those of its features in all king buckets. Returns the loss, without the weight: the
    /// squared error of the expected score.
    pub fn accumulate_gradient(
        &self,
        inputs: &Inputs,
        loss: Loss,
        target: f32,
        weight: f32,
        gradient: &mut [f32],
    ) -> f32 {
        let (hidden, sum) = self.forward(inputs);
        let (prediction, slope) = loss.expectation(sum * SCALE as f32);
        let error = prediction - target;
        let output_gradient = weight * 2.0 * error * slope * SCALE as f32;
        let bucket = inputs.output_bucket();
        gradient[OUTPUT_BIAS + bucket] += output_gradient;
        for (half, (values, features)) in hidden.iter().zip(inputs.features()).enumerate() {
            let mut hidden_gradient = [0.0; HIDDEN];
            let at = output_at(bucket, half);
            let (weights, gradients) = (&self.weights[at..][..HIDDEN], &mut gradient[at..][..HIDDEN]);
            for (index, hidden) in hidden_gradient.iter_mut().enumerate() {
                let activation = values[index].clamp(0.0, 1.0);
                gradients[index] += output_gradient * activation * activation;
                let is_between = values[index] > 0.0 && values[index] < 1.0;
                *hidden = if is_between { output_gradient * weights[index] * 2.0 * activation } else { 0.0 };
            }
            for at in features.iter().map(|&feature| usize::from(feature) * HIDDEN).chain([BIAS]) {
                let gradients = gradient[at..][..HIDDEN].iter_mut().zip(&hidden_gradient);
                gradients.for_each(|(gradient, hidden)| *gradient += hidden);
            }
            for at in inputs.attacks()[half].iter().map(|&attack| attack_at(attack)) {
                let gradients = gradient[at..][..ATTACK_HIDDEN].iter_mut().zip(&hidden_gradient);
                gradients.for_each(|(gradient, hidden)| *gradient += hidden);
            }
        }
        error * error
    }

    /// The quantised network.
    pub fn to_network(&self, description: String) -> Network {
        let vector = |at: usize, unit: i16| Vector(quantised(&self.weights[at..], unit));
        let output_bias = |bucket| self.weights[OUTPUT_BIAS + bucket] * f32::from(QA) * f32::from(QB);
        Network {
            description,
            feature_weights: self.sums.chunks_exact(HIDDEN).map(|weights| Vector(quantised(weights, QA))).collect(),
            feature_bias: vector(BIAS, QA),
            attack_weights: self.weights[ATTACK..OUTPUT]
                .chunks_exact(ATTACK_HIDDEN)
                .map(|weights| AttackVector(quantised(weights, QA)))
                .collect(),
            output_weights: Box::new(std::array::from_fn(|bucket| {
                [0, 1].map(|half| vector(output_at(bucket, half), QB))
            })),
            output_bias: std::array::from_fn(|bucket| output_bias(bucket).round() as i32),
        }
    }
}

/// The first `N` of `weights` as integers, of which `unit` stands for 1.
fn quantised<const N: usize>(weights: &[f32], unit: i16) -> [i16; N] {
    std::array::from_fn(|index| (weights[index] * f32::from(unit)).round() as i16)
}

/// Offset of the factor weights of a feature.
fn factor_at(feature: usize) -> usize {
    FACTORS + feature % PIECE_FEATURES * HIDDEN
}

/// Offset of the weights of an attack feature.
fn attack_at(attack: u16) -> usize {
    ATTACK + usize::from(attack) * ATTACK_HIDDEN
}

/// Offset of the output weights of a bucket for one perspective: `half` is 0 for the side to move, 1 for the other.
fn output_at(bucket: usize, half: usize) -> usize {
    OUTPUT + (2 * bucket + half) * HIDDEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::accumulator::AccumulatorStack;
    use crate::position::START_FEN;
    use crate::rng::seeded_rng;
    use crate::training::outcome::GameOutcome;
    use crate::training::samples::Extraction;
    use crate::training::training_games::{ScoredMove, TrainingGame};

    fn game() -> TrainingGame {
        let ply = |text: &str| ScoredMove { mv: text.parse().unwrap(), score: Some(120) };
        let plies = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4", "c6c5"].map(ply).to_vec();
        TrainingGame { start: START_FEN.to_string(), outcome: GameOutcome::Win, plies }
    }

    /// The positions of a short game.
    fn samples() -> Vec<Sample> {
        let mut samples = Vec::new();
        let extraction = Extraction { loss: Loss::WinDrawLoss, td_lambda: 0.5, outliers: None };
        extraction.extract(&game(), &mut samples).unwrap();
        assert_eq!(samples.len(), 6);
        samples
    }

    /// A model with random weights, attack weights included.
    fn model(seed: u64) -> Model {
        let mut model = Model::new(&mut seeded_rng(seed, 0), &samples());
        let mut rng = seeded_rng(seed, 1);
        model.weights[ATTACK..OUTPUT].fill_with(|| rng.random_range(-0.2..0.2));
        model
    }

    #[test]
    fn gradient_equals_finite_differences_of_the_loss() {
        [Loss::Logistic(400.0), Loss::WinDrawLoss].into_iter().for_each(check_gradient);
    }

    fn check_gradient(loss: Loss) {
        let samples = samples();
        let model = model(3);
        let targets = [0.9, 0.1, 0.5, 0.7, 0.3, 0.6];
        let error = |model: &Model| -> f64 {
            let squares = samples
                .iter()
                .zip(targets)
                .map(|(sample, target)| f64::from(model.expectation(&sample.inputs(), loss) - target).powi(2));
            squares.sum()
        };
        let mut gradient = vec![0.0; FACTORS];
        let sum: f32 = samples
            .iter()
            .zip(targets)
            .map(|(sample, target)| model.accumulate_gradient(&sample.inputs(), loss, target, 1.0, &mut gradient))
            .sum();
        assert!((f64::from(sum) - error(&model)).abs() < 1e-5);
        // Weights of each part that the samples depend on.
        let feature = usize::from(samples[0].inputs().features()[0][5]);
        let (own, factor) = (feature * HIDDEN, factor_at(feature));
        let attack = attack_at(samples[1].inputs().attacks()[1][0]);
        let output = output_at(samples[0].inputs().output_bucket(), 1);
        let mut nonzero = 0;
        for at in (own..own + 40)
            .chain(factor..factor + 40)
            .chain(BIAS..BIAS + 40)
            .chain(attack..attack + 40)
            .chain(output..output + 40)
            .chain([OUTPUT_BIAS + samples[0].inputs().output_bucket()])
        {
            const STEP: f32 = 0.001;
            let error_with = |change: f32| {
                let mut weights = model.weights.clone();
                weights[at] += change;
                error(&Model::of_weights(weights))
            };
            let expected = (error_with(STEP) - error_with(-STEP)) / (2.0 * f64::from(STEP));
            let of_buckets = |at: usize| gradient[at..BIAS].iter().step_by(BUCKET_WEIGHTS).sum();
            let found = gradient.get(at).copied().unwrap_or_else(|| of_buckets(at - FACTORS));
            assert!((expected - f64::from(found)).abs() < 2e-3 + 0.02 * expected.abs(), "{at}: {expected}, {found}");
            nonzero += (expected.abs() > 1e-3) as u32;
        }
        assert!(nonzero > 30, "{nonzero}");
    }

    #[test]
    fn networks_are_trained_further_from_what_they_are() {
        let network = Network::built_in();
        let again = Model::of_network(&network).to_network(network.description.clone());
        assert!(again.to_bytes() == network.to_bytes());
    }

    #[test]
    fn quantised_network_agrees_with_the_model() {
        let model = model(5);
        let network = std::sync::Arc::new(model.to_network(String::new()));
        let samples = samples();
        let mut samples = samples.iter();
        let visit = &mut |position: &crate::position::Position, _| {
            let inputs = samples.next().unwrap().inputs();
            let real = (model.forward(&inputs).1 - inputs.piece_square()) * SCALE as f32;
            let integer = AccumulatorStack::new(network.clone()).evaluate(position);
            // The rounding of 1,024 output weights shifts all outputs of a network by a few units, rarely by more than 12.
            assert!((real - integer as f32).abs() < 16.0, "{real} {integer}");
            assert!(integer != 0);
        };
        game().replay(visit).unwrap();
    }
}
