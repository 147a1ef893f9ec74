//! A node of the search: principal variation search (PVS), and quiescence search below the horizon.
//!
//! Alpha-beta with null windows off the principal variation. [`Worker::search`] reads from top to bottom: draws and
//! mate distance, transposition table, endgame tables, static evaluation; pruning of the whole node (reverse futility,
//! null move); singular extension; the move loop with pruning, extensions, reductions and re-searches; histories and
//! store. Margins and reductions as formulas are in [`super::pruning`], their numbers in [`super::tunables`], the order
//! of the moves in [`super::picker`].

use super::picker::QuietFilter;
use super::pruning::Pruning;
use super::statistics::Event;
use super::transposition::from_table;
use super::tunables::PLY;
use super::worker::Worker;
use crate::position::piece_value;
use crate::types::score::{DECIDED_BOUND, INFINITE, is_decided, mate_in, mated_in};
use crate::types::{Bound, MAX_PLY, Move, Score};

/// Maximum absolute history bonus for a change of the static evaluation.
const MAX_EVAL_GAIN: i32 = 1_200;
/// Null move pruning: minimum number of rooks, knights and cannons of the side that passes. With one of them zugzwang is
/// common: in xiangqi stalemate loses too, and a lone piece that guards something must move.
const MIN_NULL_MOVE_PIECES: u32 = 2;
/// From this depth on, late move pruning and futility pruning keep quiet moves that give check: mating sacrifices begin
/// with them. Below it, the checks of quiescence search find most of these.
const KEPT_CHECKS_DEPTH: i32 = 2;
/// Only the first moves of a node can get a history malus.
const MAX_TRIED: usize = 48;

/// Node types, as in Stockfish: known at compile time, so that each gets its own copy of the search.
pub(super) trait NodeType {
    /// On the principal variation (PV): the window is open.
    const PV: bool;
    /// The root of the search tree.
    const ROOT: bool;
}

/// The root of the search tree.
pub(super) struct RootNode;
/// A node of the principal variation (PV).
pub(super) struct PvNode;
/// A node searched with a null window.
pub(super) struct NonPvNode;

impl NodeType for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for PvNode {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPvNode {
    const PV: bool = false;
    const ROOT: bool = false;
}

impl Worker<'_> {
    /// The score of the present position, `ply` plies from the root, searched `depth` plies deep: exact inside the
    /// window, a bound outside (fail-soft). `cut`: this is an expected cut node, some move is expected to fail high.
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let (tunables, pruning) = (self.params.tunables, self.params.pruning);
        if N::PV {
            self.stack[ply].pv.clear();
        }

        // Check extension, the first of two: at the horizon, a node in check is searched one ply deep. (The second is
        // that of moves that give check, in the move loop.)
        if depth <= 0 && !self.position.in_check() {
            return self.quiesce::<N>(alpha, beta, ply, tunables.quiescence_checks());
        }
        let depth = depth.max(1);
        if self.should_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);

        if !N::ROOT {
            // Repetition, move limit, insufficient material.
            if let Some(score) = self.rule_score(ply, depth) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.static_eval(None, ply).unwrap_or(0);
            }
            // Mate distance pruning: no mate from here on can beat one already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let old_alpha = alpha;

        // Transposition table. A search that excludes the table's move uses its evaluation, but takes no cutoff.
        let excluded = self.stack[ply].excluded;
        let (key, tt_move, entry) = self.probe_tt();
        self.statistics.count(Event::Node);
        if cut {
            self.statistics.count(Event::CutNode);
        }
        if entry.is_some() {
            self.statistics.count(Event::TtHit);
        }
        let tt_move = if N::ROOT { self.root.lines[self.root.current].first_move() } else { tt_move };
        if excluded.is_none() {
            self.stack[ply].was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        }
        let deep_entry = entry.filter(|entry| !N::PV && excluded.is_none() && entry.depth as i32 >= depth);
        if let Some(score) = deep_entry.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            self.statistics.count(Event::TtCutoff);
            // A quiet table move that fails high gains.
            let is_quiet = |&mv: &Move| self.position.is_legal(mv) && !self.position.is_capture(mv);
            if let Some(mv) = tt_move.filter(|_| score >= beta).filter(is_quiet) {
                let previous = self.previous(ply);
                self.history.update_move(&self.position, mv, &previous, tunables.history_bonus(depth));
            }
            return score;
        }

        // Endgame tables.
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.probe_egtb(ply)
        {
            self.stack[ply].raw_eval = None;
            self.store_tt(key, None, score, Bound::Exact, depth, ply);
            return score;
        }

        // Static evaluation; none in check.
        let eval = self.static_eval(entry, ply);
        self.stack[ply].eval = eval;
        let improving = eval.is_some_and(|eval| self.is_improving(ply, eval));
        if entry.is_none() && excluded.is_none() && eval.is_some() {
            // The evaluation is there if the node is pruned: with a bound that says nothing.
            self.store_tt(key, None, -INFINITE, Bound::Lower, 0, ply);
        }
        // Quiet history of the last move: by how much it raised its side's evaluation.
        if excluded.is_none()
            && let Some(piece_to) = self.last_quiet(ply)
            && let (Some(before), Some(after)) = (self.stack[ply - 1].eval, eval)
        {
            let bonus = (-(before + after) * tunables.eval_gain_bonus()).clamp(-MAX_EVAL_GAIN, MAX_EVAL_GAIN);
            self.history.update_quiet_history(piece_to, bonus);
        }
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.stack[1].cutoffs = 0;
        }

        if let Some(static_eval) = eval.filter(|_| !N::PV && excluded.is_none()) {
            let eval = entry.map_or(static_eval, |entry| entry.adjusted_eval(static_eval, ply));

            // Reverse futility pruning (RFP), also called static null move pruning: a node whose evaluation is far above
            // beta is expected to fail high.
            if pruning >= Pruning::Medium
                && depth <= tunables.reverse_futility_depth()
                && !is_decided(beta)
                && !is_decided(eval)
                && eval - tunables.reverse_futility_margin(depth, improving) >= beta
            {
                self.statistics.count(Event::ReverseFutility);
                return eval;
            }

            // Null move pruning (NMP): a position that fails high although the side to move passes fails high with a
            // move as well (Beal 1989; Donninger, "Null Move and Deep Search", 1993), except in zugzwang. Not twice in a
            // row. Deep ones are verified by a search in which this side does not pass, as in Stockfish.
            let after_null_move = ply > 0 && self.stack[ply - 1].piece_to.is_none();
            if pruning >= Pruning::Small
                && cut
                && depth >= tunables.null_move_depth()
                && eval >= beta
                && static_eval >= beta + tunables.null_move_margin() - tunables.null_move_margin_slope() * depth
                && ply >= self.null_move_from[ply % 2]
                && !is_decided(beta)
                && !after_null_move
                && self.position.non_pawn_count(self.position.side()) >= MIN_NULL_MOVE_PIECES
            {
                let reduced_depth = depth - tunables.null_move_reduction(depth, eval - beta);
                self.statistics.count(Event::NullMove);
                self.make_null(ply);
                let score = -self.search::<NonPvNode>(-beta, 1 - beta, reduced_depth, ply + 1, false);
                self.position.undo();
                if self.control.stopped {
                    return 0;
                }
                if score >= beta {
                    self.statistics.count(Event::NullMoveSuccess);
                    // A win found that way is unproven.
                    let score = if score >= DECIDED_BOUND { beta } else { score };
                    if depth < tunables.null_move_verification() || self.null_move_from[ply % 2] > 0 {
                        return score;
                    }
                    // In three quarters of its depth this side does not pass.
                    self.null_move_from[ply % 2] = ply + (3 * reduced_depth.max(0) / 4) as usize;
                    let verified = self.search::<NonPvNode>(beta - 1, beta, reduced_depth, ply, false);
                    self.null_move_from[ply % 2] = 0;
                    if self.control.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return score;
                    }
                    self.statistics.count(Event::NullMoveRefuted);
                }
            }
        }

        // Internal iterative reduction (IIR): without a table move the order of the moves is poor; the next iteration has
        // one.
        let mut depth = depth;
        if (N::PV || cut)
            && excluded.is_none()
            && tt_move.is_none()
            && depth >= tunables.iir_depth()
            && pruning >= Pruning::None
        {
            self.statistics.count(Event::InternalReduction);
            depth -= 1;
        }

        // Singular extension: the other moves are searched to about half the depth against a bound somewhat below the
        // score of the table. If all fail low, the table's move is singular and extended (Anantharaman, Campbell and
        // Hsu, "Singular Extensions", 1990, in the form of Stockfish). If not, and another move is likely to cause a
        // cutoff, it is reduced: a negative extension.
        let mut singular_extension = 0;
        let lower_bound = entry.filter(|entry| entry.bound != Bound::Upper && entry.depth as i32 >= depth - 3);
        if !N::ROOT
            && pruning >= Pruning::None
            && excluded.is_none()
            && depth >= tunables.singular_depth()
            && let Some(entry) = lower_bound
            && let Some(mv) = entry.mv.filter(|&mv| self.position.is_legal(mv))
        {
            let tt_score = from_table(entry.score, ply);
            if !is_decided(tt_score) {
                let singular_beta = tt_score - tunables.singular_margin(depth);
                self.statistics.count(Event::SingularSearch);
                self.stack[ply].excluded = Some(mv);
                let others = self.search::<NonPvNode>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut);
                self.stack[ply].excluded = None;
                if self.control.stopped {
                    return 0;
                }
                singular_extension = if others < singular_beta {
                    self.statistics.count(Event::Singular);
                    let is_double = !N::PV && others < singular_beta - tunables.double_extension_margin();
                    if is_double {
                        self.statistics.count(Event::DoubleExtension);
                    }
                    1 + is_double as i32
                } else if others >= beta && !is_decided(others) && !N::PV {
                    // Multicut: another move than the table's fails high too.
                    self.statistics.count(Event::Multicut);
                    return others;
                } else if tt_score >= beta {
                    -tunables.negative_extension_beta()
                } else if cut {
                    -tunables.negative_extension_cut()
                } else {
                    0
                };
            }
        }

        // The move loop: the first move with the full window, the others with a null window until one beats it.
        let tt_capture = tt_move.is_some_and(|mv| self.position.is_capture(mv));
        let (killers, previous) = (self.stack[ply].killers, self.previous(ply));
        self.stack[ply].picker.start(&self.position, tt_move, killers, previous);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried: [Option<Move>; MAX_TRIED] = [None; MAX_TRIED];
        while let Some(mv) = self.stack[ply].picker.next(&self.position, self.history) {
            if Some(mv) == excluded || N::ROOT && self.root.is_excluded(mv) {
                continue;
            }
            count += 1;
            let key_after = self.prefetch_after(mv);
            let is_capture = self.position.is_capture(mv);
            let base_reduction = if pruning >= Pruning::None { tunables.base_reduction(depth, count) } else { 0 };

            if !N::ROOT && pruning >= Pruning::Large && best > -DECIDED_BOUND {
                let lmr_depth = (depth - base_reduction / PLY).max(0);
                if let Some(eval) = eval.filter(|_| !is_capture) {
                    let keep_checks = depth >= KEPT_CHECKS_DEPTH;
                    let kept_quiets = if keep_checks { QuietFilter::Checks } else { QuietFilter::None };
                    // Late move pruning (LMP): quiet moves after the first few, from the next one on.
                    if depth <= tunables.lmp_depth() && count > tunables.lmp_move_count(depth, improving) {
                        self.stack[ply].picker.filter_quiets(kept_quiets);
                    }
                    // Futility pruning: this quiet move and those after it, if the evaluation plus a margin does not
                    // exceed alpha.
                    let futility_value = eval + tunables.futility_margin(lmr_depth);
                    if lmr_depth <= tunables.futility_depth()
                        && futility_value <= alpha
                        && !(keep_checks && self.position.gives_check(mv))
                    {
                        self.stack[ply].picker.filter_quiets(kept_quiets);
                        best = best.max(futility_value);
                        continue;
                    }
                }
                // SEE pruning: moves that lose material by static exchange evaluation (SEE).
                let see_depth = if is_capture { depth } else { lmr_depth };
                if depth <= tunables.see_depth()
                    && !self.stack[ply].picker.is_good_capture()
                    && !self.position.see_ge(mv, tunables.see_margin(see_depth, is_capture))
                    && !self.position.gives_check(mv)
                {
                    continue;
                }
            }
            if N::ROOT {
                self.report_current_move(mv, count);
            }

            let nodes = self.nodes;
            self.make(mv, key_after, ply);
            let gives_check = self.position.in_check();

            // Extensions: that of the table's move above, or the second check extension, of a move that gives check.
            // None beyond twice the depth of the iteration.
            let mut new_depth = depth - 1;
            if ply < 2 * self.iteration as usize {
                let is_of_tt_move = singular_extension != 0 && Some(mv) == tt_move;
                new_depth += if is_of_tt_move { singular_extension } else { gives_check as i32 };
            }

            // Root noise shifts the window instead of the score, and is added to the score at the end.
            let noise = if N::ROOT && alpha < DECIDED_BOUND { self.root.noise(mv) } else { 0 };
            let (low, high) = (alpha - noise, beta - noise);
            let mut score = -INFINITE;
            let mut is_open = N::PV && count == 1;
            if !is_open {
                // Late move reductions (LMR): moves late in the order are searched less deeply first.
                let mut reduced_depth = new_depth;
                let is_late = count > if is_capture { 4 } else { 1 + N::PV as usize };
                if is_late && pruning >= Pruning::None && depth >= tunables.lmr_min_depth() {
                    let quiet_score = self
                        .last_quiet(ply + 1)
                        .map_or(0, |piece_to| self.history.quiet_scores(&previous).of(piece_to));
                    let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
                    let more = when(cut, tunables.lmr_cut_node())
                        + when(!improving, tunables.lmr_not_improving())
                        + when(tt_capture, tunables.lmr_tt_capture())
                        + when(self.stack[ply + 1].cutoffs > 3, tunables.lmr_cutoffs());
                    let less = when(N::PV, tunables.lmr_pv())
                        + when(gives_check, tunables.lmr_check())
                        + when(killers.contains(&Some(mv)), tunables.lmr_killer())
                        + when(is_capture, tunables.lmr_capture())
                        + when(self.stack[ply].was_pv, tunables.lmr_tt_pv())
                        + self.stack[ply].correction.abs() * tunables.lmr_correction() / 100
                        + quiet_score * PLY / tunables.lmr_history();
                    let reduction = (base_reduction + more - less) / PLY;
                    reduced_depth = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
                }
                // Node types alternate, but a reduced move is expected to be refuted.
                let cut_below = reduced_depth < new_depth || !cut;
                score = -self.search::<NonPvNode>(-low - 1, -low, reduced_depth, ply + 1, cut_below);

                if reduced_depth < new_depth {
                    self.statistics.count(Event::Reduction);
                    if score > low {
                        self.statistics.count(Event::ReductionFailHigh);
                    }
                }
                // Re-search of a reduced move that beat alpha: one ply deeper than the full depth if its score is far
                // above that of the moves before, one ply less if it is hardly above (Stockfish).
                if score > low && reduced_depth < new_depth {
                    let mut full_depth = new_depth;
                    if !N::ROOT && best > -DECIDED_BOUND {
                        if score > best + tunables.lmr_deeper_margin() && !is_decided(score) {
                            full_depth += 1;
                        } else if score < best + tunables.lmr_shallower_margin() {
                            full_depth -= 1;
                        }
                    }
                    if reduced_depth < full_depth {
                        score = -self.search::<NonPvNode>(-low - 1, -low, full_depth, ply + 1, !cut);
                    }
                }
                is_open = N::PV && score > low;
            }
            // Full window: the first move of a PV node, and re-search of a later one that beat alpha.
            if is_open {
                score = -self.search::<PvNode>(-high, -low, new_depth, ply + 1, false);
            }
            if !is_decided(score) {
                score += noise;
            }
            self.position.undo();
            if N::ROOT {
                self.root.add_effort(mv, self.nodes - nodes);
            }
            if self.control.stopped {
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
                    self.root.update_pv(self.iteration, score, Bound::of(score, old_alpha, beta), &self.stack[0].pv);
                }
                if score >= beta {
                    self.stack[ply].cutoffs += 1;
                    self.statistics.count_cutoff(depth, self.stack[ply].picker.source(mv), count);
                    break;
                }
            }
            if count <= MAX_TRIED {
                tried[count - 1] = Some(mv);
            }
        }
        if count == 0 {
            // Checkmate and stalemate both lose. With an excluded move it is neither.
            return if excluded.is_some() { alpha } else { mated_in(ply) };
        }
        let bound = Bound::of(best, old_alpha, beta);
        let is_quiet = best_move.is_none_or(|mv| !self.position.is_capture(mv));

        // Killers and histories: a bonus for the move that caused a cutoff; a malus for the captures before it, and for the
        // quiet moves if it is quiet.
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            if is_quiet {
                self.stack[ply].update_killers(mv);
            }
            let tried = tried[..count.min(MAX_TRIED)].iter().copied().flatten();
            self.history.update_on_cutoff(&self.position, mv, tried, &previous, tunables.history_bonus(depth));
        }
        // Correction history: by how much the search differs from the evaluation. With less pruning, evaluations are not
        // corrected. If the best move is a capture, the difference is the material won. A lower bound below the
        // evaluation, or an upper bound above it, says nothing about its error.
        if pruning >= Pruning::Large
            && excluded.is_none()
            && is_quiet
            && !is_decided(best)
            && let Some(eval) = eval
        {
            let is_error = match bound {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if is_error {
                self.correction_history.update(&previous, &self.position, best - eval, depth);
            }
        }
        self.store_tt(key, best_move, best, bound, depth, ply);
        best
    }

    /// Quiescence search: captures, in its first `checks` plies quiet checks too, and in check all evasions, until the
    /// position is quiet enough for the static evaluation, on which the side to move may stand pat (fail-soft).
    fn quiesce<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize, checks: i32) -> Score {
        let tunables = self.params.tunables;
        if N::PV {
            self.stack[ply].pv.clear();
        }
        if self.should_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = self.rule_score(ply, 0) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.static_eval(None, ply).unwrap_or(0);
        }
        let old_alpha = alpha;
        self.statistics.count(Event::QuiescenceNode);

        // Transposition table.
        let (key, tt_move, entry) = self.probe_tt();
        if let Some(score) = entry.filter(|_| !N::PV).and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            return score;
        }
        self.stack[ply].was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);

        // Stand pat, unless in check, by the evaluation or the score of the table where its bound makes that the better one.
        // Without pruning, a score depends on the position alone.
        let eval = self.static_eval(entry, ply);
        let adjusted = |eval| {
            let usable = entry.filter(|_| self.params.pruning >= Pruning::Large);
            let score = usable.map_or(eval, |entry| entry.adjusted_eval(eval, ply));
            if is_decided(score) { eval } else { score }
        };
        let mut best = eval.map_or(-INFINITE, adjusted);
        if best >= beta {
            self.statistics.count(Event::StandPat);
            if entry.is_none() {
                self.store_tt(key, None, best, Bound::Lower, 0, ply);
            }
            return best;
        }
        alpha = alpha.max(best);

        // Delta pruning, also called futility pruning: captures that, with a margin, would not reach alpha.
        let delta_eval = eval.filter(|_| self.params.pruning >= Pruning::Large);
        let previous = self.previous(ply);
        self.stack[ply].picker.start_quiescence(&self.position, tt_move, previous, checks > 0);
        let mut best_move = None;
        while let Some(mv) = self.stack[ply].picker.next(&self.position, self.history) {
            if let Some(eval) = delta_eval
                && best > -DECIDED_BOUND
                && let Some(victim) = self.position.piece_at(mv.to())
            {
                let futility_value = eval + tunables.quiescence_futility() + piece_value(victim.piece_type());
                if futility_value <= alpha && !self.position.gives_check(mv) {
                    best = best.max(futility_value);
                    continue;
                }
            }
            let key_after = self.prefetch_after(mv);
            self.make(mv, key_after, ply);
            let score = -self.quiesce::<N>(-beta, -alpha, ply + 1, checks - 1);
            self.position.undo();
            if self.control.stopped {
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
        self.store_tt(key, best_move, best, Bound::of(best, old_alpha, beta), 0, ply);
        best
    }
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::search::lazy_smp::SmpState;
    use crate::search::limits::Limits;
    use crate::search::report::StopReason;
    use crate::search::signals::Signals;
    use crate::search::transposition::TranspositionTable;
    use crate::search::worker::{Worker, WorkerMemory};

    /// Stops the search at many different nodes, some of them inside the search that excludes a move.
    #[test]
    fn stopped_search_restores_position_and_excluded_moves() {
        let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let (mut memory, table, signals, smp) =
            (WorkerMemory::new(), TranspositionTable::new(1).unwrap(), Signals::new(), SmpState::new(1));
        for nodes in (10_000..30_000).step_by(777) {
            table.clear();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut report = |_| ();
            let mut worker = Worker::new(&position, &mut memory, &table, &signals, &limits, &mut report, (&smp, 0));
            worker.run();
            assert_eq!(worker.control.stop_reason, StopReason::Nodes);
            assert_eq!(worker.position.to_fen(), fen);
            assert!(worker.stack.iter().all(|entry| entry.excluded.is_none()));
        }
    }
}
