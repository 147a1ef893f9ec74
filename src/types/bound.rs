//! How a score of a search relates to the true score.

use super::Score;

/// Whether a score is exact or only a bound (fail-high, fail-low).
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
    /// What `best` is after a search with the window `alpha` to `beta`.
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
