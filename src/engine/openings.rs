//! The opening books in use, and the choice of a book move.

use super::options::{BookChoice, Options};
use crate::book::BookMove;
use crate::book::book_file::BookFile;
use crate::book::dat::BookError;
use crate::cloud::answer::{BEST_RANK, CloudMove, TableResult};
use crate::cloud::client::{Cloud, CloudError};
use crate::cloud::query::is_table_ending;
use crate::files::locate;
use crate::position::{Position, Variant};
use crate::types::{Color, Move};
use rand::{Rng, RngExt};
use std::cmp::Reverse;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// With less time than this the cloud book is not asked.
const MIN_CLOUD_TIME: Duration = Duration::from_millis(50);
/// Minimum score of a move from the cloud book, in the units of the database. The database itself gives no best move
/// below it: in worse positions the engine's own search is more reliable.
const MIN_CLOUD_SCORE: i32 = -50;

/// A book file that cannot be used; the other books are not affected.
#[derive(Debug, Error)]
#[error("{path}: {error}; ignored")]
pub struct BadBook {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: BookError,
}

/// Why there is no move from the books; it is then searched.
#[derive(Debug, Error)]
pub enum NoBookMove {
    /// A book cannot be read any more, and is not used from now on.
    #[error(transparent)]
    Book(#[from] BadBook),
    /// The cloud book could not be queried.
    #[error("cloud book: {0}")]
    Cloud(#[from] CloudError),
}

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A book file; moves have weights.
    Book,
    /// The cloud book; moves have scores.
    Cloud,
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The move.
    pub mv: Move,
    /// Its weight in a book file, or its score in the cloud book.
    pub worth: i32,
}

/// The answer of a book to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookAnswer {
    /// Where the moves come from.
    pub source: Source,
    /// All moves for the position, best first.
    pub known: Vec<Suggestion>,
    /// The move to play.
    pub best: Move,
    /// The expected reply.
    pub ponder: Option<Move>,
}

impl BookAnswer {
    /// The weight or score of the move to play.
    pub fn worth(&self) -> i32 {
        self.known.iter().find(|found| found.mv == self.best).map_or(0, |found| found.worth)
    }
}

/// What the cloud book says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CloudAdvice {
    /// Nothing, or nothing good.
    None,
    /// Play this.
    Play(BookAnswer),
    /// Search, without these moves: the position is a draw by an endgame table, and they lose.
    Avoid(Vec<Move>),
}

/// The books in use.
#[derive(Debug)]
pub struct Openings {
    /// In order of precedence, with their paths; the built-in one has none.
    books: Vec<(PathBuf, BookFile)>,
    /// The client of the cloud book, from the first request on.
    cloud: Option<Cloud>,
}

impl Default for Openings {
    /// The built-in book.
    fn default() -> Openings {
        Openings { books: built_in(), cloud: None }
    }
}

impl Openings {
    /// Replaces the books by the files of `list`, separated by `;`; an empty list is the built-in book. Returns the
    /// files that cannot be used. If none can, there is no book.
    pub fn open(&mut self, list: &str) -> Vec<BadBook> {
        let (mut books, mut bad) = (Vec::new(), Vec::new());
        for path in list.split(';').map(str::trim).filter(|path| !path.is_empty()).map(locate) {
            match BookFile::open(&path) {
                Ok(book) => books.push((path, book)),
                Err(error) => bad.push(BadBook { path, error }),
            }
        }
        self.books = if books.is_empty() && bad.is_empty() { built_in() } else { books };
        bad
    }

    /// The moves of the first book that has `position`.
    ///
    /// # Errors
    /// When a book cannot be read; it is not used any more.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, BadBook> {
        for place in 0..self.books.len() {
            match self.books[place].1.find(position) {
                Ok(moves) if moves.is_empty() => {}
                Ok(moves) => return Ok(moves),
                Err(error) => return Err(BadBook { path: self.books.remove(place).0, error }),
            }
        }
        Ok(Vec::new())
    }

    /// Whether `position` is early enough in the game for a book move.
    pub fn may_choose(position: &Position, options: &Options) -> bool {
        plies_played(position) < options.book_depth
    }

    /// A book move for `position`, without those in `banned` and those that lose by repetition.
    ///
    /// # Errors
    /// Those of [`Openings::moves`].
    pub fn answer(
        &mut self,
        position: &Position,
        options: &Options,
        banned: &[Move],
        rng: &mut impl Rng,
    ) -> Result<Option<BookAnswer>, BadBook> {
        let mut known = self.moves(position)?;
        known.retain(|found| !options.rules.loses_by_repetition(position, found.mv) && !banned.contains(&found.mv));
        let Some(best) = choose(&known, options.book_choice, rng) else { return Ok(None) };
        let known = known.iter().map(|found| Suggestion { mv: found.mv, worth: found.weight.into() }).collect();
        let ponder = self.reply(position, best, options)?;
        Ok(Some(BookAnswer { source: Source::Book, known, best, ponder }))
    }

    /// What the cloud book says of `position`: in an ending that its endgame tables have, by these; otherwise, if
    /// [`Openings::may_choose`], by its scores. Waits for at most `timeout`, and only until `is_cancelled` returns true.
    ///
    /// # Errors
    /// When the request to the cloud book failed, or a book cannot be read.
    pub fn cloud_advice(
        &mut self,
        position: &Position,
        options: &Options,
        banned: &[Move],
        timeout: Duration,
        is_cancelled: &dyn Fn() -> bool,
        rng: &mut impl Rng,
    ) -> Result<CloudAdvice, NoBookMove> {
        let timeout = timeout.min(options.cloud_timeout);
        let is_ending = is_table_ending(position);
        let is_opening = Openings::may_choose(position, options);
        // The database has standard xiangqi only.
        let is_standard = options.variant == Variant::Standard;
        if !options.cloud_book || !is_standard || timeout < MIN_CLOUD_TIME || !is_ending && !is_opening {
            return Ok(CloudAdvice::None);
        }
        let cloud = self.cloud.get_or_insert_with(|| Cloud::new(&options.cloud_address));
        let mut known = cloud.ask(position, banned, timeout, is_cancelled)?;
        known.retain(|found| !options.rules.loses_by_repetition(position, found.mv));
        known.sort_by_key(|found| Reverse(found.score));
        let table_result = known.first().and_then(|best| best.table).map(|table| table.result);
        let best = match table_result {
            Some(TableResult::Win) => known.first().map(|best| best.mv),
            Some(TableResult::Draw) => return Ok(CloudAdvice::Avoid(losing_moves(&known))),
            // No move is better than another: the search finds the longest defence with regard to the rules.
            Some(TableResult::Loss) => None,
            None if is_opening => choose_cloud(&known, options.book_choice, rng),
            None => None,
        };
        let Some(best) = best else { return Ok(CloudAdvice::None) };
        let suggestion = |found: &CloudMove| Some(Suggestion { mv: found.mv, worth: found.score? });
        let known = known.iter().filter_map(suggestion).collect();
        let ponder = self.reply(position, best, options)?;
        Ok(CloudAdvice::Play(BookAnswer { source: Source::Cloud, known, best, ponder }))
    }

    /// The best reply to `mv` in the books.
    fn reply(&mut self, position: &Position, mv: Move, options: &Options) -> Result<Option<Move>, BadBook> {
        let after = position.after(mv);
        let reply = self.moves(&after)?.into_iter().find(|found| !options.rules.loses_by_repetition(&after, found.mv));
        Ok(reply.map(|found| found.mv))
    }

    /// To be called for a new game: see [`Cloud::new_game`].
    pub fn new_game(&mut self) {
        self.cloud.iter_mut().for_each(Cloud::new_game);
    }

    /// Drops the client of the cloud book, so that the next request uses the current address.
    pub fn reset_cloud(&mut self) {
        self.cloud = None;
    }
}

fn built_in() -> Vec<(PathBuf, BookFile)> {
    vec![(PathBuf::new(), BookFile::built_in())]
}

/// Plies from the beginning of the game, by the move number of the FEN.
fn plies_played(position: &Position) -> u32 {
    (position.move_number() - 1).saturating_mul(2).saturating_add((position.side() == Color::Black) as u32)
}

/// Chooses one of the moves, which are in descending order of weight.
fn choose(moves: &[BookMove], choice: BookChoice, rng: &mut impl Rng) -> Option<Move> {
    let max = moves.first()?.weight;
    let share = |found: &BookMove| match choice {
        BookChoice::Weighted => u64::from(found.weight),
        BookChoice::Best => (found.weight == max) as u64,
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

/// Chooses one of the cloud's moves, which are in descending order of score: one of the best rank, or one of the best
/// score. `None` if all are below [`MIN_CLOUD_SCORE`].
fn choose_cloud(moves: &[CloudMove], choice: BookChoice, rng: &mut impl Rng) -> Option<Move> {
    let max = moves.first()?.score;
    let best: Vec<&CloudMove> = moves
        .iter()
        .filter(|found| found.score >= Some(MIN_CLOUD_SCORE))
        .filter(|found| match choice {
            BookChoice::Weighted => found.rank == BEST_RANK,
            BookChoice::Best => found.score == max,
        })
        .collect();
    (!best.is_empty()).then(|| best[rng.random_range(0..best.len())].mv)
}

/// The moves that lose by an endgame table.
fn losing_moves(moves: &[CloudMove]) -> Vec<Move> {
    let loses = |found: &&CloudMove| found.table.is_some_and(|table| table.result == TableResult::Loss);
    moves.iter().filter(loses).map(|found| found.mv).collect()
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
    fn weighted_and_best_choice_of_book_moves() {
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
    fn cloud_moves_are_chosen_above_the_minimum_score() {
        let cloud_moves = |entries: &[(&str, i32, u8)]| -> Vec<CloudMove> {
            let entry = |&(mv, score, rank): &(&str, i32, u8)| CloudMove {
                mv: mv.parse().unwrap(),
                score: Some(score),
                rank,
                note: String::new(),
                win_rate: None,
                table: None,
            };
            entries.iter().map(entry).collect()
        };
        let mut rng = SmallRng::seed_from_u64(7);
        let mut chosen = |known: &[CloudMove], choice| -> Vec<String> {
            let moves = (0..100).filter_map(|_| choose_cloud(known, choice, &mut rng));
            let mut moves: Vec<String> = moves.map(|mv| mv.to_string()).collect();
            moves.sort();
            moves.dedup();
            moves
        };
        let opening = cloud_moves(&[("h2e2", 3, 2), ("b2e2", 3, 2), ("g3g4", 2, 2), ("c3c4", 1, 1), ("a0a1", -8, 0)]);
        assert_eq!(chosen(&opening, BookChoice::Weighted), ["b2e2", "g3g4", "h2e2"]);
        assert_eq!(chosen(&opening, BookChoice::Best), ["b2e2", "h2e2"]);
        assert_eq!(chosen(&opening[3..], BookChoice::Weighted), [""; 0], "no move of the best rank");
        let worse = cloud_moves(&[("h2e2", MIN_CLOUD_SCORE, 2), ("b2e2", MIN_CLOUD_SCORE - 1, 2)]);
        assert_eq!(chosen(&worse, BookChoice::Weighted), ["h2e2"]);
        assert_eq!(chosen(&worse[1..], BookChoice::Best), [""; 0]);
        assert_eq!(chosen(&[], BookChoice::Best), [""; 0]);
    }

    #[test]
    fn plies_are_counted_from_the_move_number() {
        let plies = |fen: &str| plies_played(&Position::from_fen(fen).unwrap());
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1"), 0);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 7"), 13);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 0"), 0);
        assert_eq!(plies("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 4294967295"), u32::MAX);
        let mut position = Position::start();
        ["h2e2", "h9g7", "h0g2"].iter().for_each(|mv| position.make(mv.parse().unwrap()));
        assert_eq!(plies_played(&position), 3);
    }
}
