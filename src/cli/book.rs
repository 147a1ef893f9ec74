//! `chuhe book`: makes and inspects opening books.

mod book_files;
mod read_games;
mod show;

use super::collection::{ChoiceArgs, FolderArgs, only_position};
use super::error::{CliError, Context, ExitStatus, Failure, Notice};
use super::file_kind::FileKind;
use super::game_files::GameFile;
use super::guard::{Target, guard};
use super::messages::print_message;
use super::names::Threads;
use super::progress::progress;
use super::text_output;
use crate::book;
use crate::book::book_file::{BookFile, BookFormat};
use crate::book::builder::{BuildSettings, Builder};
use crate::book::dat::{OpeningBook, entries_of};
use crate::book::obk_rows::ObkRows;
use crate::display::count::count;
use crate::engine::options::UCCI_POINT;
use crate::files::lock::FileLock;
use crate::files::save::is_replaced;
use crate::games::encoding;
use crate::games::error::ReadError;
use crate::games::record::GameRecord;
use crate::notation::{self, NotationError};
use crate::position::{Position, Variant};
use crate::training::grow_book::{self, Grown};
use crate::types::{Move, Score};
use book_files::{
    book_error, dat_or_built_in, into_dat, merged_rows, name, open_file, open_or_built_in, read, save_book, size,
    write_book, write_rows,
};
use clap::{Args, Subcommand};
use read_games::{Counts, games_of, read_games};
use show::Show;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Hash table of each search of `book grow`, in megabytes.
const HASH_MEGABYTES: usize = 64;

#[derive(Args)]
pub(super) struct Book {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a book from games: PGN (moves in ICCS, WXF or Chinese), XQF, plain lists of moves, games one a line
    Build(Build),
    /// Grow a book by searching the most probable positions; moves that score close to the best are kept
    Grow(Grow),
    /// Print the moves of a book, or of games, for a position, or a tree of them: weight, share of the weights, and of games
    /// and databases how many were won, drawn and lost by the side that moves
    Show(Show),
    /// Add moves to a position of a book, change their weights, or remove them
    Edit(Edit),
    /// Print the numbers of moves and positions of books
    Stats {
        /// Books [default: the built-in one]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Check books
    Verify {
        /// Books [default: the built-in one]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Merge books: weights of the same move are added up
    Merge {
        /// Books
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The book to write: a database if the name ends with .obk or .pfBook, else in ElephantEye's format
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Print a book as text, a line for each move: `move weight FEN`, or `move weight @lock` for positions that the
    /// book's moves do not reach from the start position
    Export {
        /// The book [default: the built-in one]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Make a book from such text
    Import {
        /// The text
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The book to write: a database if the name ends with .obk or .pfBook, else in ElephantEye's format
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
}

#[derive(Args)]
struct Build {
    /// Game records, folders of these, names with * and ?, or @LIST, a list of names
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    folders: FolderArgs,
    /// The book to write: a database if the name ends with .obk or .pfBook, else in ElephantEye's format
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Maximum number of plies of each game
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().plies)]
    plies: usize,
    /// Minimum number of games with a move
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().min_games)]
    games: u32,
    /// Value of a move in a game that its player won
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().win)]
    win: u32,
    /// Value of a move in a drawn game
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().draw)]
    draw: u32,
    /// Value of a move in a game that its player lost
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().loss)]
    loss: u32,
    /// Value of a move in a game without a result
    #[arg(long, value_name = "N", default_value_t = BuildSettings::default().unknown)]
    unknown: u32,
    /// Leave out the variations of the games
    #[arg(long)]
    main_line: bool,
}

#[derive(Args)]
struct Grow {
    /// The book to write: a database if the name ends with .obk or .pfBook, else in ElephantEye's format
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Opening lines to start from: game records, or only their first moves; refused if any cannot be read
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,
    /// Number of positions to search
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    positions: usize,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Maximum number of moves kept per position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=128))]
    moves: u8,
    /// Maximum difference to the score of the best move, in points of UCCI: a knight or a cannon is worth about 100
    #[arg(long, value_name = "N", default_value_t = 6)]
    margin: u16,
    /// Positions searched in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
}

#[derive(Args)]
struct Edit {
    /// The book
    #[arg(value_name = "BOOK")]
    file: PathBuf,
    /// `startpos [moves M…]`, `FEN [moves M…]` or what `xfen` prints, quoted or not; or a .FEN file
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// A move there, in any notation, and its new weight; with weight 0 it is removed; may be repeated
    #[arg(long = "set", required = true, value_name = "MOVE=WEIGHT")]
    moves: Vec<String>,
    /// The book to write: a database if the name ends with .obk or .pfBook, else in ElephantEye's format [default: the
    /// book itself]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Book {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let _lock = self.command.guard()?;
        match self.command {
            Command::Build(build) => build.run(),
            Command::Grow(grow) => grow.run(),
            Command::Show(show) => show.run(),
            Command::Edit(edit) => edit.run(),
            Command::Stats { files } => stats(&files),
            Command::Verify { files } => verify(&files),
            Command::Merge { files, output } => merge(&files, &output),
            Command::Export { file } => {
                let book = dat_or_built_in(file.as_deref())?;
                write!(io::stdout(), "{}", book::text::write(&book))?;
                Ok(ExitStatus::Success)
            }
            Command::Import { file, output } => {
                let text = read(&file)?;
                let book = book::text::read(&encoding::decode(&text)).in_file(file)?;
                write_book(&book, None, &output)
            }
        }
    }
}

impl Command {
    /// Checks and locks, before the work, the file that it writes, if it writes one.
    fn guard(&self) -> Result<Vec<FileLock>, Failure> {
        let (inputs, output): (Vec<&Path>, &Path) = match self {
            Command::Merge { files, output } => (files.iter().map(PathBuf::as_path).collect(), output),
            Command::Grow(Grow { lines, output, .. }) => (lines.iter().map(PathBuf::as_path).collect(), output),
            Command::Import { file, output } => (vec![file], output),
            // It may be the book itself.
            Command::Edit(Edit { file, output, .. }) => (Vec::new(), output.as_ref().unwrap_or(file)),
            // It finds the games first.
            Command::Build(_) => return Ok(Vec::new()),
            Command::Show(_) | Command::Stats { .. } | Command::Verify { .. } | Command::Export { .. } => {
                return Ok(Vec::new());
            }
        };
        guard(&inputs, &[Target::New(output, FileKind::Book)])
    }
}

impl Build {
    fn run(self) -> Result<ExitStatus, Failure> {
        let Build { plies, games: min_games, win, draw, loss, unknown, main_line, .. } = self;
        let mut files = Vec::new();
        for path in &self.files {
            files.extend(self.folders.files(path)?);
        }
        let inputs: Vec<&Path> = files.iter().map(|file| file.path.as_path()).collect();
        let _lock = guard(&inputs, &[Target::New(&self.output, FileKind::Book)])?;
        let mut builder = Builder::new(BuildSettings { plies, min_games, win, draw, loss, unknown });
        if BookFormat::of_path(&self.output) != BookFormat::Dat {
            builder = builder.keeping_keys();
        }
        let Counts { games, moves, errors } = read_games(&files, &mut |game| builder.add(game, main_line))?;
        let counts = [(games, "game"), (moves, "move"), (errors, "error")].map(|(number, noun)| count(number, noun));
        writeln!(text_output::stdout(), "{}", counts.join(", "))?;
        let (book, of_games) = builder.finish();
        if moves > 0 && book.entries().is_empty() {
            print_message(&Notice::NoMove(count(self.games, "game")));
        }
        let written = write_book(&book, of_games, &self.output)?;
        Ok(if errors > 0 { ExitStatus::CheckFailed } else { written })
    }
}

/// Reads opening lines, all without an error.
fn read_lines(path: &Path) -> Result<Vec<GameRecord>, Failure> {
    let line = |line: Result<Result<GameRecord, ReadError>, Failure>| match line? {
        Ok(GameRecord { error: Some(error), .. }) | Err(error) => Err(error).in_file(path),
        Ok(line) => Ok(line),
    };
    games_of(&GameFile::named(path), open_file(path)?).map(line).collect()
}

impl Grow {
    fn run(self) -> Result<ExitStatus, Failure> {
        let lines = self.lines.as_deref().map_or_else(|| Ok(Vec::new()), read_lines)?;
        let margin = Score::from(self.margin) * UCCI_POINT;
        let settings = grow_book::GrowSettings {
            positions: self.positions,
            nodes: self.nodes,
            moves: self.moves.into(),
            margin,
            temperature: f64::from(margin.max(1)) / 2.0,
            threads: self.threads.count(),
            hash_megabytes: HASH_MEGABYTES,
        };
        let progress = progress(self.positions as u64, "positions");
        let is_replaced = is_replaced(&self.output);
        let grown = grow_book::grow(&lines, &settings, &mut |grown| match grown {
            Grown::Position => progress.inc(1),
            Grown::Batch(book) if book.entries().is_empty() || !is_replaced => {}
            // Saved after each batch, so that an interrupted run leaves a book.
            Grown::Batch(book) => {
                if let Err(error) = save_book(&book, None, &self.output) {
                    progress.suspend(|| print_message(&error));
                }
            }
        });
        progress.finish_and_clear();
        write_book(&grown.map_err(CliError::Memory)?, None, &self.output)
    }
}

impl Edit {
    fn run(self) -> Result<ExitStatus, Failure> {
        let position = only_position(&self.position, &ChoiceArgs::default(), Variant::Standard)?;
        let changes = self.moves.iter().map(|change| self.change(&position, change)).collect::<Result<Vec<_>, _>>()?;
        let output = self.output.as_deref().unwrap_or(&self.file);
        let book = open_or_built_in(Some(&self.file))?;
        if let (BookFile::Obk(book), BookFormat::Obk(kind)) = (&book, BookFormat::of_path(output)) {
            let mut rows = ObkRows::of(book).map_err(|error| book_error(Some(&self.file), error.into()))?;
            changes.iter().for_each(|&(mv, weight)| rows.set(&position, mv, weight));
            return write_rows(&rows, kind, output);
        }
        let book = into_dat(book, Some(&self.file))?;
        let mut entries = book.entries().to_vec();
        for (mv, weight) in changes {
            for new in entries_of(&position, mv, weight) {
                entries.retain(|old| (old.lock, old.mv) != (new.lock, new.mv));
                entries.extend(Some(new).filter(|_| weight > 0));
            }
        }
        write_book(&OpeningBook::from_entries(entries), None, output)
    }

    /// The move and the weight of a `--set`.
    fn change(&self, position: &Position, change: &str) -> Result<(Move, u16), Failure> {
        let refuse = |reason: Failure| CliError::BookMove(change.to_string(), reason);
        // A move may have = in its name, as in C2=5.
        let weight = change.rsplit_once('=').and_then(|(mv, weight)| Some((mv, weight.parse().ok()?)));
        let (mv, weight) = weight.ok_or_else(|| refuse("no weight from 0 to 65535 behind =".into()))?;
        let mv = notation::read(position, mv).map_err(|error| refuse(error.into()))?;
        if !position.is_legal(mv) {
            return Err(refuse(NotationError::Illegal(mv.to_string()).into()).into());
        }
        Ok((mv, weight))
    }
}

fn stats(files: &[PathBuf]) -> Result<ExitStatus, Failure> {
    let mut out = text_output::stdout();
    for path in books(files) {
        let fail = |error| book_error(path, error);
        let book = open_or_built_in(path)?;
        let (size, weights) = match &book {
            BookFile::Dat(book) => {
                let weights = book.entries().iter().map(|entry| entry.weight.into());
                (size(book.entries().len(), book.positions()), weights.collect::<Vec<i64>>())
            }
            BookFile::Obk(book) => {
                let rows = ObkRows::of(book).map_err(|error| fail(error.into()))?;
                (size(rows.moves(), rows.positions()), rows.weights().collect())
            }
        };
        let (min, max) = (weights.iter().min().unwrap_or(&0), weights.iter().max().unwrap_or(&0));
        writeln!(out, "{}: {size}, weights {min} to {max}", name(path))?;
        let (book, _) = book.into_dat().map_err(fail)?;
        let lines = plies(&book);
        let counts: Vec<String> = lines.iter().map(usize::to_string).collect();
        writeln!(out, "  positions reached from the start position, by ply: {}", counts.join(" "))?;
    }
    Ok(ExitStatus::Success)
}

/// The books of a command's arguments; `None` is the built-in one, which is meant if there is no argument.
fn books(files: &[PathBuf]) -> impl Iterator<Item = Option<&Path>> {
    let built_in = files.is_empty().then_some(None);
    files.iter().map(|path| Some(path.as_path())).chain(built_in)
}

/// Number of positions that the book's moves reach from the start position, by ply; mirror images count once.
fn plies(book: &OpeningBook) -> Vec<usize> {
    let mut counts = Vec::new();
    book.walk(|_, plies| {
        counts.resize(counts.len().max(plies + 1), 0);
        counts[plies] += 1;
    });
    counts
}

fn verify(files: &[PathBuf]) -> Result<ExitStatus, Failure> {
    // A file that cannot be read is no bad book.
    files.iter().try_for_each(|path| open_file(path).map(drop))?;
    let mut verdict = ExitStatus::Success;
    for path in books(files) {
        let name = name(path);
        let book = path.map_or_else(|| Ok(BookFile::built_in()), BookFile::open);
        match book.and_then(|book| book.count()) {
            Ok(moves) => writeln!(text_output::stdout(), "{name}: valid, {}", count(moves, "move"))?,
            Err(error) => {
                verdict = ExitStatus::CheckFailed;
                writeln!(text_output::stdout(), "{name}: {error}")?;
            }
        }
    }
    Ok(verdict)
}

fn merge(files: &[PathBuf], output: &Path) -> Result<ExitStatus, Failure> {
    if let BookFormat::Obk(kind) = BookFormat::of_path(output) {
        return write_rows(&merged_rows(files)?, kind, output);
    }
    let mut entries = Vec::new();
    for path in files {
        entries.extend_from_slice(dat_or_built_in(Some(path))?.entries());
    }
    write_book(&OpeningBook::from_entries(entries), None, output)
}
