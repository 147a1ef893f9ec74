//! Solutions as JSON.

use super::super::egtb::probe::JsonValue;
use super::Found;
use crate::mate::solution::{Attacking, Defence, Given};
use crate::notation::Notation;
use crate::position::Position;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct JsonSolution {
    mate: Option<u8>,
    no_mate: u8,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<JsonValue>,
    /// A move that wins by the rules of repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_rule: Option<String>,
    /// Of the first move in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<JsonGiven>,
    keys: Vec<JsonAttacking>,
    undecided: Vec<String>,
}

#[derive(Serialize)]
struct JsonGiven {
    mate: Option<u8>,
    decided: bool,
}

#[derive(Serialize)]
pub(in crate::cli) struct JsonAttacking {
    #[serde(rename = "move")]
    mv: String,
    moves: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replies: Vec<JsonDefence>,
}

#[derive(Serialize)]
struct JsonDefence {
    #[serde(rename = "move")]
    mv: String,
    moves: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    answers: Vec<JsonAttacking>,
}

impl JsonSolution {
    /// What was found at a position.
    pub(super) fn new(position: &Position, found: &Found, notation: Notation) -> JsonSolution {
        let solution = &found.solution;
        JsonSolution {
            mate: solution.verdict.mate,
            no_mate: solution.verdict.no_mate,
            nodes: found.nodes,
            tables: found.probe.as_ref().map(JsonValue::new),
            by_rule: found.by_rule.map(|mv| notation.write(position, mv)),
            given: solution.given.map(|given| match given {
                Given::Mates(moves) => JsonGiven { mate: Some(moves), decided: true },
                Given::DoesNotMate => JsonGiven { mate: None, decided: true },
                Given::Undecided => JsonGiven { mate: None, decided: false },
            }),
            keys: solution.keys.iter().map(|key| JsonAttacking::new(position, key, notation)).collect(),
            undecided: solution.undecided.iter().map(|&mv| notation.write(position, mv)).collect(),
        }
    }
}

impl JsonAttacking {
    pub(in crate::cli) fn new(position: &Position, attacking: &Attacking, notation: Notation) -> JsonAttacking {
        let after = position.after(attacking.mv);
        JsonAttacking {
            mv: notation.write(position, attacking.mv),
            moves: attacking.moves,
            replies: attacking.replies.iter().map(|reply| JsonDefence::new(&after, reply, notation)).collect(),
        }
    }
}

impl JsonDefence {
    fn new(position: &Position, defence: &Defence, notation: Notation) -> JsonDefence {
        let after = position.after(defence.mv);
        JsonDefence {
            mv: notation.write(position, defence.mv),
            moves: defence.moves,
            answers: defence.answers.iter().map(|answer| JsonAttacking::new(&after, answer, notation)).collect(),
        }
    }
}
