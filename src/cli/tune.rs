//! `chuhe tune` and `chuhe compare`, with the feature `tuning`.

use super::{CliError, Verdict};
use crate::learning::compare::{self, Plan, Tally};
use crate::learning::spsa::{self, State};
use crate::search::tunables::Tunables;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Pairs between two savings of a tuning's state.
const PAIRS_PER_SAVE: u64 = 20;

/// How games of self-play are played.
#[derive(Args)]
struct Games {
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

impl Games {
    fn plan(&self) -> Plan {
        Plan { pairs: self.pairs, nodes: self.nodes, threads: self.threads.into(), seed: self.seed }
    }

    fn progress(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.pairs);
        let template = "{bar:30} {pos}/{len} pairs, {elapsed} of about {duration}  {msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("invariant: the template is well formed"));
        bar
    }
}

#[derive(Args)]
pub struct Tune {
    /// Where the state is kept; a tuning that was broken off goes on from there, if the other words are the same
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Tune only these numbers
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    games: Games,
}

impl Tune {
    pub fn run(self) -> Result<Verdict, CliError> {
        let state = if self.state.exists() {
            read_state(&self.state)?
        } else {
            let unknown =
                self.only.iter().find(|name| Tunables::ALL.iter().all(|tunable| tunable.name != name.as_str()));
            if let Some(name) = unknown {
                return Err(CliError::Tunable("command line".into(), name.clone()));
            }
            State::new(&self.only)
        };
        self.save(&state).map_err(|error| CliError::Save(self.state.clone(), error))?;
        let progress = self.games.progress();
        progress.set_position(state.pairs);
        progress.reset_eta();
        let tuned = spsa::tune(state, &self.games.plan(), &|state| {
            progress.set_position(state.pairs);
            if state.pairs.is_multiple_of(PAIRS_PER_SAVE)
                && let Err(error) = self.save(state)
            {
                progress.println(format!("cannot write {}: {error}", self.state.display()));
            }
        });
        progress.finish_and_clear();
        for theta in &tuned.thetas {
            writeln!(io::stdout(), "{:24} {:6} → {:.1}", theta.tunable.name, theta.tunable.value, theta.value)?;
        }
        self.save(&tuned).map_err(|error| CliError::Save(self.state.clone(), error))?;
        Ok(Verdict::Good)
    }

    /// Writes the state; whenever this is broken off, there is a whole one.
    fn save(&self, state: &State) -> io::Result<()> {
        let new = self.state.with_extension("new");
        fs::write(&new, state.to_text())?;
        fs::rename(new, &self.state)
    }
}

fn read_state(path: &Path) -> Result<State, CliError> {
    let text = fs::read_to_string(path).map_err(|error| CliError::File(path.into(), error))?;
    State::read(&text).map_err(|line| CliError::Tunable(path.display().to_string(), line))
}

#[derive(Args)]
pub struct Compare {
    /// What is changed, as NAME=VALUE, or a file that `tune` wrote; the later counts. `ucci` lists the names
    #[arg(required = true, value_name = "CHANGE")]
    changes: Vec<String>,
    #[command(flatten)]
    games: Games,
}

impl Compare {
    pub fn run(self) -> Result<Verdict, CliError> {
        let mut changed = Tunables::default();
        for change in &self.changes {
            let refuse = || CliError::Tunable("command line".into(), change.clone());
            if let Some((name, value)) = change.split_once('=') {
                let value = value.parse().map_err(|_| refuse())?;
                if !changed.set(name, value) {
                    return Err(refuse());
                }
                continue;
            }
            read_state(Path::new(change))?.apply(&mut changed);
        }
        let progress = self.games.progress();
        let tally = compare::compare(&changed, &Tunables::default(), &self.games.plan(), &mut |tally| {
            progress.set_message(summary(tally));
            progress.inc(1);
        });
        progress.finish_and_clear();
        writeln!(io::stdout(), "{}: {}", self.changes.join(" "), summary(&tally))?;
        Ok(Verdict::Good)
    }
}

/// The tally in one line.
fn summary(tally: &Tally) -> String {
    let elo = tally.elo().map_or("nothing yet".to_string(), |(elo, error)| format!("{elo:+.1} ± {error:.1} Elo"));
    format!("{elo}, pairs {:?}", tally.0)
}
