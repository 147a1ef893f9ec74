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
mod path;

pub use file::NetworkError;
pub use path::Path;

use crate::types::Score;
use std::fmt;

/// Width of what each side sees.
pub const HIDDEN: usize = 256;
/// Outputs, for 2 to 32 men by fours.
pub const OUTPUTS: usize = 8;
/// What stands for 1 in a row and in an activation.
pub const UNIT: i16 = 181;
/// What stands for 1 in an output weight.
pub const OUTPUT_UNIT: i16 = 256;
/// An output of 1, in engine units.
pub const SCALE: i32 = 400;
/// Greatest sum of output weights, so that any sum of activations times them has 32 bits.
const GREATEST_OUTPUTS: i32 = i32::MAX / (UNIT as i32 * UNIT as i32);
/// Greatest weight of a row, so that any 32 of them and the bias have 16 bits.
const GREATEST_WEIGHT: i16 = i16::MAX / 33;
/// Greatest size of an output bias, so that the sum with it has 32 bits as well.
const GREATEST_BIAS: u32 = i32::MAX as u32 / 2;
/// Greatest size of a score, far from decided games.
const MOST: Score = 10_000;

/// Weights from one feature, or what a side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0; HIDDEN]);

    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        for (value, weight) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_add(*weight);
        }
    }

    /// Takes a row away.
    #[inline]
    pub fn remove(&mut self, row: &Row) {
        for (value, weight) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_sub(*weight);
        }
    }

    /// Becomes `from` with one row more and one less.
    #[inline(always)]
    fn moved(&mut self, from: &Row, more: &Row, less: &Row) {
        for (index, value) in self.0.iter_mut().enumerate() {
            *value = from.0[index].wrapping_add(more.0[index]).wrapping_sub(less.0[index]);
        }
    }

    /// Becomes `from` with one row more and two less.
    #[inline(always)]
    fn captured(&mut self, from: &Row, more: &Row, less: &Row, taken: &Row) {
        for (index, value) in self.0.iter_mut().enumerate() {
            let moved = from.0[index].wrapping_add(more.0[index]).wrapping_sub(less.0[index]);
            *value = moved.wrapping_sub(taken.0[index]);
        }
    }

    /// Sum of the activations, each times its weight, in `UNIT * UNIT * OUTPUT_UNIT`ths.
    #[inline(always)]
    fn output(&self, weights: &Row) -> i32 {
        let mut sum = 0i32;
        for (&value, &weight) in self.0.iter().zip(&weights.0) {
            let value = value.clamp(0, UNIT);
            sum = sum.wrapping_add(i32::from(value.wrapping_mul(value)) * i32::from(weight));
        }
        sum
    }
}

/// The weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// Where it comes from, in one line.
    pub story: String,
    /// By what is seen, [`super::features::FEATURES`] of them.
    pub rows: Box<[Row]>,
    /// What a side sees of an empty board.
    pub bias: Row,
    /// For what the side to move sees, and the other.
    pub outputs: Box<[[Row; 2]; OUTPUTS]>,
    /// In `UNIT * OUTPUT_UNIT`ths.
    pub output_bias: [i32; OUTPUTS],
}

/// Its story: a million numbers are nothing to look at.
impl fmt::Debug for Network {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Network").field("story", &self.story).finish_non_exhaustive()
    }
}

/// The output for so many men.
#[inline]
pub const fn output_for(men: usize) -> usize {
    men.saturating_sub(1) / 4 % OUTPUTS
}

impl Network {
    /// What a position with so many men is worth to the side to move beyond material and placement, in engine units, by what
    /// it and the other side see.
    #[inline]
    pub fn evaluate(&self, path: Path, own: &Row, other: &Row, men: u32) -> Score {
        let output = output_for(men as usize);
        let [own_weights, other_weights] = &self.outputs[output];
        let sum = path.output(own, own_weights).wrapping_add(path.output(other, other_weights));
        let sum = sum / i32::from(UNIT) + self.output_bias[output];
        let score = i64::from(sum) * i64::from(SCALE) / (i64::from(UNIT) * i64::from(OUTPUT_UNIT));
        score.clamp(-i64::from(MOST), i64::from(MOST)) as Score
    }

    /// Whether no sum can overflow.
    pub fn is_sound(&self) -> bool {
        let mut rows = self.rows.iter().chain([&self.bias]).flat_map(|row| row.0);
        let size = |row: &Row| row.0.iter().map(|&weight| i32::from(weight).abs()).sum::<i32>();
        let outputs = self.outputs.iter().zip(self.output_bias);
        rows.all(|weight| weight.unsigned_abs() <= GREATEST_WEIGHT.unsigned_abs())
            && outputs.into_iter().all(|([own, other], bias)| {
                size(own) + size(other) <= GREATEST_OUTPUTS && bias.unsigned_abs() <= GREATEST_BIAS
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
        let mut row = |size: i16| Row(std::array::from_fn(|_| chance.random_range(-size..=size)));
        Network {
            story: "made by chance".to_string(),
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
        for men in 2..=32 {
            let output = (men as usize - 1) / 4;
            let mut sum = 0.0;
            for (row, weights) in [own, other].into_iter().zip(&network.outputs[output]) {
                for (value, weight) in row.0.into_iter().zip(weights.0) {
                    let activation = (f64::from(value) / 181.0).clamp(0.0, 1.0);
                    sum += activation * activation * f64::from(weight) / 256.0;
                }
            }
            let score = 400.0 * (sum + f64::from(network.output_bias[output]) / (181.0 * 256.0));
            assert!(
                (score - f64::from(network.evaluate(Path::best(), own, other, men))).abs() <= 1.1,
                "{men} men: {score}"
            );
        }
    }
}
