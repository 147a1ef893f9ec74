//! Bench, perft, analysis of positions and games, book growing (L6).
//!
//! | module | content |
//! |---|---|
//! | [`mod@analyse`] | finds the best lines of many positions |
//! | `analysis_file` | files of answers of `chuhe analyse`, and how they are continued |
//! | [`mod@bench`] | searches fixed positions: nodes (the signature of the search) and speed |
//! | [`grow_book`] | grows opening books by searching |
//! | [`perft`] | counts the leaves of the tree of legal moves |
//! | [`perft_suite`] | checks perft against files of known counts |
//! | `review` | looks a game over: evaluations, mistakes, accuracy |

pub mod analyse;
#[cfg(feature = "cli")]
pub mod analysis_file;
pub mod bench;
pub mod grow_book;
pub mod perft;
pub mod perft_suite;
#[cfg(feature = "cli")]
pub mod review;
