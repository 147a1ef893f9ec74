//! Files of self-play games with scores, in a compact binary format, for training.
//!
//! A file begins with one line of text, `ChuHe games 1: ` and a description of how the games were made. Then follow the
//! games, a record each (little-endian):
//!
//! | bytes | content |
//! |---|---|
//! | 1 | outcome for Red: 0 loss, 1 draw, 2 win |
//! | 1 | length of the FEN in bytes |
//! | 2 | number of moves |
//! | … | start position as a FEN |
//! | 2 per move | `from + 256 * to` in the 16×16 mailbox |
//! | 2 per move | score for the side to move in engine units, or −32,768 |
//! | 4 | CRC-32 of the record |
//!
//! That is about 4.5 bytes a position. The score −32,768 marks a random move, played without a search. Records can be
//! appended to a file; an interrupted write leaves an incomplete record at its end.

use super::outcome::{GameOutcome, outcome_of};
use crate::position::{FenError, Position};
use crate::types::Move;
use std::io::{self, BufRead, Read, Write};
use thiserror::Error;

/// The beginning of every file.
pub const MAGIC: &str = "ChuHe games 1: ";
/// Greatest length of the header, in bytes.
const MAX_HEADER_BYTES: u64 = 4096;
/// Bytes of a record before the FEN.
const HEAD: usize = 4;
/// Bytes of a move and its score.
const PLY: usize = 4;

/// Marks a move without a score.
const NO_SCORE: i16 = i16::MIN;

/// A move of a game and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move played.
    pub mv: Move,
    /// Score of the search for the side to move, in engine units; `None` for a random move, played without a search.
    pub score: Option<i16>,
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Start position, a FEN of at most 255 bytes.
    pub start: String,
    /// Outcome for Red.
    pub outcome: GameOutcome,
    /// Moves, at most 65,535.
    pub plies: Vec<ScoredMove>,
}

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The header is missing.
    #[error("not a file of games: it begins with {0:?}")]
    Header(String),
    /// The file ends within the record of a game.
    #[error("the file ends within game {0}")]
    Torn(u64),
    /// The checksum of a game is wrong.
    #[error("game {0} is damaged: its checksum is wrong")]
    Checksum(u64),
    /// A game with a correct checksum is not valid.
    #[error("game {0}: {1}")]
    Content(u64, GameError),
}

/// Why a recorded game is not valid.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The outcome is out of range.
    #[error("{0} is not an outcome")]
    Outcome(u8),
    /// The start position is not UTF-8.
    #[error("the start position is not UTF-8")]
    Text,
    /// The start position is not valid.
    #[error("the start position: {0}")]
    Start(#[from] FenError),
    /// Not an encoded move.
    #[error("{0:#06x} is not a move")]
    Move(u16),
    /// An illegal move and its ply.
    #[error("ply {0}, {1}, is not legal")]
    Illegal(usize, Move),
    /// Moves follow the end of the game; the ply at which it was over.
    #[error("the game was over at ply {0}")]
    Over(usize),
    /// The last position has another outcome than was recorded.
    #[error("the game was recorded as {recorded:?} for Red and is {real:?}")]
    Result {
        /// In the file.
        recorded: GameOutcome,
        /// By the rules.
        real: GameOutcome,
    },
}

impl TrainingGame {
    /// Appends the game's record to `bytes`.
    ///
    /// # Panics
    /// If the FEN or the list of moves is too long for a record.
    pub fn record(&self, bytes: &mut Vec<u8>) {
        let begin = bytes.len();
        let fen_length = u8::try_from(self.start.len()).expect("invariant: a FEN is short");
        let count = u16::try_from(self.plies.len()).expect("invariant: the move limit ends games");
        bytes.extend([self.outcome as u8, fen_length]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.start.as_bytes());
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.unwrap_or(NO_SCORE).to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[begin..]);
        bytes.extend(sum.to_le_bytes());
    }

    /// Reads a record without its checksum.
    fn from_record(record: &[u8]) -> Result<TrainingGame, GameError> {
        let pair = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let outcome = *GameOutcome::ALL.get(record[0] as usize).ok_or(GameError::Outcome(record[0]))?;
        let (start, moves) = record[HEAD..].split_at(record[1] as usize);
        let start = str::from_utf8(start).map_err(|_| GameError::Text)?.to_string();
        let ply = |bytes: &[u8]| -> Result<ScoredMove, GameError> {
            let bits = pair(bytes);
            let mv = Move::from_bits(bits).filter(|mv| mv.from().is_on_board() && mv.to().is_on_board());
            let score = Some(pair(&bytes[2..]) as i16).filter(|&score| score != NO_SCORE);
            Ok(ScoredMove { mv: mv.ok_or(GameError::Move(bits))?, score })
        };
        let plies = moves.chunks_exact(PLY).map(ply).collect::<Result<_, _>>()?;
        Ok(TrainingGame { start, outcome, plies })
    }

    /// Replays the game: calls `visit` with each position and the move played there. Returns the last position.
    ///
    /// # Errors
    /// When the start position is not valid or a move is not legal; the positions before have been visited then.
    pub fn replay(&self, visit: &mut dyn FnMut(&Position, ScoredMove)) -> Result<Position, GameError> {
        let mut position = Position::from_fen(&self.start)?;
        for (number, &ply) in self.plies.iter().enumerate() {
            if !position.is_legal(ply.mv) {
                return Err(GameError::Illegal(number, ply.mv));
            }
            visit(&position, ply);
            position.make(ply.mv);
        }
        Ok(position)
    }

    /// Checks that all moves are legal, that none follows the end of the game, and that the outcome is that of the last
    /// position. An adjudicated game has no outcome by the rules.
    ///
    /// # Errors
    /// The first violation.
    pub fn verify(&self) -> Result<(), GameError> {
        let (mut ply, mut over) = (0, None);
        let last = self.replay(&mut |position, _| {
            if over.is_none() && outcome_of(position).is_some() {
                over = Some(ply);
            }
            ply += 1;
        })?;
        if let Some(ply) = over {
            return Err(GameError::Over(ply));
        }
        match outcome_of(&last).filter(|&real| real != self.outcome) {
            Some(real) => Err(GameError::Result { recorded: self.outcome, real }),
            None => Ok(()),
        }
    }
}

/// Writes the header of a file; `description` tells how its games are made, in one line.
///
/// # Errors
/// When writing fails.
pub fn write_header(out: &mut dyn Write, description: &str) -> io::Result<()> {
    out.write_all(header(description).as_bytes())
}

/// The header of a file with this description.
pub fn header(description: &str) -> String {
    format!("{MAGIC}{description}\n")
}

/// Reads a file of games.
pub struct Reader<R> {
    input: R,
    description: String,
    /// Number of games read.
    games: u64,
    /// Bytes of the header and the games read.
    bytes: u64,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When reading fails or the header is not that of a file of games.
    pub fn new(mut input: R) -> Result<Reader<R>, GamesError> {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        let refuse = || GamesError::Header(String::from_utf8_lossy(&line).chars().take(32).collect());
        let text = str::from_utf8(&line).ok().and_then(|text| text.strip_prefix(MAGIC));
        let description = text.and_then(|text| text.strip_suffix('\n')).ok_or_else(refuse)?.to_string();
        Ok(Reader { input, description, games: 0, bytes: line.len() as u64, failed: false })
    }

    /// How the games were made, from the header.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Position in the file after the last game read, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game; `None` at the end of the file.
    fn read(&mut self) -> Result<Option<TrainingGame>, GamesError> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut record = vec![0; HEAD];
        self.fill(&mut record)?;
        let length = record[1] as usize + PLY * u16::from_le_bytes([record[2], record[3]]) as usize;
        record.resize(HEAD + length, 0);
        self.fill(&mut record[HEAD..])?;
        let mut sum = [0; 4];
        self.fill(&mut sum)?;
        if u32::from_le_bytes(sum) != crc32fast::hash(&record) {
            return Err(GamesError::Checksum(self.games + 1));
        }
        let game = TrainingGame::from_record(&record).map_err(|error| GamesError::Content(self.games + 1, error))?;
        self.games += 1;
        self.bytes += (record.len() + sum.len()) as u64;
        Ok(Some(game))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), GamesError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => GamesError::Torn(self.games + 1),
            _ => GamesError::Io(error),
        })
    }
}

/// The games up to the end or the first error.
impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<TrainingGame, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    fn game(moves: &str, outcome: GameOutcome) -> TrainingGame {
        let ply = |(number, text): (usize, &str)| ScoredMove {
            mv: text.parse().unwrap(),
            score: (number != 1).then_some(7 - 9 * number as i16),
        };
        TrainingGame {
            start: START_FEN.to_string(),
            outcome,
            plies: moves.split_whitespace().enumerate().map(ply).collect(),
        }
    }

    fn file(games: &[TrainingGame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&mut bytes, "a test").unwrap();
        games.iter().for_each(|game| game.record(&mut bytes));
        bytes
    }

    fn read(bytes: &[u8]) -> (Vec<TrainingGame>, Option<String>) {
        let (good, bad): (Vec<_>, Vec<_>) = Reader::new(bytes).unwrap().partition(Result::is_ok);
        assert!(bad.len() <= 1);
        let error = bad.into_iter().next().map(|error| error.unwrap_err().to_string());
        (good.into_iter().map(Result::unwrap).collect(), error)
    }

    #[test]
    fn games_round_trip() {
        let games =
            [game("h2e2 h9g7 h0g2", GameOutcome::Draw), game("", GameOutcome::Loss), game("b2e2", GameOutcome::Win)];
        let bytes = file(&games);
        let mut reader = Reader::new(&bytes[..]).unwrap();
        assert_eq!(reader.description(), "a test");
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), games);
        assert_eq!(reader.bytes(), bytes.len() as u64);
    }

    #[test]
    fn truncation_and_damage_are_detected() {
        let games = [game("h2e2 h9g7", GameOutcome::Draw), game("b2e2", GameOutcome::Win)];
        let bytes = file(&games);
        let (header, second) = (file(&[]).len(), file(&games[..1]).len());
        for cut in header..bytes.len() {
            let (complete, error) = read(&bytes[..cut]);
            let expected = if cut >= second { 1 } else { 0 };
            assert_eq!(complete, games[..expected]);
            let torn = format!("the file ends within game {}", expected + 1);
            assert_eq!(error, (cut != header && cut != second).then_some(torn), "{cut}");
        }
        for index in header..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[index] ^= 1 << bit;
                let (complete, error) = read(&changed);
                assert!(error.is_some() && complete.len() <= 1, "bit {bit} of byte {index}");
            }
        }
        for cut in 0..header {
            assert!(matches!(Reader::new(&bytes[..cut]), Err(GamesError::Header(_))));
        }
    }

    #[test]
    fn invalid_records_are_refused_with_the_reason() {
        let good = game("h2e2 h9g7", GameOutcome::Draw);
        let refused = |change: fn(&mut [u8])| {
            let mut record = Vec::new();
            good.record(&mut record);
            record.truncate(record.len() - 4);
            change(&mut record);
            TrainingGame::from_record(&record).unwrap_err()
        };
        assert_eq!(refused(|record| record[0] = 3), GameError::Outcome(3));
        assert_eq!(refused(|record| record[HEAD] = 0xff), GameError::Text);
        assert!(matches!(refused(|record| record[HEAD + record[1] as usize] = 0), GameError::Move(_)));
    }

    #[test]
    fn games_against_the_rules_fail_verification() {
        assert_eq!(game("h2e2 h9g7", GameOutcome::Draw).verify(), Ok(()));
        let illegal = game("h2e2 h2e2", GameOutcome::Draw);
        assert_eq!(illegal.verify(), Err(GameError::Illegal(1, illegal.plies[1].mv)));
        let back_and_forth = "a0a1 a9a8 a1a0 a8a9 ".repeat(2);
        assert_eq!(game(&back_and_forth, GameOutcome::Draw).verify(), Ok(()));
        let mismatch = GameError::Result { recorded: GameOutcome::Win, real: GameOutcome::Draw };
        assert_eq!(game(&back_and_forth, GameOutcome::Win).verify(), Err(mismatch));
        assert_eq!(game(&(back_and_forth + "a0a1"), GameOutcome::Draw).verify(), Err(GameError::Over(8)));
        let invalid_start = TrainingGame { start: "9/9 w".to_string(), ..illegal };
        assert!(matches!(invalid_start.verify(), Err(GameError::Start(_))));
    }
}
