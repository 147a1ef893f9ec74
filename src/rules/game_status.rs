//! Whether a game is over, and why.

use super::Rules;
use super::chinese::{self, ChineseVerdict, Class, Reason};
use super::cycle::{Cycle, Violation};
use super::repetition::{Repetition, recurrence};
use crate::position::{PieceId, Position};
use crate::types::Color;

/// Occurrences of a position that usually end a game.
pub const OCCURRENCES: usize = 3;

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// It is not over.
    Ongoing,
    /// It is won.
    Won {
        /// The winner.
        winner: Color,
        /// The reason.
        reason: EndReason,
    },
    /// It is drawn.
    Drawn(EndReason),
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The loser is in check and has no legal move.
    Checkmate,
    /// The loser is not in check and has no legal move.
    Stalemate,
    /// Perpetual check: the loser gave check on every move of a cycle.
    PerpetualCheck,
    /// Perpetual chase: the loser threatened the same piece on every move of a cycle.
    PerpetualChase {
        /// The pieces that chased.
        by: Vec<PieceId>,
        /// The pieces that were chased.
        of: Vec<PieceId>,
    },
    /// Both sides gave check on every move of a cycle.
    MutualCheck,
    /// Both sides committed the same perpetual chase.
    MutualChase,
    /// Repetition without a violation.
    Repetition,
    /// By the Chinese rules: the loser checked, threatened mate or chased on every move, and the winner did not.
    PerpetualAttack {
        /// Whether some of the moves gave check.
        checks: bool,
        /// Whether some threatened mate.
        kills: bool,
        /// Whether some chased.
        chases: bool,
    },
    /// By the Chinese rules: both did, but only the winner has chases that weigh less.
    HeavierChase,
    /// By the Chinese rules: both did.
    MutualAttack,
    /// By the Chinese rules: both sides have idle moves.
    BothIdle,
    /// The move limit: too many plies without a capture.
    MoveLimit,
    /// Insufficient material: neither side can win.
    InsufficientMaterial,
}

/// The state of the game by `rules`. The game ends when a position occurs for the `occurrences`th time; the repetition
/// is then judged by all moves since the first occurrence.
pub fn judge(position: &Position, rules: &Rules, occurrences: usize) -> GameStatus {
    if position.has_no_moves() {
        let reason = if position.in_check() { EndReason::Checkmate } else { EndReason::Stalemate };
        return GameStatus::Won { winner: !position.side(), reason };
    }
    if let Some(plies) = recurrence(position, occurrences) {
        return judge_repetition(position, plies, rules.repetition);
    }
    if rules.is_move_limit(position) {
        GameStatus::Drawn(EndReason::MoveLimit)
    } else if super::insufficient_material::is_insufficient_material(position) {
        GameStatus::Drawn(EndReason::InsufficientMaterial)
    } else {
        GameStatus::Ongoing
    }
}

/// The state of a game that a repetition of its last `plies` plies ends.
pub(super) fn judge_repetition(position: &Position, plies: usize, rule: Repetition) -> GameStatus {
    if rule == Repetition::Chinese {
        return judge_chinese(&chinese::judge_cycle(position, plies));
    }
    let cycle = Cycle::of(position, plies, rule);
    let Some(loser) = cycle.loser() else {
        return GameStatus::Drawn(match cycle.violations[0] {
            Violation::None => EndReason::Repetition,
            Violation::PerpetualCheck => EndReason::MutualCheck,
            Violation::PerpetualChase | Violation::ChaseOfPinnedRook => EndReason::MutualChase,
        });
    };
    let reason = match cycle.violations[loser.index()] {
        Violation::PerpetualCheck => EndReason::PerpetualCheck,
        _ => {
            let (by, of) = cycle.chasers(position, plies, rule, loser);
            EndReason::PerpetualChase { by, of }
        }
    };
    GameStatus::Won { winner: !loser, reason }
}

fn judge_chinese(verdict: &ChineseVerdict) -> GameStatus {
    let Some(loser) = verdict.loser else {
        let both_idle = verdict.reason == Reason::BothIdle;
        return GameStatus::Drawn(if both_idle { EndReason::BothIdle } else { EndReason::MutualAttack });
    };
    let does = |test: fn(Class) -> bool| verdict.moves.iter().any(|mv| mv.side == loser && test(mv.class));
    let reason = match verdict.reason {
        Reason::PerpetualCheck => EndReason::PerpetualCheck,
        Reason::HeavierChase => EndReason::HeavierChase,
        Reason::NoIdleMove | Reason::BothIdle | Reason::BothAttack => EndReason::PerpetualAttack {
            checks: does(|class| class == Class::Check),
            kills: does(|class| class == Class::Kill),
            chases: does(|class| matches!(class, Class::Chase(_))),
        },
    };
    GameStatus::Won { winner: !loser, reason }
}
