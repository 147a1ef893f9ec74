//! The lines exchanged with engines, in a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A log of all lines, with seconds since its start.
pub struct TrafficLog {
    file: Mutex<File>,
    start: Instant,
}

impl TrafficLog {
    /// Opens the file, or makes it: what is in it stays.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<TrafficLog> {
        let file = File::options().append(true).create(true).open(path)?;
        Ok(TrafficLog { file: Mutex::new(file), start: Instant::now() })
    }

    /// Logs a line that an engine was sent (`<`) or has sent (`>`). A full disk does not end the match.
    pub fn write(&self, engine: &str, arrow: char, line: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let line = format!("{seconds:10.3} {engine} {arrow} {line}\n");
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}
