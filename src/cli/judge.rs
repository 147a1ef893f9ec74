//! `chuhe judge`: the verdicts of games by the rules.

use super::collection::{Collection, FolderArgs};
use super::error::{ExitStatus, Failure};
use super::judged_json::{JudgedGame, RefusedGame, agrees};
use super::messages::{report_damaged_tables, write_error};
use super::names::{LANGUAGES, named_parser};
use super::position_argument::SourcedGame;
use super::rules_args::RulesArgs;
use super::text_output;
use super::translate::locale_language;
use crate::display::json::json_line;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::display::move_class::cycle;
use crate::display::table_value::table_value;
use crate::display::verdict::{verdict, warning};
use crate::egtb::tables::{Probe, Tables};
use crate::engine::endgames;
use crate::games::visible::visible;
use crate::games::{GameRecord, ReadError};
use crate::notation::Ranks;
use crate::position::Variant;
use crate::rules::chinese::classify_moves;
use crate::rules::game_status::{GameStatus, judge};
use crate::rules::recurring::Recurring;
use crate::rules::{Repetition, recurrence};
use crate::types::Color;
use clap::Args;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Judge {
    /// Games: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; files of games (one a line,
    /// PGN, XQF, lists of moves), folders of these, names with * and ?, and @LIST, a list of names; without any, standard
    /// input, read as a file
    #[arg(value_name = "GAME|FILE")]
    games: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// A folder of endgame tables for games that are not over, used besides those that are built in; may be repeated
    /// [default: `egtb` in the working folder, or else beside the program]
    #[arg(long, value_name = "FOLDER")]
    egtb: Vec<PathBuf>,
    /// Print one line with a JSON object per game: `result` (`red`, `black`, `draw`, `ongoing`), the verdict in English and
    /// Chinese, whether it `agrees` with the result that the record has, by the Chinese rules `cycle`, the class of
    /// each move of the repetition, `recurring`, who must deviate from a repetition and by which moves, and `table`, what the endgame tables say of an ongoing game
    #[arg(long)]
    json: bool,
    /// Language of the verdicts; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

impl Judge {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        // JSON is in UTF-8 and the same in every locale.
        let mut out: Box<dyn Write> = if self.json { Box::new(io::stdout()) } else { Box::new(text_output::stdout()) };
        let mut status = ExitStatus::Success;
        let language = self.lang.unwrap_or_else(locale_language);
        let messages = Messages::new(language);
        let (tables, bad) = endgames::open(&self.egtb);
        bad.iter().for_each(|bad| write_error(messages.text(bad) + "\n"));
        if !self.egtb.is_empty() && !bad.is_empty() {
            status = ExitStatus::CheckFailed;
        }
        let input = ["-".into()];
        let games = if self.games.is_empty() { &input[..] } else { &self.games };
        let games = Collection::new(games, self.folders)?.showing(true);
        let bar = games.bar.clone();
        let mut print = |game: Result<GameRecord, ReadError>, source: &str, is_record: bool| -> io::Result<()> {
            match game {
                Ok(game) => writeln!(out, "{}", self.judge(&game, source, is_record, &tables, language)),
                Err(error) => {
                    let text = messages.text(&error);
                    bar.suspend(|| write_error(format_args!("{source}{}{text}\n", language.colon())));
                    status = ExitStatus::CheckFailed;
                    if self.json {
                        return writeln!(out, "{}", json_line(&RefusedGame { source, error: &error.to_string() }));
                    }
                    if io::stdout().is_terminal() {
                        return Ok(());
                    }
                    // One line per game, so that output lines match input lines.
                    writeln!(out, "{}{}{text}", language.pick("error", "错误"), language.colon())
                }
            }
        };
        let sources = if self.json { Language::English } else { language };
        for game in games.games(sources, Variant::promoting(self.promotion)) {
            let SourcedGame { source, game, is_record, .. } = game?;
            print(game.and_then(GameRecord::whole), &source, is_record)?;
        }
        Ok(if report_damaged_tables(Some(&tables)) { ExitStatus::CheckFailed } else { status })
    }

    /// The verdict on a game. That of a record begins with its source and names, and ends with the record's result if it
    /// is another.
    fn judge(&self, game: &GameRecord, source: &str, is_record: bool, tables: &Tables, language: Language) -> String {
        let position = &game.position();
        let (rules, occurrences) = (self.rules.rules(), self.rules.occurrences());
        let status = judge(position, &rules, occurrences);
        let is_repetition = rules.repetition == Repetition::Chinese && !position.has_no_moves();
        let plies = is_repetition.then(|| recurrence(position, occurrences)).flatten();
        let moves = plies.map_or_else(Vec::new, |plies| classify_moves(position, plies));
        let recurring = Recurring::of(position, &rules, occurrences);
        let is_in_time =
            |probe: &Probe| probe.value.min_plies() <= rules.move_limit.saturating_sub(position.quiet_plies());
        let probe = (status == GameStatus::Ongoing).then(|| tables.probe(position)).flatten().filter(is_in_time);
        if self.json {
            let table = probe.map(|probe| table_value(&probe, position.side(), Language::English));
            return json_line(&JudgedGame::new(source, game, &status, &moves, recurring.as_ref(), table));
        }
        let mut text = String::new();
        if is_record {
            text += &format!("{source}{}", language.colon());
            if let [Some(red), Some(black)] = Color::ALL.map(|side| game.player(side)) {
                text += &format!("{} – {}{}", visible(red), visible(black), language.colon());
            }
        }
        text += &verdict(&status, language);
        if agrees(&status, game.result) == Some(false) {
            let recorded = game.result.text();
            text += &language.pick(format!("; the record says {recorded}"), format!("；棋谱记为 {recorded}"));
        }
        if !moves.is_empty() {
            text += &format!("{}{}", language.pick("; ", "；"), cycle(&moves, language));
        }
        if let Some(recurring) = recurring {
            text += &format!("{}{}", language.pick("; ", "；"), warning(&recurring, Ranks::FromZero, language));
        }
        if let Some(probe) = probe {
            let value = table_value(&probe, position.side(), language);
            text.push_str(&language.pick(format!("; endgame table: {value}"), format!("；残局库：{value}")));
        }
        text
    }
}
