//! How much the search prunes, and the margins of pruning and the reductions as formulas over the [tunables](Tunables).

use super::tunables::{PLY, Tunables};
use crate::types::Score;

/// How much the search prunes, each grade more than the one before. Pruning is unsound: some composed problems are
/// solved only with less of it. Reductions alone only delay: what they miss is found at a greater depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// For comparisons. Every move is searched to the full depth, so that a mate within the depth is found: no reductions,
    /// and of the extensions only those of checks. Quiescence search still skips captures and checks that lose material.
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

/// Natural logarithms of 1 to 127 in [`PLY`]ths, rounded down; 0 for 0.
static LOGARITHMS: [i32; 128] = {
    let mut table = [0; 128];
    let (mut logarithm, mut n) = (0.0, 2);
    while n < table.len() {
        // ln(n) = ln(n - 1) + 2 artanh(1 / (2n - 1)), by the power series of artanh.
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut k) = (x, 1);
        while k < 40 {
            logarithm += 2.0 * power / k as f64;
            power *= x * x;
            k += 2;
        }
        table[n] = (logarithm * PLY as f64) as i32;
        n += 1;
    }
    table
};

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
        self.null_move_base() + depth / self.null_move_divisor() + (above_beta / self.null_move_eval()).min(3)
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

    /// Reduction by depth and move number (from 1), in [`PLY`]ths. It grows with the product of their logarithms.
    pub fn base_reduction(&self, depth: i32, count: usize) -> i32 {
        let product = LOGARITHMS[depth.clamp(0, 127) as usize] * LOGARITHMS[count.min(127)] / PLY;
        self.lmr_base() + product * self.lmr_slope() / PLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        for (n, &logarithm) in LOGARITHMS.iter().enumerate() {
            assert_eq!(logarithm, ((n.max(1) as f64).ln() * PLY as f64) as i32, "{n}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let reduction = |depth, count| Tunables::default().base_reduction(depth, count);
        assert!(reduction(4, 4) < reduction(8, 4) && reduction(4, 4) < reduction(4, 8));
        assert_eq!(reduction(i32::MAX, usize::MAX), reduction(127, 127));
        assert_eq!(reduction(i32::MIN, 0), Tunables::default().lmr_base());
    }
}
