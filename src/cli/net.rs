//! `chuhe net`: data generation and training of evaluations.

pub(super) mod common;
mod datagen;
mod files;
mod label;
mod openings;
mod texel;
mod train;

use super::error::{ExitStatus, Failure};
use super::text_output;
use crate::eval::features::{ATTACK_FEATURES, FEATURES};
use crate::eval::network::{ATTACK_HIDDEN, HIDDEN, Network, OUTPUT_BUCKETS};
use clap::{Args, Subcommand};
use common::{Files, open_network};
use datagen::Datagen;
use files::{Loss, Merge, Shuffle};
use label::Label;
use openings::FindOpenings;
use std::io::Write;
use std::path::{Path, PathBuf};
use texel::Texel;
use train::Train;

#[derive(Args)]
pub(super) struct Net {
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
    /// Score some positions of games anew, by long searches
    Label(Label),
    /// Print the error of a network against the scores in files of games, by number of pieces and by score
    Loss(Loss),
    /// Merge files of games in random order
    Shuffle(Shuffle),
    /// Merge files of `net datagen --shard`: the file that one run would have written
    Merge(Merge),
    /// Find unbalanced openings for matches in files of games
    Openings(FindOpenings),
    /// Train a network (NNUE) on games
    Train(Train),
    /// Tune the classical evaluation or the piece-square tables on games (Texel tuning), and print them as source
    Texel(Texel),
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
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.command {
            Command::Datagen(datagen) => datagen.run(),
            Command::Stats(files) => files::stats(&files),
            Command::Wdl(files) => files::wdl(&files),
            Command::Label(label) => label.run(),
            Command::Loss(loss) => loss.run(),
            Command::Shuffle(shuffle) => shuffle.run(),
            Command::Merge(merge) => merge.run(),
            Command::Openings(openings) => openings.run(),
            Command::Train(train) => train.run(),
            Command::Texel(texel) => texel.run(),
            Command::Info { file } => info(file.as_deref()),
            Command::Verify(files) => files::verify(&files),
        }
    }
}

fn info(file: Option<&Path>) -> Result<ExitStatus, Failure> {
    let network = file.map_or_else(|| Ok(Network::built_in()), open_network)?;
    writeln!(text_output::stdout(), "description  {}", network.description)?;
    writeln!(
        text_output::stdout(),
        "shape        2 × ({FEATURES} → {HIDDEN}, {ATTACK_FEATURES} → {ATTACK_HIDDEN}) → {OUTPUT_BUCKETS}"
    )?;
    writeln!(text_output::stdout(), "size         {} bytes", network.to_bytes().len())?;
    writeln!(text_output::stdout(), "CRC-32       {:08x}", network.checksum())?;
    Ok(ExitStatus::Success)
}
