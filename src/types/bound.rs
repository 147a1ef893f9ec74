//! Score bounds (fail-high, fail-low).

use super::Score;

/// Whether a search score is exact or a bound of the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this (the search failed low).
    Upper = 1,
    /// The true score is at least this (the search failed high).
    Lower = 2,
    /// The true score is this.
    Exact = 3,
}

impl Bound {
    /// The bound type of `best`, the result of a search with the window (`alpha`, `beta`).
    pub const fn of(best: Score, alpha: Score, beta: Score) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
