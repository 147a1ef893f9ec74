//! Move pruning: moves of a node that are skipped without a search.
//!
//! - late move pruning (LMP): quiet moves after the first few,
//! - futility pruning: quiet moves where the static evaluation plus a margin does not reach alpha,
//! - SEE pruning: moves that lose material by static exchange evaluation (SEE).

use super::node::{MoveInfo, NodeContext};
use super::picker::QuietFilter;
use super::pruning::Pruning;
use super::tunables::PLY;
use super::worker::Worker;
use crate::types::Score;
use crate::types::score::INFINITE;

/// From this depth on, late move pruning and futility pruning keep quiet moves that give check: mating sacrifices begin
/// with them. Below it, the checks of quiescence search find most of these.
const KEPT_CHECKS_DEPTH: i32 = 2;

/// What to skip at a node.
pub struct PruneDecision {
    /// `Some` if the move itself is skipped: an upper bound of its score (−[`INFINITE`] if unknown).
    pub score: Option<Score>,
    /// The quiet moves after it that are still to be searched.
    pub quiets: QuietFilter,
}

impl PruneDecision {
    /// Skips nothing.
    const NONE: PruneDecision = PruneDecision { score: None, quiets: QuietFilter::All };
}

impl Worker<'_> {
    /// Whether to skip a move, not yet made, and the quiet moves after it.
    pub fn prune_move(&self, node: &NodeContext, move_info: &MoveInfo, alpha: Score) -> PruneDecision {
        let mut decision = PruneDecision::NONE;
        if !self.prunes(Pruning::Large) {
            return decision;
        }
        let tunables = self.tunables();
        let &NodeContext { depth, improving, .. } = node;
        let &MoveInfo { mv, count, is_capture, base_reduction } = move_info;
        let lmr_depth = (depth - base_reduction / PLY).max(0);
        if let Some(eval) = node.eval.filter(|_| !is_capture) {
            let keep_checks = depth >= KEPT_CHECKS_DEPTH;
            let is_kept = || keep_checks && self.position.gives_check(mv);
            let kept_quiets = if keep_checks { QuietFilter::Checks } else { QuietFilter::None };
            if depth <= tunables.lmp_depth() && count > tunables.lmp_move_count(depth, improving) {
                decision.quiets = kept_quiets;
            }
            let futility_value = eval + tunables.futility_margin(lmr_depth);
            if lmr_depth <= tunables.futility_depth() && futility_value <= alpha && !is_kept() {
                return PruneDecision { score: Some(futility_value), quiets: kept_quiets };
            }
        }
        let see_depth = if is_capture { depth } else { lmr_depth };
        let fails_see = depth <= tunables.see_depth()
            && !self.position.see_ge(mv, tunables.see_margin(see_depth, is_capture))
            && !self.position.gives_check(mv);
        decision.score = fails_see.then_some(-INFINITE);
        decision
    }
}
