//! The engine thread: executes requests one after another.

use super::backlog::Backlog;
use super::client_habits::ClientHabits;
use super::command::{Command, CommandError, ConsoleCommand};
use super::dialect::Dialect;
use super::format::Format;
use super::output::Output;
use super::pending::PendingSearches;
use super::throttle::Throttle;
use super::{console, ucci};
use crate::display::evaluation::evaluation;
use crate::display::language::Language;
use crate::display::verdict::warning;
use crate::egtb::tables::Tables;
use crate::engine::go::Go;
use crate::engine::level;
use crate::engine::options::{Effect, OptionError, Options, Setting};
use crate::engine::{self, Answer, Engine};
use crate::games::setup::{GameSetup, GameSetupError, MoveError};
use crate::games::stream;
use crate::notation::Ranks;
use crate::rules::game_status::OCCURRENCES;
use crate::rules::recurring::Recurring;
use crate::search::Searcher;
use crate::search::bench;
use crate::search::signals::Signals;
use crate::system::files;
use crate::system::save::save;
use crate::types::score::{is_decided, is_mate};
use std::fmt;
use std::io::BufReader;
use std::sync::Arc;

/// What follows the refusal of a position.
const UNTIL_ANOTHER: &str = "no move is given until another position comes";

/// Maximum number of wrong moves of a list that are reported one by one.
const MAX_MOVE_ERRORS: usize = 10;

/// What the reading thread sends, in the order read.
pub(crate) enum Request {
    /// A search, already pending, its signals, and what follows it.
    Search(Box<Go>, Arc<Signals>, AfterSearch),
    /// A long console command, already pending, and its signals.
    Task(ConsoleCommand, Arc<Signals>),
    /// Any other command, or the error of the line.
    Other(Result<Command, CommandError>),
}

/// What follows a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSearch {
    /// Nothing.
    Nothing,
    /// The move is made, and the board shown.
    MakeMove,
}

/// Owner of the engine; executes requests.
pub(crate) struct EngineThread {
    engine: Engine,
    pending: Arc<PendingSearches>,
    output: Arc<Output>,
    /// Result of the game set by `resign` or `draw`.
    result: Option<&'static str>,
    client: ClientHabits,
}

/// Whether to take the next request.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

impl EngineThread {
    /// Executes requests with `engine`, completes searches in `pending` and writes to `output`.
    pub(crate) fn new(engine: Engine, pending: Arc<PendingSearches>, output: Arc<Output>) -> EngineThread {
        EngineThread { engine, pending, output, result: None, client: ClientHabits::default() }
    }

    /// Executes requests until `quit` or until no more come.
    pub(crate) fn run(&mut self, backlog: &Backlog<Request>) {
        while let Some(request) = backlog.take() {
            let next = match request {
                Request::Search(go, signals, after) => self.search(&go, &signals, after),
                Request::Task(task, signals) => self.task(task, &signals),
                Request::Other(Ok(command)) => self.execute(command),
                Request::Other(Err(error)) => {
                    // What is too long to be read is the moves of a game.
                    if let CommandError::TooLong(_) = error {
                        self.engine.refuse_position(error.to_string());
                    }
                    self.report_command_error(&error)
                }
            };
            if next == Next::Quit {
                if let Some(reply) = self.output.dialect().quit_reply() {
                    self.output.write_lines(reply);
                }
                return;
            }
            self.engine.use_idle_time(&|| backlog.is_idle());
        }
    }

    fn report_command_error(&mut self, error: &CommandError) -> Next {
        let is_silent = match error {
            CommandError::Option(OptionError::Foreign(_)) => true,
            // UCCI lets clients set options that the engine does not have.
            CommandError::Option(OptionError::Unknown(name)) => match self.output.dialect() {
                Dialect::Ucci => !self.engine.options().debug,
                Dialect::Uci => !self.client.must_be_told_of(name),
            },
            _ => false,
        };
        if !is_silent {
            self.output.write_message(error);
        }
        Next::Continue
    }

    /// Writes the error, if there is one.
    fn report_error<E: fmt::Display>(&self, result: Result<(), E>) {
        if let Err(error) = result {
            self.output.write_message(error);
        }
    }

    /// Writes the first errors of the moves after the word `command`, and how many there are more.
    fn report_moves(&self, command: &str, errors: &[MoveError]) {
        for error in errors.iter().take(MAX_MOVE_ERRORS) {
            self.output.write_message(format_args!("{command}: {error}"));
        }
        if errors.len() > MAX_MOVE_ERRORS {
            self.output.write_message(format_args!("{command}: {} moves more", errors.len() - MAX_MOVE_ERRORS));
        }
    }

    fn execute(&mut self, command: Command) -> Next {
        self.debug_message(DebugText(&command));
        match command {
            Command::Greet(dialect) => {
                self.speak(dialect);
                self.output.write_lines(dialect.greeting());
            }
            Command::Assume(dialect) => self.speak(dialect),
            Command::IsReady => {
                let prepared = self.engine.prepare();
                self.report_error(prepared);
                self.output.write_lines("readyok");
            }
            Command::Set(setting) => {
                if setting.effect() == Effect::NewGame {
                    self.result = None;
                }
                if let Some(clamped) = setting.clamped() {
                    self.output.write_message(clamped);
                }
                let set = self.engine.set(&setting);
                self.report_error(set);
                if setting.effect() == Effect::OpenBooks && self.engine.has_idle_books() {
                    self.output.write_message("no book is used: the option usebook (UCI: OwnBook) is off");
                }
                let told = self.client.ranks_told_by(&setting);
                if let Some(ranks) = told.filter(|_| self.output.dialect() == Dialect::Uci) {
                    self.engine.assume_ranks(ranks);
                }
                self.output.set_ranks(self.engine.ranks());
            }
            Command::Position(setup) => {
                self.result = None;
                if let Some(ranks) = ClientHabits::ranks_told_by_fen(&setup) {
                    self.engine.assume_ranks(ranks);
                }
                if let Err(error) = self.engine.set_up(&setup) {
                    self.output.write_message(format_args!("position refused: {error}; {UNTIL_ANOTHER}"));
                }
                self.output.set_ranks(self.engine.ranks());
                self.warn_of_repetition();
            }
            Command::Ban(_) if self.engine.refusal().is_some() => self.write_no_position("banmoves"),
            Command::Ban(moves) => {
                let errors = self.engine.ban(&moves);
                self.report_moves("banmoves", &errors);
            }
            // While a search is pending, the reading thread handles these two.
            Command::Stop => {
                if let Some(reply) = self.output.dialect().stop_reply_when_idle() {
                    self.output.write_lines(reply);
                }
            }
            Command::PonderHit { .. } => self.debug_message("ponderhit, but no search is running"),
            Command::Probe(setup) => {
                probe(&self.engine.table(), &setup, self.engine.options(), &self.output);
            }
            Command::Quit => return Next::Quit,
            Command::Console(command) => self.console(command),
            Command::Go(_) => unreachable!("invariant: the reading thread sends searches as such"),
        }
        Next::Continue
    }

    /// Answers in this dialect from now on.
    fn speak(&mut self, dialect: Dialect) {
        // Options of the command line, which come before, say nothing of the client.
        self.client = ClientHabits::default();
        self.output.set_dialect(dialect);
        self.engine.use_books_by_default(dialect == Dialect::Ucci);
    }

    /// Writes a message if the option `debug` is on.
    fn debug_message(&self, text: impl fmt::Display) {
        if self.engine.options().debug {
            self.output.write_message(text);
        }
    }

    /// With the option `debug`, says who must deviate if the position has occurred before.
    fn warn_of_repetition(&self) {
        let recurring = || Recurring::of(self.engine.position(), &self.engine.options().rules, OCCURRENCES);
        if self.engine.options().debug
            && let Some(recurring) = recurring()
        {
            self.output.write_message(warning(&recurring, self.engine.ranks(), Language::English));
        }
    }

    /// Says that `command` was refused because there is no position.
    fn write_no_position(&self, command: &str) {
        self.output.write_message(format_args!("{command}: the position was refused"));
    }

    /// Searches, writes the answer, and does what follows.
    fn search(&mut self, go: &Go, signals: &Signals, after: AfterSearch) -> Next {
        let answer = match self.refused(go) {
            true => Answer::Refused,
            false => self.answer(go, signals),
        };
        if let (Answer::NoMove, Some(line)) = (&answer, self.output.dialect().finished_line()) {
            self.output.write_lines(line);
        }
        report_damaged_tables(&self.output, self.engine.open_tables().as_deref());
        // What ended early (a refusal, no legal move) is not answered early.
        if go.waits_for_stop || go.ponder {
            signals.wait(go.ponder);
        }
        let mut text = self.output.dialect().answer(answer.clone(), self.format());
        if after == AfterSearch::MakeMove
            && let Some(best) = answer.best()
        {
            self.engine.make(best);
            self.result = None;
            text.push('\n');
            text.push_str(&console::board(&self.engine));
        }
        // Nothing waits for the client under the lock.
        let quits = self.pending.complete(|| self.output.push_lines(text));
        self.output.wait_for_room(None);
        if quits { Next::Quit } else { Next::Continue }
    }

    fn format(&self) -> Format {
        Format { show_wdl: self.engine.options().show_wdl, ranks: self.engine.ranks() }
    }

    /// Whether `go` cannot be answered; then the reason is written, unless it was when the position was refused.
    fn refused(&self, go: &Go) -> bool {
        if !go.unknown.is_empty() {
            let consequence = if go.is_garbled() { "; no search" } else { "; ignored" };
            self.output.write_message(format_args!("go: cannot read {:?}{consequence}", go.unknown.join(" ")));
        }
        self.engine.refusal().is_some() || go.is_garbled()
    }

    /// The answer to `go` in the current position.
    fn answer(&mut self, go: &Go, signals: &Signals) -> Answer {
        let allocated = self.engine.allocate();
        self.report_error(allocated);
        let (mut plan, errors) = self.engine.plan(go);
        self.report_moves("searchmoves", &errors);
        if !errors.is_empty() && errors.len() == go.search_moves.len() {
            return Answer::Refused;
        }
        self.debug_message(DebugText(go));
        self.debug_message(DebugText(&plan.limits));
        let output = &self.output;
        let (dialect, format) = (output.dialect(), self.format());
        let book = self.engine.book_answer(&mut plan, signals).unwrap_or_else(|error| {
            output.write_message(format_args!("{error}"));
            None
        });
        if let Some(book) = book {
            return Answer::Book(book, self.engine.evaluate());
        }
        let mut throttle = Throttle::default();
        let tables = self.engine.open_tables();
        let (answer, outcome) = self.engine.go(&plan, signals, &mut |report| {
            report_damaged_tables(output, tables.as_deref());
            let text = throttle.pass(report).and_then(|report| dialect.report(&report, format));
            if let Some(text) = text {
                output.write_lines(text);
            }
        });
        if let Some(outcome) = outcome {
            // The protocols have no score for it.
            if is_decided(outcome.score) && !is_mate(outcome.score) {
                let wins = if outcome.score > 0 { "wins" } else { "loses" };
                self.output.write_message(format_args!("the side to move {wins} by the rules of repetition"));
            }
            self.debug_message(outcome);
        }
        answer
    }

    /// Runs a long console command until it is done or stopped.
    fn task(&mut self, task: ConsoleCommand, signals: &Signals) -> Next {
        // The last line is written when the task is removed from the pending ones: a `stop` sent after it is read
        // finds none.
        let mut last = String::new();
        match task {
            ConsoleCommand::Perft(_) if self.engine.refusal().is_some() => self.write_no_position("perft"),
            ConsoleCommand::Perft(depth) => {
                last = console::perft(self.engine.position(), self.engine.ranks(), depth, &|| !signals.is_stopped());
            }
            ConsoleCommand::Bench(depth) => {
                let run = bench::run(depth, &mut Searcher::new(), signals, &mut |line| {
                    let line = std::mem::replace(&mut last, line);
                    if !line.is_empty() {
                        self.output.write_lines(line);
                    }
                });
                if let Err(megabytes) = run {
                    self.output.write_message(format_args!("no memory for {megabytes} MB of hash tables"));
                }
            }
            _ => unreachable!("invariant: only long commands are tasks"),
        }
        let quits = self.pending.complete(|| {
            if !last.is_empty() {
                self.output.push_lines(last);
            }
        });
        self.output.wait_for_room(None);
        if quits { Next::Quit } else { Next::Continue }
    }

    fn console(&mut self, command: ConsoleCommand) {
        let position = self.engine.position();
        match command {
            ConsoleCommand::Show => {
                let tables = self.engine.tables();
                self.output.write_lines(console::show(
                    self.engine.position(),
                    &self.engine.options().rules,
                    tables.as_deref(),
                    self.result,
                ));
                report_damaged_tables(&self.output, tables.as_deref());
                if let Some(error) = self.engine.refusal() {
                    self.output.write_message(format_args!("position refused: {error}; {UNTIL_ANOTHER}"));
                }
            }
            ConsoleCommand::NewGame => {
                let set = self.engine.set(&Setting::new_game());
                self.report_error(set);
                self.execute(Command::Position(GameSetup::default()));
            }
            ConsoleCommand::Load(name) => self.load(&name),
            ConsoleCommand::Save(name) => self.write_file(&name, (position.to_fen() + "\n").as_bytes()),
            ConsoleCommand::Level => {
                let level = self.engine.options().level;
                self.output.write_message(format_args!("level {level} of {}", level::FULL));
            }
            ConsoleCommand::Fen => self.output.write_lines(position.to_fen()),
            ConsoleCommand::Game => self.output.write_lines(console::game(position, self.engine.ranks())),
            ConsoleCommand::Moves(notation) => {
                self.output.write_lines(console::moves(position, notation, self.engine.ranks()))
            }
            ConsoleCommand::Evaluate if self.engine.refusal().is_some() => self.write_no_position("eval"),
            ConsoleCommand::Evaluate => {
                let (terms, side) = (self.engine.trace_evaluation(), self.engine.position().side());
                self.output.write_lines(evaluation(&terms, side, Language::English));
            }
            ConsoleCommand::Do(moves) => {
                let played = self.engine.play(&moves);
                self.result = None;
                self.report_error(played);
                self.output.write_lines(console::board(&self.engine));
            }
            ConsoleCommand::Undo(count) => {
                let taken_back = self.engine.take_back(count);
                self.result = None;
                if taken_back < count {
                    self.output.write_message(format_args!("undo: only {taken_back} of {count} moves taken back"));
                }
                self.output.write_lines(console::board(&self.engine));
            }
            ConsoleCommand::Flip => {
                self.engine.flip();
                self.result = None;
            }
            ConsoleCommand::Resign => self.end(console::resignation(position.side())),
            ConsoleCommand::Draw => self.end(console::AGREED_DRAW),
            ConsoleCommand::ExportNetwork(name) => self.write_file(&name, &self.engine.network().to_bytes()),
            ConsoleCommand::Compiler => self.output.write_lines(console::compiler()),
            ConsoleCommand::Help => self.output.write_lines(console::HELP),
            ConsoleCommand::HelpOptions => self.output.write_lines(console::options(self.output.dialect())),
            ConsoleCommand::Perft(_) | ConsoleCommand::Bench(_) | ConsoleCommand::Play(_) => {
                unreachable!("invariant: the reading thread sends tasks as such")
            }
        }
    }

    /// Writes a file, and says whether it could.
    fn write_file(&self, name: &str, bytes: &[u8]) {
        let path = match files::new_file(name) {
            Ok(path) => path,
            Err(name) => {
                return self
                    .output
                    .write_message(format_args!("{name} exists; with --force before it, it is replaced"));
            }
        };
        match save(path, bytes) {
            Ok(()) => self.output.write_message(format_args!("{} written", path.display())),
            Err(error) => self.output.write_message(format_args!("cannot write {}: {error}", path.display())),
        }
    }

    /// Sets up the position in a .FEN file.
    fn load(&mut self, name: &str) {
        let path = files::locate(name);
        let variant = self.engine.options().variant;
        let game = match files::open(&path).and_then(|file| stream::only_game(BufReader::new(file), variant)) {
            Ok(game) => game,
            Err(error) => return self.output.write_message(format_args!("cannot read {}: {error}", path.display())),
        };
        match game {
            Ok(game) => {
                if let Some(note) = game.note {
                    self.output.write_message(format_args!("{}: {note}", path.display()));
                }
                self.execute(Command::Position(game.setup()));
                self.output.write_lines(console::board(&self.engine));
            }
            Err(error) => self.output.write_message(format_args!("{}: {error}", path.display())),
        }
    }

    /// Ends the game with `result`.
    fn end(&mut self, result: &'static str) {
        self.output.write_lines(result);
        self.result = Some(result);
    }
}

/// Answers `probe` from the hash table, also while a search uses it. Does not wait for the client.
pub(crate) fn probe(table: &engine::SharedTable, setup: &GameSetup, options: &Options, output: &Output) {
    let game = setup.in_ranks(options.ranks).set_up(options.variant, output.ranks()).map_err(GameSetupError::from);
    let game = game.and_then(|game| game.error.clone().map_or(Ok(game), |error| Err(error.into())));
    match game {
        Ok(game) => output.push_lines(ucci::pophash(engine::probe(table, &game.position), game.ranks)),
        Err(error) => {
            output.push_message(format_args!("probe: {error}"));
            output.push_lines(ucci::pophash(None, Ranks::default()));
        }
    }
}

/// Says which endgame tables have proved damaged since this was last said.
fn report_damaged_tables(output: &Output, tables: Option<&Tables>) {
    for bad in tables.map(Tables::take_damaged).unwrap_or_default() {
        output.write_message(format_args!("{bad}; not used any more"));
    }
}

/// A command or its limits as a debug message, cut to 400 characters; formatted only when written.
struct DebugText<'a, T>(&'a T);

impl<T: fmt::Debug> fmt::Display for DebugText<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        const MAX_CHARS: usize = 400;
        let mut text = format!("understood {:?}", self.0);
        if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
            text.truncate(end);
            text.push('…');
        }
        out.write_str(&text)
    }
}
