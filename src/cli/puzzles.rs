//! `chuhe puzzles`: exercises from the mistakes of games.

use super::answers::{AnswerArgs, Job};
use super::collection::{Collection, FolderArgs, Plies};
use super::error::{CliError, ExitStatus, Failure};
use super::file_kind::FileKind;
use super::guard::Target;
use super::names::{LANGUAGES, Threads, named_parser, notation_parser};
use super::option_args;
use super::save::{Output, with_output};
use super::solve::json::JsonAttacking;
use super::translate::locale_language;
use crate::analysis::answer::{JsonFormat, SourcedPosition};
use crate::analysis::puzzle::{self, Kind, Puzzle, PuzzleMaker};
use crate::analysis::review::GameReview;
use crate::analysis::review::json::JsonReview;
use crate::display::count::count;
use crate::display::json::JsonScore;
use crate::display::language::Language;
use crate::engine::options::Setting;
use crate::games::GameRecord;
use crate::games::pgn_writer;
use crate::games::tree::{MoveTree, NodeId};
use crate::mate::solution::Attacking;
use crate::notation::{Notation, Script};
use crate::page;
use crate::parallel::map_in_order;
use crate::position::Variant;
use crate::search::limits::Limits;
use crate::types::Move;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::collections::HashSet;
use std::ffi::OsString;
use std::ops::ControlFlow;

#[derive(Args)]
#[command(mut_arg("output", |argument| argument.help("Write to FILE: .pgn, .html (a page with exercises), or else JSON objects")))]
pub(super) struct Puzzles {
    /// Games: files (PGN, XQF, lists of moves, games one a line), folders of these, names with * and ?, and @LIST, a list of
    /// names; `startpos moves M…` or `FEN moves M…`, quoted or not; or - for standard input
    #[arg(required = true, value_name = "GAME|FILE")]
    games: Vec<OsString>,
    #[command(flatten)]
    folders: FolderArgs,
    /// Nodes for each position of a game; solutions are searched with twenty times as many
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Only exercises of this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::known()))]
    kinds: Vec<String>,
    /// At most so many exercises
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max: Option<u32>,
    /// Games searched in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Set an option that changes what a search finds, as `setoption` does; may be repeated: as in `review`
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = puzzle_option)]
    options: Vec<Setting>,
    /// Notation of moves; default: ICCS, in Chinese the Chinese one
    #[arg(long, value_parser = notation_parser())]
    notation: Option<Notation>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Print one line with a JSON object per game, with its `puzzles`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    answers: AnswerArgs,
    /// Language of the texts, and in which the page opens; default: that of the locale, and of the browser
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

fn puzzle_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_search, &[("threads", "--threads"), ("promotion", "--promotion")])
}

/// An exercise, and for the page its review.
struct Found {
    puzzle: Puzzle,
    review: Option<GameReview>,
}

impl Puzzles {
    pub(super) fn run(mut self) -> Result<ExitStatus, Failure> {
        let html = self.answers.take_file("html");
        let pgn = self.answers.take_file("pgn");
        if self.answers.resumes() && !self.answers.has_file() {
            return Err(CliError::NoResume.into());
        }
        let page = html.iter().map(|path| Target::New(path, FileKind::Page));
        let others: Vec<Target> = page.chain(pgn.iter().map(|path| Target::New(path, FileKind::Pgn))).collect();
        let games = Collection::new(&self.games, self.folders)?;
        let _lock = self.answers.check(&games, &others)?;
        with_output(html.as_deref(), |html| with_output(pgn.as_deref(), |pgn| self.write(games, html, pgn)))
    }

    fn write(
        &self,
        games: Collection,
        mut html: Option<Output>,
        mut pgn: Option<Output>,
    ) -> Result<ExitStatus, Failure> {
        let is_json = self.json || self.answers.has_file();
        let language = self.lang.unwrap_or_else(locale_language);
        let usual = match is_json {
            true => Notation::Iccs,
            false => language.pick(Notation::Iccs, Notation::Chinese(Script::Simplified)),
        };
        let notation = self.notation.unwrap_or(usual);
        let settings = option_args::engine(&self.options)?.analysis_settings();
        let limits = Limits { settings, ..Limits::default() };
        let format = JsonFormat { settings: self.description(notation), notation, first_key: "puzzles" };
        let earlier = self.answers.earlier();
        let puzzles = earlier.iter().filter_map(|answer| answer["puzzles"].as_array()).flatten();
        let mut seen: HashSet<String> = puzzles.filter_map(|it| it["fen"].as_str()).map(puzzle::key).collect();
        let mut left = self.max.map_or(usize::MAX, |max| max as usize).saturating_sub(seen.len());
        let mut answers = self.answers.open(is_json.then_some(&format), language)?;
        let variant = Variant::promoting(self.promotion);
        let bytes = games.bytes.clone();
        let jobs = answers.jobs(games.positions(Plies::Last, variant), bytes);
        let has_page = html.is_some();
        let worker = || {
            let mut maker = PuzzleMaker::new(&limits, self.nodes);
            move |job: Job| {
                let Job::Position(_, asked) = &job else { return Ok((job, Vec::new())) };
                let maker = maker.as_mut().map_err(|megabytes| *megabytes)?;
                let is_wanted =
                    |puzzle: &Puzzle| self.kinds.is_empty() || self.kinds.iter().any(|kind| puzzle.kind.is(kind));
                let puzzles = maker.puzzles(&asked.position)?.into_iter().filter(is_wanted);
                let found = puzzles.map(|puzzle| {
                    let review = has_page.then(|| maker.reviewed(&puzzle)).transpose()?;
                    Ok(Found { puzzle, review })
                });
                found.collect::<Result<Vec<_>, usize>>().map(|found| (job, found))
            }
        };
        let (before, after) = page::frame(self.lang, self.notation);
        html.as_mut().map_or(Ok(()), |html| html.write(&before))?;
        let (mut failure, mut is_first) = (None, true);
        map_in_order(jobs, self.threads.count(), worker, &mut |found: Result<(Job, Vec<Found>), usize>| {
            let (job, mut found) = match found {
                Ok(found) => found,
                Err(megabytes) => {
                    failure = Some(CliError::Memory(megabytes).into());
                    return ControlFlow::Break(());
                }
            };
            found.retain(|it| seen.insert(it.puzzle.key()));
            found.truncate(left);
            left -= found.len();
            let mut write = |source: &str| -> Result<(), Failure> {
                for Found { puzzle, review } in &found {
                    let record = record(source, puzzle, language);
                    if let Some(pgn) = &mut pgn {
                        pgn.write(&format!(
                            "{}{}\n",
                            if is_first { "" } else { "\n" },
                            pgn_writer::write(&record, notation)
                        ))?;
                    }
                    if let (Some(html), Some(review)) = (&mut html, review) {
                        let [_, kind @ ..] = puzzle.kind.names();
                        let json = JsonReview::new(source, &record, review);
                        let json = json.into_exercise(kind, puzzle.level, puzzle.nodes).line();
                        page::game(&json, is_first).try_for_each(|piece| html.write(piece))?;
                    }
                    is_first = false;
                }
                Ok(())
            };
            let answer = job.answer(is_json, |_, asked| {
                write(&asked.source)?;
                Ok(match is_json {
                    true => format.answer(asked, &JsonPuzzles::new(&found, notation)),
                    false => text(asked, &found, notation, language),
                })
            });
            answers.print(answer)?;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        html.as_mut().map_or(Ok(()), |html| html.write(&after))?;
        failure.map_or_else(|| answers.finish(), Err)
    }

    /// All settings that an answer depends on, as text.
    fn description(&self, notation: Notation) -> String {
        let mut text = format!("ChuHe {}, puzzles, {} nodes", env!("CARGO_PKG_VERSION"), self.nodes);
        text.extend(self.options.iter().map(|option| format!(", {option:?}")));
        text.extend(self.kinds.iter().map(|kind| format!(", {kind}")));
        text.push_str(if self.promotion { ", promotion" } else { "" });
        text + ", " + notation.name()
    }
}

#[derive(Serialize)]
struct JsonPuzzles {
    puzzles: Vec<JsonPuzzle>,
}

#[derive(Serialize)]
struct JsonPuzzle {
    /// Plies of the game before the mistake.
    ply: usize,
    before: String,
    mistake: String,
    /// The position to be solved.
    fen: String,
    solution: Vec<String>,
    kind: &'static str,
    /// The solver's.
    #[serde(flatten)]
    score: JsonScore,
    nodes: u64,
    level: Option<usize>,
    /// Of a mate in few moves: the moves that mate, with all defences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<JsonAttacking>,
}

impl JsonPuzzles {
    fn new(found: &[Found], notation: Notation) -> JsonPuzzles {
        let puzzle = |Found { puzzle, .. }: &Found| {
            let position = puzzle.position();
            let keys = puzzle.defences.iter().flat_map(|solution| &solution.keys);
            JsonPuzzle {
                ply: puzzle.ply,
                before: puzzle.before.to_fen(),
                mistake: notation.write(&puzzle.before, puzzle.mistake),
                fen: position.to_fen(),
                solution: notation.write_line(&position, &puzzle.solution),
                kind: puzzle.kind.names()[0],
                score: JsonScore::of(puzzle.score),
                nodes: puzzle.nodes,
                level: puzzle.level,
                keys: keys.map(|key| JsonAttacking::new(&position, key, notation)).collect(),
            }
        };
        JsonPuzzles { puzzles: found.iter().map(puzzle).collect() }
    }
}

/// A line for each exercise of a game.
fn text(asked: &SourcedPosition, found: &[Found], notation: Notation, language: Language) -> String {
    let line = |Found { puzzle, .. }: &Found| {
        let solution = notation.write_line(&puzzle.position(), &puzzle.solution).join(" ");
        format!("\n  {}  {solution}\n    {}", facts(puzzle, language), puzzle.position().to_fen())
    };
    let number = language.pick(count(found.len(), "exercise"), format!("{}题", found.len()));
    asked.source.clone() + language.colon() + &number + &found.iter().map(line).collect::<String>()
}

/// The ply, the kind and the level of an exercise.
fn facts(puzzle: &Puzzle, language: Language) -> String {
    let [_, english, chinese] = puzzle.kind.names();
    let level = puzzle.level.map_or(language.pick("full strength", "最强").to_string(), |level| {
        language.pick(format!("level {level}"), format!("{level}级"))
    });
    language.pick(
        format!("ply {}: {english}, {level}", puzzle.ply + 1),
        format!("第{}步：{chinese}，{level}", puzzle.ply + 1),
    )
}

/// The exercise as a game: the mistake, the solution, and the defences as variations.
fn record(source: &str, puzzle: &Puzzle, language: Language) -> GameRecord {
    let mut record = GameRecord::new(puzzle.before.clone());
    let tree = &mut record.tree;
    let mistake = tree.add(MoveTree::ROOT, puzzle.mistake);
    tree.set_glyph(mistake, puzzle.class.mark().map_or(0, |(_, glyph)| glyph));
    puzzle.solution.iter().fold(mistake, |node, &mv| tree.add(node, mv));
    for key in puzzle.defences.iter().flat_map(|solution| &solution.keys) {
        add(tree, mistake, key);
    }
    let event = language.pick(format!("{source}, ply {}", puzzle.ply + 1), format!("{source}，第{}步", puzzle.ply + 1));
    let level = puzzle.level.map_or(String::new(), |level| level.to_string());
    let tags = [("Event", event), ("Kind", puzzle.kind.names()[0].to_string()), ("Level", level)];
    record.tags = tags
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_string(), value))
        .collect();
    record
}

/// Adds a move that mates and its defences, where the tree lacks them.
fn add(tree: &mut MoveTree, parent: NodeId, attacking: &Attacking) {
    let child = |tree: &mut MoveTree, parent, mv: Move| tree.child(parent, mv).unwrap_or_else(|| tree.add(parent, mv));
    let node = child(tree, parent, attacking.mv);
    for reply in &attacking.replies {
        let after = child(tree, node, reply.mv);
        reply.answers.iter().for_each(|answer| add(tree, after, answer));
    }
}
