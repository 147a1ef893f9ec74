//! Games in files: saving and loading, and the game that is kept for the next start of the program.

use super::clock::{GameClock, TimeControl, duration};
use super::game::Game;
use crate::engine::level;
use crate::files;
use crate::files::lock::FileLock;
use crate::files::save;
use crate::games::error::ReadError;
use crate::games::pgn_writer;
use crate::games::record::{GameRecord, GameResult, Note};
use crate::games::stream;
use crate::games::write::{self, Format, WriteError};
use crate::notation::Notation;
use crate::position::{Position, Variant};
use etcetera::BaseStrategy;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a game cannot be saved, loaded or kept.
#[derive(Debug, Error)]
pub enum GameFileError {
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, io::Error),
    /// The file cannot be written.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
    /// It is there, and is not to be replaced.
    #[error("{0} exists; with --force before it, it is replaced")]
    Exists(PathBuf),
    /// What is in it is no game.
    #[error("{0}: {1}")]
    Game(PathBuf, ReadError),
    /// The end of the name says none of the formats.
    #[error("{0}: the name must end with .pgn, .xqf, .cbr, .ubb or .fen")]
    Extension(PathBuf),
    /// The format has no place for so many pieces of a type.
    #[error("{0}: {1}")]
    Format(PathBuf, WriteError),
    /// Another process keeps its game.
    #[error("another game is being played: this one is not kept")]
    InUse,
    /// The kept game is damaged, and its file has another name now.
    #[error("the kept game is damaged, its file is now {0}")]
    Damaged(PathBuf),
    /// The kept game of a version before PGN.
    #[error("{0} is of an older version; to go on: chuhe play startpos moves, and the moves in it")]
    Old(PathBuf),
}

/// Saves a game in the format that the end of the name says; the names of Red and Black may be empty. Returns the path.
///
/// # Errors
/// See [`GameFileError`].
pub fn save(name: &str, game: &Game, notation: Notation, names: &[String; 2]) -> Result<PathBuf, GameFileError> {
    let path = files::new_file(name).map_err(|name| GameFileError::Exists(name.into()))?.to_path_buf();
    let Some(format) = Format::of_path(&path) else { return Err(GameFileError::Extension(path)) };
    let mut record = game.record();
    add_names(&mut record, game, names);
    match write::write(&record, format, notation) {
        Ok((bytes, _)) => write_file(&path, &bytes).map(|()| path),
        Err(error) => Err(GameFileError::Format(path, error)),
    }
}

/// Adds the tags of the date and of the names that are not empty.
fn add_names(record: &mut GameRecord, game: &Game, names: &[String; 2]) {
    let [red, black] = names;
    let tags = [("Date", &game.date), ("Red", red), ("Black", black)].into_iter().filter(|(_, text)| !text.is_empty());
    record.tags.splice(0..0, tags.map(|(tag, text)| (tag.to_string(), text.clone())));
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), GameFileError> {
    save::save(path, bytes).map_err(|error| GameFileError::Write(path.to_path_buf(), error))
}

/// Loads the only game of a file: its last position, with the moves that led to it, and what was read otherwise than it is
/// written.
///
/// # Errors
/// See [`GameFileError`].
pub fn load(name: &str) -> Result<(Position, Option<Note>), GameFileError> {
    let path = files::locate(name);
    match files::open(&path).and_then(|file| stream::only_game(BufReader::new(file), Variant::Standard)) {
        Ok(Ok(record)) => Ok((record.position(), record.note)),
        Ok(Err(error)) => Err(GameFileError::Game(path, error)),
        Err(error) => Err(GameFileError::Read(path, error)),
    }
}

/// Greatest time of a clock, in seconds: 31 years, so that sums of times do not overflow.
const MAX_SECONDS: f64 = 1e9;

/// The tags of the times left of Red and Black, in seconds.
const CLOCK_TAGS: [&str; 2] = ["RedClock", "BlackClock"];
/// The tags that say whether the engine plays Red and Black, as WhiteType in chess.
const TYPE_TAGS: [&str; 2] = ["RedType", "BlackType"];
/// Their value if it does.
const ENGINE: &str = "program";
/// The engine's name, unless another is given.
const ENGINE_NAME: &str = "ChuHe";

/// The game with what is kept of it in tags.
pub fn record(game: &Game) -> GameRecord {
    let mut record = game.record();
    let own_name = |side: usize| if game.engine_plays[side] { ENGINE_NAME.to_string() } else { String::new() };
    let named = |side: usize| Some(game.names[side].clone()).filter(|name| !name.is_empty());
    add_names(&mut record, game, &[0, 1].map(|side| named(side).unwrap_or_else(|| own_name(side))));
    let mut tag = |name: &str, value: String| record.tags.push((name.to_string(), value));
    for (name, is_engine) in TYPE_TAGS.into_iter().zip(game.engine_plays) {
        tag(name, if is_engine { ENGINE } else { "human" }.to_string());
    }
    tag("Level", game.level.to_string());
    if let Some(clock) = &game.clock {
        tag("TimeControl", clock.control().to_string());
        for (name, left) in CLOCK_TAGS.into_iter().zip(clock.both()) {
            tag(name, left.as_secs_f64().to_string());
        }
    }
    // So that a part of the file is not taken for all of it.
    tag("PlyCount", game.position().plies().to_string());
    record
}

/// Reads it again; `None` if a tag is missing, or does not fit.
pub fn of_record(record: &GameRecord) -> Option<Game> {
    let mut game = Game::new(record.position());
    let plies = game.position().plies();
    game.engine_plays = TYPE_TAGS.map(|tag| record.tag(tag) == Some(ENGINE));
    game.level = record.tag("Level")?.parse().ok().filter(|level| (1..=level::FULL).contains(level))?;
    if let Some(control) = record.tag("TimeControl") {
        let [red, black] = CLOCK_TAGS.map(|tag| duration(record.tag(tag)?, 1.0, MAX_SECONDS));
        game.clock = Some(GameClock::with_left(TimeControl::read(control, 1.0)?, [red?, black?], plies));
    }
    game.names = ["Red", "Black"].map(|tag| record.tag(tag).unwrap_or_default().to_string());
    for (name, is_engine) in game.names.iter_mut().zip(game.engine_plays) {
        if is_engine && name == ENGINE_NAME {
            name.clear();
        }
    }
    game.date = record.tag("Date").unwrap_or_default().to_string();
    (record.tag("PlyCount")?.parse() == Ok(plies)).then_some(game)
}

/// Greatest size of the file of the kept game, in bytes: a game of a thousand moves takes 10 kB.
const MAX_BYTES: u64 = 1 << 20;

/// The place of the game that is kept after each move, so that a closed window loses nothing. While it is open, no other
/// process keeps its game there.
pub struct KeptGame {
    path: PathBuf,
    _lock: FileLock,
}

impl KeptGame {
    /// The usual folder: `chuhe` in the user's folder for the state or data of programs; `None` if there is no such folder.
    pub fn default_folder() -> Option<PathBuf> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(strategy.state_dir().unwrap_or_else(|| strategy.data_dir()).join("chuhe"))
    }

    /// Opens the place in a folder, which is made if there is none, and reads the game in it; one that is over is put to the
    /// finished ones, and another of its players without a move is returned. `None`: no game is kept. Nothing is lost: what
    /// cannot be read stays, or gets another name.
    pub fn open(folder: &Path) -> (Option<KeptGame>, Result<Option<Game>, GameFileError>) {
        let path = folder.join("game.pgn");
        if let Err(error) = fs::create_dir_all(folder).and_then(|()| save::check(&path)) {
            return (None, Err(GameFileError::Write(path, error)));
        }
        let Some(lock) = FileLock::new(&path) else { return (None, Err(GameFileError::InUse)) };
        match read_kept(&path) {
            Err(error @ (GameFileError::Read(..) | GameFileError::Write(..))) => (None, Err(error)),
            read => {
                let kept = KeptGame { path, _lock: lock };
                match read.and_then(|read| read.map_or(Ok(None), |(game, is_over)| kept.next(game, is_over).map(Some)))
                {
                    Err(error @ GameFileError::Write(..)) => (None, Err(error)),
                    read => (Some(kept), read),
                }
            }
        }
    }

    /// The game itself, or the one after it if it is over.
    fn next(&self, mut game: Game, is_over: bool) -> Result<Game, GameFileError> {
        if is_over {
            self.finish(&game)?;
            game.restart(Position::start());
        }
        Ok(game)
    }

    /// Appends the kept game, which is over, to the finished ones beside it, and keeps the next one of its players, which has
    /// no move.
    ///
    /// # Errors
    /// When the file of the finished games cannot be written.
    pub fn finish(&self, game: &Game) -> Result<(), GameFileError> {
        let finished = self.path.with_file_name("games.pgn");
        let append = || {
            let mut text = files::read(&self.path, MAX_BYTES)?;
            text.push(b'\n');
            // In one call, so that the end of the program leaves no part of it.
            File::options().append(true).create(true).open(&finished)?.write_all(&text)
        };
        append().map_err(|error| GameFileError::Write(finished.clone(), error))?;
        let mut next = game.clone();
        next.restart(Position::start());
        self.write(&next)
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, game: &Game) -> Result<(), GameFileError> {
        let text = pgn_writer::write(&record(game), Notation::Iccs);
        write_file(&self.path, text.as_bytes())
    }
}

/// Reads the kept game, and whether it is over. A damaged file gets another name.
fn read_kept(path: &Path) -> Result<Option<(Game, bool)>, GameFileError> {
    let bytes = match files::read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let old = path.with_extension("json");
            return if old.exists() { Err(GameFileError::Old(old)) } else { Ok(None) };
        }
        Err(error) => return Err(GameFileError::Read(path.to_path_buf(), error)),
    };
    let record = stream::only_game(&bytes[..], Variant::Standard).ok().and_then(Result::ok);
    if let Some((game, record)) = record.and_then(|record| Some((of_record(&record)?, record))) {
        return Ok(Some((game, record.result != GameResult::Unknown)));
    }
    let names = (1..).map(|number| path.with_file_name(format!("damaged{number}.pgn")));
    let aside = names.into_iter().find(|name| !name.exists()).expect("invariant: there are more numbers than files");
    match fs::rename(path, &aside) {
        Ok(()) => Err(GameFileError::Damaged(aside)),
        Err(error) => Err(GameFileError::Write(aside, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_kept_of_a_game_is_read_again_or_refused() {
        let mut game = Game::new(Position::start());
        game.make("h2e2".parse().unwrap());
        let left = [1234, 60_000].map(Duration::from_millis);
        game.clock = Some(GameClock::with_left(TimeControl::read("10+5", 60.0).unwrap(), left, 1));
        (game.engine_plays, game.level) = ([true, false], 7);
        let kept = record(&game);
        let again = of_record(&kept).unwrap();
        let clock = again.clock.as_ref().unwrap();
        assert_eq!((clock.both(), clock.control()), (left, game.clock.as_ref().unwrap().control()));
        assert_eq!((again.engine_plays, again.level), ([true, false], 7));
        assert_eq!(again.record().moves(), game.record().moves());
        let levels = ["0", "21", "x"].map(|value| ("Level", value));
        let times = ["-1", "1e10", "NaN", "x"].map(|value| ("RedClock", value));
        for (name, value) in levels.into_iter().chain(times).chain([("TimeControl", "0"), ("PlyCount", "2")]) {
            let mut record = kept.clone();
            record.tags.iter_mut().filter(|(tag, _)| tag == name).for_each(|(_, other)| *other = value.to_string());
            assert!(of_record(&record).is_none(), "{name} {value}");
        }
    }
}
