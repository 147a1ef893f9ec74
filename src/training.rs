//! Data generation, training and tuning (L6).
//!
//! | module | content |
//! |---|---|
//! | [`outcome`] | outcomes of games |
//! | [`training_games`] | files of games |
//! | [`grow_book`] | grows opening books by searching |
//! | [`unbalanced_openings`] | finds unbalanced openings of matches |
//! | [`selfplay`] | self-play games |
//! | [`datagen`] | generation of training games by self-play |
//! | [`label`] | deep labels for positions of games |
//! | [`shard`] | parts of a file of games, and their merging |
//! | [`loss`] | what a score is worth in points |
//! | [`samples`] | training samples from games |
//! | [`sample_stream`] | the samples of files of any size, in chunks |
//! | [`statistics`] | statistics of files of games |
//! | `adam` | the Adam optimizer |
//! | [`model`] | the network in floating point: forward pass and gradient |
//! | [`train`] | training of the network (AdamW) |
//! | [`validation`] | the error of a network against scored positions |
//! | `part` | parts of work for threads, where there may be none |
//! | [`texel`] | Texel tuning of the classical evaluation and the piece-square tables (PSQT) |
//! | [`mod@wdl_fit`] | fit of the win/draw/loss (WDL) model |
//! | `spsa` | tuning of search parameters by SPSA (with the feature `tuning`) |

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
