//! The engine's thread: executes orders one after another.

use super::command::{Command, CommandError, Console};
use super::output::Output;
use super::pending::PendingSearches;
use super::throttle::Throttle;
use super::{console, ucci};
use crate::engine::go::Go;
use crate::engine::options::Setting;
use crate::engine::{self, Answer, Engine};
use crate::position::Variant;
use crate::search::signals::Signals;
use crate::tools::bench;
use std::fmt;
use std::fs;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// What the reader passes on, in the order read.
pub enum Order {
    /// A search, already outstanding, and its signals.
    Go(Box<Go>, Arc<Signals>),
    /// Something else that takes long, already outstanding, and its signals.
    Task(Console, Arc<Signals>),
    /// Anything else, or what is wrong with it.
    Other(Result<Command, CommandError>),
}

/// What executes orders.
pub struct EngineThread<'a> {
    engine: Engine,
    pending: &'a PendingSearches,
    output: &'a Output,
    /// How people at the console ended their game.
    result: Option<&'static str>,
}

/// Whether to take the next order.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

impl<'a> EngineThread<'a> {
    /// An executor that takes its searches from `pending` and talks to `output`.
    pub fn new(engine: Engine, pending: &'a PendingSearches, output: &'a Output) -> EngineThread<'a> {
        EngineThread { engine, pending, output, result: None }
    }

    /// Executes orders until one says to quit, or none can come any more.
    pub fn run(&mut self, orders: &Receiver<Order>) {
        for order in orders {
            let next = match order {
                Order::Go(go, signals) => self.go(&go, &signals),
                Order::Task(task, signals) => self.task(task, &signals),
                Order::Other(Ok(command)) => self.execute(command),
                Order::Other(Err(error)) => self.complain(&error),
            };
            if next == Next::Quit {
                if let Some(farewell) = self.output.dialect().farewell() {
                    self.output.say(farewell);
                }
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
        self.note(Understood(&command));
        match command {
            Command::Greet(dialect) => {
                self.output.speak(dialect);
                self.output.say(dialect.greeting());
            }
            Command::IsReady => {
                let prepared = self.engine.prepare();
                self.report(prepared);
                self.output.say("readyok");
            }
            Command::Set(setting) => {
                if setting == Setting::NewGame {
                    self.result = None;
                }
                let set = self.engine.set(setting);
                self.report(set);
            }
            Command::Position(setup) => match self.engine.set_up(&setup) {
                Ok(played) => {
                    self.result = None;
                    self.report(played);
                }
                Err(error) => self.output.message(format_args!("{error}; the position stays as it was")),
            },
            Command::Ban(moves) => {
                for error in self.engine.ban(&moves) {
                    self.output.message(format_args!("banmoves: {error}"));
                }
            }
            // A search that was running when these were read got them from the reader.
            Command::Stop => {
                if let Some(answer) = self.output.dialect().nothing_to_stop() {
                    self.output.say(answer);
                }
            }
            Command::PonderHit { .. } => self.note("ponderhit, but no search is running"),
            Command::Probe(setup) => {
                probe(&self.engine.table(), &setup, self.engine.options().variant, self.output);
            }
            Command::Quit => return Next::Quit,
            Command::Console(word) => self.console(word),
            Command::Go(_) => unreachable!("invariant: the reader passes searches on with their signals"),
        }
        Next::GoOn
    }

    /// Says what only those who debug want to know.
    fn note(&self, text: impl std::fmt::Display) {
        if self.engine.options().debug {
            self.output.message(text);
        }
    }

    fn go(&mut self, go: &Go, signals: &Signals) -> Next {
        let prepared = self.engine.prepare_at_once();
        self.report(prepared);
        let (limits, errors) = self.engine.limits(go);
        for error in errors {
            self.output.message(format_args!("searchmoves: {error}"));
        }
        self.note(Understood(go));
        self.note(Understood(&limits));
        let output = self.output;
        let (dialect, show_wdl) = (output.dialect(), self.engine.options().show_wdl);
        let mut throttle = Throttle::default();
        let book = self.engine.consult(go, &limits, signals).unwrap_or_else(|error| {
            output.message(format_args!("cloud book: {error}"));
            None
        });
        let (answer, outcome) = match book {
            Some(book) => (Answer::Book(book), None),
            None => self.engine.go(go, &limits, signals, &mut |report| {
                let text = throttle.pass(report).and_then(|report| dialect.report(&report, show_wdl));
                if let Some(text) = text {
                    output.say(text);
                }
            }),
        };
        if let Some(outcome) = outcome {
            self.note(outcome);
        }
        let is_last = self.pending.close(|| output.say(dialect.answer(answer)));
        if is_last { Next::Quit } else { Next::GoOn }
    }

    /// Does what takes long, until it is done or stopped.
    fn task(&mut self, task: Console, signals: &Signals) -> Next {
        // The last line is kept back: who has read it may count on the task being over.
        let mut last = String::new();
        match task {
            Console::Perft(depth) => {
                last = console::perft(self.engine.position(), depth, &|| !signals.is_stopped());
            }
            Console::Bench(depth) => {
                bench::run(depth, signals, &mut |line| {
                    let line = std::mem::replace(&mut last, line);
                    if !line.is_empty() {
                        self.output.say(line);
                    }
                });
            }
            _ => unreachable!("invariant: what is short is no task"),
        }
        let is_last = self.pending.close(|| self.output.say(last));
        if is_last { Next::Quit } else { Next::GoOn }
    }

    fn console(&mut self, word: Console) {
        let position = self.engine.position();
        match word {
            Console::Show => self.output.say(console::show(position, &self.engine.options().rules, self.result)),
            Console::Fen => self.output.say(position.to_fen()),
            Console::Game => self.output.say(console::game(position)),
            Console::Moves(notation) => self.output.say(console::moves(position, notation)),
            Console::Evaluate => self.output.say(console::evaluation(&self.engine)),
            Console::Do(moves) => {
                let played = self.engine.play(&moves);
                self.result = None;
                self.report(played);
            }
            Console::Undo(count) => {
                let taken_back = self.engine.take_back(count);
                self.result = None;
                if taken_back < count {
                    self.output.message(format_args!("{taken_back} moves taken back, there were no more"));
                }
            }
            Console::Flip => {
                self.engine.flip();
                self.result = None;
            }
            Console::Resign => self.end(console::resignation(position.side())),
            Console::Draw => self.end(console::AGREED_DRAW),
            Console::ExportNetwork(path) => match fs::write(&path, self.engine.network().to_bytes()) {
                Ok(()) => self.output.message(format_args!("{} written", path.display())),
                Err(error) => self.output.message(format_args!("cannot write {}: {error}", path.display())),
            },
            Console::Compiler => self.output.say(console::compiler()),
            Console::Help => self.output.say(console::HELP),
            Console::Perft(_) | Console::Bench(_) => unreachable!("invariant: the reader passes tasks on as such"),
        }
    }

    /// The game at the console is over.
    fn end(&mut self, result: &'static str) {
        self.output.say(result);
        self.result = Some(result);
    }
}

/// Answers `probe` from the table, whether or not a search is filling it.
pub fn probe(table: &engine::SharedTable, setup: &engine::game_setup::GameSetup, variant: Variant, output: &Output) {
    let entry = match setup.game(variant) {
        Ok(position) => engine::probe(table, &position),
        Err(error) => {
            output.message(format_args!("probe: {error}"));
            None
        }
    };
    output.say(ucci::pophash(entry));
}

/// A command as it was understood, for those who debug; nothing is worked out unless it is said.
struct Understood<'a, T>(&'a T);

impl<T: fmt::Debug> fmt::Display for Understood<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        const MOST: usize = 400;
        let mut text = format!("understood {:?}", self.0);
        if let Some((end, _)) = text.char_indices().nth(MOST) {
            text.truncate(end);
            text.push('…');
        }
        out.write_str(&text)
    }
}
