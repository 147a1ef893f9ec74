//! How much the search prunes, and the margins of pruning as formulas over the [tunables](Tunables).

use super::tunables::Tunables;
use crate::types::Score;

/// How much the search prunes, each grade more than the one before. Pruning is unsound: some composed problems are
/// solved only with less of it. Reductions alone only delay: what they miss is found at a greater depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Every move is searched to the full depth, so that a mate within the depth is found: no reductions, and of the
    /// extensions only those of checks. Quiescence search still skips captures and checks that lose material.
    FullWidth,
    /// No move is skipped; late move reductions (LMR), singular and negative extensions.
    None,
    /// Also null move pruning (NMP).
    Small,
    /// Also reverse futility pruning (RFP).
    Medium,
    /// Also late move pruning (LMP), futility pruning, SEE pruning, and correction history.
    #[default]
    Large,
}

impl Tunables {
    /// Reverse futility pruning (RFP): how far the static evaluation must be above beta.
    pub const fn reverse_futility_margin(&self, depth: i32, improving: bool) -> Score {
        self.reverse_futility_margin_slope() * (depth - improving as i32)
    }

    /// Singular extension: how far below the score of the table the other moves must be.
    pub const fn singular_margin(&self, depth: i32) -> Score {
        self.singular_margin_slope() * depth
    }

    /// Null move pruning (NMP): the reduction of the search after a null move, in plies.
    pub fn null_move_reduction(&self, depth: i32, above_beta: Score) -> i32 {
        self.null_move_base() + depth / self.null_move_divisor() + (above_beta >= self.null_move_eval()) as i32
    }

    /// Late move pruning (LMP): the number of moves after which quiet moves are skipped.
    pub const fn lmp_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.lmp_base() + self.lmp_slope() * depth * depth / 100;
        (if improving { count } else { count / 2 }) as usize
    }

    /// Futility pruning: a quiet move is skipped if the static evaluation plus this does not exceed alpha.
    pub const fn futility_margin(&self, depth: i32) -> Score {
        self.futility_base() + self.futility_margin_slope() * depth
    }

    /// SEE pruning: a move is skipped if its static exchange evaluation is below this, which is negative.
    pub const fn see_margin(&self, depth: i32, is_capture: bool) -> Score {
        if is_capture { -self.see_capture_margin() * depth } else { -self.see_quiet_margin() * depth * depth }
    }
}
