//! Games as people and clients write them (L3): game records in PGN and XQF, lists of positions and moves, in any usual
//! encoding.
//!
//! | module | content |
//! |---|---|
//! | [`record`] | a game read from a file, and what can be wrong with it |
//! | [`setup`] | a first position and moves, as clients and people write them |
//! | [`mod@file`] | a game in a file, and why a file is refused |
//! | [`stream`] | the games of a file or pipe, read one after the other |
//! | [`pgn`] | reading PGN and plain lists of moves |
//! | [`pgn_lines`] | what the lines of a PGN text tell before its games are read |
//! | `pgn_tokens` | the tokens of a PGN text |
//! | [`pgn_writer`] | writing PGN |
//! | [`xqf`], [`xqf_writer`] | reading and writing XQF |
//! | `text_input` | a file of unknown encoding as lines |
//! | [`encoding`] | guessing the encoding of a text |
//! | [`utf16_reader`] | a text in UTF-16 as UTF-8 |
//! | [`visible`] | texts from outside without characters that command a terminal |

pub mod encoding;
pub mod file;
pub mod pgn;
pub mod pgn_lines;
mod pgn_tokens;
pub mod pgn_writer;
pub mod record;
pub mod setup;
pub mod stream;
mod text_input;
pub mod utf16_reader;
pub mod visible;
pub mod xqf;
pub mod xqf_writer;
