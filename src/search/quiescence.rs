//! Quiescence search: captures, in its first plies quiet checks too, and in check all evasions, until the position is
//! quiet enough for the static evaluation.

use super::node::NodeType;
use super::worker::Worker;
use crate::types::Bound;
use crate::types::score::{INFINITE, mated_in};
use crate::types::{MAX_PLY, Score};

impl Worker<'_> {
    /// The quiescence score of the present position (fail-soft). Not in check, the side to move may stand pat on the
    /// static evaluation. Quiet moves that give check are searched in the first `checks` plies.
    pub fn quiesce<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize, checks: i32) -> Score {
        if N::PV {
            self.stack[ply].pv.clear();
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
        self.stack[ply].was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        let eval = self.static_eval(entry, ply);
        let mut best = eval.unwrap_or(-INFINITE);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        let previous = self.previous(ply);
        self.stack[ply].picker.start_quiescence(&self.position, tt_move, previous, checks > 0);
        let mut best_move = None;
        while let Some(mv) = self.stack[ply].picker.next(&self.position, self.history) {
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
        // In check without an evasion: there is no evaluation to stand pat on.
        if best == -INFINITE {
            return mated_in(ply);
        }
        self.store_tt(best_move, best, Bound::of(best, old_alpha, beta), 0, ply);
        best
    }
}
