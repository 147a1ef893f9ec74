//! What a search says.

use crate::types::{Move, Score};
use std::time::Duration;

/// What a search says while it runs.
#[derive(Clone, Debug)]
pub enum Report {
    /// An iteration was completed, or its first move failed.
    Iteration(Iteration),
    /// The root move now being searched, once the search has gone on for some seconds.
    CurrentMove {
        /// The move.
        mv: Move,
        /// Its place in the order of root moves, from 1.
        number: usize,
    },
}

/// The state of a search after an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Nominal depth, in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub selective_depth: u32,
    /// From the side to move's point of view, in engine units.
    pub score: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// The best line; every move of it is legal where it stands.
    pub pv: Vec<Move>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

/// How a score is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is this.
    Exact = 3,
}

impl Bound {
    /// How `best` is meant when the window was `alpha` to `beta`.
    pub const fn of(best: Score, alpha: Score, beta: Score) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What a search ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` when there is no legal move.
    pub best: Option<Move>,
    /// The reply expected, legal after `best`.
    pub ponder: Option<Move>,
    /// From the side to move's point of view, in engine units.
    pub score: Score,
    /// Last iteration completed.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}
