//! Outcomes of games.

use crate::position::Position;
use crate::rules::Rules;
use crate::rules::game_status::{GameStatus, judge};
use crate::types::Color;

/// How a game ended, for Red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// Red lost.
    Loss = 0,
    /// A draw.
    Draw = 1,
    /// Red won.
    Win = 2,
}

impl GameOutcome {
    /// All outcomes by their number.
    pub const ALL: [GameOutcome; 3] = [GameOutcome::Loss, GameOutcome::Draw, GameOutcome::Win];
}

/// The outcome of the game that led to `position`, by the federation's rules; `None` while it goes on.
pub fn outcome_of(position: &Position) -> Option<GameOutcome> {
    match judge(position, &Rules::default(), 3) {
        GameStatus::Ongoing => None,
        GameStatus::Won { winner: Color::Red, .. } => Some(GameOutcome::Win),
        GameStatus::Won { winner: Color::Black, .. } => Some(GameOutcome::Loss),
        GameStatus::Drawn(_) => Some(GameOutcome::Draw),
    }
}
