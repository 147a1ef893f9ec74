//! Endgame tables (L3): the value of every position of a material class.

pub(crate) mod block_cache;
mod board;
pub mod file;
pub(crate) mod forward_search;
pub mod generate;
pub(crate) mod index;
pub mod material;
pub(crate) mod perpetual_check;
pub(crate) mod sets;
mod source;
pub(crate) mod statistics;
pub mod tables;
pub mod value;
pub(crate) mod verify;
