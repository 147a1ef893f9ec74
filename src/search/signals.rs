//! What reaches a search from outside while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The signals of one search. Every `go` makes its own, so that none is ever reset and none can be lost: a `stop` that
/// comes before the search has begun finds its flag all the same.
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
    /// Signals of a search that was asked for now.
    #[allow(clippy::new_without_default, reason = "it reads the clock")]
    pub fn new() -> Signals {
        Signals::started_at(Instant::now())
    }

    /// Signals of a search whose time is counted from `started`: in the past, part of it is spent already.
    pub fn started_at(started: Instant) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            state: Mutex::new(SignalState { started, ponderhit: None, draw_offered: false }),
            changed: Condvar::new(),
        }
    }

    /// When the search was asked for, or its turn came.
    pub fn started(&self) -> Instant {
        self.lock().started
    }

    /// Its turn comes only now: what searches before it took is not its time.
    pub fn restart(&self) {
        self.lock().started = Instant::now();
    }

    /// Ends the search as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _state = self.lock();
        self.changed.notify_all();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent made the expected move: the clock runs from now on. Only the first call counts.
    pub fn ponderhit(&self) {
        self.lock().ponderhit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// When the expected move was made, if it was.
    pub fn ponderhit_at(&self) -> Option<Instant> {
        self.lock().ponderhit
    }

    /// The opponent offers a draw.
    pub fn offer_draw(&self) {
        self.lock().draw_offered = true;
    }

    /// Whether the opponent offered a draw.
    pub fn draw_offered(&self) -> bool {
        self.lock().draw_offered
    }

    /// Sleeps until the search is stopped or, if `or_ponderhit`, the expected move is made.
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
