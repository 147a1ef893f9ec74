//! The command line.

mod analyse;
mod book;
mod judge;
mod match_args;
mod net;
mod perft;
mod progress;
#[cfg(feature = "tuning")]
mod tune;

use crate::book::dat::BookError;
use crate::book::text::TextError;
use crate::engine::{Engine, options};
use crate::eval::network::NetworkError;
use crate::learning::datagen::ResumeError;
use crate::learning::games::GamesError;
use crate::learning::train::TrainStateError;
use crate::protocol::{self, RunError};
use crate::search::signals::Signals;
use crate::tools::{bench, perft_suite};
use analyse::Analyse;
use clap::{Parser, Subcommand};
use judge::Judge;
use net::Net;
use perft::Perft;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;

/// A xiangqi (Chinese chess) engine. Without a command it speaks UCCI on standard input and output; say `help` there.
#[derive(Parser)]
#[command(name = "chuhe", version)]
pub struct Cli {
    /// Append everything said and heard to FILE, with times
    #[arg(long, value_name = "FILE", global = true)]
    log_file: Option<PathBuf>,
    /// Set an option of the protocol before anything is said, as `setoption` does; as often as needed
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search about 50 positions to a fixed depth; the last line is `N nodes M nps`
    Bench {
        /// Plies
        #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: u32,
    },
    /// Count the leaves of the tree of legal moves; the last line is `Nodes searched: N`
    Perft(Box<Perft>),
    /// Search positions and print the best lines
    Analyse(Analyse),
    /// Say how games stand, and why: who wins by the rules, or that it is a draw
    Judge(Judge),
    /// Make opening books of recorded games or by searching, and look into them
    Book(book::Book),
    /// Generate training games, train evaluations, and play matches between them
    Net(Net),
    /// Tune search parameters by self-play (SPSA)
    #[cfg(feature = "tuning")]
    Tune(tune::Tune),
    /// Play a match between the engine with changed search parameters and the default
    #[cfg(feature = "tuning")]
    Compare(tune::Compare),
}

/// Why a command came to no result.
#[derive(Debug, Error)]
enum CliError {
    /// The log cannot be written.
    #[error("cannot log to {0}: {1}")]
    Log(PathBuf, io::Error),
    /// Options of the protocol, but it is not spoken.
    #[error("--option is for the protocol; commands have options of their own")]
    Settings,
    /// A file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
    /// The suite cannot be understood.
    #[error("{0}: {1}")]
    Suite(PathBuf, perft_suite::SuiteError),
    /// A file is no opening book.
    #[error("{0}: {1}")]
    Book(PathBuf, BookError),
    /// A text cannot be made a book.
    #[error("{0}: {1}")]
    BookText(PathBuf, TextError),
    /// Nothing would be in a book.
    #[error("there is no move for the book")]
    EmptyBook,
    /// What stands for a position is none.
    #[error("no such position: {0}")]
    Position(String),
    /// The machine has not so many megabytes.
    #[error("no memory for {0} MB of hash tables")]
    Memory(usize),
    /// A number of the search that there is not, or out of its range; where it stands, and its text.
    #[cfg(feature = "tuning")]
    #[error("{0}: not a number of the search, or out of its range: {1:?}")]
    Tunable(String, String),
    /// A file of games cannot be read.
    #[error("{0}: {1}")]
    Games(PathBuf, GamesError),
    /// A file of games cannot be gone on with.
    #[error("{0}: {1}")]
    Resume(PathBuf, ResumeError),
    /// A file is no network that can be used.
    #[error("{0}: {1}")]
    Network(PathBuf, NetworkError),
    /// A training cannot be gone on with.
    #[error("{0}: {1}")]
    Training(PathBuf, TrainStateError),
    /// Games without a position to learn from.
    #[error("the games have no position to learn from")]
    NoSample,
    /// A file cannot be written.
    #[error("cannot write {0}: {1}")]
    Save(PathBuf, io::Error),
    /// Standard output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A thread of the protocol loop panicked; the panic has printed its message.
    #[error("a thread panicked")]
    Panic,
}

/// Exit status of a Rust program whose main thread panics.
const PANIC_STATUS: u8 = 101;

/// Exit status of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExitStatus {
    /// 0.
    Success,
    /// 1.
    CheckFailed,
}

impl Cli {
    /// Runs the command. Exit status: 0 success, 1 a check failed, 2 an error, 101 a panic.
    pub fn run(self) -> ExitCode {
        if let Err(error) = start_log(self.log_file.as_deref()) {
            return fail(&error);
        }
        let result = match self.command {
            Some(_) if !self.settings.is_empty() => Err(CliError::Settings),
            None => run_protocol(&self.settings),
            Some(Command::Bench { depth }) => run_bench(depth),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Analyse(analyse)) => analyse.run(),
            Some(Command::Judge(judge)) => judge.run(),
            Some(Command::Book(book)) => book.run(),
            Some(Command::Net(net)) => net.run(),
            #[cfg(feature = "tuning")]
            Some(Command::Tune(tune)) => tune.run(),
            #[cfg(feature = "tuning")]
            Some(Command::Compare(compare)) => compare.run(),
        };
        // `writeln!` flushes whole lines only.
        let result = result.and_then(|status| Ok(io::stdout().flush().map(|()| status)?));
        match result {
            Ok(ExitStatus::Success) => ExitCode::SUCCESS,
            Ok(ExitStatus::CheckFailed) => ExitCode::from(1),
            // The reader of a pipe closed it, as `head` does.
            Err(CliError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(CliError::Panic) => ExitCode::from(PANIC_STATUS),
            Err(error) => fail(&error),
        }
    }
}

/// Runs the protocol on standard input and output, after the lines that set `--option`.
fn run_protocol(settings: &[String]) -> Result<ExitStatus, CliError> {
    let input = io::Cursor::new(settings.concat()).chain(BufReader::new(io::stdin()));
    protocol::run(Engine::new(), input, io::stdout()).map_err(|error| match error {
        RunError::Output(error) => CliError::Write(error),
        RunError::Panic => CliError::Panic,
    })?;
    Ok(ExitStatus::Success)
}

/// The line that sets an option, given as `NAME=VALUE`.
///
/// # Errors
/// When there is no such option, it cannot have that value, or it would not fit into a line.
fn setting(text: &str) -> Result<String, String> {
    let (name, value) = text.split_once('=').ok_or("there is no `=` in it")?;
    options::read(name, value).map_err(|error| error.to_string())?;
    // What is said is taken apart into words.
    let words: Vec<&str> = value.split_whitespace().collect();
    if words.join(" ") != value {
        return Err("its value has blanks that would be lost".to_string());
    }
    Ok(format!("setoption name {name} value {value}\n"))
}

fn fail(error: &CliError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

/// Logs what `RUST_LOG` asks for, or to `file` everything. Clients merge standard error into what they read: nothing is
/// logged there unless asked for.
fn start_log(file: Option<&Path>) -> Result<(), CliError> {
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off"));
    if let Some(path) = file {
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.map_err(|error| CliError::Log(path.into(), error))?;
        builder.filter_level(log::LevelFilter::Debug).target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.format_timestamp_millis().init();
    Ok(())
}

/// Writes a file; whenever this is broken off, there is a whole one.
fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}.new", std::process::id()));
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).map_err(|error| CliError::Save(path.into(), error))
}

fn run_bench(depth: u32) -> Result<ExitStatus, CliError> {
    let signals = Signals::new();
    let mut written = Ok(());
    bench::run(depth, &signals, &mut |line| {
        if written.is_ok() {
            written = writeln!(io::stdout(), "{line}");
            if written.is_err() {
                signals.stop();
            }
        }
    });
    written?;
    Ok(ExitStatus::Success)
}
