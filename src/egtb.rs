//! Endgame tables (L3): the value of every position of a material class.

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
