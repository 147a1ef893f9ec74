//! How much the search leaves out: margins and reductions as formulas over the [tunables](Tunables).

use super::tunables::{PLY, Tunables};
use crate::types::Score;

/// How much the search leaves out, each grade more than the one before. What is left out is unsound: a problem composed
/// against it is solved by a lower grade only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Nothing: every move is searched to the full depth, and after it captures and checks that do not lose material.
    None,
    /// Late moves are searched less deeply, and again in full when they surprise; so are moves that the table calls good beside
    /// others as good.
    Small,
    /// And passing is tried: who stands well even so needs no move.
    Medium,
    /// And moves and positions that look hopeless by their static evaluation, or by an exchange, are not searched.
    Large,
}

impl Tunables {
    /// How far above beta the static evaluation must be for the node to be left.
    pub const fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Score {
        self.reverse_futility_margin_slope() * (depth - improving as i32)
    }

    /// How far below the hash move's score the others must be for it to be the only good one.
    pub const fn singular_margin(&self, depth: i32) -> Score {
        self.singular_margin_slope() * depth
    }

    /// By how much the depth shrinks when passing.
    pub fn null_move_reduction(&self, depth: i32, above_beta: Score) -> i32 {
        self.null_move_base() + depth / self.null_move_divisor() + (above_beta / self.null_move_eval()).min(3)
    }

    /// How many moves may have come before quiet ones are not worth trying any more.
    pub const fn lmp_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.lmp_base() + self.lmp_slope() * depth * depth / 100;
        (if improving { count } else { count / 2 }) as usize
    }

    /// What a quiet move may bring at most.
    pub const fn futility_margin(&self, depth: i32) -> Score {
        self.futility_base() + self.futility_margin_slope() * depth
    }

    /// The loss of material from which on a capture or a quiet move is not tried.
    pub const fn see_margin(&self, depth: i32, is_capture: bool) -> Score {
        if is_capture { -self.see_capture_margin() * depth } else { -self.see_quiet_margin() * depth * depth }
    }

    /// What a cutoff at `depth` is worth to a history.
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.history_bonus_square() * depth * depth + self.history_bonus_slope() * depth).min(self.history_bonus_max())
    }
}

/// How much less deeply late moves are searched, by depth and number of the move: it grows with the logarithms of both.
pub struct Reductions {
    /// Logarithms, in [`PLY`]ths.
    logarithms: [i32; 128],
}

impl Reductions {
    /// The logarithms.
    pub fn new() -> Reductions {
        Reductions { logarithms: std::array::from_fn(|n| ((n.max(1) as f64).ln() * PLY as f64) as i32) }
    }

    /// Parts of a [`PLY`] by which the `count`th move (from 1) is searched less deeply at `depth`.
    pub fn of(&self, depth: i32, count: usize, tunables: &Tunables) -> i32 {
        let product = self.logarithms[depth.clamp(0, 127) as usize] * self.logarithms[count.min(127)] / PLY;
        tunables.lmr_base() + product * tunables.lmr_slope() / PLY
    }
}

impl Default for Reductions {
    fn default() -> Self {
        Self::new()
    }
}
