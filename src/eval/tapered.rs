//! Tapered evaluation: a pair of values, early (middlegame) and late (endgame), interpolated by the phase of the game.

use crate::types::Score;

/// The phase of the start position; see [`super::piece_square::PHASE`].
pub(crate) const FULL_PHASE: i32 = 32;

/// An early value in the low 16 bits and a late value in the high 16 bits: one addition adds both (Stockfish's `Score`
/// of middlegame and endgame values).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// A pair of values. Neither may exceed ±16,000 in any sum.
    pub const fn new(early: i16, late: i16) -> Tapered {
        Tapered(((late as i32) << 16) + early as i32)
    }

    pub(super) const fn negated(self) -> Tapered {
        Tapered(-self.0)
    }

    /// The pair packed in one word, for a cache.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// The inverse of [`Tapered::bits`].
    pub const fn from_bits(bits: u32) -> Tapered {
        Tapered(bits as i32)
    }

    /// The value with all pieces on the board.
    #[inline]
    pub const fn early(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value with few pieces left.
    #[inline]
    pub const fn late(self) -> i32 {
        // A negative early value borrows 1 from the late value; rounding restores it.
        (self.0 + 0x8000) >> 16
    }

    /// The value at `phase`, from 0 (late) to [`FULL_PHASE`] (early).
    #[inline]
    pub const fn interpolate(self, phase: i32) -> Score {
        (self.early() * phase + self.late() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl std::ops::AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl std::ops::SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_packed_pairs_equal_sums_of_their_halves() {
        let mut sum = Tapered::default();
        let (mut early, mut late) = (0, 0);
        for (a, b) in [(-5, 7), (100, -300), (-1, -1), (900, 950), (-2_000, 1_999), (0, -1)] {
            sum += Tapered::new(a, b);
            early += a as i32;
            late += b as i32;
            assert_eq!((sum.early(), sum.late()), (early, late));
        }
    }
}
