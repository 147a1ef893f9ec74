//! How a game is played and shown.

use super::clock::TimeControl;
use crate::display::board::PieceSet;
use crate::display::verdict::Language;
use crate::engine::options::Setting;
use crate::notation::Notation;
use crate::rules::Rules;
use crate::types::Color;
use std::time::Duration;

/// How a game is played and shown.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether the engine plays Red and Black.
    pub engine_plays: [bool; 2],
    /// The engine's level.
    pub level: u32,
    /// The time control; `None` for a game without a clock.
    pub control: Option<TimeControl>,
    /// The engine's time for a move without a clock.
    pub move_time: Duration,
    /// More options of the engine.
    pub options: Vec<Setting>,
    /// The rules by which the game ends.
    pub rules: Rules,
    /// How moves are written.
    pub notation: Notation,
    /// How pieces are drawn.
    pub pieces: PieceSet,
    /// Whether lines and signs are ASCII, for terminals that draw others two columns wide.
    pub is_ascii: bool,
    /// The language of the texts.
    pub language: Language,
}

impl Settings {
    /// The side of the only human player; `None` if both or none are human.
    pub fn only_human(&self) -> Option<Color> {
        match self.engine_plays {
            [false, true] => Some(Color::Red),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }
}
