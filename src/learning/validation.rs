//! The error of a network against scored positions, by the number of pieces.

use super::games::{Game, GameError};
use super::samples::extract;
use crate::eval::network::{Network, OUTPUT_BUCKETS};
use std::fmt;

/// Squared errors of expected scores, summed up by output bucket.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    buckets: [Bucket; OUTPUT_BUCKETS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    samples: u64,
    squared_error: f64,
    fewest: usize,
    most: usize,
}

impl Bucket {
    fn mean(&self) -> f64 {
        self.squared_error / self.samples.max(1) as f64
    }
}

impl Validation {
    /// Adds the training samples of a game; their target is the score of the search alone.
    ///
    /// # Errors
    /// When a move of the game is not legal.
    pub fn add(&mut self, game: &Game, network: &Network) -> Result<(), GameError> {
        let mut samples = Vec::new();
        extract(game, 0.0, &mut samples)?;
        for sample in samples {
            let inputs = sample.inputs();
            let error = f64::from(inputs.quantised_expectation(network) - sample.target(0.0));
            let bucket = &mut self.buckets[inputs.output_bucket()];
            let pieces = sample.pieces();
            bucket.fewest = if bucket.samples == 0 { pieces } else { bucket.fewest.min(pieces) };
            bucket.most = bucket.most.max(pieces);
            bucket.samples += 1;
            bucket.squared_error += error * error;
        }
        Ok(())
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.samples).sum()
    }

    /// The mean squared error of the expected score, from 0 to 1, over all samples.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.buckets.iter().map(|bucket| bucket.squared_error).sum();
        sum / self.samples().max(1) as f64
    }
}

/// The errors as a table; every line ends with a newline.
impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pieces   positions  mean squared error of the expected score")?;
        for bucket in self.buckets.iter().rev().filter(|bucket| bucket.samples > 0) {
            let pieces = format!("{}–{}", bucket.fewest, bucket.most);
            writeln!(f, "{pieces:6} {:11}  {:.5}", bucket.samples, bucket.mean())?;
        }
        writeln!(f, "all    {:11}  {:.5}", self.samples(), self.mean())
    }
}
