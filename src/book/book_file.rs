//! Books as files: the format of one that is read is known by its content, that of one to be written by its name.

use super::dat::{BookEntry, BookError, OpeningBook, entry_of, locks};
use super::obk::{self, Obk, ObkError, ObkKind};
use super::obk_rows::ObkRows;
use super::{BookMove, MoveResults, walk};
use crate::files;
use crate::position::Position;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// A book of either format.
#[derive(Debug)]
pub enum BookFile {
    /// In memory.
    Dat(OpeningBook),
    /// In a database.
    Obk(Obk),
}

impl BookFile {
    /// The built-in book.
    pub fn built_in() -> BookFile {
        BookFile::Dat(OpeningBook::built_in())
    }

    /// Opens a book.
    ///
    /// # Errors
    /// When it cannot be read or is no book.
    pub fn open(path: &Path) -> Result<BookFile, BookError> {
        let file = files::open(path)?;
        let mut start = Vec::new();
        (&file).take(16).read_to_end(&mut start)?;
        if !obk::is_database(&start) {
            return Ok(BookFile::Dat(OpeningBook::open(path)?));
        }
        // SQLite has changes that are not in the database, or are to be taken back, in such a file; its first byte is 0
        // when it is done with.
        for suffix in ["-wal", "-journal"] {
            let mut name = path.file_name().unwrap_or_default().to_os_string();
            name.push(suffix);
            let mut first = [0];
            let read = File::open(path.with_file_name(&name)).and_then(|mut changes| changes.read_exact(&mut first));
            if read.is_ok() && first != [0] {
                return Err(ObkError::Changes(name.to_string_lossy().into_owned()).into());
            }
        }
        Ok(BookFile::Obk(Obk::open(Box::new(file))?))
    }

    /// The legal moves of the book for `position`, in descending order of weight.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        match self {
            BookFile::Dat(book) => Ok(book.find(position)),
            BookFile::Obk(book) => Ok(book.find(position)?),
        }
    }

    /// The same with the numbers of games, which only databases have.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn find_with_results(&self, position: &Position) -> Result<Vec<(BookMove, MoveResults)>, BookError> {
        match self {
            BookFile::Dat(book) => Ok(book.find(position).into_iter().map(|it| (it, MoveResults::default())).collect()),
            BookFile::Obk(book) => Ok(book.find_with_results(position)?),
        }
    }

    /// Number of moves. Reads all of a database.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn count(&self) -> Result<usize, BookError> {
        match self {
            BookFile::Dat(book) => Ok(book.entries().len()),
            BookFile::Obk(book) => Ok(book.count()?),
        }
    }

    /// The book in ElephantEye's format, and the number of moves that are not in it: those of a database that are
    /// illegal, repeated, or of positions that the book's moves do not reach from the start position.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn into_dat(self) -> Result<(OpeningBook, usize), BookError> {
        let book = match self {
            BookFile::Dat(book) => return Ok((book, 0)),
            BookFile::Obk(book) => book,
        };
        let mut entries = Vec::new();
        let key = |position: &Position| obk::keys(position).into_iter().min();
        walk(
            key,
            |position| book.find(position),
            |position, _, moves| {
                entries.extend(moves.iter().map(|found| entry_of(position, found.mv, found.weight)));
            },
        )?;
        let left = book.count()?.saturating_sub(entries.len());
        Ok((OpeningBook::from_entries(entries), left))
    }
}

/// The formats of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// ElephantEye's.
    Dat,
    /// A database.
    Obk(ObkKind),
}

impl BookFormat {
    /// The format of a file to be written, by the end of its name: ElephantEye's, unless it is `.obk` or `.pfBook`.
    pub fn of_path(path: &Path) -> BookFormat {
        let is = |name: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name));
        match () {
            () if is("obk") => BookFormat::Obk(ObkKind::Obk),
            () if is("pfBook") => BookFormat::Obk(ObkKind::PfBook),
            () => BookFormat::Dat,
        }
    }
}

/// The keys of databases ([`obk::keys`]) by the locks of ElephantEye's books.
pub type KeysByLock = HashMap<u32, u64>;

/// The games with a move, by the lock and the move of its entry in ElephantEye's books.
pub type ResultsByEntry = HashMap<(u32, u16), MoveResults>;

/// The keys of the positions, and of their mirror images, that the book's moves reach from the start position: all that is
/// known of a book in ElephantEye's format, which has the locks only.
pub fn keys_by_lock(book: &OpeningBook) -> KeysByLock {
    let mut keys = HashMap::new();
    book.walk(|position, _| keys.extend(locks(position).into_iter().zip(obk::keys(position))));
    keys
}

/// For the keys of [`keys_by_lock`], those of the mirror images.
pub fn images_by_key(book: &OpeningBook) -> HashMap<u64, u64> {
    let mut images = HashMap::new();
    book.walk(|position, _| {
        let [own, image] = obk::keys(position);
        images.extend([(own, image), (image, own)]);
    });
    images
}

/// The moves of a book that a database can have: those of positions with keys.
pub fn with_keys(book: &OpeningBook, keys: &KeysByLock) -> OpeningBook {
    OpeningBook::from_entries(book.entries().iter().copied().filter(|entry| keys.contains_key(&entry.lock)))
}

/// The moves of a book as the rows of a database, as far as their positions have keys, with the games in `results`.
pub fn rows(book: &OpeningBook, keys: &KeysByLock, results: &ResultsByEntry) -> ObkRows {
    let results = |entry: &BookEntry| results.get(&(entry.lock, entry.mv)).copied().unwrap_or_default();
    let row = |entry: &BookEntry| Some((*keys.get(&entry.lock)?, entry.mv()?, entry.weight, results(entry)));
    ObkRows::of_moves(book.entries().iter().filter_map(row))
}

/// Writes a book; a database as [`with_keys`] has it, with the games of its moves as far as `results` has them.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(
    book: &OpeningBook,
    keys: &KeysByLock,
    results: &ResultsByEntry,
    format: BookFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        BookFormat::Dat => book.write(out),
        BookFormat::Obk(kind) => rows(book, keys, results).write(kind, out),
    }
}
