//! Limits of the players in matches, in nodes: they do not depend on the machine.

use crate::search::limits::{Clock, Limits};
use crate::search::settings::SearchSettings;
use std::time::Duration;

/// The most by which finishing an iteration overruns a soft limit.
const MAX_OVERRUN: u64 = 8;

/// How many nodes a player has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeLimit {
    /// For each move.
    PerMove(u64),
    /// For each move, and the iteration in which they are reached is finished: a score from half of one is noisier than the
    /// nodes that it saves are worth. At most [`MAX_OVERRUN`] times as many.
    Soft(u64),
    /// For the whole game: a clock that counts nodes. A hundredth of it is added after each move.
    Clock(u64),
}

impl NodeLimit {
    /// The search limits of a player with these search settings, at the start of a game.
    pub(crate) fn limits(self, settings: SearchSettings) -> Limits {
        match self {
            NodeLimit::PerMove(nodes) => Limits { nodes: Some(nodes), settings, ..Limits::default() },
            NodeLimit::Soft(nodes) => Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(MAX_OVERRUN)),
                settings,
                ..Limits::default()
            },
            NodeLimit::Clock(nodes) => {
                // A node counts as a millisecond.
                let [time, increment] = [nodes, nodes / 100].map(Duration::from_millis);
                let clock = Clock { time, increment, moves_to_go: None, opponent: None };
                Limits { clock: Some(clock), node_time: Some(1), settings, ..Limits::default() }
            }
        }
    }
}
