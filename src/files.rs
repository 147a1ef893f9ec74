//! Files: where one named by a client is, and reading those of any origin in bounded memory.
#![cfg_attr(not(feature = "engine"), allow(dead_code, reason = "the library opens files, and does not look for them"))]

#[cfg(feature = "engine")]
pub mod lock;
#[cfg(feature = "engine")]
pub(crate) mod save;
#[cfg(feature = "engine")]
pub(crate) mod size_limit;

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use thiserror::Error;

/// Greatest size of a file that is read whole, in bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 28;

/// Why a file is not read whole; within an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// It is a directory, a device or a pipe, which may have no end, or never a beginning.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is too large.
    #[error("it is larger than {} MB", .0 >> 20)]
    TooLarge(u64),
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> io::Error {
        io::Error::other(error)
    }
}

/// Opens a regular file.
///
/// # Errors
/// When it cannot be opened, or is no regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // Checked before opening: opening a pipe can block for ever.
    if !path.metadata()?.is_file() {
        return Err(FileError::NotAFile.into());
    }
    File::open(path)
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
/// When it cannot be read, is no regular file, or is larger.
pub(crate) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(open(path)?, max)
}

/// Reads `input` to its end, at most `max` bytes.
///
/// # Errors
/// When it cannot be read, or is longer.
pub(crate) fn read_all(input: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max { Err(FileError::TooLarge(max).into()) } else { Ok(bytes) }
}

/// The path of the file that a client calls `name`: in the working folder, or else in the folder of the program, where
/// GUIs expect it. Quotes around the name are dropped, and backslashes separate folders on every system. If there is no
/// such file, the name itself.
pub(crate) fn locate(name: &str) -> PathBuf {
    let name = unquoted(name);
    let own_folder = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    locate_in(name, own_folder.as_deref())
}

/// `text` without a pair of quotes around it, which some clients put around paths. Of a list of quoted paths nothing is
/// dropped.
pub(crate) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// The file that a command is to write, from its argument `[--force] FILE`.
///
/// # Errors
/// When there is such a file, and no `--force` before it: its name.
pub(crate) fn new_file(argument: &str) -> Result<&Path, &str> {
    let (is_forced, name) = match argument.strip_prefix("--force ") {
        Some(name) => (true, unquoted(name.trim_start())),
        None => (false, unquoted(argument)),
    };
    let path = Path::new(name);
    if path.is_file() && !is_forced { Err(name) } else { Ok(path) }
}

fn locate_in(name: &str, own_folder: Option<&Path>) -> PathBuf {
    let names = [PathBuf::from(name), PathBuf::from(name.replace('\\', MAIN_SEPARATOR_STR))];
    let beside = names.iter().filter_map(|name| Some(own_folder?.join(name)));
    let found = names.iter().cloned().chain(beside).find(|path| path.exists());
    found.unwrap_or_else(|| PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_pair_of_quotes_is_dropped() {
        let cases = [("\"a b\"", "a b"), ("'a'", "a"), ("\"", "\""), ("\"a", "\"a"), ("\"a\";\"b\"", "\"a\";\"b\"")];
        for (text, expected) in cases {
            assert_eq!(unquoted(text), expected);
        }
    }

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        let refusal = |result: io::Result<Vec<u8>>| result.unwrap_err().downcast::<FileError>().unwrap();
        assert_eq!(refusal(read(&file, 4)), FileError::TooLarge(4));
        assert_eq!(refusal(read(folder.path(), 5)), FileError::NotAFile);
        assert_eq!(refusal(read_all(io::repeat(0), 1 << 20)), FileError::TooLarge(1 << 20));
        #[cfg(unix)]
        assert_eq!(refusal(read(Path::new("/dev/zero"), 5)), FileError::NotAFile);
    }

    #[test]
    fn files_are_found_beside_the_program_with_either_separator() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("books")).unwrap();
        let book = folder.path().join("books").join("a.dat");
        fs::write(&book, "").unwrap();
        for name in ["books/a.dat", "books\\a.dat", book.to_str().unwrap()] {
            assert_eq!(locate_in(name, Some(folder.path())).canonicalize().unwrap(), book.canonicalize().unwrap());
        }
        assert_eq!(locate_in("books\\b.dat", Some(folder.path())), Path::new("books\\b.dat"));
        assert_eq!(locate_in("books/a.dat", None), Path::new("books/a.dat"));
    }
}
