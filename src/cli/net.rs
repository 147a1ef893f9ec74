//! `chuhe net`: games, and what is learned from them.

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
    /// Let the engine play against itself and write the games to a file
    Datagen(Datagen),
    /// Say what is in files of games
    Stats(Files),
    /// Say how often who had a score won, drew and lost, and fit `src/eval/wdl.rs` to that
    Wdl(Files),
    /// Put the games of some files into one, in a random order
    Shuffle(Shuffle),
    /// Learn a network from games
    Train(Train),
    /// Find weights for the classical evaluation by games, and print them as in `src/eval/classical.rs`
    Texel(Texel),
    /// Let one evaluation play another, at equal nodes
    Match(Match),
    /// Say what a network is
    Info {
        /// Its file; the built-in one if not given
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Check files of games: sums, moves, outcomes
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
    /// Visits the games with their numbers in their file, from 1.
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
    /// What evaluates for one side: the file of a network, or `small`, `medium` or `large` for these grades of knowledge
    #[arg(value_name = "ONE")]
    one: String,
    /// What evaluates for the other
    #[arg(value_name = "OTHER")]
    other: String,
    #[command(flatten)]
    duel: MatchArgs,
}

impl Match {
    fn run(self) -> Result<ExitStatus, CliError> {
        let title = format!("{} against {}", self.one, self.other);
        self.duel.run(&title, &settings(&self.one)?, &settings(&self.other)?)
    }
}

fn info(file: Option<&Path>) -> Result<ExitStatus, CliError> {
    let network = file.map_or_else(|| Ok(Network::built_in()), open_network)?;
    writeln!(io::stdout(), "story    {}", network.description)?;
    writeln!(io::stdout(), "shape    2 × {FEATURES} → 2 × {HIDDEN} → {OUTPUT_BUCKETS}")?;
    writeln!(io::stdout(), "size     {} bytes", network.to_bytes().len())?;
    writeln!(io::stdout(), "CRC-32   {:08x}", network.checksum())?;
    Ok(ExitStatus::Success)
}

/// How to search with what `name` evaluates: the file of a network, or a grade of knowledge.
fn settings(name: &str) -> Result<SearchSettings, CliError> {
    let knowing = |knowledge| SearchSettings { knowledge, ..SearchSettings::default() };
    match name {
        "small" => Ok(knowing(Knowledge::Small)),
        "medium" => Ok(knowing(Knowledge::Medium)),
        "large" => Ok(knowing(Knowledge::Large)),
        file => Ok(SearchSettings { network: open_network(Path::new(file))?, ..SearchSettings::default() }),
    }
}

fn open_network(path: &Path) -> Result<Arc<Network>, CliError> {
    Network::open(path).map_err(|error| CliError::Network(path.into(), error))
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 1".to_string()) }
}

fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

fn open(path: &Path) -> Result<Reader<BufReader<File>>, CliError> {
    let file = File::open(path).map_err(|error| CliError::File(path.into(), error))?;
    Reader::new(BufReader::new(file)).map_err(|error| CliError::Games(path.into(), error))
}
