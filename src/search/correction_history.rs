//! Correction histories: the mean error of the static evaluation, measured during the search and added to it. One is by the
//! last two moves (continuation correction history, in Stockfish since 2024), and one by each part of the position: the
//! pawns, the guards, and either side's other pieces (Caissa, 2023, by pawns; then Stockfish).

use super::history::PreviousMoves;
use super::tunables::Tunables;
use crate::position::{PARTS, Position};
use crate::types::Score;

/// Number of counters.
const ENTRIES: usize = 1 << 14;
/// Counter units per engine unit.
const GRAIN: i32 = 16;
/// Greatest absolute value of a counter.
const MAX_CORRECTION: i32 = 96 * GRAIN;

/// Counters in 1/[`GRAIN`] engine units.
pub(super) struct CorrectionHistory {
    /// By a hash of the last two moves.
    continuation: Box<[i16; ENTRIES]>,
    /// By the side to move and the key of each part of the position.
    parts: Vec<[[i16; ENTRIES]; PARTS]>,
}

impl CorrectionHistory {
    /// All counters zero.
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory { continuation: Box::new([0; ENTRIES]), parts: vec![[[0; ENTRIES]; PARTS]; 2] }
    }

    /// Sets all counters to zero, for a new game.
    pub(super) fn clear(&mut self) {
        *self.continuation = [0; ENTRIES];
        self.parts.fill([[0; ENTRIES]; PARTS]);
    }

    /// The correction after these moves, for the side to move, in engine units.
    #[inline]
    pub(super) fn correction(&self, previous: &PreviousMoves, position: &Position, tunables: &Tunables) -> Score {
        let weights = [
            tunables.correction_pawns(),
            tunables.correction_guards(),
            tunables.correction_pieces(),
            tunables.correction_pieces(),
        ];
        let parts = &self.parts[position.side().index()];
        let of_parts: i32 = parts
            .iter()
            .zip(position.part_keys())
            .zip(weights)
            .map(|((counters, &key), weight)| i32::from(counters[key as usize % ENTRIES]) * weight)
            .sum();
        (self.continuation[index(previous)] as i32 * tunables.correction_weight() + of_parts) / (1024 * GRAIN)
    }

    /// Updates the counters after a search of `depth` plies whose score exceeds the corrected evaluation by `error`,
    /// both for the side to move.
    pub(super) fn update(&mut self, previous: &PreviousMoves, position: &Position, error: Score, depth: i32) {
        let bonus = (error * depth * GRAIN / 64).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        let update = |counter: &mut i16| {
            let value = *counter as i32;
            *counter = (value + bonus - value * bonus.abs() / MAX_CORRECTION) as i16;
        };
        update(&mut self.continuation[index(previous)]);
        let parts = &mut self.parts[position.side().index()];
        parts.iter_mut().zip(position.part_keys()).for_each(|(part, &key)| update(&mut part[key as usize % ENTRIES]));
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
        let (position, tunables) = (Position::start(), Tunables::default());
        let correction = |history: &CorrectionHistory| history.correction(&moves(), &position, &tunables);
        assert_eq!(correction(&correction_history), 0);
        correction_history.update(&moves(), &position, 40, 8);
        let after_one = correction(&correction_history);
        assert!(after_one > 0);
        for _ in 0..1_000 {
            correction_history.update(&moves(), &position, 1_000, 20);
        }
        assert!((after_one + 1..=4 * MAX_CORRECTION / GRAIN).contains(&correction(&correction_history)));
        correction_history.clear();
        assert_eq!(correction(&correction_history), 0);
    }

    #[test]
    fn other_moves_and_other_pieces_have_other_counters() {
        let mut correction_history = CorrectionHistory::new();
        let (position, tunables) = (Position::start(), Tunables::default());
        correction_history.update(&moves(), &position, 40, 8);
        let correction = |previous: PreviousMoves, position: &Position| {
            correction_history.correction(&previous, position, &tunables)
        };
        let [last, own_last] = moves();
        let same = correction([last, own_last], &position);
        let no_moves = correction([None, None], &position);
        assert!(0 < no_moves && no_moves < same);
        for other in [[own_last, last], [last, None], [None, own_last]] {
            assert_eq!(correction(other, &position), no_moves, "{other:?}");
        }
        // Each of these changes one part of the position; the last two change the side to move, and all parts.
        let play = |moves: &[&str]| {
            let mut position = position.clone();
            moves.iter().for_each(|mv| position.try_make(mv.parse().unwrap()).unwrap());
            correction([None, None], &position)
        };
        for (moves, part) in [(["g3g4", "g6g5"], "pawns"), (["c0e2", "c9e7"], "bishops"), (["b0c2", "b9c7"], "knights")]
        {
            assert!((1..no_moves).contains(&play(&moves)), "{part}");
        }
        assert_eq!(play(&["g3g4"]), 0, "the other side to move");
    }
}
