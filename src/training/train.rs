//! Training of the network by AdamW (I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", 2019), with
//! cosine annealing of the learning rate.

use super::adam::Adam;
use super::loss::Loss;
use super::model::{BUCKET_WEIGHTS, FACTORS, MAX_WEIGHT, Model, WEIGHTS};
use super::part::{Part, start_or_do};
use super::sample_stream::Chunk;
use super::samples::{Inputs, Sample};
use crate::rng::seeded_rng;
use rand::seq::SliceRandom;
use std::f32::consts::PI;
use std::thread;

/// Weight decay: the fraction of each weight that a step with learning rate 1 removes.
const WEIGHT_DECAY: f32 = 0.2;
/// The last learning rate as a fraction of the first.
const FINAL_LEARNING_RATE: f32 = 0.01;
/// The score, in engine units, beyond which a game counts as decided: by the win/draw/loss model 95 % are won.
const DECIDED_SCORE: f32 = 600.0;

/// Hyperparameters of a training.
#[derive(Clone, Copy, Debug)]
pub struct TrainSettings {
    /// Passes over all samples.
    pub epochs: u32,
    /// Batch size: samples per step, at least 1.
    pub batch: usize,
    /// The first learning rate.
    pub learning_rate: f32,
    /// By which scores become expected scores.
    pub loss: Loss,
    /// WDL weight (lambda): weight of the game outcome against the search score in the target, 0 to 1.
    pub wdl_weight: f32,
    /// Weight of the samples whose score is beyond [`DECIDED_SCORE`], others having 1.
    pub decided_weight: f32,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Checksum of the network that the training begins with; `None`: random weights.
    pub initial: Option<u32>,
    /// Checksum of the samples' source.
    pub samples: u32,
}

impl TrainSettings {
    /// Checksum of the hyperparameters, without the number of threads.
    fn fingerprint(&self) -> u32 {
        // All but the number of threads.
        let settings = TrainSettings { threads: 0, ..*self };
        crc32fast::hash(format!("{STATE_VERSION} {settings:?}").as_bytes())
    }

    /// The weight of a sample in the gradient.
    fn weight(&self, sample: &Sample) -> f32 {
        let is_decided = (sample.searched() - 0.5).abs() > self.loss.expectation(DECIDED_SCORE).0 - 0.5;
        if is_decided { self.decided_weight } else { 1.0 }
    }
}

/// Why a training cannot be resumed from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainStateError {
    /// Not a state, or incomplete.
    #[error("not a training state, or damaged")]
    Damaged,
    /// Of a training with other hyperparameters or samples.
    #[error("the state of a training with other settings or other games")]
    Settings,
}

/// A training, which can be interrupted and resumed between two chunks of samples.
#[derive(Clone, Debug)]
pub struct Training {
    /// The current weights.
    pub model: Model,
    /// First moments of the gradients.
    first: Vec<f32>,
    /// Second moments of the gradients.
    second: Vec<f32>,
    /// Completed epochs.
    pub epoch: u32,
    /// Games of the present epoch whose samples have been used.
    pub games: u64,
    /// The part of the present epoch that is done, from 0 to 1.
    pub progress: f64,
    /// Completed steps.
    steps: i32,
    /// One gradient for each thread.
    gradients: Vec<Vec<f32>>,
}

impl Training {
    /// A training with random initial weights; `samples` shows which features occur.
    pub fn new(settings: &TrainSettings, samples: &[Sample]) -> Training {
        Training::of(Model::new(&mut seeded_rng(settings.seed, 0), samples))
    }

    /// A training that begins with these weights.
    pub fn of(model: Model) -> Training {
        let zeros = || vec![0.0; WEIGHTS];
        let (first, second) = (zeros(), zeros());
        Training { model, first, second, epoch: 0, games: 0, progress: 0.0, steps: 0, gradients: Vec::new() }
    }

    /// Uses the samples of a chunk in random order; returns the sum of their training losses (squared errors). The learning
    /// rate falls over all epochs. Calls `on_batch` with the number of samples of each batch.
    pub fn run_chunk(&mut self, chunk: &Chunk, settings: &TrainSettings, on_batch: &mut dyn FnMut(usize)) -> f64 {
        let mut order: Vec<&Sample> = chunk.samples.iter().collect();
        // The order depends only on seed, epoch and chunk: a resumed training gives the same result as an uninterrupted one.
        let stream = (u64::from(self.epoch) + 1) << 40 | self.games;
        order.shuffle(&mut seeded_rng(settings.seed, stream));
        let batches = order.len().div_ceil(settings.batch);
        let mut loss = 0.0;
        for (number, batch) in order.chunks(settings.batch).enumerate() {
            let part = self.progress + (chunk.progress - self.progress) * number as f64 / batches as f64;
            let progress = ((f64::from(self.epoch) + part) / f64::from(settings.epochs)) as f32;
            let learning_rate = settings.learning_rate
                * (FINAL_LEARNING_RATE + (1.0 - FINAL_LEARNING_RATE) * (1.0 + (PI * progress).cos()) / 2.0);
            loss += self.gradient_of_batch(batch, settings);
            self.step(learning_rate, batch.len());
            on_batch(batch.len());
        }
        (self.games, self.progress) = (chunk.games, chunk.progress);
        loss
    }

    /// Ends an epoch, after its last chunk.
    pub fn end_epoch(&mut self) {
        self.epoch += 1;
        (self.games, self.progress) = (0, 0.0);
    }

    /// Computes the gradient of a batch, a part of it on each thread; returns the sum of squared errors.
    fn gradient_of_batch(&mut self, batch: &[&Sample], settings: &TrainSettings) -> f64 {
        self.gradients.resize_with(settings.threads.max(1), || vec![0.0; FACTORS]);
        let model = &self.model;
        let share = batch.len().div_ceil(self.gradients.len());
        thread::scope(|scope| {
            let parts: Vec<_> = batch
                .chunks(share)
                .zip(&mut self.gradients)
                .map(|(samples, gradient)| {
                    start_or_do(scope, move || {
                        let accumulate = |sample: &&Sample| {
                            let (target, weight) = (sample.target(settings.wdl_weight), settings.weight(sample));
                            let inputs = sample.inputs();
                            f64::from(model.accumulate_gradient(&inputs, settings.loss, target, weight, gradient))
                        };
                        samples.iter().map(accumulate).sum::<f64>()
                    })
                })
                .collect();
            parts.into_iter().map(Part::join).sum()
        })
    }

    /// One AdamW step; clears the gradients.
    fn step(&mut self, learning_rate: f32, samples: usize) {
        self.steps += 1;
        let step = Step { adam: Adam::new(self.steps), learning_rate, samples: samples as f32 };
        self.step_weights(&step);
        self.step_factors(&step);
    }

    /// The step of all weights but the factors, a part of them on each thread. The sum of the threads' gradients stays in
    /// the first of them.
    fn step_weights(&mut self, step: &Step) {
        let share = FACTORS.div_ceil(self.gradients.len());
        let mut gradients: Vec<_> = self.gradients.iter_mut().map(|gradient| gradient.chunks_mut(share)).collect();
        thread::scope(|scope| {
            let [first, second] =
                [&mut self.first, &mut self.second].map(|moments| moments[..FACTORS].chunks_mut(share));
            let weights = self.model.weights[..FACTORS].chunks_mut(share);
            for (weights, (first, second)) in weights.zip(first.zip(second)) {
                let mut gradients = gradients.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>().into_iter();
                start_or_do(scope, move || {
                    let sum = gradients.next().expect("invariant: at least one thread");
                    gradients.for_each(|gradient| add_and_clear(sum, gradient));
                    step.change(weights, first, second, sum);
                });
            }
        });
    }

    /// The step of the factors, a part of them on each thread, after [`Training::step_weights`]; updates the model's
    /// sums and clears the first gradient.
    fn step_factors(&mut self, step: &Step) {
        let share = BUCKET_WEIGHTS.div_ceil(self.gradients.len());
        let (weights, factors) = self.model.weights.split_at_mut(FACTORS);
        let (gradients, others) = self.gradients[0].split_at_mut(self.model.sums.len());
        others.fill(0.0);
        let mut gradients: Vec<_> =
            gradients.chunks_mut(BUCKET_WEIGHTS).map(|bucket| bucket.chunks_mut(share)).collect();
        let buckets = self.model.sums.chunks_mut(BUCKET_WEIGHTS).zip(weights.chunks(BUCKET_WEIGHTS));
        let mut sums: Vec<_> =
            buckets.map(|(sums, weights)| sums.chunks_mut(share).zip(weights.chunks(share))).collect();
        thread::scope(|scope| {
            let [first, second] =
                [&mut self.first, &mut self.second].map(|moments| moments[FACTORS..].chunks_mut(share));
            for (factors, (first, second)) in factors.chunks_mut(share).zip(first.zip(second)) {
                let gradients: Vec<_> = gradients.iter_mut().filter_map(Iterator::next).collect();
                let sums: Vec<_> = sums.iter_mut().filter_map(Iterator::next).collect();
                start_or_do(scope, move || {
                    let mut total = vec![0.0; factors.len()];
                    gradients.into_iter().for_each(|gradient| add_and_clear(&mut total, gradient));
                    step.change(factors, first, second, &total);
                    for (sums, weights) in sums {
                        let parts = weights.iter().zip(&*factors);
                        sums.iter_mut().zip(parts).for_each(|(sum, (weight, factor))| *sum = weight + factor);
                    }
                });
            }
        });
    }

    /// The loss over `samples`: mean squared error of the expected scores that `predict` gives.
    pub fn loss(samples: &[Sample], settings: &TrainSettings, predict: impl Fn(&Inputs) -> f32 + Sync) -> f32 {
        let share = samples.len().div_ceil(settings.threads.max(1)).max(1);
        let error = |sample: &Sample| {
            let error = predict(&sample.inputs()) - sample.target(settings.wdl_weight);
            f64::from(error * error)
        };
        let sum_of = |part: &[Sample]| part.iter().map(error).sum::<f64>();
        let sum_of = &sum_of;
        let sum: f64 = thread::scope(|scope| {
            let parts: Vec<_> = samples.chunks(share).map(|part| start_or_do(scope, move || sum_of(part))).collect();
            parts.into_iter().map(Part::join).sum()
        });
        (sum / samples.len().max(1) as f64) as f32
    }
}

impl Training {
    /// The state as a file: fingerprint of settings, completed epochs and steps, games and progress of the epoch (eight bytes
    /// each), weights and their two moments, then a CRC-32; four bytes each, little-endian.
    pub fn to_bytes(&self, settings: &TrainSettings) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(STATE);
        bytes.extend(settings.fingerprint().to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        bytes.extend(self.progress.to_le_bytes());
        for part in [&self.model.weights, &self.first, &self.second] {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads [`Training::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are not a state, damaged, or of a training with other settings or samples.
    pub fn read(bytes: &[u8], settings: &TrainSettings) -> Result<Training, TrainStateError> {
        let (bytes, sum) =
            bytes.split_last_chunk::<4>().filter(|_| bytes.len() == STATE).ok_or(TrainStateError::Damaged)?;
        if u32::from_le_bytes(*sum) != crc32fast::hash(bytes) {
            return Err(TrainStateError::Damaged);
        }
        let (words, _) = bytes.as_chunks::<4>();
        let (head, parts) = words.split_at(HEAD);
        if u32::from_le_bytes(head[0]) != settings.fingerprint() {
            return Err(TrainStateError::Settings);
        }
        let part = |index: usize| parts[index * WEIGHTS..][..WEIGHTS].iter().map(|&word| f32::from_le_bytes(word));
        let long = |index: usize| {
            u64::from(u32::from_le_bytes(head[index + 1])) << 32 | u64::from(u32::from_le_bytes(head[index]))
        };
        Ok(Training {
            epoch: u32::from_le_bytes(head[1]),
            steps: i32::from_le_bytes(head[2]),
            games: long(3),
            progress: f64::from_bits(long(5)),
            model: Model::of_weights(part(0).collect()),
            first: part(1).collect(),
            second: part(2).collect(),
            gradients: Vec::new(),
        })
    }
}

/// One AdamW step, the same for all weights.
struct Step {
    adam: Adam,
    learning_rate: f32,
    /// Number of samples that the gradients are the sums of.
    samples: f32,
}

impl Step {
    /// Changes weights and their moments by their gradients.
    fn change(&self, weights: &mut [f32], first: &mut [f32], second: &mut [f32], gradients: &[f32]) {
        let moments = first.iter_mut().zip(second);
        for ((weight, (first, second)), gradient) in weights.iter_mut().zip(moments).zip(gradients) {
            let direction = self.adam.direction(first, second, gradient / self.samples);
            let changed = *weight + self.learning_rate * (direction - WEIGHT_DECAY * *weight);
            *weight = changed.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }
}

/// Adds a gradient to `sum`, and clears it.
fn add_and_clear(sum: &mut [f32], gradient: &mut [f32]) {
    sum.iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += std::mem::take(gradient));
}

/// Version of the states, a part of their fingerprint.
const STATE_VERSION: u32 = 4;
/// Words of a state before the weights.
const HEAD: usize = 7;
/// Bytes of a state.
const STATE: usize = 4 * (HEAD + 3 * WEIGHTS + 1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::settings::SearchSettings;
    use crate::training::datagen;
    use crate::training::samples::Extraction;
    use std::ops::ControlFlow;

    fn samples() -> Vec<Sample> {
        let settings =
            datagen::DatagenSettings { settings: SearchSettings::default(), nodes: 200, seed: 8, endgames: false };
        let extraction = Extraction { loss: Loss::Logistic(400.0), td_lambda: 0.5, outliers: None };
        let mut samples = Vec::new();
        settings.generate(0..8, 2, &mut |game| {
            extraction.extract(&game, &mut samples).unwrap();
            ControlFlow::Continue(())
        });
        samples
    }

    fn settings() -> TrainSettings {
        TrainSettings {
            epochs: 6,
            batch: 500,
            learning_rate: 0.002,
            loss: Loss::Logistic(400.0),
            wdl_weight: 0.5,
            decided_weight: 1.0,
            threads: 2,
            seed: 1,
            initial: None,
            samples: 7,
        }
    }

    #[test]
    fn weights_and_factors_step_against_their_gradients() {
        let at = |bucket: usize| bucket * BUCKET_WEIGHTS + 7;
        for threads in 1..=3 {
            let mut training = Training::of(Model::of_weights(vec![0.0; WEIGHTS]));
            training.gradients = vec![vec![0.0; FACTORS]; threads];
            for (bucket, gradient) in [(0, 4.0), (1, 4.0), (2, -3.0)] {
                training.gradients[bucket % threads][at(bucket)] = gradient;
            }
            training.step(0.01, 10);
            // The first step of Adam has the size of the learning rate. The factor's gradient is 4 + 4 - 3.
            for (index, weight) in training.model.weights.iter().enumerate() {
                let expected = match index {
                    _ if index == at(0) || index == at(1) || index == FACTORS + 7 => -0.01,
                    _ if index == at(2) => 0.01,
                    _ => 0.0,
                };
                assert!((weight - expected).abs() < 1e-5, "{index}: {weight}");
            }
            assert!(training.model == Model::of_weights(training.model.weights.clone()));
            assert!(training.gradients.iter().flatten().all(|&gradient| gradient == 0.0));
        }
    }

    #[test]
    fn decided_samples_have_a_weight_of_their_own() {
        let loss = Loss::Logistic(400.0);
        let settings = TrainSettings { decided_weight: 0.25, ..settings() };
        let mut training = Training::of(Model::of_network(&crate::Network::built_in()));
        let mut gradient = |score: f32, settings: &TrainSettings| {
            let sample = Sample::new(&crate::Position::start(), loss.expectation(score).0, None);
            training.gradient_of_batch(&[&sample], settings);
            std::mem::take(&mut training.gradients).concat().into_iter().map(f32::abs).sum::<f32>()
        };
        for (score, share) in [(590.0, 1.0), (-590.0, 1.0), (610.0, 0.25), (-610.0, 0.25)] {
            let [with, without] = [settings, TrainSettings { decided_weight: 1.0, ..settings }]
                .map(|settings| gradient(score, &settings));
            assert!(without > 0.0 && (with / without - share).abs() < 1e-3, "{score}: {with} {without}");
        }
    }

    #[test]
    fn training_reduces_the_loss_and_resumes_from_a_state() {
        let samples = samples();
        let settings = settings();
        let (early, late) = samples.split_at(samples.len() / 3);
        let chunks = [(early, 3, 1.0 / 3.0), (late, 8, 1.0)].map(|(samples, games, progress)| Chunk {
            samples: samples.to_vec(),
            games,
            progress,
        });
        let epoch = |training: &mut Training| {
            let mut done = 0;
            for chunk in &chunks {
                training.run_chunk(chunk, &settings, &mut |count| done += count);
            }
            training.end_epoch();
            assert_eq!(done, samples.len());
        };
        let mut training = Training::new(&settings, &samples);
        let first = Training::loss(&samples, &settings, |inputs| training.model.expectation(inputs, settings.loss));
        (0..3).for_each(|_| epoch(&mut training));
        training.run_chunk(&chunks[0], &settings, &mut |_| {});
        let bytes = training.to_bytes(&settings);
        let mut resumed = Training::read(&bytes, &settings).unwrap();
        assert_eq!((resumed.epoch, resumed.games, resumed.progress), (3, 3, 1.0 / 3.0));
        for training in [&mut training, &mut resumed] {
            training.run_chunk(&chunks[1], &settings, &mut |_| {});
            training.end_epoch();
            (0..2).for_each(|_| epoch(training));
        }
        assert!(training.model == resumed.model);
        assert!(training.model == Model::of_weights(training.model.weights.clone()), "the sums are up to date");
        let last = Training::loss(&samples, &settings, |inputs| training.model.expectation(inputs, settings.loss));
        assert!(last < 0.8 * first, "{first} {last}");
        let read = |bytes: &[u8], settings| Training::read(bytes, &settings).err();
        for other in [
            TrainSettings { loss: Loss::WinDrawLoss, ..settings },
            TrainSettings { wdl_weight: 0.4, ..settings },
            TrainSettings { decided_weight: 0.5, ..settings },
            TrainSettings { epochs: 7, ..settings },
            TrainSettings { initial: Some(1), ..settings },
            TrainSettings { samples: 8, ..settings },
        ] {
            assert_eq!(read(&bytes, other), Some(TrainStateError::Settings));
        }
        let mut damaged = bytes.clone();
        damaged[77] ^= 1;
        for damaged in [&bytes[1..], &damaged[..]] {
            assert_eq!(read(damaged, settings), Some(TrainStateError::Damaged));
        }
        assert_eq!(read(&bytes, TrainSettings { threads: 1, ..settings }), None);
    }
}
