//! `chuhe net openings`.

use super::super::names::Threads;
use super::super::text_output;
use super::common::Files;
use crate::cli::error::{ExitStatus, Failure, IoContext};
use crate::cli::file_kind::FileKind;
use crate::cli::guard::{Target, guard};
use crate::cli::progress::progress;
use crate::cli::save::save_with;
use crate::display::count::count;
use crate::training::unbalanced_openings::Unbalanced;
use crate::types::Score;
use clap::Args;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct FindOpenings {
    #[command(flatten)]
    files: Files,
    /// File to write: a FEN and a score in each line
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    count: u64,
    /// Plies from the start of a game to the opening; games with random moves up to there are skipped
    #[arg(long, value_name = "N", default_value_t = 8)]
    ply: usize,
    /// Least score of the better side, in centipawns: at 100 half of the games are won
    #[arg(long, value_name = "CP", default_value_t = 60)]
    min: Score,
    /// Greatest score of the better side
    #[arg(long, value_name = "CP", default_value_t = 130)]
    max: Score,
    /// Nodes of the search that gives the score
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Positions searched in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
}

impl FindOpenings {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let _lock = guard(&self.files.with(None), &[Target::New(&self.output, FileKind::Openings)])?;
        let unbalanced = Unbalanced { ply: self.ply, scores: self.min..=self.max, nodes: self.nodes };
        let (games, damaged) = self.files.games()?;
        let progress = progress(self.count, "openings");
        let found = save_with(&self.output, |out| {
            let (mut found, mut written) = (0, Ok(()));
            unbalanced.find(games, self.threads.count(), &mut |opening| {
                written = writeln!(out, "{}  # {:+}", opening.fen, opening.score);
                found += 1;
                progress.inc(1);
                let ends = written.is_err() || found == self.count;
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            written.writing(&self.output)?;
            // What was found before the end of enough games is kept only if all games could be read.
            match damaged.take().filter(|_| found < self.count) {
                Some(error) => Err(error),
                None => Ok(found),
            }
        });
        progress.finish_and_clear();
        writeln!(text_output::stdout(), "{}", count(found?, "opening"))?;
        Ok(ExitStatus::Success)
    }
}
