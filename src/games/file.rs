//! A game in a file, and why a file is refused.

use super::setup::GameSetup;
use crate::games::record::{GameRecord, GameResult, MAX_PLIES, RecordError, RecordTexts};
use crate::notation::Ranks;
use crate::position::{Position, START_FEN};
use thiserror::Error;

/// A game in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileGame {
    /// Where it is.
    pub place: Place,
    /// The game; of a game record, the moves before its first error.
    pub setup: GameSetup,
    /// The first error of a game record.
    pub error: Option<RecordError>,
    /// The tags and comments of a game record.
    pub texts: RecordTexts,
    /// The result of a game record.
    pub result: GameResult,
}

impl FileGame {
    /// The game of a record.
    pub fn of_record(place: Place, record: GameRecord) -> FileGame {
        let setup = GameSetup::from(&record);
        FileGame { place, setup, error: record.error, texts: record.texts, result: record.result }
    }
}

/// Where a game is in its file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line that holds the whole game.
    Line(usize),
    /// The number of a game record (PGN, XQF, a list of moves).
    Game(usize),
}

/// Why a file, or a line of it, is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFileError {
    /// A text begins with neither a FEN nor `startpos`.
    #[error("neither a FEN nor startpos")]
    NoPosition,
    /// A line of a list of positions begins with neither a FEN nor `startpos`.
    #[error("line {0}: {1:?} is neither a FEN nor startpos")]
    Line(usize, String),
    /// A game on a line has more than 5,000 plies.
    #[error("line {0}: more than 5000 moves")]
    TooManyMoves(usize),
    /// A line is too long: 1 MiB is the most.
    #[error("line {0} is longer than 1 MiB")]
    LongLine(usize),
    /// A game record is too long: 4 MiB is the most.
    #[error("the game record at line {0} is longer than 4 MiB")]
    LongRecord(usize),
    /// A game record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file is neither a text nor XQF: this line has a NUL byte.
    #[error("line {0}: a NUL byte; neither a text nor an XQF file")]
    Binary(usize),
    /// There is neither a position nor a move.
    #[error("neither a position nor a game is in it")]
    Empty,
    /// One game is wanted, and there are several.
    #[error("several games are in it, one is wanted")]
    Several,
}

/// The game on a line of a list of positions.
///
/// # Errors
/// [`GameFileError::Line`] and [`GameFileError::TooManyMoves`].
pub fn read_line(line: &str, number: usize) -> Result<FileGame, GameFileError> {
    match GameSetup::read_loosely(line) {
        Some(setup) if setup.moves.len() > MAX_PLIES => Err(GameFileError::TooManyMoves(number)),
        Some(setup) => {
            let (place, result) = (Place::Line(number), GameResult::Unknown);
            Ok(FileGame { place, setup, error: None, texts: RecordTexts::default(), result })
        }
        None => Err(GameFileError::Line(number, line.chars().take(32).collect())),
    }
}

/// The content of a .FEN file for the position.
pub fn write(position: &Position) -> String {
    position.to_fen() + "\n"
}

impl From<&GameRecord> for GameSetup {
    fn from(record: &GameRecord) -> GameSetup {
        let fen = Some(record.start.to_fen()).filter(|fen| fen != START_FEN);
        let moves = record.moves.iter().map(|mv| mv.to_string()).collect();
        GameSetup { fen, moves, ranks: Some(Ranks::FromZero) }
    }
}
