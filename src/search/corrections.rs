//! By how much the static evaluation is usually wrong in positions like the one at hand, learnt as the search goes on
//! ("correction history", which came up in Caissa and Stockfish in 2023).

use super::history::Before;
use super::tunables::Tunables;
use crate::position::Position;
use crate::types::{Color, Kind, Score};

/// Entries of a table.
const ENTRIES: usize = 1 << 13;
/// How many ways positions are alike in: by their pawns, by their kings with their guards, by who is left, by the two steps
/// that led there.
const WAYS: usize = 4;
/// Counters' units to an engine unit.
const UNIT: i32 = 16;
/// Largest counter.
const MOST: i32 = 96 * UNIT;

/// What was learnt, for each side to move and each way of being alike.
pub struct Corrections(Box<[[[i16; ENTRIES]; WAYS]; 2]>);

impl Corrections {
    /// Nothing learnt.
    pub fn new() -> Corrections {
        Corrections(Box::new([[[0; ENTRIES]; WAYS]; 2]))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self.0 = [[[0; ENTRIES]; WAYS]; 2];
    }

    /// What to add to the evaluation of `position`, for the side to move, in engine units.
    #[inline]
    pub fn of(&self, position: &Position, before: &Before, tunables: &Tunables) -> Score {
        let tables = &self.0[position.side().index()];
        let places = places(position, before);
        let weights = [
            tunables.correction_pawns(),
            tunables.correction_guards(),
            tunables.correction_men(),
            tunables.correction_steps(),
        ];
        (0..WAYS).map(|way| tables[way][places[way]] as i32 * weights[way]).sum::<i32>() / (1024 * UNIT)
    }

    /// A search so deep found `position` better by `error` than its corrected evaluation.
    pub fn learn(&mut self, position: &Position, before: &Before, error: Score, depth: i32) {
        let tables = &mut self.0[position.side().index()];
        let places = places(position, before);
        let bonus = (error * depth * UNIT / 64).clamp(-MOST / 4, MOST / 4);
        for way in 0..WAYS {
            let counter = &mut tables[way][places[way]];
            let value = *counter as i32;
            *counter = (value + bonus - value * bonus.abs() / MOST) as i16;
        }
    }
}

/// Where positions like this one are counted, in each way. Men that look alike but are not the same may be told apart:
/// within a game they mostly are the same.
#[inline]
fn places(position: &Position, before: &Before) -> [usize; WAYS] {
    let guards = |color| {
        let squares = |kind| position.squares_of(color, kind);
        mix(squares(Kind::Advisor), squares(Kind::Bishop)) ^ position.king(color).raw() as u64
    };
    let step = |back: usize| before[back].map_or(0, |step| step.index() as u64 + 1);
    let pawns = |color| position.squares_of(color, Kind::Pawn);
    let [red, black] = Color::ALL;
    let keys = [
        mix(pawns(red), pawns(black)),
        mix(guards(red), guards(black)),
        mix(position.living(red), position.living(black)),
        mix(step(0), step(1)),
    ];
    keys.map(|key| (key >> (64 - ENTRIES.trailing_zeros())) as usize % ENTRIES)
}

/// A number that depends on all bits of both, its high bits most.
#[inline]
fn mix(one: u64, other: u64) -> u64 {
    // Odd numbers without a pattern, from the golden ratio and from xxHash.
    let sum = one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (sum ^ sum >> 29).wrapping_mul(0x1656_67b1_9e37_79f9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::Step;

    const NOTHING: Before = [None; 2];

    #[test]
    fn what_is_learnt_holds_for_positions_alike_and_is_bounded() {
        let mut corrections = Corrections::new();
        let of =
            |corrections: &Corrections, position: &Position| corrections.of(position, &NOTHING, &Tunables::default());
        let position = Position::from_fen("3ak4/4a4/9/p3p4/9/9/P3P4/4C4/4A4/3AK2R1 w - - 0 1").unwrap();
        assert_eq!(of(&corrections, &position), 0);
        corrections.learn(&position, &NOTHING, 40, 8);
        let after_one = of(&corrections, &position);
        assert!(after_one > 0);
        // Other places of the rook and cannon are alike in all ways, another place of a pawn in three.
        let alike = Position::from_fen("3ak4/4a4/9/p3p4/9/9/P3P4/4A1R2/9/3AK1C2 w - - 0 1").unwrap();
        assert!((1..=after_one).contains(&of(&corrections, &alike)));
        for _ in 0..1_000 {
            corrections.learn(&position, &NOTHING, 1_000, 20);
        }
        assert!((after_one..=WAYS as Score * MOST / UNIT).contains(&of(&corrections, &position)));
        assert_eq!(of(&corrections, &position.turned(Color::Black)), 0, "the other side has its own");
        corrections.clear();
        assert_eq!(of(&corrections, &position), 0);
    }

    #[test]
    fn what_is_learnt_after_some_steps_holds_after_them() {
        let mut corrections = Corrections::new();
        let start = Position::start();
        let step = |text: &str| Step::of(&start, text.parse().unwrap());
        let before = [step("h2e2"), step("h9g7")];
        corrections.learn(&start, &before, 40, 8);
        // No man of this one stands as in the other.
        let other = Position::from_fen("3k5/9/9/4r4/9/9/9/9/4R4/5K3 w - - 0 1").unwrap();
        let of = |before: &Before| corrections.of(&other, before, &Tunables::default());
        assert!(of(&before) > 0);
        assert_eq!(of(&[before[1], before[0]]), 0);
        assert_eq!(of(&[before[0], None]), 0);
    }
}
