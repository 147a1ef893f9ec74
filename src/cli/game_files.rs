//! Files of games as arguments name them: themselves, by a folder, by a wildcard, or in a list.

use super::error::{CliError, Failure, IoContext};
use crate::files;
use crate::games::encoding;
use crate::games::error::{ReadError, ReadErrorKind};
use crate::games::stream::{FileGame, Place};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

/// Lines that are neither a position nor a game before the first that is, after which a file that was found is read no further.
const MAX_BAD_LINES: usize = 100;

/// A file to read games from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameFile {
    pub path: PathBuf,
    /// Whether a folder or a wildcard led to it, so that it need not hold games.
    pub is_found: bool,
}

impl GameFile {
    /// A file that is named itself.
    pub(super) fn named(path: &Path) -> GameFile {
        GameFile { path: path.into(), is_found: false }
    }

    /// The files that an argument names, each as it is there: of a folder its files, and those of the folders within if
    /// `is_recursive`; those that match `*` and `?`; with `@` those of a list, a name on each line. A folder's files are in the
    /// order of their names, numbers by their value; hidden ones are left out.
    ///
    /// # Errors
    /// When a folder or a list cannot be read, and when there is no file.
    pub(super) fn all(argument: &Path, is_recursive: bool) -> Result<Vec<GameFile>, Failure> {
        let list = argument.to_str().and_then(|name| name.strip_prefix('@')).filter(|_| !argument.exists());
        let Some(list) = list.map(Path::new) else { return of_path(argument, is_recursive) };
        let bytes = files::read(list, files::MAX_FILE_BYTES).reading(list)?;
        let text = encoding::decode(&bytes);
        let names = text.lines().map(str::trim).filter(|name| !name.is_empty() && !name.starts_with('#'));
        let mut found = Vec::new();
        for name in names {
            found.extend(of_path(Path::new(name), is_recursive)?);
        }
        some(found, list)
    }
}

/// The files of a folder or a list, of which there must be one.
fn some(found: Vec<GameFile>, path: &Path) -> Result<Vec<GameFile>, Failure> {
    if found.is_empty() { Err(CliError::NoFiles(path.into()).into()) } else { Ok(found) }
}

fn of_path(path: &Path, is_recursive: bool) -> Result<Vec<GameFile>, Failure> {
    let mut found = Vec::new();
    if path.is_dir() {
        add_folder(path, is_recursive, &mut found)?;
        return some(found, path);
    }
    if path.exists() || !has_wildcard(path.as_os_str()) {
        return Ok(vec![GameFile::named(path)]);
    }
    let mut paths = vec![PathBuf::new()];
    for part in path.components().map(|part| part.as_os_str()) {
        if has_wildcard(part) {
            let folders = std::mem::take(&mut paths);
            for folder in folders.iter().filter(|folder| folder.as_os_str().is_empty() || folder.is_dir()) {
                paths.extend(
                    names(folder)?.into_iter().filter(|name| is_match(part, name)).map(|name| folder.join(name)),
                );
            }
        } else {
            paths.iter_mut().for_each(|path| path.push(part));
        }
    }
    for path in paths.into_iter().filter(|path| path.exists()) {
        match path.is_dir() {
            true => add_folder(&path, is_recursive, &mut found)?,
            false => found.push(GameFile { path, is_found: true }),
        }
    }
    if found.is_empty() { Err(CliError::NoMatch(path.into()).into()) } else { Ok(found) }
}

fn add_folder(folder: &Path, is_recursive: bool, found: &mut Vec<GameFile>) -> Result<(), Failure> {
    for path in names(folder)?.into_iter().map(|name| folder.join(name)) {
        match fs::metadata(&path) {
            // A link may lead back.
            Ok(metadata) if metadata.is_dir() => {
                if is_recursive && !path.is_symlink() {
                    add_folder(&path, is_recursive, found)?;
                }
            }
            Ok(metadata) if !metadata.is_file() => {}
            // The error is that of opening it.
            _ => found.push(GameFile { path, is_found: true }),
        }
    }
    Ok(())
}

/// The names in a folder that are not hidden, in order.
fn names(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).reading(folder)? {
        names.push(PathBuf::from(entry.reading(folder)?.file_name()));
    }
    names.retain(|name| !name.as_os_str().as_encoded_bytes().starts_with(b"."));
    names.sort_by_cached_key(|name| (with_lengths(&name.to_string_lossy()), name.clone()));
    Ok(names)
}

/// A name with the number of digits before each number, so that texts are in the order of their numbers.
pub(super) fn with_lengths(name: &str) -> String {
    let mut text = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        text.push_str(&rest[..start]);
        let end = rest[start..].find(|letter: char| !letter.is_ascii_digit()).map_or(rest.len(), |end| start + end);
        let number = rest[start..end].trim_start_matches('0');
        text.push(char::from(u8::try_from(number.len()).unwrap_or(u8::MAX)));
        text.push_str(number);
        rest = &rest[end..];
    }
    text + rest
}

fn has_wildcard(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| matches!(byte, b'*' | b'?'))
}

/// Whether a name matches a pattern in which `*` stands for any text and `?` for a character.
fn is_match(pattern: &OsStr, name: &Path) -> bool {
    let letters = |text: &OsStr| -> Vec<char> {
        let text = text.to_string_lossy();
        if cfg!(windows) { text.to_lowercase().chars().collect() } else { text.chars().collect() }
    };
    let (pattern, name) = (letters(pattern), letters(name.as_os_str()));
    let past_stars = |mut at: Vec<bool>| {
        (0..pattern.len()).for_each(|index| at[index + 1] |= at[index] && pattern[index] == '*');
        at
    };
    // Up to which letters of the pattern the letters so far match.
    let mut at = vec![false; pattern.len() + 1];
    at[0] = true;
    at = past_stars(at);
    for letter in name {
        let mut next = vec![false; pattern.len() + 1];
        for index in (0..pattern.len()).filter(|&index| at[index]) {
            match pattern[index] {
                '*' => next[index] = true,
                wanted => next[index + 1] |= wanted == '?' || wanted == letter,
            }
        }
        at = past_stars(next);
    }
    at[pattern.len()]
}

/// What a file that was found holds. If that is nothing, it is said once and not of every line.
pub(super) fn once_if_none(
    mut games: impl Iterator<Item = io::Result<FileGame>> + Send + 'static,
) -> Box<dyn Iterator<Item = io::Result<FileGame>> + Send> {
    let is_bad_line = |game: &io::Result<FileGame>| {
        matches!(game, Ok(FileGame { game: Err(ReadError { kind: ReadErrorKind::NotAPosition(_), .. }), .. }))
    };
    let (mut bad, mut next) = (Vec::new(), games.next());
    while let Some(line) = next.take_if(|game| is_bad_line(game) && bad.len() < MAX_BAD_LINES) {
        bad.push(line);
        next = games.next();
    }
    if bad.len() > 1 && next.as_ref().is_none_or(is_bad_line) {
        let game = Err(ReadErrorKind::Empty.into());
        return Box::new(iter::once(Ok(FileGame { place: Place::Game(1), line: None, game })));
    }
    Box::new(bad.into_iter().chain(next).chain(games))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_stand_for_texts_and_characters() {
        let is_match = |pattern: &str, name: &str| super::is_match(OsStr::new(pattern), Path::new(name));
        for (pattern, name) in [("*.xqf", "a.xqf"), ("*", ""), ("a*b*c", "aXbbYc"), ("??.p*", "棋谱.pgn"), ("**a", "a")]
        {
            assert!(is_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*.xqf", "a.xqfs"), ("?", ""), ("a*b*c", "acb"), ("a?", "a"), ("*a*a*a*b", &"a".repeat(200))]
        {
            assert!(!is_match(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn numbers_in_names_are_in_the_order_of_their_values() {
        let mut names = ["game10", "game9b", "game009", "b", "game9", "2", "10", "game"];
        names.sort_by_cached_key(|name| (with_lengths(name), name.to_string()));
        assert_eq!(names, ["2", "10", "b", "game", "game009", "game9", "game9b", "game10"]);
    }
}
