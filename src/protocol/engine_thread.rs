//! The engine thread: executes requests one after another.

use super::client_habits::ClientHabits;
use super::command::{Command, CommandError, ConsoleCommand};
use super::dialect::Dialect;
use super::format::Format;
use super::session::Session;
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
use crate::files;
use crate::files::save::save;
use crate::games::setup::{GameSetup, GameSetupError, MoveError};
use crate::games::stream;
use crate::notation::Ranks;
use crate::rules::game_status::OCCURRENCES;
use crate::rules::recurring::Recurring;
use crate::search::Searcher;
use crate::search::bench;
use crate::search::report::Report;
use crate::search::signals::Signals;
use crate::search::tunables::Tunables;
use crate::types::score::{is_decided, is_mate};
use std::fmt;
use std::io::BufReader;
use std::sync::Arc;

/// What follows the refusal of a position.
const UNTIL_ANOTHER: &str = "no move is given until another position comes";

/// Maximum number of wrong moves of a list that are reported one by one.
const MAX_MOVE_ERRORS: usize = 10;

/// Owner of the engine; executes commands.
pub(super) struct EngineThread {
    engine: Engine,
    session: Arc<Session>,
    dialect: Dialect,
    /// Result of the game set by `resign` or `draw`.
    result: Option<&'static str>,
    client: ClientHabits,
}

impl EngineThread {
    /// Executes the commands of `session` with `engine`.
    pub(super) fn new(engine: Engine, session: Arc<Session>) -> EngineThread {
        EngineThread { engine, session, dialect: Dialect::default(), result: None, client: ClientHabits::default() }
    }

    /// Executes commands until no more come, and ends the loop.
    pub(super) fn run(&mut self) {
        while let Some(request) = self.session.take() {
            match request.command {
                Ok(command) => self.execute(command, &request.signals),
                Err(error) => {
                    // What is too long to be read is the moves of a game.
                    if let CommandError::TooLong(_) = error {
                        self.engine.refuse_position(error.to_string());
                    }
                    self.report_command_error(&error);
                }
            }
            self.session.lock().ranks = self.engine.ranks();
            self.engine.use_idle_time(&|| self.session.is_idle());
        }
        if let Some(reply) = self.dialect.quit_reply().filter(|_| self.session.lock().is_quitting) {
            self.session.write(reply);
        }
        self.session.finish();
    }

    fn report_command_error(&mut self, error: &CommandError) {
        let is_silent = match error {
            CommandError::Option(OptionError::Foreign(_)) => true,
            // UCCI lets clients set options that the engine does not have.
            CommandError::Option(OptionError::Unknown(name)) => match self.dialect {
                Dialect::Ucci => !self.engine.options().debug,
                Dialect::Uci => !self.client.must_be_told_of(name),
            },
            _ => false,
        };
        if !is_silent {
            self.session.write_message(error);
        }
    }

    /// Writes the error, if there is one.
    fn report_error<E: fmt::Display>(&self, result: Result<(), E>) {
        if let Err(error) = result {
            self.session.write_message(error);
        }
    }

    /// Writes the first errors of the moves after the word `command`, and how many there are more.
    fn report_moves(&self, command: &str, errors: &[MoveError]) {
        for error in errors.iter().take(MAX_MOVE_ERRORS) {
            self.session.write_message(format_args!("{command}: {error}"));
        }
        if errors.len() > MAX_MOVE_ERRORS {
            self.session.write_message(format_args!("{command}: {} moves more", errors.len() - MAX_MOVE_ERRORS));
        }
    }

    /// Executes a command; `signals`: those of its search.
    fn execute(&mut self, command: Command, signals: &Signals) {
        self.debug_message(DebugText(&command));
        match command {
            Command::Greet(dialect) => {
                self.speak(dialect);
                self.session.write(dialect.greeting());
            }
            Command::Assume(dialect) => self.speak(dialect),
            Command::IsReady => {
                let prepared = self.engine.prepare();
                self.report_error(prepared);
                self.session.write("readyok");
            }
            Command::Set(setting) => {
                if setting.effect() == Effect::NewGame {
                    self.result = None;
                }
                if let Some(clamped) = setting.clamped() {
                    self.session.write_message(clamped);
                }
                let set = self.engine.set(&setting);
                self.report_error(set);
                if setting.effect() == Effect::OpenBooks && self.engine.has_idle_books() {
                    self.session.write_message("no book is used: the option usebook (UCI: OwnBook) is off");
                }
                let told = self.client.ranks_told_by(&setting);
                if let Some(ranks) = told.filter(|_| self.dialect == Dialect::Uci) {
                    self.engine.assume_ranks(ranks);
                }
            }
            Command::Position(setup) => self.set_up(&setup),
            Command::Ban(_) if self.engine.refusal().is_some() => self.write_no_position("banmoves"),
            Command::Ban(moves) => {
                let errors = self.engine.ban(&moves);
                self.report_moves("banmoves", &errors);
            }
            // While a search is pending, the reading thread handles these two.
            Command::Stop => {
                if let Some(reply) = self.dialect.stop_reply_when_idle() {
                    self.session.write(reply);
                }
            }
            Command::PonderHit { .. } => self.debug_message("ponderhit, but no search is running"),
            Command::Probe(setup) => {
                probe(&self.engine.table(), &setup, self.engine.options(), self.engine.ranks(), &self.session);
            }
            Command::Go(go) => self.search(&go, signals, false),
            Command::Console(command) => self.console(command, signals),
            Command::Quit => unreachable!("invariant: the reading thread handles it"),
        }
    }

    fn set_up(&mut self, setup: &GameSetup) {
        self.result = None;
        if let Some(ranks) = ClientHabits::ranks_told_by_fen(setup) {
            self.engine.assume_ranks(ranks);
        }
        if let Err(error) = self.engine.set_up(setup) {
            self.session.write_message(format_args!("position refused: {error}; {UNTIL_ANOTHER}"));
        }
        self.warn_of_repetition();
    }

    /// Answers in this dialect from now on.
    fn speak(&mut self, dialect: Dialect) {
        // Options of the command line, which come before, say nothing of the client.
        self.client = ClientHabits::default();
        self.dialect = dialect;
        self.session.lock().dialect = dialect;
        self.engine.use_books_by_default(dialect == Dialect::Ucci);
    }

    /// Writes a message if the option `debug` is on.
    fn debug_message(&self, text: impl fmt::Display) {
        if self.engine.options().debug {
            self.session.write_message(text);
        }
    }

    /// With the option `debug`, says who must deviate if the position has occurred before.
    fn warn_of_repetition(&self) {
        let recurring = || Recurring::of(self.engine.position(), &self.engine.options().rules, OCCURRENCES);
        if self.engine.options().debug
            && let Some(recurring) = recurring()
        {
            self.session.write_message(warning(&recurring, self.engine.ranks(), Language::English));
        }
    }

    /// Says that `command` was refused because there is no position.
    fn write_no_position(&self, command: &str) {
        self.session.write_message(format_args!("{command}: the position was refused"));
    }

    /// Searches, and writes the answer; if `makes_move`, makes the move and shows the board.
    fn search(&mut self, go: &Go, signals: &Signals, makes_move: bool) {
        let answer = match self.refused(go) {
            true => Answer::Refused,
            false => self.answer(go, signals),
        };
        if let (Answer::NoMove, Some(line)) = (&answer, self.dialect.finished_line()) {
            self.session.write(line);
        }
        report_damaged_tables(&self.session, self.engine.open_tables().as_deref());
        // What ended early (a refusal, no legal move) is not answered early.
        if go.waits_for_stop || go.ponder {
            signals.wait(go.ponder);
        }
        let best = answer.best().filter(|_| makes_move);
        let mut text = self.dialect.answer(answer, self.format());
        if let Some(best) = best {
            self.engine.make(best);
            self.result = None;
            text.push('\n');
            text.push_str(&console::board(&self.engine));
        }
        self.session.complete(&text);
    }

    fn format(&self) -> Format {
        Format { show_wdl: self.engine.options().show_wdl, ranks: self.engine.ranks() }
    }

    /// Whether `go` cannot be answered; then the reason is written, unless it was when the position was refused.
    fn refused(&self, go: &Go) -> bool {
        if !go.unknown.is_empty() {
            let consequence = if go.is_garbled() { "; no search" } else { "; ignored" };
            self.session.write_message(format_args!("go: cannot read {:?}{consequence}", go.unknown.join(" ")));
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
        let (session, dialect, format) = (&self.session, self.dialect, self.format());
        let book = self.engine.book_answer(&mut plan, signals).unwrap_or_else(|error| {
            session.write_message(error);
            None
        });
        if let Some(book) = book {
            return Answer::Book(book, self.engine.evaluate());
        }
        let mut throttle = Throttle::default();
        let tables = self.engine.open_tables();
        let (answer, outcome) = self.engine.go(&plan, signals, &mut |report| {
            report_damaged_tables(session, tables.as_deref());
            if matches!(report, Report::CurrentMove { .. }) && session.is_client_behind() {
                return;
            }
            if let Report::NoMate { moves, asked } = report {
                session.write_message(no_mate(moves, asked));
            }
            if let Some(text) = throttle.pass(report).and_then(|report| dialect.report(&report, format)) {
                session.write(text);
            }
        });
        if let Some(outcome) = outcome {
            // The protocols have no score for it.
            if is_decided(outcome.score) && !is_mate(outcome.score) {
                let wins = if outcome.score > 0 { "wins" } else { "loses" };
                self.session.write_message(format_args!("the side to move {wins} by the rules of repetition"));
            }
            self.debug_message(outcome);
        }
        answer
    }

    /// Counts the leaves of the tree of legal moves until it is done or stopped.
    fn perft(&self, depth: usize, signals: &Signals) {
        let (position, ranks) = (self.engine.position(), self.engine.ranks());
        let mut text = String::new();
        match self.engine.refusal() {
            Some(_) => self.write_no_position("perft"),
            None => text = console::perft(position, ranks, depth, &|| !signals.is_stopped()),
        }
        self.session.complete(&text);
    }

    /// Runs the bench until it is done or stopped.
    fn bench(&self, depth: u32, signals: &Signals) {
        // A `stop` sent after the last line is read finds nothing that it could stop.
        let mut last = String::new();
        let run = bench::run(depth, Tunables::default(), &mut Searcher::new(), signals, &mut |line| {
            self.session.write(std::mem::replace(&mut last, line));
        });
        if let Err(megabytes) = run {
            self.session.write_message(format_args!("no memory for {megabytes} MB of hash tables"));
        }
        self.session.complete(&last);
    }

    fn console(&mut self, command: ConsoleCommand, signals: &Signals) {
        let position = self.engine.position();
        match command {
            ConsoleCommand::Play(go) => self.search(&go, signals, true),
            ConsoleCommand::Perft(depth) => self.perft(depth, signals),
            ConsoleCommand::Bench(depth) => self.bench(depth, signals),
            ConsoleCommand::Show => {
                let tables = self.engine.tables();
                self.session.write(console::show(
                    self.engine.position(),
                    &self.engine.options().rules,
                    tables.as_deref(),
                    self.result,
                ));
                report_damaged_tables(&self.session, tables.as_deref());
                if let Some(error) = self.engine.refusal() {
                    self.session.write_message(format_args!("position refused: {error}; {UNTIL_ANOTHER}"));
                }
            }
            ConsoleCommand::NewGame => {
                let set = self.engine.set(&Setting::new_game());
                self.report_error(set);
                self.set_up(&GameSetup::default());
            }
            ConsoleCommand::Load(name) => self.load(&name),
            ConsoleCommand::Save(name) => self.write_file(&name, (position.to_fen() + "\n").as_bytes()),
            ConsoleCommand::Level => {
                let level = self.engine.options().level;
                self.session.write_message(format_args!("level {level} of {}", level::FULL));
            }
            ConsoleCommand::Fen => self.session.write(position.to_fen()),
            ConsoleCommand::Game => self.session.write(console::game(position, self.engine.ranks())),
            ConsoleCommand::Moves(notation) => {
                self.session.write(console::moves(position, notation, self.engine.ranks()))
            }
            ConsoleCommand::Evaluate if self.engine.refusal().is_some() => self.write_no_position("eval"),
            ConsoleCommand::Evaluate => {
                let (terms, side) = (self.engine.trace_evaluation(), self.engine.position().side());
                self.session.write(evaluation(&terms, side, Language::English));
            }
            ConsoleCommand::Do(moves) => {
                let played = self.engine.play(&moves);
                self.result = None;
                self.report_error(played);
                self.session.write(console::board(&self.engine));
            }
            ConsoleCommand::Undo(count) => {
                let taken_back = self.engine.take_back(count);
                self.result = None;
                if taken_back < count {
                    self.session.write_message(format_args!("undo: only {taken_back} of {count} moves taken back"));
                }
                self.session.write(console::board(&self.engine));
            }
            ConsoleCommand::Flip => {
                self.engine.flip();
                self.result = None;
            }
            ConsoleCommand::Resign => self.end(console::resignation(position.side())),
            ConsoleCommand::Draw => self.end(console::AGREED_DRAW),
            ConsoleCommand::ExportNetwork(name) => self.write_file(&name, &self.engine.network().to_bytes()),
            ConsoleCommand::Compiler => self.session.write(console::compiler()),
            ConsoleCommand::Help => self.session.write(console::HELP),
            ConsoleCommand::HelpOptions => self.session.write(console::options(self.dialect)),
        }
    }

    /// Writes a file, and says whether it could.
    fn write_file(&self, name: &str, bytes: &[u8]) {
        self.session.write_message(match files::new_file(name).map(|path| (path.display(), save(path, bytes))) {
            Ok((path, Ok(()))) => format!("{path} written"),
            Ok((path, Err(error))) => format!("cannot write {path}: {error}"),
            Err(name) => format!("{name} exists; with --force before it, it is replaced"),
        });
    }

    /// Sets up the position in a .FEN file.
    fn load(&mut self, name: &str) {
        let path = files::locate(name);
        let variant = self.engine.options().variant;
        let game = match files::open(&path).and_then(|file| stream::only_game(BufReader::new(file), variant)) {
            Ok(Ok(game)) => game,
            Ok(Err(error)) => return self.session.write_message(format_args!("{}: {error}", path.display())),
            Err(error) => return self.session.write_message(format_args!("cannot read {}: {error}", path.display())),
        };
        if let Some(note) = game.note {
            self.session.write_message(format_args!("{}: {note}", path.display()));
        }
        self.set_up(&game.setup());
        self.session.write(console::board(&self.engine));
    }

    /// Ends the game with `result`.
    fn end(&mut self, result: &'static str) {
        self.session.write(result);
        self.result = Some(result);
    }
}

/// Answers `probe` from the hash table, also while a search uses it; `ranks`: how the client numbers them.
pub(super) fn probe(
    table: &engine::SharedTable,
    setup: &GameSetup,
    options: &Options,
    ranks: Ranks,
    session: &Session,
) {
    let game = setup.set_up(options.variant, options.ranks, ranks).map_err(GameSetupError::from);
    let game = game.and_then(|game| game.error.clone().map_or(Ok(game), |error| Err(error.into())));
    match game {
        Ok(game) => session.write(ucci::pophash(engine::probe(table, &game.position), game.ranks)),
        Err(error) => {
            session.write_message(format_args!("probe: {error}"));
            session.write(ucci::pophash(None, Ranks::default()));
        }
    }
}

/// Says which endgame tables have proved damaged since this was last said.
fn report_damaged_tables(session: &Session, tables: Option<&Tables>) {
    for bad in tables.map(Tables::take_damaged).unwrap_or_default() {
        session.write_message(format_args!("{bad}; not used any more"));
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

/// What is known of mates where none was found.
fn no_mate(moves: u32, asked: u32) -> String {
    match moves {
        0 => format!("mate in 1 to {asked} not decided"),
        _ if moves < asked => format!("no mate in {moves}; in {} to {asked} not decided", moves + 1),
        _ => format!("no mate in {moves}"),
    }
}
