//! A network that says what a position is worth beyond material and placement: its weights and their arithmetic.
//!
//! ```text
//! what the side to move sees    → 256 ┐ clipped to 0…1, squared → one of 8 outputs, by the number of men
//! what the other side sees      → 256 ┘
//! ```
//!
//! The first layer, most of the work, is a sum of rows of weights, one for each man, kept up to date from move to move by
//! [`super::accumulator`] (an efficiently updatable neural network, Yu Nasu, 2018). Numbers are integers: a row's 1 is 181,
//! the greatest whose square has 16 bits with its sign, an output weight's 1 is 256.

mod file;
mod simd;

pub use file::NetworkError;
pub use simd::Kernel;

use crate::types::Score;
use std::fmt;

/// Width of what each side sees.
pub const HIDDEN: usize = 256;
/// Outputs, for 2 to 32 men by fours.
pub const OUTPUT_BUCKETS: usize = 8;
/// What stands for 1 in a row and in an activation.
pub const QA: i16 = 181;
/// What stands for 1 in an output weight.
pub const QB: i16 = 256;
/// An output of 1, in engine units.
pub const SCALE: i32 = 400;
/// Greatest sum of output weights, so that any sum of activations times them has 32 bits.
const MAX_OUTPUT_WEIGHT_SUM: i32 = i32::MAX / (QA as i32 * QA as i32);
/// Greatest weight of a row, so that any 32 of them and the bias have 16 bits.
const MAX_FEATURE_WEIGHT: i16 = i16::MAX / 33;
/// Greatest size of an output bias, so that the sum with it has 32 bits as well.
const MAX_OUTPUT_BIAS: u32 = i32::MAX as u32 / 2;
/// Greatest size of a score, far from decided games.
const MAX_OUTPUT: Score = 10_000;

/// Weights from one feature, or what a side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Vector(pub [i16; HIDDEN]);

impl Vector {
    /// All zero.
    pub const ZERO: Vector = Vector([0; HIDDEN]);

    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: &Vector) {
        for (value, weight) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_add(*weight);
        }
    }

    /// Takes a row away.
    #[inline]
    pub fn remove(&mut self, row: &Vector) {
        for (value, weight) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_sub(*weight);
        }
    }

    /// Becomes `from` with one row more and one less.
    #[inline(always)]
    fn add_sub(&mut self, from: &Vector, add: &Vector, sub: &Vector) {
        for (index, value) in self.0.iter_mut().enumerate() {
            *value = from.0[index].wrapping_add(add.0[index]).wrapping_sub(sub.0[index]);
        }
    }

    /// Becomes `from` with one row more and two less.
    #[inline(always)]
    fn add_sub_sub(&mut self, from: &Vector, add: &Vector, sub: &Vector, sub2: &Vector) {
        for (index, value) in self.0.iter_mut().enumerate() {
            let add_sub = from.0[index].wrapping_add(add.0[index]).wrapping_sub(sub.0[index]);
            *value = add_sub.wrapping_sub(sub2.0[index]);
        }
    }

    /// Sum of the activations, each times its weight, in `QA * QA * QB`ths.
    #[inline(always)]
    fn screlu_dot(&self, weights: &Vector) -> i32 {
        let mut sum = 0i32;
        for (&value, &weight) in self.0.iter().zip(&weights.0) {
            let value = value.clamp(0, QA);
            sum = sum.wrapping_add(i32::from(value.wrapping_mul(value)) * i32::from(weight));
        }
        sum
    }
}

/// The weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// Where it comes from, in one line.
    pub description: String,
    /// By what is seen, [`super::features::FEATURES`] of them.
    pub rows: Box<[Vector]>,
    /// What a side sees of an empty board.
    pub bias: Vector,
    /// For what the side to move sees, and the other.
    pub outputs: Box<[[Vector; 2]; OUTPUT_BUCKETS]>,
    /// In `QA * QB`ths.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// Its story: a million numbers are nothing to look at.
impl fmt::Debug for Network {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Network").field("story", &self.description).finish_non_exhaustive()
    }
}

/// The output for so many men.
#[inline]
pub const fn output_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(1) / 4 % OUTPUT_BUCKETS
}

impl Network {
    /// What a position with so many men is worth to the side to move beyond material and placement, in engine units, by what
    /// it and the other side see.
    #[inline]
    pub fn evaluate(&self, kernel: Kernel, own: &Vector, other: &Vector, pieces: u32) -> Score {
        let output = output_bucket(pieces as usize);
        let [own_weights, other_weights] = &self.outputs[output];
        let sum = kernel.screlu_dot(own, own_weights).wrapping_add(kernel.screlu_dot(other, other_weights));
        let sum = sum / i32::from(QA) + self.output_bias[output];
        let score = i64::from(sum) * i64::from(SCALE) / (i64::from(QA) * i64::from(QB));
        score.clamp(-i64::from(MAX_OUTPUT), i64::from(MAX_OUTPUT)) as Score
    }

    /// Whether no sum can overflow.
    pub fn cannot_overflow(&self) -> bool {
        let mut rows = self.rows.iter().chain([&self.bias]).flat_map(|row| row.0);
        let size = |row: &Vector| row.0.iter().map(|&weight| i32::from(weight).abs()).sum::<i32>();
        let outputs = self.outputs.iter().zip(self.output_bias);
        rows.all(|weight| weight.unsigned_abs() <= MAX_FEATURE_WEIGHT.unsigned_abs())
            && outputs.into_iter().all(|([own, other], bias)| {
                size(own) + size(other) <= MAX_OUTPUT_WEIGHT_SUM && bias.unsigned_abs() <= MAX_OUTPUT_BIAS
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::FEATURES;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// A network of random weights, of the sizes that trained ones have.
    pub fn random(seed: u64) -> Network {
        let mut chance = StdRng::seed_from_u64(seed);
        let mut row = |size: i16| Vector(std::array::from_fn(|_| chance.random_range(-size..=size)));
        Network {
            description: "made by chance".to_string(),
            rows: (0..FEATURES).map(|_| row(40)).collect(),
            bias: row(100),
            outputs: Box::new(std::array::from_fn(|_| [row(60), row(60)])),
            output_bias: std::array::from_fn(|index| index as i32 * 100 - 350),
        }
    }

    #[test]
    fn arithmetic_is_that_of_the_formula() {
        let network = random(1);
        let [own, other] = [&network.rows[3], &network.rows[5]];
        for pieces in 2..=32 {
            let output = (pieces as usize - 1) / 4;
            let mut sum = 0.0;
            for (row, weights) in [own, other].into_iter().zip(&network.outputs[output]) {
                for (value, weight) in row.0.into_iter().zip(weights.0) {
                    let activation = (f64::from(value) / 181.0).clamp(0.0, 1.0);
                    sum += activation * activation * f64::from(weight) / 256.0;
                }
            }
            let score = 400.0 * (sum + f64::from(network.output_bias[output]) / (181.0 * 256.0));
            assert!(
                (score - f64::from(network.evaluate(Kernel::best(), own, other, pieces))).abs() <= 1.1,
                "{pieces} men: {score}"
            );
        }
    }
}
