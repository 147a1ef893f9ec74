//! A game as others recorded it.

use super::NotationError;
use crate::position::{FenError, Position};
use crate::types::{Color, Move};
use thiserror::Error;

/// A game, as far as it could be read.
#[derive(Clone)]
pub struct GameRecord {
    /// Where it starts.
    pub start: Position,
    /// Its moves; every one is legal where it stands.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
    /// What stopped the reading.
    pub error: Option<RecordError>,
}

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Won(Color),
    /// Nobody did.
    Drawn,
    /// The record does not say.
    Unknown,
}

impl GameResult {
    /// Reads a result as PGN writes it; `None` if the text is none.
    pub fn read(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::Won(Color::Red),
            "0-1" => GameResult::Won(Color::Black),
            "1/2-1/2" => GameResult::Drawn,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }
}

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{location}: {why}")]
pub struct RecordError {
    /// The place in the file.
    pub location: Location,
    /// What is wrong.
    pub why: RecordErrorKind,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Location {
    /// A line of a text, from 1.
    #[error("line {0}")]
    Line(usize),
    /// A byte, from 0.
    #[error("byte {0}")]
    Byte(usize),
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordErrorKind {
    /// A move cannot be made.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// The start cannot be set up.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It ends too early.
    #[error("the file ends too early")]
    Short,
    /// It begins otherwise than such files do.
    #[error("not an XQF file")]
    Magic,
    /// A comment, a variation or a tag has no end.
    #[error("{0:?} has no end")]
    Open(char),
}
