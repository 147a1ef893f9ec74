//! What a game is (L3): how a position that occurs again is judged, and when a game without progress is drawn.
//!
//! | module | what it owns |
//! |---|---|
//! | `chase` | which men a move begins to threaten |

mod chase;

use crate::position::Position;
use crate::types::Move;

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
    let mut seen_before = false;
    for (distance, past) in (1..=reversible).zip(position.history()) {
        past.mv?;
        if distance % 2 == 0 && past.key == key {
            if distance <= search_plies || seen_before {
                return Some(judge(position, distance));
            }
            seen_before = true;
        }
    }
    None
}

/// What a side did on every move of a cycle, the worse the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Conduct {
    /// Nothing that is forbidden.
    Harmless,
    /// It threatened the same man.
    Chase,
    /// It threatened the same rook, which its knight pinned.
    ChaseOfPinnedRook,
    /// It gave check.
    Check,
}

/// Judges the last `plies` plies, a cycle, by the rules of the World Xiangqi Federation: who gives check on every move
/// loses, then who chases the same man on every move; if both do, it is a draw.
fn judge(position: &Position, plies: usize) -> Verdict {
    let mut moves: Vec<Move> = position.history().take(plies).filter_map(|past| past.mv).collect();
    let mut before = position.clone();
    for _ in 0..plies {
        before.undo(&mut ());
    }
    // For either side, ours first: whether it always gave check, what it always chased, and what its knights always
    // pinned.
    let mut always_check = [true; 2];
    let mut always_chased = [u64::MAX; 2];
    let mut always_pinned = [u64::MAX; 2];
    while let Some(mv) = moves.pop() {
        let mover = (before.side() != position.side()) as usize;
        let mut after = before.clone();
        after.make(mv, &mut ());
        always_check[mover] &= after.in_check();
        if always_chased[mover] != 0 {
            always_chased[mover] &= chase::chased(&before, &after);
            always_pinned[mover] &= chase::rooks_pinned_by_knights(&after);
        }
        before = after;
    }
    let conduct = |side: usize| match (always_check[side], always_chased[side]) {
        (true, _) => Conduct::Check,
        (false, 0) => Conduct::Harmless,
        (false, chased) if chased & always_pinned[side] != 0 => Conduct::ChaseOfPinnedRook,
        (false, _) => Conduct::Chase,
    };
    match conduct(0).cmp(&conduct(1)) {
        std::cmp::Ordering::Greater => Verdict::Loss,
        std::cmp::Ordering::Equal => Verdict::Draw,
        std::cmp::Ordering::Less => Verdict::Win,
    }
}

/// Whether nobody can win any more: neither side has a man that can attack, or the move limit has been reached (a mate
/// on the board comes first; the caller sees to that).
pub fn is_dead(position: &Position) -> bool {
    use crate::types::Color;
    position.quiet_plies() >= MOVE_LIMIT
        || !(position.has_attackers(Color::Red) || position.has_attackers(Color::Black))
}
