//! Attack and move tables, and Zobrist keys (L1), computed at compile time.
//!
//! | module | what it holds |
//! |---|---|
//! | [`slides`] | slide tables of rooks and cannons, by bit-rank and bit-file |
//! | [`leapers`] | moves of king, advisor, bishop (with eyes), knight (with legs) and pawn |
//! | [`bitboards`] | sets of squares, and the squares that a piece attacks |
//! | [`zobrist`] | Zobrist keys, the same as in ElephantEye's books |

pub(crate) mod bitboards;
pub(crate) mod leapers;
pub mod slides;
pub mod zobrist;
