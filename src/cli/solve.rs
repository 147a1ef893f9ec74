//! `chuhe solve`: the mates of positions, with all defences.

pub(super) mod json;
mod page;
mod text;

use super::answers::{AnswerArgs, Job};
use super::collection::{Collection, FolderArgs, Plies};
use super::egtb::folders::Folders;
use super::error::{CliError, ExitStatus, Failure};
use super::file_kind::FileKind;
use super::guard::Target;
use super::messages::report_damaged_tables;
use super::names::{LANGUAGES, Threads, named_parser, notation_parser};
use super::save::{Output, with_output};
use super::translate::locale_language;
use crate::analysis::answer::{JsonFormat, SourcedPosition};
use crate::display::count::count;
use crate::display::language::Language;
use crate::egtb::tables::Probe;
use crate::mate::MateSolver;
use crate::mate::solution::{Solution, SolutionLimits};
use crate::notation::{Notation, Script};
use crate::parallel::map_in_order;
use crate::position::{Position, Variant};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::Move;
use crate::types::score::{is_decided, is_mate};
use clap::Args;
use json::JsonSolution;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use text::Writer;

/// Hash table of the search where there is no mate, in megabytes.
const SEARCH_MEGABYTES: usize = 16;
/// Answers of the tree of a solution.
const MAX_ANSWERS: usize = 2_000;

#[derive(Args)]
pub(super) struct Solve {
    /// Positions: `FEN [moves M…]`, quoted or not; files: .FEN, positions one a line (blank lines and lines that begin with # are
    /// skipped), and problems (PGN, XQF, lists of moves), whose first move is compared; folders of these, names with * and ?,
    /// and @LIST, a list of names; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    #[command(flatten)]
    files: FolderArgs,
    /// Find the moves that mate in N moves, not those that mate soonest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=60))]
    mate: Option<u8>,
    /// Print every key and all defences, not only the longest one
    #[arg(long)]
    all: bool,
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions solved in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Memory for the proofs of each thread, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Notation of moves; default: ICCS, in Chinese the Chinese one
    #[arg(long, value_parser = notation_parser())]
    notation: Option<Notation>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Print one line with a JSON object per position: `mate` in moves, or null; `no_mate`, the moves in which there is none;
    /// `keys`, the moves that mate, each with its `replies`, and those with their `answers`. What cannot be read has an object
    /// with `error`, and the exit status is 1
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    answers: AnswerArgs,
    /// Write a page with a diagram of each position and its solution to FILE as well
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    html: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
    /// Language of the text; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
}

impl Solve {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let page: Vec<Target> = self.html.iter().map(|path| Target::New(path, FileKind::Page)).collect();
        let positions = Collection::new(&self.positions, self.files)?;
        let _lock = self.answers.check(&positions, &page)?;
        with_output(self.html.as_deref(), |page| self.solve(positions, page))
    }

    fn solve(&self, positions: Collection, mut page: Option<Output>) -> Result<ExitStatus, Failure> {
        let is_json = self.json || self.answers.has_file();
        let language = self.lang.unwrap_or_else(locale_language);
        let usual = match is_json {
            true => Notation::Iccs,
            false => language.pick(Notation::Iccs, Notation::Chinese(Script::Simplified)),
        };
        let (tables, has_bad) = self.folders.open();
        let writer = Writer { notation: self.notation.unwrap_or(usual), language, all: self.all, mate: self.mate };
        let format =
            JsonFormat { settings: self.description(writer.notation), notation: writer.notation, first_key: "mate" };
        let nodes = self.nodes;
        let limits =
            SolutionLimits { moves: self.mate, nodes, move_nodes: nodes / 10, all: self.all, answers: MAX_ANSWERS };
        let (megabytes, threads) = (usize::from(self.hash), self.threads.count());
        let no_memory = || Failure::from(CliError::Memory(threads * megabytes));
        drop(MateSolver::new(megabytes).ok_or_else(no_memory)?);
        let mut answers = self.answers.open(is_json.then_some(&format), language)?;
        let variant = Variant::promoting(self.promotion);
        let bytes = positions.bytes.clone();
        let jobs = answers.jobs(positions.positions(Plies::First, variant), bytes);
        let has_page = page.is_some();
        let solve = |number, asked: &SourcedPosition| {
            // A solver of its own, so that no answer depends on the positions before it.
            let mut solver = MateSolver::new(megabytes)?;
            let position = &asked.position;
            let solution = solver.solution(position, asked.played, &limits, &|| false);
            let (mut probe, mut by_rule) = (None, None);
            if solution.verdict.mate.is_none() {
                probe = tables.probe(position);
                // Whoever asks for a mate in N moves asks for nothing else.
                by_rule = if probe.is_none() && self.mate.is_none() { won_by_rule(position, nodes / 10) } else { None };
            }
            let found = Found { solution, nodes: solver.nodes(), probe, by_rule };
            let text = (!is_json || has_page).then(|| writer.text(asked, &found));
            let article = text.as_ref().filter(|_| has_page).map(|text| page::solution(number, position, text));
            let json = || format.answer(asked, &JsonSolution::new(position, &found, writer.notation));
            Some((text.filter(|_| !is_json).unwrap_or_else(json), article))
        };
        let worker = || {
            |job: Job| {
                let mut article = None;
                let answer = job.answer(is_json, |number, asked| {
                    let (text, solution) = solve(number, asked).ok_or_else(no_memory)?;
                    article = solution;
                    Ok(text)
                });
                (answer, article)
            }
        };
        if let Some(page) = &mut page {
            page.write(&page::beginning(language))?;
        }
        let mut written = Ok(());
        map_in_order(jobs, threads, worker, &mut |(answer, article)| {
            if let (Some(page), Some(article)) = (&mut page, article) {
                written = page.write(&article);
            }
            match &written {
                Ok(()) => answers.print(answer),
                Err(_) => ControlFlow::Break(()),
            }
        });
        written?;
        let status = answers.finish()?;
        let is_damaged = report_damaged_tables(Some(&tables));
        Ok(if is_damaged || has_bad { ExitStatus::CheckFailed } else { status })
    }

    /// All settings that an answer depends on, as text.
    fn description(&self, notation: Notation) -> String {
        let mut text =
            format!("ChuHe {}, solve, {}, hash {} MB", env!("CARGO_PKG_VERSION"), count(self.nodes, "node"), self.hash);
        text.extend(self.mate.map(|moves| format!(", mate {moves}")));
        text.push_str(if self.all { ", all" } else { "" });
        text.push_str(if self.promotion { ", promotion" } else { "" });
        text + ", " + notation.name()
    }
}

/// The move with which the side to move wins by the rules of repetition, as a search of so many nodes finds.
fn won_by_rule(position: &Position, nodes: u64) -> Option<Move> {
    let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
    let table = TranspositionTable::new(SEARCH_MEGABYTES)?;
    let result = Searcher::new().search(position, &limits, &Signals::new(), &table, &mut |_| {});
    result.best.filter(|_| result.score > 0 && is_decided(result.score) && !is_mate(result.score))
}

/// What was found.
struct Found {
    solution: Solution,
    nodes: u64,
    /// Without a mate, what the endgame tables say.
    probe: Option<Probe>,
    /// Without these, a move that wins by the rules of repetition.
    by_rule: Option<Move>,
}
