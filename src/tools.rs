//! Bench, perft, analysis of positions and games, book growing (L6).
//!
//! | module | content |
//! |---|---|
//! | [`mod@analyse`] | finds the best lines of many positions |
//! | [`mod@bench`] | searches fixed positions: nodes (the signature of the search) and speed |
//! | [`grow_book`] | grows opening books by searching |
//! | [`perft`] | counts the leaves of the tree of legal moves |
//! | [`perft_suite`] | checks perft against files of known counts |
//! | `review` | looks a game over: evaluations, mistakes, accuracy |

pub mod analyse;
pub mod bench;
pub mod grow_book;
pub mod perft;
pub mod perft_suite;
#[cfg(feature = "cli")]
pub mod review;
