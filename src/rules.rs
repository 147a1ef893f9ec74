//! What a game is (L3): how a position that occurs again is judged, and when a game without progress is drawn.
//!
//! The judgement of repetitions is the plain one so far: perpetual check loses, everything else is a draw.

use crate::position::Position;

/// Plies without a capture after which the game is drawn.
pub const MOVE_LIMIT: u32 = 120;

/// What a repetition means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The opponent broke the rules.
    Win,
    /// Nobody did, or both.
    Draw,
    /// The side to move broke the rules.
    Loss,
}

/// Judges the repetition that the last move brought about, if it did.
///
/// A position that occurred within the last `search_plies` plies counts at once: in a search, what was possible once is
/// possible again. One that occurred only before counts at its third occurrence.
pub fn repetition(position: &Position, search_plies: usize) -> Option<Verdict> {
    let key = position.key();
    let reversible = (position.quiet_plies() as usize).min(position.plies());
    if reversible < 4 {
        return None;
    }
    // Whether every move the opponent (even), or we (odd), made since then gave check.
    let mut always_check = [position.in_check(), true];
    let mut seen_before = false;
    for (distance, past) in (1..=reversible).zip(position.history()) {
        past.mv?;
        if distance % 2 == 0 && past.key == key {
            if distance <= search_plies || seen_before {
                return Some(match always_check {
                    [true, false] => Verdict::Win,
                    [false, true] => Verdict::Loss,
                    _ => Verdict::Draw,
                });
            }
            seen_before = true;
        }
        always_check[distance % 2] &= past.in_check;
    }
    None
}

/// Whether nobody can win any more: neither side has a man that can attack, or the move limit has been reached (a mate
/// on the board comes first; the caller sees to that).
pub fn is_dead(position: &Position) -> bool {
    use crate::types::Color;
    position.quiet_plies() >= MOVE_LIMIT
        || !(position.has_attackers(Color::Red) || position.has_attackers(Color::Black))
}
