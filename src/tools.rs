//! Bench and perft (L6).
//!
//! | module | content |
//! |---|---|
//! | [`mod@bench`] | searches fixed positions: nodes (the signature of the search) and speed |
//! | [`perft`] | counts the leaves of the tree of legal moves |
//! | [`perft_suite`] | checks perft against files of known counts |

#[cfg(feature = "engine")]
pub(crate) mod bench;
pub mod perft;
pub mod perft_suite;
