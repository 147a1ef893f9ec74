//! The lines exchanged with engines, in a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A log of all lines, with seconds since its start.
pub(crate) struct TrafficLog {
    file: Mutex<File>,
    start: Instant,
}

impl TrafficLog {
    /// Opens the file, or makes it: what is in it stays.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<TrafficLog> {
        let file = File::options().append(true).create(true).open(path)?;
        Ok(TrafficLog { file: Mutex::new(file), start: Instant::now() })
    }

    /// Logs a line that an engine was sent (`<`) or has sent (`>`), control characters escaped: the file stays a text. A full
    /// disk does not end the match.
    pub(crate) fn write(&self, engine: &str, arrow: char, line: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut text = format!("{seconds:10.3} {engine} {arrow} ");
        for letter in line.chars() {
            if letter.is_control() && letter != '\t' { text.extend(letter.escape_default()) } else { text.push(letter) }
        }
        text.push('\n');
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        TrafficLog::open(&path).unwrap().write("a", '>', "bestmove\0\th2e2\u{7} 炮");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with(" a > bestmove\\u{0}\th2e2\\u{7} 炮\n"), "{text:?}");
    }
}
