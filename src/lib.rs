//! ChuHe (楚河, the river across the board): a xiangqi engine.
//!
//! A library and one binary, in layers; a module knows those below its own and none above.
//!
//! ```text
//! L6  talking           cli         the command line
//!                       protocol    a thread that reads and one that does; UCCI, UCI, console
//!                       tools       bench, perft, analysis: what the command line offers besides playing
//!                       learning    self-play, and what is learned from it
//!                       display     the board and verdicts as text
//!                       crew        many jobs for a few threads
//! L5  one engine        engine      game, options, hash table, searcher: does what clients ask for
//! L4  finding the move  search      alpha-beta, quiescence, move ordering, the transposition table, the clock
//! L3  knowing           eval        what a position is worth at first sight
//!                       book        openings played before
//!                       notation    moves as people write them
//!                       rules       repetition, move limit, insufficient material
//! L2  a position        position    board and history, making moves, legality, generation, FEN
//! L1  geometry          tables      slides, leapers and position keys, computed at compile time
//! L0  words             types       square, piece, move, score, move list
//! ```
//!
//! The way of a move through the house: a line on standard input → [`protocol`] reads it once into a typed command →
//! the engine's thread executes it on the [`engine`] → the [`search`] works on its own copy of the game and emits
//! reports → [`protocol`] puts them in the client's words → standard output. Nothing below L6 prints or reads a line,
//! and nothing below L5 knows an option's name, the numbers that the feature `tuning` opens aside.

pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
pub mod display;
#[cfg(feature = "engine")]
pub mod engine;
pub mod eval;
#[cfg(feature = "cli")]
pub mod learning;
pub mod notation;
mod parallel;
pub mod position;
#[cfg(feature = "engine")]
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tables;
#[cfg(test)]
#[path = "../tests/common/data.rs"]
mod test_data;
pub mod tools;
pub mod types;
