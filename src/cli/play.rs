//! `chuhe play`: a game in the terminal.

use super::error::{CliError, ExitStatus};
use super::locale::{Charset, charset};
use super::names::{PiecesName, notation_parser};
use super::option_args;
use super::position_argument::PositionArgument;
use super::terminal;
use super::translate::locale_language;
use chuhe::display::board::PieceSet;
use chuhe::display::verdict::Language;
use chuhe::engine::level;
use chuhe::engine::options::Setting;
use chuhe::notation::{Notation, Script};
use chuhe::play::clock::{GameClock, TimeControl};
use chuhe::play::game::Game;
use chuhe::play::saved_game::SavedGame;
use chuhe::play::session::Session;
use chuhe::play::settings::Settings;
use chuhe::play::{plain, screen};
use chuhe::position::{Position, Variant};
use chuhe::types::Color;
use clap::{Args, ValueEnum};
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// The engine's level for a player who has not chosen one: of those below full strength a low one.
const DEFAULT_LEVEL: u32 = 5;

#[derive(Args)]
pub struct Play {
    /// The game to begin with: a FEN or `startpos`, with moves, or a file (PGN, XQF, .FEN) [default: the unfinished game of
    /// the last time, or a new one]
    #[arg(value_name = "FEN|FILE")]
    game: Vec<OsString>,
    /// The side that you play; `both`: two people; `none`: the engine plays itself [default: red, or as in the unfinished
    /// game]
    #[arg(long, value_enum)]
    side: Option<SideName>,
    /// The engine's level, 20 is full strength [default: 5, or as in the unfinished game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(level::FULL)))]
    level: Option<u32>,
    /// A clock for both sides: minutes, and seconds more for each move
    #[arg(long, value_name = "MIN[+SEC]")]
    time: Option<TimeControl>,
    /// Milliseconds for a move of the engine at full strength, without a clock
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Set an option of the engine, as `setoption` does; may be repeated: those that `analyse` takes (the rules are also
    /// those of the game), and Threads, Hash, Move Overhead, OwnBook, Book Files, Book Depth, Book Choice, Cloud Book, Cloud
    /// Address, Cloud Timeout, Randomness, Random Seed, `resign`, `draws`
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = play_option)]
    options: Vec<Setting>,
    /// Begin a new game, even if the last one is unfinished
    #[arg(long)]
    new: bool,
    /// Lines instead of the full screen, as without a terminal
    #[arg(long)]
    plain: bool,
    /// How pieces are drawn [default: traditional, letters in plain lines]
    #[arg(long, value_enum)]
    pieces: Option<PiecesName>,
    /// Lines and signs in ASCII, for terminals that draw others two columns wide
    #[arg(long)]
    ascii: bool,
    /// How moves are written [default: chinese in a Chinese locale, else wxf]
    #[arg(long, value_parser = notation_parser())]
    notation: Option<Notation>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideName {
    Red,
    Black,
    Both,
    None,
}

/// Options for which the command has an argument.
const OWN_ARGUMENTS: &[(&str, &str)] =
    &[("level", "--level"), ("Skill Level", "--level"), ("UCI_LimitStrength", "--level"), ("UCI_Elo", "--level")];

fn play_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_game, OWN_ARGUMENTS)
}

impl Play {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        // On a screen the characters of others are wider than their cells.
        let is_utf8 = charset() == Charset::Utf8;
        let is_plain =
            self.plain || !is_utf8 || !is_interactive || env::var_os("TERM").is_some_and(|term| term == "dumb");
        let settings = self.settings(is_plain)?;
        // A script begins where it says, and leaves nothing behind.
        let file = SavedGame::default_path().filter(|_| is_interactive);
        let resumed = file.as_deref().filter(|_| !self.new && self.game.is_empty()).and_then(SavedGame::read);
        let resumed = resumed.and_then(|saved| saved.resume(settings.clone()));
        let is_resumed = resumed.is_some();
        let (settings, game, clock) = match resumed {
            Some((resumed, game, clock)) => self.override_resumed(&settings, resumed, game, clock),
            None => (settings, self.game()?, None),
        };
        let language = settings.language;
        let bottom = settings.only_human().unwrap_or(Color::Red);
        let mut session = Session::new(settings, game, clock, file);
        if is_resumed {
            session.notify(
                &language.pick("the unfinished game goes on (new: another)", "继续上次未下完的棋（新局：重新开始）"),
            );
        }
        match is_plain {
            true => plain::run(&mut session, io::stdin().lock(), &mut terminal::stdout())?,
            false => {
                session.notify(&language.pick("F1: help", "F1：帮助"));
                // See no-color.org.
                let has_colors = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
                screen::run(&mut session, bottom, has_colors)?;
            }
        }
        Ok(ExitStatus::Success)
    }

    fn settings(&self, is_plain: bool) -> Result<Settings, CliError> {
        let language = locale_language();
        let usual = match language {
            Language::English => Notation::Wxf,
            Language::Chinese => Notation::Chinese(Script::Simplified),
        };
        let is_english_text = is_plain && language == Language::English;
        let usual_pieces = if is_english_text { PieceSet::Letters } else { PieceSet::Traditional };
        Ok(Settings {
            engine_plays: match self.side.unwrap_or(SideName::Red) {
                SideName::Red => [false, true],
                SideName::Black => [true, false],
                SideName::Both => [false, false],
                SideName::None => [true, true],
            },
            level: self.level.unwrap_or(DEFAULT_LEVEL),
            control: self.time,
            move_time: Duration::from_millis(self.movetime),
            options: self.options.clone(),
            rules: option_args::engine(&self.options)?.options().rules,
            notation: self.notation.unwrap_or(usual),
            pieces: self.pieces.map_or(usual_pieces, PiecesName::set),
            is_ascii: self.ascii,
            language,
        })
    }

    /// The unfinished game, with the side, level and clock that the arguments give.
    fn override_resumed(
        &self,
        given: &Settings,
        mut resumed: Settings,
        game: Game,
        clock: Option<GameClock>,
    ) -> (Settings, Game, Option<GameClock>) {
        if self.side.is_some() {
            resumed.engine_plays = given.engine_plays;
        }
        if self.level.is_some() {
            resumed.level = given.level;
        }
        match self.time {
            None => (resumed, game, clock),
            Some(_) => (Settings { control: self.time, ..resumed }, game, None),
        }
    }

    fn game(&self) -> Result<Game, CliError> {
        let position = match self.game.is_empty() {
            true => Position::start(),
            false => PositionArgument::only_position(&self.game, Variant::Standard)?,
        };
        Ok(Game::new(position))
    }
}
