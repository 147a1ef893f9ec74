//! Files of games: what self-play leaves and what training reads.
//!
//! A file begins with one line of text, `ChuHe games 1: ` and how its games were made. Then follow games, each a record of
//! its own (numbers in little-endian order):
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the outcome for Red: 0 lost, 1 drawn, 2 won |
//! | 1 | length of the next but one |
//! | 2 | number of moves |
//! | … | the position the game starts from, as a FEN |
//! | 4 each | the moves: `from + 256 * to` in the 16×16 frame, and the score of the side to move, in engine units, or −32,768 |
//! | 4 | CRC-32 of all these bytes of the game |
//!
//! That makes about 4.5 bytes a position. The score −32,768 says that the move was played by chance, without a search.
//! Files with one header put together, without the header of the second, are a file; a file whose writing was broken off
//! ends within a record.

use super::outcome::{GameOutcome, outcome_of};
use crate::position::{FenError, Position};
use crate::types::Move;
use std::io::{self, BufRead, Read, Write};
use thiserror::Error;

/// How every file begins.
const MAGIC: &str = "ChuHe games 1: ";
/// Longest header, in bytes.
const LONGEST_HEADER: u64 = 4096;
/// Bytes of a record before the FEN.
const HEAD: usize = 4;
/// Bytes of a move with its score.
const PLY: usize = 4;

/// Stands in a file where there is no score.
const NO_SCORE: i16 = i16::MIN;

/// One move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// What was played.
    pub mv: Move,
    /// What the search found, in engine units, for the side to move; nothing if there was none and the move was played by
    /// chance.
    pub score: Option<i16>,
}

/// A game from beginning to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position it starts from, as a FEN of at most 255 bytes.
    pub start: String,
    /// How it ended.
    pub outcome: GameOutcome,
    /// Its moves, at most 65,535.
    pub plies: Vec<ScoredMove>,
}

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It begins otherwise.
    #[error("not a file of games: it begins with {0:?}")]
    Header(String),
    /// It ends within a game.
    #[error("the file ends within game {0}")]
    Torn(u64),
    /// The sum over a game is wrong.
    #[error("game {0} is damaged: its checksum is wrong")]
    Checksum(u64),
    /// A game whose checksum is right makes no sense.
    #[error("game {0}: {1}")]
    Content(u64, GameError),
}

/// Why a game makes no sense.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The outcome is none of three.
    #[error("{0} is no outcome")]
    GameOutcome(u8),
    /// The start is no text.
    #[error("the start position is no text")]
    Text,
    /// The start is no position.
    #[error("the start position: {0}")]
    Start(#[from] FenError),
    /// Bits that are no move.
    #[error("{0:#06x} is no move")]
    Move(u16),
    /// A move that is not legal, and where it stands.
    #[error("ply {0}, {1}, is not legal")]
    Illegal(usize, Move),
    /// The game was over before its end.
    #[error("the game was over at ply {0}")]
    Over(usize),
    /// The last position has another outcome.
    #[error("the game was recorded as {recorded:?} for Red and is {real:?}")]
    Result {
        /// What the file says.
        recorded: GameOutcome,
        /// What the rules say.
        real: GameOutcome,
    },
}

impl Game {
    /// Appends the game's record to `bytes`.
    ///
    /// # Panics
    /// If the start or the moves are longer than a record can hold.
    pub fn record(&self, bytes: &mut Vec<u8>) {
        let begin = bytes.len();
        let fen_length = u8::try_from(self.start.len()).expect("invariant: a FEN is short");
        let count = u16::try_from(self.plies.len()).expect("invariant: games end");
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

    /// The game in a record without its checksum.
    fn from_record(record: &[u8]) -> Result<Game, GameError> {
        let pair = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let outcome = *GameOutcome::ALL.get(record[0] as usize).ok_or(GameError::GameOutcome(record[0]))?;
        let (start, moves) = record[HEAD..].split_at(record[1] as usize);
        let start = str::from_utf8(start).map_err(|_| GameError::Text)?.to_string();
        let ply = |bytes: &[u8]| -> Result<ScoredMove, GameError> {
            let bits = pair(bytes);
            let mv = Move::from_bits(bits).filter(|mv| mv.from().is_on_board() && mv.to().is_on_board());
            let score = Some(pair(&bytes[2..]) as i16).filter(|&score| score != NO_SCORE);
            Ok(ScoredMove { mv: mv.ok_or(GameError::Move(bits))?, score })
        };
        let plies = moves.chunks_exact(PLY).map(ply).collect::<Result<_, _>>()?;
        Ok(Game { start, outcome, plies })
    }

    /// Plays the game through: calls `visit` with each position and what was played there.
    ///
    /// # Errors
    /// When the start is no position or a move is not legal; what comes before has been visited then.
    pub fn replay(&self, visit: &mut dyn FnMut(&Position, ScoredMove)) -> Result<Position, GameError> {
        let mut position = Position::from_fen(&self.start)?;
        for (number, &ply) in self.plies.iter().enumerate() {
            if !position.is_legal(ply.mv) {
                return Err(GameError::Illegal(number, ply.mv));
            }
            visit(&position, ply);
            position.make(ply.mv, &mut ());
        }
        Ok(position)
    }

    /// Whether the game follows the rules: legal moves, none after its end, and the outcome of its last position if that
    /// has one; a game may have been broken off when nobody doubted it.
    ///
    /// # Errors
    /// What is wrong with it.
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

/// Writes the first line of a file: `description` says how its games are made, in one line.
///
/// # Errors
/// When the system refuses.
pub fn write_header(out: &mut dyn Write, description: &str) -> io::Result<()> {
    writeln!(out, "{MAGIC}{description}")
}

/// Reads a file of games.
pub struct Reader<R> {
    input: R,
    description: String,
    /// Games read so far.
    games: u64,
    /// Bytes of the header and the games read so far.
    bytes: u64,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When it is not that of a file of games.
    pub fn new(mut input: R) -> Result<Reader<R>, GamesError> {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
        let refuse = || GamesError::Header(String::from_utf8_lossy(&line).chars().take(32).collect());
        let text = str::from_utf8(&line).ok().and_then(|text| text.strip_prefix(MAGIC));
        let description = text.and_then(|text| text.strip_suffix('\n')).ok_or_else(refuse)?.to_string();
        Ok(Reader { input, description, games: 0, bytes: line.len() as u64, failed: false })
    }

    /// How the games were made, as the header says.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Bytes up to the end of the last game read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game with its record; `None` at the end.
    fn read(&mut self) -> Result<Option<Game>, GamesError> {
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
        let game = Game::from_record(&record).map_err(|error| GamesError::Content(self.games + 1, error))?;
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
    type Item = Result<Game, GamesError>;

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

    fn game(moves: &str, outcome: GameOutcome) -> Game {
        let ply = |(number, text): (usize, &str)| ScoredMove {
            mv: text.parse().unwrap(),
            score: (number != 1).then_some(7 - 9 * number as i16),
        };
        Game { start: START_FEN.to_string(), outcome, plies: moves.split_whitespace().enumerate().map(ply).collect() }
    }

    fn file(games: &[Game]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&mut bytes, "a test").unwrap();
        games.iter().for_each(|game| game.record(&mut bytes));
        bytes
    }

    fn read(bytes: &[u8]) -> (Vec<Game>, Option<String>) {
        let (good, bad): (Vec<_>, Vec<_>) = Reader::new(bytes).unwrap().partition(Result::is_ok);
        assert!(bad.len() <= 1);
        let error = bad.into_iter().next().map(|error| error.unwrap_err().to_string());
        (good.into_iter().map(Result::unwrap).collect(), error)
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games =
            [game("h2e2 h9g7 h0g2", GameOutcome::Draw), game("", GameOutcome::Loss), game("b2e2", GameOutcome::Win)];
        let bytes = file(&games);
        let mut reader = Reader::new(&bytes[..]).unwrap();
        assert_eq!(reader.description(), "a test");
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), games);
        assert_eq!(reader.bytes(), bytes.len() as u64);
    }

    #[test]
    fn whatever_is_cut_or_changed_is_noticed() {
        let games = [game("h2e2 h9g7", GameOutcome::Draw), game("b2e2", GameOutcome::Win)];
        let bytes = file(&games);
        let (header, second) = (file(&[]).len(), file(&games[..1]).len());
        for cut in header..bytes.len() {
            let (whole, error) = read(&bytes[..cut]);
            let expected = if cut >= second { 1 } else { 0 };
            assert_eq!(whole, games[..expected]);
            let torn = format!("the file ends within game {}", expected + 1);
            assert_eq!(error, (cut != header && cut != second).then_some(torn), "{cut}");
        }
        for place in header..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                let (whole, error) = read(&changed);
                assert!(error.is_some() && whole.len() <= 1, "bit {bit} of byte {place}");
            }
        }
        for cut in 0..header {
            assert!(matches!(Reader::new(&bytes[..cut]), Err(GamesError::Header(_))));
        }
    }

    #[test]
    fn records_of_no_game_are_refused_with_the_reason() {
        let good = game("h2e2 h9g7", GameOutcome::Draw);
        let refused = |change: fn(&mut [u8])| {
            let mut record = Vec::new();
            good.record(&mut record);
            record.truncate(record.len() - 4);
            change(&mut record);
            Game::from_record(&record).unwrap_err()
        };
        assert_eq!(refused(|record| record[0] = 3), GameError::GameOutcome(3));
        assert_eq!(refused(|record| record[HEAD] = 0xff), GameError::Text);
        assert!(matches!(refused(|record| record[HEAD + record[1] as usize] = 0), GameError::Move(_)));
    }

    #[test]
    fn games_against_the_rules_are_found_out() {
        assert_eq!(game("h2e2 h9g7", GameOutcome::Draw).verify(), Ok(()));
        let illegal = game("h2e2 h2e2", GameOutcome::Draw);
        assert_eq!(illegal.verify(), Err(GameError::Illegal(1, illegal.plies[1].mv)));
        let back_and_forth = "a0a1 a9a8 a1a0 a8a9 ".repeat(2);
        assert_eq!(game(&back_and_forth, GameOutcome::Draw).verify(), Ok(()));
        let wrong = GameError::Result { recorded: GameOutcome::Win, real: GameOutcome::Draw };
        assert_eq!(game(&back_and_forth, GameOutcome::Win).verify(), Err(wrong));
        assert_eq!(game(&(back_and_forth + "a0a1"), GameOutcome::Draw).verify(), Err(GameError::Over(8)));
        let nowhere = Game { start: "9/9 w".to_string(), ..illegal };
        assert!(matches!(nowhere.verify(), Err(GameError::Start(_))));
    }
}
