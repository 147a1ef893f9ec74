//! Saving and loading games: PGN, XQF, .FEN.

use super::game::Game;
use crate::games::error::ReadError;
use crate::games::record::GameRecord;
use crate::games::stream;
use crate::games::tree::MoveTree;
use crate::games::write::{self, Format, WriteError};
use crate::notation::Notation;
use crate::position::Variant;
use crate::system::{files, save};
use std::io::{self, BufReader};
use std::path::PathBuf;
use thiserror::Error;

/// Why a game cannot be saved or loaded.
#[derive(Debug, Error)]
pub enum GameFilesError {
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, io::Error),
    /// The file cannot be written.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
    /// What is in it is no game.
    #[error("{0}: {1}")]
    Game(PathBuf, ReadError),
    /// The end of the name says none of the formats.
    #[error("{0}: the name must end with .pgn, .xqf, .cbr, .ubb or .fen")]
    Extension(PathBuf),
    /// The format has no place for so many pieces of a type.
    #[error("{0}: {1}")]
    Format(PathBuf, WriteError),
}

/// Saves a game in the format that the end of the name says; the names of Red and Black may be empty. Returns the path.
///
/// # Errors
/// See [`GameFilesError`].
pub fn save(name: &str, game: &Game, notation: Notation, names: &[String; 2]) -> Result<PathBuf, GameFilesError> {
    let path = PathBuf::from(files::unquoted(name));
    let Some(format) = Format::of_path(&path) else { return Err(GameFilesError::Extension(path)) };
    let mut record = GameRecord::new(game.start());
    record.tree = MoveTree::of_line(&game.moves());
    record.result = game.result();
    let tags = ["Red", "Black"].into_iter().zip(names).filter(|(_, name)| !name.is_empty());
    record.tags = tags.map(|(tag, name)| (tag.to_string(), name.clone())).collect();
    let (bytes, _) =
        write::write(&record, format, notation).map_err(|error| GameFilesError::Format(path.clone(), error))?;
    match save::save(&path, &bytes) {
        Ok(()) => Ok(path),
        Err(error) => Err(GameFilesError::Write(path, error)),
    }
}

/// Loads the only game of a file.
///
/// # Errors
/// See [`GameFilesError`].
pub fn load(name: &str) -> Result<Game, GameFilesError> {
    let path = files::locate(name);
    match files::open(&path).and_then(|file| stream::only_game(BufReader::new(file), Variant::Standard)) {
        Ok(Ok(record)) => Ok(Game::new(record.position())),
        Ok(Err(error)) => Err(GameFilesError::Game(path, error)),
        Err(error) => Err(GameFilesError::Read(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn saved_games_are_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Game::new(Position::start());
        ["h2e2", "h9g7"].iter().for_each(|mv| game.make(mv.parse().unwrap()));
        let names = ["楚河".to_string(), String::new()];
        for (name, plies) in [("a.pgn", 2), ("b.XQF", 2), ("c.fen", 0)] {
            let path = folder.path().join(name).display().to_string();
            save(&path, &game, Notation::Wxf, &names).unwrap();
            let loaded = load(&path).unwrap();
            assert_eq!(loaded.position().plies(), plies, "{name}");
            let board = |game: &Game| game.position().to_fen().split(' ').next().map(str::to_string);
            assert_eq!(board(&loaded), board(&game), "{name}");
        }
    }

    #[test]
    fn errors_name_the_file() {
        let game = Game::new(Position::start());
        let error = |name: &str| save(name, &game, Notation::Iccs, &Default::default()).unwrap_err().to_string();
        assert_eq!(error("game.txt"), "game.txt: the name must end with .pgn, .xqf, .cbr, .ubb or .fen");
        assert!(error("no such folder/a.pgn").starts_with("cannot write no such folder/a.pgn: "));
        assert!(load("missing.pgn").err().unwrap().to_string().starts_with("cannot read missing.pgn: "));
    }
}
