//! `chuhe net label`.

use super::super::names::Threads;
use super::super::text_output;
use super::common::{Files, evaluation_file, settings};
use crate::cli::error::{CliError, ExitStatus, Failure};
use crate::cli::file_kind::FileKind;
use crate::cli::guard::{Target, guard};
use crate::cli::progress::progress;
use crate::cli::save::save_with;
use crate::display::count::count;
use crate::training::label::Labelling;
use crate::training::training_games;
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Label {
    #[command(flatten)]
    files: Files,
    /// File to write: each position as a game of one move
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: u64,
    /// Label one of this many positions that are fit for training, at random
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Nodes of the search that gives the score
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(20..))]
    nodes: u64,
    /// Evaluation: the file of a network, or a level of `knowledge`: `small`, `medium` or `large`
    #[arg(long = "eval", value_name = "NAME", default_value = "large")]
    evaluation: OsString,
    /// Positions searched in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Label {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.files.with(evaluation_file(&self.evaluation));
        let _lock = guard(&inputs, &[Target::New(&self.output, FileKind::Games)])?;
        let settings = settings(&self.evaluation)?;
        let labelling = Labelling { settings, nodes: self.nodes, every: self.every, seed: self.seed };
        let (games, damaged) = self.files.games()?;
        let progress = progress(self.positions, "positions");
        let labelled = save_with(&self.output, |out| {
            let of_save = |error| CliError::Save(self.output.clone(), error);
            training_games::write_header(out, &labelling.description()).map_err(of_save)?;
            let (mut labelled, mut written, mut bytes) = (0, Ok(()), Vec::new());
            labelling.label(games, self.threads.count(), &mut |label| {
                bytes.clear();
                label.record(&mut bytes);
                written = out.write_all(&bytes);
                labelled += 1;
                progress.inc(1);
                let ends = written.is_err() || labelled == self.positions;
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            written.map_err(of_save)?;
            damaged.take().filter(|_| labelled < self.positions).map_or(Ok(labelled), Err)
        });
        progress.finish_and_clear();
        writeln!(text_output::stdout(), "{}", count(labelled?, "position"))?;
        Ok(ExitStatus::Success)
    }
}
