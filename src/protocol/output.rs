//! Lines to the client. They are queued, and a thread of their own writes them: a client that does not read stops the
//! search, which waits for room in the queue, but not the reading of `stop` and `quit`.

use super::dialect::Dialect;
use crate::games::visible::commands_terminal;
use crate::notation::Ranks;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that may wait for the client before those who write wait too.
const MAX_UNWRITTEN: usize = 1 << 20;
/// Greatest number of bytes written at once (a chunk); what the client takes of them is noticed when it has taken all.
const CHUNK: usize = 1 << 12;

/// Greatest length of a line of free text in bytes, with its end: clients have buffers of a few kilobytes. A longer one
/// is cut. (The lines of a search are shorter: a PV has at most 120 moves.)
const MAX_MESSAGE_BYTES: usize = 1_999;

/// Called once with the first write error; must not use the output.
type OnFailure = Box<dyn FnOnce(io::Error) + Send>;

/// The output to the client, used by several threads. Each call adds whole lines.
pub(crate) struct Output {
    state: Mutex<OutputState>,
    changed: Condvar,
}

struct OutputState {
    /// Lines for the writing thread.
    queue: Vec<u8>,
    /// Bytes in the queue and in the hands of the writing thread.
    unwritten: usize,
    /// When the client last took something, or had taken everything.
    taken_at: Instant,
    /// `None` after a write error, or when nothing more is to be written.
    on_failure: Option<OnFailure>,
    dialect: Dialect,
    ranks: Ranks,
}

impl Output {
    /// An output without lines. The first error is given to `on_failure`, and nothing is written after it.
    pub(crate) fn new(on_failure: impl FnOnce(io::Error) + Send + 'static) -> Output {
        Output {
            state: Mutex::new(OutputState {
                queue: Vec::new(),
                unwritten: 0,
                taken_at: Instant::now(),
                on_failure: Some(Box::new(on_failure)),
                dialect: Dialect::default(),
                ranks: Ranks::default(),
            }),
            changed: Condvar::new(),
        }
    }

    /// Writes the lines to `sink`, until an error or [`Output::close`].
    pub(crate) fn run(&self, mut sink: impl Write) {
        let mut lines = Vec::new();
        loop {
            let mut state = self.lock();
            while state.queue.is_empty() {
                if state.on_failure.is_none() {
                    return;
                }
                state = self.wait(state);
            }
            lines.clear();
            std::mem::swap(&mut lines, &mut state.queue);
            drop(state);
            for chunk in lines.chunks(CHUNK) {
                if let Err(error) = sink.write_all(chunk).and_then(|()| sink.flush()) {
                    return self.fail(error);
                }
                let mut state = self.lock();
                state.taken_at = Instant::now();
                // After a failure nothing is unwritten.
                state.unwritten = state.unwritten.saturating_sub(chunk.len());
                self.changed.notify_all();
            }
        }
    }

    /// Writes nothing more because of this error.
    pub(crate) fn fail(&self, error: io::Error) {
        let mut state = self.lock();
        (state.queue, state.unwritten) = (Vec::new(), 0);
        // Under the lock: a thread that waits in `finish` must not go on before the error is reported.
        if let Some(on_failure) = state.on_failure.take() {
            log::warn!("cannot write: {error}");
            on_failure(error);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until everything is written, or there was an error.
    pub(crate) fn finish(&self) {
        let mut state = self.lock();
        while state.unwritten > 0 {
            state = self.wait(state);
        }
    }

    /// Ends the writing thread.
    pub(crate) fn close(&self) {
        self.lock().on_failure = None;
        self.changed.notify_all();
    }

    /// Fails when the client takes nothing for `timeout`, from now on, though there is something to take. Returns then,
    /// or when the output is closed.
    pub(crate) fn fail_when_unread(&self, timeout: Duration) {
        let since = Instant::now();
        let mut state = self.lock();
        while state.on_failure.is_some() {
            if state.unwritten == 0 {
                state = self.wait(state);
                continue;
            }
            let left = timeout.saturating_sub(state.taken_at.max(since).elapsed());
            if left.is_zero() {
                drop(state);
                return self.fail(io::Error::new(io::ErrorKind::TimedOut, "nobody reads it"));
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until there is room for more lines. Returns whether there is: false once the client has taken nothing for
    /// `timeout`, if that is given.
    pub(crate) fn wait_for_room(&self, timeout: Option<Duration>) -> bool {
        let mut state = self.lock();
        while state.unwritten > MAX_UNWRITTEN {
            let Some(timeout) = timeout else {
                state = self.wait(state);
                continue;
            };
            let left = timeout.saturating_sub(state.taken_at.elapsed());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// The time since the client last took something, if it has something to take.
    pub(crate) fn unread_for(&self) -> Option<Duration> {
        let state = self.lock();
        (state.unwritten > 0).then(|| state.taken_at.elapsed())
    }

    /// The dialect of the output.
    pub(crate) fn dialect(&self) -> Dialect {
        self.lock().dialect
    }

    /// Sets the dialect of the output.
    pub(crate) fn set_dialect(&self, dialect: Dialect) {
        self.lock().dialect = dialect;
    }

    /// How the client numbers ranks, for `probe`, which the reading thread answers during a search.
    pub(crate) fn ranks(&self) -> Ranks {
        self.lock().ranks
    }

    /// Sets how the client numbers ranks.
    pub(crate) fn set_ranks(&self, ranks: Ranks) {
        self.lock().ranks = ranks;
    }

    /// Writes `text`, one or several lines, the last without its newline; waits for room if the client does not read.
    pub(crate) fn write_lines(&self, text: impl AsRef<str>) {
        self.push_lines(text);
        self.wait_for_room(None);
    }

    /// As [`Output::write_lines`], without waiting.
    pub(crate) fn push_lines(&self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let mut state = self.lock();
        if state.on_failure.is_none() {
            return;
        }
        // Logged under the lock, in the order written.
        for line in text.lines() {
            log::debug!("> {line}");
        }
        if state.unwritten == 0 {
            state.taken_at = Instant::now();
        }
        state.unwritten += text.len() + 1;
        state.queue.extend_from_slice(text.as_bytes());
        state.queue.push(b'\n');
        drop(state);
        self.changed.notify_all();
    }

    /// Writes a line of free text (`info message` in UCCI, `info string` in UCI). What commands a terminal becomes blanks.
    pub(crate) fn write_message(&self, text: impl Display) {
        self.push_message(text);
        self.wait_for_room(None);
    }

    /// As [`Output::write_message`], without waiting.
    pub(crate) fn push_message(&self, text: impl Display) {
        let mut line = Message(format!("{} ", self.dialect().message_prefix()));
        let _ = write!(line, "{text}");
        self.push_lines(line.0);
    }

    fn wait<'a>(&self, state: MutexGuard<'a, OutputState>) -> MutexGuard<'a, OutputState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line of free text, cut to [`MAX_MESSAGE_BYTES`]; what commands a terminal becomes blanks.
struct Message(String);

impl fmt::Write for Message {
    /// Fails when the line is full, so that the rest of a long text is not even formatted.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        const END: char = '…';
        for letter in text.chars() {
            if self.0.len() + letter.len_utf8() + END.len_utf8() >= MAX_MESSAGE_BYTES {
                self.0.push(END);
                return Err(fmt::Error);
            }
            self.0.push(if commands_terminal(letter) { ' ' } else { letter });
        }
        Ok(())
    }
}
