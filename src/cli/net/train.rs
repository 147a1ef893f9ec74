//! `chuhe net train`.

use super::super::terminal;
use super::common::{Files, fraction, open_network, threads};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::progress::progress;
use crate::cli::save::{check, save};
use chuhe::display::count::count;
use chuhe::eval::network::{Network, NetworkError};
use chuhe::learning::model::Model;
use chuhe::learning::samples::{self, Sample, sigmoid};
use chuhe::learning::train::{TrainSettings, Training};
use chuhe::system::files;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// One of this many games is held out for validation. Odd: every other game starts from a board that lacks pieces.
const VALIDATION_EVERY: u64 = 51;

#[derive(Args)]
pub struct Train {
    #[command(flatten)]
    files: Files,
    /// File of the network, written after each epoch
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// File of the training state, written after each epoch; if it exists, the training resumes from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// File of a network to train further; default: random weights
    #[arg(long, value_name = "FILE")]
    initial: Option<PathBuf>,
    /// Passes over all samples
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Batch size: samples per step of the optimizer
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Initial learning rate (cosine annealing)
    #[arg(long, value_name = "X", default_value_t = 0.001, value_parser = learning_rate)]
    learning_rate: f32,
    /// WDL weight (lambda): weight of the game outcome against the search score in the target, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.03, value_parser = fraction)]
    wdl_weight: f32,
    /// Weight of the next position's target against the position's own search score (TD(λ)), 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = fraction)]
    td_lambda: f32,
    /// Number of threads; default: as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Train {
    pub fn run(self) -> Result<ExitStatus, CliError> {
        [Some(&self.output), self.state.as_ref()].into_iter().flatten().try_for_each(|path| check(path))?;
        let (samples, validation) = self.read()?;
        let initial = self.initial.as_deref().map(open_network).transpose()?;
        let settings = TrainSettings {
            epochs: self.epochs,
            batch: self.batch as usize,
            learning_rate: self.learning_rate,
            wdl_weight: self.wdl_weight,
            threads: threads(self.threads),
            seed: self.seed,
            initial: initial.as_ref().map(|network| network.checksum()),
        };
        let [training, held_out] = [(samples.len(), "training sample"), (validation.len(), "validation sample")]
            .map(|(number, noun)| count(number, noun));
        writeln!(terminal::stdout(), "{training}, {held_out}")?;
        let mut training = match &self.state {
            Some(path) if path.is_file() => {
                let bytes =
                    files::read(path, files::MAX_FILE_BYTES).map_err(|error| CliError::File(path.clone(), error))?;
                Training::read(&bytes, &settings, &samples).map_err(|error| CliError::Training(path.clone(), error))?
            }
            _ => match &initial {
                Some(network) => Training::of(Model::of_network(network)),
                None => Training::new(&settings, &samples),
            },
        };
        if training.epoch >= self.epochs {
            self.save(&training, &settings, &samples)?;
        }
        while training.epoch < self.epochs {
            let progress = progress(samples.len() as u64, "samples");
            let loss = training.run_epoch(&samples, &settings, &mut |done| progress.inc(done as u64));
            progress.finish_and_clear();
            let rate = samples.len() as f64 / progress.elapsed().as_secs_f64();
            write!(terminal::stdout(), "epoch {}: training loss {loss:.5}", training.epoch)?;
            let network = self.save(&training, &settings, &samples)?;
            if !validation.is_empty() {
                let float = Training::loss(&validation, &settings, |inputs| training.model.expectation(inputs));
                let quantised = Training::loss(&validation, &settings, |inputs| inputs.quantised_expectation(&network));
                let piece_square = Training::loss(&validation, &settings, |inputs| sigmoid(inputs.piece_square()));
                write!(terminal::stdout(), ", validation loss {float:.5}")?;
                write!(terminal::stdout(), " (quantised {quantised:.5}, piece-square tables alone {piece_square:.5})")?;
            }
            writeln!(terminal::stdout(), ", {rate:.0} samples/s")?;
        }
        Ok(ExitStatus::Success)
    }

    /// Writes the network and the training state.
    fn save(&self, training: &Training, settings: &TrainSettings, samples: &[Sample]) -> Result<Network, CliError> {
        let (epoch, epochs, positions) = (training.epoch, self.epochs, samples.len());
        let initial = settings.initial.map_or_else(String::new, |checksum| format!(", from network {checksum:08x}"));
        let network =
            training.model.to_network(format!("ChuHe, {positions} samples, epoch {epoch} of {epochs}{initial}"));
        if !network.cannot_overflow() {
            return Err(CliError::Network(self.output.clone(), NetworkError::Weights));
        }
        save(&self.output, &network.to_bytes())?;
        if let Some(path) = &self.state {
            save(path, &training.to_bytes(settings, samples))?;
        }
        Ok(network)
    }

    /// Training samples, and validation samples from every 51st game of each file.
    fn read(&self) -> Result<(Vec<Sample>, Vec<Sample>), CliError> {
        let (mut samples, mut validation) = (Vec::new(), Vec::new());
        self.files.for_each_game(|number, game| {
            let part = if number % VALIDATION_EVERY == 0 { &mut validation } else { &mut samples };
            samples::extract(game, self.td_lambda, part)
        })?;
        if samples.is_empty() { Err(CliError::NoSample) } else { Ok((samples, validation)) }
    }
}

/// Reads a learning rate.
fn learning_rate(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if number > 0.0 && number <= 1.0 { Ok(number) } else { Err("must be more than 0 and at most 1".to_string()) }
}
