//! Quiescence: captures, at its first plies checks as well, and replies to checks, until the position is quiet enough to be
//! evaluated.

use super::alphabeta::NodeType;
use super::picker::Picker;
use super::worker::Worker;
use crate::types::Bound;
use crate::types::score::{INFINITE, mated_in};
use crate::types::{MAX_PLY, Score};

impl Worker<'_> {
    /// The value of the present position once captures have run out. The side to move need not capture: unless in check
    /// it may rest on the static evaluation. Quiet moves that give check are tried as well for so many plies as `checks`.
    pub fn quiesce<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize, checks: i32) -> Score {
        if N::PV {
            self.lines[ply].clear();
        }
        if self.should_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = self.rule_score(ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.static_eval(None, ply).unwrap_or(0);
        }

        let old_alpha = alpha;
        let (tt_move, entry) = self.probe_tt();
        if let Some(score) = entry.filter(|_| !N::PV).and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            return score;
        }
        let eval = self.static_eval(entry, ply);
        let mut best = eval.unwrap_or(-INFINITE);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        let previous = self.previous(ply);
        let mut picker =
            Picker::quiescence(&self.position, &mut self.memory.buffers[ply], tt_move, previous, checks > 0);
        let mut best_move = None;
        while let Some(mv) = picker.next(&self.position, &self.memory.history, &mut self.memory.buffers[ply]) {
            self.prefetch_after(mv);
            self.make(mv, ply);
            let score = -self.quiesce::<N>(-beta, -alpha, ply + 1, checks - 1);
            self.undo();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        // In check, which leaves nothing to rest on, and without a reply.
        if best == -INFINITE {
            return mated_in(ply);
        }
        self.store_tt(best_move, best, Bound::of(best, old_alpha, beta), 0, ply);
        best
    }
}
