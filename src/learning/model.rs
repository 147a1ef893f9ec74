//! The network while it learns: its weights as real numbers, and which way they should go.

use super::lessons::{Lesson, sigmoid};
use crate::eval::features::{FEATURES, MEN};
use crate::eval::network::{HIDDEN, Network, OUTPUT_UNIT, OUTPUTS, Row, UNIT};
use rand::RngExt;
use rand::rngs::StdRng;

/// Where each part of the weights begins: rows, what rows of a man share, bias, outputs, output biases.
///
/// What a man on a square means wherever the king stands is learned apart from what depends on that, so that all positions
/// teach it (features with factors: Y. Nasu, 2018); the network has the sums.
const SHARED: usize = FEATURES * HIDDEN;
const BIAS: usize = SHARED + MEN * HIDDEN;
const OUTPUT: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + OUTPUTS * 2 * HIDDEN;
/// Number of weights.
pub const WEIGHTS: usize = OUTPUT_BIAS + OUTPUTS;
/// Greatest size of a weight, which leaves room in the integers of [`Network`]. Sums of output weights could still be too
/// large for it, if a quarter of them were that large; no training comes near, and what is written is looked at.
pub const MOST: f32 = 1.98;
/// Men that usually stand on a board.
const USUAL_MEN: f32 = 24.0;

/// The weights in one piece, which makes it easy to share work on them among threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// [`WEIGHTS`] of them.
    pub weights: Vec<f32>,
}

impl Model {
    /// Weights by chance, none of them large; rows begin with what they share. Rows that no lesson has are zero and stay so:
    /// nothing is known of a man where none was ever seen, and the promotion variant puts pawns there.
    pub fn new(chance: &mut StdRng, lessons: &[Lesson]) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |part: &mut [f32], fan_in: f32| {
            let size = fan_in.sqrt().recip();
            part.iter_mut().for_each(|weight| *weight = chance.random_range(-size..size));
        };
        fill(&mut weights[SHARED..BIAS], USUAL_MEN);
        fill(&mut weights[OUTPUT..OUTPUT_BIAS], 2.0 * HIDDEN as f32);
        let mut is_seen = [false; MEN];
        lessons.iter().flat_map(Lesson::rows).flatten().for_each(|&row| is_seen[row as usize % MEN] = true);
        for (row, _) in weights[SHARED..BIAS].chunks_mut(HIDDEN).zip(is_seen).filter(|(_, is_seen)| !is_seen) {
            row.fill(0.0);
        }
        Model { weights }
    }

    /// What a lesson's side to move can expect, from 0 to 1, by the network.
    pub fn expectation(&self, lesson: &Lesson) -> f32 {
        sigmoid(self.forward(lesson).1)
    }

    /// What both sides see, and the output.
    fn forward(&self, lesson: &Lesson) -> ([[f32; HIDDEN]; 2], f32) {
        let output = lesson.output();
        let mut sum = lesson.placement() + self.weights[OUTPUT_BIAS + output];
        let mut seen = [[0.0; HIDDEN]; 2];
        for (half, (values, rows)) in seen.iter_mut().zip(lesson.rows()).enumerate() {
            values.copy_from_slice(&self.weights[BIAS..OUTPUT]);
            for &row in rows {
                let [own, shared] = parts_of(row as usize).map(|at| &self.weights[at..][..HIDDEN]);
                values.iter_mut().zip(own).zip(shared).for_each(|((value, own), shared)| *value += own + shared);
            }
            let weights = &self.weights[output_at(output, half)..][..HIDDEN];
            let mut sums = [0.0; 8];
            for (values, weights) in values.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let activation = values[index].clamp(0.0, 1.0);
                    *sum += activation * activation * weights[index];
                }
            }
            sum += sums.iter().sum::<f32>();
        }
        (seen, sum)
    }

    /// Adds to `slope` how the squared error of the expectation grows with each weight; the squared error.
    pub fn learn(&self, lesson: &Lesson, target: f32, slope: &mut [f32]) -> f32 {
        let (seen, sum) = self.forward(lesson);
        let found = sigmoid(sum);
        let error = found - target;
        let outer = 2.0 * error * found * (1.0 - found);
        let output = lesson.output();
        slope[OUTPUT_BIAS + output] += outer;
        for (half, (values, rows)) in seen.iter().zip(lesson.rows()).enumerate() {
            let mut inner = [0.0; HIDDEN];
            let at = output_at(output, half);
            let (weights, slopes) = (&self.weights[at..][..HIDDEN], &mut slope[at..][..HIDDEN]);
            for (index, inner) in inner.iter_mut().enumerate() {
                let activation = values[index].clamp(0.0, 1.0);
                slopes[index] += outer * activation * activation;
                let is_between = values[index] > 0.0 && values[index] < 1.0;
                *inner = if is_between { outer * weights[index] * 2.0 * activation } else { 0.0 };
            }
            for at in rows.iter().flat_map(|&row| parts_of(row as usize)).chain([BIAS]) {
                slope[at..][..HIDDEN].iter_mut().zip(&inner).for_each(|(slope, inner)| *slope += inner);
            }
        }
        error * error
    }

    /// The network in integers.
    pub fn to_network(&self, story: String) -> Network {
        let sum = |parts: &[usize], unit: i16| {
            let weight = |index: usize| parts.iter().map(|at| self.weights[at + index]).sum::<f32>();
            Row(std::array::from_fn(|index| (weight(index) * f32::from(unit)).round() as i16))
        };
        let row = |at: usize, unit: i16| sum(&[at], unit);
        let output_bias = |output| self.weights[OUTPUT_BIAS + output] * f32::from(UNIT) * f32::from(OUTPUT_UNIT);
        Network {
            story,
            rows: (0..FEATURES).map(|index| sum(&parts_of(index), UNIT)).collect(),
            bias: row(BIAS, UNIT),
            outputs: Box::new(std::array::from_fn(|output| {
                [0, 1].map(|half| row(output_at(output, half), OUTPUT_UNIT))
            })),
            output_bias: std::array::from_fn(|output| output_bias(output).round() as i32),
        }
    }
}

/// Where the two parts begin whose sum is a row.
fn parts_of(row: usize) -> [usize; 2] {
    [row * HIDDEN, SHARED + row % MEN * HIDDEN]
}

/// Where the weights of an output for one side's view begin.
fn output_at(output: usize, half: usize) -> usize {
    OUTPUT + (2 * output + half) * HIDDEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::accumulator::Accumulators;
    use crate::eval::network::SCALE;
    use crate::learning::games::{Game, Ply};
    use crate::learning::lessons::take;
    use crate::learning::selfplay::{Outcome, chance};
    use crate::position::START_FEN;

    fn game() -> Game {
        let ply = |text: &str| Ply { mv: text.parse().unwrap(), score: Some(120) };
        let plies = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4", "c6c5"].map(ply).to_vec();
        Game { start: START_FEN.to_string(), outcome: Outcome::Win, plies }
    }

    /// The positions of a short game.
    fn lessons() -> Vec<Lesson> {
        let mut lessons = Vec::new();
        take(&game(), &mut lessons).unwrap();
        assert_eq!(lessons.len(), 6);
        lessons
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let lessons = lessons();
        let mut model = Model::new(&mut chance(3, 0), &lessons);
        let targets = [0.9, 0.1, 0.5, 0.7, 0.3, 0.6];
        let error = |model: &Model| -> f64 {
            let squares = lessons
                .iter()
                .zip(targets)
                .map(|(lesson, target)| f64::from(model.expectation(lesson) - target).powi(2));
            squares.sum()
        };
        let mut slope = vec![0.0; WEIGHTS];
        let learned: f32 =
            lessons.iter().zip(targets).map(|(lesson, target)| model.learn(lesson, target, &mut slope)).sum();
        assert!((f64::from(learned) - error(&model)).abs() < 1e-5);
        // A weight of each part, each of which matters to these positions.
        let [row, shared] = parts_of(lessons[0].rows()[0][5] as usize);
        let output = output_at(lessons[0].output(), 1);
        let mut steep = 0;
        for at in (row..row + 40)
            .chain(shared..shared + 40)
            .chain(BIAS..BIAS + 40)
            .chain(output..output + 40)
            .chain([OUTPUT_BIAS + lessons[0].output()])
        {
            const STEP: f32 = 0.001;
            let weight = model.weights[at];
            model.weights[at] = weight + STEP;
            let above = error(&model);
            model.weights[at] = weight - STEP;
            let below = error(&model);
            model.weights[at] = weight;
            let found = (above - below) / (2.0 * f64::from(STEP));
            assert!((found - f64::from(slope[at])).abs() < 2e-3 + 0.02 * found.abs(), "{at}: {found}, {}", slope[at]);
            steep += (found.abs() > 1e-3) as u32;
        }
        assert!(steep > 20, "{steep}");
    }

    #[test]
    fn integers_and_real_numbers_agree() {
        let model = Model::new(&mut chance(4, 0), &lessons());
        let network = std::sync::Arc::new(model.to_network(String::new()));
        let lessons = lessons();
        let mut lessons = lessons.iter();
        let visit = &mut |position: &crate::position::Position, _| {
            let lesson = lessons.next().unwrap();
            let real = (model.forward(lesson).1 - lesson.placement()) * SCALE as f32;
            let integer = Accumulators::new(network.clone(), position).evaluate(position);
            assert!((real - integer as f32).abs() < 8.0, "{real} {integer}");
            assert!(integer != 0);
        };
        game().replay(visit).unwrap();
    }
}
