//! What bounds a search.

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
    /// The opponent is still thinking: no answer, and no clock running, before [`super::signals::Signals::ponderhit`].
    pub ponder: bool,
    /// Moves not to be played at the root while there is another.
    pub banned: Vec<Move>,
    /// Kept back from the clock for the way of the answer to the client.
    pub overhead: Duration,
    /// The client lets the engine ponder, so that part of its thinking costs no time.
    pub client_ponders: bool,
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
}
