//! Endgame tables (L3): the value of every position of a material class.
//!
//! | module | content |
//! |---|---|
//! | [`material`] | material classes |
//! | [`index`] | the order of the positions of a class |
//! | `board` | a small board with moves backwards |
//! | [`forward_search`] | a plain search for mates, to check tables |
//! | [`generate`] | retrograde analysis |
//! | [`perpetual_check`] | draws that only perpetual check could hold |
//! | [`sets`] | sets of classes |
//! | [`statistics`] | what share of a class is won |
//! | [`mod@file`] | tables in files |
//! | `source` | the bytes of a table, in memory or read from its file when they are needed |
//! | [`block_cache`] | the blocks of files read last |
//! | [`tables`] | a set of tables, and the value of a position |
//! | [`verify`] | checking tables |
//! | [`value`] | the value of a position |

pub(crate) mod block_cache;
mod board;
pub mod file;
#[doc(hidden)]
pub mod forward_search;
pub mod generate;
#[doc(hidden)]
pub mod index;
pub mod material;
pub(crate) mod perpetual_check;
#[doc(hidden)]
pub mod sets;
mod source;
#[doc(hidden)]
pub mod statistics;
pub mod tables;
pub mod value;
#[doc(hidden)]
pub mod verify;
