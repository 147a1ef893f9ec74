//! Searches read and not yet answered. Long console commands (`perft`, `bench`) count as well, since `stop` ends them.
//!
//! A search is added when its `go` is read and removed when its answer is written, each under the lock of the session: a
//! search found here will still be answered, and one not found has been.

use super::command::{Command, ConsoleCommand};
use crate::search::signals::Signals;
use std::collections::VecDeque;
use std::sync::Arc;

/// The pending searches, oldest first: the first one runs or will run next.
#[derive(Default)]
pub(super) struct PendingSearches(VecDeque<PendingSearch>);

struct PendingSearch {
    signals: Arc<Signals>,
    /// Whether it is a search, not a console command.
    is_search: bool,
    /// Whether it ends without another command, once it does not ponder.
    is_bounded: bool,
    /// Whether it ponders until the ponder hit.
    is_ponder: bool,
}

impl PendingSearch {
    fn is_pondering(&self) -> bool {
        self.is_ponder && self.signals.ponderhit_at().is_none()
    }

    fn ends_by_itself(&self) -> bool {
        self.is_bounded && !self.is_pondering()
    }
}

impl PendingSearches {
    /// Adds a command with its signals, if it is a search or takes long.
    pub(super) fn push(&mut self, command: &Command, signals: &Arc<Signals>) {
        let (is_search, is_bounded, is_ponder) = match command {
            // One that is not understood is refused at once.
            Command::Go(go) | Command::Console(ConsoleCommand::Play(go)) => {
                (true, go.is_bounded() || go.is_garbled(), go.ponder)
            }
            Command::Console(ConsoleCommand::Perft(_) | ConsoleCommand::Bench(_)) => (false, true, false),
            _ => return,
        };
        self.0.push_back(PendingSearch { signals: Arc::clone(signals), is_search, is_bounded, is_ponder });
    }

    /// Removes the oldest search; the time of the next one counts from now.
    pub(super) fn complete(&mut self) {
        self.0.pop_front();
        if let Some(next) = self.0.front() {
            next.signals.restart();
        }
    }

    /// Whether a search (not only console commands) is pending.
    pub(super) fn is_searching(&self) -> bool {
        self.0.iter().any(|search| search.is_search)
    }

    /// Whether a search is pending that only a command ends, which has not come yet.
    pub(super) fn waits_for_command(&self) -> bool {
        self.0.iter().any(|search| !search.ends_by_itself() && !search.signals.is_stopped())
    }

    /// Whether something is pending, and all of it ends without another command.
    pub(super) fn ends_by_itself(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(PendingSearch::ends_by_itself)
    }

    /// Stops all; returns whether any was pending.
    pub(super) fn stop(&self) -> bool {
        self.0.iter().for_each(|search| search.signals.stop());
        !self.0.is_empty()
    }

    /// Tells the newest pondering search that the expected move was played. Returns whether any search was pending.
    pub(super) fn ponderhit(&self, draw: bool) -> bool {
        if let Some(search) = self.0.iter().rev().find(|search| search.is_pondering()) {
            if draw {
                search.signals.offer_draw();
            }
            search.signals.ponderhit();
        }
        self.is_searching()
    }

    /// End of the input: stops the searches that do not end by themselves.
    pub(super) fn end_input(&self) {
        self.0.iter().filter(|search| !search.ends_by_itself()).for_each(|search| search.signals.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::go::Go;

    fn push(pending: &mut PendingSearches, go: Go) -> Arc<Signals> {
        let signals = Arc::new(Signals::new());
        pending.push(&Command::Go(Box::new(go)), &signals);
        signals
    }

    fn bounded() -> Go {
        Go { depth: Some(3), ..Go::default() }
    }

    #[test]
    fn stop_ends_all_searches_before_it_and_none_after() {
        let mut pending = PendingSearches::default();
        assert!(!pending.stop());
        let first = push(&mut pending, Go::default());
        let second = push(&mut pending, bounded());
        assert!(pending.stop());
        let third = push(&mut pending, Go::default());
        assert!(first.is_stopped() && second.is_stopped() && !third.is_stopped());
    }

    #[test]
    fn end_of_input_stops_only_unbounded_searches() {
        let mut pending = PendingSearches::default();
        let infinite = push(&mut pending, Go::default());
        let depth = push(&mut pending, bounded());
        let pondering = push(&mut pending, Go { ponder: true, ..bounded() });
        let hit = push(&mut pending, Go { ponder: true, ..bounded() });
        assert!(pending.ponderhit(true));
        assert!(hit.draw_offered() && pondering.ponderhit_at().is_none());
        pending.end_input();
        let stopped = [&infinite, &depth, &pondering, &hit].map(|signals| signals.is_stopped());
        assert_eq!(stopped, [true, false, true, false]);
    }

    #[test]
    fn garbled_search_ends_by_itself() {
        let mut pending = PendingSearches::default();
        assert!(!pending.ends_by_itself());
        push(&mut pending, Go { unknown: vec!["foo".into()], ..Go::default() });
        assert!(!pending.waits_for_command() && pending.ends_by_itself());
        push(&mut pending, Go::default());
        assert!(pending.waits_for_command() && !pending.ends_by_itself());
        pending.stop();
        assert!(!pending.waits_for_command());
    }

    #[test]
    fn ponderhit_goes_to_the_newest_pondering_search() {
        let mut pending = PendingSearches::default();
        assert!(!pending.ponderhit(false));
        let older = push(&mut pending, Go { ponder: true, ..bounded() });
        let newer = push(&mut pending, Go { ponder: true, ..bounded() });
        let plain = push(&mut pending, bounded());
        let task = Arc::new(Signals::new());
        pending.push(&Command::Console(ConsoleCommand::Perft(1)), &task);
        assert!(pending.ponderhit(true));
        let hit = [&older, &newer, &plain, &task].map(|signals| signals.ponderhit_at().is_some());
        assert_eq!(hit, [false, true, false, false]);
        assert!(newer.draw_offered());
        assert!(pending.ponderhit(false) && older.ponderhit_at().is_some() && !older.draw_offered());
        assert!(pending.ponderhit(true), "a search is pending, but not pondering");
        assert!(!plain.draw_offered());
        (0..3).for_each(|_| pending.complete());
        assert!(!pending.is_searching() && !pending.ponderhit(false) && pending.stop());
    }
}
