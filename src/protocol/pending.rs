//! Searches read and not yet answered: the state shared by the reading thread and the engine thread. Long console
//! commands (`perft`, `bench`) count as well, since `stop` ends them.
//!
//! A search is added when its `go` is read and removed when its answer is written, both under one lock: a search found
//! here will still be answered, and one not found has been.

use crate::engine::go::Go;
use crate::search::signals::Signals;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The pending searches, oldest first: the first one runs or will run next.
#[derive(Default)]
pub(crate) struct PendingSearches {
    state: Mutex<PendingState>,
    changed: Condvar,
}

#[derive(Default)]
struct PendingState {
    searches: VecDeque<PendingSearch>,
    is_quitting: bool,
}

struct PendingSearch {
    signals: Arc<Signals>,
    kind: PendingKind,
}

enum PendingKind {
    Search { is_bounded: bool, is_ponder: bool },
    Task,
}

impl PendingState {
    fn is_searching(&self) -> bool {
        self.searches.iter().any(|search| matches!(search.kind, PendingKind::Search { .. }))
    }
}

impl PendingSearch {
    fn is_pondering(&self) -> bool {
        matches!(self.kind, PendingKind::Search { is_ponder: true, .. }) && self.signals.ponderhit_at().is_none()
    }

    /// Whether it ends without another command.
    fn ends_by_itself(&self) -> bool {
        match self.kind {
            PendingKind::Search { is_bounded, .. } => is_bounded && !self.is_pondering(),
            PendingKind::Task => true,
        }
    }
}

impl PendingSearches {
    /// Adds a search and returns its signals.
    pub(crate) fn push_search(&self, go: &Go) -> Arc<Signals> {
        // One that is not understood is refused at once.
        self.push(PendingKind::Search { is_bounded: go.is_bounded() || go.is_garbled(), is_ponder: go.ponder })
    }

    /// Adds a long console command, which ends by itself, and returns its signals.
    pub(crate) fn push_task(&self) -> Arc<Signals> {
        self.push(PendingKind::Task)
    }

    fn push(&self, kind: PendingKind) -> Arc<Signals> {
        let signals = Arc::new(Signals::new());
        self.lock().searches.push_back(PendingSearch { signals: Arc::clone(&signals), kind });
        signals
    }

    /// Removes the oldest search after `write_answer` has written its answer. Returns whether to quit now.
    pub(crate) fn complete(&self, write_answer: impl FnOnce()) -> bool {
        let mut state = self.lock();
        write_answer();
        state.searches.pop_front();
        if let Some(next) = state.searches.front() {
            next.signals.restart();
        }
        self.changed.notify_all();
        state.is_quitting
    }

    /// Whether a search (not only console commands) is pending.
    pub(crate) fn is_searching(&self) -> bool {
        self.lock().is_searching()
    }

    /// Whether a search is pending that only a command ends, which has not come yet.
    pub(crate) fn is_searching_until_stop(&self) -> bool {
        self.lock().searches.iter().any(|search| !search.ends_by_itself() && !search.signals.is_stopped())
    }

    /// Stops all; returns whether any was pending.
    pub(crate) fn stop(&self) -> bool {
        let state = self.lock();
        state.searches.iter().for_each(|search| search.signals.stop());
        !state.searches.is_empty()
    }

    /// Tells the newest pondering search that the expected move was played. Returns whether any search was pending.
    pub(crate) fn ponderhit(&self, draw: bool) -> bool {
        let state = self.lock();
        let mut newest_first = state.searches.iter().rev();
        if let Some(search) = newest_first.find(|search| search.is_pondering()) {
            if draw {
                search.signals.offer_draw();
            }
            search.signals.ponderhit();
        }
        state.is_searching()
    }

    /// Stops all; only the oldest, if any, is still answered.
    pub(crate) fn quit(&self) {
        self.lock().is_quitting = true;
        self.stop();
    }

    /// End of the input: stops the searches that do not end by themselves.
    pub(crate) fn end_input(&self) {
        let state = self.lock();
        state.searches.iter().filter(|search| !search.ends_by_itself()).for_each(|search| search.signals.stop());
    }

    /// Waits until nothing is pending, or until a pending search can be ended only by a command still to be read.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while !state.searches.is_empty() && state.searches.iter().all(PendingSearch::ends_by_itself) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, PendingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded() -> Go {
        Go { depth: Some(3), ..Go::default() }
    }

    #[test]
    fn stop_ends_all_searches_before_it_and_none_after() {
        let pending = PendingSearches::default();
        assert!(!pending.stop());
        let first = pending.push_search(&Go::default());
        let second = pending.push_search(&bounded());
        assert!(pending.stop());
        let third = pending.push_search(&Go::default());
        assert!(first.is_stopped() && second.is_stopped() && !third.is_stopped());
    }

    #[test]
    fn end_of_input_stops_only_unbounded_searches() {
        let pending = PendingSearches::default();
        let infinite = pending.push_search(&Go::default());
        let depth = pending.push_search(&bounded());
        let pondering = pending.push_search(&Go { ponder: true, ..bounded() });
        let hit = pending.push_search(&Go { ponder: true, ..bounded() });
        assert!(pending.ponderhit(true));
        assert!(hit.draw_offered() && pondering.ponderhit_at().is_none());
        pending.end_input();
        let stopped = [&infinite, &depth, &pondering, &hit].map(|signals| signals.is_stopped());
        assert_eq!(stopped, [true, false, true, false]);
    }

    #[test]
    fn garbled_search_ends_by_itself() {
        let pending = PendingSearches::default();
        pending.push_search(&Go { unknown: vec!["foo".into()], ..Go::default() });
        assert!(!pending.is_searching_until_stop());
        pending.push_search(&Go::default());
        assert!(pending.is_searching_until_stop());
    }

    #[test]
    fn ponderhit_goes_to_the_newest_pondering_search() {
        let pending = PendingSearches::default();
        assert!(!pending.ponderhit(false));
        let older = pending.push_search(&Go { ponder: true, ..bounded() });
        let newer = pending.push_search(&Go { ponder: true, ..bounded() });
        let plain = pending.push_search(&bounded());
        let task = pending.push_task();
        assert!(pending.ponderhit(true));
        let hit = [&older, &newer, &plain, &task].map(|signals| signals.ponderhit_at().is_some());
        assert_eq!(hit, [false, true, false, false]);
        assert!(newer.draw_offered());
        assert!(pending.ponderhit(false) && older.ponderhit_at().is_some() && !older.draw_offered());
        assert!(pending.ponderhit(true), "a search is pending, but not pondering");
        assert!(!plain.draw_offered());
    }

    #[test]
    fn answer_is_written_before_the_search_is_removed() {
        let pending = PendingSearches::default();
        pending.push_search(&bounded());
        let mut written = false;
        assert!(!pending.complete(|| written = true));
        assert!(written && !pending.is_searching() && !pending.ponderhit(false));
        pending.wait();
        pending.push_search(&Go::default());
        pending.wait();
        pending.quit();
        assert!(pending.complete(|| {}));
    }
}
