//! `chuhe net train`.

use super::super::names::Threads;
use super::super::text_output;
use super::common::{Files, fraction, open_network};
use crate::cli::error::{CliError, Context, ExitStatus, Failure, IoContext};
use crate::cli::file_kind::FileKind;
use crate::cli::guard::{Target, guard};
use crate::cli::progress::progress;
use crate::cli::save::save;
use crate::display::count::count;
use crate::eval::network::{Network, NetworkError};
use crate::files;
use crate::training::loss::Loss;
use crate::training::model::Model;
use crate::training::sample_stream::SampleStream;
use crate::training::samples::{Extraction, Outliers, Sample};
use crate::training::train::{TrainSettings, Training};
use crate::types::Score;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Samples held out for validation, at most.
const MAX_HELD_OUT: usize = 300_000;

#[derive(Args)]
pub(super) struct Train {
    #[command(flatten)]
    files: Files,
    /// File of the network, written after each chunk of samples
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// File of the training state, written after each chunk of samples; if it exists, the training resumes from it
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
    /// Loss: the squared error of the expected score, which is a function of a score. `logistic:SCALE`: the logistic function
    /// of the score divided by so many engine units; `wdl`: the WDL model of `showwdl`, which is nearly flat beyond 600
    #[arg(long, value_name = "NAME", default_value = "logistic:400")]
    loss: Loss,
    /// WDL weight (lambda): weight of the game outcome against the search score in the target, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.03, value_parser = fraction)]
    wdl_weight: f32,
    /// Weight of the target of the position two plies later against the position's own search score (TD(λ)), 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = fraction)]
    td_lambda: f32,
    /// Leave samples out whose search score differs by more engine units from the static score of the initial network;
    /// without `--initial`, of the built-in one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(Score).range(1..=30_000))]
    max_difference: Option<Score>,
    /// Weight of the samples whose score is beyond ±600 engine units, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = fraction)]
    decided_weight: f32,
    /// Samples in memory at once: a chunk is made while another is used, each of 32 bytes a sample
    #[arg(long, value_name = "N", default_value_t = 8_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    chunk: u32,
    /// Number of threads; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "0")]
    threads: Threads,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Train {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let state = self.state.iter().map(|path| Target::State(path));
        let outputs: Vec<Target> = state.chain([Target::New(&self.output, FileKind::Network)]).collect();
        let _locks = guard(&self.files.with(self.initial.as_deref()), &outputs)?;
        let initial = self.initial.as_deref().map(open_network).transpose()?;
        let outliers = self.max_difference.map(|max_difference| {
            let network = initial.clone().unwrap_or_else(Network::built_in);
            Outliers { network, max_difference }
        });
        let extraction = Extraction { loss: self.loss, td_lambda: self.td_lambda, outliers };
        let stream = SampleStream { files: self.files.files.clone(), extraction, chunk: self.chunk as usize };
        let settings = TrainSettings {
            epochs: self.epochs,
            batch: self.batch as usize,
            learning_rate: self.learning_rate,
            loss: self.loss,
            wdl_weight: self.wdl_weight,
            decided_weight: self.decided_weight,
            threads: self.threads.count(),
            seed: self.seed,
            initial: initial.as_ref().map(|network| network.checksum()),
            samples: stream.fingerprint()?,
        };
        let held_out = stream.held_out(MAX_HELD_OUT)?;
        let mut training = match (&self.state, &initial) {
            (Some(path), _) if path.is_file() => {
                let bytes = files::read(path, files::MAX_FILE_BYTES).reading(path)?;
                Training::read(&bytes, &settings).in_file(path)?
            }
            (_, Some(network)) => Training::of(Model::of_network(network)),
            _ => {
                let first = stream.chunks(0).next().transpose()?;
                Training::new(&settings, &first.ok_or(CliError::NoSample)?.samples)
            }
        };
        if training.epoch >= self.epochs {
            self.save(&training, &settings)?;
        }
        while training.epoch < self.epochs {
            let progress = progress(self.files.bytes()?, "bytes");
            let (mut samples, mut loss) = (0, 0.0);
            let resumed = training.progress;
            for chunk in stream.chunks(training.games) {
                let chunk = chunk?;
                let (from, bytes) = (training.progress, progress.length().unwrap_or(0) as f64);
                let mut done = 0;
                loss += training.run_chunk(&chunk, &settings, &mut |count| {
                    done += count;
                    let part = from + (chunk.progress - from) * done as f64 / chunk.samples.len() as f64;
                    progress.set_position((part * bytes) as u64);
                });
                samples += chunk.samples.len();
                self.save(&training, &settings)?;
                let rate = samples as f64 / progress.elapsed().as_secs_f64();
                let validation = self.loss(&training, &held_out, &settings);
                progress.set_message(format!(
                    "{rate:.0} samples/s, loss {:.5}, validation {validation:.5}",
                    loss / samples as f64
                ));
            }
            let rate = samples as f64 / progress.elapsed().as_secs_f64();
            progress.finish_and_clear();
            if samples == 0 && resumed == 0.0 {
                return Err(CliError::NoSample.into());
            }
            training.end_epoch();
            let network = self.save(&training, &settings)?;
            let mut out = text_output::stdout();
            let counted = count(samples, "sample");
            write!(out, "epoch {}: {counted}, training loss {:.5}", training.epoch, loss / samples.max(1) as f64)?;
            if !held_out.is_empty() {
                let float = self.loss(&training, &held_out, &settings);
                let expectation = |score: Score| settings.loss.expectation(score as f32).0;
                let quantised =
                    Training::loss(&held_out, &settings, |inputs| expectation(inputs.static_score(&network)));
                write!(out, ", validation loss {float:.5} (quantised {quantised:.5})")?;
            }
            writeln!(out, ", {rate:.0} samples/s")?;
        }
        Ok(ExitStatus::Success)
    }

    fn loss(&self, training: &Training, held_out: &[Sample], settings: &TrainSettings) -> f32 {
        Training::loss(held_out, settings, |inputs| training.model.expectation(inputs, settings.loss))
    }

    /// Writes the network and the training state.
    fn save(&self, training: &Training, settings: &TrainSettings) -> Result<Network, Failure> {
        let passed = f64::from(training.epoch) + training.progress;
        let (epochs, games) = (self.epochs, count(self.files.files.len(), "file"));
        let initial = settings.initial.map_or_else(String::new, |checksum| format!(", from network {checksum:08x}"));
        let description = format!("ChuHe, {games} of games, epoch {passed:.2} of {epochs}{initial}");
        let network = training.model.to_network(description);
        if !network.cannot_overflow() {
            return Err(NetworkError::Weights).in_file(&self.output);
        }
        save(&self.output, &network.to_bytes())?;
        if let Some(path) = &self.state {
            save(path, &training.to_bytes(settings))?;
        }
        Ok(network)
    }
}

/// Reads a learning rate.
fn learning_rate(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number")?;
    if number > 0.0 && number <= 1.0 { Ok(number) } else { Err("must be more than 0 and at most 1".to_string()) }
}
