//! Scores of the search and the evaluation.

/// A score from the side to move's point of view, in engine units (a knight or a cannon is about 400).
///
/// In absolute value, decided games are from [`DECIDED_BOUND`] up: wins by perpetual check of endgame tables, games decided by
/// the rules of repetition at a third occurrence, and mates up to [`MATE`]. A side that can choose loses by the rules rather
/// than by mate, so that a mate never rests on a repetition.
pub type Score = i32;

/// Maximum search depth, in plies from the root.
pub const MAX_PLY: usize = 120;

/// Greater than any score; used only as a window bound.
pub const INFINITE: Score = 32_000;

/// The score of mate on the board, at ply 0.
pub const MATE: Score = 31_000;

/// The greatest distance to mate of an endgame table, in plies.
pub const MAX_TABLE_PLIES: usize = 253;

/// Room for a result of an endgame table, found [`MAX_PLY`] plies from the root, in an entry of the transposition table that
/// is read as deep.
const ROOM: Score = (2 * MAX_PLY + MAX_TABLE_PLIES) as Score;

/// Scores between this and [`MATE`] in absolute value are mates.
const MATE_BOUND: Score = MATE - ROOM;

/// The score, at ply 0 and of rank 0, of a position that an endgame table has as won because the opponent has only
/// perpetual check. Unlike [`WON_BY_RULE`] it depends on the position alone, and plies and ranks count as in mates.
pub const TABLE_WIN_BY_RULE: Score = 30_000;

/// Scores of at least this absolute value are decided games: mates, and wins by the rules of repetition.
pub const DECIDED_BOUND: Score = TABLE_WIN_BY_RULE - ROOM;

/// The score of a game won at ply 0 because the opponent broke the rules of repetition. It depends on the game history,
/// not only on the position.
pub const WON_BY_RULE: Score = 30_500;

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
    MATE_BOUND <= score.abs() && score.abs() <= MATE
}

/// Whether the score is a game decided by the rules of repetition. It depends on the path to the position, so it must
/// not be stored in the transposition table.
#[inline]
pub const fn is_by_rule(score: Score) -> bool {
    TABLE_WIN_BY_RULE < score.abs() && score.abs() <= WON_BY_RULE
}

/// Whether the score is a decided game, by mate or by the rules of repetition.
#[inline]
pub const fn is_decided(score: Score) -> bool {
    score.abs() >= DECIDED_BOUND
}

/// Plies to mate (for either side) if `score` is a mate score.
pub const fn plies_to_mate(score: Score) -> Option<u32> {
    if is_mate(score) { Some((MATE - score.abs()) as u32) } else { None }
}
