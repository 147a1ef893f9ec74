//! The neural network of the evaluation: an efficiently updatable neural network (NNUE, Yu Nasu 2018). Its output is
//! added to the piece-square score.
//!
//! ```text
//! features seen by the side to move → 512 ┐ squared clipped ReLU (SCReLU) → one of 8 outputs, by number of pieces
//! features seen by the other side   → 512 ┘
//! ```
//!
//! The features are the pieces on their squares and the attacked pieces on theirs. The first layer (feature transformer)
//! has the same weights for both perspectives. [`super::accumulator`] updates the part of the pieces move by move; the
//! part of the attacked pieces (attack or threat inputs), which reaches only the first 128 of the 512 neurons, is computed
//! anew for each evaluation.

mod file;
mod quantised;
mod simd;
mod vector;

pub use file::NetworkError;
pub use quantised::{Network, OUTPUT_BUCKETS, QB, SCALE, output_bucket};
pub use simd::Kernel;
pub use vector::{ATTACK_HIDDEN, AttackVector, HIDDEN, QA, Vector};
