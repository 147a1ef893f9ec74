//! Progress bars on standard error.

use super::locale::{Charset, charset};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A progress bar for `count` units, with elapsed and estimated time and a message at the end.
pub(super) fn progress(count: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{elapsed}} of about {{duration}}  {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("invariant: the template is well formed");
    ProgressBar::new(count).with_style(style.progress_chars(progress_chars()))
}

/// The characters of a bar: of its part that is done and of the rest.
pub(super) fn progress_chars() -> &'static str {
    if charset() == Charset::Utf8 { "█░" } else { "#." }
}

/// How many bytes of the files of a command have been read.
#[derive(Clone, Default)]
pub(super) struct ReadBytes {
    /// Of all files; 0 if that is not known, as of a pipe.
    total: u64,
    read: Arc<AtomicU64>,
}

impl ReadBytes {
    /// Nothing has been read of so many bytes; 0: an unknown number.
    pub(super) fn of(total: u64) -> ReadBytes {
        ReadBytes { total, read: Arc::default() }
    }

    /// A bar for them; none if their number is not known.
    pub(super) fn bar(&self) -> ProgressBar {
        if self.total == 0 { ProgressBar::hidden() } else { progress(self.total, "bytes") }
    }

    /// Those that have been read.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Relaxed)
    }

    /// How many of something there are about in all files, of which so many are in what has been read; `None` if that cannot
    /// be told.
    pub(super) fn estimate(&self, count: u64) -> Option<u64> {
        let share = self.total as f64 / self.read() as f64;
        (self.total > 0 && share.is_finite()).then(|| (count as f64 * share.max(1.0)).round() as u64)
    }

    /// The input, whose bytes count when they are used.
    pub(super) fn counting<R: BufRead>(&self, input: R) -> impl BufRead + use<R> {
        CountedInput { input, bytes: self.clone() }
    }
}

/// An input whose bytes count when they are used.
struct CountedInput<R> {
    input: R,
    bytes: ReadBytes,
}

impl<R: BufRead> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.bytes.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for CountedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.input.consume(length);
        self.bytes.read.fetch_add(length as u64, Relaxed);
    }
}
