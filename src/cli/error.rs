//! Errors and exit statuses of the command line.

use super::file_kind::FileKind;
use super::match_arg_error::MatchArgError;
use crate::analysis::answer_file::AnswersError;
use crate::book::dat::BookError;
use crate::book::text::TextError;
use crate::cloud::client::CloudError;
use crate::egtb::file::TableError;
use crate::egtb::generate::GenerateError;
use crate::egtb::material::{Material, MaterialError};
use crate::egtb::tables::BadTable;
use crate::engine::allocation_error::AllocationError;
use crate::engine::openings::BadBook;
use crate::eval::network::NetworkError;
use crate::games::ReadError;
use crate::position::perft_suite;
use crate::tournament::journal::JournalError;
use crate::tournament::opening_suite::OpeningSuiteError;
use crate::tournament::runner::TournamentError;
use crate::training::datagen::ResumeError;
use crate::training::sample_stream::SamplesError;
use crate::training::shard::MergeError;
use crate::training::train::TrainStateError;
use crate::training::training_games::GamesError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error)]
pub(super) enum CliError {
    /// The log file cannot be written.
    #[error("cannot log to {0}: {1}")]
    Log(PathBuf, io::Error),
    /// `--option` before a subcommand that has no protocol.
    #[error("--option before a command is for UCCI and UCI; commands that take it have it behind their names")]
    Settings,
    /// `--log-file` before a subcommand that has no protocol.
    #[error("--log-file is for UCCI and UCI; this command prints everything it has to say")]
    NoLog,
    /// A file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
    /// A perft suite cannot be parsed.
    #[error("{0}: {1}")]
    Suite(PathBuf, perft_suite::SuiteError),
    /// A file is not an opening book.
    #[error("{0}: {1}")]
    Book(PathBuf, BookError),
    /// A book text cannot be parsed.
    #[error("{0}: {1}")]
    BookText(PathBuf, TextError),
    /// Opening lines cannot be read.
    #[error("{0}: {1}")]
    Lines(PathBuf, ReadError),
    /// The name of a file says no format of games that is written.
    #[error("{0}: the name must end with .pgn, .xqf, .cbr, .ubb or .fen, or --format name one")]
    Format(PathBuf),
    /// The file for the PGN of a match has other games.
    #[error("{0}: it exists, and its games are others")]
    OtherGames(PathBuf),
    /// Several games for one file of a format that holds one.
    #[error("{0}: {1} games, and this format holds one: a file's name would get numbers")]
    OneGame(PathBuf, usize),
    /// There is nothing to write.
    #[error("no game could be read; nothing is written")]
    NoGame,
    /// A file that is not to be replaced.
    #[error("{0} exists; --force replaces it")]
    Exists(PathBuf),
    /// A file that would be replaced while it is read.
    #[error("{0} is read, and would be replaced")]
    ReplacesInput(PathBuf),
    /// A file of another kind than what would replace it.
    #[error("{0} exists and is no {1}; it is not replaced")]
    Foreign(PathBuf, FileKind),
    /// A file that another process is writing.
    #[error("another process is writing {0}")]
    InUse(PathBuf),
    /// A new book would be empty.
    #[error("the book would be empty")]
    EmptyBook,
    /// A position cannot be parsed, and why.
    #[error("no such position: {0}: {1}")]
    Position(String, String),
    /// A move on the command line is invalid: the move, and why.
    #[error("{0}: {1}")]
    Move(String, String),
    /// The cloud database cannot be asked.
    #[error(transparent)]
    Cloud(CloudError),
    /// The name of a material class is invalid.
    #[error(transparent)]
    Class(MaterialError),
    /// An endgame table cannot be built.
    #[error(transparent)]
    Generate(GenerateError),
    /// An endgame table cannot be used.
    #[error(transparent)]
    Table(BadTable),
    /// Endgame tables of an option cannot be used.
    #[error("{}", list(.0.iter()))]
    Tables(Vec<BadTable>),
    /// Opening books of an option cannot be used.
    #[error("{}", list(.0.iter().map(|bad| format!("{}: {}", bad.path.display(), bad.error))))]
    Books(Vec<BadBook>),
    /// There is not enough memory for an option.
    #[error(transparent)]
    Allocation(AllocationError),
    /// Not enough memory for hash tables; megabytes.
    #[error("no memory for {0} MB of hash tables")]
    Memory(usize),
    /// An unknown search parameter, or a value out of its range: source and text.
    #[cfg(feature = "tuning")]
    #[error("{0}: not a search parameter, or out of range: {1:?}")]
    Tunable(String, String),
    /// A file of games cannot be read.
    #[error("{0}: {1}")]
    Games(PathBuf, GamesError),
    /// A file of games cannot be resumed.
    #[error("{0}: {1}")]
    Resume(PathBuf, ResumeError),
    /// Training samples cannot be read.
    #[error(transparent)]
    Samples(SamplesError),
    /// Files of games cannot be merged.
    #[error(transparent)]
    Merge(MergeError),
    /// A network file cannot be used.
    #[error("{0}: {1}")]
    Network(PathBuf, NetworkError),
    /// A file of answers cannot be continued.
    #[error("{0}: {1}")]
    Answers(PathBuf, AnswersError),
    /// A training state cannot be resumed.
    #[error("{0}: {1}")]
    Training(PathBuf, TrainStateError),
    /// An argument of a match is wrong.
    #[error(transparent)]
    League(#[from] MatchArgError),
    /// Openings of a match cannot be used.
    #[error("{0}: {1}")]
    OpeningSuite(PathBuf, OpeningSuiteError),
    /// The file of a match cannot be continued.
    #[error("{0}: {1}")]
    Journal(PathBuf, JournalError),
    /// A match cannot go on.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A match was interrupted whose games are in a file.
    #[error("the match was interrupted; the same command with --resume goes on")]
    InterruptedMatch,
    /// The games contain no training samples.
    #[error("the games contain no training samples")]
    NoSample,
    /// A picture cannot be drawn.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Png(crate::display::png::PngError),
    /// A picture is asked for that this build cannot draw.
    #[cfg(not(feature = "png"))]
    #[error("this program was built without the feature png")]
    NoPng,
    /// A file cannot be written.
    #[error("cannot write {0}: {1}")]
    Save(PathBuf, io::Error),
    /// Two outputs would run together on standard output.
    #[error("only one output can be standard output (-)")]
    StandardOutputs,
    /// A change of a book that cannot be made: the text, and why.
    #[error("{0:?}: {1}")]
    BookMove(String, String),
    /// Two outputs would overwrite each other.
    #[error("{}: two outputs cannot be the same file", .0.display())]
    SameOutput(PathBuf),
    /// `--output -`: answers that are continued are in a file.
    #[error("--output needs a file; --json prints on standard output")]
    NoFile,
    /// Standard output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// A thread of the protocol loop panicked; the panic has printed its message.
    #[error("a thread panicked")]
    Panic,
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
