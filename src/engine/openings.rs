//! The opening books that are open, and the move they give.

use super::options::{BookChoice, Options};
use crate::book::BookMove;
use crate::book::dat::{BookError, Dat};
use crate::position::Position;
use crate::types::{Color, Move};
use rand::{Rng, RngExt};
use std::path::PathBuf;
use thiserror::Error;

/// A file among the books that is none; the others are open all the same.
#[derive(Debug, Error)]
#[error("{path}: {why}; it is passed over")]
pub struct BadBook {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: BookError,
}

/// What the books answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookAnswer {
    /// All that they know here, the most played first.
    pub known: Vec<BookMove>,
    /// The move to play.
    pub best: Move,
    /// The reply expected.
    pub ponder: Option<Move>,
}

/// The books that are open, in order.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    books: Vec<Dat>,
}

impl Openings {
    /// Opens the files of a list in which `;` stands between them. Returns what is wrong with those that cannot be.
    pub fn open(list: &str) -> (Openings, Vec<BadBook>) {
        let (mut openings, mut bad) = (Openings::default(), Vec::new());
        for path in list.split(';').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from) {
            match Dat::open(&path) {
                Ok(book) => openings.books.push(book),
                Err(why) => bad.push(BadBook { path, why }),
            }
        }
        (openings, bad)
    }

    /// What the first book knows that knows something of `position`.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        self.books.iter().map(|book| book.find(position)).find(|moves| !moves.is_empty()).unwrap_or_default()
    }

    /// The move to play in `position`, if the options let a book choose it: none of `banned`, and none that loses by a
    /// repetition.
    pub fn answer(
        &self,
        position: &Position,
        options: &Options,
        banned: &[Move],
        chance: &mut impl Rng,
    ) -> Option<BookAnswer> {
        if !options.use_book || plies_played(position) >= options.book_depth {
            return None;
        }
        let mut known = self.moves(position);
        known.retain(|found| !options.rules.forbids(position, found.mv) && !banned.contains(&found.mv));
        let best = choose(&known, options.book_choice, chance)?;
        let mut after = position.clone();
        after.make(best, &mut ());
        let reply = self.moves(&after).into_iter().find(|found| !options.rules.forbids(&after, found.mv));
        Some(BookAnswer { known, best, ponder: reply.map(|found| found.mv) })
    }
}

/// Plies from the beginning of the game, as the FEN it was set up with counts them.
fn plies_played(position: &Position) -> u32 {
    (position.move_number().max(1) - 1).saturating_mul(2) + (position.side() == Color::Black) as u32
}

/// One of the moves, which are ordered by weight.
fn choose(moves: &[BookMove], choice: BookChoice, chance: &mut impl Rng) -> Option<Move> {
    let most = moves.first()?.weight;
    let share = |found: &BookMove| match choice {
        BookChoice::Weighted => u64::from(found.weight),
        BookChoice::Best => (found.weight == most) as u64,
    };
    let mut left = chance.random_range(0..moves.iter().map(share).sum());
    moves.iter().find_map(|found| match left.checked_sub(share(found)) {
        Some(rest) => {
            left = rest;
            None
        }
        None => Some(found.mv),
    })
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
        let mut chance = SmallRng::seed_from_u64(7);
        let mut count = |choice| {
            let mut counts = HashMap::new();
            for _ in 0..15_100 {
                *counts.entry(choose(&moves, choice, &mut chance).unwrap().to_string()).or_insert(0) += 1;
            }
            ["h2e2", "b2e2", "g3g4", "a0a1"].map(|mv| counts.get(mv).copied().unwrap_or(0))
        };
        let [one, other, third, last] = count(BookChoice::Weighted);
        assert!((5_700..6_300).contains(&one) && (5_700..6_300).contains(&other));
        assert!((2_800..3_200).contains(&third) && (60..150).contains(&last));
        let [one, other, third, last] = count(BookChoice::Best);
        assert!((7_200..7_900).contains(&one) && other == 15_100 - one);
        assert_eq!((third, last), (0, 0));
        assert_eq!(choose(&[], BookChoice::Best, &mut chance), None);
    }

    #[test]
    fn plies_are_counted_from_the_beginning_of_the_game() {
        let plies = |fen: &str| plies_played(&Position::from_fen(fen).unwrap());
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1"), 0);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 7"), 13);
        let mut position = Position::start();
        ["h2e2", "h9g7", "h0g2"].iter().for_each(|mv| position.make(mv.parse().unwrap(), &mut ()));
        assert_eq!(plies_played(&position), 3);
    }
}
