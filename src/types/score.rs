//! Scores of the search and the evaluation.

/// A score from the side to move's point of view, in engine units (a knight or a cannon is about 400).
///
/// A plain integer: alpha-beta is arithmetic on it. Mate and table values lie beyond [`MATE_BOUND`].
pub type Score = i32;

/// Deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 120;

/// Longer than any score; window bounds only.
pub const INFINITE: Score = 32_000;

/// The value of giving mate at once.
pub const MATE: Score = 31_000;

/// Scores at or beyond this (in size) are mates within [`MAX_PLY`], counted from the root.
pub const MATE_BOUND: Score = MATE - 2 * MAX_PLY as Score;

/// A draw.
pub const DRAW: Score = 0;

/// The score of being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The score of mating `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Whether the score is a mate for either side.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND
}

/// Plies to the mate that `score` promises (for either side), if it does.
pub const fn plies_to_mate(score: Score) -> Option<u32> {
    if is_mate(score) { Some((MATE - score.abs()) as u32) } else { None }
}
