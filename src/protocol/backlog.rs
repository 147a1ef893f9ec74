//! The commands that have been read and not been executed: a queue of bounded size between the two threads.

use super::output::Output;
use super::pending::PendingSearches;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Greatest sum of the costs of the commands in the queue, in bytes; the last one may exceed it.
const MAX_COST: usize = 16 << 20;
/// Cost of a command beside the length of its line, in bytes.
const COMMAND_COST: usize = 512;
/// Time between two looks at the output and the searches while the queue is full.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The queue; `R`: what is queued for a command.
pub(crate) struct Backlog<R> {
    state: Mutex<BacklogState<R>>,
    changed: Condvar,
}

struct BacklogState<R> {
    /// The commands and their costs, oldest first.
    requests: VecDeque<(R, usize)>,
    /// Sum of the costs.
    cost: usize,
    is_closed: bool,
}

impl<R> Backlog<R> {
    /// An empty queue.
    pub(crate) fn new() -> Backlog<R> {
        let state = BacklogState { requests: VecDeque::new(), cost: 0, is_closed: false };
        Backlog { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a command that was read from a line of this length.
    pub(crate) fn push(&self, request: R, length: usize) {
        let mut state = self.lock();
        let cost = COMMAND_COST + length;
        state.requests.push_back((request, cost));
        state.cost += cost;
        self.changed.notify_all();
    }

    /// Says that no more commands come.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether none waits, but more may come.
    pub(crate) fn is_idle(&self) -> bool {
        let state = self.lock();
        state.requests.is_empty() && !state.is_closed
    }

    /// The next command; waits for it. `None` if no more come.
    pub(crate) fn take(&self) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some((request, cost)) = state.requests.pop_front() {
                state.cost -= cost;
                self.changed.notify_all();
                return Some(request);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until there is room for another command. Returns whether there is: false if the commands wait for a search
    /// that only another command ends, or the client has not read the output for `timeout`.
    pub(crate) fn wait_for_room(&self, pending: &PendingSearches, output: &Output, timeout: Duration) -> bool {
        let mut state = self.lock();
        while state.cost >= MAX_COST {
            drop(state);
            if pending.is_searching_until_stop() || output.unread_for().is_some_and(|time| time >= timeout) {
                return false;
            }
            state = self.lock();
            if state.cost >= MAX_COST {
                state = self.changed.wait_timeout(state, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, BacklogState<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
