//! How much the search leaves out: margins and reductions as pure formulas.
//!
//! Scores are in engine units (a knight is about 400), depths in plies.

use crate::types::Score;

/// How much the search leaves out, each grade more than the one before. What is left out is unsound: a problem composed
/// against it is solved by a lower grade only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Nothing: every move is searched to the full depth, and captures after it.
    None,
    /// Late moves are searched less deeply, and again in full when they surprise.
    Small,
    /// And passing is tried: who stands well even so needs no move.
    Medium,
    /// And moves and positions that look hopeless by their static evaluation, or by an exchange, are not searched.
    Large,
}

/// Deepest depth at which a node far above beta is left at once.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Shallowest depth at which passing is tried.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// Deepest depth at which late quiet moves are left out.
pub const LATE_MOVE_DEPTH: i32 = 8;
/// Deepest depth at which quiet moves that cannot reach alpha are left out.
pub const FUTILITY_DEPTH: i32 = 7;
/// Deepest depth at which moves that lose material are left out.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Deepest depth at which a node far below alpha goes straight to quiescence.
pub const RAZORING_DEPTH: i32 = 3;
/// Shallowest depth at which late moves are searched less deeply.
pub const REDUCTION_DEPTH: i32 = 2;
/// Shallowest depth at which a missing hash move makes the node a ply shallower.
pub const NO_HASH_MOVE_DEPTH: i32 = 5;
/// Shallowest depth at which a hash move is compared with the others.
pub const SINGULAR_DEPTH: i32 = 7;
/// Deepest depth at which quiet moves with a bad history are left out.
pub const HISTORY_DEPTH: i32 = 5;
/// How far below the bar the others must be for two plies of extension.
pub const DOUBLE_MARGIN: Score = 40;
/// What a capture in quiescence may bring beyond the captured man.
pub const DELTA: Score = 200;

/// How far above beta the static evaluation must be for the node to be left.
pub const fn reverse_futility_margin(depth: i32, improving: bool) -> Score {
    95 * (depth - improving as i32)
}

/// How far below alpha the static evaluation must be for quiescence to decide.
pub const fn razoring_margin(depth: i32) -> Score {
    300 + 260 * depth
}

/// How far below the hash move's score the others must be for it to be the only good one.
pub const fn singular_margin(depth: i32) -> Score {
    3 * depth
}

/// By how much the depth shrinks when passing.
pub fn null_move_reduction(depth: i32, above_beta: Score) -> i32 {
    3 + depth / 4 + (above_beta / 220).min(3)
}

/// How many quiet moves are worth trying.
pub const fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = 4 + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// What a quiet move may bring at most.
pub const fn futility_margin(depth: i32) -> Score {
    150 + 120 * depth
}

/// The loss of material from which on a capture or a quiet move is not tried.
pub const fn exchange_margin(depth: i32, is_capture: bool) -> Score {
    if is_capture { -110 * depth } else { -32 * depth * depth }
}

/// The history from which on a quiet move is tried.
pub const fn history_margin(depth: i32) -> i32 {
    -3_500 * (depth + 1)
}

/// Reductions of late moves, by depth and number of the move.
pub struct Reductions([[i8; 64]; 64]);

impl Reductions {
    /// Reductions that grow with the logarithms of both.
    pub fn new() -> Reductions {
        Reductions(std::array::from_fn(|depth| {
            std::array::from_fn(|count| {
                let (depth, count) = (depth.max(1) as f64, count.max(1) as f64);
                (0.6 + depth.ln() * count.ln() / 2.6) as i8
            })
        }))
    }

    /// Plies by which the `count`th move (from 1) is searched less deeply at `depth`.
    pub fn of(&self, depth: i32, count: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][count.min(63)] as i32
    }
}

impl Default for Reductions {
    fn default() -> Self {
        Self::new()
    }
}
