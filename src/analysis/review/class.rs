//! Classes of moves, and accuracy.
//!
//! Both are made from the expected points ([`crate::eval::wdl::expected_points`]: probability of a win plus half that of a
//! draw) that a move loses: those after the best move less those after the move played.

use std::ops::RangeInclusive;

/// The losses of expected points from which a move is an inaccuracy, a mistake and a blunder.
const BOUNDS: [(f64, MoveClass); 3] =
    [(0.20, MoveClass::Blunder), (0.10, MoveClass::Mistake), (0.05, MoveClass::Inaccuracy)];
/// How fast the accuracy of a move falls with its loss: at 0.05 lost points it is exp(−0.8), 45 %. Chosen with [`OPEN`] by
/// games between playing levels: see docs/review.md.
const DECAY: f64 = 16.0;
/// The expected points of either side between which a game is open. In decided ones no move loses much, so they say little.
const OPEN: RangeInclusive<f64> = 0.05..=0.95;

/// The class of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveClass {
    /// The only legal move.
    Forced,
    /// The move that the engine would play.
    Best,
    /// Another move that loses little.
    Good,
    /// What it loses is unknown: a search found no score.
    Unknown,
    /// `?!`: it loses at least 0.05 points.
    Inaccuracy,
    /// `?`: it loses at least 0.10 points.
    Mistake,
    /// `??`: it loses at least 0.20 points.
    Blunder,
}

impl MoveClass {
    /// The classes of bad moves.
    pub(crate) const BAD: [MoveClass; 3] = [MoveClass::Inaccuracy, MoveClass::Mistake, MoveClass::Blunder];

    /// The class of a move that is neither forced nor the best one, by its loss of expected points.
    pub(crate) fn of_loss(loss: f64) -> MoveClass {
        BOUNDS.iter().find(|&&(bound, _)| loss >= bound).map_or(MoveClass::Good, |&(_, class)| class)
    }

    /// Whether it counts for the accuracy.
    pub(crate) const fn counts(self) -> bool {
        !matches!(self, MoveClass::Forced | MoveClass::Unknown)
    }

    /// Its name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            MoveClass::Forced => "forced",
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Unknown => "unknown",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::Blunder => "blunder",
        }
    }

    /// The mark behind a bad move, and its number as a numeric annotation glyph (NAG) of PGN.
    pub(crate) const fn mark(self) -> Option<(&'static str, u8)> {
        match self {
            MoveClass::Inaccuracy => Some(("?!", 6)),
            MoveClass::Mistake => Some(("?", 2)),
            MoveClass::Blunder => Some(("??", 4)),
            _ => None,
        }
    }
}

/// The accuracy of moves, 0 to 100, by their losses of expected points and the points expected before them: the mean of
/// 100 exp(−16 loss) over those made while the game was open, or over all if it never was; `None` without moves.
pub(crate) fn accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    let open: Vec<f64> = moves.iter().filter(|(_, before)| OPEN.contains(before)).map(|&(loss, _)| loss).collect();
    let losses = if open.is_empty() { moves.iter().map(|&(loss, _)| loss).collect() } else { open };
    let sum: f64 = losses.iter().map(|loss| 100.0 * (-DECAY * loss).exp()).sum();
    (!losses.is_empty()).then(|| sum / losses.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_accuracy_follow_the_loss() {
        let classes = [0.0, 0.049, 0.05, 0.1, 0.19, 0.2, 1.0].map(MoveClass::of_loss);
        use MoveClass::{Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(classes, [Good, Good, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[(0.0, 0.5); 2]), Some(100.0));
        let one = accuracy(&[(0.05, 0.5)]).unwrap();
        assert!((one - 44.93).abs() < 0.01, "{one}");
        assert_eq!(accuracy(&[(0.0, 0.5), (0.05, 0.5)]), Some((100.0 + one) / 2.0));
        // Moves of a decided game count only in one that never was open.
        assert_eq!(accuracy(&[(0.05, 0.5), (0.0, 0.04), (0.0, 0.96)]), Some(one));
        assert_eq!(accuracy(&[(0.0, 0.01)]), Some(100.0));
    }
}
