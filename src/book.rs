//! Opening books: positions with the moves to play there, each with a weight (L3).

pub mod book_file;
pub mod builder;
pub mod dat;
#[cfg(feature = "cli")]
pub(crate) mod ecco;
pub mod obk;
pub(crate) mod obk_rows;
pub(crate) mod sqlite;
pub(crate) mod sqlite_writer;
pub mod text;

use crate::position::Position;
use crate::types::Move;
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

/// A move that a book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often to play it, relative to the other moves of the position; at least 1.
    pub weight: u16,
}

/// The games in which a move was played, by their results for its side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveResults {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games without a result.
    pub unknown: u64,
}

impl MoveResults {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses).saturating_add(self.unknown)
    }

    /// The points for each game with a result, 0 to 1; `None` without one.
    pub fn score(&self) -> Option<f64> {
        let games = MoveResults { unknown: 0, ..*self }.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// Calls `visit` for each position that the moves of a book, which `find` gives, reach from the start position, breadth
/// first, without history, with the number of plies and its moves. `key` is the same for a position and its mirror image;
/// of positions with the same key the one reached first is visited.
///
/// # Errors
/// Those of `find`.
pub fn walk<K: Eq + Hash, E>(
    key: impl Fn(&Position) -> K,
    find: impl Fn(&Position) -> Result<Vec<BookMove>, E>,
    mut visit: impl FnMut(&Position, usize, &[BookMove]),
) -> Result<(), E> {
    let start = Position::start();
    let mut seen = HashSet::from([key(&start)]);
    let moves = find(&start)?;
    let mut queue = VecDeque::from([(start, 0, moves)]);
    while let Some((position, plies, moves)) = queue.pop_front() {
        if moves.is_empty() {
            continue;
        }
        visit(&position, plies, &moves);
        for found in moves {
            let after = position.after(found.mv);
            if seen.insert(key(&after)) {
                let moves = find(&after)?;
                if !moves.is_empty() {
                    queue.push_back((after.without_history(), plies + 1, moves));
                }
            }
        }
    }
    Ok(())
}
