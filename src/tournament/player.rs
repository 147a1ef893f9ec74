//! A searcher with its hash table and limits, which plays on its own: in games of this process.

use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::SearchResult;
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::{Move, Score};
use std::sync::atomic::{AtomicBool, Ordering};

/// A player: a searcher with its limits and hash table.
pub(crate) struct Player {
    searcher: Searcher,
    table: TranspositionTable,
    /// The limits of the next search.
    pub limits: Limits,
}

impl Player {
    /// A player that searches each move within `limits`, with a hash table of this many MB.
    ///
    /// # Panics
    /// When there is no memory for the hash table.
    pub(crate) fn new(limits: Limits, hash_megabytes: usize) -> Player {
        let table = TranspositionTable::new(hash_megabytes).expect("invariant: there is memory for a small table");
        Player { searcher: Searcher::new(), table, limits }
    }

    /// A player that scores positions by searches of this many nodes.
    pub(crate) fn scorer(settings: &SearchSettings, nodes: u64) -> Player {
        Player::new(Limits { nodes: Some(nodes), settings: settings.clone(), ..Limits::default() }, 1)
    }

    /// Clears the hash table and histories for a new game.
    pub(crate) fn new_game(&mut self) {
        self.searcher.clear();
        self.table.clear();
    }

    /// Searches: the best move and the score for the side to move.
    pub(crate) fn search(&mut self, position: &Position) -> (Move, Score) {
        let found = self.search_until(position, &AtomicBool::new(false));
        (found.best.expect("invariant: the game goes on"), found.score)
    }

    /// Searches until the limits or, at the end of an iteration, `stop` is set.
    pub(crate) fn search_until(&mut self, position: &Position, stop: &AtomicBool) -> SearchResult {
        let signals = Signals::new();
        self.searcher.search(position, &self.limits, &signals, &self.table, &mut |_| {
            if stop.load(Ordering::Relaxed) {
                signals.stop();
            }
        })
    }
}
