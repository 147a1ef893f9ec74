//! Data generation, training and tuning (L6).

mod adam;
pub(crate) mod datagen;
pub(crate) mod grow_book;
pub(crate) mod label;
pub mod loss;
pub(crate) mod model;
pub mod outcome;
mod part;
pub mod sample_stream;
pub mod samples;
pub(crate) mod selfplay;
pub mod shard;
#[cfg(feature = "tuning")]
pub mod spsa;
pub(crate) mod statistics;
pub(crate) mod texel;
pub mod train;
pub mod training_games;
pub(crate) mod unbalanced_openings;
pub(crate) mod validation;
pub(crate) mod wdl_fit;
