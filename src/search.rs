//! Finding the move (L4).
//!
//! | module | what it owns |
//! |---|---|
//! | [`limits`] | what bounds a search: depth, nodes, clock, banned moves |
//! | [`signals`] | what reaches a search from outside while it runs |
//! | [`report`] | what a search says while it runs and when it ends |
//! | [`transposition`] | the table of positions already searched |

pub mod limits;
pub mod report;
pub mod signals;
pub mod transposition;

use crate::position::Position;
use limits::Limits;
use report::{Outcome, Report};
use signals::Signals;
use transposition::Table;

/// A searcher with what it remembers from one move to the next besides the table.
pub struct Searcher {}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new() -> Searcher {
        Searcher {}
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {}

    /// Searches `position` and returns the move to play. Pondering and unlimited searches return only when the signals
    /// say so (or, unlimited, at a proven mate). `report` is called from this thread as the search goes on.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &Table,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let _ = (limits, signals, table, report);
        Outcome { best: position.legal_moves().get(0), ponder: None, score: 0, depth: 0, nodes: 0 }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}
