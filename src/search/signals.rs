//! Signals to a search from other threads: stop, ponder hit, draw offer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The signals of one search. Each `go` creates its own, so they are never reset, and a `stop` before the start of the
/// search is not lost.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    state: Mutex<SignalState>,
    changed: Condvar,
}

#[derive(Debug)]
struct SignalState {
    started: Instant,
    ponderhit: Option<Instant>,
    draw_offered: bool,
}

impl Signals {
    /// Signals of a search whose time counts from now.
    pub fn new() -> Signals {
        Signals::started_at(Instant::now())
    }

    /// Signals of a search whose time counts from `started`.
    pub fn started_at(started: Instant) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            state: Mutex::new(SignalState { started, ponderhit: None, draw_offered: false }),
            changed: Condvar::new(),
        }
    }

    /// Start of the search: when it was requested, or when the one queued before it ended.
    pub fn started(&self) -> Instant {
        self.lock().started
    }

    /// Counts the time from now on, for a search that waited in a queue.
    pub fn restart(&self) {
        self.lock().started = Instant::now();
    }

    /// Stops the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _state = self.lock();
        self.changed.notify_all();
    }

    /// Whether the search was stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ponder hit: the opponent made the expected move, so the clock runs from now on. Only the first call counts.
    pub fn ponderhit(&self) {
        self.lock().ponderhit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Time of the ponder hit, if any.
    pub fn ponderhit_at(&self) -> Option<Instant> {
        self.lock().ponderhit
    }

    /// Notes a draw offer of the opponent.
    pub fn offer_draw(&self) {
        self.lock().draw_offered = true;
    }

    /// Whether the opponent offered a draw.
    pub fn draw_offered(&self) -> bool {
        self.lock().draw_offered
    }

    /// Blocks until the search is stopped or, if `or_ponderhit`, until the ponder hit.
    pub fn wait(&self, or_ponderhit: bool) {
        let mut state = self.lock();
        while !(self.is_stopped() || or_ponderhit && state.ponderhit.is_some()) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sleeps for `time`, or until the search is stopped.
    pub fn throttle(&self, time: Duration) {
        let mut state = self.lock();
        let end = Instant::now() + time;
        while !self.is_stopped() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, SignalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
