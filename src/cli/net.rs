//! `chuhe net`: data generation, training and comparison of evaluations.

mod datagen;
mod files;
mod texel;
mod train;

use super::match_args::MatchArgs;
use super::{CliError, ExitStatus, save};
use crate::eval::Knowledge;
use crate::eval::features::FEATURES;
use crate::eval::network::{HIDDEN, Network, OUTPUT_BUCKETS};
use crate::learning::games::{Game, GameError, GamesError, Reader};
use crate::search::settings::SearchSettings;
use clap::{Args, Subcommand};
use datagen::Datagen;
use files::Shuffle;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use texel::Texel;
use train::Train;

#[derive(Args)]
pub struct Net {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate self-play games for training
    Datagen(Datagen),
    /// Print statistics of files of games
    Stats(Files),
    /// Print win/draw/loss frequencies by score, and fit the WDL model of `src/eval/wdl.rs`
    Wdl(Files),
    /// Merge files of games in random order
    Shuffle(Shuffle),
    /// Train a network (NNUE) on games
    Train(Train),
    /// Tune the classical evaluation or the piece-square tables on games (Texel tuning), and print them as source
    Texel(Texel),
    /// Play a match between two evaluations at equal nodes
    Match(Match),
    /// Print the description, shape, size and checksum of a network
    Info {
        /// File of the network; default: the built-in network
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Check files of games: checksums, moves, outcomes
    Verify(Files),
}

impl Net {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Datagen(datagen) => datagen.run(),
            Command::Stats(files) => files::stats(&files),
            Command::Wdl(files) => files::wdl(&files),
            Command::Shuffle(shuffle) => shuffle.run(),
            Command::Train(train) => train.run(),
            Command::Texel(texel) => texel.run(),
            Command::Match(play) => play.run(),
            Command::Info { file } => info(file.as_deref()),
            Command::Verify(files) => files::verify(&files),
        }
    }
}

/// Files of games.
#[derive(Args)]
struct Files {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Files {
    /// Visits all games with their number in their file, counted from 1.
    fn for_each_game(&self, mut visit: impl FnMut(u64, &Game) -> Result<(), GameError>) -> Result<(), CliError> {
        for path in &self.files {
            for (number, game) in (1..).zip(open(path)?) {
                let visited =
                    game.and_then(|game| visit(number, &game).map_err(|error| GamesError::Content(number, error)));
                visited.map_err(|error| CliError::Games(path.clone(), error))?;
            }
        }
        Ok(())
    }
}

#[derive(Args)]
struct Match {
    /// Evaluation of the first player: the file of a network, or a grade of `knowledge`: `small`, `medium` or `large`
    #[arg(value_name = "FIRST")]
    first: String,
    /// Evaluation of the second player
    #[arg(value_name = "SECOND")]
    second: String,
    #[command(flatten)]
    match_args: MatchArgs,
}

impl Match {
    fn run(self) -> Result<ExitStatus, CliError> {
        let title = format!("{} against {}", self.first, self.second);
        self.match_args.run(&title, &settings(&self.first)?, &settings(&self.second)?)
    }
}

fn info(file: Option<&Path>) -> Result<ExitStatus, CliError> {
    let network = file.map_or_else(|| Ok(Network::built_in()), open_network)?;
    writeln!(io::stdout(), "description  {}", network.description)?;
    writeln!(io::stdout(), "shape        2 × {FEATURES} → 2 × {HIDDEN} → {OUTPUT_BUCKETS}")?;
    writeln!(io::stdout(), "size         {} bytes", network.to_bytes().len())?;
    writeln!(io::stdout(), "CRC-32       {:08x}", network.checksum())?;
    Ok(ExitStatus::Success)
}

/// Search settings with an evaluation: the file of a network, or a grade of knowledge.
fn settings(name: &str) -> Result<SearchSettings, CliError> {
    let with = |knowledge| SearchSettings { knowledge, ..SearchSettings::default() };
    match name {
        "small" => Ok(with(Knowledge::Small)),
        "medium" => Ok(with(Knowledge::Medium)),
        "large" => Ok(with(Knowledge::Large)),
        file => Ok(SearchSettings { network: open_network(Path::new(file))?, ..SearchSettings::default() }),
    }
}

fn open_network(path: &Path) -> Result<Arc<Network>, CliError> {
    Network::open(path).map_err(|error| CliError::Network(path.into(), error))
}

/// Reads a number from 0 to 1.
fn fraction(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 1".to_string()) }
}

/// The number of threads, by default that of the processors.
fn threads(count: Option<u16>) -> usize {
    count.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

fn open(path: &Path) -> Result<Reader<BufReader<File>>, CliError> {
    let file = File::open(path).map_err(|error| CliError::File(path.into(), error))?;
    Reader::new(BufReader::new(file)).map_err(|error| CliError::Games(path.into(), error))
}
