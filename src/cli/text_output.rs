//! Standard output and standard error for people: texts in the character set of the locale, without characters that command
//! a terminal. JSON and files go to [`std::io::stdout`] as they are.

use super::locale::{Charset, charset};
use crate::games::visible::commands_terminal;
use std::fmt;
use std::io::{self, Stderr, Stdout, Write};

/// Standard output for people.
pub(super) fn stdout() -> TextWriter<Stdout> {
    TextWriter { inner: io::stdout(), charset: charset() }
}

/// Standard error for people.
pub(super) fn stderr() -> TextWriter<Stderr> {
    TextWriter { inner: io::stderr(), charset: charset() }
}

/// Writes texts for people. Characters that command a terminal become U+FFFD, line ends and tabs excepted.
pub(super) struct TextWriter<W> {
    inner: W,
    charset: Charset,
}

impl<W: Write> Write for TextWriter<W> {
    /// Writes all of `bytes`, a text.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let is_kept = |letter| matches!(letter, '\n' | '\t') || !commands_terminal(letter);
        let shown: String = text.chars().map(|letter| if is_kept(letter) { letter } else { '\u{fffd}' }).collect();
        self.inner.write_all(&self.charset.encode(&shown))?;
        Ok(bytes.len())
    }

    /// In one piece, so that lines of several threads do not mix.
    fn write_fmt(&mut self, arguments: fmt::Arguments) -> io::Result<()> {
        self.write_all(arguments.to_string().as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
