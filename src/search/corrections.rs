//! By how much the static evaluation is usually wrong in positions like the one at hand, learnt as the search goes on
//! ("correction history", which came up in Caissa and Stockfish in 2023).

use crate::position::Position;
use crate::types::{Color, Kind, Score};

/// Entries of a table.
const ENTRIES: usize = 1 << 13;
/// How many ways positions are alike in: by their pawns, by their kings with their guards, by who is left.
const WAYS: usize = 3;
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
    pub fn of(&self, position: &Position) -> Score {
        let tables = &self.0[position.side().index()];
        let places = places(position);
        (0..WAYS).map(|way| tables[way][places[way]] as i32).sum::<i32>() / UNIT
    }

    /// A search so deep found `position` better by `error` than its corrected evaluation.
    pub fn learn(&mut self, position: &Position, error: Score, depth: i32) {
        let tables = &mut self.0[position.side().index()];
        let places = places(position);
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
fn places(position: &Position) -> [usize; WAYS] {
    let guards = |color| {
        let squares = |kind| position.squares_of(color, kind);
        mix(squares(Kind::Advisor), squares(Kind::Bishop)) ^ position.king(color).raw() as u64
    };
    let pawns = |color| position.squares_of(color, Kind::Pawn);
    let [red, black] = Color::ALL;
    let keys = [
        mix(pawns(red), pawns(black)),
        mix(guards(red), guards(black)),
        mix(position.living(red), position.living(black)),
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

    #[test]
    fn what_is_learnt_holds_for_positions_alike_and_is_bounded() {
        let mut corrections = Corrections::new();
        let position = Position::from_fen("3ak4/4a4/9/p3p4/9/9/P3P4/4C4/4A4/3AK2R1 w - - 0 1").unwrap();
        assert_eq!(corrections.of(&position), 0);
        corrections.learn(&position, 40, 8);
        let after_one = corrections.of(&position);
        assert!(after_one > 0);
        // Other places of the rook and cannon are alike in all ways, another place of a pawn in two.
        let alike = Position::from_fen("3ak4/4a4/9/p3p4/9/9/P3P4/4A1R2/9/3AK1C2 w - - 0 1").unwrap();
        assert!(corrections.of(&alike) > 0 && corrections.of(&alike) <= after_one);
        for _ in 0..1_000 {
            corrections.learn(&position, 1_000, 20);
        }
        assert!((after_one..=3 * MOST / UNIT).contains(&corrections.of(&position)));
        assert_eq!(corrections.of(&position.turned(Color::Black)), 0, "the other side has its own");
        corrections.clear();
        assert_eq!(corrections.of(&position), 0);
    }
}
