//! The search (L4).
//!
//! Principal variation search (PVS) with iterative deepening, aspiration windows, a shared transposition table (TT) and
//! Lazy SMP.

mod alphabeta;
#[cfg(feature = "engine")]
pub(crate) mod bench;
mod control;
mod correction_history;
pub(crate) mod history;
mod iterative_deepening;
mod lazy_smp;
pub mod limits;
pub(crate) mod picker;
pub(crate) mod pruning;
pub mod report;
mod root;
pub mod settings;
pub mod signals;
mod stack;
pub(crate) mod statistics;
mod table_lines;
pub(crate) mod time_management;
pub mod transposition;
pub(crate) mod tunables;
mod worker;

use crate::position::Position;
use lazy_smp::SmpState;
use limits::Limits;
use report::{Report, SearchResult};
use settings::MAX_THREADS;
use signals::Signals;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;
use transposition::TranspositionTable;
use worker::{Worker, WorkerMemory};

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

    /// What the main thread's searches did, since the histories were made.
    #[cfg(feature = "tuning")]
    pub fn statistics(&self) -> statistics::Statistics {
        self.memories.first().map(|memory| memory.statistics.clone()).unwrap_or_default()
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
            stop_reason: main_worker.control.stop_reason,
        }
    }
}
