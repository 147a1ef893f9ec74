//! The file of the games of a match, and its continuation after an interruption.
//!
//! It has one JSON object a line: the settings, each game, and at the end the result. Games are written as they end; the
//! finished file has them in order.

use super::played_game::PlayedGame;
use crate::system::files::{self, MAX_FILE_BYTES};
use crate::system::save;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Why a file of games cannot be continued.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A new file is wanted, and there is one.
    #[error("it exists; --resume continues it")]
    Exists,
    /// It is not a file of games of a match: the line.
    #[error("line {0} is not of a match")]
    Line(usize),
    /// Its games were played with other settings.
    #[error("its games were played with other settings: {0}")]
    Settings(String),
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file of games that is being written.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    settings: Value,
}

/// Games by their number.
pub type Games = BTreeMap<usize, PlayedGame>;

impl Journal {
    /// Makes a file for a match with these settings, or with `resume` goes on with an old one. Returns the games that it has
    /// too.
    ///
    /// # Errors
    /// When it cannot be written; when there is one without `resume`, or of other settings.
    pub fn open(path: &Path, settings: &Value, resume: bool) -> Result<(Journal, Games), JournalError> {
        let mut games = Games::new();
        if path.exists() {
            if !resume {
                return Err(JournalError::Exists);
            }
            games = read(path, settings)?;
        }
        // Without an incomplete line and the result.
        write(path, settings, &games, None)?;
        let file = Mutex::new(File::options().append(true).open(path)?);
        Ok((Journal { path: path.to_path_buf(), file, settings: settings.clone() }, games))
    }

    /// Adds a game. It is in the file when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&self, game: &PlayedGame) -> io::Result<()> {
        let line = serde_json::to_string(game)? + "\n";
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }

    /// Puts the first `count` games in order, without the others, and adds the result.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn finish(self, count: usize, result: &Value) -> Result<(), JournalError> {
        let mut games = read(&self.path, &self.settings)?;
        games.retain(|&number, _| number <= count);
        Ok(write(&self.path, &self.settings, &games, Some(result))?)
    }
}

fn write(path: &Path, settings: &Value, games: &Games, result: Option<&Value>) -> io::Result<()> {
    save::save_with(path, &|error| error, |out| {
        writeln!(out, "{}", json!({ "settings": settings }))?;
        for game in games.values() {
            writeln!(out, "{}", serde_json::to_string(game)?)?;
        }
        result.map_or(Ok(()), |result| writeln!(out, "{}", json!({ "result": result })))
    })
}

/// Reads the games of a file, without a last line that was not written to its end.
fn read(path: &Path, settings: &Value) -> Result<Games, JournalError> {
    let bytes = files::read(path, MAX_FILE_BYTES)?;
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut games = Games::new();
    for (number, line) in (1..).zip(whole.lines()) {
        let value: Value = serde_json::from_str(line).map_err(|_| JournalError::Line(number))?;
        if let Some(found) = value.get("settings").filter(|_| number == 1) {
            if found != settings {
                return Err(JournalError::Settings(difference(found, settings)));
            }
        } else if number > 1 && value.get("result").is_some_and(Value::is_object) {
            break;
        } else {
            let game: PlayedGame = serde_json::from_value(value).map_err(|_| JournalError::Line(number))?;
            games.insert(game.game, game);
        }
    }
    // The first line of a file that has lines tells the settings.
    if games.is_empty() || text.starts_with("{\"settings\":") { Ok(games) } else { Err(JournalError::Line(1)) }
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
    use std::fs;

    fn game(number: usize) -> PlayedGame {
        let text = format!(
            "{{\"game\":{number},\"round\":1,\"red\":\"a\",\"black\":\"b\",\"fen\":\"x\",\"opening_plies\":0,\
             \"result\":\"1-0\",\"termination\":\"crash\",\"reason\":\"y\",\"started\":0,\"moves\":[]}}"
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn games_are_kept_put_in_order_and_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let settings = json!({"rounds": 3});
        let (journal, games) = Journal::open(&path, &settings, false).unwrap();
        assert!(games.is_empty());
        [2, 1, 4].iter().for_each(|&number| journal.add(&game(number)).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(matches!(Journal::open(&path, &settings, false), Err(JournalError::Exists)));
        let other = Journal::open(&path, &json!({"rounds": 4}), true).err().unwrap();
        assert_eq!(other.to_string(), "its games were played with other settings: rounds 3, not 4");
        // A torn line is dropped.
        fs::write(&path, &text[..text.len() - 7]).unwrap();
        let (journal, games) = Journal::open(&path, &settings, true).unwrap();
        assert_eq!(games.into_keys().collect::<Vec<_>>(), [1, 2]);
        journal.add(&game(5)).unwrap();
        journal.add(&game(3)).unwrap();
        journal.finish(3, &json!({"points": 3})).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 5 && lines[3].starts_with("{\"game\":3,") && lines[4] == "{\"result\":{\"points\":3}}");
        // A finished match has all its games.
        assert_eq!(Journal::open(&path, &settings, true).unwrap().1.len(), 3);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        for content in ["{\"a\":1}\n", "text\n", "[Red \"a\"]\n\nh2e2 *\n"] {
            fs::write(&path, content).unwrap();
            assert!(matches!(Journal::open(&path, &json!({}), true), Err(JournalError::Line(1))), "{content}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}
