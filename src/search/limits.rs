//! What bounds a search.

use super::settings::SearchSettings;
use crate::types::Move;
use std::time::Duration;

/// The bounds of one search. The default has none: it runs until it is stopped or has proven a mate.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Time for this move, all of which is to be used.
    pub move_time: Option<Duration>,
    /// Ends as soon as a mate in so many moves, or fewer, is found.
    pub mate: Option<u32>,
    /// No answer before a word from outside, whatever was found.
    pub waits: bool,
    /// The opponent is still thinking: no answer, and no clock running, before [`super::signals::Signals::ponderhit`].
    pub ponder: bool,
    /// Moves not to be played at the root while there is another.
    pub banned: Vec<Move>,
    /// Kept back from the clock for the way of the answer to the client.
    pub overhead: Duration,
    /// The client lets the engine ponder, so that part of its thinking costs no time.
    pub client_ponders: bool,
    /// How the search goes about it.
    pub settings: SearchSettings,
}

impl Limits {
    /// Whether nothing ends the search but a word from outside or a proven mate.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.clock.is_none() && self.move_time.is_none()
    }
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to be made in the time left; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time the opponent has left, if that is known.
    pub opponent: Option<Duration>,
}
