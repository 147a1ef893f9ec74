//! `chuhe tune` (SPSA), with the feature `tuning`.

use super::error::{CliError, Context, ExitStatus, Failure, IoContext};
use super::guard::{Target, guard};
use super::names::Threads;
use super::progress::progress;
use super::save::save;
use super::text_output;
use crate::files;
use crate::search::tunables::Tunables;
use crate::tournament::limit::Limit;
use crate::tournament::opening_suite::{OpeningSuite, SuiteSettings};
use crate::training::spsa::{self, SpsaState, TuneSettings};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The state is written after every this many game pairs.
const PAIRS_PER_SAVE: u64 = 20;

#[derive(Args)]
pub(super) struct Tune {
    /// File of the tuning state; if it exists, the tuning resumes from it (give the same other arguments)
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Tune only these parameters; without it all but those of time management
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Last perturbation of each parameter, in percent of its range; fewer games need more
    #[arg(long, value_name = "PERCENT", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    perturbation: u8,
    /// Number of game pairs: two games from one opening, with colors exchanged
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Nodes of each player for a whole game instead: a clock that counts nodes; a hundredth is added after each move
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = clap::value_parser!(u64).range(10_000..))]
    node_clock: Option<u64>,
    /// Games played in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File of the openings, a FEN in each line (`chuhe net openings`); default: level positions after random moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl Tune {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let _lock = guard(self.openings.as_deref().as_slice(), &[Target::State(&self.state)])?;
        // A node counts as a millisecond.
        let clock = |nodes: u64| {
            let [base, increment] = [nodes, nodes / 100].map(Duration::from_millis);
            Limit::Clock { base, increment, moves: 0 }
        };
        let settings = TuneSettings {
            pairs: self.pairs,
            threads: self.threads.count(),
            seed: self.seed,
            openings: self.openings()?.map(Arc::new),
            limit: self.node_clock.map_or(Limit::Nodes(self.nodes), clock),
            node_time: self.node_clock.map(|_| 1),
            fraction: f64::from(self.perturbation) / 100.0,
        };
        let state = if self.state.exists() {
            read_state(&self.state)?
        } else {
            let unknown =
                self.only.iter().find(|name| Tunables::ALL.iter().all(|tunable| tunable.name != name.as_str()));
            if let Some(name) = unknown {
                return Err(CliError::Tunable("command line".into(), name.clone()).into());
            }
            SpsaState::new(&self.only)
        };
        self.save(&state)?;
        let progress = progress(self.pairs, "pairs");
        progress.set_position(state.pairs);
        progress.reset_eta();
        let tuned = spsa::tune(state, &settings, &|state| {
            progress.set_position(state.pairs);
            if state.pairs.is_multiple_of(PAIRS_PER_SAVE)
                && let Err(error) = self.save(state)
            {
                progress.println(error.to_string());
            }
        });
        progress.finish_and_clear();
        for parameter in &tuned.parameters {
            writeln!(
                text_output::stdout(),
                "{:24} {:6} → {:.1}",
                parameter.tunable.name,
                parameter.tunable.value,
                parameter.value
            )?;
        }
        self.save(&tuned)?;
        Ok(ExitStatus::Success)
    }

    fn openings(&self) -> Result<Option<OpeningSuite>, Failure> {
        let Some(path) = &self.openings else { return Ok(None) };
        let bytes = files::read(path, files::MAX_FILE_BYTES).reading(path)?;
        let settings = SuiteSettings { is_shuffled: true, seed: self.seed, ..SuiteSettings::ALL };
        let openings = OpeningSuite::positions(&String::from_utf8_lossy(&bytes), &settings);
        openings.map(Some).in_file(path)
    }

    fn save(&self, state: &SpsaState) -> Result<(), Failure> {
        save(&self.state, state.to_text().as_bytes())
    }
}

/// The state in a file.
pub(super) fn read_state(path: &Path) -> Result<SpsaState, Failure> {
    let bytes = files::read(path, files::MAX_FILE_BYTES).reading(path)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(SpsaState::read(&text).map_err(|line| CliError::Tunable(path.display().to_string(), line))?)
}
