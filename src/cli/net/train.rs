//! `chuhe net train`.

use super::{Files, save, threads};
use crate::cli::progress::progress;
use crate::cli::{CliError, ExitStatus};
use crate::eval::network::{Network, NetworkError};
use crate::learning::samples::{self, Sample, sigmoid};
use crate::learning::train::{TrainSettings, Training};
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

/// Of so many games one is held out of a training.
const HELD_OUT: u64 = 50;

#[derive(Args)]
pub struct Train {
    #[command(flatten)]
    files: Files,
    /// Where the network goes, after each epoch
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Where the state is kept after each epoch; a training that was broken off goes on from there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// How often every position is taken
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions between two steps
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The first step
    #[arg(long, value_name = "X", default_value_t = 0.001, value_parser = learning_rate)]
    learning_rate: f32,
    /// How much the outcome of a game counts, against the score of the search: 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.03, value_parser = super::share)]
    wdl_weight: f32,
    /// Threads; as many as the machine has processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Train {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        let (samples, held_out) = self.read()?;
        let settings = TrainSettings {
            epochs: self.epochs,
            batch: self.batch as usize,
            learning_rate: self.learning_rate,
            wdl_weight: self.wdl_weight,
            threads: threads(self.threads),
            seed: self.seed,
        };
        writeln!(io::stdout(), "{} positions to learn from, {} held out", samples.len(), held_out.len())?;
        let mut training = match &self.state {
            Some(path) if path.exists() => {
                let bytes = fs::read(path).map_err(|error| CliError::File(path.clone(), error))?;
                Training::read(&bytes, &settings, &samples).map_err(|error| CliError::Training(path.clone(), error))?
            }
            _ => Training::new(&settings, &samples),
        };
        if training.epoch >= self.epochs {
            self.save(&training, &settings, &samples)?;
        }
        while training.epoch < self.epochs {
            let progress = progress(samples.len() as u64, "positions");
            let error = training.run_epoch(&samples, &settings, &mut |done| progress.inc(done as u64));
            progress.finish_and_clear();
            let rate = samples.len() as f64 / progress.elapsed().as_secs_f64();
            write!(io::stdout(), "epoch {}: error {error:.5}", training.epoch)?;
            let network = self.save(&training, &settings, &samples)?;
            if !held_out.is_empty() {
                let unseen = Training::error(&held_out, &settings, |sample| training.model.expectation(sample));
                let integer = Training::error(&held_out, &settings, |sample| sample.expectation_by(&network));
                let before = Training::error(&held_out, &settings, |sample| sigmoid(sample.placement()));
                let held_out = format!("{unseen:.5} ({integer:.5} in integers, {before:.5} placement)");
                write!(io::stdout(), ", held out {held_out}")?;
            }
            writeln!(io::stdout(), ", {rate:.0} a second")?;
        }
        Ok(ExitStatus::Success)
    }

    /// Writes the network and the state.
    fn save(&self, training: &Training, settings: &TrainSettings, samples: &[Sample]) -> Result<Network, CliError> {
        let (epoch, epochs, positions) = (training.epoch, self.epochs, samples.len());
        let network = training.model.to_network(format!("ChuHe, {positions} positions, epoch {epoch} of {epochs}"));
        if !network.cannot_overflow() {
            return Err(CliError::Network(self.output.clone(), NetworkError::Weights));
        }
        save(&self.output, &network.to_bytes())?;
        if let Some(path) = &self.state {
            save(path, &training.to_bytes(settings, samples))?;
        }
        Ok(network)
    }

    /// Positions to learn from, and others that tell how well that went: those of every fiftieth game.
    fn read(&self) -> Result<(Vec<Sample>, Vec<Sample>), CliError> {
        let (mut samples, mut held_out) = (Vec::new(), Vec::new());
        self.files.for_each_game(|number, game| {
            samples::take(game, if number % HELD_OUT == 0 { &mut held_out } else { &mut samples })
        })?;
        if samples.is_empty() { Err(CliError::NoSample) } else { Ok((samples, held_out)) }
    }
}

/// A step: more than nothing.
fn learning_rate(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if number > 0.0 && number <= 1.0 { Ok(number) } else { Err("must be more than 0 and at most 1".to_string()) }
}
