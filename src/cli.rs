//! The command line: a file for each command.
//!
//! To add one: its file here; a variant of [`Command`] with its help, and its call in [`Cli::run`]; the help in Chinese in
//! `chinese.json`; an example in `help_files.rs`; a row in both READMEs.

mod analyse;
mod answers;
mod board;
mod book;
mod cloud;
mod collection;
mod convert;
mod doubles;
mod egtb;
mod error;
mod eval;
mod exercises;
mod file_kind;
mod find;
mod game_files;
mod guard;
mod help_files;
mod judge;
mod judged_json;
mod limit_args;
mod locale;
mod log_file;
mod match_arg_error;
mod messages;
mod names;
mod net;
mod option_args;
mod perft;
#[cfg(feature = "play")]
mod play;
mod position_argument;
mod progress;
mod puzzles;
mod report;
mod review;
mod review_text;
mod rules_args;
mod save;
mod sheet;
mod solve;
mod text_output;
mod tournament;
mod tournament_args;
mod translate;
#[cfg(feature = "tuning")]
mod tune;
mod write_games;

use crate::display::language::Language;
use crate::engine::Engine;
use crate::engine::options::Setting;
use crate::protocol::command::Command as ProtocolCommand;
use crate::protocol::dialect::Dialect;
use crate::protocol::hangup::exit_when_output_closes;
use crate::protocol::{self, RunError};
use crate::search::Searcher;
use crate::search::bench;
use crate::search::signals::Signals;
use crate::search::tunables::Tunables;
use analyse::Analyse;
use board::Board;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use cloud::CloudCommand;
use convert::Convert;
use error::{CliError, ExitStatus, Failure};
use eval::Eval;
use find::Find;
use judge::Judge;
use log_file::start_log;
use messages::print_message_in;
use net::Net;
use perft::Perft;
use puzzles::Puzzles;
use review::Review;
use solve::Solve;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tournament::Match;
use tournament_args::with_two_dashes;

/// Reads the command line and runs it. Exit status: 0 success, 1 a check failed, 2 an error, 101 a panic.
pub fn run() -> ExitCode {
    Cli::read().run()
}

/// A xiangqi (Chinese chess) engine. Without a command it speaks UCCI and UCI on standard input and output; `help`
/// there lists the commands.
#[derive(Parser)]
#[command(name = "chuhe", version)]
struct Cli {
    #[command(flatten)]
    protocol: ProtocolArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The arguments of UCCI and UCI.
#[derive(Args)]
struct ProtocolArgs {
    /// Append everything sent and received in UCCI or UCI to FILE, with times
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Set an option of the protocol at the start, as `setoption` does; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option_args::setting)]
    settings: Vec<Setting>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCCI on standard input and output, as if it had been greeted with `ucci`
    Ucci(ProtocolArgs),
    /// Speak UCI on standard input and output, as if it had been greeted with `uci`
    Uci(ProtocolArgs),
    /// Search about 50 positions to a fixed depth; the last line is `N nodes M nps`
    Bench(Bench),
    /// Play a game in the terminal, against the engine or between two people
    #[cfg(feature = "play")]
    Play(play::Play),
    /// Count the leaves of the tree of legal moves; the last line is `Nodes searched: N`
    Perft(Box<Perft>),
    /// Search positions and print the best lines
    Analyse(Analyse),
    /// Print the static evaluation of positions, without a search: its terms, and the value of each piece where it stands
    Eval(Eval),
    /// Find the mates of positions: in how many moves, every move that mates, all defences
    Solve(Solve),
    /// Look games over: evaluations, bad moves and what was better, accuracy; as text, a page, JSON or PGN
    Review(Review),
    /// Make exercises from the mistakes of games; as text, JSON, PGN or a page
    Puzzles(Puzzles),
    /// Find the games of a collection with a position, moves, pieces or tags; print, count or write them, or a tree of moves
    Find(Box<Find>),
    /// Write games in another format: PGN, XQF, CBR, DhtmlXQ, .FEN
    Convert(Convert),
    /// Draw positions as SVG or PNG, or as a sheet to print
    Board(Board),
    /// Print the status of games by the rules and the reason: won, drawn or ongoing
    Judge(Judge),
    /// Print what the Xiangqi Cloud Database (chessdb.cn) has for positions; sends them to its server
    Cloud(CloudCommand),
    /// Play matches and tournaments between engines that speak UCCI or UCI, under one arbiter
    Match(Box<Match>),
    /// Make opening books from game records or by searching, and inspect them
    Book(book::Book),
    /// Build endgame tables, and look into them
    Egtb(egtb::Egtb),
    /// Generate training games, and train evaluations
    Net(Net),
    /// Print the completions of a shell for these commands
    Completions {
        /// The shell. bash reads them from ~/.local/share/bash-completion/completions/chuhe; zsh from a file _chuhe in a
        /// folder of its $fpath; fish from ~/.config/fish/completions/chuhe.fish; PowerShell from the file that $PROFILE
        /// names, to which they are appended
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Write man pages, one for each command, in the language of the locale
    Manual {
        /// The folder to write to; man looks into ~/.local/share/man/man6
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// Tune search parameters by self-play (SPSA)
    #[cfg(feature = "tuning")]
    Tune(tune::Tune),
}

/// Greatest number of columns of the help.
const HELP_COLUMNS: usize = 100;

/// First line at a terminal.
const TERMINAL_GREETING: &str = concat!(
    "ChuHe ",
    env!("CARGO_PKG_VERSION"),
    ": type a move (h2e2, C2.5 or 炮二平五), play for the engine's move, help for all commands"
);

/// Time for writing to standard error that nobody reads standard output.
const STDERR_PATIENCE: Duration = Duration::from_secs(1);
/// Exit status of a Rust program whose main thread panics.
const PANIC_STATUS: u8 = 101;

impl Cli {
    /// Reads the command line; prints the help, the version or an error, in Chinese where the locale is Chinese, and ends
    /// the program, where that is asked for.
    fn read() -> Cli {
        let language = translate::locale_language();
        let command = Cli::command().max_term_width(HELP_COLUMNS);
        let command = help_files::with_examples(command, language.pick("Examples", "示例"));
        let command = match language {
            Language::English => command,
            Language::Chinese => translate::to_chinese(command),
        };
        let arguments = with_two_dashes(env::args_os());
        let read = command.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
        read.unwrap_or_else(|error| messages::exit(&error))
    }

    fn run(self) -> ExitCode {
        let ProtocolArgs { log_file, settings } = self.protocol;
        // Other commands neither receive nor send anything that could be logged.
        let log = match &self.command {
            None => log_file.as_deref(),
            Some(Command::Ucci(own) | Command::Uci(own)) => own.log_file.as_deref().or(log_file.as_deref()),
            Some(_) => None,
        };
        if let Err(error) = start_log(log) {
            return fail_in(translate::locale_language(), &error);
        }
        let language = self.command.as_ref().and_then(Command::language).unwrap_or_else(translate::locale_language);
        let result = match self.command {
            None => run_protocol(settings, None),
            Some(Command::Ucci(own)) => run_protocol([settings, own.settings].concat(), Some(Dialect::Ucci)),
            Some(Command::Uci(own)) => run_protocol([settings, own.settings].concat(), Some(Dialect::Uci)),
            Some(_) if !settings.is_empty() => Err(CliError::Settings.into()),
            Some(_) if log_file.is_some() => Err(CliError::NoLog.into()),
            Some(Command::Bench(bench)) => bench.run(),
            #[cfg(feature = "play")]
            Some(Command::Play(play)) => play.run(),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Analyse(analyse)) => analyse.run(),
            Some(Command::Eval(eval)) => eval.run(),
            Some(Command::Solve(solve)) => solve.run(),
            Some(Command::Review(review)) => review.run(),
            Some(Command::Puzzles(puzzles)) => puzzles.run(),
            Some(Command::Find(find)) => find.run(),
            Some(Command::Convert(convert)) => convert.run(),
            Some(Command::Board(board)) => board.run(),
            Some(Command::Judge(judge)) => judge.run(),
            Some(Command::Cloud(cloud)) => cloud.run(),
            Some(Command::Match(command)) => command.run(),
            Some(Command::Book(book)) => book.run(),
            Some(Command::Egtb(egtb)) => egtb.run(),
            Some(Command::Net(net)) => net.run(),
            Some(Command::Completions { shell }) => help_files::completions(shell, Cli::command()),
            Some(Command::Manual { folder }) => {
                let command = match language {
                    Language::English => Cli::command(),
                    Language::Chinese => translate::to_chinese(Cli::command()),
                };
                help_files::manual(&folder, command, language)
            }
            #[cfg(feature = "tuning")]
            Some(Command::Tune(tune)) => tune.run(),
        };
        // `writeln!` flushes whole lines only.
        let result = result.and_then(|status| Ok(io::stdout().flush().map(|()| status)?));
        match result {
            Ok(ExitStatus::Success) => ExitCode::SUCCESS,
            Ok(ExitStatus::CheckFailed) => ExitCode::from(1),
            // An `io::Error` is of standard output.
            Err(failure) => match (failure.downcast_ref().map(io::Error::kind), failure.downcast_ref()) {
                // The reader of a pipe closed it, as `head` does.
                (Some(io::ErrorKind::BrokenPipe), _) => ExitCode::SUCCESS,
                // Nobody may read standard error either.
                (Some(io::ErrorKind::TimedOut), _) => {
                    let (sender, printed) = mpsc::channel();
                    let _ = thread::Builder::new().spawn(move || sender.send(fail_in(language, &failure)));
                    printed.recv_timeout(STDERR_PATIENCE).unwrap_or(ExitCode::from(2))
                }
                // The panic has printed its message.
                (_, Some(RunError::Panic)) => ExitCode::from(PANIC_STATUS),
                _ => fail_in(language, &failure),
            },
        }
    }
}

impl Command {
    /// The language that its `--lang` asks for.
    fn language(&self) -> Option<Language> {
        match self {
            Command::Analyse(analyse) => analyse.lang,
            Command::Eval(eval) => eval.lang,
            Command::Solve(solve) => solve.lang,
            Command::Review(review) => review.lang,
            Command::Puzzles(puzzles) => puzzles.lang,
            Command::Find(find) => find.lang,
            Command::Convert(convert) => convert.lang,
            Command::Judge(judge) => judge.lang,
            Command::Egtb(egtb) => egtb.language(),
            _ => None,
        }
    }
}

/// Runs the protocol on standard input and output, with the options of `--option`, as if it had been greeted. People at a
/// terminal are told what to type.
fn run_protocol(settings: Vec<Setting>, greeting: Option<Dialect>) -> Result<ExitStatus, Failure> {
    if greeting.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        let board = if cfg!(feature = "play") { "; started with the argument `play` there is a board" } else { "" };
        writeln!(text_output::stdout(), "{TERMINAL_GREETING}{board}")?;
    }
    let first = settings.into_iter().map(ProtocolCommand::Set).chain(greeting.map(ProtocolCommand::Greet)).collect();
    protocol::run_on_standard_streams(Engine::new(), first).map_err(|error| match error {
        RunError::Output(error) => Failure::from(error),
        error => error.into(),
    })?;
    Ok(ExitStatus::Success)
}

fn fail_in(language: Language, failure: &Failure) -> ExitCode {
    match failure.is::<io::Error>() {
        true => print_message_in(language, &format_args!("error: cannot write: {failure}")),
        false => print_message_in(language, &format_args!("error: {failure}")),
    }
    ExitCode::from(2)
}

#[derive(Args)]
struct Bench {
    /// Plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Print what the search did, after the last line: cutoffs by stage of the move picker, table hits, pruning
    #[cfg(feature = "tuning")]
    #[arg(long)]
    statistics: bool,
    /// Set a search parameter; may be repeated
    #[cfg(feature = "tuning")]
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = search_parameter)]
    options: Vec<(String, i32)>,
}

/// A search parameter and a value that it accepts.
#[cfg(feature = "tuning")]
fn search_parameter(text: &str) -> Result<(String, i32), String> {
    let parsed = text.split_once('=').and_then(|(name, value)| Some((name.to_string(), value.parse().ok()?)));
    let accepted = parsed.filter(|(name, value)| Tunables::default().set(name, *value));
    accepted.ok_or_else(|| "no search parameter with a value in its range".to_string())
}

impl Bench {
    fn run(self) -> Result<ExitStatus, Failure> {
        exit_when_output_closes();
        let signals = Signals::new();
        let mut searcher = Searcher::new();
        let mut written = Ok(());
        #[cfg_attr(not(feature = "tuning"), allow(unused_mut))]
        let mut tunables = Tunables::default();
        #[cfg(feature = "tuning")]
        for (name, value) in &self.options {
            tunables.set(name, *value);
        }
        let run = bench::run(self.depth, tunables, &mut searcher, &signals, &mut |line| {
            if written.is_ok() {
                written = writeln!(io::stdout(), "{line}");
                if written.is_err() {
                    signals.stop();
                }
            }
        });
        written?;
        run.map_err(CliError::Memory)?;
        #[cfg(feature = "tuning")]
        if self.statistics {
            write!(io::stdout(), "\n{}", searcher.statistics())?;
        }
        Ok(ExitStatus::Success)
    }
}
