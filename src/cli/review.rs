//! `chuhe review`: games looked over, as text, JSON, a page or annotated PGN.

use super::collection::{Collection, FolderArgs};
use super::error::{CliError, ExitStatus, Failure};
use super::exercises::{CLASSES, Exercises, SIDES, asked, task};
use super::file_kind::FileKind;
use super::guard::guard_outputs;
use super::limit_args::LimitArgs;
use super::messages::{report_damaged_tables, write_error};
use super::names::{LANGUAGES, PIECE_SETS, Threads, named_parser, notation_parser};
use super::option_args;
use super::position_argument::SourcedGame;
use super::progress::progress;
use super::report;
use super::review_text::{better_line, played_text, players, score};
use super::save::{Output, with_output};
use super::sheet::Sheet;
use super::text_output;
use super::translate::locale_language;
use crate::analysis::player_report::PlayerReport;
use crate::analysis::positions::AnalysisSettings;
use crate::analysis::review::annotated_pgn::annotated_pgn;
use crate::analysis::review::class::MoveClass;
use crate::analysis::review::ending::ending;
use crate::analysis::review::json::JsonReview;
use crate::analysis::review::reason::Explanation;
use crate::analysis::review::{GameReview, ReviewedPosition, Step, review};
use crate::diagram::{Coordinates, Diagram};
use crate::display::board::PieceSet;
use crate::display::count::count;
use crate::display::json::escape_json;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::engine::options::Setting;
use crate::games::GameRecord;
use crate::games::visible::visible;
use crate::notation::{Notation, Script};
use crate::page;
use crate::position::{Position, Variant};
use crate::types::Color;
use clap::{ArgGroup, Args};
use std::cell::Cell;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

/// Nodes for each position, if no limit is given: about 0.1 s. Not a time, so that the same game is judged alike every time.
const DEFAULT_NODES: u64 = 100_000;

#[derive(Args)]
#[command(group = ArgGroup::new("asked").args(["exercises", "sheet"]).multiple(true))]
pub(super) struct Review {
    /// Games: files (PGN, XQF, lists of moves, games one a line), folders of these, names with * and ?, and @LIST, a list of
    /// names; `startpos moves M…` or `FEN moves M…`, quoted or not; or - for standard input
    #[arg(required = true, value_name = "GAME|FILE")]
    games: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    /// Write a page to look at the games in a browser, one file that needs no network; - for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the games as PGN with evaluations, marks behind bad moves and better lines; - for standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a sheet to print: diagrams of the positions before bad moves in two columns, the better moves at the end; - for
    /// standard output
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// Print a report on the player with this in the name instead of the bad moves, over all games of the player: results,
    /// accuracy, kinds of bad moves, openings, endgames. Others are left out. --sheet has its ten positions to work on, --json
    /// the report as one object
    #[arg(long, value_name = "NAME", conflicts_with_all = ["exercises", "side", "least"])]
    report: Option<String>,
    /// Print one line with a JSON object per game instead of the bad moves. Scores (`cp` in centipawns, `mate` in moves) and
    /// `expected`, the expected points from 0 to 1, are Red's; `loss` is what a move loses of its side's
    #[arg(long)]
    json: bool,
    /// Ask on the terminal for better moves than the bad ones, instead of listing them
    #[arg(long, conflicts_with = "json")]
    exercises: bool,
    /// With --exercises or --sheet, only the moves of this side
    #[arg(long, requires = "asked", value_parser = named_parser(SIDES))]
    side: Option<Color>,
    /// With --exercises or --sheet, the least of the bad moves
    #[arg(long, value_name = "CLASS", default_value = "mistake", value_parser = named_parser(CLASSES), requires = "asked")]
    least: &'static [MoveClass],
    /// With --exercises or --sheet, what is written on the pieces; default: as in `play` and in `board`
    #[arg(long, requires = "asked", value_parser = named_parser(PIECE_SETS))]
    pieces: Option<PieceSet>,
    #[command(flatten)]
    limits: LimitArgs<0, DEFAULT_NODES>,
    /// Positions searched in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Hash table of each thread, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: u32,
    /// Set an option that changes what a search finds, as `setoption` does; may be repeated: EvalFile, EGTB Paths, Use
    /// EGTB, Repetition Rule, Move Limit, Checks Count, Counted Checks, Style, Pruning, Knowledge, Idle
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = review_option)]
    options: Vec<Setting>,
    /// Notation of moves; default: in the text and on the page that of the language, WXF or Chinese, and in PGN ICCS
    #[arg(long, value_parser = notation_parser())]
    notation: Option<Notation>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Language of the texts, and in which the page opens; default: that of the locale, and of the browser
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

/// Options for which the command has an argument.
const OWN_ARGUMENTS: &[(&str, &str)] =
    &[("threads", "--threads"), ("hashsize", "--hash"), ("promotion", "--promotion")];

fn review_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_search, OWN_ARGUMENTS)
}

/// What the numbers of the text mean, in English and Chinese.
const LEGEND: [&str; 2] = [
    "Scores are Red's, in pawns (at +1.00 Red wins every second game); #3: Red mates in 3 moves, #-3: Black does.",
    "评分对红方而言，以兵为单位（+1.00 时红方每两局胜一局）；#3：红方3着杀，#-3：黑方3着杀。",
];

impl Review {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let games = Collection::new(&self.games, self.folders)?;
        let outputs = [(&self.html, FileKind::Page), (&self.pgn, FileKind::Pgn), (&self.sheet, FileKind::Page)];
        let (_locks, to_standard_output) = guard_outputs(&games.files(), &outputs)?;
        // Before long work.
        games.check_files()?;
        with_output(self.html.as_deref(), |html| {
            with_output(self.pgn.as_deref(), |pgn| {
                with_output(self.sheet.as_deref(), |sheet| {
                    let sheet = sheet.map(|sheet| Sheet::new(sheet, self.language())).transpose()?;
                    self.write_reviews(games, html, pgn, sheet, to_standard_output)
                })
            })
        })
    }

    /// Looks the games over one after the other, and writes each to the outputs.
    fn write_reviews(
        &self,
        games: Collection,
        mut html: Option<Output>,
        mut pgn: Option<Output>,
        mut sheet: Option<Sheet>,
        to_standard_output: bool,
    ) -> Result<ExitStatus, Failure> {
        let search = option_args::engine(&self.options)?.analysis_settings();
        let settings = AnalysisSettings {
            limits: self.limits.limits(search),
            threads: self.threads.count(),
            hash_kilobytes: (self.hash as usize) << 10,
        };
        let language = self.language();
        let pieces = self.pieces.unwrap_or(language.pick(PieceSet::Letters, PieceSet::Traditional));
        let mut exercises =
            self.exercises.then(|| Exercises::new(self.side, self.least, self.text_notation(), pieces, language));
        let (before, after) = page::frame(self.lang, self.notation);
        let bar = progress(0, "positions");
        // Of all games, as many as there may be if the rest is like what has been read.
        let (bytes, known) = (games.bytes.clone(), Cell::new(0));
        let add = |positions: usize| {
            known.set(known.get() + positions as u64);
            bar.set_length(bytes.estimate(known.get()).unwrap_or(known.get()));
        };
        let mut progressed = |step| match step {
            Step::More(positions) => add(positions),
            Step::Searched => bar.inc(1),
        };
        let mut report = self.report.is_some().then(PlayerReport::default);
        if !to_standard_output && !self.json && !self.exercises && report.is_none() {
            let [english, chinese] = LEGEND;
            writeln!(text_output::stdout(), "{}", language.pick(english, chinese))?;
        }
        let (mut is_first, mut is_written, mut status) = (true, false, ExitStatus::Success);
        let messages = Messages::new(language);
        let variant = Variant::promoting(self.promotion);
        let sources = if self.json { Language::English } else { language };
        for sourced in games.games(sources, variant) {
            let SourcedGame { source, game, .. } = sourced?;
            if let Some(error) = game.as_ref().map_or_else(Some, |game| game.error.as_ref()) {
                let error = messages.text(error);
                bar.suspend(|| write_error(format_args!("{source}{}{error}\n", language.colon())));
                status = ExitStatus::CheckFailed;
            }
            let Ok(game) = game else { continue };
            let sides = self.sides_of_player(&game);
            if report.is_some() && sides.is_empty() {
                continue;
            }
            let moves = game.moves();
            // Of another nothing could be read.
            let is_read = game.error.is_none() || !moves.is_empty();
            add(moves.len() + 1);
            let reviewed = review(&game.start, &moves, &settings, &mut progressed).map_err(CliError::Memory)?;
            let json = || JsonReview::new(&source, &game, &reviewed).line();
            let separator = if is_first { "" } else { "\n" };
            if let Some(report) = &mut report {
                sides.into_iter().for_each(|side| report.add(&source, side, game.result, &reviewed));
            } else if let Some(exercises) = &mut exercises {
                bar.suspend(|| exercises.set(&reviewed.positions))?;
            } else if !to_standard_output {
                bar.suspend(|| match self.json {
                    true => writeln!(io::stdout(), "{}", escape_json(&json())),
                    false => {
                        writeln!(text_output::stdout(), "{separator}{}", self.text(&source, &game, &reviewed))
                    }
                })?;
            }
            if let Some(pgn) = pgn.as_mut().filter(|_| is_read) {
                pgn.write(if is_written { "\n" } else { "" })?;
                let notation = self.notation.unwrap_or(Notation::Iccs);
                pgn.write(&annotated_pgn(&reviewed, &game, notation, language))?;
            }
            if let Some(html) = html.as_mut().filter(|_| is_read) {
                html.write(if is_written { "" } else { &before })?;
                page::game(&json(), !is_written).try_for_each(|piece| html.write(piece))?;
            }
            if let Some(sheet) = sheet.as_mut().filter(|_| report.is_none()) {
                self.add_exercises(sheet, &source, &game, &reviewed)?;
            }
            is_first = false;
            is_written |= is_read;
            if exercises.as_ref().is_some_and(Exercises::is_over) {
                break;
            }
        }
        bar.finish_and_clear();
        exercises.map_or(Ok(()), |exercises| exercises.finish())?;
        if !is_written && report.is_none() && (html.is_some() || pgn.is_some() || sheet.is_some()) {
            return Err(CliError::NoGame.into());
        }
        if let (Some(report), Some(name)) = (&report, &self.report) {
            if !is_written {
                return Err(CliError::NoPlayer(name.clone()).into());
            }
            self.write_report(name, report, sheet.as_mut(), to_standard_output)?;
        }
        sheet.map_or(Ok(()), Sheet::finish)?;
        html.as_mut().map_or(Ok(()), |html| html.write(&after))?;
        let is_damaged = report_damaged_tables(settings.limits.settings.tables.as_deref());
        Ok(if is_damaged { ExitStatus::CheckFailed } else { status })
    }

    fn language(&self) -> Language {
        self.lang.unwrap_or_else(locale_language)
    }

    /// The notation of the text.
    fn text_notation(&self) -> Notation {
        self.notation.unwrap_or(self.language().pick(Notation::Wxf, Notation::Chinese(Script::Simplified)))
    }

    /// Adds the positions before bad moves of a game to a sheet, as exercises.
    fn add_exercises(
        &self,
        sheet: &mut Sheet,
        source: &str,
        game: &GameRecord,
        review: &GameReview,
    ) -> Result<(), Failure> {
        let language = self.language();
        let players = players(game, language).unwrap_or_else(|| source.to_string());
        let positions = &review.positions;
        for (index, before) in asked(positions, self.side, self.least) {
            self.add_exercise(sheet, &players, index, [&positions[0], before, &positions[index + 1]])?;
        }
        Ok(())
    }

    /// Adds the position before the bad move `index` of a game; `positions`: the first one of the game, that one and the next.
    fn add_exercise(
        &self,
        sheet: &mut Sheet,
        players: &str,
        index: usize,
        [first, before, after]: [&ReviewedPosition; 3],
    ) -> Result<(), Failure> {
        let (language, notation, start) = (self.language(), self.text_notation(), &first.position);
        let side = before.position.side();
        let mut diagram = Diagram::new(before.position.clone());
        (diagram.coordinates, diagram.flipped) = (Coordinates::Files, side == Color::Black);
        diagram.pieces = self.pieces.unwrap_or_default();
        let played = played_text(index, start, before, notation).unwrap_or_default();
        let task = task(&played, side, language);
        let caption = format!("{players}{}{task}", language.colon());
        let answer = bad_move(index, start, before, after, notation, language);
        sheet.add(&diagram, &caption, answer.as_deref())
    }

    /// The sides that the player of --report has in a game.
    fn sides_of_player(&self, game: &GameRecord) -> Vec<Color> {
        let Some(name) = self.report.as_ref().map(|name| name.to_lowercase()) else { return Vec::new() };
        let is_it = |side: &Color| game.player(*side).is_some_and(|player| player.to_lowercase().contains(&name));
        Color::ALL.into_iter().filter(is_it).collect()
    }

    fn write_report(
        &self,
        name: &str,
        report: &PlayerReport,
        sheet: Option<&mut Sheet>,
        to_standard_output: bool,
    ) -> Result<(), Failure> {
        let text = report::text(name, report, self.language());
        if !to_standard_output {
            match self.json {
                true => {
                    writeln!(io::stdout(), "{}", report::json(name, report, self.notation.unwrap_or(Notation::Iccs)))?
                }
                false => write!(text_output::stdout(), "{text}{}", self.work_text(report))?,
            }
        }
        let Some(sheet) = sheet else { return Ok(()) };
        sheet.write_text(&text)?;
        for item in &report.items {
            self.add_exercise(sheet, &item.source, item.index, [&item.first, &item.before, &item.after])?;
        }
        Ok(())
    }

    /// The positions to work on, a bad move each.
    fn work_text(&self, report: &PlayerReport) -> String {
        let (language, notation) = (self.language(), self.text_notation());
        let mut text = String::new();
        for item in &report.items {
            let start = &item.first.position;
            let Some(line) = bad_move(item.index, start, &item.before, &item.after, notation, language) else {
                continue;
            };
            let _ = writeln!(text, "{}{}\n  {line}", item.source, language.colon().trim_end());
        }
        let title = language.pick("to work on:", "需要研究的局面：");
        if text.is_empty() { text } else { format!("{title}\n{text}") }
    }

    /// The game's names, event, opening, accuracy, bad moves and end, without a newline at the end.
    fn text(&self, source: &str, game: &GameRecord, review: &GameReview) -> String {
        let language = self.language();
        let notation = self.text_notation();
        let mut text = source.to_string();
        if let Some(players) = players(game, language) {
            let _ = write!(text, "{}{players}", language.colon());
        }
        let event: Vec<String> = ["Event", "Date"].iter().filter_map(|name| game.tag(name)).map(visible).collect();
        if !event.is_empty() {
            let _ = write!(text, "\n  {}", event.join(language.pick(", ", "，")));
        }
        if game.tree.lines() > 1 {
            let variations = count(game.tree.lines() - 1, "variation");
            let note = language.pick(
                format!("{variations} of the record not reviewed"),
                format!("棋谱另有{}个变着，未复盘", game.tree.lines() - 1),
            );
            let _ = write!(text, "\n  {note}");
        }
        if let Some(opening) = review.opening {
            let name = language.pick(opening.english.to_string(), opening.chinese());
            let _ = write!(text, "\n  {} {name}", opening.code);
        }
        if let [position] = &review.positions[..] {
            if !position.best.is_empty() {
                let line = better_line(position, notation);
                let (score, label) = (score(position, language), language.pick("best:", "最佳变例："));
                let depth = language.pick("depth", "深度");
                let _ = write!(text, "\n  {score}  {label} {line}  ({depth} {})", position.depth);
            }
            let _ = write!(text, "\n  {}", ending(game, &review.status, language));
            return text;
        }
        let accuracy = Color::ALL.map(|side| {
            let value = review.accuracy(side).map_or("–".to_string(), |accuracy| format!("{accuracy:.1} %"));
            format!("{} {value}", language.side(side))
        });
        let _ =
            write!(text, "\n  {} {}", language.pick("accuracy:", "准确率："), accuracy.join(language.pick(", ", "，")));
        for (index, pair) in review.positions.windows(2).enumerate() {
            if let Some(line) = bad_move(index, &review.positions[0].position, &pair[0], &pair[1], notation, language) {
                let _ = write!(text, "\n  {line}");
            }
        }
        let _ = write!(text, "\n  {}", ending(game, &review.status, language));
        text
    }
}

/// A bad move, the scores before and after it, and the better line; `None` for other moves.
fn bad_move(
    index: usize,
    start: &Position,
    before: &ReviewedPosition,
    after: &ReviewedPosition,
    notation: Notation,
    language: Language,
) -> Option<String> {
    let played = played_text(index, start, before, notation)?;
    let scores = format!("{} → {}", score(before, language), score(after, language));
    let told = |reason: &Explanation| format!("\n     {}", reason.text(language, notation));
    let reason = before.reason.as_ref().map_or(String::new(), told);
    let better = language.pick("better:", "应走：");
    Some(format!("{played}  {scores}  {better} {}{reason}", better_line(before, notation)))
}
