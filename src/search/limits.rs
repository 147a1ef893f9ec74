//! Limits of a search.

use super::settings::SearchSettings;
use crate::types::Move;
use std::time::Duration;

/// The limits of one search. The default has none: the search runs until it is stopped or has proven a mate.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes, of all threads together.
    pub nodes: Option<u64>,
    /// Clock of the side to move.
    pub clock: Option<Clock>,
    /// Nodes that count as a millisecond: clock and time are measured in nodes of the main thread, not by a real clock
    /// (Stockfish's option `nodestime`). Not while pondering.
    pub node_time: Option<u64>,
    /// Fixed time for this move. The search uses all of it.
    pub move_time: Option<Duration>,
    /// Mate limit: the search ends at a mate in at most this many moves.
    pub mate: Option<u32>,
    /// Return no result before a stop signal, even at a proven mate (`go infinite`).
    pub waits: bool,
    /// Ponder search: returns no result and uses no time of the clock before a stop or
    /// [`super::signals::Signals::ponderhit`].
    pub ponder: bool,
    /// Banned root moves. Ignored if they are all legal moves.
    pub banned: Vec<Move>,
    /// Move overhead: subtracted from the time left, for the latency of the client.
    pub overhead: Duration,
    /// Lag of every move to come: time that the clock is expected to lose beyond the searches.
    pub lag: Duration,
    /// The client lets the engine ponder, so part of its thinking takes no time from the clock.
    pub client_ponders: bool,
    /// Settings of the search.
    pub settings: SearchSettings,
    /// All root moves that are not banned draw by the endgame tables: the search, which then does without tables, chooses among
    /// them, and its lines have the score of a draw.
    pub drawn_by_tables: bool,
    /// Soft node limit: the iteration in which the main thread reaches this number of nodes is the last.
    pub soft_nodes: Option<u64>,
}

impl Limits {
    /// The time for which `nodes` count, if time is measured in nodes.
    pub fn time_of(&self, nodes: u64) -> Option<Duration> {
        let nodes_per_millisecond = self.node_time?.max(1);
        Some(Duration::from_micros(nodes.saturating_mul(1_000) / nodes_per_millisecond))
    }

    /// Whether only a stop signal or a mate ends the search.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.clock.is_none()
            && self.move_time.is_none()
    }
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: Duration,
    /// Increment, added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time left of the opponent, if known.
    pub opponent: Option<Duration>,
}
