//! Where the games of a match begin.

use super::player::Player;
use super::random_opening::{OPENING_NODES, opening};
use crate::book::dat::{BookError, OpeningBook};
use crate::games::error::MAX_PLIES;
use crate::games::record::Note;
use crate::games::stream::{self, GameStream};
use crate::games::{GameRecord, ReadError};
use crate::position::{Position, Replay, Variant};
use crate::rng::seeded_rng;
use crate::search::settings::SearchSettings;
use crate::types::Move;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::io;
use thiserror::Error;

/// The opening of a game.
#[derive(Clone)]
pub(crate) struct SuiteOpening {
    /// Where the game begins.
    pub start: Position,
    /// The moves that are played from there.
    pub moves: Vec<Move>,
}

/// The openings of a match, by their number.
pub(crate) enum OpeningSuite {
    /// These, in this order and again from the first.
    List(Vec<SuiteOpening>),
    /// Moves of a book, at random by their weights.
    Book {
        /// The book.
        book: Box<OpeningBook>,
        /// Moves taken from it, at most.
        plies: usize,
        /// Seed of the random numbers.
        seed: u64,
    },
    /// Level positions after random moves.
    Random {
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// Why a list of openings cannot be used.
#[derive(Debug, Error)]
pub(crate) enum OpeningSuiteError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// An opening (from 1) is neither a position nor a game, or a move of it is invalid.
    #[error("opening {0}: {1}")]
    Game(usize, ReadError),
    /// There is no opening.
    #[error("no opening")]
    Empty,
}

/// How a file of openings is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuiteSettings {
    /// Moves taken of a game or a book, at most.
    pub plies: usize,
    /// Whether the order is random.
    pub is_shuffled: bool,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The number of the first opening in that order, from 0.
    pub first: usize,
}

impl SuiteSettings {
    /// The whole file, in its order.
    pub(crate) const ALL: SuiteSettings = SuiteSettings { plies: MAX_PLIES, is_shuffled: false, seed: 0, first: 0 };
}

impl OpeningSuite {
    /// The start position.
    pub(crate) fn start_position() -> OpeningSuite {
        OpeningSuite::List(vec![SuiteOpening { start: Position::start(), moves: Vec::new() }])
    }

    /// One opening of each kind that has a name, from the encyclopedia ([`crate::book::ecco`]).
    ///
    /// # Errors
    /// None: a test reads them.
    pub(crate) fn named(settings: &SuiteSettings) -> Result<OpeningSuite, OpeningSuiteError> {
        OpeningSuite::list(crate::games::games(include_str!("../book/openings.txt")).map(Ok), settings)
    }

    /// The positions of a list, one a line: FEN, EPD (its operations are passed over), or a position with moves. Blank lines
    /// are passed over, and what follows a `#`.
    ///
    /// # Errors
    /// The first line that is no position, and an empty list.
    pub(crate) fn positions(text: &str, settings: &SuiteSettings) -> Result<OpeningSuite, OpeningSuiteError> {
        let read = |line: &str| Ok(stream::read_line(line, Variant::Standard).map_err(ReadError::from));
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        OpeningSuite::list(lines.filter(|line| !line.trim().is_empty()).map(read), settings)
    }

    /// The games of a file, in any format. `note` gets what of one was read otherwise than it is written, with its number
    /// from 1.
    ///
    /// # Errors
    /// The first game with an error, and a file without games.
    pub(crate) fn games(
        input: impl io::BufRead,
        settings: &SuiteSettings,
        note: &mut dyn FnMut(usize, Note),
    ) -> Result<OpeningSuite, OpeningSuiteError> {
        let games = (1..).zip(GameStream::new(input, Variant::Standard)).map(|(number, game)| {
            let game = game?.game;
            if let Ok(GameRecord { note: Some(said), .. }) = game {
                note(number, said);
            }
            Ok(game)
        });
        OpeningSuite::list(games, settings)
    }

    fn list(
        games: impl Iterator<Item = io::Result<Result<GameRecord, ReadError>>>,
        settings: &SuiteSettings,
    ) -> Result<OpeningSuite, OpeningSuiteError> {
        let mut list = Vec::new();
        for (number, game) in (1..).zip(games) {
            let game = game?.and_then(GameRecord::whole);
            let game = game.map_err(|error| OpeningSuiteError::Game(number, error))?;
            let mut moves = game.moves();
            moves.truncate(settings.plies);
            list.push(SuiteOpening { start: game.start, moves });
        }
        if list.is_empty() {
            return Err(OpeningSuiteError::Empty);
        }
        if settings.is_shuffled {
            list.shuffle(&mut seeded_rng(settings.seed, u64::MAX));
        }
        let first = settings.first % list.len();
        list.rotate_left(first);
        Ok(OpeningSuite::List(list))
    }

    /// The opening with this number, from 0.
    pub(crate) fn opening(&self, number: usize) -> SuiteOpening {
        match self {
            OpeningSuite::List(list) => list[number % list.len()].clone(),
            OpeningSuite::Book { book, plies, seed } => {
                let mut rng = seeded_rng(*seed, number as u64);
                let (mut position, mut moves) = (Position::start(), Vec::new());
                while moves.len() < *plies {
                    let known = book.find(&position);
                    let sum: u32 = known.iter().map(|found| u32::from(found.weight)).sum();
                    let mut left = if sum == 0 { break } else { rng.random_range(0..sum) };
                    let chosen = known.iter().find(|found| {
                        let weight = u32::from(found.weight);
                        let is_here = left < weight;
                        left = left.saturating_sub(weight);
                        is_here
                    });
                    let Some(chosen) = chosen else { break };
                    position.make(chosen.mv);
                    moves.push(chosen.mv);
                }
                SuiteOpening { start: Position::start(), moves }
            }
            OpeningSuite::Random { seed } => SuiteOpening::random(&mut seeded_rng(*seed, number as u64)),
        }
    }
}

impl SuiteOpening {
    /// A random level position. The random moves that led to it are no part of the game.
    pub(crate) fn random(rng: &mut StdRng) -> SuiteOpening {
        let start = opening(rng, &mut Player::scorer(&SearchSettings::default(), OPENING_NODES));
        let start = Position::from_fen(&start.to_fen()).expect("invariant: a position has a FEN");
        SuiteOpening { start, moves: Vec::new() }
    }

    /// The position after the moves.
    pub(crate) fn position(&self) -> Position {
        let last = Replay::new(self.start.clone(), self.moves.clone()).last();
        last.map_or_else(|| self.start.clone(), |(position, _)| position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: SuiteSettings = SuiteSettings { plies: 3, is_shuffled: false, seed: 1, first: 0 };

    fn fen(suite: &OpeningSuite, number: usize) -> String {
        suite.opening(number).position().to_fen()
    }

    #[test]
    fn lists_have_fen_and_epd_and_moves() {
        let fen_line = "3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7";
        let epd = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - id \"x\"; bm e1e2;";
        let text = format!("# c\n{fen_line}  # h2e2 | +3\n\n{epd}\nstartpos moves h2e2 h9g7 h0g2 i9h9\n");
        let suite = OpeningSuite::positions(&text, &SETTINGS).unwrap();
        assert_eq!(fen(&suite, 0), fen_line);
        assert_eq!(fen(&suite, 1), "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
        assert_eq!(suite.opening(2).moves.len(), 3);
        assert_eq!(fen(&suite, 3), fen_line, "again from the first");
        let from_second = OpeningSuite::positions(&text, &SuiteSettings { first: 1, ..SETTINGS }).unwrap();
        assert_eq!(fen(&from_second, 0), fen(&suite, 1));
        for bad in ["", "# x", "rubbish", "startpos moves h2e2 h2e2", "9/9 w"] {
            assert!(OpeningSuite::positions(bad, &SETTINGS).is_err(), "{bad}");
        }
    }

    #[test]
    fn openings_of_the_benches_can_be_read() {
        let suite = OpeningSuite::positions(include_str!("../../benches/openings.txt"), &SETTINGS);
        assert!(matches!(suite, Ok(OpeningSuite::List(list)) if list.len() == 2_000));
    }

    #[test]
    fn games_and_names_and_books_give_moves() {
        let pgn = "[Red \"a\"]\n1. C2.5 H8+7 2. H2+3 R9.8 *\n\n[Red \"b\"]\n1. b2e2 *\n";
        let suite = OpeningSuite::games(pgn.as_bytes(), &SETTINGS, &mut |_, _| ()).unwrap();
        let moves = |suite: &OpeningSuite, number| suite.opening(number).moves;
        assert_eq!((moves(&suite, 0).len(), moves(&suite, 1).len()), (3, 1));
        let named = OpeningSuite::named(&SuiteSettings { plies: 8, ..SETTINGS }).unwrap();
        assert!(matches!(&named, OpeningSuite::List(list) if list.len() == 156 && list[7].moves.len() == 8));
        let book = |seed| OpeningSuite::Book { book: Box::new(OpeningBook::built_in()), plies: 6, seed };
        let lines: Vec<_> = (0..20).map(|number| moves(&book(1), number)).collect();
        // Some lines of the book are shorter.
        assert!(lines.iter().map(Vec::len).max() == Some(6) && lines.iter().any(|line| *line != lines[0]));
        assert!(lines[3] == moves(&book(1), 3) && (0..20).any(|number| moves(&book(2), number) != lines[number]));
        let shuffled = |seed| {
            let suite = OpeningSuite::named(&SuiteSettings { is_shuffled: true, seed, ..SETTINGS }).unwrap();
            (0..5).map(|number| moves(&suite, number)).collect::<Vec<_>>()
        };
        assert!(shuffled(1) == shuffled(1) && shuffled(1) != shuffled(2));
        let random = OpeningSuite::Random { seed: 1 };
        assert!(fen(&random, 0) == fen(&random, 0) && fen(&random, 0) != fen(&random, 1));
    }
}
