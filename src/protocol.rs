//! The protocol loop (L6): two threads, one that reads and one that does. (A search may have more.)
//!
//! The calling thread blocks on the input, reads each line once into a [`command::Command`] and passes it on by channel
//! to the engine's thread. While searches are outstanding it does itself what cannot wait: `stop`, `ponderhit`,
//! `isready`, `probe`, `quit`. Everything else waits its turn in the channel, so that a script need not wait for the
//! answers, and `isready` outside a search is answered when all before it is done. No thread polls, but for the engine's
//! while it waits for the cloud book.
//!
//! | state | is | takes |
//! |---|---|---|
//! | boot, idle | no search outstanding | everything, in order; `stop` answers `nobestmove` |
//! | thinking | a `go` was read and is not answered | the five above at once; the rest when the search is done |
//!
//! With `batch` on nothing is read during `perft` and `bench`, nor while thinking, unless the search could only be ended by
//! a word. At the end of the input searches that end by themselves do so, others are stopped.
//!
//! | module | what it owns |
//! |---|---|
//! | [`command`] | the one typed command, and reading it from a line |
//! | [`words`] | reading what the protocols have in common |
//! | [`dialect`] | which protocol is spoken |
//! | [`ucci`], [`uci`] | what is said in either |
//! | `text` | what they have in common |
//! | [`console`] | words for people |
//! | [`pending`] | searches asked for and not yet answered |
//! | [`engine_thread`] | the engine's thread |
//! | [`output`] | lines to the client |
//! | `throttle` | keeps reports apart |

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

use crate::engine::options::Setting;
use crate::engine::{Engine, SharedTable};
use crate::position::Variant;
use command::{Command, CommandError};
use dialect::Dialect;
use engine_thread::{EngineThread, Order, probe};
use output::Output;
use pending::PendingSearches;
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{self, Sender};

/// Longest line that is read, in bytes; a game of 2,000 moves is about 10 kB.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Talks until `quit` or the end of the input.
///
/// When `output` is closed by whoever listens, the process ends: see [`Output::say`].
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) {
    let output = Output::new(output);
    let pending = PendingSearches::default();
    let engine = Engine::new();
    let table = engine.table();
    let (sender, orders) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut engine_thread = EngineThread::new(engine, &pending, &output);
        scope.spawn(move || {
            let _guard = EndOnPanic;
            engine_thread.run(&orders);
        });
        let dialect = output.dialect();
        let variant = Variant::Standard;
        InputReader { sender, pending: &pending, output: &output, table, batch: false, variant, dialect }.run(input);
    });
}

/// Ends the process when its thread panics: a client waits for an answer that would never come, and a crash it can see
/// is better.
struct EndOnPanic;

impl Drop for EndOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::exit(101);
        }
    }
}

/// The reading thread. Dropping it is the end of the orders.
struct InputReader<'a> {
    sender: Sender<Order>,
    pending: &'a PendingSearches,
    output: &'a Output,
    table: SharedTable,
    /// The option of this name, as of the last line read.
    batch: bool,
    /// The game played, as of the last line read.
    variant: Variant,
    /// The dialect of the last greeting read.
    dialect: Dialect,
}

impl InputReader<'_> {
    fn run(mut self, mut input: impl BufRead) {
        let mut line = Vec::new();
        loop {
            let order = match read_line(&mut input, &mut line) {
                ReadLine::End => return self.pending.end_input(),
                ReadLine::TooLong => Err(CommandError::TooLong(MAX_LINE_BYTES)),
                // Clients send text in old encodings where it means nothing to us.
                ReadLine::Read => {
                    let text = String::from_utf8_lossy(&line);
                    log::debug!("< {}", text.trim_end());
                    match command::parse(&text, self.dialect).transpose() {
                        Some(order) => order,
                        None => continue,
                    }
                }
            };
            if order == Ok(Command::Quit) {
                self.pending.quit();
                return self.pass_on(Order::Other(order));
            }
            self.handle(order);
        }
    }

    /// Does what cannot wait, and passes the rest on.
    fn handle(&mut self, order: Result<Command, CommandError>) {
        match order {
            Ok(Command::Go(go)) => {
                let signals = self.pending.open(&go);
                self.pass_on(Order::Go(go, signals));
                self.wait_in_batch();
            }
            Ok(Command::Stop) if self.pending.stop() => {}
            Ok(Command::PonderHit { draw }) if self.pending.ponderhit(draw) => {}
            Ok(Command::IsReady) if self.pending.is_thinking() => self.output.say("readyok"),
            Ok(Command::Probe(ref setup)) if self.pending.is_thinking() => {
                probe(&self.table, setup, self.variant, self.output);
            }
            Ok(Command::Console(task)) if task.is_long() => {
                let signals = self.pending.open_task();
                self.pass_on(Order::Task(task, signals));
                self.wait_in_batch();
            }
            order => {
                match order {
                    Ok(Command::Set(Setting::Batch(on))) => self.batch = on,
                    Ok(Command::Set(Setting::Promotion(on))) => self.variant = Variant::promoting(on),
                    Ok(Command::Greet(dialect)) => self.dialect = dialect,
                    _ => {}
                }
                self.pass_on(Order::Other(order));
            }
        }
    }

    fn wait_in_batch(&self) {
        if self.batch {
            self.pending.wait();
        }
    }

    fn pass_on(&self, order: Order) {
        // The engine's thread lives until it is told to quit, or ends the process.
        let _ = self.sender.send(order);
    }
}

/// What reading a line came to.
enum ReadLine {
    Read,
    TooLong,
    End,
}

/// Reads a line into `line`. An input that fails has ended.
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
    fn lines_are_read_whole_or_reported_as_too_long() {
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
}
