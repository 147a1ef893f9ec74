//! The reading thread: reads lines, handles what cannot wait and queues the rest for the engine thread.

use super::command::{Command, CommandError};
use super::dialect::Dialect;
use super::engine_thread::probe;
use super::parse;
use super::session::Session;
use crate::display::count::count;
use crate::engine::SharedTable;
use crate::engine::options::Options;
use encoding_rs::GB18030;
use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::sync::Arc;

/// Longest line read, in bytes; a game of 2,000 moves takes about 10 kB.
const MAX_LINE_BYTES: usize = 1 << 20;
/// UTF-8's byte order mark, with which some editors begin a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The reading thread.
pub(super) struct InputReader {
    pub session: Arc<Session>,
    pub table: SharedTable,
    /// The options as of the last line read.
    pub options: Options,
    /// The dialect of the last greeting read, or that is assumed without one.
    pub dialect: Option<Dialect>,
    /// Number of commands refused since one was not.
    pub refused: usize,
    /// Whether the last command was UCI's greeting.
    pub has_just_greeted: bool,
}

impl InputReader {
    /// Reads `input` to `quit` or its end, after the commands `first`. Returns whether it has ended.
    pub(super) fn run(&mut self, first: Vec<Command>, mut input: impl BufRead) -> bool {
        first.into_iter().for_each(|command| self.handle(Ok(command), 0));
        let mut line = Vec::new();
        while let Some(read) = read_line(&mut input, &mut line) {
            let text = decode(&line);
            let command = read.and_then(|()| {
                log::debug!("< {}", text.trim_end());
                if let (None, Some(dialect)) = (self.dialect, parse::assumed_dialect(&text)) {
                    self.handle(Ok(Command::Assume(dialect)), 0);
                }
                parse::parse(&text, self.dialect.unwrap_or_default())
            });
            match command.transpose() {
                None => {}
                Some(Ok(Command::Quit)) => {
                    self.session.close(true);
                    return false;
                }
                Some(command) => self.handle(command, line.len()),
            }
        }
        self.session.close(false);
        true
    }

    /// Handles what cannot wait and queues the rest. `length`: that of the line.
    fn handle(&mut self, command: Result<Command, CommandError>, length: usize) {
        let is_second = self.has_just_greeted && command == Ok(Command::Greet(Dialect::Ucci));
        self.has_just_greeted = command == Ok(Command::Greet(Dialect::Uci));
        let command = if is_second { Err(CommandError::SecondGreeting) } else { command };
        let session = &self.session;
        match command {
            Ok(Command::Stop) if session.lock().pending.stop() => return,
            Ok(Command::PonderHit { draw }) if session.lock().pending.ponderhit(draw) => return,
            _ => {}
        }
        if !session.wait_for_room() {
            if self.refused == 0 {
                session.write_message("too many commands wait; more are refused until there is room");
            }
            self.refused += 1;
            return;
        }
        if self.refused > 0 {
            session.write_message(format_args!("{} refused", count(self.refused, "command")));
            self.refused = 0;
        }
        let (is_searching, waits) = {
            let state = session.lock();
            (state.pending.is_searching(), state.pending.waits_for_command())
        };
        match command {
            Ok(Command::IsReady) if is_searching => return session.write("readyok"),
            Ok(Command::Probe(ref setup)) if is_searching => {
                let ranks = session.lock().ranks;
                return probe(&self.table, setup, &self.options, ranks, session);
            }
            Ok(Command::Console(_)) if waits => {
                session.write_message("this waits for the end of the search; stop ends it");
            }
            Ok(Command::Set(ref setting)) => setting.apply(&mut self.options),
            Ok(Command::Greet(dialect) | Command::Assume(dialect)) => self.dialect = Some(dialect),
            _ => {}
        }
        // An error holds only a part of a long line, or nothing.
        let length = if command.is_ok() { length } else { 0 };
        session.push(command, length);
        if self.options.batch {
            session.wait_for_searches();
        }
    }
}

/// The text of a line. Clients on Chinese Windows send file names and comments in GBK, which GB18030 contains.
fn decode(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    match str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => GB18030.decode_without_bom_handling(line).0,
    }
}

/// Reads a line into `line`, or says that it is too long. `None`: the end of the input, as which a read error counts.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Option<Result<(), CommandError>> {
    line.clear();
    let length = input.take(MAX_LINE_BYTES as u64).read_until(b'\n', line).ok().filter(|&length| length > 0)?;
    if length < MAX_LINE_BYTES || line.ends_with(b"\n") {
        return Some(Ok(()));
    }
    line.clear();
    input.skip_until(b'\n').ok()?;
    Some(Err(CommandError::TooLong(MAX_LINE_BYTES)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_reported() {
        let mut text = vec![b'x'; 3 * MAX_LINE_BYTES];
        text.extend_from_slice(b"\n\nstop\r\nquit");
        let mut input = text.as_slice();
        let mut line = Vec::new();
        assert_eq!(read_line(&mut input, &mut line), Some(Err(CommandError::TooLong(MAX_LINE_BYTES))));
        let mut next = || {
            read_line(&mut input, &mut line)?.unwrap();
            Some(String::from_utf8_lossy(&line).into_owned())
        };
        assert_eq!([next(), next(), next(), next()].map(Option::unwrap_or_default), ["\n", "stop\r\n", "quit", ""]);
    }

    #[test]
    fn lines_are_utf_8_or_gb18030() {
        assert_eq!(decode("\u{feff}bookfiles 棋谱".as_bytes()), "bookfiles 棋谱");
        assert_eq!(decode(b"bookfiles \xc6\xe5\xc6\xd7"), "bookfiles 棋谱");
        assert!(decode(b"stop \xff").starts_with("stop "));
    }
}
