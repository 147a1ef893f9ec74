//! Chases: which enemy pieces a move newly threatens, by the federation's rules or the league's.
//!
//! A perpetual chase is a cycle in which a side threatens the same piece on every move; `cycle` detects it from what
//! the functions here return for each move.

mod federation;
mod league;
mod threat;

pub(super) use federation::rooks_pinned_by_knights;
pub(super) use threat::Threat;

use super::repetition::Repetition;
use crate::position::Position;
use crate::types::Move;

/// The enemy pieces that the move `mv` from `before` to `after` newly threatens, as a set of
/// [`PieceId::bit`](crate::position::PieceId::bit)s.
pub(super) fn chased(before: &Position, after: &Position, mv: Move, rule: Repetition) -> u64 {
    new_threats(before, after, mv, rule).iter().fold(0, |set, threat| set | threat.of.bit())
}

/// The new threats that the move `mv` from `before` to `after` makes.
pub(super) fn new_threats(before: &Position, after: &Position, mv: Move, rule: Repetition) -> Vec<Threat> {
    match rule {
        Repetition::Asian | Repetition::Chinese => federation::new_threats(before, after, mv),
        Repetition::League => league::new_threats(before, after, mv),
        Repetition::Plain => Vec::new(),
    }
}
