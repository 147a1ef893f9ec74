//! Principal variation search (PVS): alpha-beta with null windows off the principal variation (PV).

use super::node::{NodeContext, NodeType, NonPvNode, PvNode};
use super::pruning::Pruning;
use super::worker::Worker;
use crate::types::Bound;
use crate::types::score::{DECIDED_BOUND, INFINITE, is_decided, mate_in, mated_in};
use crate::types::{MAX_PLY, Move, Score};

/// Maximum absolute history bonus for a change of the static evaluation.
const MAX_EVAL_GAIN: i32 = 1_200;

impl Worker<'_> {
    /// The score of the present position, `ply` plies from the root, searched `depth` plies deep: exact inside the
    /// window, a bound outside (fail-soft). `cut`: this is an expected cut node.
    pub fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let in_check = self.position.in_check();
        if N::PV {
            self.stack[ply].pv.clear();
        }
        if depth <= 0 && !in_check {
            return self.quiesce::<N>(alpha, beta, ply, self.tunables().quiescence_checks());
        }
        let depth = depth.max(1);
        if self.should_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);

        if !N::ROOT {
            if let Some(score) = self.rule_score(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.static_eval(None, ply).unwrap_or(0);
            }
            // Mate distance pruning: no mate from here on can beat one already found. (A win by the rules of repetition
            // scores above mates, but a side that can be mated instead prefers that.)
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let (tt_move, entry) = self.probe_tt();
        let tt_move = if N::ROOT { self.root.lines[self.root.current].first_move() } else { tt_move };
        let excluded = self.stack[ply].excluded;
        if excluded.is_none() {
            self.stack[ply].was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        }
        let deep_entry = entry.filter(|entry| !N::PV && excluded.is_none() && entry.depth as i32 >= depth);
        if let Some(score) = deep_entry.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            return score;
        }

        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.probe_egtb(ply)
        {
            self.stack[ply].raw_eval = None;
            self.store_tt(None, score, Bound::Exact, depth, ply);
            return score;
        }

        let eval = self.static_eval(entry, ply);
        self.stack[ply].eval = eval;
        if excluded.is_none() {
            self.update_eval_gain(ply);
        }
        let improving = eval.is_some_and(|eval| self.is_improving(ply, eval));
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.stack[1].cutoffs = 0;
        }

        if let Some(eval) = eval.filter(|_| !N::PV && excluded.is_none()) {
            let eval = entry.map_or(eval, |entry| entry.adjusted_eval(eval, ply));
            if let Some(score) = self.reverse_futility(eval, beta, depth, improving) {
                return score;
            }
            if let Some(score) = self.null_move(eval, beta, depth, ply) {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        let may_extend = !N::ROOT && excluded.is_none() && self.prunes(Pruning::None);
        let singular_extension = if may_extend { self.singular_extension(beta, depth, ply, cut, entry) } else { 0 };
        if self.stopped {
            return 0;
        }
        self.search_moves::<N>(&NodeContext {
            alpha,
            beta,
            depth,
            ply,
            cut,
            eval: self.stack[ply].eval,
            improving,
            tt_move,
            was_pv: self.stack[ply].was_pv,
            tt_capture: tt_move.is_some_and(|mv| self.position.is_capture(mv)),
            singular_extension,
            killers: self.stack[ply].killers,
            previous: self.previous(ply),
        })
    }

    /// Updates the quiet history of the last move, if quiet, by how much it raised its side's static evaluation.
    fn update_eval_gain(&mut self, ply: usize) {
        let Some(piece_to) = self.last_quiet(ply) else { return };
        let (Some(before), Some(after)) = (self.stack[ply - 1].eval, self.stack[ply].eval) else { return };
        let bonus = (-(before + after) * self.tunables().eval_gain_bonus()).clamp(-MAX_EVAL_GAIN, MAX_EVAL_GAIN);
        self.history.update_quiet_history(piece_to, bonus);
    }

    /// Searches the moves of a node, the first with the full window, the others with a null window until one beats it.
    fn search_moves<N: NodeType>(&mut self, node: &NodeContext) -> Score {
        let &NodeContext { mut alpha, beta, depth, ply, cut, .. } = node;
        let excluded = self.stack[ply].excluded;
        self.stack[ply].picker.start(&self.position, node.tt_move, node.killers, node.previous);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried: [Option<Move>; 48] = [None; 48];

        while let Some(mv) = self.stack[ply].picker.next(&self.position, self.history) {
            if Some(mv) == excluded || N::ROOT && self.root.is_excluded(mv) {
                continue;
            }
            count += 1;
            self.prefetch_after(mv);
            let move_info = self.move_info(node, mv, count);
            if !N::ROOT && best > -DECIDED_BOUND {
                let decision = self.prune_move(node, &move_info, alpha);
                self.stack[ply].picker.filter_quiets(decision.quiets);
                if let Some(score) = decision.score {
                    best = best.max(score);
                    continue;
                }
            }
            if N::ROOT {
                self.report_current_move(mv, count);
            }

            let nodes = self.nodes;
            self.make(mv, ply);
            let new_depth = depth - 1 + self.extension(node, &move_info);
            // Root noise shifts the window instead of the score, and is added to the score at the end.
            let noise = if N::ROOT && alpha < DECIDED_BOUND { self.root.noise(mv) } else { 0 };
            let (low, high) = (alpha - noise, beta - noise);
            let mut score = -INFINITE;
            let mut is_open = N::PV && count == 1;
            if !is_open {
                let reduced_depth = self.reduced_depth::<N>(node, &move_info, new_depth);
                score = -self.search::<NonPvNode>(-low - 1, -low, reduced_depth, ply + 1, true);
                if score > low && reduced_depth < new_depth {
                    let full_depth = self.research_depth::<N>(score, best, new_depth);
                    if reduced_depth < full_depth {
                        score = -self.search::<NonPvNode>(-low - 1, -low, full_depth, ply + 1, !cut);
                    }
                }
                is_open = N::PV && score > low;
            }
            if is_open {
                score = -self.search::<PvNode>(-high, -low, new_depth, ply + 1, false);
            }
            if !is_decided(score) {
                score += noise;
            }
            self.undo();
            if N::ROOT {
                self.root.add_effort(mv, self.nodes - nodes);
            }
            if self.stopped {
                return 0;
            }

            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                alpha = score;
                if N::PV {
                    self.update_pv(mv, ply);
                }
                if N::ROOT {
                    self.root.update_pv(self.iteration, score, Bound::of(score, node.alpha, beta), &self.stack[0].pv);
                }
                if score >= beta {
                    self.stack[ply].cutoffs += 1;
                    break;
                }
            }
            if count <= tried.len() {
                tried[count - 1] = Some(mv);
            }
        }

        if count == 0 {
            // Checkmate and stalemate both lose. With an excluded move it is neither.
            return if excluded.is_some() { alpha } else { mated_in(ply) };
        }
        let others = tried[..count.min(tried.len())].iter().copied().flatten();
        self.update_histories(node, best, best_move, others);
        self.store_tt(best_move, best, Bound::of(best, node.alpha, beta), depth, ply);
        best
    }

    /// Updates killers, histories and correction history after a node. `tried`: the moves searched without a cutoff.
    fn update_histories(
        &mut self,
        node: &NodeContext,
        best: Score,
        best_move: Option<Move>,
        tried: impl Iterator<Item = Move>,
    ) {
        let &NodeContext { depth, ply, ref previous, .. } = node;
        let is_whole = self.stack[ply].excluded.is_none();
        let bonus = self.tunables().history_bonus(depth);
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            if !self.position.is_capture(mv) {
                self.stack[ply].update_killers(mv);
            }
            self.history.update_on_cutoff(&self.position, mv, tried, previous, bonus);
        }
        // With less pruning, evaluations are not corrected, and `best - eval` is not the remaining error.
        let corrects = is_whole && self.prunes(Pruning::Large) && !is_decided(best);
        if let Some(eval) = node.eval.filter(|_| corrects) {
            // A lower bound below the evaluation, or an upper bound above it, says nothing about its error. If the best
            // move is a capture, the difference is the material won.
            let is_error = match Bound::of(best, node.alpha, node.beta) {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if is_error && best_move.is_none_or(|mv| !self.position.is_capture(mv)) {
                self.correction_history.update(previous, best - eval, depth);
            }
        }
    }
}
