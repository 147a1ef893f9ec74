//! The file of the games of a match, and its continuation after an interruption.
//!
//! It has one JSON object a line: the settings, each game, and at the end the result. Games are written as they end; the
//! finished file has them in order.

use super::played_game::PlayedGame;
use crate::files::save;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Greatest length of a line, far beyond that of a game of the greatest number of moves.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// Why a file of games cannot be continued.
#[derive(Debug, Error)]
pub(crate) enum JournalError {
    /// A new file is wanted, and there is one.
    #[error("it exists; --resume continues it")]
    Exists,
    /// It is not a file of games of a match: the line, and what is wrong with it.
    #[error("line {0} is not of a match: {1}")]
    Line(usize, String),
    /// Its games were played with other settings.
    #[error("its games were played with other settings: {0}")]
    Settings(String),
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file of games that is being written. Only the places of the games are in memory.
pub(crate) struct Journal {
    path: PathBuf,
    lines: Mutex<Lines>,
}

struct Lines {
    file: File,
    /// The line with the settings.
    header: String,
    /// Where the line of each game is.
    places: BTreeMap<usize, Range<u64>>,
    /// Where the next line begins.
    end: u64,
}

impl Journal {
    /// Makes a file for a match with these settings, or with `resume` goes on with an old one.
    ///
    /// # Errors
    /// When it cannot be written; when there is one without `resume`, or of other settings.
    pub(crate) fn open(path: &Path, settings: &Value, resume: bool) -> Result<Journal, JournalError> {
        let header = json!({ "settings": settings }).to_string() + "\n";
        let mut lines = match File::options().read(true).write(true).open(path) {
            Ok(_) if !resume => return Err(JournalError::Exists),
            Ok(file) => scan(file, header, settings)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let file = File::options().read(true).write(true).create_new(true).open(path)?;
                Lines { file, header, places: BTreeMap::new(), end: 0 }
            }
            Err(error) => return Err(error.into()),
        };
        // Without the result and an incomplete line.
        lines.file.set_len(lines.end)?;
        if lines.end == 0 {
            let header = lines.header.clone();
            lines.append(&header)?;
        }
        Ok(Journal { path: path.to_path_buf(), lines: Mutex::new(lines) })
    }

    /// A game that the file has, by its number.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn game(&self, number: usize) -> io::Result<Option<PlayedGame>> {
        let line = self.lines().read(number)?;
        line.map(|line| PlayedGame::read(&line).map_err(io::Error::other)).transpose()
    }

    /// Adds a game. It is in the file when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&self, game: &PlayedGame) -> io::Result<()> {
        let line = serde_json::to_string(game)? + "\n";
        let place = self.lines().append(&line)?;
        self.lines().places.insert(game.game, place);
        Ok(())
    }

    /// Puts the first `count` games in order, without the others, and adds the result.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn finish(self, count: usize, result: &Value) -> io::Result<()> {
        let mut lines = self.lines();
        save::save_with(&self.path, &|error| error, |out| {
            out.write_all(lines.header.as_bytes())?;
            for number in 1..=count {
                out.write_all(&lines.read(number)?.unwrap_or_default())?;
            }
            writeln!(out, "{}", json!({ "result": result }))
        })
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    /// Writes a line; returns where it is.
    fn append(&mut self, line: &str) -> io::Result<Range<u64>> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(line.as_bytes())?;
        let start = self.end;
        self.end += line.len() as u64;
        Ok(start..self.end)
    }

    /// The line of a game.
    fn read(&mut self, number: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(place) = self.places.get(&number) else { return Ok(None) };
        let mut line = vec![0; (place.end - place.start) as usize];
        self.file.seek(SeekFrom::Start(place.start))?;
        self.file.read_exact(&mut line)?;
        Ok(Some(line))
    }
}

/// Finds the games of a file, without a last line that was not written to its end.
fn scan(file: File, header: String, settings: &Value) -> Result<Lines, JournalError> {
    let mut reader = BufReader::new(&file);
    let (mut places, mut end, mut line) = (BTreeMap::new(), 0, Vec::new());
    for number in 1.. {
        line.clear();
        let length = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? as u64;
        if number > 1 && (line.last() != Some(&b'\n') || line.starts_with(b"{\"result\":")) {
            break;
        }
        if number == 1 {
            let value: Value = serde_json::from_slice(&line).unwrap_or_default();
            match value.get("settings") {
                Some(found) if found == settings => {}
                Some(found) => return Err(JournalError::Settings(difference(found, settings))),
                // A header that was not written to its end.
                None if header.as_bytes().starts_with(&line) => break,
                None => return Err(JournalError::Line(number, "it has no settings".to_string())),
            }
        } else {
            let game = PlayedGame::read(&line).map_err(|error| JournalError::Line(number, error))?;
            places.insert(game.game, end..end + length);
        }
        end += length;
    }
    Ok(Lines { file, header, places, end })
}

/// The first setting that differs.
fn difference(found: &Value, wanted: &Value) -> String {
    let keys = wanted.as_object().into_iter().flat_map(|settings| settings.keys());
    let differing = keys.into_iter().find(|&key| found[key] != wanted[key]);
    differing.map_or_else(String::new, |key| format!("{key} {}, not {}", found[key], wanted[key]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;
    use std::fs;

    fn game(number: usize) -> PlayedGame {
        let text = format!(
            "{{\"game\":{number},\"round\":1,\"red\":\"a\",\"black\":\"b\",\"fen\":\"{START_FEN}\",\"opening_plies\":0,\
             \"result\":\"1-0\",\"termination\":\"crash\",\"reason\":\"y\",\"started\":0,\"moves\":[]}}"
        );
        PlayedGame::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn games_are_kept_put_in_order_and_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let settings = json!({"rounds": 3});
        let journal = Journal::open(&path, &settings, false).unwrap();
        [2, 1, 4].iter().for_each(|&number| journal.add(&game(number)).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(matches!(Journal::open(&path, &settings, false), Err(JournalError::Exists)));
        let other = Journal::open(&path, &json!({"rounds": 4}), true).err().unwrap();
        assert_eq!(other.to_string(), "its games were played with other settings: rounds 3, not 4");
        // A torn line is dropped.
        fs::write(&path, &text[..text.len() - 7]).unwrap();
        let journal = Journal::open(&path, &settings, true).unwrap();
        let known = |journal: &Journal| [1, 2, 3, 4].map(|number| journal.game(number).unwrap().is_some());
        assert_eq!(known(&journal), [true, true, false, false]);
        journal.add(&game(5)).unwrap();
        journal.add(&game(3)).unwrap();
        journal.finish(3, &json!({"points": 3})).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 5 && lines[3].starts_with("{\"game\":3,") && lines[4] == "{\"result\":{\"points\":3}}");
        // A finished match has all its games.
        let journal = Journal::open(&path, &settings, true).unwrap();
        assert_eq!(known(&journal), [true, true, true, false]);
        assert_eq!(journal.game(2).unwrap().unwrap().game, 2);
        // One that ended with its first line begins again.
        fs::write(&path, &text[..9]).unwrap();
        assert_eq!(known(&Journal::open(&path, &settings, true).unwrap()), [false; 4]);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n", lines[0]));
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        for content in ["{\"a\":1}\n", "text\n", "[Red \"a\"]\n\nh2e2 *\n", "{\"settings\":{}}\n{}\n"] {
            fs::write(&path, content).unwrap();
            assert!(matches!(Journal::open(&path, &json!({}), true), Err(JournalError::Line(1 | 2, _))), "{content}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}
