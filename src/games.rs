//! Games as people and clients write them (L3): a game is a tree of moves with comments and tags, read from and written into
//! the usual formats, in any usual encoding.
//!
//! | module | content |
//! |---|---|
//! | [`record`] | a game read from a file; [`error`]: what can be wrong with it |
//! | [`tree`] | the moves of a game: a main line and variations |
//! | [`setup`] | a first position and moves, as clients and people write them |
//! | [`stream`] | the games of a file or pipe in any format, read one after the other |
//! | `text` | PGN, WXF files and lists of moves, line by line; `lexer`: their tokens, `headers`: lines about a game, `resolve`: their moves |
//! | [`xqf`], [`cbridge`], `cbf`, [`dhtmlxq`] | the formats of XQStudio, 象棋桥 and 东萍 |
//! | [`write`](mod@write) | writing any format; [`pgn_writer`], [`xqf_writer`]; [`loss`]: what a format does not hold |
//! | `open` | a file of unknown format and encoding as lines |
//! | [`encoding`], `utf16_reader` | guessing the encoding of a text |
//! | `turn` | which side has the first move |
//! | `markup` | HTML in texts |
//! | [`visible`] | texts from outside without characters that command a terminal |
//!
//! To add a format:
//! 1. a file for it here, with a reader that gives a [`GameRecord`], and for writing a function beside it,
//! 2. how it is recognised: the first bytes in `open.rs` (`Opened`), or the first line of a text in `stream.rs` (`Form`),
//! 3. for writing, a [`write::Format`] with the end of the file's name; what it cannot hold is a [`loss`],
//! 4. a row in `docs/files.md`, a sample in `tests/data/formats`, a fuzz target, and the trees of `tests/properties/record.rs`.

mod cbf;
#[doc(hidden)]
pub mod cbridge;
#[doc(hidden)]
pub mod dhtmlxq;
#[doc(hidden)]
pub mod encoding;
pub mod error;
mod headers;
mod lexer;
#[doc(hidden)]
pub mod loss;
mod markup;
mod open;
#[doc(hidden)]
pub mod pgn_writer;
pub mod record;
mod resolve;
#[doc(hidden)]
pub mod setup;
pub mod stream;
mod text;
pub mod tree;
mod turn;
mod utf16_reader;
#[doc(hidden)]
pub(crate) mod visible;
pub mod write;
#[doc(hidden)]
pub mod xqf;
pub(crate) mod xqf_writer;

pub use error::ReadError;
pub use record::{GameRecord, GameResult};
pub use stream::{GameStream, games};
