//! Lines to the client.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Where lines go, from any thread; a line is never torn, and always flushed.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
}

impl Output {
    /// Lines to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Output {
        Output { sink: Mutex::new(Box::new(sink)) }
    }

    /// Writes `text`, one or several lines of which the last lacks its newline.
    ///
    /// When nobody reads any more, nobody can be answered and perhaps nothing will ever be read again: the process ends
    /// here, without a word.
    pub fn say(&self, text: impl Into<String>) {
        let mut text = text.into();
        log::debug!("> {text}");
        text.push('\n');
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let written = sink.write_all(text.as_bytes()).and_then(|()| sink.flush());
        if let Err(error) = written {
            log::warn!("nobody listens: {error}");
            std::process::exit(0);
        }
    }

    /// Writes an `info message` line. Whatever would break the line is shown as a blank.
    pub fn message(&self, text: impl std::fmt::Display) {
        let mut line = format!("info message {text}");
        line = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        self.say(line);
    }
}
