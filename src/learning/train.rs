//! Learning weights from lessons: stochastic gradient descent with moments (I. Loshchilov and F. Hutter, "Decoupled weight
//! decay regularization", 2019: AdamW), the step shrinking like a cosine.

use super::adam::Adam;
use super::lessons::Lesson;
use super::model::{MOST, Model, WEIGHTS};
use super::selfplay::chance;
use rand::seq::SliceRandom;
use std::f32::consts::PI;
use std::thread;

/// Part of each weight that a step of 1 takes away.
const WEIGHT_DECAY: f32 = 0.2;
/// The last step, as a part of the first.
const LAST_STEP: f32 = 0.01;

/// How weights are learned.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often every lesson is taken.
    pub epochs: u32,
    /// Lessons between two steps, at least 1.
    pub batch: usize,
    /// The first step.
    pub step: f32,
    /// How much the outcome of the game counts, against the score that the search found: 0 to 1.
    pub trust: f32,
    /// Threads, at least 1.
    pub threads: usize,
    /// Where chance begins.
    pub seed: u64,
}

impl Plan {
    /// What a training depends on besides its lessons, for its file; not on the number of threads.
    fn mark(&self, lessons: &[Lesson]) -> u32 {
        let Plan { epochs, batch, step, trust, seed, threads: _ } = self;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(format!("{epochs} {batch} {step} {trust} {seed}").as_bytes());
        lessons.iter().for_each(|lesson| hasher.update(&lesson.mark()));
        hasher.finalize()
    }
}

/// Why a training cannot be gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Something else, or not whole.
    #[error("not the state of a training, or damaged")]
    Damaged,
    /// The training had another plan.
    #[error("the state of a training with other numbers or other games")]
    Plan,
}

/// A training that can be broken off and gone on with between two epochs.
#[derive(Clone, Debug)]
pub struct Training {
    /// The weights so far.
    pub model: Model,
    /// Mean of the slopes, lately.
    first: Vec<f32>,
    /// Mean of their squares, lately.
    second: Vec<f32>,
    /// Epochs done.
    pub epoch: u32,
    /// Steps done.
    steps: i32,
    /// One for each thread.
    slopes: Vec<Vec<f32>>,
}

impl Training {
    /// Begins with weights by chance, to learn from these lessons.
    pub fn new(plan: &Plan, lessons: &[Lesson]) -> Training {
        let nothing = || vec![0.0; WEIGHTS];
        Training {
            model: Model::new(&mut chance(plan.seed, 0), lessons),
            first: nothing(),
            second: nothing(),
            epoch: 0,
            steps: 0,
            slopes: Vec::new(),
        }
    }

    /// Takes all lessons once, in an order by chance; the mean squared error on the way. Calls `say` with the number of
    /// lessons done now and then.
    pub fn run_epoch(&mut self, lessons: &[Lesson], plan: &Plan, say: &mut dyn FnMut(usize)) -> f32 {
        let mut order: Vec<&Lesson> = lessons.iter().collect();
        // The order depends on nothing that went before, so that a training broken off goes on as if it had not been.
        order.shuffle(&mut chance(plan.seed, u64::from(self.epoch) + 1));
        let batches = order.len().div_ceil(plan.batch);
        let mut error = 0.0;
        for (number, batch) in order.chunks(plan.batch).enumerate() {
            let progress = (self.epoch as f32 + number as f32 / batches as f32) / plan.epochs as f32;
            let step = plan.step * (LAST_STEP + (1.0 - LAST_STEP) * (1.0 + (PI * progress).cos()) / 2.0);
            error += self.learn(batch, plan);
            self.step(step, batch.len());
            say(batch.len());
        }
        self.epoch += 1;
        (error / lessons.len() as f64) as f32
    }

    /// Finds the slopes of a batch, a part of it on each thread; the sum of squared errors.
    fn learn(&mut self, batch: &[&Lesson], plan: &Plan) -> f64 {
        self.slopes.resize_with(plan.threads.max(1), || vec![0.0; WEIGHTS]);
        let model = &self.model;
        let share = batch.len().div_ceil(self.slopes.len());
        thread::scope(|scope| {
            let parts: Vec<_> = batch
                .chunks(share)
                .zip(&mut self.slopes)
                .map(|(lessons, slope)| {
                    scope.spawn(move || {
                        let learn =
                            |lesson: &&Lesson| f64::from(model.learn(lesson, lesson.expectation(plan.trust), slope));
                        lessons.iter().map(learn).sum::<f64>()
                    })
                })
                .collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
        })
    }

    /// Moves the weights down the slopes, a part of them on each thread, and levels the slopes.
    fn step(&mut self, step: f32, lessons: usize) {
        self.steps += 1;
        let adam = Adam::new(self.steps);
        let share = WEIGHTS.div_ceil(self.slopes.len());
        let mut slopes: Vec<_> = self.slopes.iter_mut().map(|slope| slope.chunks_mut(share)).collect();
        thread::scope(|scope| {
            let moments = self.first.chunks_mut(share).zip(self.second.chunks_mut(share));
            for (weights, (first, second)) in self.model.weights.chunks_mut(share).zip(moments) {
                let mut slopes: Vec<_> = slopes.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || {
                    for (index, weight) in weights.iter_mut().enumerate() {
                        let sum: f32 = slopes.iter_mut().map(|slope| std::mem::take(&mut slope[index])).sum();
                        let slope = sum / lessons as f32;
                        let direction = adam.direction(&mut first[index], &mut second[index], slope);
                        *weight = (*weight + step * (direction - WEIGHT_DECAY * *weight)).clamp(-MOST, MOST);
                    }
                });
            }
        });
    }

    /// Mean squared error over `lessons` of what `expect` makes of them.
    pub fn error(lessons: &[Lesson], plan: &Plan, expect: impl Fn(&Lesson) -> f32 + Sync) -> f32 {
        let share = lessons.len().div_ceil(plan.threads.max(1)).max(1);
        let error = |lesson: &Lesson| {
            let error = expect(lesson) - lesson.expectation(plan.trust);
            f64::from(error * error)
        };
        let sum_of = |part: &[Lesson]| part.iter().map(error).sum::<f64>();
        let sum_of = &sum_of;
        let sum: f64 = thread::scope(|scope| {
            let parts: Vec<_> = lessons.chunks(share).map(|part| scope.spawn(move || sum_of(part))).collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
        });
        (sum / lessons.len().max(1) as f64) as f32
    }
}

impl Training {
    /// The training by `plan` on these lessons as a file: a mark of these, epochs and steps done, weights and their two
    /// means, then a CRC-32; four bytes each, little-endian.
    pub fn to_bytes(&self, plan: &Plan, lessons: &[Lesson]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(STATE);
        bytes.extend(plan.mark(lessons).to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for part in [&self.model.weights, &self.first, &self.second] {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads [`Training::to_bytes`].
    ///
    /// # Errors
    /// When it is something else, or damaged, or was written by another plan.
    pub fn read(bytes: &[u8], plan: &Plan, lessons: &[Lesson]) -> Result<Training, StateError> {
        let (bytes, sum) = bytes.split_last_chunk::<4>().filter(|_| bytes.len() == STATE).ok_or(StateError::Damaged)?;
        if u32::from_le_bytes(*sum) != crc32fast::hash(bytes) {
            return Err(StateError::Damaged);
        }
        let (words, _) = bytes.as_chunks::<4>();
        let (head, parts) = words.split_at(HEAD);
        if u32::from_le_bytes(head[0]) != plan.mark(lessons) {
            return Err(StateError::Plan);
        }
        let part = |index: usize| parts[index * WEIGHTS..][..WEIGHTS].iter().map(|&word| f32::from_le_bytes(word));
        Ok(Training {
            epoch: u32::from_le_bytes(head[1]),
            steps: i32::from_le_bytes(head[2]),
            model: Model { weights: part(0).collect() },
            first: part(1).collect(),
            second: part(2).collect(),
            slopes: Vec::new(),
        })
    }
}

/// Words of a training's file before the weights.
const HEAD: usize = 3;
/// Bytes of a training as a file.
const STATE: usize = 4 * (HEAD + 3 * WEIGHTS + 1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::datagen;
    use crate::learning::lessons::take;
    use crate::search::conduct::Conduct;
    use std::ops::ControlFlow;

    fn lessons() -> Vec<Lesson> {
        let plan = datagen::Plan { conduct: Conduct::default(), nodes: 200, seed: 8 };
        let mut lessons = Vec::new();
        plan.generate(0..8, 2, &mut |game| {
            take(&game, &mut lessons).unwrap();
            ControlFlow::Continue(())
        });
        lessons
    }

    #[test]
    fn training_learns_and_goes_on_from_a_file() {
        let lessons = lessons();
        let plan = Plan { epochs: 6, batch: 500, step: 0.002, trust: 0.5, threads: 2, seed: 1 };
        let mut training = Training::new(&plan, &lessons);
        let first = Training::error(&lessons, &plan, |lesson| training.model.expectation(lesson));
        let mut done = 0;
        for _ in 0..3 {
            training.run_epoch(&lessons, &plan, &mut |count| done += count);
        }
        assert_eq!(done, 3 * lessons.len());
        let bytes = training.to_bytes(&plan, &lessons);
        let mut broken_off = Training::read(&bytes, &plan, &lessons).unwrap();
        for training in [&mut training, &mut broken_off] {
            for _ in 0..3 {
                training.run_epoch(&lessons, &plan, &mut |_| {});
            }
        }
        assert!(training.model == broken_off.model);
        let last = Training::error(&lessons, &plan, |lesson| training.model.expectation(lesson));
        assert!(last < 0.8 * first, "{first} {last}");
        let read = |bytes: &[u8], plan, lessons: &[Lesson]| Training::read(bytes, &plan, lessons).err();
        for (other, lessons) in [
            (Plan { trust: 0.4, ..plan }, &lessons[..]),
            (Plan { epochs: 7, ..plan }, &lessons[..]),
            (plan, &lessons[1..]),
        ] {
            assert_eq!(read(&bytes, other, lessons), Some(StateError::Plan));
        }
        let mut damaged = bytes.clone();
        damaged[77] ^= 1;
        for damaged in [&bytes[1..], &damaged[..]] {
            assert_eq!(read(damaged, plan, &lessons), Some(StateError::Damaged));
        }
        assert_eq!(read(&bytes, Plan { threads: 1, ..plan }, &lessons), None);
    }
}
