//! A game read from a file.

use crate::notation::NotationError;
use crate::position::{FenError, Position, SetupError};
use crate::types::{Color, Move};
use thiserror::Error;

/// Greatest number of plies of a game in a file, far beyond any that the rules of a tournament allow.
pub const MAX_PLIES: usize = 5_000;
/// Greatest number of tags and comments of a game in a file.
pub const MAX_TEXTS: usize = 20_000;

/// A game, up to its end or to the first error.
#[derive(Clone)]
pub struct GameRecord {
    /// The start position.
    pub start: Position,
    /// The moves; all are legal.
    pub moves: Vec<Move>,
    /// The result.
    pub result: GameResult,
    /// The tags and comments.
    pub texts: RecordTexts,
    /// The first error; nothing after it was read.
    pub error: Option<RecordError>,
}

/// The texts of a recorded game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTexts {
    /// Names and values of the tags that are not empty, in the order of the file. Those of XQF have the names of PGN.
    pub tags: Vec<(String, String)>,
    /// Comments that are not empty, each after this number of moves.
    pub comments: Vec<(usize, String)>,
}

impl RecordTexts {
    /// The value of a tag; its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The comments after this number of moves, in lines; `None` without one.
    pub fn comment(&self, moves: usize) -> Option<String> {
        let lines: Vec<&str> =
            self.comments.iter().filter(|&&(after, _)| after == moves).map(|(_, text)| text.as_str()).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// The result of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Won(Color),
    /// Draw.
    Drawn,
    /// The record does not say.
    Unknown,
}

impl GameResult {
    /// Reads a result in PGN notation; `None` for any other text.
    pub fn read(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::Won(Color::Red),
            "0-1" => GameResult::Won(Color::Black),
            "1/2-1/2" => GameResult::Drawn,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// The result in PGN notation.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::Won(Color::Red) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

/// An error in a game record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{location}: {kind}")]
pub struct RecordError {
    /// Where it is.
    pub location: Location,
    /// What it is.
    pub kind: RecordErrorKind,
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

/// Why a game record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordErrorKind {
    /// A move cannot be read or is illegal.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// The FEN of the start position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The pieces of the start position cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The file is truncated.
    #[error("unexpected end of file")]
    UnexpectedEnd,
    /// The magic bytes of XQF are missing.
    #[error("not an XQF file")]
    NotXqf,
    /// The game has more than [`MAX_PLIES`].
    #[error("more than 5000 moves")]
    TooManyMoves,
    /// The game has more than [`MAX_TEXTS`].
    #[error("more than 20000 tags and comments")]
    TooManyTexts,
    /// The closing bracket of a comment, variation or tag is missing; the opening one.
    #[error("{0:?} is not closed")]
    Unclosed(char),
}
