//! Scores of the search and the evaluation.

/// A score from the side to move's point of view, in engine units (a knight or a cannon is about 400).
///
/// A plain integer: alpha-beta is arithmetic on it. Mates lie beyond [`MATE_BOUND`], games decided by the rules of
/// repetition between [`RULE_BOUND`] and there.
pub type Score = i32;

/// Deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 120;

/// Greater than any score; window bounds only.
pub const INFINITE: Score = 32_000;

/// The value of giving mate at once.
pub const MATE: Score = 31_000;

/// Scores at or beyond this (in size) are mates within [`MAX_PLY`], counted from the root.
pub const MATE_BOUND: Score = MATE - 2 * MAX_PLY as Score;

/// The value of a game won because the opponent broke the rules of repetition, less one a ply. Below the mates, for it is
/// not one: it holds only on the way the game has gone.
pub const WON_BY_RULE: Score = 20_000;

/// Scores at or beyond this (in size) are decided games; those that are no mates are so only by the way they came about.
pub const RULE_BOUND: Score = WON_BY_RULE - MAX_PLY as Score;

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

/// Whether the score stands for a game decided by the rules of repetition, so that it means nothing to other ways to the
/// same position.
#[inline]
pub const fn is_by_rule(score: Score) -> bool {
    score.abs() >= RULE_BOUND && !is_mate(score)
}

/// Whether the score stands for a decided game, by mate or by the rules of repetition.
#[inline]
pub const fn is_decided(score: Score) -> bool {
    score.abs() >= RULE_BOUND
}

/// Plies to the mate that `score` promises (for either side), if it does.
pub const fn plies_to_mate(score: Score) -> Option<u32> {
    if is_mate(score) { Some((MATE - score.abs()) as u32) } else { None }
}
