//! The warning before a repetition ends a game: what it will be judged as if it goes on, and how the side that loses by it can
//! deviate.

use super::Rules;
use super::game_status::{GameStatus, judge, judge_repetition};
use super::repetition::{occurrences, recurrence, recurrences};
use crate::position::Position;
use crate::types::{Color, Move};

/// A position of a game that is not over has occurred before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurring {
    /// How often it has occurred.
    pub occurrences: usize,
    /// The result of the game if the same moves are made again.
    pub status: GameStatus,
    /// How the side that loses by it can deviate; `None` if it is drawn, or that side does not move again before the end.
    pub deviation: Option<Deviation>,
}

/// How a side can avoid a repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The side, which loses otherwise.
    pub side: Color,
    /// The move of the opponent after which it is to move, the one made the last time; `None` if it is to move now.
    pub after: Option<Move>,
    /// The moves that lead to a position that has not occurred since the last capture.
    pub moves: Vec<Move>,
}

impl Recurring {
    /// The warning for a game under these rules, which end it at the `limit`th occurrence of a position; `None` if its last
    /// position has not occurred before, or it is over.
    pub fn of(position: &Position, rules: &Rules, limit: usize) -> Option<Recurring> {
        let count = occurrences(position);
        let plies = recurrence(position, count)?;
        if judge(position, rules, limit) != GameStatus::Ongoing {
            return None;
        }
        let status = judge_repetition(position, plies, rules.repetition);
        let deviation = match status {
            GameStatus::Won { winner, .. } => deviation(position, !winner, rules, limit),
            _ => None,
        };
        Some(Recurring { occurrences: count, status, deviation })
    }
}

fn deviation(position: &Position, side: Color, rules: &Rules, limit: usize) -> Option<Deviation> {
    let after = match position.side() == side {
        true => None,
        // The move made when the position occurred the last time.
        false => Some(*position.last_moves(recurrences(position).next()?).first()?),
    };
    let before = after.map_or_else(|| position.clone(), |mv| position.after(mv));
    if judge(&before, rules, limit) != GameStatus::Ongoing {
        return None;
    }
    let legal = before.legal_moves();
    let moves = legal.iter().filter(|&mv| occurrences(&before.after(mv)) == 1).collect();
    Some(Deviation { side, after, moves })
}
