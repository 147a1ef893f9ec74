//! Lazy SMP: every thread searches the root position, and they share the transposition table (Stockfish since 2016).
//! Every other thread is one iteration ahead. When a thread completes an iteration, the others at that depth or below
//! abandon theirs and continue from its result.

use super::root::RootLine;
use crate::types::Score;
use crate::types::score::is_decided;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// State shared by the threads of a search.
pub(super) struct SmpState {
    counters: Vec<Counter>,
    finished: AtomicBool,
    gate: Mutex<()>,
    /// Result of the deepest iteration completed by any thread.
    deepest: Mutex<Option<ThreadResult>>,
    /// Its depth, read without the lock; 0 if there is none.
    reached: AtomicI32,
}

/// Nodes and table hits of one thread, on its own cache line against false sharing.
#[derive(Default)]
#[repr(align(64))]
struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl SmpState {
    /// State of a search with `threads` threads, at least 1. Thread 0 is the main thread: it checks the clock and
    /// reports.
    pub(super) fn new(threads: usize) -> SmpState {
        let counters = (0..threads.max(1)).map(|_| Counter::default()).collect();
        SmpState {
            counters,
            finished: AtomicBool::new(false),
            gate: Mutex::new(()),
            deepest: Mutex::new(None),
            reached: AtomicI32::new(0),
        }
    }

    /// Sets the number of nodes and of positions found in the endgame tables of a thread.
    pub(super) fn count(&self, thread_id: usize, nodes: u64, tb_hits: u64) {
        self.counters[thread_id].nodes.store(nodes, Relaxed);
        self.counters[thread_id].tb_hits.store(tb_hits, Relaxed);
    }

    /// Nodes of all threads, as last counted.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// Positions found in the endgame tables by all threads, as last counted.
    pub(super) fn tb_hits(&self) -> u64 {
        self.counters.iter().map(|counter| counter.tb_hits.load(Relaxed)).sum()
    }

    /// Makes helper threads [wait](SmpState::wait_for_start) until the guard is dropped.
    pub(super) fn hold_start(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads are started. Otherwise the first ones would delay the start of the rest.
    pub(super) fn wait_for_start(&self) {
        drop(self.hold_start());
    }

    /// Shares the result of a completed iteration, unless one at least as deep is known.
    pub(super) fn publish(&self, found: ThreadResult) {
        let mut deepest = self.deepest.lock().unwrap_or_else(PoisonError::into_inner);
        if deepest.as_ref().is_none_or(|known| known.depth < found.depth) {
            self.reached.store(found.depth, Relaxed);
            *deepest = Some(found);
        }
    }

    /// The result of the deepest iteration completed, if at least `depth`.
    #[inline]
    pub(super) fn completed(&self, depth: i32) -> Option<ThreadResult> {
        if self.reached.load(Relaxed) < depth {
            return None;
        }
        self.deepest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the helper threads.
    pub(super) fn stop_helpers(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Stops the helper threads when the guard is dropped.
    pub(super) fn stop_helpers_on_drop(&self) -> impl Drop {
        Finisher(self)
    }

    /// Whether the main thread is done.
    #[inline]
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }
}

struct Finisher<'a>(&'a SmpState);

impl Drop for Finisher<'_> {
    fn drop(&mut self) {
        self.0.stop_helpers();
    }
}

/// Result of one thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadResult {
    /// Last iteration completed, in plies.
    pub depth: i32,
    /// Its best line.
    pub line: RootLine,
}

/// Weight of the vote of the thread with the lowest score, in engine units for each ply.
const MIN_WEIGHT: Score = 20;

/// The result to use; the first is that of the main thread. The quickest decided win comes first; if the main thread
/// sees a decided loss, its result counts. Otherwise the threads vote for their best moves, weighted by depth and
/// score, as in Stockfish, and the heaviest vote for the winning move gives the result.
pub(super) fn best_thread(results: &[ThreadResult]) -> Option<&ThreadResult> {
    let cast = || results.iter().filter(|found| found.depth > 0 && found.line.first_move().is_some());
    let main_worker = results.first()?;
    let best = cast().rev().max_by_key(|found| found.line.noisy_score)?;
    if is_decided(best.line.noisy_score) && best.line.noisy_score > 0 {
        return Some(best);
    }
    if is_decided(main_worker.line.noisy_score) {
        return Some(main_worker);
    }
    let lowest = cast().map(|found| found.line.noisy_score).min()?;
    let weight = |found: &ThreadResult| (found.line.noisy_score - lowest + MIN_WEIGHT) as i64 * found.depth as i64;
    let votes = |found: &ThreadResult| {
        cast().filter(|other| other.line.first_move() == found.line.first_move()).map(weight).sum::<i64>()
    };
    // The first of equal results.
    cast().rev().max_by_key(|found| (votes(found), weight(found)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Bound;
    use crate::types::score::{mate_in, mated_in};

    fn found(mv: &str, noisy_score: Score, depth: i32) -> ThreadResult {
        let pv = if mv.is_empty() { Vec::new() } else { vec![mv.parse().unwrap()] };
        ThreadResult { depth, line: RootLine { noisy_score, bound: Bound::Exact, depth, pv } }
    }

    fn chosen(results: &[ThreadResult]) -> (String, i32) {
        let best = best_thread(results).unwrap();
        (best.line.first_move().unwrap().to_string(), best.depth)
    }

    #[test]
    fn heaviest_votes_win() {
        let main_worker = found("h2e2", 30, 12);
        assert_eq!(chosen(std::slice::from_ref(&main_worker)), ("h2e2".into(), 12));
        assert_eq!(
            chosen(&[main_worker.clone(), found("b2e2", 30, 12)]),
            ("h2e2".into(), 12),
            "the main thread wins ties"
        );
        assert_eq!(chosen(&[main_worker.clone(), found("b2e2", 40, 13)]), ("b2e2".into(), 13));
        let three = [main_worker.clone(), found("b2e2", 31, 12), found("h2e2", 29, 13)];
        assert_eq!(chosen(&three), ("h2e2".into(), 13), "the heaviest vote for the winning move");
        assert_eq!(
            chosen(&[found("", 0, 0), main_worker]),
            ("h2e2".into(), 12),
            "a thread without a result has no vote"
        );
        assert!(best_thread(&[found("", 0, 0)]).is_none());
    }

    #[test]
    fn deepest_completed_iteration_is_shared() {
        let smp = SmpState::new(2);
        assert!(smp.completed(1).is_none());
        smp.publish(found("h2e2", 30, 2));
        smp.publish(found("b2e2", 40, 2));
        smp.publish(found("b2e2", 40, 1));
        assert_eq!(
            smp.completed(1).unwrap().line.first_move().unwrap().to_string(),
            "h2e2",
            "the first result of a depth stays"
        );
        assert!(smp.completed(2).is_some() && smp.completed(3).is_none());
        smp.publish(found("b2e2", 40, 3));
        assert_eq!(smp.completed(2).unwrap().depth, 3);
    }

    #[test]
    fn decided_scores_are_not_voted_on() {
        let (win, slower) = (mate_in(5), mate_in(9));
        let three = [found("h2e2", win, 9), found("b2e2", slower, 12), found("b2e2", slower, 12)];
        assert_eq!(chosen(&three), ("h2e2".into(), 9), "the quickest mate");
        assert_eq!(chosen(&[found("h2e2", 300, 12), found("b2e2", win, 9)]), ("b2e2".into(), 9));
        let lost = found("h2e2", mated_in(12), 12);
        assert_eq!(
            chosen(&[lost, found("b2e2", -500, 7)]),
            ("h2e2".into(), 12),
            "a decided loss of the main thread counts"
        );
        let hasty = ThreadResult { depth: 0, ..found("b2e2", -9_000, 0) };
        assert_eq!(chosen(&[hasty, found("h2e2", 10, 5)]), ("h2e2".into(), 5));
    }
}
