//! What a search says.

use crate::types::{Bound, Move, Score};
use std::fmt;
use std::time::Duration;

/// What a search says while it runs.
#[derive(Clone, Debug)]
pub enum Report {
    /// An iteration was completed, its best line failed, or the move to play became another.
    Iteration(Iteration),
    /// The root move now being searched, once the search has gone on for some seconds.
    CurrentMove {
        /// The move.
        mv: Move,
        /// Its place in the order of root moves, from 1.
        number: usize,
        /// Time since the search was asked for.
        elapsed: Duration,
    },
    /// For now nothing more is to be said: the search waits for the word to answer, or is over.
    Waiting,
}

/// The state of a search after an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Longest line looked at, in plies.
    pub selective_depth: u32,
    /// The best lines, the best of all first.
    pub lines: Vec<Line>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

impl Iteration {
    /// Nominal depth of the best line, in plies; 0 if there is none.
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

/// A line of play and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From the side to move's point of view, in engine units.
    pub score: Score,
    /// How `score` is meant.
    pub bound: Bound,
    /// Nominal depth, in plies: one less than the best line's if the iteration was broken off before it.
    pub depth: u32,
    /// The moves; every one is legal where it stands.
    pub pv: Vec<Move>,
}

/// What a search ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
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
    /// What ended it.
    pub stop_reason: StopReason,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The depth asked for was reached.
    Depth,
    /// The nodes were used up.
    Nodes,
    /// The time was.
    Time,
    /// A word from outside.
    Stop,
    /// A mate was proven.
    Mate,
    /// There was only one move.
    OnlyMove,
    /// There was none.
    NoMove,
}

impl fmt::Display for SearchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best {
            Some(mv) => write!(f, "chose {mv}, worth {} engine units", self.score)?,
            None => write!(f, "chose nothing")?,
        }
        let why = match self.stop_reason {
            StopReason::Depth => "the depth was reached",
            StopReason::Nodes => "the nodes were used up",
            StopReason::Time => "the time was used up",
            StopReason::Stop => "it was told to",
            StopReason::Mate => "a mate was proven",
            StopReason::OnlyMove => "there was only one move",
            StopReason::NoMove => "there was no move",
        };
        write!(f, ", after {} plies and {} nodes; ended because {why}", self.depth, self.nodes)
    }
}
