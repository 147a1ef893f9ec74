//! The game of the last session, kept after each move so that a closed window loses nothing.

use super::clock::{GameClock, TimeControl, milliseconds};
use super::game::Game;
use super::settings::Settings;
use crate::engine::level;
use crate::games::setup::GameSetup;
use crate::notation::Ranks;
use crate::position::Variant;
use crate::system::files;
use crate::system::save;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Greatest size of the file, in bytes: a game of a thousand moves takes 10 kB.
const MAX_BYTES: u64 = 1 << 20;

/// Greatest time of a clock, in milliseconds: 31 years, so that sums of times do not overflow.
const MAX_MILLISECONDS: u64 = 1_000_000_000_000;

/// A game with its players and clock, as it is kept in a file of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedGame {
    /// The FEN of the start position; `None` for the usual one.
    fen: Option<String>,
    /// The moves in coordinates.
    moves: Vec<String>,
    /// Whether it is over.
    is_over: bool,
    /// Whether the engine plays Red and Black.
    engine_plays: [bool; 2],
    level: u32,
    clock: Option<SavedClock>,
}

/// The clock, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SavedClock {
    base: u64,
    increment: u64,
    /// Of Red and Black.
    left: [u64; 2],
}

impl SavedGame {
    /// The usual file: `chuhe/game.json` in the user's folder for the state or data of programs; `None` if there is no
    /// such folder.
    pub fn default_path() -> Option<PathBuf> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Some(folder.join("chuhe").join("game.json"))
    }

    /// What is to be kept of a game.
    pub fn of(settings: &Settings, game: &Game, clock: Option<&GameClock>) -> SavedGame {
        let GameSetup { fen, moves, .. } = game.setup();
        let clock = clock.map(|clock| SavedClock {
            base: milliseconds(clock.control().base),
            increment: milliseconds(clock.control().increment),
            left: clock.both().map(milliseconds),
        });
        let is_over = game.ending().is_some();
        SavedGame { fen, moves, is_over, engine_plays: settings.engine_plays, level: settings.level, clock }
    }

    /// Writes the file, and its folder if there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        save::save(path, serde_json::to_string_pretty(self)?.as_bytes())
    }

    /// Reads the file; `None` if there is none or it is damaged.
    pub fn read(path: &Path) -> Option<SavedGame> {
        SavedGame::from_bytes(&files::read(path, MAX_BYTES).ok()?)
    }

    /// Reads the content of a file; `None` if it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<SavedGame> {
        serde_json::from_slice(bytes).ok()
    }

    /// The game to go on with, its clock, and the settings with its players; `None` if it is over, has no moves, or
    /// cannot be set up, and with times that no clock has.
    pub fn resume(&self, settings: Settings) -> Option<(Settings, Game, Option<GameClock>)> {
        if self.is_over || self.moves.is_empty() || !(1..=level::FULL).contains(&self.level) {
            return None;
        }
        let times = self.clock.iter().flat_map(|clock| [clock.base, clock.increment].into_iter().chain(clock.left));
        if times.max().is_some_and(|max| max > MAX_MILLISECONDS) {
            return None;
        }
        let setup = GameSetup {
            fen: self.fen.clone(),
            moves: self.moves.clone(),
            ranks: Some(Ranks::FromZero),
            ..GameSetup::default()
        };
        let game = Game::new(setup.game(Variant::Standard).ok()?);
        let clock = self.clock.as_ref().map(|clock| {
            let [base, increment] = [clock.base, clock.increment].map(Duration::from_millis);
            GameClock::with_left(TimeControl { base, increment }, clock.left.map(Duration::from_millis))
        });
        let control = clock.as_ref().map(GameClock::control);
        Some((Settings { engine_plays: self.engine_plays, level: self.level, control, ..settings }, game, clock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::board::PieceSet;
    use crate::display::verdict::Language;
    use crate::notation::Notation;
    use crate::play::game::Ending;
    use crate::position::Position;
    use crate::rules::Rules;

    fn settings() -> Settings {
        Settings {
            engine_plays: [false, true],
            level: 7,
            control: None,
            move_time: Duration::from_secs(1),
            options: Vec::new(),
            rules: Rules::default(),
            notation: Notation::Iccs,
            pieces: PieceSet::Letters,
            is_ascii: false,
            language: Language::English,
        }
    }

    #[test]
    fn kept_games_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("game.json");
        let mut game = Game::new(Position::start());
        assert!(SavedGame::of(&settings(), &game, None).resume(settings()).is_none(), "no move");
        game.make("h2e2".parse().unwrap());
        let control = "10+5".parse().unwrap();
        let left = [Duration::from_millis(1234), Duration::from_secs(60)];
        let saved = SavedGame::of(&settings(), &game, Some(&GameClock::with_left(control, left)));
        saved.write(&path).unwrap();
        assert_eq!(SavedGame::read(&path), Some(saved.clone()));
        for far in [MAX_MILLISECONDS + 1, u64::MAX] {
            let clock = saved.clock.clone().map(|clock| SavedClock { increment: far, ..clock });
            assert!(SavedGame { clock, ..saved.clone() }.resume(settings()).is_none());
        }
        let others = Settings { engine_plays: [false; 2], level: 20, ..settings() };
        let (settings, resumed, clock) = saved.resume(others).unwrap();
        assert_eq!((settings.engine_plays, settings.level, settings.control), ([false, true], 7, Some(control)));
        assert_eq!((resumed.moves(), clock.unwrap().both()), (game.moves(), left));
        game.end(Ending::Agreed);
        assert!(SavedGame::of(&settings, &game, None).resume(settings).is_none(), "over");
    }

    #[test]
    fn damaged_files_are_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.json");
        assert_eq!(SavedGame::read(&path), None);
        fs::write(&path, "{\"fen\": null, \"moves\": [\"h2e2\"").unwrap();
        assert_eq!(SavedGame::read(&path), None);
    }
}
