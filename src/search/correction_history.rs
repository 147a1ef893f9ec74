//! Correction history: the mean error of the static evaluation after the last two moves, measured during the search and
//! added to the evaluation (continuation correction history, in Stockfish since 2024). Correction histories by pawns,
//! by advisors and bishops, and by all pieces lost Elo (docs/search.md).

use super::history::PreviousMoves;
use super::tunables::Tunables;
use crate::types::Score;

/// Number of counters.
const ENTRIES: usize = 1 << 14;
/// Counter units per engine unit.
const GRAIN: i32 = 16;
/// Greatest absolute value of a counter.
const MAX_CORRECTION: i32 = 96 * GRAIN;

/// Counters by a hash of the last two moves, in 1/[`GRAIN`] engine units.
pub struct CorrectionHistory(Box<[i16; ENTRIES]>);

impl CorrectionHistory {
    /// All counters zero.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(Box::new([0; ENTRIES]))
    }

    /// Sets all counters to zero, for a new game.
    pub fn clear(&mut self) {
        *self.0 = [0; ENTRIES];
    }

    /// The correction after these moves, for the side to move, in engine units.
    #[inline]
    pub fn correction(&self, previous: &PreviousMoves, tunables: &Tunables) -> Score {
        self.0[index(previous)] as i32 * tunables.correction_weight() / (1024 * GRAIN)
    }

    /// Updates the counter after a search of `depth` plies whose score exceeds the corrected evaluation by `error`,
    /// both for the side to move.
    pub fn update(&mut self, previous: &PreviousMoves, error: Score, depth: i32) {
        let counter = &mut self.0[index(previous)];
        let value = *counter as i32;
        let bonus = (error * depth * GRAIN / 64).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        *counter = (value + bonus - value * bonus.abs() / MAX_CORRECTION) as i16;
    }
}

/// Index of the counter. Different moves may share one: few of them occur in one game.
#[inline]
fn index(previous: &PreviousMoves) -> usize {
    let [last, own_last] = previous.map(|piece_to| piece_to.map_or(0, |piece_to| piece_to.index() as u32 + 1));
    // Multiplicative (Fibonacci) hashing: 2^32 divided by the golden ratio.
    ((last << 16 | own_last).wrapping_mul(0x9e37_79b9) >> (u32::BITS - ENTRIES.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::history::PieceTo;

    fn moves() -> [Option<PieceTo>; 2] {
        ["h2e2", "h9g7"].map(|text| Some(Position::start().piece_to(text.parse().unwrap())))
    }

    #[test]
    fn correction_is_bounded_and_cleared() {
        let mut correction_history = CorrectionHistory::new();
        let correction =
            |correction_history: &CorrectionHistory| correction_history.correction(&moves(), &Tunables::default());
        assert_eq!(correction(&correction_history), 0);
        correction_history.update(&moves(), 40, 8);
        let after_one = correction(&correction_history);
        assert!(after_one > 0);
        for _ in 0..1_000 {
            correction_history.update(&moves(), 1_000, 20);
        }
        assert!((after_one + 1..=2 * MAX_CORRECTION / GRAIN).contains(&correction(&correction_history)));
        correction_history.clear();
        assert_eq!(correction(&correction_history), 0);
    }

    #[test]
    fn other_moves_have_other_counters() {
        let mut correction_history = CorrectionHistory::new();
        correction_history.update(&moves(), 40, 8);
        let correction = |previous: PreviousMoves| correction_history.correction(&previous, &Tunables::default());
        let [last, own_last] = moves();
        assert!(correction([last, own_last]) > 0);
        for other in [[own_last, last], [last, None], [None, own_last], [None, None]] {
            assert_eq!(correction(other), 0, "{other:?}");
        }
    }
}
