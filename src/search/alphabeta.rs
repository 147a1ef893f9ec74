//! Principal variation search: alpha-beta with null windows off the principal variation.

use super::history::PreviousMoves;
use super::node_pruning::tt_adjusted_eval;
use super::picker::Picker;
use super::pruning::Pruning;
use super::worker::Worker;
use crate::types::Bound;
use crate::types::score::{INFINITE, RULE_BOUND, is_decided, mate_in, mated_in};
use crate::types::{MAX_PLY, Move, Score};

/// Most that a rise of the evaluation is worth to a history.
const MAX_EVAL_GAIN: i32 = 1_200;

/// Kinds of nodes.
pub trait NodeType {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The position the search began with.
    const ROOT: bool;
}

/// The position the search began with.
pub struct RootNode;
/// A node of the principal variation.
pub struct PvNode;
/// A node searched with a null window.
pub struct NonPvNode;

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

/// What is known of a node when its moves are to be searched.
pub struct NodeContext {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    /// A move that refutes the position is expected.
    pub cut: bool,
    /// Static evaluation, unless in check.
    pub eval: Option<Score>,
    /// Evaluations rise.
    pub improving: bool,
    pub tt_move: Option<Move>,
    pub tt_capture: bool,
    /// How the hash move changes its own depth, in plies.
    pub singular_extension: i32,
    pub killers: [Option<Move>; 2],
    /// The steps that led here.
    pub previous: PreviousMoves,
}

impl Worker<'_> {
    /// The value of the present position, `ply` plies from the root, searched `depth` plies deep: exact inside the
    /// window, a bound outside (fail-soft). `cut`: a move that refutes the position is expected.
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
            self.lines[ply].clear();
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
            // Even a mate right here is no better than one found already.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let (tt_move, entry) = self.probe_tt();
        let tt_move = if N::ROOT { self.root.lines[self.root.current].first_move() } else { tt_move };
        let excluded = self.stack[ply].excluded;
        let deep = entry.filter(|entry| !N::PV && excluded.is_none() && entry.depth as i32 >= depth);
        if let Some(score) = deep.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            return score;
        }

        let eval = self.static_eval(entry, ply);
        self.stack[ply].eval = eval;
        if excluded.is_none() {
            self.update_eval_gain(ply);
        }
        let improving = eval.is_some_and(|eval| self.is_improving(ply, eval));
        self.memory.history.clear_killers(ply + 1);
        self.stack[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.stack[1].cutoffs = 0;
        }

        if let Some(eval) = eval.filter(|_| !N::PV && excluded.is_none()) {
            let tt_adjusted_eval = tt_adjusted_eval(eval, entry, ply);
            if let Some(score) = self.prune_node(tt_adjusted_eval, beta, depth, ply, improving) {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        let compares = !N::ROOT && excluded.is_none() && self.prunes(Pruning::Small);
        let singular_extension = if compares { self.singular_extension(beta, depth, ply, cut, entry) } else { 0 };
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
            tt_capture: tt_move.is_some_and(|mv| self.position.is_capture(mv)),
            singular_extension,
            killers: self.memory.history.killers(ply),
            previous: self.previous(ply),
        })
    }

    /// A quiet move that made its player's evaluation rise is worth trying elsewhere.
    fn update_eval_gain(&mut self, ply: usize) {
        let Some(piece_to) = self.last_quiet(ply) else { return };
        let (Some(previous), Some(after)) = (self.stack[ply - 1].eval, self.stack[ply].eval) else { return };
        let bonus = (-(previous + after) * self.tunables().eval_gain_bonus()).clamp(-MAX_EVAL_GAIN, MAX_EVAL_GAIN);
        self.memory.history.update_quiet_history(piece_to, bonus);
    }

    /// Searches the moves of a node, the first with the full window, the others with a null window until one beats it.
    fn search_moves<N: NodeType>(&mut self, node: &NodeContext) -> Score {
        let &NodeContext { mut alpha, beta, depth, ply, cut, .. } = node;
        let excluded = self.stack[ply].excluded;
        let buffer = &mut self.memory.buffers[ply];
        let mut picker = Picker::new(&self.position, buffer, node.tt_move, node.killers, node.previous);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried: [Option<Move>; 48] = [None; 48];

        while let Some(mv) = picker.next(&self.position, &self.memory.history, &mut self.memory.buffers[ply]) {
            if Some(mv) == excluded || N::ROOT && self.root.is_excluded(mv) {
                continue;
            }
            count += 1;
            self.prefetch_after(mv);
            let move_info = self.move_info(node, mv, count);
            if !N::ROOT
                && best > -RULE_BOUND
                && let Some(most) = self.prune_move(node, &move_info, alpha, &mut picker)
            {
                best = best.max(most);
                continue;
            }
            if N::ROOT {
                self.report_current_move(mv, count);
            }

            let nodes = self.nodes;
            self.make(mv, ply);
            let new_depth = depth - 1 + self.extension(node, &move_info);
            // The searcher's whims move the window instead of the score, which is added to at the end.
            let noise = if N::ROOT && alpha < RULE_BOUND { self.root.noise(mv) } else { 0 };
            let (low, high) = (alpha - noise, beta - noise);
            let mut score = -INFINITE;
            let mut is_open = N::PV && count == 1;
            if !is_open {
                let reduced_depth = self.reduced_depth::<N>(node, &move_info, new_depth);
                score = -self.search::<NonPvNode>(-low - 1, -low, reduced_depth, ply + 1, true);
                if score > low && reduced_depth < new_depth {
                    score = -self.search::<NonPvNode>(-low - 1, -low, new_depth, ply + 1, !cut);
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
                    self.root.update_pv(self.iteration, score, Bound::of(score, node.alpha, beta), &self.lines[0]);
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
            // Mated or stalemated: both lose. But not if a move was left out.
            return if excluded.is_some() { alpha } else { mated_in(ply) };
        }
        let others = tried[..count.min(tried.len())].iter().copied().flatten();
        self.update_histories(node, best, best_move, others);
        self.store_tt(best_move, best, Bound::of(best, node.alpha, beta), depth, ply);
        best
    }

    /// Lets the histories and the corrections of the evaluation learn from what became of a node: `tried` are the moves
    /// that were searched and did not cut off.
    fn update_histories(
        &mut self,
        node: &NodeContext,
        best: Score,
        best_move: Option<Move>,
        tried: impl Iterator<Item = Move>,
    ) {
        let &NodeContext { depth, ply, ref previous, .. } = node;
        let is_exact = self.stack[ply].excluded.is_none();
        let bonus = self.tunables().bonus(depth);
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.memory.history.update_on_cutoff(&self.position, mv, tried, previous, ply, bonus);
        }
        // Only a search that corrects its evaluations knows what is still wrong with them.
        let learns = is_exact && self.prunes(Pruning::Large) && !is_decided(best);
        if let Some(eval) = node.eval.filter(|_| learns) {
            // A bound on the same side of the evaluation says nothing of it, and what a capture wins is no fault of its.
            let is_news = match Bound::of(best, node.alpha, node.beta) {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if is_news && best_move.is_none_or(|mv| !self.position.is_capture(mv)) {
                self.memory.correction_history.update(previous, best - eval, depth);
            }
        }
    }
}
