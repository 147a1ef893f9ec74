//! By how much the static evaluation is usually wrong after the steps that led to a position, learnt as the search goes on
//! ("continuation correction history", which came up in Stockfish in 2024). Corrections by pawns, by guards and by men were
//! tried as well and lost.

use super::history::Before;
use super::tunables::Tunables;
use crate::types::Score;

/// Counters.
const ENTRIES: usize = 1 << 14;
/// Counters' units to an engine unit.
const UNIT: i32 = 16;
/// Largest counter.
const MOST: i32 = 96 * UNIT;

/// What was learnt, by the last two steps.
pub struct Corrections(Box<[i16; ENTRIES]>);

impl Corrections {
    /// Nothing learnt.
    pub fn new() -> Corrections {
        Corrections(Box::new([0; ENTRIES]))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self.0 = [0; ENTRIES];
    }

    /// What to add to the evaluation after these steps, for the side to move, in engine units.
    #[inline]
    pub fn of(&self, before: &Before, tunables: &Tunables) -> Score {
        self.0[place(before)] as i32 * tunables.correction() / (1024 * UNIT)
    }

    /// A search so deep found the position better for the side to move by `error` than its corrected evaluation.
    pub fn learn(&mut self, before: &Before, error: Score, depth: i32) {
        let counter = &mut self.0[place(before)];
        let value = *counter as i32;
        let bonus = (error * depth * UNIT / 64).clamp(-MOST / 4, MOST / 4);
        *counter = (value + bonus - value * bonus.abs() / MOST) as i16;
    }
}

/// Where these steps are counted. Steps that share a counter may be told apart: few are played in one game.
#[inline]
fn place(before: &Before) -> usize {
    let [last, own_last] = before.map(|step| step.map_or(0, |step| step.index() as u32 + 1));
    // An odd number without a pattern, from the golden ratio.
    ((last << 16 | own_last).wrapping_mul(0x9e37_79b9) >> (u32::BITS - ENTRIES.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::history::Step;

    fn steps() -> [Option<Step>; 2] {
        ["h2e2", "h9g7"].map(|text| Step::of(&Position::start(), text.parse().unwrap()))
    }

    #[test]
    fn what_is_learnt_is_bounded_and_forgotten() {
        let mut corrections = Corrections::new();
        let of = |corrections: &Corrections| corrections.of(&steps(), &Tunables::default());
        assert_eq!(of(&corrections), 0);
        corrections.learn(&steps(), 40, 8);
        let after_one = of(&corrections);
        assert!(after_one > 0);
        for _ in 0..1_000 {
            corrections.learn(&steps(), 1_000, 20);
        }
        assert!((after_one + 1..=2 * MOST / UNIT).contains(&of(&corrections)));
        corrections.clear();
        assert_eq!(of(&corrections), 0);
    }

    #[test]
    fn other_steps_have_others() {
        let mut corrections = Corrections::new();
        corrections.learn(&steps(), 40, 8);
        let of = |before: Before| corrections.of(&before, &Tunables::default());
        let [last, own_last] = steps();
        assert!(of([last, own_last]) > 0);
        for other in [[own_last, last], [last, None], [None, own_last], [None, None]] {
            assert_eq!(of(other), 0, "{other:?}");
        }
    }
}
