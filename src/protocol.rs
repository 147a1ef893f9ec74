//! The protocol loop (L6): one thread reads the input, another owns the engine, a third writes the output. (A search may
//! use more threads.)
//!
//! The reading thread parses each line once into a [`command::Command`] and queues it for the engine thread.
//! While searches are pending it handles `stop`, `ponderhit`, `isready`, `probe` and `quit` itself; all other commands
//! are queued, so a script need not wait for answers. `isready` outside a search is queued too: `readyok` means that
//! everything before it is done. No thread polls, except the engine thread while it waits for the cloud book.
//!
//! The commands and the lines to the client that wait are bounded. No line waits for the client: a command is executed
//! when there is room for what it writes, and no more are read while there is no room; they are refused instead, counted,
//! while a search waits for `stop`, which must be read. After `quit` the loop also ends when nobody reads the output for
//! five seconds, after the end of the input when the output is closed: a pager may take its time.
//!
//! | state | condition | commands |
//! |---|---|---|
//! | boot, idle | no search pending | all in order; UCCI's `stop` is answered by `nobestmove` |
//! | thinking | a `go` was read and not yet answered | the five above at once; the rest after the search |
//!
//! With `batch` on, nothing is read during `perft`, `bench` or a search that ends by itself. At the end of the input,
//! searches that end by themselves are completed and the others stopped.

mod client_habits;
pub mod command;
pub(crate) mod console;
pub mod dialect;
mod engine_thread;
mod format;
pub(crate) mod hangup;
mod input_reader;
pub mod parse;
mod pending;
mod session;
mod throttle;
pub(crate) mod ucci;
pub(crate) mod uci;

use crate::engine::Engine;
use command::Command;
use engine_thread::EngineThread;
use input_reader::InputReader;
use session::Session;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub use session::RunError;

/// How long a client may take nothing of the output after its `quit`.
const PATIENCE: Duration = Duration::from_secs(5);

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
    run_threads(&Arc::default(), engine, Vec::new(), input, output, PATIENCE, || ())
}

/// As [`run`], on standard input and output, after the commands `first`. If the output is closed after the end of the
/// input, the program ends.
///
/// # Errors
/// As [`run`].
pub fn run_on_standard_streams(engine: Engine, first: Vec<Command>) -> Result<(), RunError> {
    let (input, output) = (BufReader::new(io::stdin()), io::stdout());
    run_threads(&Arc::default(), engine, first, input, output, PATIENCE, hangup::exit_when_output_closes)
}

/// As [`run`], after the commands `first`, with what the threads share in `session`. A client may take nothing for `patience`
/// after its `quit`; `at_end` is called at the end of the input.
fn run_threads(
    session: &Arc<Session>,
    engine: Engine,
    first: Vec<Command>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    patience: Duration,
    at_end: fn(),
) -> Result<(), RunError> {
    let writer = Arc::clone(session);
    let mut reader = InputReader {
        session: Arc::clone(session),
        table: engine.table(),
        options: engine.options().clone(),
        dialect: None,
        refused: 0,
        has_just_greeted: false,
    };
    let mut engine_thread = EngineThread::new(engine, Arc::clone(session));
    let read = move || {
        if reader.run(first, input) {
            at_end();
        }
    };
    let end = spawn("output", session, move || writer.write_to(output))
        .and_then(|()| spawn("engine", session, move || engine_thread.run()))
        .and_then(|()| spawn("input", session, read))
        .map_err(RunError::Thread)
        .and_then(|()| session.wait_for_end(patience));
    session.end(Ok(()));
    end
}

/// Starts a thread of the loop, which ends if it panics.
fn spawn(name: &str, session: &Arc<Session>, task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let session = Arc::clone(session);
    let guarded = move || {
        if catch_unwind(AssertUnwindSafe(task)).is_err() {
            session.end(Err(RunError::Panic));
        }
    };
    thread::Builder::new().name(name.into()).spawn(guarded).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};
    use std::sync::{Condvar, Mutex, mpsc};

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
        writes: Arc<Mutex<Vec<Vec<u8>>>>,
        is_awake: Arc<(Mutex<bool>, Condvar)>,
    }

    impl Sleeper {
        fn wake(&self) {
            *self.is_awake.0.lock().unwrap() = true;
            self.is_awake.1.notify_all();
        }

        /// What it has taken.
        fn taken(&self) -> String {
            String::from_utf8(self.writes.lock().unwrap().concat()).unwrap()
        }
    }

    impl Write for Sleeper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let awake = self.is_awake.0.lock().unwrap();
            drop(self.is_awake.1.wait_while(awake, |is_awake| !*is_awake).unwrap());
            self.writes.lock().unwrap().push(bytes.to_vec());
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
            assert_unread(run_impatiently(Cursor::new("stop\nquit\n")));
        }
    }

    /// Runs with a client that takes nothing of the output, which is not waited for after `quit`.
    fn run_impatiently(input: impl BufRead + Send + 'static) -> Result<(), RunError> {
        run_threads(&Arc::default(), Engine::new(), Vec::new(), input, Sleeper::default(), Duration::ZERO, || ())
    }

    /// The client of a conversation, after its end.
    fn run_awake(input: impl Into<String>) -> Sleeper {
        let client = Sleeper::default();
        client.wake();
        run(Engine::new(), Cursor::new(input.into()), client.clone()).unwrap();
        client
    }

    fn assert_unread(result: Result<(), RunError>) {
        let Err(RunError::Output(error)) = result else { panic!("{result:?}") };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn quit_is_read_though_nobody_reads_the_output() {
        assert_unread(run_impatiently(Cursor::new(format!("go infinite\n{}quit\n", "d\n".repeat(10_000)))));
    }

    #[test]
    fn client_that_reads_again_gets_every_line() {
        // More than the lines and the commands that may wait. The client wakes when the loop waits for it.
        let input = Cursor::new((0..22_000).map(|number| format!("nonsense{number}\nhelp\n")).collect::<String>());
        let (session, client) = (Arc::<Session>::default(), Sleeper::default());
        thread::scope(|scope| {
            scope.spawn(|| {
                session.wait_until_client_is_behind();
                client.wake();
            });
            run_threads(&session, Engine::new(), Vec::new(), input, client.clone(), PATIENCE, || ()).unwrap();
        });
        let taken = client.taken();
        let number = |line: &str| line.split("nonsense").nth(1)?.split('"').next()?.parse::<usize>().ok();
        assert!(taken.lines().filter_map(number).eq(0..22_000), "{taken:.2000}");
        assert_eq!(taken.matches(console::HELP).count(), 22_000);
    }

    #[test]
    fn commands_beyond_the_queue_are_refused_while_a_search_waits_for_stop() {
        let taken = run_awake(format!("go infinite\n{}stop\ngo depth 1\n", "fen\n".repeat(60_000))).taken();
        let with = |text: &str| taken.lines().filter(|line| line.contains(text)).count();
        let refused =
            taken.lines().find_map(|line| line.strip_suffix(" commands refused")?.rsplit(' ').next()?.parse().ok());
        assert_eq!(with("more are refused until there is room"), 1);
        assert!(refused.is_some_and(|refused: usize| with(" w - - 0 1") + refused == 60_000), "{refused:?}");
        assert_eq!(with("bestmove"), 2);
    }

    /// GMChess reads blocks of 1,024 bytes, drops the first of the greeting, and takes the words `draw` and `resign` in
    /// any other for the engine's.
    #[test]
    fn greeting_is_one_write_with_resign_and_draws_early() {
        for (command, end) in [("ucci\n", "\nucciok\n"), ("uci\n", "\nuciok\n")] {
            let client = run_awake(command);
            let greeting = client.taken();
            assert!(client.writes.lock().unwrap().len() == 1 && greeting.ends_with(end), "{greeting}");
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
        let taken = run_awake(input).taken();
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
        assert!(run(Engine::new(), "go infinite\nquit\n".as_bytes(), io::sink()).is_ok());
    }
}
