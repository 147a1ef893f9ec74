//! Books as files of a command: opened, converted and written, with what is left out said.

use super::super::error::{CliError, ExitStatus, Failure, IoContext, Notice, Within};
use super::super::messages::print_message;
use super::super::save::save;
use super::super::text_output;
use crate::book::book_file;
use crate::book::book_file::{
    BookFile, BookFormat, KeysByLock, ResultsByEntry, images_by_key, keys_by_lock, with_keys,
};
use crate::book::dat::{BookError, OpeningBook};
use crate::book::obk::ObkKind;
use crate::book::obk_rows::ObkRows;
use crate::display::count::count;
use crate::files;
use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of a book.
pub(super) fn name(path: Option<&Path>) -> String {
    path.map_or_else(|| "built-in book".to_string(), |path| path.display().to_string())
}

/// The size of a book in words.
pub(super) fn size(moves: usize, positions: usize) -> String {
    format!("{} of {}", count(moves, "move"), count(positions, "position"))
}

/// The rows of several books as one database. Says how many moves of which books cannot be in it.
pub(super) fn merged_rows(files: &[PathBuf]) -> Result<ObkRows, Failure> {
    let (mut books, mut entries) = (Vec::new(), Vec::new());
    for path in files {
        let fail = |error| book_error(Some(path), error);
        let book = open_or_built_in(Some(path))?;
        let rows = match &book {
            BookFile::Obk(book) => Some(ObkRows::of(book).map_err(|error| fail(error.into()))?),
            BookFile::Dat(_) => None,
        };
        let (book, _) = book.into_dat().map_err(fail)?;
        entries.extend_from_slice(book.entries());
        books.push((path, book, rows));
    }
    // The moves of one book may lead to positions of another.
    let all = OpeningBook::from_entries(entries);
    let (keys, images) = (keys_by_lock(&all), images_by_key(&all));
    let mut merged = ObkRows::default();
    for (path, book, rows) in books {
        let rows = rows.unwrap_or_else(|| {
            let rows = book_file::rows(&book, &keys, &ResultsByEntry::new());
            say_left_out(book.entries().len() - rows.moves(), &name(Some(path)));
            rows
        });
        merged.merge(rows, &images);
    }
    Ok(merged)
}

/// Writes the rows of a database, and prints their number.
pub(super) fn write_rows(rows: &ObkRows, kind: ObkKind, path: &Path) -> Result<ExitStatus, Failure> {
    if rows.moves() == 0 {
        return Err(CliError::EmptyBook.into());
    }
    let mut bytes = Vec::new();
    rows.write(kind, &mut bytes)?;
    save(path, &bytes)?;
    if rows.remarks() > 0 {
        print_message(&Notice::Remarks(name(Some(path)), count(rows.remarks(), "remark")));
    }
    writeln!(text_output::stdout(), "{}: {}", path.display(), size(rows.moves(), rows.positions()))?;
    Ok(ExitStatus::Success)
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = files::read_all(open_file(path)?, files::MAX_FILE_BYTES);
    read.reading(path)
}

pub(super) fn open_file(path: &Path) -> Result<File, Failure> {
    File::open(path).reading(path)
}

pub(super) fn book_error(path: Option<&Path>, error: BookError) -> Failure {
    Within::file(path.unwrap_or(Path::new("")), error)
}

pub(super) fn open_or_built_in(path: Option<&Path>) -> Result<BookFile, Failure> {
    path.map_or_else(|| Ok(BookFile::built_in()), BookFile::open).map_err(|error| book_error(path, error))
}

/// The book in ElephantEye's format. Says how many of its moves cannot be in it.
pub(super) fn dat_or_built_in(path: Option<&Path>) -> Result<OpeningBook, Failure> {
    into_dat(open_or_built_in(path)?, path)
}

/// A book, which was read from `path`, in ElephantEye's format. Says how many of its moves cannot be in it.
pub(super) fn into_dat(book: BookFile, path: Option<&Path>) -> Result<OpeningBook, Failure> {
    let (book, left) = book.into_dat().map_err(|error| book_error(path, error))?;
    say_left_out(left, &name(path));
    Ok(book)
}

/// Says how many moves of a book are not in the new one.
pub(super) fn say_left_out(left: usize, name: &str) {
    if left > 0 {
        print_message(&Notice::LeftOut(name.to_string(), count(left, "move")));
    }
}

/// Writes a book, unless it is empty, and returns what is written: in a database, the positions with keys, and the games of
/// their moves; by default the positions that the book's moves reach from the start position.
pub(super) fn save_book<'a>(
    book: &'a OpeningBook,
    of_games: Option<(KeysByLock, ResultsByEntry)>,
    path: &Path,
) -> Result<Cow<'a, OpeningBook>, Failure> {
    let format = BookFormat::of_path(path);
    let (book, (keys, results)) = match format {
        BookFormat::Dat => (Cow::Borrowed(book), Default::default()),
        BookFormat::Obk(_) => {
            let of_games = of_games.unwrap_or_else(|| (keys_by_lock(book), ResultsByEntry::new()));
            (Cow::Owned(with_keys(book, &of_games.0)), of_games)
        }
    };
    if book.entries().is_empty() {
        return Err(CliError::EmptyBook.into());
    }
    let mut bytes = Vec::new();
    book_file::write(&book, &keys, &results, format, &mut bytes)?;
    save(path, &bytes)?;
    Ok(book)
}

/// Writes a book and prints its size, and what is left out.
pub(super) fn write_book(
    book: &OpeningBook,
    of_games: Option<(KeysByLock, ResultsByEntry)>,
    path: &Path,
) -> Result<ExitStatus, Failure> {
    let written = save_book(book, of_games, path)?;
    say_left_out(book.entries().len() - written.entries().len(), &path.display().to_string());
    let size = size(written.entries().len(), written.positions());
    writeln!(text_output::stdout(), "{}: {size}", path.display())?;
    Ok(ExitStatus::Success)
}
