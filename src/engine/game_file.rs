//! Games in files: .FEN files, lists of positions, PGN, XQF, plain lists of moves, in any usual encoding.

use super::game_setup::GameSetup;
use crate::notation::game_record::{GameRecord, GameResult, RecordError, RecordTexts};
use crate::notation::{Ranks, encoding, pgn, xqf};
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
    /// A line is too long for a stream: 1 MiB is the most.
    #[error("line {0} is longer than 1 MiB")]
    LongLine(usize),
    /// A game record is too long for a stream: 16 MiB is the most.
    #[error("the game record at line {0} is longer than 16 MiB")]
    LongRecord(usize),
    /// A game record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is neither a position nor a move.
    #[error("neither a position nor a game is in it")]
    Empty,
    /// One game is wanted, and there are several.
    #[error("{0} positions are in it, one is wanted")]
    Several(usize),
}

/// The games of a file, with an error in place of each that cannot be read; not empty.
///
/// An XQF file is one game. A text is a list of positions if any line is one: `FEN [moves M…]`, `startpos [moves M…]`,
/// also behind `position`; blank lines and those that begin with `#` are skipped. Any other text is read as PGN, of
/// which `[FEN "…"]` alone and a list of moves are the simplest.
pub fn games(bytes: &[u8]) -> Vec<Result<FileGame, GameFileError>> {
    let record = |(index, record): (usize, GameRecord)| Ok(FileGame::of_record(Place::Game(index + 1), record));
    if xqf::is_xqf(bytes) {
        return vec![xqf::read(bytes).map_err(GameFileError::from).and_then(|game| record((0, game)))];
    }
    let text = encoding::decode(bytes);
    let lines = || text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let lines: Vec<(&str, usize)> = lines().filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).collect();
    if lines.iter().any(|(line, _)| GameSetup::read_loosely(line).is_some()) {
        return lines.iter().map(|&(line, number)| read_line(line, number)).collect();
    }
    let games: Vec<_> = pgn::games(&text).enumerate().map(record).collect();
    match lines.first() {
        _ if !games.is_empty() => games,
        Some(&(line, number)) => vec![Err(GameFileError::Line(number, line.chars().take(32).collect()))],
        None => vec![Err(GameFileError::Empty)],
    }
}

/// The game on a line of a list of positions.
///
/// # Errors
/// [`GameFileError::Line`].
pub fn read_line(line: &str, number: usize) -> Result<FileGame, GameFileError> {
    match GameSetup::read_loosely(line) {
        Some(setup) => {
            let (place, result) = (Place::Line(number), GameResult::Unknown);
            Ok(FileGame { place, setup, error: None, texts: RecordTexts::default(), result })
        }
        None => Err(GameFileError::Line(number, line.chars().take(32).collect())),
    }
}

/// The only game of a file, such as a .FEN file as XQWizard saves it. Lines after the position that are no positions
/// themselves are comments.
///
/// # Errors
/// When there is none, when there are several, and when it has an error.
pub fn game(bytes: &[u8]) -> Result<GameSetup, GameFileError> {
    let games = games(bytes);
    let count = games.iter().flatten().count();
    if count > 1 {
        return Err(GameFileError::Several(count));
    }
    let Some(game) = games.iter().flatten().next() else {
        return Err(games.into_iter().find_map(Result::err).unwrap_or(GameFileError::Empty));
    };
    match &game.error {
        Some(error) => Err(error.clone().into()),
        None => Ok(game.setup.clone()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Variant;

    const FEN: &str = "3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7";

    /// A .FEN file in every form that other programs write.
    #[test]
    fn fen_files_are_read() {
        let utf_16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let files: [Vec<u8>; 12] = [
            FEN.into(),
            format!("{FEN}\n").into(),
            format!("{FEN}\r\n\r\n").into(),
            format!("\u{feff}{FEN}\r\n").into(),
            // 残局 in GBK.
            [FEN.as_bytes(), b"  ;\xb2\xd0\xbe\xd6\r\n"].concat(),
            [FEN.as_bytes(), b"\r\n\xb2\xd0\xbe\xd6\r\n"].concat(),
            utf_16(&format!("\u{feff}{FEN}\r\n")),
            utf_16(&format!("{FEN}\r\n")),
            format!("[FEN \"{FEN}\"]\n").into(),
            format!("position fen {FEN}\n").into(),
            format!("\"{FEN}\"\n").into(),
            format!("# a comment\n\nfen {FEN} moves\n").into(),
        ];
        for file in files {
            let position = game(&file).unwrap().game(Variant::Standard).unwrap();
            assert_eq!(position.to_fen(), FEN, "{}", String::from_utf8_lossy(&file));
        }
        let position = Position::from_fen(FEN).unwrap();
        assert_eq!(game(write(&position).as_bytes()).unwrap().fen.as_deref(), Some(FEN));
    }

    #[test]
    fn games_are_read_from_any_file() {
        let lines = "startpos moves h2e2 h9g7\n# a comment\nposition startpos moves h2e2 h9g7\n";
        let pgn = "[Red \"a\"]\n1. C2.5 H8+7 *\n\n[Red \"b\"]\n1. h2e2 h9g7 1-0\n";
        for (text, places) in [
            (lines, [Place::Line(1), Place::Line(3)]),
            (pgn, [Place::Game(1), Place::Game(2)]),
            (
                "[Red \"a\"]\n1. h2e2 { good for\nred/black alike } h9g7 *\n\n1. h2e2 h9g7 *\n",
                [Place::Game(1), Place::Game(2)],
            ),
            ("h2e2 h9g7 1-0\n炮二平五 馬８進７ *\n", [Place::Game(1), Place::Game(2)]),
        ] {
            let games: Vec<FileGame> = games(text.as_bytes()).into_iter().map(Result::unwrap).collect();
            assert_eq!(games.iter().map(|game| game.place).collect::<Vec<_>>(), places, "{text}");
            for game in games {
                assert!(game.error.is_none());
                let position = game.setup.game(Variant::Standard).unwrap();
                assert_eq!((position.plies(), position.piece_at(crate::types::Square::new(6, 7)).is_some()), (2, true));
            }
            assert_eq!(super::game(text.as_bytes()), Err(GameFileError::Several(2)));
        }
    }

    #[test]
    fn other_files_are_refused_with_the_place() {
        let error = |text: &str| game(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error(""), "neither a position nor a game is in it");
        assert_eq!(error("\n# only a comment\n"), "neither a position nor a game is in it");
        assert_eq!(error("\nsome text\n"), "line 2: \"some text\" is neither a FEN nor startpos");
        assert_eq!(error("h2e2\nh2e2\n"), "line 2: h2e2 is illegal");
        assert!(error("[FEN \"9/9 w\"]\n").starts_with("line 1: "));
        assert!(error("XQ").starts_with("byte 2: "));
        let games = games(format!("{FEN}\nsome text\n{FEN}\n").as_bytes());
        assert!(games[0].is_ok() && games[2].is_ok());
        assert_eq!(games[1], Err(GameFileError::Line(2, "some text".into())));
    }
}
