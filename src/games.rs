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
//! | `markup` | HTML in texts |
//! | [`visible`] | texts from outside without characters that command a terminal |

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
mod utf16_reader;
#[doc(hidden)]
pub mod visible;
pub mod write;
#[doc(hidden)]
pub mod xqf;
pub(crate) mod xqf_writer;

pub use error::ReadError;
pub use record::{GameRecord, GameResult};
pub use stream::{GameStream, games};
