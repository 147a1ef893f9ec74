//! Lines to the client.

use super::dialect::Dialect;
use crate::notation::Ranks;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Called once with the first write error.
type OnFailure = Box<dyn FnOnce(io::Error) + Send>;

/// The output to the client, used by several threads. Each call writes whole lines and flushes them.
pub struct Output {
    state: Mutex<OutputState>,
}

struct OutputState {
    /// `None` after a write error.
    sink: Option<(Box<dyn Write + Send>, OnFailure)>,
    dialect: Dialect,
    ranks: Ranks,
}

impl Output {
    /// Output to `sink`. The first write error is given to `on_failure`, and nothing is written after it.
    pub fn new(sink: impl Write + Send + 'static, on_failure: impl FnOnce(io::Error) + Send + 'static) -> Output {
        let sink: (Box<dyn Write + Send>, OnFailure) = (Box::new(sink), Box::new(on_failure));
        Output {
            state: Mutex::new(OutputState { sink: Some(sink), dialect: Dialect::default(), ranks: Ranks::default() }),
        }
    }

    /// The dialect of the output.
    pub fn dialect(&self) -> Dialect {
        self.lock().dialect
    }

    /// Sets the dialect of the output.
    pub fn set_dialect(&self, dialect: Dialect) {
        self.lock().dialect = dialect;
    }

    /// How the client numbers ranks, for `probe`, which the reading thread answers during a search.
    pub fn ranks(&self) -> Ranks {
        self.lock().ranks
    }

    /// Sets how the client numbers ranks.
    pub fn set_ranks(&self, ranks: Ranks) {
        self.lock().ranks = ranks;
    }

    /// Writes `text`, one or several lines, the last without its newline.
    pub fn write_lines(&self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let slot = &mut self.lock().sink;
        let Some((mut sink, on_failure)) = slot.take() else { return };
        // Logged under the lock, in the order written.
        for line in text.lines() {
            log::debug!("> {line}");
        }
        match sink.write_all(format!("{text}\n").as_bytes()).and_then(|()| sink.flush()) {
            Ok(()) => *slot = Some((sink, on_failure)),
            Err(error) => {
                log::warn!("cannot write: {error}");
                on_failure(error);
            }
        }
    }

    /// Writes a line of free text (`info message` in UCCI, `info string` in UCI). Control characters become blanks.
    pub fn write_message(&self, text: impl Display) {
        let line = format!("{} {text}", self.dialect().message_prefix());
        self.write_lines(line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>());
    }

    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
