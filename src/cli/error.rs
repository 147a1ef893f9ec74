//! Errors and exit statuses of the command line.

use super::file_kind::FileKind;
use crate::egtb::file::TableError;
use crate::egtb::material::Material;
use crate::egtb::tables::BadTable;
use crate::engine::openings::BadBook;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a command failed: an error of the library, or one of its own. An [`io::Error`] is of standard output.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// What is wrong with a file, an argument, or a part of one.
#[derive(Debug, Error)]
#[error("{0}: {1}")]
pub(super) struct Within(String, Failure);

/// Puts the file or the argument before an error, as `anyhow` puts its context; the library's errors name their own causes.
pub(super) trait Context<T> {
    /// What is wrong with the contents of a file.
    fn in_file(self, path: impl AsRef<Path>) -> Result<T, Failure>;
    /// What is wrong with an argument.
    fn in_argument(self, argument: impl Into<String>) -> Result<T, Failure>;
}

impl Within {
    /// What is wrong with the contents of a file.
    pub(super) fn file(path: &Path, error: impl Into<Failure>) -> Failure {
        Within(path.display().to_string(), error.into()).into()
    }
}

impl<T, E: Into<Failure>> Context<T> for Result<T, E> {
    fn in_file(self, path: impl AsRef<Path>) -> Result<T, Failure> {
        self.map_err(|error| Within::file(path.as_ref(), error))
    }

    fn in_argument(self, argument: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|error| Within(argument.into(), error.into()).into())
    }
}

/// Names the file that cannot be read or written.
pub(super) trait IoContext<T> {
    /// [`CliError::File`].
    fn reading(self, path: impl AsRef<Path>) -> Result<T, Failure>;
    /// [`CliError::Save`].
    fn writing(self, path: impl AsRef<Path>) -> Result<T, Failure>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn reading(self, path: impl AsRef<Path>) -> Result<T, Failure> {
        self.map_err(|error| CliError::File(path.as_ref().into(), error).into())
    }

    fn writing(self, path: impl AsRef<Path>) -> Result<T, Failure> {
        self.map_err(|error| CliError::Save(path.as_ref().into(), error).into())
    }
}

/// What the command line refuses itself.
#[derive(Debug, Error)]
pub(super) enum CliError {
    #[error("cannot log to {0}: {1}")]
    Log(PathBuf, io::Error),
    #[error("--option before a command is for UCCI and UCI; commands that take it have it behind their names")]
    Settings,
    #[error("--log-file is for UCCI and UCI; this command prints everything it has to say")]
    NoLog,
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{0}: the name must end with .pgn, .xqf, .cbr, .ubb or .fen, or --format name one")]
    Format(PathBuf),
    #[error("two names are wanted: of what is read, and of the file to write")]
    OneFile,
    #[error("{0}: it exists, and its games are others")]
    OtherGames(PathBuf),
    /// Several games for one file of a format that holds one.
    #[error("{0}: {1} games, and this format holds one: a file's name would get numbers")]
    OneGame(PathBuf, usize),
    /// Several pictures for standard output.
    #[error("{0} pictures, and standard output takes one")]
    Pictures(usize),
    #[error("there is no game to write")]
    NoGame,
    /// The name of `--report`.
    #[error("no game of {0}")]
    NoPlayer(String),
    /// A folder or a list.
    #[error("no file is in {0} (--recursive also reads the folders within)")]
    NoFiles(PathBuf),
    #[error("no file matches {0}")]
    NoMatch(PathBuf),
    /// The game of `--game`, and the number of games.
    #[error("no game {0:?} among {1}")]
    NoSuchGame(String, usize),
    /// The position of `--ply`, and the number of plies.
    #[error("no position after {0} plies: the game has {1}")]
    NoPly(usize, usize),
    #[error("{0} exists; --force replaces it")]
    Exists(PathBuf),
    #[error("{0} is read, and would be replaced")]
    ReplacesInput(PathBuf),
    #[error("{0} exists and is no {1}; it is not replaced")]
    Foreign(PathBuf, FileKind),
    #[error("another process is writing {0}")]
    InUse(PathBuf),
    #[error("the book would be empty")]
    EmptyBook,
    #[error("no such position: {0}: {1}")]
    Position(String, Failure),
    #[error("{}", list(.0.iter()))]
    Tables(Vec<BadTable>),
    #[error("{}", list(.0.iter().map(|bad| format!("{}: {}", bad.path.display(), bad.error))))]
    Books(Vec<BadBook>),
    /// Not enough memory for hash tables; megabytes.
    #[error("no memory for {0} MB of hash tables")]
    Memory(usize),
    /// An unknown search parameter, or a value out of its range: source and text.
    #[cfg(feature = "tuning")]
    #[error("{0}: not a search parameter, or out of range: {1:?}")]
    Tunable(String, String),
    #[error("the match was interrupted; the same command with --resume goes on")]
    InterruptedMatch,
    #[error("the games contain no training samples")]
    NoSample,
    #[cfg(not(feature = "png"))]
    #[error("this program was built without the feature png")]
    NoPng,
    #[error("cannot write {0}: {1}")]
    Save(PathBuf, io::Error),
    /// Two outputs would run together on standard output.
    #[error("only one output can be standard output (-)")]
    StandardOutputs,
    /// A change of a book that cannot be made: the text, and why.
    #[error("{0:?}: {1}")]
    BookMove(String, Failure),
    #[error("{}: two outputs cannot be the same file", .0.display())]
    SameOutput(PathBuf),
    /// `--output -`: answers that are continued are in a file.
    #[error("{0} needs a file; --json prints on standard output")]
    NoFile(&'static str),
    #[error("--resume continues a file of JSON objects")]
    NoResume,
}

fn list(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join("; ")
}

/// What a command says on standard error and goes on.
#[derive(Debug, Error)]
pub(super) enum Notice {
    /// An endgame table that cannot be used is built again.
    #[error("{0}: {1}; built again")]
    BuiltAgain(PathBuf, TableError),
    /// The table of a class is not built: its megabytes, and those allowed.
    #[error("{0} needs {1} MB (--memory {2})")]
    Megabytes(Material, usize, usize),
    /// The table of a class is not built: more than any machine has, and the megabytes allowed.
    #[error("{0} needs too much memory (--memory {1})")]
    TooMuchMemory(Material, usize),
    /// There is no table of a class.
    #[error("there is no table of {0}")]
    NoTableOf(Material),
    /// No move of the games is in the book: the number of games that a move needs, with its noun.
    #[error("no move was played in {0} and has a value (--games, --win …)")]
    NoMove(String),
    /// Moves of a book that are not in the new one: the book, and their number with its noun.
    #[error("{0}: {1} left out: illegal, repeated, or of positions that no moves of the book lead to")]
    LeftOut(String, String),
    /// Remarks of a database that are not in the new one: the new one, and their number with its noun.
    #[error("{0}: {1} left out")]
    Remarks(String, String),
}

/// Exit status of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExitStatus {
    /// 0.
    Success,
    /// 1.
    CheckFailed,
}
