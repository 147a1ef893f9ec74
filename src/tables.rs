//! Attack and move tables, and Zobrist keys (L1), computed at compile time.

pub(crate) mod bitboards;
pub(crate) mod leapers;
pub mod slides;
pub mod zobrist;
