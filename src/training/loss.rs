//! What a score is worth in points: the function by which scores are compared in a training.

use crate::eval::wdl::MODEL;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The loss is the squared error of the expected score that follows from a score by one of these functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// The logistic function of the score divided by this many engine units. At 1,000 it has a slope still, so that
    /// a network learns to tell large scores apart.
    Logistic(f32),
    /// The win/draw/loss model of `showwdl`: scores and outcomes of games agree, but beyond 600 it is nearly flat.
    WinDrawLoss,
}

impl Loss {
    /// The expected score of a side, from 0 (loss) to 1 (win), whose `score` in engine units it is; and its derivative by the
    /// score.
    pub fn expectation(self, score: f32) -> (f32, f32) {
        match self {
            Loss::Logistic(scale) => {
                let expectation = 1.0 / (1.0 + (-score / scale).exp());
                (expectation, expectation * (1.0 - expectation) / scale)
            }
            Loss::WinDrawLoss => MODEL.expectation(score),
        }
    }
}

/// A text is not the name of a loss.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not logistic:SCALE with a scale from 50 to 5000, nor wdl")]
pub struct LossError(String);

impl FromStr for Loss {
    type Err = LossError;

    fn from_str(text: &str) -> Result<Loss, LossError> {
        if text == "wdl" {
            return Ok(Loss::WinDrawLoss);
        }
        let scale = text.strip_prefix("logistic:").and_then(|scale| scale.parse().ok());
        let scale = scale.filter(|scale| (50.0..=5_000.0).contains(scale));
        scale.map(Loss::Logistic).ok_or_else(|| LossError(text.to_string()))
    }
}

/// The name that is read.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Logistic(scale) => write!(f, "logistic:{scale}"),
            Loss::WinDrawLoss => f.write_str("wdl"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_read_as_they_are_written() {
        for loss in [Loss::Logistic(400.0), Loss::Logistic(262.5), Loss::WinDrawLoss] {
            assert_eq!(loss.to_string().parse(), Ok(loss));
        }
        for wrong in ["", "logistic", "logistic:", "logistic:0", "logistic:-400", "logistic:NaN", "wdl:3", "linear"] {
            assert_eq!(wrong.parse::<Loss>(), Err(LossError(wrong.to_string())));
        }
    }

    #[test]
    fn expected_scores_are_symmetric_and_the_slope_is_their_derivative() {
        for loss in [Loss::Logistic(400.0), Loss::WinDrawLoss] {
            for score in (-1_500..=1_500).map(|score| score as f32) {
                let at = |score| loss.expectation(score).0;
                assert!((at(score) + at(-score) - 1.0).abs() < 1e-6);
                let difference = (at(score + 8.0) - at(score - 8.0)) / 16.0;
                assert!((loss.expectation(score).1 - difference).abs() < 3e-6, "{loss} {score}");
            }
        }
        assert!((Loss::Logistic(400.0).expectation(400.0).0 - 0.731_06).abs() < 1e-5);
        let slope = |loss: Loss| loss.expectation(800.0).1;
        assert!(slope(Loss::Logistic(400.0)) > 5.0 * slope(Loss::WinDrawLoss));
    }
}
