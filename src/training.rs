//! Data generation, training and tuning (L6).

mod adam;
pub(crate) mod datagen;
pub(crate) mod grow_book;
pub(crate) mod label;
pub mod loss;
pub(crate) mod match_play;
pub(crate) mod model;
pub(crate) mod node_limit;
pub mod opening_list;
pub mod outcome;
mod part;
pub(crate) mod pentanomial;
pub(crate) mod rng;
pub mod sample_stream;
pub mod samples;
#[cfg(feature = "tuning")]
pub(crate) mod screening;
pub(crate) mod selfplay;
pub mod shard;
pub(crate) mod sprt;
#[cfg(feature = "tuning")]
pub mod spsa;
pub(crate) mod statistics;
pub(crate) mod texel;
pub mod train;
pub mod training_games;
pub(crate) mod validation;
pub(crate) mod wdl_fit;
