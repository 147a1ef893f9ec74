//! The search (L4).
//!
//! Principal variation search (PVS) with iterative deepening, aspiration windows, a shared transposition table (TT) and
//! Lazy SMP.
//!
//! | module | contents |
//! |---|---|
//! | [`limits`] | limits of a search: depth, nodes, clock, banned root moves |
//! | [`settings`] | threads, multi-PV, pruning grade, contempt, root noise |
//! | [`signals`] | stop, ponder hit and draw offer, from other threads |
//! | `table_lines` | lines to a mate completed by the endgame tables |
//! | [`report`] | what a search reports: iterations, root moves, its result |
//! | [`transposition`] | transposition table (TT) |
//! | [`time_management`] | time for a move |
//! | `lazy_smp` | threads of a Lazy SMP search, and the vote for the best move |
//! | `root` | root moves, multi-PV lines, root noise, effort |
//! | `worker` | state of one thread, stop conditions, TT probe and store, draws |
//! | `stack` | state of each ply: evaluation, killers, PV, picker |
//! | `node` | node types (PV, non-PV, root), context of a node |
//! | `alphabeta` | principal variation search, mate distance pruning |
//! | `quiescence` | quiescence search |
//! | `reverse_futility` | reverse futility pruning (RFP, static null move pruning) |
//! | `null_move` | null move pruning (NMP) |
//! | `singular` | singular extension and negative extension |
//! | `extensions` | check extension |
//! | `move_pruning` | late move pruning (LMP), futility pruning, SEE pruning |
//! | `reductions` | late move reductions (LMR) |
//! | [`pruning`] | pruning grades and margins |
//! | [`tunables`] | tunable parameters |
//! | [`picker`] | move ordering: staged generation, MVV-LVA |
//! | [`history`] | quiet history and continuation history |
//! | `correction_history` | correction history of the static evaluation |

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
mod table_lines;
pub mod time_management;
pub mod transposition;
pub mod tunables;
mod worker;

use crate::types::Bound;

use crate::position::Position;
use crate::types::score::{INFINITE, is_decided, is_mate, mated_in, plies_to_mate};
use crate::types::{MAX_PLY, Move, Score};
use lazy_smp::{SmpState, ThreadResult};
use limits::Limits;
use node::RootNode;
use report::{Iteration, Line, Report, SearchResult, StopReason};
use root::RootLine;
use settings::MAX_THREADS;
use signals::Signals;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;
use transposition::TranspositionTable;
use worker::{REPORT_AFTER, Worker, WorkerMemory};

/// First iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

/// Searches positions. Keeps the histories of its threads from one search to the next.
pub struct Searcher {
    /// One for each thread, that of the main thread first.
    memories: Vec<WorkerMemory>,
}

impl Searcher {
    /// A searcher with empty histories, which get their memory by [`Searcher::prepare`] or with the first search.
    pub fn new() -> Searcher {
        Searcher { memories: Vec::new() }
    }

    /// Clears the histories, for a new game.
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

    /// Number of threads prepared for.
    pub fn threads(&self) -> usize {
        self.memories.len()
    }

    /// How many of `threads` threads the system starts at once, beside this one, which counts: at least 1.
    pub fn startable(threads: usize) -> usize {
        let gate = Mutex::new(());
        thread::scope(|scope| {
            let closed = gate.lock();
            let wait = || drop(gate.lock());
            let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, wait).is_ok();
            let started = (1..threads.clamp(1, MAX_THREADS)).take_while(start).count();
            drop(closed);
            1 + started
        })
    }

    /// Searches `position` and returns the move to play. Pondering searches, unlimited ones (except at a proven mate)
    /// and those that wait for a stop return only on a signal. Calls `report` from this thread.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Report),
    ) -> SearchResult {
        table.next_search();
        // A search with fewer threads leaves the memory of the others allocated.
        let threads = limits.settings.threads.clamp(1, MAX_THREADS);
        if self.memories.len() < threads {
            self.prepare(threads);
        }
        let memories = &mut self.memories[..threads];
        let tunables = &limits.settings.tunables;
        memories.iter_mut().for_each(|memory| memory.history.next_search(tunables));
        let smp = &SmpState::new(threads);
        let (memory, others) = memories.split_first_mut().expect("invariant: there is a thread");
        let mut main_worker = Worker::new(position, memory, table, signals, limits, report, (smp, 0));
        let results = thread::scope(|scope| {
            // Helpers stop even if the main thread panics.
            let _stop = smp.stop_helpers_on_drop();
            let gate = smp.hold_start();
            let helper = |(number, memory)| {
                let search = move || {
                    smp.wait_for_start();
                    let mut no_report = |_| {};
                    let thread = (smp, number);
                    Worker::new(position, memory, table, signals, limits, &mut no_report, thread).run()
                };
                // If the system cannot start a thread, the search does without it.
                thread::Builder::new().spawn_scoped(scope, search).ok()
            };
            let helpers: Vec<_> = (1..).zip(others).filter_map(helper).collect();
            drop(gate);
            let mut results = vec![main_worker.run()];
            main_worker.complete_best_line();
            main_worker.wait_until_allowed_to_answer();
            smp.stop_helpers();
            results
                .extend(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))));
            results
        });
        main_worker.adopt_best_thread(&results);
        let best = main_worker.root.line(&main_worker.root.lines[0]);
        SearchResult {
            best: best.pv.first().copied(),
            ponder: best.pv.get(1).copied(),
            score: best.score,
            depth: results[0].depth as u32,
            nodes: smp.nodes(),
            stop_reason: main_worker.stop_reason,
        }
    }
}

/// The legal reply to `mv` in the transposition table.
fn reply(position: &Position, mv: Move, table: &TranspositionTable) -> Option<Move> {
    let mut after = position.clone();
    after.make(mv);
    table.probe(after.key()).and_then(|entry| entry.mv).filter(|&reply| after.is_legal(reply))
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Worker<'_> {
    /// Runs the search of this thread until a limit is reached.
    fn run(&mut self) -> ThreadResult {
        let depth = self.iterative_deepening();
        self.count();
        ThreadResult { depth, line: self.root.lines[0].clone() }
    }

    /// Adopts the result of the thread with the best move (Lazy SMP).
    fn adopt_best_thread(&mut self, results: &[ThreadResult]) {
        let Some(best) = lazy_smp::best_thread(results).filter(|_| self.shares_iterations()) else { return };
        if best.line.first_move() != self.root.lines[0].first_move() {
            self.root.lines[0] = best.line.clone();
            self.complete_best_line();
            (self.report)(Report::Waiting);
        }
    }

    /// Makes the best line begin with the move and the ponder move of the answer, and reports it unless it is the line
    /// last reported. A search that was stopped before its first result has no line: then any move, and the static
    /// evaluation. The PV of an unfinished iteration may have one move only: then the reply of the transposition table.
    fn complete_best_line(&mut self) {
        if self.root.lines[0].pv.is_empty() {
            let Some(mv) = self.position.legal_moves().iter().find(|mv| !self.root.banned.contains(mv)) else { return };
            let score = self.evaluator.evaluate(&self.position) + self.root.noise(mv);
            self.root.current = 0;
            self.root.update_pv(0, score, Bound::Exact, &[mv]);
        }
        let pv = &mut self.root.lines[0].pv;
        if let &[mv] = &pv[..] {
            pv.extend(reply(&self.position, mv, self.table));
        }
        if self.reported.as_ref() != Some(&self.root.line(&self.root.lines[0])) {
            self.report_lines();
        }
    }

    /// Iterative deepening until a limit is reached. Returns the last depth completed.
    fn iterative_deepening(&mut self) -> i32 {
        let max_depth = self.limits.depth.map_or(MAX_PLY as i32, |depth| depth.clamp(1, MAX_PLY as u32) as i32);
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
        while completed < max_depth {
            self.iteration = (completed + 1 + self.depth_offset()).min(max_depth);
            self.selective_depth = 0;
            let (old_best, old_score) = (self.root.lines[0].first_move(), self.root.lines[0].noisy_score);
            for current in 0..lines {
                self.search_line(current, self.iteration);
            }
            if let Some(found) = self.completed_elsewhere.take() {
                (self.iteration, self.root.lines[0]) = (found.depth, found.line);
                self.stopped = false;
            } else if self.stopped {
                break;
            } else if self.shares_iterations() {
                self.smp.publish(ThreadResult { depth: self.iteration, line: self.root.lines[0].clone() });
            }
            completed = self.iteration;
            self.report_lines();
            stable = if old_best == self.root.lines[0].first_move() { stable + 1 } else { 0 };
            if let Some(stop_reason) = self.reason_to_stop(choices, stable, old_score - self.root.lines[0].noisy_score)
            {
                self.stop_reason = stop_reason;
                break;
            }
        }
        completed
    }

    /// One iteration of one multi-PV line: the first moves of the `current` better lines are excluded.
    fn search_line(&mut self, current: usize, depth: i32) {
        if self.stopped {
            return;
        }
        self.root.current = current;
        let displaced = self.root.lines[current].clone();
        self.aspiration_search(depth);
        // If a worse line began with this move, that line gets the one displaced here.
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

    /// One iteration with an aspiration window around the last score, widened on the side where it fails.
    fn aspiration_search(&mut self, depth: i32) {
        let last = &self.root.lines[self.root.current];
        let mut width = self.tunables().aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && !is_decided(last.noisy_score) && !last.pv.is_empty() {
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

    /// Whether the iteration just completed was the last, and why.
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
            let reason_at = |spent| {
                let is_forced = choices == 1 && self.iteration >= 8;
                let is_late = spent >= budget.soft_for(stable, drop, self.root.best_move_effort(), self.tunables());
                let reasons =
                    [(is_proven, StopReason::Mate), (is_forced, StopReason::OnlyMove), (is_late, StopReason::Time)];
                reasons.into_iter().find_map(|(holds, stop_reason)| holds.then_some(stop_reason))
            };
            // While pondering, the search only notes that it may answer at once after a ponder hit.
            let Some(spent) = self.spent() else {
                self.ponder_done = reason_at(self.signals.started().elapsed()).is_some();
                return None;
            };
            return reason_at(spent);
        }
        let ends = self.limits.is_unlimited() && !self.limits.waits;
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
        let is_slow = self.signals.started().elapsed() >= REPORT_AFTER;
        let line = &self.root.lines[0];
        if is_slow && self.root.current == 0 && !line.pv.is_empty() {
            let line = self.root.line(&RootLine { noisy_score, bound, depth, pv: line.pv.clone() });
            self.report_iteration(vec![line]);
        }
    }

    fn report_iteration(&mut self, lines: Vec<Line>) {
        self.reported = lines.first().cloned();
        self.count();
        (self.report)(Report::Iteration(Iteration {
            selective_depth: self.selective_depth as u32,
            lines,
            nodes: self.smp.nodes(),
            tb_hits: self.smp.tb_hits(),
            elapsed: self.signals.started().elapsed(),
            hashfull: self.table.hashfull(),
        }));
    }

    /// Waits for a signal where the result must not be returned yet: for the ponder hit when pondering, for a stop in
    /// an unlimited search without a proven mate or when the limits say so.
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
    fn ponder_move_is_the_legal_reply_of_the_table() {
        let (position, table) = (Position::start(), TranspositionTable::new(1).unwrap());
        let mv = "h2e2".parse().unwrap();
        let mut after = position.clone();
        after.make(mv);
        assert_eq!(reply(&position, mv, &table), None);
        for (text, legal) in [("h9g7", true), ("h0g2", false)] {
            let answer: Move = text.parse().unwrap();
            let entry = Entry { mv: Some(answer), score: 0, depth: 3, bound: Bound::Exact, eval: None, was_pv: false };
            table.store(after.key(), entry);
            assert_eq!(reply(&position, mv, &table), legal.then_some(answer), "{text}");
        }
    }
}
