//! Classes of moves, and accuracy.
//!
//! Both are made from the expected points ([`crate::eval::wdl::expected_points`]: probability of a win plus half that of a
//! draw) that a move loses: those after the best move less those after the move played.

/// The losses of expected points from which a move is an inaccuracy, a mistake and a blunder.
const BOUNDS: [(f64, MoveClass); 3] =
    [(0.20, MoveClass::Blunder), (0.10, MoveClass::Mistake), (0.05, MoveClass::Inaccuracy)];
/// How fast the accuracy of a move falls with its loss: at 0.1 lost points it is exp(−0.4), 67 %.
const DECAY: f64 = 4.0;

/// The class of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveClass {
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
    pub const BAD: [MoveClass; 3] = [MoveClass::Inaccuracy, MoveClass::Mistake, MoveClass::Blunder];

    /// The class of a move that is neither forced nor the best one, by its loss of expected points.
    pub fn of_loss(loss: f64) -> MoveClass {
        BOUNDS.iter().find(|&&(bound, _)| loss >= bound).map_or(MoveClass::Good, |&(_, class)| class)
    }

    /// Whether it counts for the accuracy.
    pub const fn counts(self) -> bool {
        !matches!(self, MoveClass::Forced | MoveClass::Unknown)
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
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
    pub const fn mark(self) -> Option<(&'static str, u8)> {
        match self {
            MoveClass::Inaccuracy => Some(("?!", 6)),
            MoveClass::Mistake => Some(("?", 2)),
            MoveClass::Blunder => Some(("??", 4)),
            _ => None,
        }
    }
}

/// The accuracy of moves by their losses of expected points, from 0 to 100: the mean of 100 exp(−4 loss); `None` without
/// moves.
pub fn accuracy(losses: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = losses.fold((0.0, 0), |(sum, count), loss| (sum + 100.0 * (-DECAY * loss).exp(), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_accuracy_follow_the_loss() {
        let classes = [0.0, 0.049, 0.05, 0.1, 0.19, 0.2, 1.0].map(MoveClass::of_loss);
        use MoveClass::{Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(classes, [Good, Good, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(accuracy([].into_iter()), None);
        assert_eq!(accuracy([0.0, 0.0].into_iter()), Some(100.0));
        let one = accuracy([0.1].into_iter()).unwrap();
        assert!((one - 67.03).abs() < 0.01, "{one}");
        assert_eq!(accuracy([0.0, 0.1].into_iter()), Some((100.0 + one) / 2.0));
    }
}
