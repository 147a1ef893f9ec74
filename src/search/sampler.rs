//! Sampling of positions from inside a search, for training: what an evaluation is asked about differs from what is played.

use crate::position::{PackedPosition, Position};

/// Takes every n-th position that a search evaluates.
#[derive(Clone, Debug)]
pub struct Sampler {
    every: u32,
    countdown: u32,
    taken: Vec<PackedPosition>,
}

impl Sampler {
    /// A sampler that takes one of `every` evaluated positions, at least 1.
    pub fn new(every: u32) -> Sampler {
        Sampler { every: every.max(1), countdown: every.max(1), taken: Vec::new() }
    }

    /// Sees an evaluated position.
    pub fn visit(&mut self, position: &Position) {
        self.countdown -= 1;
        if self.countdown == 0 {
            self.countdown = self.every;
            self.taken.push(PackedPosition::pack(position));
        }
    }

    /// Forgets the positions taken, and begins to count anew.
    pub fn reset(&mut self) {
        *self = Sampler::new(self.every);
    }

    /// The positions taken since the last call.
    pub fn take(&mut self) -> Vec<PackedPosition> {
        std::mem::take(&mut self.taken)
    }
}
