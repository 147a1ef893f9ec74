//! `chuhe analyse`: prints the best lines of positions.

use super::answers::{AnswerArgs, Job};
use super::collection::{ChoiceArgs, Collection};
use super::error::{CliError, ExitStatus, Failure};
use super::limit_args::LimitArgs;
use super::messages::report_damaged_tables;
use super::names::{LANGUAGES, Threads, named_parser, notation_parser};
use super::option_args;
use super::translate::locale_language;
use crate::analysis::answer::{Analysis, JsonFormat, SourcedPosition};
use crate::analysis::criterion::Criterion;
use crate::analysis::positions::{self, AnalysisSettings};
use crate::display::columns::right_aligned;
use crate::display::count::count;
use crate::display::language::Language;
use crate::display::score::{SCORE_WIDTH, score_text};
use crate::engine::options::Setting;
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::search::limits::Limits;
use crate::search::report::Iteration;
use clap::Args;
use std::ffi::OsString;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Milliseconds for each position, if no limit is given.
const DEFAULT_TIME: u64 = 1000;
/// Maximum number of moves of a line in a table.
const MAX_MOVES_SHOWN: usize = 12;
/// What the numbers of a table mean, in English and Chinese.
const LEGEND: [&str; 2] = [
    "Scores are for the side to move, in pawns (at +1.00 it wins every second game); #3: it mates in 3 moves, #-3: it is \
     mated; wins by rule: the other side has only repetitions that lose. Depth: plies / deepest line.",
    "评分对走棋方而言，以兵为单位（+1.00 时每两局胜一局）；#3：3着杀，#-3：3着被杀；按规则胜：对方只有犯禁的重复着法。\
     深度：半回合数 / 最深变例。",
];
/// The first line of a table, in English and Chinese.
const HEADER: [&str; 2] =
    ["          score  depth       nodes       ms  line", "           评分   深度        节点     毫秒  变例"];

#[derive(Args)]
pub(super) struct Analyse {
    /// Positions: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; files: .FEN, positions
    /// one a line (blank lines and lines that begin with # are skipped), and games (PGN, XQF, lists of moves), of which
    /// every position is analysed; folders of these, names with * and ?, and @LIST, a list of names; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Of games (PGN, XQF, lists of moves), analyse only the final position
    #[arg(long, conflicts_with = "ply")]
    last: bool,
    #[command(flatten)]
    limits: LimitArgs<DEFAULT_TIME, 0>,
    /// Number of best moves printed per position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    multipv: u8,
    /// Positions analysed in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Hash table of each thread, in megabytes [default: 64, or less if --nodes needs less]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: Option<u32>,
    /// Set an option that changes what a search finds, as `setoption` does; may be repeated: EvalFile, EGTB Paths, Use
    /// EGTB, Repetition Rule, Move Limit, Checks Count, Counted Checks, Style, Pruning, Knowledge, Idle
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = analysis_option)]
    options: Vec<Setting>,
    /// Notation of moves; default: ICCS, in tables in Chinese the Chinese one
    #[arg(long, value_parser = notation_parser())]
    notation: Option<Notation>,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Language of the tables; default: that of the locale
    #[arg(long, value_parser = named_parser(LANGUAGES))]
    pub lang: Option<Language>,
    /// Print one line with a JSON object per position instead of a table, in order and as soon as it is found. Its keys are in
    /// docs/analyse.schema.json. Scores are for the side to move: `cp` in centipawns, `wdl` in thousandths. What cannot be read
    /// has an object with `error`, and the exit status is 1
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    answers: AnswerArgs,
    /// Print which of the moves and mates are found that EPD asks for: `bm`, `am`, `dm`
    #[arg(long, conflicts_with_all = ["json", "output"])]
    score: bool,
    /// With --score, exit with status 1 if fewer than N are found
    #[arg(long, value_name = "N", requires = "score")]
    require: Option<u64>,
}

/// Options for which the command has an argument.
const OWN_ARGUMENTS: &[(&str, &str)] =
    &[("threads", "--threads"), ("hashsize", "--hash"), ("multipv", "--multipv"), ("promotion", "--promotion")];

fn analysis_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_search, OWN_ARGUMENTS)
}

impl Analyse {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let positions = Collection::chosen(&self.positions, &self.choice)?;
        let _lock = self.answers.check(&positions, &[])?;
        let settings = self.settings()?;
        let is_json = self.json || self.answers.has_file();
        let language = self.lang.unwrap_or_else(locale_language);
        let usual =
            if is_json { Notation::Iccs } else { language.pick(Notation::Iccs, Notation::Chinese(Script::Simplified)) };
        let notation = self.notation.unwrap_or(usual);
        let format = JsonFormat { settings: self.description(&settings, notation), notation, first_key: "depth" };
        let has_time = settings.limits.move_time.is_some();
        let mut answers = self.answers.open(is_json.then_some(&format), language)?;
        if !is_json && !self.score {
            answers.write(language.pick(LEGEND[0], LEGEND[1]))?;
        }
        let suite = Suite::default();
        let variant = Variant::promoting(self.promotion);
        let (bytes, plies) = (positions.bytes.clone(), self.choice.plies(self.last));
        let jobs = answers.jobs(positions.positions(plies, variant), bytes);
        let answer = |job: Job, search: &mut dyn FnMut(&Position) -> Option<Iteration>| {
            job.answer(is_json, |number, asked| {
                let iteration = search(&asked.position);
                let iteration = iteration.as_ref();
                Ok(match is_json {
                    _ if self.score => suite.judge(number, asked, iteration, notation, language),
                    true => format.answer(asked, &Analysis::new(&asked.position, iteration, notation, has_time)),
                    false => table(number, asked, iteration, notation, language),
                })
            })
        };
        positions::analyse(jobs, &settings, answer, &mut |answer| answers.print(answer)).map_err(CliError::Memory)?;
        if self.score {
            answers.write(&suite.summary(language))?;
        }
        let mut status = answers.finish();
        if self.require.is_some_and(|wanted| suite.found.load(Relaxed) < wanted) || suite.is_incomplete() {
            status = status.map(|_| ExitStatus::CheckFailed);
        }
        match report_damaged_tables(settings.limits.settings.tables.as_deref()) {
            true => status.map(|_| ExitStatus::CheckFailed),
            false => status,
        }
    }

    fn settings(&self) -> Result<AnalysisSettings, Failure> {
        let mut limits = self.limits.limits(option_args::engine(&self.options)?.analysis_settings());
        limits.settings.lines = self.multipv as usize;
        let hash_kilobytes =
            self.hash.map_or_else(|| positions::hash_kilobytes(limits.nodes), |size| (size as usize) << 10);
        Ok(AnalysisSettings { limits, threads: self.threads.count(), hash_kilobytes })
    }

    /// All settings that an answer depends on, as text.
    fn description(&self, settings: &AnalysisSettings, notation: Notation) -> String {
        let Limits { depth, nodes, move_time, settings: search, .. } = &settings.limits;
        let mut text = format!("ChuHe {}, network {:08x}", env!("CARGO_PKG_VERSION"), search.network.checksum());
        let limits = [
            depth.map(|depth| format!(", depth {depth}")),
            nodes.map(|nodes| format!(", {}", count(nodes, "node"))),
            move_time.map(|time| format!(", {} ms", time.as_millis())),
        ];
        text.extend(limits.into_iter().flatten());
        let tables = search.tables.as_ref().map_or(0, |tables| tables.len());
        let (lines, tables) = (count(search.lines, "line"), count(tables, "endgame table"));
        text.push_str(&format!(", hash {} KB, {lines}, {tables}", settings.hash_kilobytes));
        if self.promotion {
            text.push_str(", promotion");
        }
        text.extend(self.options.iter().map(|option| format!(", {option:?}")));
        text + ", " + notation.name()
    }
}

/// What was found of the moves and mates asked for.
#[derive(Default)]
struct Suite {
    asked: AtomicU64,
    found: AtomicU64,
    nodes: AtomicU64,
    milliseconds: AtomicU64,
    /// Lines that ask for nothing that can be read.
    unread: AtomicU64,
}

impl Suite {
    /// Judges an answer; its line.
    fn judge(
        &self,
        number: u64,
        asked: &SourcedPosition,
        iteration: Option<&Iteration>,
        notation: Notation,
        language: Language,
    ) -> String {
        let criterion = Criterion::of_line(&asked.position, asked.line.as_deref().unwrap_or_default());
        let (mut mv, mut score, mut nodes, mut milliseconds) = (String::from("-"), String::from("-"), 0, 0);
        if let Some(iteration) = iteration {
            (nodes, milliseconds) = (iteration.nodes, iteration.elapsed.as_millis() as u64);
            if let Some(line) = iteration.lines.first() {
                score = score_text(line.score, language);
                mv = line.pv.first().map_or(mv, |&mv| notation.write(&asked.position, mv));
            }
        }
        let verdict = match criterion {
            Ok(criterion) => {
                self.asked.fetch_add(1, Relaxed);
                self.nodes.fetch_add(nodes, Relaxed);
                self.milliseconds.fetch_add(milliseconds, Relaxed);
                let is_found = iteration.is_some_and(|iteration| criterion.is_met(iteration));
                self.found.fetch_add(is_found.into(), Relaxed);
                if is_found { language.pick("found ", "找到") } else { language.pick("missed", "未中") }.to_string()
            }
            Err(error) => {
                self.unread.fetch_add(1, Relaxed);
                return format!("{number:>4}  {}: {error}", asked.source);
            }
        };
        let score = right_aligned(&score, SCORE_WIDTH);
        format!("{number:>4}  {verdict}  {mv}  {score} {nodes:>10} {milliseconds:>8} ms  {}", asked.position.to_fen())
    }

    /// Whether a line could not be judged.
    fn is_incomplete(&self) -> bool {
        self.unread.load(Relaxed) > 0
    }

    fn summary(&self, language: Language) -> String {
        let [found, asked, nodes, milliseconds] =
            [&self.found, &self.asked, &self.nodes, &self.milliseconds].map(|number| number.load(Relaxed));
        language.pick(
            format!("{found} of {asked} found, {}, {milliseconds} ms", count(nodes, "node")),
            format!("共{asked}题，找到{found}题，{nodes} 个节点，{milliseconds} 毫秒"),
        )
    }
}

/// The table of a position, without a newline at the end.
fn table(
    number: u64,
    task: &SourcedPosition,
    iteration: Option<&Iteration>,
    notation: Notation,
    language: Language,
) -> String {
    let mut text = format!("{number}  {}", task.position.to_fen());
    if let Some(mv) = task.played {
        let played = language.pick("played: ", "实走：");
        text.push_str(&format!("  {played}{}", notation.write(&task.position, mv)));
    }
    text.push('\n');
    let Some(iteration) = iteration else { return text + language.pick("   no legal move", "   无着可走") };
    let [english, chinese] = HEADER;
    text.push_str(language.pick(english, chinese));
    for line in &iteration.lines {
        let shown = &line.pv[..line.pv.len().min(MAX_MOVES_SHOWN)];
        let more = if line.pv.len() > shown.len() { " …" } else { "" };
        text.push_str(&format!(
            "\n  {} {:>3}/{:<3} {:>10} {:>8}  {}{more}",
            right_aligned(&score_text(line.score, language), SCORE_WIDTH),
            line.depth,
            iteration.selective_depth,
            iteration.nodes,
            iteration.elapsed.as_millis(),
            notation.write_line(&task.position, shown).join(" "),
        ));
    }
    text
}
