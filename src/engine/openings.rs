//! The opening books that are open, the cloud book, and the move they give.

use super::options::{BookChoice, Options};
use crate::book::BookMove;
use crate::book::cloud::answer::{BEST_RANK, Known};
use crate::book::cloud::{Cloud, CloudError};
use crate::book::dat::{BookError, OpeningBook};
use crate::position::{Position, Variant};
use crate::types::{Color, Move};
use rand::{Rng, RngExt};
use std::cmp::Reverse;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// A shorter wait is not worth asking the cloud book.
const LEAST_PATIENCE: Duration = Duration::from_millis(50);
/// What a position must be worth to the side to move, in the cloud's points, for the cloud to choose the move. It is
/// the bound below which the database gives no best move itself: in trouble a search finds more than old ones did.
const CLOUD_LEAST: i32 = -50;

/// A file among the books that is none; the others are open all the same.
#[derive(Debug, Error)]
#[error("{path}: {why}; it is passed over")]
pub struct BadBook {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: BookError,
}

/// Who knew a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A book, with weights.
    Book,
    /// The cloud book, with scores.
    Cloud,
}

/// A move that a book would play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The move.
    pub mv: Move,
    /// Its weight in a book, or its score in the cloud book.
    pub worth: i32,
}

/// What the books answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookAnswer {
    /// Who knew them.
    pub source: Source,
    /// All that they know here, the best first.
    pub known: Vec<Suggestion>,
    /// The move to play.
    pub best: Move,
    /// The reply expected.
    pub ponder: Option<Move>,
}

/// The books that are open, in order.
#[derive(Clone, Debug)]
pub struct Openings {
    books: Vec<OpeningBook>,
    /// The client of the cloud book, once it was asked.
    cloud: Option<Cloud>,
}

impl Default for Openings {
    /// The built-in book.
    fn default() -> Openings {
        Openings { books: vec![OpeningBook::built_in()], cloud: None }
    }
}

impl Openings {
    /// Opens the files of a list in which `;` stands between them, in place of the books open now; a list that names none
    /// is the built-in book. Returns what is wrong with those that cannot be opened; they leave nothing in their place.
    pub fn open(&mut self, list: &str) -> Vec<BadBook> {
        let (mut books, mut bad) = (Vec::new(), Vec::new());
        for path in list.split(';').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from) {
            match OpeningBook::open(&path) {
                Ok(book) => books.push(book),
                Err(why) => bad.push(BadBook { path, why }),
            }
        }
        self.books = if books.is_empty() && bad.is_empty() { vec![OpeningBook::built_in()] } else { books };
        bad
    }

    /// What the first book knows that knows something of `position`.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        self.books.iter().map(|book| book.find(position)).find(|moves| !moves.is_empty()).unwrap_or_default()
    }

    /// Whether the options let a book choose the move of `position`.
    pub fn may_choose(position: &Position, options: &Options) -> bool {
        options.use_book && plies_played(position) < options.book_depth
    }

    /// The move to play in `position`: none of `banned`, and none that loses by a repetition.
    pub fn answer(
        &self,
        position: &Position,
        options: &Options,
        banned: &[Move],
        rng: &mut impl Rng,
    ) -> Option<BookAnswer> {
        let mut known = self.moves(position);
        known.retain(|found| !options.rules.loses_by_repetition(position, found.mv) && !banned.contains(&found.mv));
        let best = choose(&known, options.book_choice, rng)?;
        let known = known.iter().map(|found| Suggestion { mv: found.mv, worth: found.weight.into() }).collect();
        Some(BookAnswer { source: Source::Book, known, best, ponder: self.reply(position, best, options) })
    }

    /// As [`Openings::answer`], from the cloud book, within `patience` and not once `give_up` says so.
    ///
    /// # Errors
    /// When the cloud book was asked in vain.
    pub fn cloud_answer(
        &mut self,
        position: &Position,
        options: &Options,
        banned: &[Move],
        patience: Duration,
        give_up: &dyn Fn() -> bool,
        rng: &mut impl Rng,
    ) -> Result<Option<BookAnswer>, CloudError> {
        let patience = patience.min(options.cloud_timeout);
        // It knows nothing of other games.
        if !options.cloud_book || options.variant != Variant::Standard || patience < LEAST_PATIENCE {
            return Ok(None);
        }
        let cloud = self.cloud.get_or_insert_with(|| Cloud::new(&options.cloud_address));
        let mut known = cloud.ask(position, banned, patience, give_up)?;
        known.retain(|found| !options.rules.loses_by_repetition(position, found.mv));
        known.sort_by_key(|found| Reverse(found.score));
        let Some(best) = choose_known(&known, options.book_choice, rng) else { return Ok(None) };
        let known = known.iter().map(|found| Suggestion { mv: found.mv, worth: found.score }).collect();
        let ponder = self.reply(position, best, options);
        Ok(Some(BookAnswer { source: Source::Cloud, known, best, ponder }))
    }

    /// The books' first reply to a move.
    fn reply(&self, position: &Position, mv: Move, options: &Options) -> Option<Move> {
        let mut after = position.clone();
        after.make(mv, &mut ());
        let reply = self.moves(&after).into_iter().find(|found| !options.rules.loses_by_repetition(&after, found.mv));
        reply.map(|found| found.mv)
    }

    /// A new game: see [`Cloud::forgive`].
    pub fn next_game(&mut self) {
        self.cloud.iter_mut().for_each(Cloud::forgive);
    }

    /// Forgets the server of the cloud book, for another.
    pub fn leave_cloud(&mut self) {
        self.cloud = None;
    }
}

/// Plies from the beginning of the game, as the FEN it was set up with counts them.
fn plies_played(position: &Position) -> u32 {
    (position.move_number() - 1).saturating_mul(2).saturating_add((position.side() == Color::Black) as u32)
}

/// One of the moves, which are ordered by weight.
fn choose(moves: &[BookMove], choice: BookChoice, rng: &mut impl Rng) -> Option<Move> {
    let most = moves.first()?.weight;
    let share = |found: &BookMove| match choice {
        BookChoice::Weighted => u64::from(found.weight),
        BookChoice::Best => (found.weight == most) as u64,
    };
    let mut left = rng.random_range(0..moves.iter().map(share).sum());
    moves.iter().find_map(|found| match left.checked_sub(share(found)) {
        Some(rest) => {
            left = rest;
            None
        }
        None => Some(found.mv),
    })
}

/// One of the cloud's moves, which are ordered by score: one of those it counts among the best, or one of the best
/// score. None where none is worth playing unseen.
fn choose_known(known: &[Known], choice: BookChoice, rng: &mut impl Rng) -> Option<Move> {
    let most = known.first().map(|first| first.score).filter(|&score| score >= CLOUD_LEAST)?;
    let best: Vec<&Known> = known
        .iter()
        .filter(|found| match choice {
            BookChoice::Weighted => found.rank == BEST_RANK && found.score >= CLOUD_LEAST,
            BookChoice::Best => found.score == most,
        })
        .collect();
    (!best.is_empty()).then(|| best[rng.random_range(0..best.len())].mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use std::collections::HashMap;

    fn moves(entries: &[(&str, u16)]) -> Vec<BookMove> {
        entries.iter().map(|&(mv, weight)| BookMove { mv: mv.parse().unwrap(), weight }).collect()
    }

    #[test]
    fn moves_are_chosen_by_weight_or_the_best_only() {
        let moves = moves(&[("h2e2", 60), ("b2e2", 60), ("g3g4", 30), ("a0a1", 1)]);
        let mut rng = SmallRng::seed_from_u64(7);
        let mut count = |choice| {
            let mut counts = HashMap::new();
            for _ in 0..15_100 {
                *counts.entry(choose(&moves, choice, &mut rng).unwrap().to_string()).or_insert(0) += 1;
            }
            ["h2e2", "b2e2", "g3g4", "a0a1"].map(|mv| counts.get(mv).copied().unwrap_or(0))
        };
        let [one, other, third, last] = count(BookChoice::Weighted);
        assert!((5_700..6_300).contains(&one) && (5_700..6_300).contains(&other));
        assert!((2_800..3_200).contains(&third) && (60..150).contains(&last));
        let [one, other, third, last] = count(BookChoice::Best);
        assert!((7_200..7_900).contains(&one) && other == 15_100 - one);
        assert_eq!((third, last), (0, 0));
        assert_eq!(choose(&[], BookChoice::Best, &mut rng), None);
    }

    #[test]
    fn the_clouds_best_moves_are_chosen_if_any_is_good() {
        let known = |entries: &[(&str, i32, u8)]| -> Vec<Known> {
            entries.iter().map(|&(mv, score, rank)| Known { mv: mv.parse().unwrap(), score, rank }).collect()
        };
        let mut rng = SmallRng::seed_from_u64(7);
        let mut chosen = |known: &[Known], choice| -> Vec<String> {
            let moves = (0..100).filter_map(|_| choose_known(known, choice, &mut rng));
            let mut moves: Vec<String> = moves.map(|mv| mv.to_string()).collect();
            moves.sort();
            moves.dedup();
            moves
        };
        let opening = known(&[("h2e2", 3, 2), ("b2e2", 3, 2), ("g3g4", 2, 2), ("c3c4", 1, 1), ("a0a1", -8, 0)]);
        assert_eq!(chosen(&opening, BookChoice::Weighted), ["b2e2", "g3g4", "h2e2"]);
        assert_eq!(chosen(&opening, BookChoice::Best), ["b2e2", "h2e2"]);
        assert_eq!(chosen(&opening[3..], BookChoice::Weighted), [""; 0], "what it counts among the best is banned");
        let trouble = known(&[("h2e2", CLOUD_LEAST, 2), ("b2e2", CLOUD_LEAST - 1, 2)]);
        assert_eq!(chosen(&trouble, BookChoice::Weighted), ["h2e2"]);
        assert_eq!(chosen(&trouble[1..], BookChoice::Best), [""; 0]);
        assert_eq!(chosen(&[], BookChoice::Best), [""; 0]);
    }

    #[test]
    fn plies_are_counted_from_the_beginning_of_the_game() {
        let plies = |fen: &str| plies_played(&Position::from_fen(fen).unwrap());
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1"), 0);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 7"), 13);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 0"), 0);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 4294967295"), u32::MAX);
        let mut position = Position::start();
        ["h2e2", "h9g7", "h0g2"].iter().for_each(|mv| position.make(mv.parse().unwrap(), &mut ()));
        assert_eq!(plies_played(&position), 3);
    }
}
