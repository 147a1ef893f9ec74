//! The reading thread: reads lines, handles what cannot wait and queues the rest for the engine thread.

use super::backlog::Backlog;
use super::command::{Command, CommandError, ConsoleCommand};
use super::dialect::Dialect;
use super::engine_thread::{AfterSearch, Request, probe};
use super::output::Output;
use super::parse;
use super::pending::PendingSearches;
use super::timeouts::Timeouts;
use crate::display::count::count;
use crate::engine::SharedTable;
use crate::engine::go::Go;
use crate::engine::options::Options;
use encoding_rs::GB18030;
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::thread;

/// Longest line read, in bytes; a game of 2,000 moves takes about 10 kB.
const MAX_LINE_BYTES: usize = 1 << 20;
/// UTF-8's byte order mark, with which some editors begin a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// The reading thread.
pub(super) struct InputReader {
    pub backlog: Arc<Backlog<Request>>,
    pub pending: Arc<PendingSearches>,
    pub output: Arc<Output>,
    pub table: SharedTable,
    /// The options as of the last line read.
    pub options: Options,
    /// The dialect of the last greeting read, or that is assumed without one.
    pub dialect: Option<Dialect>,
    pub timeouts: Timeouts,
    /// Number of commands refused since one was not.
    pub refused: usize,
    /// Whether the last command was UCI's greeting.
    pub has_just_greeted: bool,
}

impl InputReader {
    /// Reads `input` to `quit` or its end.
    pub(super) fn run(mut self, mut input: impl BufRead) {
        let mut line = Vec::new();
        loop {
            let command = match read_line(&mut input, &mut line) {
                ReadLine::End => return self.end(),
                ReadLine::TooLong => Err(CommandError::TooLong(MAX_LINE_BYTES)),
                ReadLine::Read => {
                    let text = decode(&line);
                    log::debug!("< {}", text.trim_end());
                    if self.dialect.is_none()
                        && let Some(dialect) = parse::assumed_dialect(&text)
                    {
                        self.handle(Ok(Command::Assume(dialect)), &[]);
                    }
                    match parse::parse(&text, self.dialect.unwrap_or_default()).transpose() {
                        Some(command) => command,
                        None => continue,
                    }
                }
            };
            let is_second = self.has_just_greeted && command == Ok(Command::Greet(Dialect::Ucci));
            self.has_just_greeted = command == Ok(Command::Greet(Dialect::Uci));
            let command = if is_second { Err(CommandError::SecondGreeting) } else { command };
            if command == Ok(Command::Quit) {
                self.pending.quit();
                self.queue(Request::Other(command), &line);
                return self.output.fail_when_unread(self.timeouts.after_quit);
            }
            self.handle(command, &line);
        }
    }

    /// The end of the input.
    fn end(self) {
        self.pending.end_input();
        self.backlog.close();
        if let Some(wait_until_closed) = self.timeouts.wait_until_closed {
            let output = Arc::clone(&self.output);
            let watch = move || {
                wait_until_closed();
                output.fail(io::ErrorKind::BrokenPipe.into());
            };
            // Without a thread, it is noticed when something is written.
            let _ = thread::Builder::new().name("hangup".into()).spawn(watch);
        }
    }

    /// Handles what cannot wait and queues the rest.
    fn handle(&mut self, command: Result<Command, CommandError>, line: &[u8]) {
        match command {
            Ok(Command::Stop) if self.pending.stop() => return,
            Ok(Command::PonderHit { draw }) if self.pending.ponderhit(draw) => return,
            _ => {}
        }
        let has_room = self.output.wait_for_room(Some(self.timeouts.unread))
            && self.backlog.wait_for_room(&self.pending, &self.output, self.timeouts.unread);
        if !has_room {
            if self.refused == 0 {
                self.output.push_message("too many commands wait; more are refused until there is room");
            }
            self.refused += 1;
            return;
        }
        if self.refused > 0 {
            self.output.push_message(format_args!("{} refused", count(self.refused, "command")));
            self.refused = 0;
        }
        if matches!(command, Ok(Command::Console(_))) && self.pending.is_searching_until_stop() {
            self.output.push_message("this waits for the end of the search; stop ends it");
        }
        match command {
            Ok(Command::Go(go)) => self.search(go, AfterSearch::Nothing, line),
            Ok(Command::Console(ConsoleCommand::Play(go))) => self.search(go, AfterSearch::MakeMove, line),
            Ok(Command::IsReady) if self.pending.is_searching() => self.output.push_lines("readyok"),
            Ok(Command::Probe(ref setup)) if self.pending.is_searching() => {
                probe(&self.table, setup, &self.options, &self.output);
            }
            Ok(Command::Console(task)) if task.is_long() => {
                let signals = self.pending.push_task();
                self.queue(Request::Task(task, signals), line);
                self.wait_in_batch();
            }
            command => {
                match command {
                    Ok(Command::Set(ref setting)) => setting.apply(&mut self.options),
                    Ok(Command::Greet(dialect) | Command::Assume(dialect)) => self.dialect = Some(dialect),
                    _ => {}
                }
                self.queue(Request::Other(command), line);
            }
        }
    }

    fn search(&self, go: Box<Go>, after: AfterSearch, line: &[u8]) {
        let signals = self.pending.push_search(&go);
        self.queue(Request::Search(go, signals, after), line);
        self.wait_in_batch();
    }

    fn wait_in_batch(&self) {
        if self.options.batch {
            self.pending.wait();
        }
    }

    fn queue(&self, request: Request, line: &[u8]) {
        let length = match &request {
            // An error holds only a part of a long line, or nothing.
            Request::Other(Err(error)) => format!("{error:?}").len().min(line.len()),
            _ => line.len(),
        };
        self.backlog.push(request, length);
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

/// Result of reading a line.
enum ReadLine {
    Read,
    TooLong,
    End,
}

/// Reads a line into `line`. A read error counts as the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> ReadLine {
    line.clear();
    match input.take(MAX_LINE_BYTES as u64).read_until(b'\n', line) {
        Ok(0) | Err(_) => ReadLine::End,
        Ok(MAX_LINE_BYTES) if line.last() != Some(&b'\n') => match input.skip_until(b'\n') {
            Ok(_) => ReadLine::TooLong,
            Err(_) => ReadLine::End,
        },
        Ok(_) => ReadLine::Read,
    }
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
        assert!(matches!(read_line(&mut input, &mut line), ReadLine::TooLong));
        let mut next = || match read_line(&mut input, &mut line) {
            ReadLine::Read => Some(String::from_utf8_lossy(&line).into_owned()),
            _ => None,
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
