//! A game as others recorded it.

use super::NotationError;
use crate::position::{FenError, Position};
use crate::types::{Color, Move};
use thiserror::Error;

/// A game, as far as it could be read.
#[derive(Clone)]
pub struct Record {
    /// Where it starts.
    pub start: Position,
    /// Its moves; every one is legal where it stands.
    pub moves: Vec<Move>,
    /// How it ended.
    pub ending: Ending,
    /// What stopped the reading.
    pub flaw: Option<Flaw>,
}

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side won.
    Won(Color),
    /// Nobody did.
    Drawn,
    /// The record does not say.
    Unknown,
}

impl Ending {
    /// Reads a result as PGN writes it; `None` if the text is none.
    pub fn read(text: &str) -> Option<Ending> {
        Some(match text {
            "1-0" => Ending::Won(Color::Red),
            "0-1" => Ending::Won(Color::Black),
            "1/2-1/2" => Ending::Drawn,
            "*" => Ending::Unknown,
            _ => return None,
        })
    }
}

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {why}")]
pub struct Flaw {
    /// The place in the file.
    pub place: Place,
    /// What is wrong.
    pub why: FlawKind,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Place {
    /// A line of a text, from 1.
    #[error("line {0}")]
    Line(usize),
    /// A byte, from 0.
    #[error("byte {0}")]
    Byte(usize),
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FlawKind {
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
