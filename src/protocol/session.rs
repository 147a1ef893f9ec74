//! What the threads of the loop share: the commands read and not executed, the searches not answered, and the lines not
//! written. One lock, so that a search is removed together with its answer, and what waits can wait for all of them.

use super::command::{Command, CommandError};
use super::dialect::Dialect;
use super::format::message;
use super::pending::PendingSearches;
use crate::notation::Ranks;
use crate::search::signals::Signals;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Greatest cost of the commands that wait, and greatest number of bytes of lines that wait, before no more are read or
/// executed. The last one may exceed it.
const MAX_WAITING: usize = 16 << 20;
/// Cost of a command beside the length of its line, in bytes.
const COMMAND_COST: usize = 512;
/// Greatest number of bytes written at once; what the client takes of them is noticed when it has taken all.
const CHUNK: usize = 1 << 12;

/// Why the protocol loop failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written; [`io::ErrorKind::BrokenPipe`] if the client closed it.
    #[error("cannot write: {0}")]
    Output(io::Error),
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// One of the threads panicked.
    #[error("a thread panicked")]
    Panic,
}

/// The state that the threads share. After [`Session::end`] nothing waits and nothing is written.
#[derive(Default)]
pub(super) struct Session {
    state: Mutex<SessionState>,
    changed: Condvar,
}

/// The state under the lock.
#[derive(Default)]
pub(super) struct SessionState {
    /// Oldest first.
    commands: VecDeque<Request>,
    /// Sum of the costs of the commands.
    cost: usize,
    /// Whether no more commands come.
    is_closed: bool,
    /// Whether `quit` was read.
    pub is_quitting: bool,
    pub pending: PendingSearches,
    /// The lines that the client has not taken.
    lines: VecDeque<u8>,
    /// When the client last took something, or something came that it can take, or `quit`.
    taken_at: Option<Instant>,
    /// The dialect of the output.
    pub dialect: Dialect,
    /// How the client numbers ranks.
    pub ranks: Ranks,
    end: Option<Result<(), RunError>>,
}

/// A command, or the error of its line.
pub(super) struct Request {
    pub command: Result<Command, CommandError>,
    /// Those of its search.
    pub signals: Arc<Signals>,
    cost: usize,
}

impl SessionState {
    fn are_lines_full(&self) -> bool {
        self.lines.len() > MAX_WAITING
    }

    fn is_full(&self) -> bool {
        self.are_lines_full() || self.cost >= MAX_WAITING
    }

    /// Adds lines, without the last newline.
    fn write(&mut self, text: &str) {
        if self.end.is_some() || text.is_empty() {
            return;
        }
        // Logged under the lock, in the order written.
        text.lines().for_each(|line| log::debug!("> {line}"));
        if self.lines.is_empty() {
            self.taken_at = Some(Instant::now());
        }
        self.lines.extend(text.as_bytes());
        self.lines.push_back(b'\n');
    }
}

impl Session {
    pub(super) fn lock(&self) -> MutexGuard<'_, SessionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while the condition holds, until the end at most.
    fn wait_while(&self, condition: impl Fn(&SessionState) -> bool) -> MutexGuard<'_, SessionState> {
        let goes_on = |state: &mut SessionState| state.end.is_none() && condition(state);
        self.changed.wait_while(self.lock(), goes_on).unwrap_or_else(PoisonError::into_inner)
    }

    // ── The reading thread ──────────────────────────────────────────────────────────────────────────────────────────

    /// Waits until there is room for another command and what it writes. Returns whether there is: false if the commands
    /// wait for a search that only another command ends.
    pub(super) fn wait_for_room(&self) -> bool {
        !self.wait_while(|state| state.is_full() && !state.pending.waits_for_command()).is_full()
    }

    /// Queues a command, or the error of its line, for the engine thread. `length`: what it keeps of the line, in bytes.
    pub(super) fn push(&self, command: Result<Command, CommandError>, length: usize) {
        let mut state = self.lock();
        let request = Request { command, signals: Arc::new(Signals::new()), cost: COMMAND_COST + length };
        if let Ok(command) = &request.command {
            state.pending.push(command, &request.signals);
        }
        state.cost += request.cost;
        state.commands.push_back(request);
        self.changed.notify_all();
    }

    /// Waits until no search is pending, or one that can be ended only by a command still to be read.
    pub(super) fn wait_for_searches(&self) {
        drop(self.wait_while(|state| state.pending.ends_by_itself()));
    }

    /// No more commands come. At the end of the input the pending searches that do not end by themselves are stopped; at
    /// `quit` all are, and only the oldest is answered.
    pub(super) fn close(&self, is_quitting: bool) {
        let mut state = self.lock();
        (state.is_closed, state.is_quitting, state.taken_at) = (true, is_quitting, Some(Instant::now()));
        match is_quitting {
            true => _ = state.pending.stop(),
            false => state.pending.end_input(),
        }
        self.changed.notify_all();
    }

    // ── The engine thread ───────────────────────────────────────────────────────────────────────────────────────────

    /// The next command; waits for it, and for room for what it writes. `None` if no more come.
    pub(super) fn take(&self) -> Option<Request> {
        let must_wait = |state: &SessionState| state.are_lines_full() || state.commands.is_empty() && !state.is_closed;
        let mut state = self.wait_while(must_wait);
        let request = state.commands.pop_front().filter(|_| state.end.is_none())?;
        state.cost -= request.cost;
        self.changed.notify_all();
        Some(request)
    }

    /// Whether no command waits, but more may come.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.lock();
        state.commands.is_empty() && !state.is_closed
    }

    /// Writes the last lines of the oldest pending search, which is answered with them. After `quit` nothing follows.
    pub(super) fn complete(&self, text: &str) {
        let mut state = self.lock();
        state.write(text);
        state.pending.complete();
        if state.is_quitting {
            state.commands.clear();
        }
        self.changed.notify_all();
    }

    /// Waits until everything is written, and ends the loop.
    pub(super) fn finish(&self) {
        drop(self.wait_while(|state| !state.lines.is_empty()));
        self.end(Ok(()));
    }

    // ── The output ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Whether the client is so far behind in reading that what it need not know is not written.
    pub(super) fn is_client_behind(&self) -> bool {
        self.lock().are_lines_full()
    }

    /// Waits until the client is so far behind that no command is executed.
    #[cfg(test)]
    pub(super) fn wait_until_client_is_behind(&self) {
        drop(self.wait_while(|state| !state.are_lines_full()));
    }

    /// Writes one or several lines, the last without its newline. Does not wait for the client.
    pub(super) fn write(&self, text: impl AsRef<str>) {
        self.lock().write(text.as_ref());
        self.changed.notify_all();
    }

    /// Writes a line of free text (`info message` in UCCI, `info string` in UCI).
    pub(super) fn write_message(&self, text: impl Display) {
        let prefix = self.lock().dialect.message_prefix();
        self.write(message(prefix, text));
    }

    /// Hands the lines to `sink` until the end.
    pub(super) fn write_to(&self, mut sink: impl Write) {
        loop {
            let state = self.wait_while(|state| state.lines.is_empty());
            let chunk: Vec<u8> = state.lines.iter().take(CHUNK).copied().collect();
            drop(state);
            if chunk.is_empty() {
                return;
            }
            if let Err(error) = sink.write_all(&chunk).and_then(|()| sink.flush()) {
                log::warn!("cannot write: {error}");
                return self.end(Err(RunError::Output(error)));
            }
            let mut state = self.lock();
            // After the end there are none.
            let taken = chunk.len().min(state.lines.len());
            state.lines.drain(..taken);
            state.taken_at = Some(Instant::now());
            self.changed.notify_all();
        }
    }

    // ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Ends the loop; the first result counts. Searches are stopped, and lines not written are dropped.
    pub(super) fn end(&self, result: Result<(), RunError>) {
        let mut state = self.lock();
        state.end.get_or_insert(result);
        state.lines.clear();
        state.pending.stop();
        self.changed.notify_all();
    }

    /// Waits for the end. A client that takes nothing for `patience` after its `quit`, though there is something to take,
    /// is an error.
    pub(super) fn wait_for_end(&self, patience: Duration) -> Result<(), RunError> {
        let mut state = self.lock();
        while state.end.is_none() {
            let left = patience.saturating_sub(state.taken_at.map_or(Duration::ZERO, |at| at.elapsed()));
            let is_unread = state.is_quitting && !state.lines.is_empty();
            state = if !is_unread {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            } else if !left.is_zero() {
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            } else {
                drop(state);
                self.end(Err(RunError::Output(io::Error::new(io::ErrorKind::TimedOut, "nobody reads it"))));
                self.lock()
            }
        }
        std::mem::replace(state.end.get_or_insert(Ok(())), Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_refused_for_unread_lines_only_while_a_search_waits_for_a_command() {
        let session = Session::default();
        session.push(Ok(Command::Go(Box::default())), 0);
        session.write("x".repeat(MAX_WAITING));
        assert!(!session.wait_for_room() && session.is_client_behind());
        session.lock().pending.stop();
        std::thread::scope(|scope| {
            scope.spawn(|| session.write_to(io::sink()));
            assert!(session.wait_for_room(), "there is room when the client has read");
            session.finish();
        });
        assert!(session.lock().lines.is_empty() && session.take().is_none());
    }
}
