//! Win/draw/loss (WDL) probabilities of a score.

use crate::types::Score;
use crate::types::score::is_decided;

/// The score at which the probability of a win is one half, in engine units.
pub const EVEN_SCORE: Score = 296;

/// A score that is no mate in UCI centipawns, normalised as in Stockfish: at 100 the probability to win is 50%. A game
/// decided by the rules of repetition has ±9,967 to ±10,304, which no evaluation reaches.
pub const fn centipawns(score: Score) -> Score {
    score * 100 / EVEN_SCORE
}

/// A WDL model: the probability of a win is a logistic function of the score, that of a loss the same function of the
/// negated score, draws have the rest (the form of Stockfish's model).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The score at which the probability of a win is one half, in engine units.
    pub even_score: f64,
    /// The scale of the logistic function, in engine units.
    pub spread: f64,
}

/// The model in use, fitted by `chuhe net wdl` to the games that the network of CRC-32 b3390900 played in `chuhe net datagen
/// --games 800 --nodes 10000 --seed 51`: the positions of the games without random moves. In steps of 100 engine units, observed win
/// rates differ from the model by at most 0.08. After longer searches more of the winning scores are won.
pub const MODEL: WdlModel = WdlModel { even_score: EVEN_SCORE as f64, spread: 102.0 };

impl WdlModel {
    /// Probabilities of win, draw and loss for a score.
    pub fn probabilities(&self, score: f64) -> [f64; 3] {
        let logistic = |score: f64| 1.0 / (1.0 + ((self.even_score - score) / self.spread).exp());
        let (win, loss) = (logistic(score), logistic(-score));
        [win, (1.0 - win - loss).max(1e-9), loss]
    }

    /// The expected points of a score, from 0 (loss) over 0.5 (draw) to 1 (win), and their derivative by the score.
    pub fn expectation(&self, score: f32) -> (f32, f32) {
        let (even_score, spread) = (self.even_score as f32, self.spread as f32);
        let logistic = |score: f32| 1.0 / (1.0 + (-score / spread).exp());
        let (win, no_loss) = (logistic(score - even_score), logistic(score + even_score));
        let slope = win * (1.0 - win) + no_loss * (1.0 - no_loss);
        ((win + no_loss) / 2.0, slope / (2.0 * spread))
    }
}

/// Probabilities of win, draw and loss for the side whose `score` it is, in thousandths that add up to 1000.
pub fn wdl(score: Score) -> [u32; 3] {
    if is_decided(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let [win, _, loss] = MODEL.probabilities(f64::from(score)).map(|probability| (1000.0 * probability).round() as u32);
    [win, 1000 - win - loss, loss]
}

/// The expected points, from 0 (loss) over 0.5 (draw) to 1 (win), of the side whose `score` it is.
pub fn expected_points(score: Score) -> f64 {
    if is_decided(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    let [win, draw, _] = MODEL.probabilities(f64::from(score));
    win + draw / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_are_normalised_to_even_chances() {
        let even = (0..).find(|&even| wdl(even)[0] >= 500).unwrap();
        assert_eq!([0, even, -even].map(centipawns), [0, 100, -100]);
    }

    #[test]
    fn the_model_is_fitted_to_the_network_in_use() {
        assert_eq!(crate::Network::built_in().checksum(), 0xb339_0900, "fit it again, and name the new one");
    }

    #[test]
    fn probabilities_add_up_and_are_symmetric() {
        for score in (-20_000..20_000).step_by(7) {
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-score), [loss, draw, win]);
            assert!(wdl(score + 7)[0] >= win);
        }
        let [win, draw, _] = wdl(0);
        assert!(draw > win);
        assert_eq!(wdl(EVEN_SCORE)[0], 500);
        assert_eq!(wdl(crate::types::score::mate_in(3)), [1000, 0, 0]);
    }

    #[test]
    fn expectations_are_those_of_the_probabilities() {
        for score in (-3_000..3_000).step_by(50) {
            let [win, draw, _] = MODEL.probabilities(f64::from(score));
            let (expectation, slope) = MODEL.expectation(score as f32);
            assert!((f64::from(expectation) - (win + draw / 2.0)).abs() < 1e-5, "{score}");
            let difference = MODEL.expectation(score as f32 + 1.0).0 - MODEL.expectation(score as f32 - 1.0).0;
            assert!((slope - difference / 2.0).abs() < 1e-4, "{score}");
        }
    }
}
