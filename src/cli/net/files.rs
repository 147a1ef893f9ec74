//! `chuhe net stats`, `wdl`, `loss`, `shuffle`, `merge` and `verify`: commands on files of games.

use super::super::text_output;
use super::common::{Files, network_or_default, open};
use crate::cli::error::{CliError, Context, ExitStatus, Failure, IoContext};
use crate::cli::file_kind::FileKind;
use crate::cli::guard::{Target, guard};
use crate::cli::save::save_with;
use crate::display::count::count;
use crate::rng::seeded_rng;
use crate::training::shard::{self, MergeError, Part};
use crate::training::statistics::Statistics;
use crate::training::training_games::{self, GamesError, TrainingGame};
use crate::training::validation::Validation;
use crate::training::wdl_fit::WdlFit;
use clap::Args;
use rand::seq::SliceRandom;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Shuffle {
    #[command(flatten)]
    files: Files,
    /// File to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Shuffle {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let _lock = guard(&self.files.with(None), &[Target::New(&self.output, FileKind::Games)])?;
        let mut games = Vec::new();
        for path in &self.files.files {
            for game in open(path)? {
                games.push(game.in_file(path)?);
            }
        }
        games.shuffle(&mut seeded_rng(self.seed, 0));
        save_with(&self.output, |out| self.write(&games, out).writing(&self.output))?;
        writeln!(text_output::stdout(), "{}", count(games.len(), "game"))?;
        Ok(ExitStatus::Success)
    }

    fn write(&self, games: &[TrainingGame], out: &mut dyn Write) -> io::Result<()> {
        training_games::write_header(out, &format!("{} files shuffled, seed {}", self.files.files.len(), self.seed))?;
        let mut bytes = Vec::new();
        for game in games {
            bytes.clear();
            game.record(&mut bytes);
            out.write_all(&bytes)?;
        }
        Ok(())
    }
}

#[derive(Args)]
pub(super) struct Merge {
    /// Files of `net datagen --shard`, in any order; their ranges of games must adjoin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Merge {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let files: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let _lock = guard(&files, &[Target::New(&self.output, FileKind::Games)])?;
        let part = |path: &PathBuf| Ok(Part { name: path.display().to_string(), reader: open(path)? });
        let parts = self.files.iter().map(part).collect::<Result<_, Failure>>()?;
        let games = save_with(&self.output, |out| {
            shard::merge(parts, out).map_err(|error| match error {
                MergeError::Io(error) => CliError::Save(self.output.clone(), error).into(),
                error => Failure::from(error),
            })
        })?;
        writeln!(text_output::stdout(), "{}", count(games, "game"))?;
        Ok(ExitStatus::Success)
    }
}

/// Prints statistics of files of games.
pub(super) fn stats(files: &Files) -> Result<ExitStatus, Failure> {
    let mut statistics = Statistics::default();
    files.for_each_game(|_, game| statistics.add(game))?;
    write!(text_output::stdout(), "{statistics}")?;
    Ok(ExitStatus::Success)
}

/// Fits the WDL model to games.
pub(super) fn wdl(files: &Files) -> Result<ExitStatus, Failure> {
    let mut wdl = WdlFit::default();
    files.for_each_game(|_, game| wdl.add(game))?;
    if wdl.is_empty() {
        return Err(CliError::NoSample.into());
    }
    write!(text_output::stdout(), "{wdl}")?;
    Ok(ExitStatus::Success)
}

#[derive(Args)]
pub(super) struct Loss {
    #[command(flatten)]
    files: Files,
    /// File of the network, or `default`: the built-in network
    #[arg(long, value_name = "FILE", default_value = "default")]
    network: PathBuf,
    /// Print also how much its errors differ from those of another network on the same positions, with two standard errors
    /// of the mean difference: file of that network, or `default`
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

impl Loss {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let against = self.against.as_deref().map(network_or_default).transpose()?;
        let mut validation = Validation::new(network_or_default(&self.network)?, against);
        self.files.for_each_game(|_, game| validation.add(game))?;
        if validation.positions() == 0 {
            return Err(CliError::NoSample.into());
        }
        write!(text_output::stdout(), "{validation}")?;
        Ok(ExitStatus::Success)
    }
}

/// Checks files of games.
pub(super) fn verify(files: &Files) -> Result<ExitStatus, Failure> {
    let mut verdict = ExitStatus::Success;
    for path in &files.files {
        let (mut valid, mut invalid) = (0, 0);
        for game in open(path)? {
            let checked =
                game.and_then(|game| game.verify().map_err(|error| GamesError::Content(valid + invalid + 1, error)));
            match checked {
                Ok(()) => valid += 1,
                Err(error) => {
                    invalid += 1;
                    writeln!(text_output::stdout(), "{}: {error}", path.display())?;
                }
            }
        }
        writeln!(text_output::stdout(), "{}: {}, {invalid} invalid", path.display(), count(valid, "valid game"))?;
        if invalid > 0 {
            verdict = ExitStatus::CheckFailed;
        }
    }
    Ok(verdict)
}
