//! Null move pruning (NMP): a position that fails high although the side to move passes fails high with a move as well
//! (Beal 1989; Donninger, "Null Move and Deep Search", 1993). Zugzwang is the exception: it is not tried with fewer
//! than two rooks, knights and cannons, nor twice in a row.

use super::node::NonPvNode;
use super::pruning::Pruning;
use super::worker::Worker;
use crate::types::Score;
use crate::types::score::DECIDED_BOUND;

/// Minimum number of rooks, knights and cannons of the side that passes. With one of them zugzwang is common: in xiangqi
/// stalemate loses too, and a lone piece that guards something must move.
const MIN_NULL_MOVE_PIECES: u32 = 2;

impl Worker<'_> {
    /// The score of a reduced search after a null move, if it is at least beta. A win found that way is unproven, so
    /// its score is reduced to beta.
    pub fn null_move(&mut self, eval: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let after_null_move = ply > 0 && self.stack[ply - 1].piece_to.is_none();
        if depth < self.tunables().null_move_depth()
            || !self.prunes(Pruning::Small)
            || eval < beta
            || beta <= -DECIDED_BOUND
            || after_null_move
            || self.position.non_pawn_count(self.position.side()) < MIN_NULL_MOVE_PIECES
        {
            return None;
        }
        let reduced_depth = depth - self.tunables().null_move_reduction(depth, eval - beta);
        self.stack[ply].piece_to = None;
        self.nodes += 1;
        self.table.prefetch(self.position.key_after_null());
        self.position.make_null();
        let score = -self.search::<NonPvNode>(-beta, 1 - beta, reduced_depth, ply + 1, false);
        self.undo();
        let fails_high = score >= beta && !self.stopped;
        fails_high.then_some(if score >= DECIDED_BOUND { beta } else { score })
    }
}
