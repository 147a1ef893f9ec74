//! `chuhe net datagen`.

use super::super::names::Threads;
use super::super::text_output;
use super::common::{evaluation_file, settings};
use crate::cli::error::{Context, ExitStatus, Failure, IoContext};
use crate::cli::guard::{Target, guard};
use crate::cli::progress::progress;
use crate::display::count::count;
use crate::engine::endgames;
use crate::training::datagen::{self, DatagenSettings, ResumeError};
use crate::training::shard::{self, Shard};
use crate::training::training_games;
use clap::Args;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args)]
pub(super) struct Datagen {
    /// File of the games; an existing file is continued if it was made with the same settings
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Evaluation: the file of a network, or a level of `knowledge`: `small`, `medium` or `large`
    #[arg(long = "eval", value_name = "NAME", default_value = "large")]
    evaluation: OsString,
    /// Number of games in the file at the end
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(20..))]
    nodes: u64,
    /// Start from random endgames of one to three attacking pieces a side, and search with endgame tables
    #[arg(long)]
    endgames: bool,
    /// Folders of endgame tables besides those that are built in, for `--endgames`
    #[arg(long, value_name = "FOLDER", requires = "endgames")]
    egtb: Vec<PathBuf>,
    /// Games played in parallel; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
    /// Seed of the random numbers; the same seed gives the same games for any number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Generate only part I of N of the games (I from 1), for `net merge`; the file has only its part of --games
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl Datagen {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut search = settings(&self.evaluation)?;
        let _lock = guard(evaluation_file(&self.evaluation).as_slice(), &[Target::Continued(&self.file)])?;
        if self.endgames {
            let (tables, bad) = endgames::open(&self.egtb);
            if let Some(bad) = bad.into_iter().next() {
                return Err(bad.into());
            }
            search.tables = Some(Arc::new(tables));
        }
        let settings =
            DatagenSettings { settings: search, nodes: self.nodes, seed: self.seed, endgames: self.endgames };
        let wanted = self.shard.map_or(0..self.games, |shard| shard.games(self.games));
        let description = match self.shard {
            Some(_) => shard::description(&settings.description(), &wanted),
            None => settings.description(),
        };
        let (existing, mut out) = self.open(&description).in_file(&self.file)?;
        if existing > 0 {
            let verb = if existing == 1 { "exists" } else { "exist" };
            writeln!(text_output::stdout(), "{} {verb} already", count(existing, "game"))?;
        }
        let total = wanted.end - wanted.start;
        let progress = progress(total, "games").with_position(existing);
        progress.reset_eta();
        let (mut written, mut positions, mut damaged) = (Ok(()), 0, None);
        let mut bytes = Vec::new();
        let tables = settings.settings.tables.as_deref();
        settings.generate(wanted.start + existing..wanted.end, self.threads.count(), &mut |game| {
            // This game may have been played without it.
            damaged = tables.and_then(|tables| tables.take_damaged().pop());
            if damaged.is_some() {
                return ControlFlow::Break(());
            }
            bytes.clear();
            game.record(&mut bytes);
            written = out.write_all(&bytes);
            positions += game.plies.len();
            let rate = positions as f64 / progress.elapsed().as_secs_f64();
            progress.set_message(format!("{rate:.0} positions/s"));
            progress.inc(1);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        progress.finish_and_clear();
        damaged.map_or(Ok(()), Err)?;
        written.writing(&self.file)?;
        let games = count(total.max(existing), "game");
        writeln!(text_output::stdout(), "{games}, {}", count(positions, "new position"))?;
        Ok(ExitStatus::Success)
    }

    /// The number of games in the file, and the file opened for appending.
    fn open(&self, description: &str) -> Result<(u64, File), ResumeError> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&self.file)?;
        let metadata = file.metadata()?;
        // A device or a pipe has nothing to continue.
        if !metadata.is_file() || metadata.len() == 0 || datagen::has_torn_header(&file, description)? {
            if metadata.len() > 0 {
                file.set_len(0).and_then(|()| file.rewind())?;
            }
            training_games::write_header(&mut file, description)?;
            return Ok((0, file));
        }
        file.rewind()?;
        let (games, bytes) = datagen::resume(BufReader::new(&file), description)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok((games, file))
    }
}
