//! `chuhe tune` (SPSA) and `chuhe compare`, with the feature `tuning`.

use super::error::{CliError, ExitStatus};
use super::guard::{Target, guard};
use super::save::save;
use super::selfplay_args::{GameArgs, MatchArgs};
use super::text_output;
use crate::search::settings::SearchSettings;
use crate::search::tunables::Tunables;
use crate::system::files;
use crate::training::screening::Change;
use crate::training::spsa::{self, SpsaState};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    #[command(flatten)]
    games: GameArgs,
}

impl Tune {
    pub(super) fn run(self) -> Result<ExitStatus, CliError> {
        let _lock = guard(&self.games.files(), &[Target::State(&self.state)])?;
        let (nodes, settings) = (self.games.node_limit(), self.games.settings()?);
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
        let tuned = spsa::tune(state, nodes, &settings, f64::from(self.perturbation) / 100.0, &|state| {
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

    fn save(&self, state: &SpsaState) -> Result<(), CliError> {
        save(&self.state, state.to_text().as_bytes())
    }
}

fn read_state(path: &Path) -> Result<SpsaState, CliError> {
    let bytes = files::read(path, files::MAX_FILE_BYTES).map_err(|error| CliError::File(path.into(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    SpsaState::read(&text).map_err(|line| CliError::Tunable(path.display().to_string(), line))
}

#[derive(Args)]
pub(super) struct Compare {
    /// Changed parameter as NAME=VALUE, or a state file of `tune`; later ones win. `ucci` lists the names
    #[arg(required = true, value_name = "CHANGE")]
    changes: Vec<String>,
    #[command(flatten)]
    selfplay_args: MatchArgs,
}

impl Compare {
    pub(super) fn run(self) -> Result<ExitStatus, CliError> {
        let mut changed = Tunables::default();
        for change in &self.changes {
            let refuse = || CliError::Tunable("command line".into(), change.clone());
            match change.contains('=') {
                true => Change::read(change).ok_or_else(refuse)?.apply(&mut changed),
                false => read_state(Path::new(change))?.apply(&mut changed),
            }
        }
        let title = self.changes.join(" ");
        self.selfplay_args.run(
            &title,
            &SearchSettings { tunables: changed, ..SearchSettings::default() },
            &SearchSettings::default(),
        )
    }
}
