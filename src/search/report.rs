//! Reports of a running search, and its result.

use crate::types::{Bound, Move, Score};
use std::fmt;
use std::time::Duration;

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A completed iteration, a fail high or fail low of the best line, or a change of the best move.
    Iteration(Iteration),
    /// The root move being searched, once the search has taken some seconds.
    CurrentMove {
        /// The move.
        mv: Move,
        /// Its index in the move ordering of the root, from 1.
        number: usize,
        /// Time since the start of the search.
        elapsed: Duration,
    },
    /// Of a mate search: there is no mate in so many moves, of those asked for; of longer ones it is not decided.
    NoMate {
        /// Moves without a mate.
        moves: u32,
        /// Moves asked for.
        asked: u32,
    },
    /// Nothing more to report for now: the search waits for a stop or ponder hit, or is over.
    Waiting,
}

/// The state of a search after an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Selective depth: the longest line searched, in plies.
    pub selective_depth: u32,
    /// Multi-PV lines, best first.
    pub lines: Vec<Line>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Positions found in the endgame tables so far.
    pub tb_hits: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Transposition table usage, in permill.
    pub hashfull: u32,
}

impl Iteration {
    /// Nominal depth of the best line, in plies; 0 without one.
    pub fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }

    /// Nodes per second so far.
    pub fn speed(&self) -> u64 {
        per_second(self.nodes, self.elapsed)
    }
}

/// Nodes per second.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as u128 * 1_000_000 / elapsed.as_micros().max(1)).min(u64::MAX as u128) as u64
}

/// A principal variation (PV) and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From the side to move's point of view, in engine units.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
    /// Nominal depth, in plies: one less than that of the best line if the iteration was aborted before this line.
    pub depth: u32,
    /// The moves, all legal in sequence.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Best move; `None` without a legal move.
    pub best: Option<Move>,
    /// Ponder move: the expected reply, legal after `best`.
    pub ponder: Option<Move>,
    /// From the side to move's point of view, in engine units.
    pub score: Score,
    /// Last completed iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Why the search ended.
    pub stop_reason: StopReason,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Depth limit.
    Depth,
    /// Node limit.
    Nodes,
    /// Time limit.
    Time,
    /// Stop signal.
    Stop,
    /// A proven mate, or one within the mate limit.
    Mate,
    /// Only one root move to choose from.
    OnlyMove,
    /// No legal move.
    NoMove,
}

impl fmt::Display for SearchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best {
            Some(mv) => write!(f, "best move {mv}, score {} engine units", self.score)?,
            None => write!(f, "no move")?,
        }
        let reason = match self.stop_reason {
            StopReason::Depth => "depth limit",
            StopReason::Nodes => "node limit",
            StopReason::Time => "time limit",
            StopReason::Stop => "stopped",
            StopReason::Mate => "mate proven",
            StopReason::OnlyMove => "only one root move",
            StopReason::NoMove => "no legal move",
        };
        write!(f, ", depth {}, {} nodes, search ended: {reason}", self.depth, self.nodes)
    }
}
