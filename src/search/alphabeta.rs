//! Principal variation search: alpha-beta with null windows off the principal variation.

use super::history::Before;
use super::picker::Picker;
use super::pruning::Pruning;
use super::report::Bound;
use super::shortcuts::guess;
use super::worker::Worker;
use crate::types::score::{INFINITE, RULE_BOUND, is_decided, mate_in, mated_in};
use crate::types::{MAX_PLY, Move, Score};

/// Most that a rise of the evaluation is worth to a history.
const MOST_RISE: i32 = 1_200;

/// Kinds of nodes.
pub trait Node {
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
pub struct NullWindow;

impl Node for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for PvNode {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for NullWindow {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known of a node when its moves are to be searched.
pub struct Site {
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
    pub hash_move: Option<Move>,
    pub hash_captures: bool,
    /// How the hash move changes its own depth, in plies.
    pub hash_extension: i32,
    pub killers: [Option<Move>; 2],
    /// The steps that led here.
    pub before: Before,
}

impl Worker<'_> {
    /// The value of the present position, `ply` plies from the root, searched `depth` plies deep: exact inside the
    /// window, a bound outside (fail-soft). `cut`: a move that refutes the position is expected.
    pub fn search<N: Node>(&mut self, mut alpha: Score, mut beta: Score, depth: i32, ply: usize, cut: bool) -> Score {
        let in_check = self.position.in_check();
        if N::PV {
            self.lines[ply].clear();
        }
        if depth <= 0 && !in_check {
            return self.quiesce::<N>(alpha, beta, ply, self.tunables().quiescence_checks());
        }
        let depth = depth.max(1);
        if self.must_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);

        if !N::ROOT {
            if let Some(score) = self.decided(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.look(None, ply).unwrap_or(0);
            }
            // Even a mate right here is no better than one found already.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let (hash_move, entry) = self.known();
        let hash_move = if N::ROOT { self.root.lines[self.root.current].head() } else { hash_move };
        let excluded = self.frames[ply].excluded;
        let deep = entry.filter(|entry| !N::PV && excluded.is_none() && entry.depth as i32 >= depth);
        if let Some(score) = deep.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            return score;
        }

        let eval = self.look(entry, ply);
        self.frames[ply].eval = eval;
        if excluded.is_none() {
            self.judge_last(ply);
        }
        let improving = eval.is_some_and(|eval| self.is_improving(ply, eval));
        self.memory.history.clear_killers(ply + 1);
        self.frames[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.frames[1].cutoffs = 0;
        }

        if let Some(eval) = eval.filter(|_| !N::PV && excluded.is_none()) {
            let guess = guess(eval, entry, ply);
            if let Some(score) = self.leave_early(guess, beta, depth, ply, improving) {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        let compares = !N::ROOT && excluded.is_none() && self.prunes(Pruning::Small);
        let hash_extension = if compares { self.hash_extension(beta, depth, ply, cut, entry) } else { 0 };
        if self.stopped {
            return 0;
        }
        self.search_moves::<N>(&Site {
            alpha,
            beta,
            depth,
            ply,
            cut,
            eval: self.frames[ply].eval,
            improving,
            hash_move,
            hash_captures: hash_move.is_some_and(|mv| self.position.is_capture(mv)),
            hash_extension,
            killers: self.memory.history.killers(ply),
            before: self.before(ply),
        })
    }

    /// A quiet move that made its player's evaluation rise is worth trying elsewhere.
    fn judge_last(&mut self, ply: usize) {
        let Some(step) = self.last_quiet(ply) else { return };
        let (Some(before), Some(after)) = (self.frames[ply - 1].eval, self.frames[ply].eval) else { return };
        let bonus = (-(before + after) * self.tunables().bonus_rise()).clamp(-MOST_RISE, MOST_RISE);
        self.memory.history.learn_alone(step, bonus);
    }

    /// Searches the moves of a node, the first with the full window, the others with a null window until one beats it.
    fn search_moves<N: Node>(&mut self, site: &Site) -> Score {
        let &Site { mut alpha, beta, depth, ply, cut, .. } = site;
        let excluded = self.frames[ply].excluded;
        let buffer = &mut self.memory.buffers[ply];
        let mut picker = Picker::new(&self.position, buffer, site.hash_move, site.killers, site.before);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried: [Option<Move>; 48] = [None; 48];

        while let Some(mv) = picker.next(&self.position, &self.memory.history, &mut self.memory.buffers[ply]) {
            if Some(mv) == excluded || N::ROOT && self.root.is_left_out(mv) {
                continue;
            }
            count += 1;
            self.send_for(mv);
            let candidate = self.candidate(site, mv, count);
            if !N::ROOT
                && best > -RULE_BOUND
                && let Some(most) = self.leave_out(site, &candidate, alpha, &mut picker)
            {
                best = best.max(most);
                continue;
            }
            if N::ROOT {
                self.report_current_move(mv, count);
            }

            let nodes = self.nodes;
            self.make(mv, ply);
            let new_depth = depth - 1 + self.extension(site, &candidate);
            // The searcher's whims move the window instead of the score, which is added to at the end.
            let whim = if N::ROOT && alpha < RULE_BOUND { self.root.whim(mv) } else { 0 };
            let (low, high) = (alpha - whim, beta - whim);
            let mut score = -INFINITE;
            let mut is_open = N::PV && count == 1;
            if !is_open {
                let reduced = self.reduced::<N>(site, &candidate, new_depth);
                score = -self.search::<NullWindow>(-low - 1, -low, reduced, ply + 1, true);
                if score > low && reduced < new_depth {
                    score = -self.search::<NullWindow>(-low - 1, -low, new_depth, ply + 1, !cut);
                }
                is_open = N::PV && score > low;
            }
            if is_open {
                score = -self.search::<PvNode>(-high, -low, new_depth, ply + 1, false);
            }
            if !is_decided(score) {
                score += whim;
            }
            self.undo();
            if N::ROOT {
                self.root.note_effort(mv, self.nodes - nodes);
            }
            if self.stopped {
                return 0;
            }

            best = best.max(score);
            if score > alpha {
                best_move = Some(mv);
                alpha = score;
                if N::PV {
                    self.note_line(mv, ply);
                }
                if N::ROOT {
                    self.root.note_line(self.iteration, score, Bound::of(score, site.alpha, beta), &self.lines[0]);
                }
                if score >= beta {
                    self.frames[ply].cutoffs += 1;
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
        self.learn(site, best, best_move, others);
        self.note_entry(best_move, best, Bound::of(best, site.alpha, beta), depth, ply);
        best
    }

    /// Lets the histories and the corrections of the evaluation learn from what became of a node: `tried` are the moves
    /// that were searched and did not cut off.
    fn learn(&mut self, site: &Site, best: Score, best_move: Option<Move>, tried: impl Iterator<Item = Move>) {
        let &Site { depth, ply, ref before, .. } = site;
        let is_whole = self.frames[ply].excluded.is_none();
        let bonus = self.tunables().bonus(depth);
        if let Some(mv) = best_move.filter(|_| best >= site.beta) {
            self.memory.history.reward(&self.position, mv, tried, before, ply, bonus);
        }
        // Only a search that corrects its evaluations knows what is still wrong with them.
        let learns = is_whole && self.prunes(Pruning::Large) && !is_decided(best);
        if let Some(eval) = site.eval.filter(|_| learns) {
            // A bound on the same side of the evaluation says nothing of it, and what a capture wins is no fault of its.
            let is_news = match Bound::of(best, site.alpha, site.beta) {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if is_news && best_move.is_none_or(|mv| !self.position.is_capture(mv)) {
                self.memory.corrections.learn(before, best - eval, depth);
            }
        }
    }
}
