//! The protocol loop (L6): one thread reads the input, another owns the engine, a third writes the output. (A search may
//! use more threads.)
//!
//! The reading thread parses each line once into a [`command::Command`] and queues it for the engine thread.
//! While searches are pending it handles `stop`, `ponderhit`, `isready`, `probe` and `quit` itself; all other commands
//! are queued, so a script need not wait for answers. `isready` outside a search is queued too: `readyok` means that
//! everything before it is done. No thread polls, except the engine thread while it waits for the cloud book.
//!
//! Both queues, of commands and of lines to the client, are bounded. If that of commands is full, no more are read until
//! there is room; they are refused instead while a search waits for `stop`, or when nobody has read the output for
//! half a minute. After `quit` the loop also ends when nobody reads the output for five seconds ([`timeouts::Timeouts`]), after
//! the end of the input when the output is closed: a pager may take its time.
//!
//! | state | condition | commands |
//! |---|---|---|
//! | boot, idle | no search pending | all in order; UCCI's `stop` is answered by `nobestmove` |
//! | thinking | a `go` was read and not yet answered | the five above at once; the rest after the search |
//!
//! With `batch` on, nothing is read during `perft`, `bench` or a search that ends by itself. At the end of the input,
//! searches that end by themselves are completed and the others stopped.

mod backlog;
mod client_habits;
pub mod command;
pub(crate) mod console;
pub mod dialect;
pub(crate) mod engine_thread;
mod format;
pub mod hangup;
mod input_reader;
pub(crate) mod output;
pub mod parse;
pub(crate) mod pending;
mod throttle;
pub mod timeouts;
pub(crate) mod ucci;
pub(crate) mod uci;

use crate::engine::Engine;
use backlog::Backlog;
use engine_thread::EngineThread;
use input_reader::InputReader;
use output::Output;
use pending::PendingSearches;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvError, Sender};
use std::thread;
use thiserror::Error;
use timeouts::Timeouts;

/// Why the protocol loop failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The output cannot be written; [`io::ErrorKind::BrokenPipe`] if the client closed it.
    #[error("cannot write: {0}")]
    Output(io::Error),
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// One of the threads panicked.
    #[error("a thread panicked")]
    Panic,
}

/// What a thread of the loop does.
type Task = Box<dyn FnOnce() + Send>;

/// What ends the loop.
enum Event {
    Finished,
    OutputFailed(io::Error),
    Panicked,
}

/// Runs `engine` until `quit` or the end of the input, all searches before it being answered.
///
/// On return, running searches have been signalled to stop, but the reading thread may still block on `input`, and the
/// writing thread on `output`.
///
/// # Errors
/// When `output` cannot be written or nobody reads it, when a thread cannot be started, or when one panicked.
pub fn run(
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), RunError> {
    run_with(Timeouts::default(), engine, input, output)
}

/// As [`run`], with the `timeouts` of the caller.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    timeouts: Timeouts,
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), RunError> {
    let (events, event) = mpsc::channel();
    let failures = events.clone();
    let sink = output;
    let output = Arc::new(Output::new(move |error| {
        let _ = failures.send(Event::OutputFailed(error));
    }));
    let pending = Arc::new(PendingSearches::default());
    let backlog = Arc::new(Backlog::new());
    let reader = InputReader {
        backlog: Arc::clone(&backlog),
        pending: Arc::clone(&pending),
        output: Arc::clone(&output),
        table: engine.table(),
        options: engine.options().clone(),
        dialect: None,
        timeouts,
        refused: 0,
        has_just_greeted: false,
    };
    let mut engine_thread = EngineThread::new(engine, Arc::clone(&pending), Arc::clone(&output));
    let writer = Arc::clone(&output);
    let done = events.clone();
    let tasks: [(&str, Task); 3] = [
        ("output", Box::new(move || writer.run(sink))),
        ("engine", {
            let (output, backlog) = (Arc::clone(&output), Arc::clone(&backlog));
            Box::new(move || {
                engine_thread.run(&backlog);
                output.finish();
                let _ = done.send(Event::Finished);
            })
        }),
        ("input", Box::new(move || reader.run(input))),
    ];
    let started = tasks.into_iter().try_for_each(|(name, task)| {
        let guard = PanicGuard(events.clone());
        let guarded = move || {
            let _guard = guard;
            task();
        };
        thread::Builder::new().name(name.into()).spawn(guarded).map(drop)
    });
    let end = started.map(|()| event.recv());
    pending.quit();
    backlog.close();
    output.close();
    match end {
        Ok(Ok(Event::Finished)) => Ok(()),
        Ok(Ok(Event::OutputFailed(error))) => Err(RunError::Output(error)),
        Ok(Ok(Event::Panicked) | Err(RecvError)) => Err(RunError::Panic),
        Err(error) => Err(RunError::Thread(error)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};
    use std::sync::{Condvar, Mutex};
    use std::time::Duration;

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

    /// A client that takes nothing of the output until it is allowed to; then it keeps what it takes.
    #[derive(Clone, Default)]
    struct Sleeper {
        taken: Arc<Mutex<Vec<u8>>>,
        is_awake: Arc<(Mutex<bool>, Condvar)>,
    }

    impl Sleeper {
        fn wake(&self) {
            *self.is_awake.0.lock().unwrap() = true;
            self.is_awake.1.notify_all();
        }
    }

    impl Write for Sleeper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let awake = self.is_awake.0.lock().unwrap();
            drop(self.is_awake.1.wait_while(awake, |is_awake| !*is_awake).unwrap());
            self.taken.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A write error also lets the engine thread finish, which waits for the output; the loop returns the error.
    #[test]
    fn failure_is_known_before_those_who_wait_for_the_output_go_on() {
        for _ in 0..100 {
            let (_open, receiver) = mpsc::channel();
            let input = io::BufReader::new(Cursor::new("stop\nquit\n").chain(Silent(receiver)));
            assert_unread(run_with(timeouts(Duration::ZERO, Duration::MAX), Engine::new(), input, Sleeper::default()));
        }
    }

    /// An input that wakes the client after this many bytes have been read.
    struct Waker {
        client: Sleeper,
        left: usize,
        input: Cursor<String>,
    }

    impl Read for Waker {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.input.read(buffer)?;
            self.left = self.left.saturating_sub(read);
            if self.left == 0 {
                self.client.wake();
            }
            Ok(read)
        }
    }

    /// Timeouts that ends at once, or never.
    fn timeouts(after_quit: Duration, unread: Duration) -> Timeouts {
        Timeouts { after_quit, unread, wait_until_closed: None }
    }

    fn assert_unread(result: Result<(), RunError>) {
        let Err(RunError::Output(error)) = result else { panic!("{result:?}") };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn quit_is_read_though_nobody_reads_the_output() {
        let boards = |count| "d\n".repeat(count);
        let (_open, receiver) = mpsc::channel();
        let input =
            io::BufReader::new(Cursor::new(format!("go infinite\n{}quit\n", boards(10_000))).chain(Silent(receiver)));
        assert_unread(run_with(timeouts(Duration::ZERO, Duration::MAX), Engine::new(), input, Sleeper::default()));
    }

    #[test]
    fn client_that_reads_again_gets_every_line() {
        // More than both queues hold.
        let commands = (0..60_000).map(|number| format!("nonsense{number}\n")).collect::<String>();
        let client = Sleeper::default();
        let input = Cursor::new(format!("debug on\n{commands}"));
        let waker = Waker { client: client.clone(), left: 60_000, input };
        let endless = timeouts(Duration::MAX, Duration::MAX);
        run_with(endless, Engine::new(), io::BufReader::with_capacity(256, waker), client.clone()).unwrap();
        let taken = String::from_utf8(client.taken.lock().unwrap().clone()).unwrap();
        let number = |line: &str| line.split("nonsense").nth(1)?.split('"').next()?.parse::<usize>().ok();
        let numbers = taken.lines().filter_map(number);
        assert!(numbers.eq(0..60_000), "{taken:.2000}");
    }

    #[test]
    fn commands_beyond_the_queue_are_refused_while_a_search_waits_for_stop() {
        let input = Cursor::new(format!("go infinite\n{}stop\ngo depth 1\n", "fen\n".repeat(60_000)));
        let client = Sleeper::default();
        client.wake();
        run(Engine::new(), input, client.clone()).unwrap();
        let taken = String::from_utf8(client.taken.lock().unwrap().clone()).unwrap();
        let with = |text: &str| taken.lines().filter(|line| line.contains(text)).count();
        let refused =
            taken.lines().find_map(|line| line.strip_suffix(" commands refused")?.rsplit(' ').next()?.parse().ok());
        assert_eq!(with("more are refused until there is room"), 1);
        assert!(refused.is_some_and(|refused: usize| with(" w - - 0 1") + refused == 60_000), "{refused:?}");
        assert_eq!(with("bestmove"), 2);
    }

    #[test]
    fn closed_output_ends_a_count_after_the_end_of_the_input() {
        let timeouts = Timeouts { wait_until_closed: Some(|| ()), ..timeouts(Duration::MAX, Duration::MAX) };
        let result = run_with(timeouts, Engine::new(), "perft 9\n".as_bytes(), io::sink());
        let Err(RunError::Output(error)) = result else { panic!("{result:?}") };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    /// GMChess reads blocks of 1,024 bytes, drops the first of the greeting, and takes the words `draw` and `resign` in
    /// any other for the engine's.
    #[test]
    fn greeting_is_one_write_with_resign_and_draws_early() {
        #[derive(Clone, Default)]
        struct Writes(Arc<Mutex<Vec<Vec<u8>>>>);

        impl Write for Writes {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().push(bytes.to_vec());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        for (command, end) in [("ucci\n", "\nucciok\n"), ("uci\n", "\nuciok\n")] {
            let writes = Writes::default();
            run(Engine::new(), command.as_bytes(), writes.clone()).unwrap();
            let writes = writes.0.lock().unwrap();
            let greeting = str::from_utf8(&writes[0]).unwrap();
            assert!(writes.len() == 1 && greeting.ends_with(end), "{writes:?}");
            let last = ["draw", "resign"].map(|word| greeting.match_indices(word).map(|(at, _)| at).max());
            assert!(last.iter().flatten().all(|&at| at + 40 < 1_024), "{last:?}");
        }
    }

    #[test]
    fn lines_stay_below_two_thousand_bytes() {
        let long = |count: usize| (0..count).map(|number| format!(" x{number}")).collect::<String>();
        let books = long(1_000).replace(' ', ";no/such/folder/");
        let input = format!(
            "go{}\ngo depth 1 searchmoves{}\nbanmoves{}\nsetoption bookfiles {books}\nsetoption egtbpaths {books}\n\
             position startpos moves{}\nuci\ngo{}\n",
            long(100_000),
            long(100_000),
            long(100_000),
            long(1_000),
            long(1_000),
        );
        let client = Sleeper::default();
        client.wake();
        run(Engine::new(), io::Cursor::new(input), client.clone()).unwrap();
        let taken = String::from_utf8(client.taken.lock().unwrap().clone()).unwrap();
        assert!(taken.lines().filter(|line| line.ends_with('…')).count() >= 4, "{taken:.2000}");
        assert!(taken.lines().all(|line| line.len() + 1 < 2_000), "{:?}", taken.lines().map(str::len).max());
        assert!(taken.lines().count() < 200);
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
