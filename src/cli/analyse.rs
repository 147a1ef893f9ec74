//! `chuhe analyse`: prints the best lines of positions.

use super::error::{CliError, Context, ExitStatus, Failure, IoContext};
use super::guard::{Target, guard};
use super::limit_args::LimitArgs;
use super::messages::{print_message_in, report_damaged_tables};
use super::names::{LANGUAGES, Threads, named_parser, notation_parser};
use super::option_args;
use super::position_argument::PositionArgument;
use super::progress::progress_chars;
use super::save::is_standard_output;
use super::text_output;
use super::translate::locale_language;
use crate::analysis::answer::{Asked, JsonFormat, Refused, SourcedPosition};
use crate::analysis::answer_file::{self, Answered};
use crate::analysis::positions::{self, AnalysisSettings};
use crate::display::columns::right_aligned;
use crate::display::count::count;
use crate::display::language::Language;
use crate::display::score::{SCORE_WIDTH, score_text};
use crate::engine::options::Setting;
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::protocol::hangup::exit_when_output_closes;
use crate::search::limits::Limits;
use crate::search::report::Iteration;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
/// Time after which progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(2);

#[derive(Args)]
pub(super) struct Analyse {
    /// Positions: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; files: .FEN, positions
    /// one a line (blank lines and lines that begin with # are skipped), and games (PGN, XQF, lists of moves), of which
    /// every position is analysed; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    /// Of games (PGN, XQF, lists of moves), analyse only the final position
    #[arg(long)]
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
    /// Write the JSON objects to FILE instead
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the file of --output after an interrupted run: an incomplete last line is dropped, and what has been
    /// answered is passed over. The input and the settings must be the same
    #[arg(long, requires = "output")]
    resume: bool,
}

/// Options for which the command has an argument.
const OWN_ARGUMENTS: &[(&str, &str)] =
    &[("threads", "--threads"), ("hashsize", "--hash"), ("multipv", "--multipv"), ("promotion", "--promotion")];

fn analysis_option(text: &str) -> Result<Setting, String> {
    option_args::read(text, Setting::is_for_search, OWN_ARGUMENTS)
}

/// What is to be answered.
enum Job {
    /// A position, and its number from 1.
    Position(u64, Box<SourcedPosition>),
    /// What cannot be read.
    Refused(Refused),
    /// An earlier run has answered it.
    Answered { is_refused: bool },
    /// Nothing more can be read.
    Failed(Failure),
}

/// What is to be printed for a [`Job`].
enum Answer {
    Position(String),
    Refused(String),
    Answered { is_refused: bool },
    Failed(Failure),
}

/// The answers of an earlier run.
struct EarlierRun {
    answered: Answered,
    /// Their file, for errors.
    path: PathBuf,
    /// How answers begin.
    format: JsonFormat,
}

impl EarlierRun {
    /// Whether it has answered the next question.
    fn has_next(&mut self, asked: &Asked) -> Result<bool, Failure> {
        let has_next = self.answered.has_next(&self.format.beginning(asked), asked.is_err());
        has_next.in_file(&self.path)
    }

    /// Checks that no answer is left.
    fn finish(mut self) -> Result<(), Failure> {
        self.answered.finish().in_file(&self.path)
    }
}

/// The jobs, made as they are taken.
struct Jobs<I> {
    reads: I,
    /// Number of positions so far.
    positions: u64,
    /// The answers of an earlier run that have not been passed yet.
    earlier: Option<EarlierRun>,
    progress: Progress,
}

impl<I: Iterator<Item = Result<Asked, Failure>>> Jobs<I> {
    /// The next job; `None` at the end.
    fn take(&mut self) -> Result<Option<Job>, Failure> {
        let Some(asked) = self.reads.next().transpose()? else {
            self.progress.set_count(self.positions);
            self.earlier.take().map_or(Ok(()), EarlierRun::finish)?;
            return Ok(None);
        };
        if let Some(earlier) = &mut self.earlier {
            if earlier.has_next(&asked)? {
                return Ok(Some(Job::Answered { is_refused: asked.is_err() }));
            }
            self.earlier = None;
        }
        Ok(Some(match asked {
            Ok(position) => {
                self.positions += 1;
                Job::Position(self.positions, Box::new(position))
            }
            Err(refused) => Job::Refused(refused),
        }))
    }
}

impl<I: Iterator<Item = Result<Asked, Failure>>> Iterator for Jobs<I> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        self.take().unwrap_or_else(|error| Some(Job::Failed(error)))
    }
}

/// Where answers go.
enum Output {
    /// Tables on standard output.
    Tables,
    /// JSON on standard output.
    Json,
    /// A file, and its path for errors.
    File(File, PathBuf),
}

impl Output {
    /// Writes a line; nothing of it stays in a buffer.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Output::Tables => Ok(writeln!(text_output::stdout(), "{text}")?),
            Output::Json => Ok(writeln!(io::stdout(), "{text}")?),
            Output::File(file, path) => {
                // In one call, so that an interruption leaves at most one incomplete line.
                let line = format!("{text}\n");
                file.write_all(line.as_bytes()).writing(path)
            }
        }
    }
}

impl Analyse {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        if self.output.as_deref().is_some_and(is_standard_output) {
            return Err(CliError::NoFile.into());
        }
        // Before hours of searching.
        let arguments = PositionArgument::group(&self.positions);
        PositionArgument::check_files(&arguments)?;
        let targets: Vec<Target> = self.output.iter().map(|path| Target::Continued(path)).collect();
        let _lock = guard(&PositionArgument::files(&arguments), &targets)?;
        let settings = self.settings()?;
        let is_json = self.json || self.output.is_some();
        let language = self.lang.unwrap_or_else(locale_language);
        let usual =
            if is_json { Notation::Iccs } else { language.pick(Notation::Iccs, Notation::Chinese(Script::Simplified)) };
        let notation = self.notation.unwrap_or(usual);
        let format = JsonFormat {
            settings: self.description(&settings, notation),
            notation,
            has_time: settings.limits.move_time.is_some(),
        };
        let (mut output, earlier) = match &self.output {
            None => {
                exit_when_output_closes();
                (if self.json { Output::Json } else { Output::Tables }, None)
            }
            Some(path) => {
                let (file, answered) = answer_file::open(path, self.resume).in_file(path)?;
                let earlier = |answered| EarlierRun { answered, path: path.clone(), format: format.clone() };
                (Output::File(file, path.clone()), answered.map(earlier))
            }
        };
        if !is_json {
            let [english, chinese] = LEGEND;
            output.write(language.pick(english, chinese))?;
        }
        let progress = Progress::new();
        let jobs = Jobs {
            reads: PositionArgument::positions(&self.positions, self.last, Variant::promoting(self.promotion)),
            positions: 0,
            earlier,
            progress: progress.clone(),
        };
        let answer = |job, search: &mut dyn FnMut(&Position) -> Option<Iteration>| match job {
            Job::Position(number, asked) => {
                let iteration = search(&asked.position);
                let iteration = iteration.as_ref();
                Answer::Position(match is_json {
                    true => format.answer(&asked, iteration),
                    false => table(number, &asked, iteration, notation, language),
                })
            }
            Job::Refused(refused) if is_json => Answer::Refused(JsonFormat::refused(&refused)),
            Job::Refused(Refused { source, error, .. }) => Answer::Refused(format!("{source}: {error}")),
            Job::Answered { is_refused } => Answer::Answered { is_refused },
            Job::Failed(error) => Answer::Failed(error),
        };
        let (mut status, mut failure) = (ExitStatus::Success, None);
        let analysed = positions::analyse(jobs, &settings, answer, &mut |answer| {
            let done = match answer {
                Answer::Position(text) => progress.step(|| output.write(&text)),
                Answer::Refused(text) => {
                    status = ExitStatus::CheckFailed;
                    progress.suspend(|| {
                        if !is_json {
                            print_message_in(language, &text);
                            return Ok(());
                        }
                        output.write(&text)
                    })
                }
                Answer::Answered { is_refused } => {
                    if is_refused {
                        status = ExitStatus::CheckFailed;
                    }
                    Ok(())
                }
                Answer::Failed(error) => Err(error),
            };
            match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        progress.finish();
        if report_damaged_tables(settings.limits.settings.tables.as_deref()) {
            status = ExitStatus::CheckFailed;
        }
        analysed.map_err(CliError::Memory)?;
        failure.map_or(Ok(status), Err)
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

/// Progress on standard error, if that is a terminal, shown after [`PROGRESS_DELAY`].
#[derive(Clone)]
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    /// Of a number of positions that is not known yet.
    fn new() -> Progress {
        let bar = if io::stderr().is_terminal() { ProgressBar::no_length() } else { ProgressBar::hidden() };
        bar.set_style(style("{pos} positions, {per_sec}, {elapsed}"));
        Progress { bar, start: Instant::now() }
    }

    /// Sets the number of positions, which is known once all have been read.
    fn set_count(&self, count: u64) {
        self.bar.set_length(count);
        self.bar.set_style(style("{wide_bar} {pos}/{len}, {eta} left"));
    }

    /// Counts one more position, and calls `print` to print above the bar.
    fn step<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.suspend(print);
        self.bar.update(|state| state.set_pos(state.pos() + 1));
        if self.start.elapsed() >= PROGRESS_DELAY {
            self.bar.tick();
        }
        printed
    }

    /// Calls `print` to print above the bar.
    fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("invariant: the template is well formed");
    style.progress_chars(progress_chars())
}
