//! Parts of work for threads, where there may be none.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Work that is done by a thread, or has been done by this one.
pub(super) enum Part<'scope, T> {
    /// By a thread.
    Thread(ScopedJoinHandle<'scope, Option<T>>),
    /// By this one.
    Done(T),
}

impl<T> Part<'_, T> {
    /// Waits for the result.
    ///
    /// # Panics
    /// If the work panics.
    pub(super) fn join(self) -> T {
        match self {
            Part::Thread(thread) => {
                let result = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                result.expect("invariant: only the thread took the work")
            }
            Part::Done(result) => result,
        }
    }
}

/// Does work on a thread of its own, or on this one where the system cannot start a thread.
pub(super) fn start_or_do<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Part<'scope, T> {
    let work = Arc::new(Mutex::new(Some(work)));
    let shared = Arc::clone(&work);
    match thread::Builder::new().spawn_scoped(scope, move || take(&shared).map(|work| work())) {
        Ok(thread) => Part::Thread(thread),
        Err(_) => Part::Done(take(&work).expect("invariant: no thread took the work")()),
    }
}

fn take<W>(work: &Mutex<Option<W>>) -> Option<W> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}
