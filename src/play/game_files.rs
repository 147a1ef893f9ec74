//! Saving and loading games: PGN, XQF, .FEN.

use super::game::Game;
use crate::games::file::{self, GameFileError};
use crate::games::setup::GameSetupError;
use crate::games::{pgn_writer, stream, xqf_writer};
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
    Game(PathBuf, GameFileError),
    /// The game cannot be set up.
    #[error("{0}: {1}")]
    Setup(PathBuf, GameSetupError),
    /// The end of the name says none of the formats.
    #[error("{0}: the name must end with .pgn, .xqf or .fen")]
    Extension(PathBuf),
    /// The format has no place for so many pieces of a type.
    #[error("{0}: this position does not fit into an XQF file")]
    Xqf(PathBuf),
}

/// Saves a game in the format that the end of the name says; the names of Red and Black may be empty. Returns the path.
///
/// # Errors
/// See [`GameFilesError`].
pub fn save(name: &str, game: &Game, notation: Notation, names: &[String; 2]) -> Result<PathBuf, GameFilesError> {
    let path = PathBuf::from(files::unquoted(name));
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let (start, moves, result) = (game.start(), game.moves(), game.result());
    let bytes = match extension.as_deref() {
        Some("pgn") => {
            let tags: Vec<(&str, &str)> = ["Red", "Black"].into_iter().zip(names.iter().map(String::as_str)).collect();
            pgn_writer::write(&tags, &start, &moves, result, notation).into_bytes()
        }
        Some("xqf") => xqf_writer::write([&names[0], &names[1]], &start, &moves, result)
            .ok_or_else(|| GameFilesError::Xqf(path.clone()))?,
        Some("fen") => file::write(game.position()).into_bytes(),
        _ => return Err(GameFilesError::Extension(path)),
    };
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
    let setup = match files::open(&path).and_then(|file| stream::game(BufReader::new(file))) {
        Ok(Ok(setup)) => setup,
        Ok(Err(error)) => return Err(GameFilesError::Game(path, error)),
        Err(error) => return Err(GameFilesError::Read(path, error)),
    };
    match setup.game(Variant::Standard) {
        Ok(position) => Ok(Game::new(position)),
        Err(error) => Err(GameFilesError::Setup(path, error)),
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
        assert_eq!(error("game.txt"), "game.txt: the name must end with .pgn, .xqf or .fen");
        assert!(error("no such folder/a.pgn").starts_with("cannot write no such folder/a.pgn: "));
        assert!(load("missing.pgn").err().unwrap().to_string().starts_with("cannot read missing.pgn: "));
    }
}
