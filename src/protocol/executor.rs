//! The engine's thread: executes orders one after another.

use super::command::{Command, CommandError, Console};
use super::output::Output;
use super::outstanding::Outstanding;
use super::{console, ucci};
use crate::engine::go::Go;
use crate::engine::{self, Engine};
use crate::search::report::{Iteration, Report};
use crate::search::signals::Signals;
use crate::tools::bench;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// What the reader passes on, in the order read.
pub enum Order {
    /// A search, already outstanding, and its signals.
    Go(Go, Arc<Signals>),
    /// Anything else, or what is wrong with it.
    Other(Result<Command, CommandError>),
}

/// What executes orders.
pub struct Executor<'a> {
    engine: Engine,
    outstanding: &'a Outstanding,
    output: &'a Output,
}

/// Whether to take the next order.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

impl<'a> Executor<'a> {
    /// An executor that takes its searches from `outstanding` and talks to `output`.
    pub fn new(engine: Engine, outstanding: &'a Outstanding, output: &'a Output) -> Executor<'a> {
        Executor { engine, outstanding, output }
    }

    /// Executes orders until one says to quit, or none can come any more.
    pub fn run(&mut self, orders: &Receiver<Order>) {
        for order in orders {
            let next = match order {
                Order::Go(go, signals) => self.go(&go, &signals),
                Order::Other(Ok(command)) => self.execute(command),
                Order::Other(Err(error)) => self.complain(&error),
            };
            if next == Next::Quit {
                self.output.say("bye");
                return;
            }
        }
    }

    fn complain(&self, error: &CommandError) -> Next {
        if !error.is_trifle() || self.engine.options().debug {
            self.output.message(error);
        }
        Next::GoOn
    }

    /// Says what is wrong, if anything is.
    fn report<E: std::fmt::Display>(&self, result: Result<(), E>) {
        if let Err(error) = result {
            self.output.message(error);
        }
    }

    fn execute(&mut self, command: Command) -> Next {
        if self.engine.options().debug {
            self.output.message(understood(&command));
        }
        match command {
            Command::Greet => self.output.say(ucci::greeting()),
            Command::IsReady => {
                let prepared = self.engine.prepare();
                self.report(prepared);
                self.output.say("readyok");
            }
            Command::Set(setting) => {
                let set = self.engine.set(setting);
                self.report(set);
            }
            Command::Position(setup) => match self.engine.set_up(&setup) {
                Ok(played) => self.report(played),
                Err(error) => self.output.message(format_args!("{error}; the position stays as it was")),
            },
            Command::Ban(moves) => {
                for error in self.engine.ban(&moves) {
                    self.output.message(format_args!("banmoves: {error}"));
                }
            }
            // A search that was running when these were read got them from the reader.
            Command::Stop => self.output.say("nobestmove"),
            Command::PonderHit { .. } => self.note("ponderhit, but no search is running"),
            Command::Probe(setup) => probe(&self.engine.table(), &setup, self.output),
            Command::Quit => return Next::Quit,
            Command::Console(word) => self.console(word),
            Command::Go(_) => unreachable!("invariant: the reader passes searches on with their signals"),
        }
        Next::GoOn
    }

    /// Says what only those who debug want to know.
    fn note(&self, text: &str) {
        if self.engine.options().debug {
            self.output.message(text);
        }
    }

    fn go(&mut self, go: &Go, signals: &Signals) -> Next {
        if self.engine.options().debug {
            self.output.message(understood(go));
            self.output.message(understood(&self.engine.limits(go)));
        }
        let prepared = self.engine.prepare();
        self.report(prepared);
        let output = self.output;
        let mut pacer = Pacer::default();
        let answer = self.engine.go(go, signals, &mut |report| {
            if !ucci::has_words_for(&report) {
                return;
            }
            if let Some(report) = pacer.pass(report) {
                output.say(ucci::report(&report));
            }
        });
        if let Some(report) = pacer.rest() {
            output.say(ucci::report(&report));
        }
        let is_last = self.outstanding.close(|| output.say(ucci::answer(answer)));
        if is_last { Next::Quit } else { Next::GoOn }
    }

    fn console(&mut self, word: Console) {
        let position = self.engine.position();
        match word {
            Console::Show => self.output.say(console::show(position)),
            Console::Fen => self.output.say(position.to_fen()),
            Console::Moves => self.output.say(console::moves(position)),
            Console::Evaluate => self.output.say(crate::eval::explain(position).trim_end()),
            Console::Perft(depth) => self.output.say(console::perft(position, depth)),
            Console::Bench(depth) => {
                bench::run(depth, &mut |line| self.output.say(line));
            }
            Console::Do(moves) => {
                let played = self.engine.play(&moves);
                self.report(played);
            }
            Console::Undo(count) => {
                let taken_back = self.engine.take_back(count);
                if taken_back < count {
                    self.output.message(format_args!("{taken_back} moves taken back, there were no more"));
                }
            }
            Console::Help => self.output.say(console::HELP),
        }
    }
}

/// Answers `probe` from the table, whether or not a search is filling it.
pub fn probe(table: &engine::SharedTable, setup: &engine::setup::Setup, output: &Output) {
    let entry = match setup.position() {
        Ok((position, Ok(()))) => engine::probe(table, &position),
        Ok((_, Err(error))) => {
            output.message(format_args!("probe: {error}"));
            None
        }
        Err(error) => {
            output.message(format_args!("probe: {error}"));
            None
        }
    };
    output.say(ucci::pophash(entry));
}

/// A command as it was understood, for those who debug.
fn understood(command: &impl std::fmt::Debug) -> String {
    const MOST: usize = 400;
    let mut text = format!("understood {command:?}");
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Keeps iterations apart: the first ones take microseconds, and each would be a line.
///
/// An iteration less than a millisecond after the last one shown is held back, until the next one or the end.
#[derive(Default)]
struct Pacer {
    shown: Duration,
    held: Option<Iteration>,
}

impl Pacer {
    const LEAST: Duration = Duration::from_millis(1);

    /// What is to be shown now of a new report.
    fn pass(&mut self, report: Report) -> Option<Report> {
        let Report::Iteration(iteration) = report else { return Some(report) };
        if iteration.elapsed.saturating_sub(self.shown) < Self::LEAST {
            self.held = Some(iteration);
            return None;
        }
        self.held = None;
        self.shown = iteration.elapsed;
        Some(Report::Iteration(iteration))
    }

    /// What is still held back at the end.
    fn rest(&mut self) -> Option<Report> {
        self.held.take().map(Report::Iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::report::Bound;

    fn iteration(depth: u32, microseconds: u64) -> Report {
        Report::Iteration(Iteration {
            depth,
            selective_depth: depth,
            score: 0,
            bound: Bound::Exact,
            pv: vec![],
            nodes: 0,
            elapsed: Duration::from_micros(microseconds),
            hashfull: 0,
        })
    }

    fn depth(report: Option<Report>) -> Option<u32> {
        match report {
            Some(Report::Iteration(iteration)) => Some(iteration.depth),
            _ => None,
        }
    }

    #[test]
    fn iterations_are_kept_apart_and_the_last_is_never_lost() {
        let mut pacer = Pacer::default();
        assert_eq!(depth(pacer.pass(iteration(1, 20))), None);
        assert_eq!(depth(pacer.pass(iteration(2, 900))), None);
        assert_eq!(depth(pacer.pass(iteration(3, 1100))), Some(3));
        assert_eq!(depth(pacer.rest()), None);
        assert_eq!(depth(pacer.pass(iteration(4, 1200))), None);
        assert_eq!(depth(pacer.rest()), Some(4));
    }
}
