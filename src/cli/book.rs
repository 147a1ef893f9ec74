//! `chuhe book`: makes and inspects opening books.

use super::error::{CliError, ExitStatus, Notice};
use super::messages::print_message;
use super::names::Threads;
use super::position_argument::PositionArgument;
use super::progress::progress;
use super::save::{check, save};
use super::text_output;
use super::translate::locale_language;
use chuhe::book::book_file::{self, BookFile, BookFormat, KeysByLock, ResultsByEntry, keys_by_lock, with_keys};
use chuhe::book::builder::{BuildSettings, Builder};
use chuhe::book::dat::{BookError, OpeningBook, entries_of};
use chuhe::book::{self, BookMove, MoveResults};
use chuhe::display::count::count;
use chuhe::engine::units::UCCI_POINT;
use chuhe::games::encoding;
use chuhe::games::error::{ReadError, ReadErrorKind};
use chuhe::games::record::GameRecord;
use chuhe::games::stream::{FileGame, GameStream, Place};
use chuhe::learning::grow_book::{self, Grown};
use chuhe::notation::{self, Notation, NotationError, Script};
use chuhe::position::{Position, Variant};
use chuhe::rules::occurrences;
use chuhe::system::files;
use chuhe::system::save::is_replaced;
use chuhe::types::Score;
use clap::{Args, Subcommand};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Hash table of each search of `book grow`, in megabytes.
const HASH_MEGABYTES: usize = 64;

#[derive(Args)]
pub struct Book {
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
    /// Game records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
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
struct Show {
    /// `startpos [moves M…]`, `FEN [moves M…]` or what `xfen` prints, quoted or not; or a .FEN file; or a book or games,
    /// before a position or alone
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// The book [default: the built-in one], or games, of which the main lines are counted
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Show the moves that follow as a tree, this many plies deep
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    plies: u8,
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
    pub fn run(self) -> Result<ExitStatus, CliError> {
        self.command.output().map_or(Ok(()), check)?;
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
                let book =
                    book::text::read(&encoding::decode(&text)).map_err(|error| CliError::BookText(file, error))?;
                write_book(&book, None, &output)
            }
        }
    }
}

impl Command {
    /// The file that it writes.
    fn output(&self) -> Option<&Path> {
        match self {
            Command::Build(Build { output, .. })
            | Command::Grow(Grow { output, .. })
            | Command::Merge { output, .. }
            | Command::Import { output, .. } => Some(output),
            Command::Edit(Edit { file, output, .. }) => Some(output.as_deref().unwrap_or(file)),
            Command::Show(_) | Command::Stats { .. } | Command::Verify { .. } | Command::Export { .. } => None,
        }
    }
}

impl Build {
    fn run(self) -> Result<ExitStatus, CliError> {
        let Build { plies, games: min_games, win, draw, loss, unknown, main_line, .. } = self;
        let mut builder = Builder::new(BuildSettings { plies, min_games, win, draw, loss, unknown });
        if BookFormat::of_path(&self.output) != BookFormat::Dat {
            builder = builder.keeping_keys();
        }
        let Counts { games, moves, errors } = read_games(&self.files, &mut |game| builder.add(game, main_line))?;
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

/// What was read.
#[derive(Default)]
struct Counts {
    games: usize,
    moves: usize,
    errors: usize,
}

/// Calls `add`, which returns a number of moves, with each game of files; errors in them are printed.
fn read_games(files: &[PathBuf], add: &mut dyn FnMut(&GameRecord) -> usize) -> Result<Counts, CliError> {
    let sizes = files.iter().map(|path| fs::metadata(path).map_err(|error| CliError::File(path.into(), error)));
    let sizes: Vec<u64> = sizes.map(|file| Ok(file?.len())).collect::<Result<_, CliError>>()?;
    let progress = progress(sizes.iter().sum(), "bytes");
    let mut counts = Counts::default();
    for path in files {
        for game in games_of(path, progress.wrap_read(open_file(path)?)) {
            let error = match game? {
                Ok(game) => {
                    counts.games += 1;
                    counts.moves += add(&game);
                    game.error
                }
                Err(error) => Some(error),
            };
            if let Some(error) = error {
                counts.errors += 1;
                progress.suspend(|| print_message(&format!("{}: {error}", path.display())));
            }
        }
    }
    progress.finish_and_clear();
    Ok(counts)
}

/// The games of a file, read as they are taken; the errors outside are those of reading. An empty file is an error of it.
fn games_of(path: &Path, input: impl Read) -> impl Iterator<Item = Result<Result<GameRecord, ReadError>, CliError>> {
    let mut games = GameStream::new(BufReader::new(input), Variant::Standard).peekable();
    let empty = games.peek().is_none().then(|| Ok(Err(ReadErrorKind::Empty.into())));
    let games = games.map(|game| {
        let FileGame { place, game, .. } = game.map_err(|error| CliError::File(path.into(), error))?;
        let located = |error: ReadError| match place {
            Place::Line(line) => error.or_in_line(line),
            _ => error,
        };
        Ok(game.map_err(located).map(|record| GameRecord { error: record.error.map(located), ..record }))
    });
    empty.into_iter().chain(games)
}

/// Reads opening lines, all without an error.
fn read_lines(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    let line = |line: Result<Result<GameRecord, ReadError>, CliError>| match line? {
        Ok(GameRecord { error: Some(error), .. }) | Err(error) => Err(CliError::Lines(path.into(), error)),
        Ok(line) => Ok(line),
    };
    games_of(path, open_file(path)?).map(line).collect()
}

impl Grow {
    fn run(self) -> Result<ExitStatus, CliError> {
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

impl Show {
    fn run(self) -> Result<ExitStatus, CliError> {
        // A book, or games, named before a position or alone.
        let file = self.position.first().map(Path::new).filter(|path| self.book.is_none() && path.is_file());
        // A game in a line is a position too, if there is no other.
        let lines_are_games = self.book.is_some() || self.position.len() > 1;
        let is_source = |path: &&Path| BookFile::open(path).is_ok() || has_games(path, lines_are_games);
        let (path, position) = match file.filter(is_source) {
            Some(path) => (Some(path), &self.position[1..]),
            None => (self.book.as_deref(), &self.position[..]),
        };
        let start = ["startpos".into()];
        let position =
            PositionArgument::only_position(if position.is_empty() { &start } else { position }, Variant::Standard)?;
        let mut out = text_output::stdout();
        let language = locale_language();
        match path.filter(|path| has_games(path, lines_are_games)) {
            Some(path) => {
                let settings = BuildSettings { plies: usize::from(self.plies) + 1, ..BuildSettings::default() };
                let mut games = Builder::new(settings).counting_from(&position);
                let counts = read_games(&[path.into()], &mut |game| games.add(game, true))?;
                let unknown = language.pick("no game has the position", "没有一局出现过该局面");
                let shown = self.show(position, &|position| Ok(games.find(position)), unknown, &mut out)?;
                Ok(if counts.errors > 0 { ExitStatus::CheckFailed } else { shown })
            }
            None => {
                let book = open_or_built_in(path)?;
                let find =
                    |position: &Position| book.find_with_results(position).map_err(|error| book_error(path, error));
                self.show(position, &find, language.pick("not in the book", "开局库中没有该局面"), &mut out)
            }
        }
    }

    /// Prints what `find` has for a position, or `unknown`.
    fn show(
        &self,
        mut position: Position,
        find: &Find,
        unknown: &str,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        writeln!(out, "{}", position.to_fen())?;
        let known = find(&position)?;
        if known.is_empty() {
            writeln!(out, "{unknown}")?;
            return Ok(ExitStatus::CheckFailed);
        }
        // Only games and databases made of them have results.
        let has_results = known.iter().any(|(_, results)| results.games() > 0);
        let language = locale_language();
        let results = language.pick("  games     +     =     -  score", "   局数    胜    和    负 得分率");
        let games = if has_results { results } else { "" };
        let [columns, replies] = language
            .pick(["move  wxf   chinese   weight  share", "replies"], ["着法  WXF   中文着法    权重   占比", "应着"]);
        writeln!(out, "{columns}{games}  {replies}")?;
        show(&mut position, self.plies, 0, has_results, find, out)?;
        Ok(ExitStatus::Success)
    }
}

/// Finds the moves of a position, with the games that have them.
type Find<'a> = dyn Fn(&Position) -> Result<Vec<(BookMove, MoveResults)>, CliError> + 'a;

/// Whether a file is no book and begins with a record of a game that has moves; `lines_are_games`: or with a game in a line.
fn has_games(path: &Path, lines_are_games: bool) -> bool {
    let is_record = |file| {
        let first = GameStream::new(BufReader::new(file), Variant::Standard).next();
        matches!(first, Some(Ok(FileGame { place, game: Ok(game), .. }))
            if !game.moves().is_empty() && (lines_are_games || matches!(place, Place::Game(_))))
    };
    path.is_file() && BookFile::open(path).is_err() && File::open(path).is_ok_and(is_record)
}

/// Prints the moves of `position`, and below each those that follow it, up to `plies` plies; `has_results`: with the games.
fn show(
    position: &mut Position,
    plies: u8,
    indent: usize,
    has_results: bool,
    find: &Find,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let known = find(position)?;
    let total: f64 = known.iter().map(|(found, _)| f64::from(found.weight)).sum();
    for (BookMove { mv, weight }, results) in known {
        let [wxf, chinese] =
            [Notation::Wxf, Notation::Chinese(Script::Simplified)].map(|notation| notation.write(position, mv));
        let share = f64::from(weight) * 100.0 / total.max(1.0);
        position.make(mv);
        let replies: Vec<String> = match plies {
            0 | 1 => find(position)?.iter().map(|(found, _)| found.mv.to_string()).collect(),
            _ => Vec::new(),
        };
        let mut line = format!("{:indent$}{mv}  {wxf:4}  {chinese}  {weight:6}  {share:4.1}%", "");
        if has_results {
            let MoveResults { wins, draws, losses, .. } = results;
            let score = results.score().map_or("–".to_string(), |score| format!("{:.1}%", 100.0 * score));
            line += &format!("  {:5} {wins:5} {draws:5} {losses:5} {score:>6}", results.games());
        }
        writeln!(out, "{}", format!("{line}  {}", replies.join(" ")).trim_end())?;
        // A book may lead back to a position.
        if plies > 1 && occurrences(position) == 1 {
            show(position, plies - 1, indent + 2, has_results, find, out)?;
        }
        position.undo();
    }
    Ok(())
}

impl Edit {
    fn run(self) -> Result<ExitStatus, CliError> {
        let position = PositionArgument::only_position(&self.position, Variant::Standard)?;
        let book = dat_or_built_in(Some(&self.file))?;
        let mut entries = book.entries().to_vec();
        for change in &self.moves {
            let refuse = |reason: String| CliError::BookMove(change.clone(), reason);
            // A move may have = in its name, as in C2=5.
            let weight = change.rsplit_once('=').and_then(|(mv, weight)| Some((mv, weight.parse::<u16>().ok()?)));
            let (mv, weight) = weight.ok_or_else(|| refuse("no weight from 0 to 65535 behind =".to_string()))?;
            let mv = notation::read(&position, mv).map_err(|error| refuse(error.to_string()))?;
            if !position.is_legal(mv) {
                return Err(refuse(NotationError::Illegal(mv.to_string()).to_string()));
            }
            for new in entries_of(&position, mv, weight) {
                entries.retain(|old| (old.lock, old.mv) != (new.lock, new.mv));
                entries.extend(Some(new).filter(|_| weight > 0));
            }
        }
        write_book(&OpeningBook::from_entries(entries), None, self.output.as_deref().unwrap_or(&self.file))
    }
}

fn stats(files: &[PathBuf]) -> Result<ExitStatus, CliError> {
    let mut out = text_output::stdout();
    for path in books(files) {
        let book = dat_or_built_in(path)?;
        let entries = book.entries();
        let weights = || entries.iter().map(|entry| entry.weight);
        let (min, max) = (weights().min().unwrap_or(0), weights().max().unwrap_or(0));
        writeln!(out, "{}: {}, weights {min} to {max}", name(path), size(&book))?;
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

/// The name of a book.
fn name(path: Option<&Path>) -> String {
    path.map_or_else(|| "built-in book".to_string(), |path| path.display().to_string())
}

/// The size of a book in words.
fn size(book: &OpeningBook) -> String {
    format!("{} of {}", count(book.entries().len(), "move"), count(book.positions(), "position"))
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

fn verify(files: &[PathBuf]) -> Result<ExitStatus, CliError> {
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

fn merge(files: &[PathBuf], output: &Path) -> Result<ExitStatus, CliError> {
    let mut entries = Vec::new();
    for path in files {
        entries.extend_from_slice(dat_or_built_in(Some(path))?.entries());
    }
    write_book(&OpeningBook::from_entries(entries), None, output)
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let read = files::read_all(open_file(path)?, files::MAX_FILE_BYTES);
    read.map_err(|error| CliError::File(path.into(), error))
}

fn open_file(path: &Path) -> Result<File, CliError> {
    File::open(path).map_err(|error| CliError::File(path.into(), error))
}

fn book_error(path: Option<&Path>, error: BookError) -> CliError {
    CliError::Book(path.unwrap_or(Path::new("")).into(), error)
}

fn open_or_built_in(path: Option<&Path>) -> Result<BookFile, CliError> {
    path.map_or_else(|| Ok(BookFile::built_in()), BookFile::open).map_err(|error| book_error(path, error))
}

/// The book in ElephantEye's format. Says how many of its moves cannot be in it.
fn dat_or_built_in(path: Option<&Path>) -> Result<OpeningBook, CliError> {
    let (book, left) = open_or_built_in(path)?.into_dat().map_err(|error| book_error(path, error))?;
    say_left_out(left, &name(path));
    Ok(book)
}

/// Says how many moves of a book are not in the new one.
fn say_left_out(left: usize, name: &str) {
    if left > 0 {
        print_message(&Notice::LeftOut(name.to_string(), count(left, "move")));
    }
}

/// Writes a book, unless it is empty, and returns what is written: in a database, the positions with keys, and the games of
/// their moves; by default the positions that the book's moves reach from the start position.
fn save_book<'a>(
    book: &'a OpeningBook,
    of_games: Option<(KeysByLock, ResultsByEntry)>,
    path: &Path,
) -> Result<Cow<'a, OpeningBook>, CliError> {
    let format = BookFormat::of_path(path);
    let (book, (keys, results)) = match format {
        BookFormat::Dat => (Cow::Borrowed(book), Default::default()),
        BookFormat::Obk(_) => {
            let of_games = of_games.unwrap_or_else(|| (keys_by_lock(book), ResultsByEntry::new()));
            (Cow::Owned(with_keys(book, &of_games.0)), of_games)
        }
    };
    if book.entries().is_empty() {
        return Err(CliError::EmptyBook);
    }
    let mut bytes = Vec::new();
    book_file::write(&book, &keys, &results, format, &mut bytes)?;
    save(path, &bytes)?;
    Ok(book)
}

/// Writes a book and prints its size, and what is left out.
fn write_book(
    book: &OpeningBook,
    of_games: Option<(KeysByLock, ResultsByEntry)>,
    path: &Path,
) -> Result<ExitStatus, CliError> {
    let written = save_book(book, of_games, path)?;
    say_left_out(book.entries().len() - written.entries().len(), &path.display().to_string());
    writeln!(text_output::stdout(), "{}: {}", path.display(), size(&written))?;
    Ok(ExitStatus::Success)
}
