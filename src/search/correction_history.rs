//! By how much the static evaluation is usually wrong after the steps that led to a position, learnt as the search goes on
//! ("continuation correction history", which came up in Stockfish in 2024). Corrections by pawns, by guards and by men were
//! tried as well and lost.

use super::history::PreviousMoves;
use super::tunables::Tunables;
use crate::types::Score;

/// Counters.
const ENTRIES: usize = 1 << 14;
/// Counters' units to an engine unit.
const GRAIN: i32 = 16;
/// Largest counter.
const MAX_CORRECTION: i32 = 96 * GRAIN;

/// What was learnt, by the last two steps.
pub struct CorrectionHistory(Box<[i16; ENTRIES]>);

impl CorrectionHistory {
    /// Nothing learnt.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(Box::new([0; ENTRIES]))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self.0 = [0; ENTRIES];
    }

    /// What to add to the evaluation after these steps, for the side to move, in engine units.
    #[inline]
    pub fn correction(&self, previous: &PreviousMoves, tunables: &Tunables) -> Score {
        self.0[index(previous)] as i32 * tunables.correction_weight() / (1024 * GRAIN)
    }

    /// A search so deep found the position better for the side to move by `error` than its corrected evaluation.
    pub fn update(&mut self, previous: &PreviousMoves, error: Score, depth: i32) {
        let counter = &mut self.0[index(previous)];
        let value = *counter as i32;
        let bonus = (error * depth * GRAIN / 64).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        *counter = (value + bonus - value * bonus.abs() / MAX_CORRECTION) as i16;
    }
}

/// Where these steps are counted. Steps that share a counter may be told apart: few are played in one game.
#[inline]
fn index(previous: &PreviousMoves) -> usize {
    let [last, own_last] = previous.map(|piece_to| piece_to.map_or(0, |piece_to| piece_to.index() as u32 + 1));
    // An odd number without a pattern, from the golden ratio.
    ((last << 16 | own_last).wrapping_mul(0x9e37_79b9) >> (u32::BITS - ENTRIES.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::history::PieceTo;

    fn steps() -> [Option<PieceTo>; 2] {
        ["h2e2", "h9g7"].map(|text| PieceTo::of(&Position::start(), text.parse().unwrap()))
    }

    #[test]
    fn what_is_learnt_is_bounded_and_forgotten() {
        let mut correction_history = CorrectionHistory::new();
        let correction =
            |correction_history: &CorrectionHistory| correction_history.correction(&steps(), &Tunables::default());
        assert_eq!(correction(&correction_history), 0);
        correction_history.update(&steps(), 40, 8);
        let after_one = correction(&correction_history);
        assert!(after_one > 0);
        for _ in 0..1_000 {
            correction_history.update(&steps(), 1_000, 20);
        }
        assert!((after_one + 1..=2 * MAX_CORRECTION / GRAIN).contains(&correction(&correction_history)));
        correction_history.clear();
        assert_eq!(correction(&correction_history), 0);
    }

    #[test]
    fn other_steps_have_others() {
        let mut correction_history = CorrectionHistory::new();
        correction_history.update(&steps(), 40, 8);
        let correction = |previous: PreviousMoves| correction_history.correction(&previous, &Tunables::default());
        let [last, own_last] = steps();
        assert!(correction([last, own_last]) > 0);
        for other in [[own_last, last], [last, None], [None, own_last], [None, None]] {
            assert_eq!(correction(other), 0, "{other:?}");
        }
    }
}
