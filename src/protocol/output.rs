//! Lines to the client.

use super::dialect::Dialect;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where lines go, from any thread; a line is never torn, and always flushed.
pub struct Output {
    state: Mutex<OutputState>,
}

struct OutputState {
    sink: Box<dyn Write + Send>,
    dialect: Dialect,
}

impl Output {
    /// Lines to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Output {
        Output { state: Mutex::new(OutputState { sink: Box::new(sink), dialect: Dialect::default() }) }
    }

    /// The dialect spoken.
    pub fn dialect(&self) -> Dialect {
        self.lock().dialect
    }

    /// Speaks `dialect` from now on.
    pub fn speak(&self, dialect: Dialect) {
        self.lock().dialect = dialect;
    }

    /// Writes `text`, one or several lines of which the last lacks its newline.
    ///
    /// When nobody reads any more, nobody can be answered and perhaps nothing will ever be read again: the process ends
    /// here, without a word.
    pub fn say(&self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let sink = &mut self.lock().sink;
        // Logged in the order in which the client hears it.
        for line in text.lines() {
            log::debug!("> {line}");
        }
        let written = sink.write_all(format!("{text}\n").as_bytes()).and_then(|()| sink.flush());
        if let Err(error) = written {
            log::warn!("nobody listens: {error}");
            std::process::exit(0);
        }
    }

    /// Writes a line of free text. Whatever would break the line is shown as a blank.
    pub fn message(&self, text: impl std::fmt::Display) {
        let line = format!("{} {text}", self.dialect().message());
        self.say(line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>());
    }

    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
