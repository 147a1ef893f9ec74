//! The searches that were asked for and are not yet answered: where the reader and the engine's thread meet. Whatever
//! else takes so long that a word should be able to end it counts as one.
//!
//! A search is outstanding from the moment its `go` is read until its answer is written, and both happen under one
//! lock: whoever finds a search here may count on its answer coming after, and whoever finds none has seen the last.

use crate::engine::go::Go;
use crate::search::signals::Signals;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The outstanding searches, oldest first: it is the one that runs, or will run next.
#[derive(Default)]
pub struct PendingSearches {
    state: Mutex<PendingState>,
    changed: Condvar,
}

#[derive(Default)]
struct PendingState {
    searches: VecDeque<Search>,
    is_quitting: bool,
}

struct Search {
    signals: Arc<Signals>,
    kind: PendingKind,
}

enum PendingKind {
    Search { is_bounded: bool, is_ponder: bool },
    Task,
}

impl PendingState {
    fn is_thinking(&self) -> bool {
        self.searches.iter().any(|search| matches!(search.kind, PendingKind::Search { .. }))
    }
}

impl Search {
    fn is_pondering(&self) -> bool {
        matches!(self.kind, PendingKind::Search { is_ponder: true, .. }) && self.signals.ponderhit_at().is_none()
    }

    /// Whether it comes to an end when nothing more is said.
    fn ends_alone(&self) -> bool {
        match self.kind {
            PendingKind::Search { is_bounded, .. } => is_bounded && !self.is_pondering(),
            PendingKind::Task => true,
        }
    }
}

impl PendingSearches {
    /// A search is asked for: these are its signals.
    pub fn open(&self, go: &Go) -> Arc<Signals> {
        self.push(PendingKind::Search { is_bounded: go.is_bounded(), is_ponder: go.ponder })
    }

    /// Something else that takes long is asked for, and ends by itself.
    pub fn open_task(&self) -> Arc<Signals> {
        self.push(PendingKind::Task)
    }

    fn push(&self, kind: PendingKind) -> Arc<Signals> {
        let signals = Arc::new(Signals::new());
        self.lock().searches.push_back(Search { signals: Arc::clone(&signals), kind });
        signals
    }

    /// The oldest search is answered, by what `answer` writes. Returns whether the process is to end now.
    pub fn close(&self, answer: impl FnOnce()) -> bool {
        let mut state = self.lock();
        answer();
        state.searches.pop_front();
        if let Some(next) = state.searches.front() {
            next.signals.restart();
        }
        self.changed.notify_all();
        state.is_quitting
    }

    /// Whether a search is among them.
    pub fn is_thinking(&self) -> bool {
        self.lock().is_thinking()
    }

    /// Stops all of them; returns whether there was any.
    pub fn stop(&self) -> bool {
        let state = self.lock();
        state.searches.iter().for_each(|search| search.signals.stop());
        !state.searches.is_empty()
    }

    /// The expected move was made: for the newest search that ponders. Returns whether there was any search.
    pub fn ponderhit(&self, draw: bool) -> bool {
        let state = self.lock();
        let mut newest_first = state.searches.iter().rev();
        if let Some(search) = newest_first.find(|search| search.is_pondering()) {
            if draw {
                search.signals.offer_draw();
            }
            search.signals.ponderhit();
        }
        state.is_thinking()
    }

    /// The oldest search, if there is any, is the last to be answered, and at once.
    pub fn quit(&self) {
        self.lock().is_quitting = true;
        self.stop();
    }

    /// Nothing more will be read: what would wait for a word for ever is stopped.
    pub fn end_input(&self) {
        let state = self.lock();
        state.searches.iter().filter(|search| !search.ends_alone()).for_each(|search| search.signals.stop());
    }

    /// Waits until no search is outstanding that ends by itself. One that does not is not waited for: nothing could
    /// end it.
    pub fn wait(&self) {
        let mut state = self.lock();
        while !state.searches.is_empty() && state.searches.iter().all(Search::ends_alone) {
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
    fn a_stop_reaches_all_that_were_asked_for_before_it_and_none_after() {
        let pending = PendingSearches::default();
        assert!(!pending.stop());
        let first = pending.open(&Go::default());
        let second = pending.open(&bounded());
        assert!(pending.stop());
        let third = pending.open(&Go::default());
        assert!(first.is_stopped() && second.is_stopped() && !third.is_stopped());
    }

    #[test]
    fn the_end_of_input_stops_only_what_would_wait() {
        let pending = PendingSearches::default();
        let infinite = pending.open(&Go::default());
        let depth = pending.open(&bounded());
        let pondering = pending.open(&Go { ponder: true, ..bounded() });
        let hit = pending.open(&Go { ponder: true, ..bounded() });
        assert!(pending.ponderhit(true));
        assert!(hit.draw_offered() && pondering.ponderhit_at().is_none());
        pending.end_input();
        let stopped = [&infinite, &depth, &pondering, &hit].map(|signals| signals.is_stopped());
        assert_eq!(stopped, [true, false, true, false]);
    }

    #[test]
    fn a_ponder_hit_finds_the_search_that_ponders() {
        let pending = PendingSearches::default();
        assert!(!pending.ponderhit(false));
        let older = pending.open(&Go { ponder: true, ..bounded() });
        let newer = pending.open(&Go { ponder: true, ..bounded() });
        let plain = pending.open(&bounded());
        let task = pending.open_task();
        assert!(pending.ponderhit(true));
        let hit = [&older, &newer, &plain, &task].map(|signals| signals.ponderhit_at().is_some());
        assert_eq!(hit, [false, true, false, false]);
        assert!(newer.draw_offered());
        assert!(pending.ponderhit(false) && older.ponderhit_at().is_some() && !older.draw_offered());
        assert!(pending.ponderhit(true), "a search is running, though it does not ponder");
        assert!(!plain.draw_offered());
    }

    #[test]
    fn closing_answers_before_the_search_is_gone() {
        let pending = PendingSearches::default();
        pending.open(&bounded());
        let mut said = false;
        assert!(!pending.close(|| said = true));
        assert!(said && !pending.is_thinking() && !pending.ponderhit(false));
        pending.wait();
        pending.open(&Go::default());
        pending.wait();
        pending.quit();
        assert!(pending.close(|| {}));
    }
}
