//! Games as people and clients write them (L3): a game is a tree of moves with comments and tags, read from and written into
//! the usual formats, in any usual encoding.
//!
//! To add a format:
//! 1. a file for it here, with a reader that gives a [`GameRecord`], and for writing a function beside it,
//! 2. how it is recognised: the first bytes in `open.rs` (`Opened`), or the first line of a text in `stream.rs` (`Form`),
//! 3. for writing, a [`write::Format`] with the end of the file's name; what it cannot hold is a [`loss`],
//! 4. a row in `docs/files.md`, a sample in `tests/data/formats`, a fuzz target, and the trees of `tests/properties/record.rs`.

mod cbf;
pub(crate) mod cbridge;
pub(crate) mod dhtmlxq;
pub mod encoding;
pub mod error;
mod headers;
mod lexer;
pub mod loss;
mod markup;
mod open;
pub mod pgn_writer;
pub mod record;
mod resolve;
pub mod setup;
pub mod stream;
mod text;
pub mod tree;
mod turn;
mod utf16_reader;
pub(crate) mod visible;
pub mod write;
pub(crate) mod xqf;
pub(crate) mod xqf_writer;

pub use error::ReadError;
pub use record::{GameRecord, GameResult};
pub use stream::{GameStream, games};
