//! Principal variation search: alpha-beta with null windows off the principal variation.

use super::picker::Picker;
use super::pruning::{self, Pruning};
use super::report::Bound;
use super::transposition::{Entry, from_table};
use super::worker::Worker;
use crate::types::score::{INFINITE, MATE_BOUND, RULE_BOUND, is_decided, mate_in, mated_in};
use crate::types::{MAX_PLY, Move, Score};

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

/// What searching the other moves says of the hash move.
enum Rivals {
    /// Another one refutes the position as well: this is a bound on its value.
    Refute(Score),
    /// Plies by which to extend it.
    Extend(i32),
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
            return self.quiesce::<N>(alpha, beta, ply, true);
        }
        let mut depth = depth.max(1);
        if self.must_stop() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);

        if !N::ROOT {
            if let Some(score) = self.decided(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if in_check { 0 } else { self.evaluate() };
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

        let eval = if in_check { None } else { Some(self.evaluate()) };
        self.frames[ply].eval = eval;
        let improving = eval.is_some_and(|eval| self.is_improving(ply, eval));
        self.memory.history.clear_killers(ply + 1);

        if let Some(eval) = eval.filter(|_| !N::PV && excluded.is_none()) {
            // The table's score is a better guess than the static evaluation where it bounds it.
            let guess = entry.map_or(eval, |entry| {
                let score = from_table(entry.score, ply);
                match entry.bound {
                    Bound::Exact => score,
                    Bound::Lower => score.max(eval),
                    Bound::Upper => score.min(eval),
                }
            });
            if let Some(score) = self.leave_early(guess, alpha, beta, depth, ply, improving) {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        let is_unknown = hash_move.is_none() && (N::PV || cut);
        if is_unknown && depth >= pruning::NO_HASH_MOVE_DEPTH && self.prunes(Pruning::Small) {
            depth -= 1;
        }
        self.search_moves::<N>(alpha, beta, depth, ply, cut, hash_move, entry, improving)
    }

    /// Reasons to leave a null-window node before any move is searched: far above beta, far below alpha, or good enough
    /// even after passing.
    fn leave_early(
        &mut self,
        guess: Score,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        improving: bool,
    ) -> Option<Score> {
        let is_plain = |score: Score| score.abs() < RULE_BOUND;
        // While a null move is verified only moves count.
        let is_verifying = ply < self.null_moves_from;
        if depth <= pruning::REVERSE_FUTILITY_DEPTH
            && self.prunes(Pruning::Large)
            && !is_verifying
            && is_plain(beta)
            && is_plain(guess)
            && guess - pruning::reverse_futility_margin(depth, improving) >= beta
        {
            return Some(guess);
        }
        let is_hopeless = depth <= pruning::RAZORING_DEPTH && guess + pruning::razoring_margin(depth) < alpha;
        if is_hopeless && self.prunes(Pruning::Large) {
            let score = self.quiesce::<NullWindow>(alpha, alpha + 1, ply, true);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        let passed_before = ply > 0 && self.frames[ply - 1].step.is_none();
        if depth >= pruning::NULL_MOVE_DEPTH
            && self.prunes(Pruning::Medium)
            && guess >= beta
            && beta > -RULE_BOUND
            && !passed_before
            && !is_verifying
            && self.position.has_pieces(self.position.side())
        {
            return self.pass(guess, beta, depth, ply);
        }
        None
    }

    /// Passes the turn: if the position still is too good, a move will be too. Where having to move could hurt (few
    /// pieces) or much depends on it (deep), a search without null moves confirms it.
    fn pass(&mut self, guess: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let reduced = depth - pruning::null_move_reduction(depth, guess - beta);
        self.frames[ply].step = None;
        self.nodes += 1;
        self.position.make_null(&mut self.evaluator);
        let score = -self.search::<NullWindow>(-beta, 1 - beta, reduced, ply + 1, false);
        self.undo();
        if self.stopped || score < beta {
            return None;
        }
        let score = if score >= RULE_BOUND { beta } else { score };
        let few_pieces = self.position.piece_count(self.position.side()) < 2;
        if self.null_moves_from > 0 || (depth < 12 && !few_pieces) {
            return Some(score);
        }
        let reduced = reduced.max(1);
        self.null_moves_from = ply + 1 + reduced as usize * 3 / 4;
        let confirmed = self.search::<NullWindow>(beta - 1, beta, reduced, ply, false);
        self.null_moves_from = 0;
        (confirmed >= beta && !self.stopped).then_some(score)
    }

    /// Whether the hash move, which the table says is good, is the only good one: the others are searched less deeply
    /// against a bound somewhat below its score. The idea is from Anantharaman, Campbell and Hsu, "Singular Extensions"
    /// (1990), in the form of Stockfish.
    fn look_for_rivals<N: Node>(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
        entry: Option<Entry>,
    ) -> Rivals {
        let none = Rivals::Extend(0);
        let Some(entry) = entry.filter(|entry| {
            depth >= pruning::SINGULAR_DEPTH && entry.bound != Bound::Upper && entry.depth as i32 >= depth - 3
        }) else {
            return none;
        };
        let Some(mv) = entry.mv.filter(|&mv| self.position.is_legal(mv)) else { return none };
        let score = from_table(entry.score, ply);
        if is_decided(score) {
            return none;
        }
        let bar = score - pruning::singular_margin(depth);
        self.frames[ply].excluded = Some(mv);
        let others = self.search::<NullWindow>(bar - 1, bar, (depth - 1) / 2, ply, cut);
        self.frames[ply].excluded = None;
        if others < bar {
            let is_far = !N::PV && others < bar - pruning::DOUBLE_MARGIN;
            Rivals::Extend(1 + is_far as i32)
        } else if bar >= beta && self.prunes(Pruning::Medium) {
            Rivals::Refute(bar)
        } else if score >= beta {
            Rivals::Extend(-1)
        } else {
            none
        }
    }

    /// Searches the moves of a node, the first with the full window, the others with a null window until one beats it.
    #[allow(clippy::too_many_arguments, reason = "the state of one node")]
    fn search_moves<N: Node>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
        hash_move: Option<Move>,
        entry: Option<Entry>,
        improving: bool,
    ) -> Score {
        let in_check = self.position.in_check();
        let (old_alpha, eval) = (alpha, self.frames[ply].eval);
        let killers = self.memory.history.killers(ply);
        let before = self.before(ply);
        let excluded = self.frames[ply].excluded;
        let mut hash_extension = 0;
        if !N::ROOT && excluded.is_none() && self.prunes(Pruning::Small) {
            match self.look_for_rivals::<N>(beta, depth, ply, cut, entry) {
                Rivals::Refute(score) => return score,
                Rivals::Extend(plies) => hash_extension = plies,
            }
            if self.stopped {
                return 0;
            }
        }
        let mut picker = Picker::new(&self.position, &mut self.memory.buffers[ply], hash_move, killers, before);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried: [Option<Move>; 48] = [None; 48];

        while let Some(mv) = picker.next(&self.position, &self.memory.history, &mut self.memory.buffers[ply]) {
            if N::ROOT && self.root.is_left_out(mv) {
                continue;
            }
            if Some(mv) == excluded {
                continue;
            }
            count += 1;
            let is_capture = self.position.is_capture(mv);
            let piece = self.position.piece_at(mv.from());
            let merit = match piece {
                Some(piece) if !is_capture => self.memory.history.quiet(piece, mv, before),
                _ => self.memory.history.capture(&self.position, mv),
            };
            let mut reduction = if self.prunes(Pruning::Small) { self.memory.reductions.of(depth, count) } else { 0 };

            if !N::ROOT && best > -MATE_BOUND && self.prunes(Pruning::Large) {
                let lean_depth = (depth - reduction).max(0);
                if !is_capture && !in_check {
                    if depth <= pruning::LATE_MOVE_DEPTH && count > pruning::late_move_count(depth, improving) {
                        picker.skip_quiets();
                    }
                    if lean_depth <= pruning::HISTORY_DEPTH && merit < pruning::history_margin(lean_depth) {
                        continue;
                    }
                    let reach = eval.unwrap_or(0) + pruning::futility_margin(lean_depth);
                    if lean_depth <= pruning::FUTILITY_DEPTH && reach <= alpha {
                        best = best.max(reach);
                        picker.skip_quiets();
                        continue;
                    }
                }
                let margin_depth = if is_capture { depth } else { lean_depth };
                if depth <= pruning::EXCHANGE_DEPTH
                    && self.position.exchange(mv) < pruning::exchange_margin(margin_depth, is_capture)
                    && !self.position.gives_check(mv)
                {
                    continue;
                }
            }
            if N::ROOT {
                self.report_current_move(mv, count);
            }

            self.make(mv, ply);
            let gives_check = self.position.in_check();
            // A check must be answered: the reply costs no depth, within reason.
            let is_near = ply < 2 * self.iteration as usize;
            let extension = match hash_extension {
                plies if plies != 0 && Some(mv) == hash_move && is_near => plies,
                _ => (gives_check && is_near) as i32,
            };
            let new_depth = depth - 1 + extension;

            // The searcher's whims move the window instead of the score, which is added to at the end.
            let whim = if N::ROOT && alpha < RULE_BOUND { self.root.whim(mv) } else { 0 };
            let (low, high) = (alpha - whim, beta - whim);
            let mut score = -INFINITE;
            let mut is_open = N::PV && count == 1;
            if !is_open {
                let is_late =
                    depth >= pruning::REDUCTION_DEPTH && count > 1 + N::PV as usize && self.prunes(Pruning::Small);
                let mut reduced = new_depth;
                if is_late && !(is_capture && count <= 4) {
                    reduction += cut as i32 - N::PV as i32 + !improving as i32 - gives_check as i32;
                    reduction -= killers.contains(&Some(mv)) as i32;
                    reduction -= merit / 8_192;
                    reduction -= is_capture as i32;
                    reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
                }
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
            if self.stopped {
                return 0;
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if N::PV {
                        self.note_line(mv, ply);
                    }
                    if N::ROOT {
                        let line = &mut self.root.lines[self.root.current];
                        line.worth = score;
                        line.bound = Bound::of(score, old_alpha, beta);
                        line.pv.clone_from(&self.lines[0]);
                    }
                    if score >= beta {
                        break;
                    }
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
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            let tried = tried[..count.min(tried.len())].iter().copied().flatten().filter(|&other| other != mv);
            self.memory.history.reward(&self.position, mv, tried, before, ply, depth);
        }
        let bound = Bound::of(best, old_alpha, beta);
        if let Some(eval) = eval.filter(|_| excluded.is_none() && !is_decided(best)) {
            // A bound on the same side of the evaluation says nothing of it, and what a capture wins is no fault of its.
            let is_news = match bound {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if is_news && best_move.is_none_or(|mv| !self.position.is_capture(mv)) {
                self.memory.corrections.learn(&self.position, best - eval, depth);
            }
        }
        self.note_entry(best_move, best, bound, depth, ply);
        best
    }
}
