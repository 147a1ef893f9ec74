//! `chuhe tune` and `chuhe compare`, with the feature `tuning`.

use super::games::{Duel, Games};
use super::{CliError, Verdict, save};
use crate::learning::spsa::{self, State};
use crate::search::conduct::Conduct;
use crate::search::tunables::Tunables;
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Pairs between two savings of a tuning's state.
const PAIRS_PER_SAVE: u64 = 20;

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
        self.save(&state)?;
        let progress = self.games.progress();
        progress.set_position(state.pairs);
        progress.reset_eta();
        let tuned = spsa::tune(state, &self.games.plan(), &|state| {
            progress.set_position(state.pairs);
            if state.pairs.is_multiple_of(PAIRS_PER_SAVE)
                && let Err(error) = self.save(state)
            {
                progress.println(error.to_string());
            }
        });
        progress.finish_and_clear();
        for theta in &tuned.thetas {
            writeln!(io::stdout(), "{:24} {:6} → {:.1}", theta.tunable.name, theta.tunable.value, theta.value)?;
        }
        self.save(&tuned)?;
        Ok(Verdict::Good)
    }

    fn save(&self, state: &State) -> Result<(), CliError> {
        save(&self.state, state.to_text().as_bytes())
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
    duel: Duel,
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
        let title = self.changes.join(" ");
        self.duel.run(&title, &Conduct { tunables: changed, ..Conduct::default() }, &Conduct::default())
    }
}
