//! Reverse futility pruning (RFP), also called static null move pruning: a node whose static evaluation is far above
//! beta is expected to fail high and is not searched.

use super::pruning::Pruning;
use super::worker::Worker;
use crate::types::Score;
use crate::types::score::is_decided;

impl Worker<'_> {
    /// The evaluation as the score of a null-window node, if it exceeds beta by the margin for `depth`.
    pub fn reverse_futility(&self, eval: Score, beta: Score, depth: i32, improving: bool) -> Option<Score> {
        let tunables = self.tunables();
        let prunes = depth <= tunables.reverse_futility_depth()
            && self.prunes(Pruning::Medium)
            && !is_decided(beta)
            && !is_decided(eval)
            && eval - tunables.reverse_futility_margin(depth, improving) >= beta;
        prunes.then_some(eval)
    }
}
