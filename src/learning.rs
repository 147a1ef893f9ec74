//! From games to better numbers (L6): self-play and what it teaches.
//!
//! | module | what it does |
//! |---|---|
//! | `adam` | how weights follow slopes |
//! | [`selfplay`] | games of the engine against itself |
//! | [`games`] | files of games |
//! | [`datagen`] | games for training |
//! | [`samples`] | positions to learn from |
//! | [`model`] | the network while it learns |
//! | [`texel`] | weights of the classical evaluation |
//! | [`train`] | learning weights from lessons |
//! | [`wdl`] | how often who had a score won |
//! | [`statistics`] | what is in a file of games |
//! | [`mod@match_play`] | what a change is worth, in Elo |
//! | `spsa` | tunes the numbers of the search (with the feature `tuning`) |

mod adam;
pub mod datagen;
pub mod games;
pub mod match_play;
pub mod model;
pub mod samples;
pub mod selfplay;
#[cfg(feature = "tuning")]
pub mod spsa;
pub mod statistics;
pub mod texel;
pub mod train;
pub mod wdl_fit;
