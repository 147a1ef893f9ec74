//! The threads that search one position together: each searches all of it, and they help one another through the table
//! ("lazy SMP", as Stockfish does since 2016). Every other one is an iteration ahead. When one of them has completed an
//! iteration the others leave theirs and go on from it, unless they are further already.

use super::root::RootLine;
use crate::types::Score;
use crate::types::score::is_decided;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the members of a team know of one another while they search.
pub struct SmpState {
    counters: Vec<Counter>,
    finished: AtomicBool,
    gate: Mutex<()>,
    /// What the deepest iteration came to that a member has completed.
    deepest: Mutex<Option<ThreadResult>>,
    /// Its depth, which members look at often; 0 before there is one.
    reached: AtomicI32,
}

/// Nodes of one member, on a cache line of its own: members count often and look at the others' counts rarely.
#[repr(align(64))]
struct Counter(AtomicU64);

impl SmpState {
    /// A team of so many members, at least 1. Member 0 leads: it keeps to the limits, and reports.
    pub fn new(threads: usize) -> SmpState {
        let counters = (0..threads.max(1)).map(|_| Counter(AtomicU64::new(0))).collect();
        SmpState {
            counters,
            finished: AtomicBool::new(false),
            gate: Mutex::new(()),
            deepest: Mutex::new(None),
            reached: AtomicI32::new(0),
        }
    }

    /// `thread_id` has searched so many nodes.
    pub fn count(&self, thread_id: usize, nodes: u64) {
        self.counters[thread_id].0.store(nodes, Relaxed);
    }

    /// Nodes that all have searched, as far as they have said.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Makes the others [wait](Team::wait) until what it returns is dropped.
    pub fn hold(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all are there: who began at once would take the processor from those still to be started.
    pub fn wait(&self) {
        drop(self.hold());
    }

    /// Tells the others what a completed iteration came to, unless one as deep is known.
    pub fn publish(&self, found: ThreadResult) {
        let mut deepest = self.deepest.lock().unwrap_or_else(PoisonError::into_inner);
        if deepest.as_ref().is_none_or(|known| known.depth < found.depth) {
            self.reached.store(found.depth, Relaxed);
            *deepest = Some(found);
        }
    }

    /// What the deepest iteration came to that a member has completed, if that is `depth` or deeper.
    #[inline]
    pub fn completed(&self, depth: i32) -> Option<ThreadResult> {
        if self.reached.load(Relaxed) < depth {
            return None;
        }
        self.deepest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The leader has its answer: the others stop.
    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// The others stop at the latest when what it returns is dropped.
    pub fn finish_when_dropped(&self) -> impl Drop {
        Finisher(self)
    }

    /// Whether the leader has its answer.
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }
}

struct Finisher<'a>(&'a SmpState);

impl Drop for Finisher<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// What a member found.
#[derive(Clone, Debug)]
pub struct ThreadResult {
    /// Last iteration completed.
    pub depth: i32,
    /// Its best line.
    pub line: RootLine,
}

/// Added to what each member's vote weighs, in engine units, so that the worst one's counts as well.
const LEAST_WEIGHT: Score = 20;

/// The finding to go by, of which the first is the leader's. A decided win beats everything, the quickest first, and if the
/// leader has found all lost it knows best. Otherwise the members vote for their moves, the deeper they looked and the
/// better they found them the heavier, and of those that voted for the winner the weightiest speaks.
pub fn choose(results: &[ThreadResult]) -> Option<&ThreadResult> {
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
    let weight = |found: &ThreadResult| (found.line.noisy_score - lowest + LEAST_WEIGHT) as i64 * found.depth as i64;
    let votes = |found: &ThreadResult| {
        cast().filter(|other| other.line.first_move() == found.line.first_move()).map(weight).sum::<i64>()
    };
    // Of equals the first, the leader before the others.
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
        let best = choose(results).unwrap();
        (best.line.first_move().unwrap().to_string(), best.depth)
    }

    #[test]
    fn the_weightiest_votes_win() {
        let main_worker = found("h2e2", 30, 12);
        assert_eq!(chosen(std::slice::from_ref(&main_worker)), ("h2e2".into(), 12));
        assert_eq!(
            chosen(&[main_worker.clone(), found("b2e2", 30, 12)]),
            ("h2e2".into(), 12),
            "the leader's of equals"
        );
        assert_eq!(chosen(&[main_worker.clone(), found("b2e2", 40, 13)]), ("b2e2".into(), 13));
        let three = [main_worker.clone(), found("b2e2", 31, 12), found("h2e2", 29, 13)];
        assert_eq!(chosen(&three), ("h2e2".into(), 13), "the weightiest vote for the winner");
        assert_eq!(chosen(&[found("", 0, 0), main_worker]), ("h2e2".into(), 12), "who found nothing has no vote");
        assert!(choose(&[found("", 0, 0)]).is_none());
    }

    #[test]
    fn the_deepest_iteration_is_what_all_go_on_from() {
        let smp = SmpState::new(2);
        assert!(smp.completed(1).is_none());
        smp.publish(found("h2e2", 30, 2));
        smp.publish(found("b2e2", 40, 2));
        smp.publish(found("b2e2", 40, 1));
        assert_eq!(smp.completed(1).unwrap().line.first_move().unwrap().to_string(), "h2e2", "who was first");
        assert!(smp.completed(2).is_some() && smp.completed(3).is_none());
        smp.publish(found("b2e2", 40, 3));
        assert_eq!(smp.completed(2).unwrap().depth, 3);
    }

    #[test]
    fn what_is_decided_is_not_voted_on() {
        let (win, slower) = (mate_in(5), mate_in(9));
        let three = [found("h2e2", win, 9), found("b2e2", slower, 12), found("b2e2", slower, 12)];
        assert_eq!(chosen(&three), ("h2e2".into(), 9), "the quickest mate");
        assert_eq!(chosen(&[found("h2e2", 300, 12), found("b2e2", win, 9)]), ("b2e2".into(), 9));
        let lost = found("h2e2", mated_in(12), 12);
        assert_eq!(chosen(&[lost, found("b2e2", -500, 7)]), ("h2e2".into(), 12), "who looked deepest knows best");
        let hasty = ThreadResult { depth: 0, ..found("b2e2", -9_000, 0) };
        assert_eq!(chosen(&[hasty, found("h2e2", 10, 5)]), ("h2e2".into(), 5));
    }
}
