//! Selectivity: which moves of a node are searched, and how deeply.

use super::alphabeta::{NodeContext, NodeType};
use super::picker::{Picker, QuietFilter};
use super::pruning::Pruning;
use super::tunables::PLY;
use super::worker::Worker;
use crate::types::score::INFINITE;
use crate::types::{Move, Score};

/// Depth from which on quiet checks are not left out for their number or the evaluation: they are how mates by sacrifices
/// begin, and both speak against them. Below, quiescence sees nearly as much of them.
const KEPT_CHECKS_DEPTH: i32 = 2;

/// A move whose turn it is.
pub struct MoveInfo {
    mv: Move,
    /// Its number among the moves of the node, from 1.
    count: usize,
    is_capture: bool,
    /// Parts of a [`PLY`] by which its number alone makes it searched less deeply.
    base_reduction: i32,
}

impl Worker<'_> {
    /// `mv` as the `count`th move of a node.
    pub fn move_info(&self, node: &NodeContext, mv: Move, count: usize) -> MoveInfo {
        let base_reduction = match self.prunes(Pruning::Small) {
            true => self.memory.reductions.of(node.depth, count, self.tunables()),
            false => 0,
        };
        MoveInfo { mv, count, is_capture: self.position.is_capture(mv), base_reduction }
    }

    /// Whether a move, not yet made, is not worth searching, and if so the most it could bring (−[`INFINITE`]: not known).
    /// Where the quiet moves after it are not either, `picker` hears of it.
    pub fn prune_move(
        &self,
        node: &NodeContext,
        move_info: &MoveInfo,
        alpha: Score,
        picker: &mut Picker,
    ) -> Option<Score> {
        if !self.prunes(Pruning::Large) {
            return None;
        }
        let tunables = self.tunables();
        let &NodeContext { depth, improving, .. } = node;
        let &MoveInfo { mv, count, is_capture, base_reduction } = move_info;
        let lmr_depth = (depth - base_reduction / PLY).max(0);
        if let Some(eval) = node.eval.filter(|_| !is_capture) {
            let keep_checks = depth >= KEPT_CHECKS_DEPTH;
            let is_kept = || keep_checks && self.position.gives_check(mv);
            let others = if keep_checks { QuietFilter::Checks } else { QuietFilter::None };
            if depth <= tunables.lmp_depth() && count > tunables.lmp_move_count(depth, improving) {
                picker.filter_quiets(others);
            }
            let reach = eval + tunables.futility_margin(lmr_depth);
            if lmr_depth <= tunables.futility_depth() && reach <= alpha && !is_kept() {
                picker.filter_quiets(others);
                return Some(reach);
            }
        }
        let margin_depth = if is_capture { depth } else { lmr_depth };
        let fails_see = depth <= tunables.see_depth()
            && !self.position.see_ge(mv, tunables.see_margin(margin_depth, is_capture))
            && !self.position.gives_check(mv);
        fails_see.then_some(-INFINITE)
    }

    /// Plies by which a move, just made, is searched more deeply than others. A check must be answered: the reply costs no
    /// depth, within reason.
    pub fn extension(&self, node: &NodeContext, move_info: &MoveInfo) -> i32 {
        let is_near = node.ply < 2 * self.iteration as usize;
        match node.singular_extension {
            _ if !is_near => 0,
            plies if plies != 0 && Some(move_info.mv) == node.tt_move => plies,
            _ => self.position.in_check() as i32,
        }
    }

    /// The depth, at most `depth`, to which a move, just made, is searched at first, to see whether it is worth more.
    pub fn reduced_depth<N: NodeType>(&self, node: &NodeContext, move_info: &MoveInfo, depth: i32) -> i32 {
        let tunables = self.tunables();
        let &MoveInfo { mv, count, is_capture, base_reduction } = move_info;
        let is_late = count > if is_capture { 4 } else { 1 + N::PV as usize };
        if node.depth < tunables.lmr_min_depth() || !is_late || !self.prunes(Pruning::Small) {
            return depth;
        }
        let quiet_score = self
            .last_quiet(node.ply + 1)
            .map_or(0, |piece_to| self.memory.history.quiet_score(piece_to, &node.previous));
        let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
        let more = when(node.cut, tunables.lmr_cut_node())
            + when(!node.improving, tunables.lmr_not_improving())
            + when(node.tt_capture, tunables.lmr_tt_capture())
            + when(self.stack[node.ply + 1].cutoffs > 3, tunables.lmr_cutoffs());
        let less = when(N::PV, tunables.lmr_pv())
            + when(self.position.in_check(), tunables.lmr_check())
            + when(node.killers.contains(&Some(mv)), tunables.lmr_killer())
            + when(is_capture, tunables.lmr_capture())
            + quiet_score * PLY / tunables.lmr_history();
        let reduction = (base_reduction + more - less) / PLY;
        (depth - reduction).clamp(1.min(depth), depth)
    }
}
