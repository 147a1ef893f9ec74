//! `chuhe analyse`: prints the best lines of positions.

use super::error::{CliError, ExitStatus};
use super::limit_args::LimitArgs;
use super::position_argument::SourcedPosition;
use crate::engine::units::{centipawns, mate_moves};
use crate::notation::Notation;
use crate::position::{Position, Variant};
use crate::search::report::Iteration;
use crate::tools::analyse::{self, AnalysisSettings};
use crate::types::score::{Score, plies_to_mate};
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Milliseconds for each position, if no limit is given.
const DEFAULT_TIME: u64 = 1000;
/// Maximum number of moves of a line in a table.
const MAX_MOVES_SHOWN: usize = 12;
/// What the numbers of a table mean.
const LEGEND: &str = "Scores are for the side to move, in pawns (at +1.00 it wins every second game); #3: it mates in 3 \
                      moves, #-3: it is mated. Depth: plies / deepest line.";
/// Time after which progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(2);

#[derive(Args)]
pub struct Analyse {
    /// Positions: `FEN [moves M…]`, `startpos [moves M…]` or what `xfen` prints, quoted or not; files: .FEN, positions
    /// one a line (blank lines and lines that begin with # are skipped), and games (PGN, XQF, lists of moves), of which
    /// every position is analysed; or - for standard input
    #[arg(required = true, value_name = "FEN|FILE")]
    positions: Vec<OsString>,
    /// Of games (PGN, XQF, lists of moves), analyse only the final position
    #[arg(long)]
    last: bool,
    #[command(flatten)]
    limits: LimitArgs<DEFAULT_TIME>,
    /// Number of best moves printed per position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    multipv: u8,
    /// Number of positions analysed in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Hash table of each thread, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: u32,
    /// Notation of moves
    #[arg(long, default_value = "iccs", value_parser = PossibleValuesParser::new(Notation::NAMES.map(|(name, _)| name)))]
    notation: String,
    /// Play the promotion variant: advisors and bishops may become pawns (`d0d0`)
    #[arg(long)]
    promotion: bool,
    /// Print one line with a JSON object per position instead of a table. Of its `lines`, each has `pv`, the moves, and for
    /// the side to move either `cp`, the score in hundredths of a pawn (at 100 it wins every second game), or `mate`, the
    /// moves to mate (negative: it is mated). `depth`, `seldepth`, `nodes` and `time_ms` are null if there is no legal
    /// move; `played` is the move that was played in a game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonAnalysis<'a> {
    fen: String,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    /// `null` if there is no legal move.
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    lines: Vec<JsonLine>,
}

#[derive(Serialize)]
struct JsonLine {
    /// Score for the side to move in centipawns; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<Score>,
    /// Moves to mate, negative if the side to move is mated; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    pv: Vec<String>,
}

impl Analyse {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let (tasks, refused) =
            SourcedPosition::read_all(&self.positions, self.last, Variant::promoting(self.promotion))?;
        let mut limits = self.limits.limits();
        limits.settings.lines = self.multipv as usize;
        let settings = AnalysisSettings { limits, threads: self.threads as usize, hash_megabytes: self.hash as usize };
        let positions: Vec<Position> = tasks.iter().map(|task| task.position.clone()).collect();
        let notation = Notation::named(&self.notation).unwrap_or(Notation::Iccs);
        let progress = Progress::new(positions.len());
        let mut written = if self.json { Ok(()) } else { writeln!(io::stdout(), "{LEGEND}") };
        let analysed = analyse::analyse(&positions, &settings, &mut |index, iteration| {
            let task = &tasks[index];
            let iteration = iteration.as_ref();
            let text =
                if self.json { json(task, iteration, notation) } else { table(index, task, iteration, notation) };
            if written.is_ok() {
                written = progress.step(|| writeln!(io::stdout(), "{text}"));
            }
        });
        progress.finish();
        written?;
        analysed.map_err(CliError::Memory)?;
        Ok(if refused { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }
}

/// The table of a position, without a newline at the end.
fn table(index: usize, task: &SourcedPosition, iteration: Option<&Iteration>, notation: Notation) -> String {
    let mut text = format!("{}  {}", index + 1, task.position.to_fen());
    if let Some(mv) = task.played {
        text.push_str(&format!("  played: {}", notation.write(&task.position, mv)));
    }
    text.push('\n');
    let Some(iteration) = iteration else { return text + "   no legal move" };
    text.push_str("     score  depth        nodes       ms  line");
    for line in &iteration.lines {
        let shown = &line.pv[..line.pv.len().min(MAX_MOVES_SHOWN)];
        let more = if line.pv.len() > shown.len() { " …" } else { "" };
        text.push_str(&format!(
            "\n  {:>8} {:>3}/{:<3} {:>10} {:>8}  {}{more}",
            score_text(line.score),
            line.depth,
            iteration.selective_depth,
            iteration.nodes,
            iteration.elapsed.as_millis(),
            notation.write_line(&task.position, shown).join(" "),
        ));
    }
    text
}

/// A score for the side to move: in pawns, or `#` and the moves to mate.
fn score_text(score: Score) -> String {
    match plies_to_mate(score) {
        Some(_) => format!("#{}", mate_moves(score)),
        None => format!("{:+.2}", centipawns(score) as f64 / 100.0),
    }
}

fn json(task: &SourcedPosition, iteration: Option<&Iteration>, notation: Notation) -> String {
    let lines = iteration.map_or(&[][..], |iteration| &iteration.lines).iter().map(|line| {
        let is_mate = plies_to_mate(line.score).is_some();
        JsonLine {
            cp: (!is_mate).then(|| centipawns(line.score)),
            mate: is_mate.then(|| mate_moves(line.score)),
            pv: notation.write_line(&task.position, &line.pv),
        }
    });
    let analysis = JsonAnalysis {
        fen: task.position.to_fen(),
        source: &task.source,
        played: task.played.map(|mv| notation.write(&task.position, mv)),
        depth: iteration.map(|iteration| iteration.depth()),
        seldepth: iteration.map(|iteration| iteration.selective_depth),
        nodes: iteration.map(|iteration| iteration.nodes),
        time_ms: iteration.map(|iteration| iteration.elapsed.as_millis() as u64),
        lines: lines.collect(),
    };
    serde_json::to_string(&analysis).expect("invariant: numbers, strings and lists can be serialized")
}

/// A progress bar on standard error, if that is a terminal, shown after [`PROGRESS_DELAY`].
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    fn new(count: usize) -> Progress {
        let is_visible = count > 1 && io::stderr().is_terminal();
        let bar = if is_visible { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left");
        bar.set_style(style.expect("invariant: the template is well formed"));
        Progress { bar, start: Instant::now() }
    }

    /// Counts one more position, and calls `print` to print above the bar.
    fn step(&self, print: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let printed = self.bar.suspend(print);
        self.bar.update(|state| state.set_pos(state.pos() + 1));
        if self.start.elapsed() >= PROGRESS_DELAY {
            self.bar.tick();
        }
        printed
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
