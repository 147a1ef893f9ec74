//! Knowing (L3): what a position is worth at first sight.

use crate::position::{Change, Observer, Position};
use crate::types::Score;

/// An evaluation kept up to date with a position that it observes.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// An evaluator of `position`.
    pub fn new(position: &Position) -> Evaluator {
        let _ = position;
        Evaluator {}
    }

    /// What `position`, the one observed, is worth to the side to move, in engine units.
    pub fn evaluate(&self, position: &Position) -> Score {
        let _ = position;
        0
    }
}

impl Observer for Evaluator {
    fn made(&mut self, _: Change) {}
    fn passed(&mut self) {}
    fn undone(&mut self) {}
}

/// The parts of the evaluation in words, for people.
pub fn explain(position: &Position) -> String {
    format!("evaluation for {}: {}\n", position.side(), Evaluator::new(position).evaluate(position))
}
