//! What the command line offers besides playing (L6).
//!
//! | module | what it does |
//! |---|---|
//! | [`mod@analyse`] | the best lines of many positions |
//! | [`mod@bench`] | searches fixed positions: speed, and the signature of the search |
//! | [`grow`] | grows opening books by searching |
//! | [`perft`] | counts the leaves of the tree of legal moves |
//! | [`suite`] | checks perft against files of known counts |

pub mod analyse;
pub mod bench;
pub mod grow_book;
pub mod perft;
pub mod perft_suite;
