//! Bench and perft (L6).

#[cfg(feature = "engine")]
pub(crate) mod bench;
pub mod perft;
pub mod perft_suite;
