//! Finding the move (L4).
//!
//! | module | what it owns |
//! |---|---|
//! | [`limits`] | what bounds a search: depth, nodes, clock, banned moves |
//! | [`settings`] | how a search goes about its work |
//! | [`signals`] | what reaches a search from outside while it runs |
//! | [`report`] | what a search says while it runs and when it ends |
//! | [`transposition`] | the table of positions already searched |
//! | [`clock`] | how long to think |
//! | `smp` | the threads of a search, and how they agree on a move |
//! | `root` | the moves that take part, and the best lines found |
//! | `worker` | one thread's search: position, memory, when to stop |
//! | `alphabeta` | principal variation search |
//! | `quiescence` | captures until the position is quiet |
//! | `shortcuts` | what is found out about a node before its moves are searched |
//! | `selectivity` | which moves are searched, and how deeply |
//! | [`pruning`] | margins and reductions, as formulas |
//! | [`tunables`] | the numbers in them |
//! | [`picker`] | moves in the order they are worth trying |
//! | [`history`] | what earlier parts of the search say about moves |
//! | `correction_history` | by how much evaluations after the same steps were wrong |

mod alphabeta;
mod correction_history;
mod extensions;
pub mod history;
mod lazy_smp;
pub mod limits;
mod move_pruning;
mod node;
mod null_move;
pub mod picker;
pub mod pruning;
mod quiescence;
mod reductions;
pub mod report;
mod reverse_futility;
mod root;
pub mod settings;
pub mod signals;
mod singular;
mod stack;
pub mod time_management;
pub mod transposition;
pub mod tunables;
mod worker;

use crate::types::Bound;

use crate::position::Position;
use crate::types::score::{INFINITE, is_mate, mated_in, plies_to_mate};
use crate::types::{MAX_PLY, Move, Score};
use lazy_smp::{SmpState, ThreadResult};
use limits::Limits;
use node::RootNode;
use report::{Iteration, Line, Report, SearchResult, StopReason};
use root::RootLine;
use settings::MAX_THREADS;
use signals::Signals;
use std::panic::resume_unwind;
use std::thread;
use transposition::TranspositionTable;
use worker::{REPORT_AFTER, Worker, WorkerMemory};

/// First iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

/// A searcher with what it remembers from one move to the next besides the table.
pub struct Searcher {
    /// One for each thread, the leader's first.
    memories: Vec<WorkerMemory>,
}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new() -> Searcher {
        Searcher { memories: vec![WorkerMemory::new()] }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        for memory in &mut self.memories {
            memory.history.clear();
            memory.correction_history.clear();
        }
    }

    /// Prepares for searches with `threads` threads, clamped to 1 to [`MAX_THREADS`].
    pub fn prepare(&mut self, threads: usize) {
        self.memories.resize_with(threads.clamp(1, MAX_THREADS), WorkerMemory::new);
    }

    /// Searches `position` and returns the move to play. Pondering and unlimited searches return only when the signals
    /// say so (or, unlimited, at a proven mate), and so does what the limits tell to wait. `report` is called from this
    /// thread as the search goes on.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Report),
    ) -> SearchResult {
        table.next_search();
        self.prepare(limits.settings.threads);
        let tunables = &limits.settings.tunables;
        self.memories.iter_mut().for_each(|memory| memory.history.next_search(tunables));
        let smp = &SmpState::new(self.memories.len());
        let (memory, others) = self.memories.split_first_mut().expect("invariant: there is a thread");
        let mut main_worker = Worker::new(position, memory, table, signals, limits, report, (smp, 0));
        let results = thread::scope(|scope| {
            // Whatever becomes of the leader, its helpers come to an end.
            let _end = smp.finish_when_dropped();
            let gate = smp.hold();
            let helper = |(number, memory)| {
                let search = move || {
                    smp.wait();
                    let mut silence = |_| {};
                    let membership = (smp, number);
                    Worker::new(position, memory, table, signals, limits, &mut silence, membership).run()
                };
                // What the system refuses to start does not help.
                thread::Builder::new().spawn_scoped(scope, search).ok()
            };
            let helpers: Vec<_> = (1..).zip(others).filter_map(helper).collect();
            drop(gate);
            let mut results = vec![main_worker.run()];
            main_worker.wait_until_allowed_to_answer();
            smp.finish();
            results
                .extend(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))));
            results
        });
        main_worker.adopt_best_thread(&results);
        let best = main_worker.root.line(&main_worker.root.lines[0]);
        let fallback = || position.legal_moves().iter().find(|mv| !main_worker.root.banned.contains(mv));
        let mv = best.pv.first().copied().or_else(fallback);
        SearchResult {
            best: mv,
            // A line broken off may have no second move, where the table knows one.
            ponder: best.pv.get(1).copied().or_else(|| mv.and_then(|mv| reply(position, mv, table))),
            score: best.score,
            depth: results[0].depth as u32,
            nodes: smp.nodes(),
            stop_reason: main_worker.stop_reason,
        }
    }
}

/// What the table thinks of as the answer to `mv`.
fn reply(position: &Position, mv: Move, table: &TranspositionTable) -> Option<Move> {
    let mut after = position.clone();
    after.make(mv, &mut ());
    table.probe(after.key()).and_then(|entry| entry.mv).filter(|&reply| after.is_legal(reply))
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Worker<'_> {
    /// Searches until a limit is met; what it came to.
    fn run(&mut self) -> ThreadResult {
        let depth = self.iterative_deepening();
        self.count();
        ThreadResult { depth, line: self.root.lines[0].clone() }
    }

    /// Goes by what the team found instead of the own finding, if a better move is among it.
    fn adopt_best_thread(&mut self, results: &[ThreadResult]) {
        let Some(best) = lazy_smp::choose(results).filter(|_| self.shares_iterations()) else { return };
        if best.line.first_move() != self.root.lines[0].first_move() {
            self.root.lines[0] = best.line.clone();
            self.report_lines();
            (self.report)(Report::Waiting);
        }
    }

    /// Searches deeper and deeper until a limit is met; the last depth completed.
    fn iterative_deepening(&mut self) -> i32 {
        let deepest = self.limits.depth.map_or(MAX_PLY as i32, |depth| depth.clamp(1, MAX_PLY as u32) as i32);
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            self.root.lines[0].noisy_score = mated_in(0);
            self.stop_reason = StopReason::NoMove;
            return 0;
        }
        let choices = legal.iter().filter(|mv| !self.root.banned.contains(mv)).count();
        let lines = self.limits.settings.lines.clamp(1, choices);
        self.root.lines.resize(lines, RootLine::default());
        let mut stable = 0;
        let mut completed = 0;
        while completed < deepest {
            self.iteration = (completed + 1 + self.depth_offset()).min(deepest);
            self.selective_depth = 0;
            let (old_best, old_score) = (self.root.lines[0].first_move(), self.root.lines[0].noisy_score);
            for current in 0..lines {
                self.search_line(current, self.iteration);
            }
            if let Some(found) = self.adopted.take() {
                (self.iteration, self.root.lines[0]) = (found.depth, found.line);
                self.stopped = false;
            } else if self.stopped {
                break;
            } else if self.shares_iterations() {
                self.smp.publish(ThreadResult { depth: self.iteration, line: self.root.lines[0].clone() });
            }
            completed = self.iteration;
            self.report_lines();
            stable = if old_best == self.reported { stable + 1 } else { 0 };
            if let Some(stop_reason) = self.reason_to_stop(choices, stable, old_score - self.root.lines[0].noisy_score)
            {
                self.stop_reason = stop_reason;
                break;
            }
        }
        // Broken off after the best move had changed: the last line said must be the one played.
        if self.root.lines[0].first_move() != self.reported {
            self.report_lines();
        }
        completed
    }

    /// One iteration of one line, that of the best move when the first moves of the `current` better lines are left out.
    fn search_line(&mut self, current: usize, depth: i32) {
        if self.stopped {
            return;
        }
        self.root.current = current;
        let displaced = self.root.lines[current].clone();
        self.aspiration_search(depth);
        // The move found may have headed a worse line so far. Then that line gets the move it took the place of.
        let first_move = self.root.lines[current].first_move();
        let worse = self.root.lines[current + 1..]
            .iter_mut()
            .find(|line| first_move.is_some() && line.first_move() == first_move);
        if let Some(worse) = worse {
            *worse = displaced;
        }
        if !self.stopped {
            self.root.lines[..=current].sort_by_key(|line| std::cmp::Reverse(line.noisy_score));
        }
    }

    /// One iteration: with a narrow window around the last score, widened on the side where it fails.
    fn aspiration_search(&mut self, depth: i32) {
        let last = &self.root.lines[self.root.current];
        let mut width = self.tunables().aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && !is_mate(last.noisy_score) && !last.pv.is_empty() {
            (alpha, beta) = (last.noisy_score - width, last.noisy_score + width);
        }
        loop {
            let score = self.search::<RootNode>(alpha, beta, depth, 0, false);
            if self.stopped || (alpha < score && score < beta) {
                return;
            }
            self.report_failure(depth, score, Bound::of(score, alpha, beta));
            width += width;
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1_000 { -INFINITE } else { score - width };
            } else {
                beta = if width > 1_000 { INFINITE } else { score + width };
            }
        }
    }

    /// Why the iteration just completed was the last, if it was.
    fn reason_to_stop(&mut self, choices: usize, stable: u32, drop: Score) -> Option<StopReason> {
        let noisy_score = self.root.lines[0].noisy_score;
        let mate = plies_to_mate(noisy_score);
        if self
            .limits
            .mate
            .is_some_and(|moves| noisy_score > 0 && mate.is_some_and(|plies| plies < moves.saturating_mul(2)))
        {
            return Some(StopReason::Mate);
        }
        let is_proven = mate.is_some_and(|plies| plies as i32 <= self.iteration);
        if let Some(budget) = self.budget.filter(|budget| !budget.is_fixed) {
            let why = |spent| {
                let is_forced = choices == 1 && self.iteration >= 8;
                let is_late = spent >= budget.soft_for(stable, drop, self.root.best_move_effort());
                let reasons =
                    [(is_proven, StopReason::Mate), (is_forced, StopReason::OnlyMove), (is_late, StopReason::Time)];
                reasons.into_iter().find_map(|(holds, stop_reason)| holds.then_some(stop_reason))
            };
            // Pondering goes on until the opponent has moved, but then need not take our time as well.
            let Some(spent) = self.spent() else {
                self.ponder_done = why(self.signals.started().elapsed()).is_some();
                return None;
            };
            return why(spent);
        }
        let ends = self.limits.is_unlimited() && !self.limits.waits;
        (ends && is_proven && self.iteration > 8).then_some(StopReason::Mate)
    }

    /// Says what the best lines are.
    fn report_lines(&mut self) {
        let found = self.root.lines.iter().filter(|line| !line.pv.is_empty());
        let lines = found.map(|line| self.root.line(line)).collect();
        self.report_iteration(lines);
    }

    /// Says that the best line failed: only when the search has taken long, for it is being searched again.
    fn report_failure(&mut self, depth: i32, noisy_score: Score, bound: Bound) {
        let is_slow = self.signals.started().elapsed() >= REPORT_AFTER;
        let line = &self.root.lines[0];
        if is_slow && self.root.current == 0 && !line.pv.is_empty() {
            let line = self.root.line(&RootLine { noisy_score, bound, depth, pv: line.pv.clone() });
            self.report_iteration(vec![line]);
        }
    }

    fn report_iteration(&mut self, lines: Vec<Line>) {
        self.reported = lines.first().and_then(|line| line.pv.first()).copied();
        self.count();
        (self.report)(Report::Iteration(Iteration {
            selective_depth: self.selective_depth as u32,
            lines,
            nodes: self.smp.nodes(),
            elapsed: self.signals.started().elapsed(),
            hashfull: self.table.hashfull(),
        }));
    }

    /// Sleeps where an answer would come too early: pondering before the ponder hit, unlimited without a proven mate, or where
    /// the limits say that it waits.
    fn wait_until_allowed_to_answer(&mut self) {
        (self.report)(Report::Waiting);
        let best = &self.root.lines[0];
        if self.limits.ponder {
            self.signals.wait(true);
        }
        let is_over = best.pv.is_empty() || is_mate(best.noisy_score);
        if self.limits.waits || self.limits.is_unlimited() && !self.limits.ponder && !is_over {
            self.signals.wait(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transposition::Entry;

    #[test]
    fn replies_are_asked_of_the_table() {
        let (position, table) = (Position::start(), TranspositionTable::new(1).unwrap());
        let mv = "h2e2".parse().unwrap();
        let mut after = position.clone();
        after.make(mv, &mut ());
        assert_eq!(reply(&position, mv, &table), None);
        for (text, legal) in [("h9g7", true), ("h0g2", false)] {
            let answer: Move = text.parse().unwrap();
            let entry = Entry { mv: Some(answer), score: 0, depth: 3, bound: Bound::Exact, eval: None };
            table.store(after.key(), entry);
            assert_eq!(reply(&position, mv, &table), legal.then_some(answer), "{text}");
        }
    }
}
