//! The neural network of the evaluation: an efficiently updatable neural network (NNUE, Yu Nasu 2018). Its output is
//! added to the piece-square score.
//!
//! ```text
//! features seen by the side to move → 512 ┐ squared clipped ReLU (SCReLU) → one of 8 outputs, by number of pieces
//! features seen by the other side   → 512 ┘
//! ```
//!
//! The first layer (feature transformer) has the same weights for both perspectives. [`super::accumulator`] updates it
//! move by move.

mod file;
mod quantised;
mod simd;
mod vector;

pub use file::NetworkError;
pub use quantised::{Network, OUTPUT_BUCKETS, QB, SCALE, output_bucket};
pub use simd::Kernel;
pub use vector::{HIDDEN, QA, Vector};
