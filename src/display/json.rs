//! Scores as JSON, and JSON that may be printed on a terminal.

use crate::display::units::mate_moves;
use crate::eval::wdl::centipawns;
use crate::games::visible::commands_terminal;
use crate::types::Score;
use crate::types::score::{is_decided, plies_to_mate};
use serde::Serialize;

/// A score of a side: one of three keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JsonScore {
    /// Centipawns: at 100 the side wins every second game.
    Cp(Score),
    /// Moves to mate, negative if the side is mated.
    Mate(i32),
    /// 1 or −1: it wins or loses by the rules of repetition.
    Rule(i32),
}

impl JsonScore {
    /// Of a score in engine units.
    pub(crate) fn of(score: Score) -> JsonScore {
        match (plies_to_mate(score), is_decided(score)) {
            (Some(_), _) => JsonScore::Mate(mate_moves(score)),
            (None, true) => JsonScore::Rule(score.signum()),
            (None, false) => JsonScore::Cp(centipawns(score)),
        }
    }
}

/// A value as JSON that may be printed on a terminal.
///
/// # Panics
/// If a key of a map in it is no text.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    escape_json(&serde_json::to_string(value).expect("invariant: all keys are texts"))
}

/// JSON with those characters escaped in its strings that command a terminal: it may be printed on one.
pub(crate) fn escape_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '\n' => text.push('\n'),
            letter if commands_terminal(letter) => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => text.push(letter),
        }
    }
    text
}
