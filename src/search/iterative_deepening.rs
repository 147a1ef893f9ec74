//! Iterative deepening of one thread: iterations, multi-PV lines, aspiration windows, when to stop after an iteration, and
//! the line that the answer begins with.

use super::alphabeta::RootNode;
use super::lazy_smp::{self, ThreadResult};
use super::report::{Iteration, Line, Report, StopReason};
use super::root::RootLine;
use super::statistics::Event;
use super::transposition::TranspositionTable;
use super::worker::{Params, REPORT_AFTER, Worker};
use crate::position::Position;
use crate::types::score::{DECIDED_BOUND, INFINITE, is_decided, is_mate, mated_in, plies_to_mate};
use crate::types::{Bound, MAX_PLY, Move, Score};
use std::cmp::Reverse;

/// First iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

impl Worker<'_> {
    /// Runs the search of this thread until a limit is reached.
    pub(super) fn run(&mut self) -> ThreadResult {
        let depth = self.iterative_deepening();
        self.control.smp.count(self.control.thread_id, self.nodes, self.tb_hits);
        ThreadResult { depth, line: self.root.lines[0].clone() }
    }

    /// Adopts the result of the thread with the best move (Lazy SMP).
    pub(super) fn adopt_best_thread(&mut self, results: &[ThreadResult]) {
        let Some(best) = lazy_smp::best_thread(results).filter(|_| self.control.shares_iterations()) else { return };
        if best.line.first_move() != self.root.lines[0].first_move() {
            self.root.lines[0] = best.line.clone();
            self.complete_best_line();
            (self.report)(Report::Waiting);
        }
    }

    /// Makes the best line begin with the move and the ponder move of the answer, and reports it unless it is the line
    /// last reported. A search that was stopped before its first result has no line: then any move, and the static
    /// evaluation. The PV of an unfinished iteration may have one move only: then the reply of the transposition table.
    pub(super) fn complete_best_line(&mut self) {
        if self.root.lines[0].pv.is_empty() {
            let Some(mv) = self.position.legal_moves().iter().find(|mv| !self.root.banned.contains(mv)) else { return };
            let score = self.evaluator.evaluate(&self.position) + self.root.noise(mv);
            self.root.current = 0;
            self.root.update_pv(0, score, Bound::Exact, &[mv]);
        }
        let pv = &mut self.root.lines[0].pv;
        if let &[mv] = &pv[..] {
            pv.extend(reply(&self.position, mv, &self.params, self.table));
        }
        if self.reported.as_ref() != Some(&self.root.line(&self.root.lines[0])) {
            self.report_lines();
        }
    }

    /// Iterative deepening until a limit is reached. Returns the last depth completed.
    fn iterative_deepening(&mut self) -> i32 {
        let max_depth = self.control.limits.depth.map_or(MAX_PLY as i32, |depth| depth.clamp(1, MAX_PLY as u32) as i32);
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            self.root.lines[0].noisy_score = mated_in(0);
            self.control.stop_reason = StopReason::NoMove;
            return 0;
        }
        let choices = legal.iter().filter(|mv| !self.root.banned.contains(mv)).count();
        let lines = self.control.limits.settings.lines.clamp(1, choices);
        self.root.lines.resize(lines, RootLine::default());
        let mut stable = 0;
        let mut completed = 0;
        while completed < max_depth {
            self.iteration = (completed + 1 + self.control.depth_offset()).min(max_depth);
            self.selective_depth = 0;
            let (old_best, old_score) = (self.root.lines[0].first_move(), self.root.lines[0].noisy_score);
            for current in 0..lines {
                self.search_line(current, self.iteration);
            }
            if let Some(found) = self.control.completed_elsewhere.take() {
                (self.iteration, self.root.lines[0]) = (found.depth, found.line);
                self.control.stopped = false;
            } else if self.control.stopped {
                break;
            } else if self.control.shares_iterations() {
                self.control.smp.publish(ThreadResult { depth: self.iteration, line: self.root.lines[0].clone() });
            }
            completed = self.iteration;
            self.report_lines();
            stable = if old_best == self.root.lines[0].first_move() { stable + 1 } else { 0 };
            if let Some(stop_reason) = self.reason_to_stop(choices, stable, old_score - self.root.lines[0].noisy_score)
            {
                self.control.stop_reason = stop_reason;
                break;
            }
        }
        completed
    }

    /// One iteration of one multi-PV line: the first moves of the `current` better lines are excluded.
    fn search_line(&mut self, current: usize, depth: i32) {
        if self.control.stopped {
            return;
        }
        self.root.current = current;
        let displaced = self.root.lines[current].clone();
        self.aspiration_search(depth);
        // A loss that an unfinished iteration has found is that of the moves searched so far: the last line stands (Stockfish).
        let line = &mut self.root.lines[current];
        let is_loss = line.noisy_score < displaced.noisy_score && line.noisy_score <= -DECIDED_BOUND;
        if self.control.stopped && is_loss && !displaced.pv.is_empty() {
            *line = displaced.clone();
        }
        // If a worse line began with this move, that line gets the one displaced here.
        let first_move = self.root.lines[current].first_move();
        let worse = self.root.lines[current + 1..]
            .iter_mut()
            .find(|line| first_move.is_some() && line.first_move() == first_move);
        if let Some(worse) = worse {
            *worse = displaced;
        }
        if self.control.stopped {
            // Those that this iteration did not reach are of the last one.
            self.root.lines.sort_by_key(|line| (Reverse(line.depth), Reverse(line.noisy_score)));
        } else {
            self.root.lines[..=current].sort_by_key(|line| Reverse(line.noisy_score));
        }
    }

    /// One iteration with an aspiration window around the last score, widened on the side where it fails.
    fn aspiration_search(&mut self, depth: i32) {
        let last = &self.root.lines[self.root.current];
        let mut width = self.params.tunables.aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && !is_decided(last.noisy_score) && !last.pv.is_empty() {
            (alpha, beta) = (last.noisy_score - width, last.noisy_score + width);
        }
        // After each fail high the next search is a ply shallower (Stockfish): the move is found, its score need not be exact.
        let mut fail_highs = 0;
        loop {
            let depth = (depth - fail_highs).max(1);
            let score = self.search::<RootNode>(alpha, beta, depth, 0, false);
            if alpha > -INFINITE {
                self.statistics.count(Event::AspirationWindow);
            }
            if self.control.stopped || (alpha < score && score < beta) {
                return;
            }
            self.report_failure(depth, score, Bound::of(score, alpha, beta));
            width += width;
            self.statistics.count(if score <= alpha { Event::AspirationLow } else { Event::AspirationHigh });
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1_000 { -INFINITE } else { score - width };
                fail_highs = 0;
            } else {
                fail_highs += 1;
                beta = if width > 1_000 { INFINITE } else { score + width };
            }
        }
    }

    /// Whether the iteration just completed was the last, and why.
    fn reason_to_stop(&mut self, choices: usize, stable: u32, drop: Score) -> Option<StopReason> {
        let noisy_score = self.root.lines[0].noisy_score;
        let mate = plies_to_mate(noisy_score);
        if self
            .control
            .limits
            .mate
            .is_some_and(|moves| noisy_score > 0 && mate.is_some_and(|plies| plies < moves.saturating_mul(2)))
        {
            return Some(StopReason::Mate);
        }
        if self.control.limits.soft_nodes.is_some_and(|limit| self.nodes >= limit) {
            return Some(StopReason::Nodes);
        }
        let is_proven = mate.is_some_and(|plies| plies as i32 <= self.iteration);
        if let Some(budget) = self.control.budget.filter(|budget| !budget.is_fixed) {
            let reason_at = |spent| {
                let is_forced = choices == 1 && self.iteration >= 8;
                let is_late =
                    spent >= budget.soft_for(stable, drop, self.root.best_move_effort(), self.params.tunables);
                let reasons =
                    [(is_proven, StopReason::Mate), (is_forced, StopReason::OnlyMove), (is_late, StopReason::Time)];
                reasons.into_iter().find_map(|(holds, stop_reason)| holds.then_some(stop_reason))
            };
            // While pondering, the search only notes that it may answer at once after a ponder hit.
            let Some(spent) = self.control.spent(self.nodes) else {
                self.control.ponder_done = reason_at(self.control.signals.started().elapsed()).is_some();
                return None;
            };
            return reason_at(spent);
        }
        let ends = self.control.limits.is_unlimited() && !self.control.limits.waits;
        (ends && is_proven && self.iteration > 8).then_some(StopReason::Mate)
    }

    /// Reports the best lines.
    fn report_lines(&mut self) {
        let found = self.root.lines.iter().filter(|line| !line.pv.is_empty());
        let lines = found.map(|line| self.root.line(line)).collect();
        self.report_iteration(lines);
    }

    /// Reports a fail high or fail low of the best line, once the search has taken [`REPORT_AFTER`].
    fn report_failure(&mut self, depth: i32, noisy_score: Score, bound: Bound) {
        let is_slow = self.control.signals.started().elapsed() >= REPORT_AFTER;
        let line = &self.root.lines[0];
        if is_slow && self.root.current == 0 && !line.pv.is_empty() {
            let line = self.root.line(&RootLine { noisy_score, bound, depth, pv: line.pv.clone() });
            self.report_iteration(vec![line]);
        }
    }

    fn report_iteration(&mut self, lines: Vec<Line>) {
        self.reported = lines.first().cloned();
        self.control.smp.count(self.control.thread_id, self.nodes, self.tb_hits);
        (self.report)(Report::Iteration(Iteration {
            selective_depth: self.selective_depth as u32,
            lines,
            nodes: self.control.smp.nodes(),
            tb_hits: self.control.smp.tb_hits(),
            elapsed: self.control.signals.started().elapsed(),
            hashfull: self.table.hashfull(),
        }));
    }

    /// Waits for a signal where the result must not be returned yet: for the ponder hit when pondering, for a stop in
    /// an unlimited search without a proven mate or when the limits say so.
    pub(super) fn wait_until_allowed_to_answer(&mut self) {
        (self.report)(Report::Waiting);
        let best = &self.root.lines[0];
        if self.control.limits.ponder {
            self.control.signals.wait(true);
        }
        let is_over = best.pv.is_empty() || is_mate(best.noisy_score);
        if self.control.limits.waits || self.control.limits.is_unlimited() && !self.control.limits.ponder && !is_over {
            self.control.signals.wait(false);
        }
    }
}

/// The legal reply to `mv` in the transposition table.
fn reply(position: &Position, mv: Move, params: &Params, table: &TranspositionTable) -> Option<Move> {
    let after = position.after(mv);
    let (key, _) = params.table_key(&after);
    table.probe(key).and_then(|entry| entry.mv).filter(|&reply| after.is_legal(reply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;
    use crate::search::settings::SearchSettings;
    use crate::search::transposition::Entry;

    #[test]
    fn ponder_move_is_the_legal_reply_of_the_table() {
        let (settings, table) = (SearchSettings::default(), TranspositionTable::new(1).unwrap());
        let params = Params::of(&settings);
        let mv = "h2e2".parse().unwrap();
        // Near the move limit, 120 plies without a capture, positions have other keys.
        for start in [START_FEN.to_string(), START_FEN.replace(" 0 1", " 110 90")] {
            let position = Position::from_fen(&start).unwrap();
            let mut after = position.clone();
            after.make(mv);
            assert_eq!(reply(&position, mv, &params, &table), None);
            for (text, legal) in [("h9g7", true), ("h0g2", false)] {
                let answer: Move = text.parse().unwrap();
                let entry =
                    Entry { mv: Some(answer), score: 0, depth: 3, bound: Bound::Exact, eval: None, was_pv: false };
                table.store(params.table_key(&after).0, entry);
                assert_eq!(reply(&position, mv, &params, &table), legal.then_some(answer), "{text}");
            }
        }
    }
}
