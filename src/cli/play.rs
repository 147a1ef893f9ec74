//! `chuhe play`: a game in the terminal.

use super::collection::{ChoiceArgs, only_position};
use super::error::{ExitStatus, Failure};
use super::locale::{Charset, charset};
use super::messages::write_error;
use super::names::{PIECE_SETS, named_parser, notation_parser};
use super::option_args;
use super::translate::locale_language;
use crate::display::board::PieceSet;
use crate::display::date::{date, now};
use crate::display::language::Language;
use crate::engine::level;
use crate::engine::options::Setting;
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::terminal::clock::{GameClock, TimeControl};
use crate::terminal::game::Game;
use crate::terminal::game_file::KeptGame;
use crate::terminal::session::{Session, Settings};
use crate::terminal::{plain, screen};
use crate::types::Color;
use clap::{Args, ValueEnum};
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::Duration;

#[derive(Args)]
pub(super) struct Play {
    /// The game to begin with: a FEN or `startpos`, with moves, or a file (PGN, XQF, .FEN) [default: the unfinished game of
    /// the last time, or a new one]
    #[arg(value_name = "FEN|FILE")]
    game: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// The side that you play; `both`: two people; `none`: the engine plays itself [default: red, or as in the unfinished
    /// game]
    #[arg(long, value_enum)]
    side: Option<SideName>,
    /// The engine's level, 20 is full strength [default: that of the last game, at first 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(level::FULL)))]
    level: Option<u32>,
    /// A clock for both sides: minutes, and seconds more for each move; `none`: no clock [default: as in the last game]
    #[arg(long, value_name = "MIN[+SEC]", value_parser = time_control)]
    time: Option<ClockArg>,
    /// The name of Red, in the file of the game
    #[arg(long, value_name = "NAME")]
    red: Option<String>,
    /// The name of Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// The date of the game, as 2026.11.28 [default: today, in UTC]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
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
    #[arg(long, value_parser = named_parser(PIECE_SETS))]
    pieces: Option<PieceSet>,
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

impl SideName {
    /// Whether the engine plays Red and Black.
    fn engine_plays(self) -> [bool; 2] {
        match self {
            SideName::Red => [false, true],
            SideName::Black => [true, false],
            SideName::Both => [false, false],
            SideName::None => [true, true],
        }
    }
}

/// Options for which the command has an argument.
const OWN_ARGUMENTS: &[(&str, &str)] =
    &[("level", "--level"), ("Skill Level", "--level"), ("UCI_LimitStrength", "--level"), ("UCI_Elo", "--level")];

/// The clock of a game, or that it has none.
#[derive(Clone)]
struct ClockArg(Option<TimeControl>);

fn time_control(text: &str) -> Result<ClockArg, &'static str> {
    if text == "none" {
        return Ok(ClockArg(None));
    }
    let control = TimeControl::read(text, 60.0).ok_or("expected MINUTES or MINUTES+SECONDS, such as 10+5")?;
    Ok(ClockArg(Some(control)))
}

fn play_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_game, OWN_ARGUMENTS)
}

impl Play {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        // On a screen the characters of others are wider than their cells.
        let is_utf8 = charset() == Charset::Utf8;
        let is_plain =
            self.plain || !is_utf8 || !is_interactive || env::var_os("TERM").is_some_and(|term| term == "dumb");
        let mut settings = self.settings(is_plain)?;
        let given = match self.game.is_empty() {
            true => Position::start(),
            false => only_position(&self.game, &self.choice, Variant::Standard)?,
        };
        // A script begins where it says, and leaves nothing behind.
        let (kept, last) = match KeptGame::default_folder().filter(|_| is_interactive) {
            Some(folder) => KeptGame::open(&folder),
            None => (None, Ok(None)),
        };
        let (last, problem) = last.map_or_else(|problem| (None, Some(problem)), |last| (last, None));
        let has_moves = last.as_ref().is_some_and(|last| last.position().plies() > 0);
        let is_resumed = has_moves && !self.new && self.game.is_empty();
        let game = self.with_arguments(match last {
            Some(last) if is_resumed => last,
            last => first_of(given, last),
        });
        if !is_plain {
            settings.bottom = game.only_human().unwrap_or(Color::Red);
        }
        let language = settings.language;
        let mut session = Session::new(settings, game, kept);
        problem.iter().for_each(|problem| session.notify(problem));
        if is_resumed {
            session.notify(
                &language.pick("the unfinished game goes on (new: another)", "继续上次未下完的棋（新局：重新开始）"),
            );
        }
        match is_plain {
            true => plain::run(&mut session, io::stdin().lock(), &mut super::text_output::stdout())?,
            false => {
                session.notify(&language.pick("F1: help", "F1：帮助"));
                screen::run(&mut session)?;
            }
        }
        session.close();
        session.take_notices().iter().for_each(|notice| write_error(format_args!("{notice}\n")));
        Ok(ExitStatus::Success)
    }

    fn settings(&self, is_plain: bool) -> Result<Settings, Failure> {
        let language = locale_language();
        let usual = match language {
            Language::English => Notation::Wxf,
            Language::Chinese => Notation::Chinese(Script::Simplified),
        };
        let is_english_text = is_plain && language == Language::English;
        let usual_pieces = if is_english_text { PieceSet::Letters } else { PieceSet::Traditional };
        Ok(Settings {
            move_time: Duration::from_millis(self.movetime),
            options: self.options.clone(),
            rules: option_args::engine(&self.options)?.options().rules,
            notation: self.notation.unwrap_or(usual),
            pieces: self.pieces.unwrap_or(usual_pieces),
            bottom: Color::Red,
            is_ascii: self.ascii,
            // See no-color.org.
            has_colors: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            language,
        })
    }

    /// A game with the side, level and clock that the arguments give.
    fn with_arguments(&self, mut game: Game) -> Game {
        game.engine_plays = self.side.map_or(game.engine_plays, SideName::engine_plays);
        game.level = self.level.unwrap_or(game.level);
        if let Some(ClockArg(control)) = &self.time {
            game.clock = control.map(|control| GameClock::new(control, game.position().plies()));
        }
        for (name, given) in game.names.iter_mut().zip([&self.red, &self.black]) {
            if let Some(given) = given {
                name.clone_from(given);
            }
        }
        if let Some(date) = &self.date {
            game.date.clone_from(date);
        } else if game.date.is_empty() {
            game.date = date(now());
        }
        game
    }
}

/// A new game, with the level and the clock of the last one.
fn first_of(position: Position, last: Option<Game>) -> Game {
    let mut game = Game::new(position);
    if let Some(last) = last {
        game.level = last.level;
        game.clock = last.clock.map(|clock| GameClock::new(clock.control(), game.position().plies()));
    }
    game
}
