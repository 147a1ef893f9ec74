//! An engine as the referee sees it: it is asked for moves.

use super::engine_error::EngineError;
use super::match_clock::MatchClock;
use super::search_info::SearchInfo;
use crate::notation::{self, Ranks};
use crate::position::Position;
use crate::types::{Color, Move};
use std::time::Duration;

/// An engine that plays: a program that is spoken to, or one inside this process. Dropping it ends it.
pub(crate) trait MatchEngine {
    /// Begins a game, in which its random choices follow from `seed`.
    ///
    /// # Errors
    /// When it does not get ready.
    fn start_game(&mut self, seed: u32) -> Result<(), EngineError>;

    /// Asks for a move.
    ///
    /// # Errors
    /// When it does not answer within the budget of its clock, nor, where that is time, soon after.
    fn think(&mut self, turn: &Turn) -> Result<Reply, EngineError>;

    /// Lets it think in the opponent's turn, if it is to and its time is limited, about this reply of the opponent. `turn` is
    /// the one after that reply, without it.
    ///
    /// # Errors
    /// When it has ended.
    fn ponder(&mut self, _turn: &Turn, _reply: Move) -> Result<(), EngineError> {
        Ok(())
    }

    /// How it numbers ranks.
    fn ranks(&self) -> Ranks {
        Ranks::FromZero
    }

    /// The move that a text of it is in a position; `None` if it is no legal one.
    fn read_move(&self, position: &Position, text: &str) -> Option<Move> {
        match self.ranks() {
            Ranks::FromZero => text.parse().ok().filter(|&mv| position.is_legal(mv)),
            Ranks::FromOne => notation::read_with_ranks(position, text, Ranks::FromOne).ok(),
        }
    }

    /// Ends it in order.
    fn quit(self: Box<Self>) {}
}

/// A position that an engine is asked to move in.
pub(crate) struct Turn<'a> {
    /// The position.
    pub position: &'a Position,
    /// The start of the game, as a FEN.
    pub start: &'a str,
    /// The moves from there.
    pub moves: &'a [Move],
    /// The side of the engine.
    pub side: Color,
    /// The engine's clock.
    pub own: &'a MatchClock,
    /// The opponent's clock.
    pub other: &'a MatchClock,
    /// Whether the opponent has offered a draw.
    pub is_draw_offered: bool,
}

/// The answer to a turn.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The move as the engine wrote it; `None`: it has none.
    pub best: Option<String>,
    /// The reply that it expects.
    pub ponder: Option<String>,
    /// Time from the question to the answer.
    pub time: Duration,
    /// What it reported.
    pub info: SearchInfo,
    /// Whether it offers a draw, or accepts the opponent's offer.
    pub offers_draw: bool,
    /// Whether it resigns.
    pub resigns: bool,
}
