//! Late move reductions (LMR): moves late in the order are searched less deeply first, and again to the full depth if
//! they beat alpha.

use super::node::{MoveInfo, NodeContext, NodeType};
use super::pruning::Pruning;
use super::tunables::{PLY, Tunables};
use super::worker::Worker;
use crate::types::score::{DECIDED_BOUND, is_decided};
use crate::types::{Move, Score};

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
    /// Reduction by depth and move number (from 1), in [`PLY`]ths. It grows with the product of their logarithms.
    fn base_reduction(&self, depth: i32, count: usize) -> i32 {
        let product = LOGARITHMS[depth.clamp(0, 127) as usize] * LOGARITHMS[count.min(127)] / PLY;
        self.lmr_base() + product * self.lmr_slope() / PLY
    }
}

impl Worker<'_> {
    /// `mv` as the `count`th move (from 1) of a node.
    pub fn move_info(&self, node: &NodeContext, mv: Move, count: usize) -> MoveInfo {
        let base_reduction =
            if self.prunes(Pruning::None) { self.tunables().base_reduction(node.depth, count) } else { 0 };
        MoveInfo { mv, count, is_capture: self.position.is_capture(mv), base_reduction }
    }

    /// The depth of the first, reduced search of a move just made, at most `depth`.
    pub fn reduced_depth<N: NodeType>(&self, node: &NodeContext, move_info: &MoveInfo, depth: i32) -> i32 {
        let tunables = self.tunables();
        let &MoveInfo { mv, count, is_capture, base_reduction } = move_info;
        let is_late = count > if is_capture { 4 } else { 1 + N::PV as usize };
        if node.depth < tunables.lmr_min_depth() || !is_late || !self.prunes(Pruning::None) {
            return depth;
        }
        let quiet_score =
            self.last_quiet(node.ply + 1).map_or(0, |piece_to| self.history.quiet_scores(&node.previous).of(piece_to));
        let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
        let more = when(node.cut, tunables.lmr_cut_node())
            + when(!node.improving, tunables.lmr_not_improving())
            + when(node.tt_capture, tunables.lmr_tt_capture())
            + when(self.stack[node.ply + 1].cutoffs > 3, tunables.lmr_cutoffs());
        let less = when(N::PV, tunables.lmr_pv())
            + when(self.position.in_check(), tunables.lmr_check())
            + when(node.killers.contains(&Some(mv)), tunables.lmr_killer())
            + when(is_capture, tunables.lmr_capture())
            + when(node.was_pv, tunables.lmr_tt_pv())
            + self.stack[node.ply].correction.abs() * tunables.lmr_correction() / 100
            + quiet_score * PLY / tunables.lmr_history();
        let reduction = (base_reduction + more - less) / PLY;
        (depth - reduction).clamp(1.min(depth), depth)
    }

    /// The depth of the search that follows when a reduced search beat alpha with `score`: one ply deeper than `depth`
    /// if that is far above `best`, the best score of the moves before, one ply less if it is hardly above (Stockfish).
    pub fn research_depth<N: NodeType>(&self, score: Score, best: Score, depth: i32) -> i32 {
        if N::ROOT || best <= -DECIDED_BOUND {
            return depth;
        }
        let tunables = self.tunables();
        if score > best + tunables.lmr_deeper_margin() && !is_decided(score) {
            depth + 1
        } else if score < best + tunables.lmr_shallower_margin() {
            depth - 1
        } else {
            depth
        }
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
