//! The words of the commands that play an engine against another, and how such a comparison is shown.

use super::progress::progress;
use super::{CliError, ExitStatus};
use crate::learning::match_play::{MatchSettings, compare};
use crate::learning::pentanomial::{LLR_BOUND, Pentanomial};
use crate::search::settings::SearchSettings;
use clap::Args;
use indicatif::ProgressBar;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// How games of self-play are played.
#[derive(Args)]
pub struct GameArgs {
    /// Pairs of games, each pair from one opening
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl GameArgs {
    /// The plan these words ask for.
    pub fn settings(&self) -> MatchSettings {
        MatchSettings { pairs: self.pairs, nodes: self.nodes, threads: self.threads.into(), seed: self.seed }
    }

    /// Shows how far it has come.
    pub fn progress(&self) -> ProgressBar {
        progress(self.pairs, "pairs")
    }
}

/// How one engine plays another.
#[derive(Args)]
pub struct MatchArgs {
    #[command(flatten)]
    games: GameArgs,
    /// End as soon as it is sure enough which of two gains it is nearer to, in Elo
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
}

impl MatchArgs {
    /// Plays it, and says what it came to for the first, after the `title`.
    pub fn run(&self, title: &str, one: &SearchSettings, other: &SearchSettings) -> Result<ExitStatus, CliError> {
        let elo_bounds = self.sprt.as_ref().map(|elo_bounds| [elo_bounds[0], elo_bounds[1]]);
        let progress = self.games.progress();
        let pentanomial = compare(one, other, &self.games.settings(), &mut |pentanomial| {
            progress.set_message(summary(pentanomial, elo_bounds));
            progress.inc(1);
            let decided = elo_bounds.is_some_and(|elo_bounds| pentanomial.llr(elo_bounds).abs() >= LLR_BOUND);
            if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish_and_clear();
        writeln!(io::stdout(), "{title}: {}", summary(&pentanomial, elo_bounds))?;
        Ok(ExitStatus::Success)
    }
}

/// The tally in one line.
fn summary(pentanomial: &Pentanomial, elo_bounds: Option<[f64; 2]>) -> String {
    let elo = pentanomial.elo().map_or("nothing yet".to_string(), |(elo, error)| format!("{elo:+.1} ± {error:.1} Elo"));
    let llr = elo_bounds.map_or_else(String::new, |elo_bounds| {
        let [low, high] = elo_bounds;
        let llr = pentanomial.llr(elo_bounds);
        let nearer = match llr {
            _ if llr >= LLR_BOUND => format!(": nearer {high:+}"),
            _ if llr <= -LLR_BOUND => format!(": nearer {low:+}"),
            _ => String::new(),
        };
        format!(", evidence {llr:+.2} for {high:+} against {low:+}{nearer}")
    });
    format!("{elo}, pairs {:?}{llr}", pentanomial.0)
}
