//! `chuhe judge`: the verdicts of games by the rules.

use super::error::{CliError, ExitStatus};
use crate::display::verdict::{Language, verdict};
use crate::engine::game_setup::GameSetup;
use crate::position::Variant;
use crate::rules::game_status::judge;
use crate::rules::{MOVE_LIMIT, Repetition, Rules};
use clap::{Args, ValueEnum};
use std::io::{self, BufRead, Write};

#[derive(Args)]
pub struct Judge {
    /// Games, as `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints; without any, one per line from standard
    /// input
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Number of occurrences of a position that end the game; 4 in the league
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..))]
    occurrences: u8,
    /// The repetition rules: World Xiangqi Federation, UCCI league, or perpetual check only
    #[arg(long, value_enum, default_value_t = RuleName::Asian)]
    repetition: RuleName,
    /// The move limit: plies without a capture after which the game is drawn
    #[arg(long, value_name = "PLIES", default_value_t = MOVE_LIMIT)]
    move_limit: u32,
    /// Do not count checks and the replies to them towards the move limit
    #[arg(long)]
    without_checks: bool,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Language of the verdicts' reasons
    #[arg(long, value_enum, default_value_t = LanguageName::En)]
    lang: LanguageName,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleName {
    Asian,
    League,
    Plain,
}

#[derive(Clone, Copy, ValueEnum)]
enum LanguageName {
    En,
    Zh,
}

impl Judge {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let mut out = io::stdout().lock();
        let mut status = ExitStatus::Success;
        let mut print = |game: &str, source: &dyn std::fmt::Display| -> io::Result<()> {
            match self.judge(game) {
                Ok(text) => writeln!(out, "{text}"),
                Err(error) => {
                    // One line per game, so that output lines match input lines.
                    eprintln!("{source}: {error}");
                    status = ExitStatus::CheckFailed;
                    writeln!(out, "error: {error}")
                }
            }
        };
        for game in &self.games {
            print(game, &"command line")?;
        }
        if self.games.is_empty() {
            for (number, line) in (1..).zip(io::stdin().lock().lines()) {
                let line = line.map_err(|error| CliError::File("standard input".into(), error))?;
                if !line.trim().is_empty() && !line.starts_with('#') {
                    print(&line, &format_args!("line {number}"))?;
                }
            }
        }
        Ok(status)
    }

    fn judge(&self, game: &str) -> Result<String, String> {
        let setup = GameSetup::read_loosely(game).ok_or("a game begins with a FEN or startpos")?;
        let position = setup.game(Variant::promoting(self.promotion)).map_err(|error| error.to_string())?;
        let rules = Rules {
            repetition: match self.repetition {
                RuleName::Asian => Repetition::Asian,
                RuleName::League => Repetition::League,
                RuleName::Plain => Repetition::Plain,
            },
            move_limit: self.move_limit,
            checks_count: !self.without_checks,
        };
        let language = match self.lang {
            LanguageName::En => Language::English,
            LanguageName::Zh => Language::Chinese,
        };
        Ok(verdict(&judge(&position, &rules, self.occurrences as usize), language))
    }
}
