//! Damping of the evaluation towards the move limit: a score shrinks as the draw by the move limit comes nearer.

use crate::position::Position;
use crate::rules::Rules;
use crate::types::Score;

/// A linear factor on scores: 1 right after a capture, 1/2 at the move limit.
///
/// Progress is counted in plies without a capture. Where checks do not count towards the move limit
/// ([`Rules::checks_count`]), this overstates progress after checks: the score is too small then, but never below half
/// of the raw score and never of the other sign. Subtracting the checks would take a walk through the history at every
/// node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damping {
    move_limit: Score,
}

impl Damping {
    /// Damping towards the move limit of `rules`.
    pub(crate) fn new(rules: &Rules) -> Damping {
        Damping { move_limit: rules.move_limit.clamp(1, 10_000) as Score }
    }

    /// The fraction of a score left in `position`, as numerator and denominator.
    #[inline]
    pub(crate) fn fraction(self, position: &Position) -> (Score, Score) {
        let full = 2 * self.move_limit;
        (full - (position.quiet_plies() as Score).min(self.move_limit), full)
    }

    /// The damped score of a raw `score` in `position`.
    #[inline]
    pub(crate) fn apply(self, score: Score, position: &Position) -> Score {
        let (numerator, denominator) = self.fraction(position);
        score * numerator / denominator
    }

    /// The raw score of a damped `score` in `position`; the inverse of [`Damping::apply`] but for rounding.
    #[cfg(any(feature = "cli", test))]
    pub(crate) fn undo(self, score: Score, position: &Position) -> Score {
        let (numerator, denominator) = self.fraction(position);
        score * denominator / numerator
    }
}

/// Damping towards the federation's move limit.
impl Default for Damping {
    fn default() -> Damping {
        Damping::new(&Rules::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(quiet_plies: u32) -> Position {
        Position::from_fen(&format!("3k5/9/9/9/p8/9/R8/9/9/4K4 w - - {quiet_plies} 100")).unwrap()
    }

    #[test]
    fn half_of_the_score_is_left_at_the_move_limit_of_the_rules() {
        for move_limit in [60, 120, 1_000] {
            let damping = Damping::new(&Rules { move_limit, ..Rules::default() });
            assert_eq!(damping.apply(-1_000, &position(0)), -1_000);
            assert_eq!(damping.apply(1_000, &position(move_limit / 2)), 750);
            assert_eq!(damping.apply(1_000, &position(move_limit)), 500);
            assert_eq!(damping.undo(500, &position(move_limit)), 1_000);
        }
        let damping = Damping::new(&Rules { move_limit: 60, ..Rules::default() });
        assert_eq!(damping.apply(1_000, &position(90)), 500);
    }

    #[test]
    fn greatest_scores_do_not_overflow() {
        let damping = Damping::new(&Rules { move_limit: 1_000, ..Rules::default() });
        assert_eq!(damping.apply(32_000, &position(1_000)), 16_000);
        assert_eq!(damping.undo(32_000, &position(1_000)), 64_000);
    }
}
