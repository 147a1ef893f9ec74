//! `chuhe tune` and `chuhe compare`, with the feature `tuning`.

use super::match_args::{GameArgs, MatchArgs};
use super::{CliError, ExitStatus, save};
use crate::learning::spsa::{self, SpsaState};
use crate::search::settings::SearchSettings;
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
    games: GameArgs,
}

impl Tune {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let state = if self.state.exists() {
            read_state(&self.state)?
        } else {
            let unknown =
                self.only.iter().find(|name| Tunables::ALL.iter().all(|tunable| tunable.name != name.as_str()));
            if let Some(name) = unknown {
                return Err(CliError::Tunable("command line".into(), name.clone()));
            }
            SpsaState::new(&self.only)
        };
        self.save(&state)?;
        let progress = self.games.progress();
        progress.set_position(state.pairs);
        progress.reset_eta();
        let tuned = spsa::tune(state, &self.games.settings(), &|state| {
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
                io::stdout(),
                "{:24} {:6} → {:.1}",
                parameter.tunable.name,
                parameter.tunable.value,
                parameter.value
            )?;
        }
        self.save(&tuned)?;
        Ok(ExitStatus::Success)
    }

    fn save(&self, state: &SpsaState) -> Result<(), CliError> {
        save(&self.state, state.to_text().as_bytes())
    }
}

fn read_state(path: &Path) -> Result<SpsaState, CliError> {
    let text = fs::read_to_string(path).map_err(|error| CliError::File(path.into(), error))?;
    SpsaState::read(&text).map_err(|line| CliError::Tunable(path.display().to_string(), line))
}

#[derive(Args)]
pub struct Compare {
    /// What is changed, as NAME=VALUE, or a file that `tune` wrote; the later counts. `ucci` lists the names
    #[arg(required = true, value_name = "CHANGE")]
    changes: Vec<String>,
    #[command(flatten)]
    duel: MatchArgs,
}

impl Compare {
    pub fn run(self) -> Result<ExitStatus, CliError> {
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
        self.duel.run(
            &title,
            &SearchSettings { tunables: changed, ..SearchSettings::default() },
            &SearchSettings::default(),
        )
    }
}
