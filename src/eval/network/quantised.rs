//! The network in integers (quantisation): its weights and the forward pass.

use super::simd::Kernel;
use super::vector::{AttackVector, QA, Vector};
use crate::types::Score;
use std::fmt;

/// Number of output buckets: outputs of which one is used, chosen by the number of pieces on the board.
pub const OUTPUT_BUCKETS: usize = 8;
/// Quantisation of the output layer: a weight of 1.0 is stored as 256.
pub const QB: i16 = 256;
/// The score for a network output of 1.0, in engine units.
pub const SCALE: i32 = 400;
/// Greatest sum of absolute output weights: the dot product with activations up to QA² then fits in an `i32`.
const MAX_OUTPUT_WEIGHT_SUM: i32 = i32::MAX / (QA as i32 * QA as i32);
/// Greatest absolute feature weight and bias: the bias and 32 pieces, all of them attacked, then fit in an `i16`.
const MAX_FEATURE_WEIGHT: i16 = i16::MAX / 65;
/// Greatest absolute output bias: added to the dot product divided by QA, it fits in an `i32`.
const MAX_OUTPUT_BIAS: u32 = i32::MAX as u32 / 2;
/// Greatest absolute score; well below the scores of decided games.
const MAX_OUTPUT: Score = 10_000;

/// A quantised network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// How it was trained, in one line.
    pub description: String,
    /// Weights of the first layer by feature, [`FEATURES`](crate::eval::features::FEATURES) of them, in units of 1 /
    /// QA.
    pub feature_weights: Box<[Vector]>,
    /// Bias of the first layer, in units of 1 / QA.
    pub feature_bias: Vector,
    /// Weights of the first layer by attack feature, [`ATTACK_FEATURES`](crate::eval::features::ATTACK_FEATURES) of them,
    /// in units of 1 / QA.
    pub attack_weights: Box<[AttackVector]>,
    /// Output weights by output bucket, for the perspectives of the side to move and of the other side, in units of 1 /
    /// QB.
    pub output_weights: Box<[[Vector; 2]; OUTPUT_BUCKETS]>,
    /// Output bias by output bucket, in units of 1 / (QA · QB).
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// The description without the weights.
impl fmt::Debug for Network {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("Network").field(&self.description).finish()
    }
}

/// The output bucket for a number of pieces on the board, 2 to 32: four numbers share a bucket.
#[inline]
pub const fn output_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(1) / 4 % OUTPUT_BUCKETS
}

impl Network {
    /// The output for the side to move, in engine units, from the accumulators and the active attack features of both
    /// perspectives, the side to move first, and the number of pieces.
    #[inline]
    pub fn evaluate(&self, kernel: Kernel, accumulators: [&Vector; 2], attacks: [&[u16]; 2], pieces: u32) -> Score {
        let bucket = output_bucket(pieces as usize);
        let sum = |half: usize| {
            let weights = &self.output_weights[bucket][half];
            kernel.screlu_dot(accumulators[half], &self.attack_weights, attacks[half], weights)
        };
        let sum = sum(0).wrapping_add(sum(1));
        let sum = sum / i32::from(QA) + self.output_bias[bucket];
        let score = i64::from(sum) * i64::from(SCALE) / (i64::from(QA) * i64::from(QB));
        score.clamp(-i64::from(MAX_OUTPUT), i64::from(MAX_OUTPUT)) as Score
    }

    /// Whether the weights are small enough that no sum overflows.
    pub fn cannot_overflow(&self) -> bool {
        let vectors = self.feature_weights.iter().chain([&self.feature_bias]).flat_map(|vector| vector.0);
        let mut weights = vectors.chain(self.attack_weights.iter().flat_map(|vector| vector.0));
        let size = |vector: &Vector| vector.0.iter().map(|&weight| i32::from(weight).abs()).sum::<i32>();
        let outputs = self.output_weights.iter().zip(self.output_bias);
        weights.all(|weight| weight.unsigned_abs() <= MAX_FEATURE_WEIGHT.unsigned_abs())
            && outputs.into_iter().all(|([own, other], bias)| {
                size(own) + size(other) <= MAX_OUTPUT_WEIGHT_SUM && bias.unsigned_abs() <= MAX_OUTPUT_BIAS
            })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::vector::{ATTACK_HIDDEN, HIDDEN};
    use super::*;
    use crate::eval::features::{ATTACK_FEATURES, FEATURES};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// A network of random weights, of the sizes that trained ones have.
    pub fn random_network(seed: u64) -> Network {
        let mut rng = StdRng::seed_from_u64(seed);
        let attack_weights = (0..ATTACK_FEATURES)
            .map(|_| AttackVector(std::array::from_fn::<_, ATTACK_HIDDEN, _>(|_| rng.random_range(-40..=40))))
            .collect();
        let mut vector = |size: i16| Vector(std::array::from_fn::<_, HIDDEN, _>(|_| rng.random_range(-size..=size)));
        Network {
            description: "random weights".to_string(),
            feature_weights: (0..FEATURES).map(|_| vector(40)).collect(),
            feature_bias: vector(100),
            attack_weights,
            output_weights: Box::new(std::array::from_fn(|_| [vector(60), vector(60)])),
            output_bias: std::array::from_fn(|index| index as i32 * 100 - 350),
        }
    }

    #[test]
    fn forward_pass_equals_the_floating_point_formula() {
        let network = random_network(1);
        let accumulators = [&network.feature_weights[3], &network.feature_weights[5]];
        let attacks: [&[u16]; 2] = [&[3, 1_000], &[7]];
        for pieces in 2..=32 {
            let bucket = (pieces as usize - 1) / 4;
            let mut sum = 0.0;
            for half in 0..2 {
                let rows = attacks[half].iter().map(|&attack| &network.attack_weights[usize::from(attack)].0);
                for (index, &value) in accumulators[half].0.iter().enumerate() {
                    let attacked = rows.clone().filter_map(|row| row.get(index)).sum::<i16>();
                    let weight = network.output_weights[bucket][half].0[index];
                    let activation = (f64::from(value + attacked) / 181.0).clamp(0.0, 1.0);
                    sum += activation * activation * f64::from(weight) / 256.0;
                }
            }
            let score = 400.0 * (sum + f64::from(network.output_bias[bucket]) / (181.0 * 256.0));
            assert!(
                (score - f64::from(network.evaluate(Kernel::best(), accumulators, attacks, pieces))).abs() <= 1.1,
                "{pieces} pieces: {score}"
            );
        }
    }
}
