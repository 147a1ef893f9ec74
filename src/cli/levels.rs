//! `chuhe levels`: matches between neighbouring playing levels.

use super::error::{CliError, ExitStatus};
use super::names::Threads;
use super::progress::progress;
use super::text_output;
use chuhe::engine::level::{self, Level};
use chuhe::learning::level_match::compare_levels;
use chuhe::learning::match_play::MatchSettings;
use chuhe::learning::openings::Openings;
use chuhe::learning::pentanomial::Pentanomial;
use clap::Args;
use std::io::Write;
use std::ops::ControlFlow;

#[derive(Args)]
pub struct Levels {
    /// Levels to play, two or more, each against the next in this list (as in `0 5 10`); default: all
    #[arg(value_name = "LEVEL", num_args = 2.., value_parser = clap::value_parser!(u32).range(..=i64::from(level::FULL)))]
    levels: Vec<u32>,
    /// Pairs of games for each step, each from one opening with colors exchanged
    #[arg(long, value_name = "N", default_value_t = 100)]
    pairs: u64,
    /// Nodes per move of the highest level, which has no limits of its own
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Games played in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Levels {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let all: Vec<u32> = (0..=level::FULL).collect();
        let levels = if self.levels.is_empty() { &all } else { &self.levels };
        let settings = MatchSettings {
            pairs: self.pairs,
            threads: self.threads.count(),
            seed: self.seed,
            openings: Openings::Random,
        };
        for step in levels.windows(2) {
            let [lower, higher] = [step[0], step[1]].map(|number| Level::new(number).copied());
            let progress = progress(self.pairs, "pairs");
            let pentanomial = compare_levels(higher, lower, self.nodes, &settings, &mut |pentanomial| {
                progress.set_message(summary(pentanomial));
                progress.inc(1);
                ControlFlow::Continue(())
            });
            progress.finish_and_clear();
            writeln!(text_output::stdout(), "level {} against {}: {}", step[1], step[0], summary(&pentanomial))?;
            text_output::stdout().flush()?;
        }
        Ok(ExitStatus::Success)
    }
}

/// Elo and pentanomial counts.
fn summary(pentanomial: &Pentanomial) -> String {
    let elo = pentanomial.elo().map_or("no Elo".to_string(), |(elo, error)| format!("{elo:+.0} ± {error:.0} Elo"));
    format!("{elo}, pentanomial {:?}", pentanomial.0)
}
