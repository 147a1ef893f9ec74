//! Why a game in a file cannot be read.

use super::setup::GameSetupError;
use crate::notation::NotationError;
use crate::position::{FenError, SetupError};
use crate::types::Color;
use std::fmt;
use thiserror::Error;

/// Greatest number of plies of a line of a game in a file, far beyond any that the rules of a tournament allow.
pub const MAX_PLIES: usize = 5_000;

/// Why a game, or the rest of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ReadError {
    /// Where in the file, unless the kind says it.
    pub location: Option<Location>,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// An error in a line, from 1.
    pub fn in_line(line: usize, kind: impl Into<ReadErrorKind>) -> ReadError {
        ReadError { location: Some(Location::Line(line)), kind: kind.into() }
    }

    /// The error, in this line (from 1) unless it says where.
    pub fn or_in_line(self, line: usize) -> ReadError {
        ReadError { location: self.location.or(Some(Location::Line(line))), ..self }
    }

    /// The line, from 1, if the error is in one.
    pub fn line(&self) -> Option<usize> {
        match self.location? {
            Location::Line(line) => Some(line),
            Location::Byte(_) => None,
        }
    }

    /// An error at a byte, from 0.
    pub fn at_byte(byte: usize, kind: impl Into<ReadErrorKind>) -> ReadError {
        ReadError { location: Some(Location::Byte(byte)), kind: kind.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.location {
            Some(location) => write!(out, "{location}: {}", self.kind),
            None => self.kind.fmt(out),
        }
    }
}

impl<K: Into<ReadErrorKind>> From<K> for ReadError {
    fn from(kind: K) -> ReadError {
        ReadError { location: None, kind: kind.into() }
    }
}

/// A location in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Location {
    /// A line, from 1.
    #[error("line {0}")]
    Line(usize),
    /// A byte offset, from 0.
    #[error("byte {0}")]
    Byte(usize),
}

/// What is wrong with a game in a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadErrorKind {
    /// A move cannot be read or is illegal.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A move is the other side's by its characters; the side.
    #[error("{0} is a move of {1}'s, and it is the other side's turn")]
    OutOfTurn(String, Color),
    /// The FEN of the start position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The pieces of the start position cannot be set up.
    #[error(transparent)]
    Pieces(#[from] SetupError),
    /// A position on a line with its moves cannot be set up.
    #[error(transparent)]
    Setup(#[from] GameSetupError),
    /// The file is truncated.
    #[error("unexpected end of file")]
    UnexpectedEnd,
    /// It is not in the format that it was taken for.
    #[error("not {0}")]
    NotFormat(&'static str),
    /// A line of play has more than [`MAX_PLIES`].
    #[error("more than 5000 moves")]
    TooManyMoves,
    /// The closing bracket of a comment, variation or tag is missing; the opening one.
    #[error("{0:?} is not closed")]
    Unclosed(char),
    /// What stands in square brackets is no tag.
    #[error("{0:?} is no tag with a name and a quoted value")]
    NotATag(String),
    /// A field of DhtmlXQ is opened and not closed, or closed and not opened.
    #[error("the field {0:?} is not closed")]
    UnclosedField(String),
    /// Something follows the end of the moves in a file of one game.
    #[error("more follows the end of the moves")]
    AfterTheEnd,
    /// A library holds fewer games than it says.
    #[error("the library holds {0} of {1} games")]
    MissingGames(usize, usize),
    /// A text begins with neither a FEN nor `startpos`.
    #[error("neither a FEN nor startpos")]
    NoPosition,
    /// A line of a list of positions begins with neither a FEN nor `startpos`.
    #[error("{0:?} is neither a FEN nor startpos")]
    NotAPosition(String),
    /// A line is too long: 1 MiB is the most.
    #[error("longer than 1 MiB")]
    LongLine,
    /// A game is too long: it may take 4 MiB of memory, more than its text if that is brackets.
    #[error("the game record takes more than 4 MiB of memory")]
    LongRecord,
    /// A NUL byte in what is no known format.
    #[error("a NUL byte; neither a text nor a known kind of file")]
    Binary,
    /// A kind of file that is recognised and holds no games, or in a way that is not known.
    #[error("{0}, which is not read as games")]
    Foreign(&'static str),
    /// XML whose first element is another than that of a CBF file.
    #[error("XML with the element {0:?}, which is not read as games")]
    OtherXml(String),
    /// There is neither a position nor a move.
    #[error("neither a position nor a game is in it")]
    Empty,
    /// One game is wanted, and there are several.
    #[error("several games are in it, one is wanted")]
    Several,
}

impl ReadErrorKind {
    /// Whether it is one of a whole file, which holds no games.
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            ReadErrorKind::Foreign(_) | ReadErrorKind::OtherXml(_) | ReadErrorKind::Binary | ReadErrorKind::Empty
        )
    }
}
