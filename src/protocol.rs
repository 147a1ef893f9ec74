//! The protocol loop (L6): one thread reads the input, another owns the engine. (A search may use more threads.)
//!
//! The reading thread parses each line once into a [`command::Command`] and sends it by channel to the engine thread.
//! While searches are pending it handles `stop`, `ponderhit`, `isready`, `probe` and `quit` itself; all other commands
//! are queued, so a script need not wait for answers. `isready` outside a search is queued too: `readyok` means that
//! everything before it is done. No thread polls, except the engine thread while it waits for the cloud book.
//!
//! | state | condition | commands |
//! |---|---|---|
//! | boot, idle | no search pending | all in order; UCCI's `stop` is answered by `nobestmove` |
//! | thinking | a `go` was read and not yet answered | the five above at once; the rest after the search |
//!
//! With `batch` on, nothing is read during `perft`, `bench` or a search that ends by itself. At the end of the input,
//! searches that end by themselves are completed and the others stopped.
//!
//! | module | content |
//! |---|---|
//! | [`command`] | typed commands and parse errors |
//! | [`parse`] | reading a line into a command |
//! | [`dialect`] | UCCI or UCI |
//! | [`ucci`], [`uci`] | texts of each protocol |
//! | `format` | text helpers of both |
//! | [`console`] | texts of the console commands |
//! | [`pending`] | searches not yet answered, shared by the two threads |
//! | [`engine_thread`] | the engine thread |
//! | [`output`] | lines to the client |
//! | `throttle` | limits how often reports are written |

pub mod command;
pub mod console;
pub mod dialect;
pub mod engine_thread;
mod format;
pub mod output;
pub mod parse;
pub mod pending;
mod throttle;
pub mod ucci;
pub mod uci;

use crate::engine::go::Go;
use crate::engine::options::Options;
use crate::engine::{Engine, SharedTable};
use command::{Command, CommandError, ConsoleCommand};
use dialect::Dialect;
use encoding_rs::GB18030;
use engine_thread::{AfterSearch, EngineThread, Request, probe};
use output::Output;
use pending::PendingSearches;
use std::borrow::Cow;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvError, Sender};
use std::thread;
use thiserror::Error;

/// Longest line read, in bytes; a game of 2,000 moves takes about 10 kB.
const MAX_LINE_BYTES: usize = 1 << 20;
/// UTF-8's byte order mark, with which some editors begin a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why the protocol loop failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written; [`io::ErrorKind::BrokenPipe`] if the client closed it.
    #[error("cannot write: {0}")]
    Output(io::Error),
    /// One of the two threads panicked.
    #[error("a thread panicked")]
    Panic,
}

/// What ends the loop.
enum Event {
    Finished,
    OutputFailed(io::Error),
    Panicked,
}

/// Runs `engine` until `quit` or the end of the input, all searches before it being answered.
///
/// On return, running searches have been signalled to stop, but the reading thread may still block on `input`.
///
/// # Errors
/// When `output` cannot be written, or a thread panicked.
pub fn run(
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), RunError> {
    let (events, event) = mpsc::channel();
    let failures = events.clone();
    let output = Arc::new(Output::new(output, move |error| {
        let _ = failures.send(Event::OutputFailed(error));
    }));
    let pending = Arc::new(PendingSearches::default());
    let (sender, requests) = mpsc::channel();
    let reader = InputReader {
        sender,
        pending: Arc::clone(&pending),
        output: Arc::clone(&output),
        table: engine.table(),
        options: engine.options().clone(),
        dialect: output.dialect(),
    };
    let mut engine_thread = EngineThread::new(engine, Arc::clone(&pending), output);
    let guard = PanicGuard(events.clone());
    thread::spawn(move || {
        let _guard = guard;
        reader.run(input);
    });
    let guard = PanicGuard(events.clone());
    thread::spawn(move || {
        let _guard = guard;
        engine_thread.run(&requests);
        let _ = events.send(Event::Finished);
    });
    let end = event.recv();
    pending.quit();
    match end {
        Ok(Event::Finished) => Ok(()),
        Ok(Event::OutputFailed(error)) => Err(RunError::Output(error)),
        Ok(Event::Panicked) | Err(RecvError) => Err(RunError::Panic),
    }
}

/// Reports a panic of its thread.
struct PanicGuard(Sender<Event>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Panicked);
        }
    }
}

/// The reading thread. Dropping it closes the channel to the engine thread.
struct InputReader {
    sender: Sender<Request>,
    pending: Arc<PendingSearches>,
    output: Arc<Output>,
    table: SharedTable,
    /// The options as of the last line read.
    options: Options,
    /// The dialect of the last greeting read.
    dialect: Dialect,
}

impl InputReader {
    fn run(mut self, mut input: impl BufRead) {
        let mut line = Vec::new();
        loop {
            let command = match read_line(&mut input, &mut line) {
                ReadLine::End => return self.pending.end_input(),
                ReadLine::TooLong => Err(CommandError::TooLong(MAX_LINE_BYTES)),
                ReadLine::Read => {
                    let text = decode(&line);
                    log::debug!("< {}", text.trim_end());
                    match parse::parse(&text, self.dialect).transpose() {
                        Some(command) => command,
                        None => continue,
                    }
                }
            };
            if command == Ok(Command::Quit) {
                self.pending.quit();
                return self.send(Request::Other(command));
            }
            self.handle(command);
        }
    }

    /// Handles what cannot wait and queues the rest.
    fn handle(&mut self, command: Result<Command, CommandError>) {
        if matches!(command, Ok(Command::Console(_))) && self.pending.is_searching_until_stop() {
            self.output.write_message("this waits for the end of the search; stop ends it");
        }
        match command {
            Ok(Command::Go(go)) => self.search(go, AfterSearch::Nothing),
            Ok(Command::Console(ConsoleCommand::Play(go))) => self.search(go, AfterSearch::MakeMove),
            Ok(Command::Stop) if self.pending.stop() => {}
            Ok(Command::PonderHit { draw }) if self.pending.ponderhit(draw) => {}
            Ok(Command::IsReady) if self.pending.is_searching() => self.output.write_lines("readyok"),
            Ok(Command::Probe(ref setup)) if self.pending.is_searching() => {
                probe(&self.table, setup, self.options.variant, &self.output);
            }
            Ok(Command::Console(task)) if task.is_long() => {
                let signals = self.pending.push_task();
                self.send(Request::Task(task, signals));
                self.wait_in_batch();
            }
            command => {
                match command {
                    Ok(Command::Set(ref setting)) => setting.apply(&mut self.options),
                    Ok(Command::Greet(dialect)) => self.dialect = dialect,
                    _ => {}
                }
                self.send(Request::Other(command));
            }
        }
    }

    fn search(&self, go: Box<Go>, after: AfterSearch) {
        let signals = self.pending.push_search(&go);
        self.send(Request::Search(go, signals, after));
        self.wait_in_batch();
    }

    fn wait_in_batch(&self) {
        if self.options.batch {
            self.pending.wait();
        }
    }

    fn send(&self, request: Request) {
        // Fails only after the engine thread has ended, and then `run` returns.
        let _ = self.sender.send(request);
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

    /// An input that blocks for ever, as a client does that sends nothing more.
    struct Silent(mpsc::Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    /// An output of which every write fails or panics.
    struct Broken {
        panics: bool,
    }

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            assert!(!self.panics, "a panic for a test");
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn run_on_silent(lines: &'static str, output: Broken) -> Result<(), RunError> {
        let (_open, receiver) = mpsc::channel();
        let input = io::BufReader::new(lines.as_bytes().chain(Silent(receiver)));
        run(Engine::new(), input, output)
    }

    #[test]
    fn write_error_is_returned_while_the_input_blocks() {
        for lines in ["isready\n", "go infinite\nisready\n"] {
            let result = run_on_silent(lines, Broken { panics: false });
            let Err(RunError::Output(error)) = result else { panic!("{result:?}") };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
    }

    #[test]
    fn panic_of_a_thread_is_returned_while_the_input_blocks() {
        // Outside a search the engine thread writes; during one the reading thread answers `isready`.
        for lines in ["isready\n", "go infinite\nisready\n"] {
            let result = run_on_silent(lines, Broken { panics: true });
            assert!(matches!(result, Err(RunError::Panic)), "{result:?}");
        }
    }

    #[test]
    fn end_of_input_and_quit_are_no_errors() {
        assert!(run(Engine::new(), "go depth 2".as_bytes(), io::sink()).is_ok());
        let (_open, receiver) = mpsc::channel();
        let input = io::BufReader::new("go infinite\nquit\n".as_bytes().chain(Silent(receiver)));
        assert!(run(Engine::new(), input, io::sink()).is_ok());
    }
}
