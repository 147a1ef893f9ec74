//! The verdict on a cycle, from the classes of its moves.

use super::class::{Class, classify};
use crate::position::Position;
use crate::types::{Color, Move};

/// A move of a cycle with its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassifiedMove {
    /// The side that moved.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// Its class.
    pub class: Class,
}

/// Why a cycle is judged as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Only one side gives check on every move.
    PerpetualCheck,
    /// Only one side checks, threatens mate or chases on every move.
    NoIdleMove,
    /// Both sides do that, and only the other has chases that weigh less: of under-protected pieces, or by several men.
    HeavierChase,
    /// Both sides have idle moves.
    BothIdle,
    /// Neither side has an idle move, and their chases weigh the same.
    BothAttack,
}

/// A judged cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChineseVerdict {
    /// The moves of the cycle.
    pub moves: Vec<ClassifiedMove>,
    /// The side that loses; `None` for a draw.
    pub loser: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// Judges the last `plies` moves before `position`.
pub fn judge_cycle(position: &Position, plies: usize) -> ChineseVerdict {
    let moves = classify_moves(position, plies);
    let (loser, reason) = verdict(&moves);
    ChineseVerdict { moves, loser, reason }
}

/// The last `plies` moves before `position` (fewer if the game is shorter, or after a null move) with their classes, the
/// first one first.
pub fn classify_moves(position: &Position, plies: usize) -> Vec<ClassifiedMove> {
    let moves = position.last_moves(plies);
    // Without the moves before, which copies would copy.
    let mut positions = vec![position.before(moves.len()).without_history()];
    for &mv in &moves {
        positions.push(positions[positions.len() - 1].after(mv));
    }
    // In a cycle the last move comes before the first.
    let is_cycle = positions[0].key() == position.key();
    let earlier = |index: usize| match index {
        0 => is_cycle.then(|| &positions[moves.len() - 1]),
        _ => Some(&positions[index - 1]),
    };
    let mut classified: Vec<ClassifiedMove> = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let key = |index: usize| (positions[index].key(), moves[index], earlier(index).map(Position::key));
        let same = (0..index).find(|&other| key(other) == key(index)).map(|other| classified[other].class);
        let before = &positions[index];
        let class = same.unwrap_or_else(|| {
            let earlier = earlier(index).filter(|position| !position.in_check());
            let earlier = earlier.map(|position| position.with_side_to_move(before.side()));
            classify(earlier.as_ref(), before, mv, &positions[index + 1])
        });
        classified.push(ClassifiedMove { side: before.side(), mv, class });
    }
    classified
}

/// The side that loses by moves of these classes, and why.
fn verdict(moves: &[ClassifiedMove]) -> (Option<Color>, Reason) {
    let of = |side: Color| moves.iter().filter(move |mv| mv.side == side).map(|mv| mv.class);
    let only = |has: [bool; 2]| match has {
        [true, false] => Some(Color::Red),
        [false, true] => Some(Color::Black),
        _ => None,
    };
    let checks = Color::ALL.map(|side| of(side).all(|class| class == Class::Check));
    let attacks = Color::ALL.map(|side| of(side).all(|class| !matches!(class, Class::Idle(_))));
    let is_light = |class| matches!(class, Class::Chase(chase) if chase.manner.is_light());
    let heavy = Color::ALL.map(|side| !of(side).any(is_light));
    match (only(checks), only(attacks)) {
        (Some(loser), _) => (Some(loser), Reason::PerpetualCheck),
        (None, Some(loser)) => (Some(loser), Reason::NoIdleMove),
        (None, None) if attacks == [false; 2] => (None, Reason::BothIdle),
        (None, None) => match only(heavy) {
            Some(loser) => (Some(loser), Reason::HeavierChase),
            None => (None, Reason::BothAttack),
        },
    }
}
