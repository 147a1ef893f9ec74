//! The sequential probability ratio test (SPRT) of a match of pairs: generalised (GSPRT), on pentanomial counts.

use super::pentanomial::{ELO_PER_DEVIATION, Pentanomial};

/// What an SPRT measures Elo differences in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EloModel {
    /// Elo of the logistic curve.
    Logistic,
    /// Normalised Elo, in units of the deviation of a game: the number of games does not depend on the share of draws.
    Normalised,
}

/// A test of the hypothesis H1, that the difference is `elo1`, against H0, that it is `elo0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    /// Elo difference of H0.
    pub elo0: f64,
    /// Elo difference of H1.
    pub elo1: f64,
    /// Probability of accepting H1 where H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 is true.
    pub beta: f64,
    /// The unit.
    pub model: EloModel,
}

impl Sprt {
    /// The LLR at which H0 and H1 are accepted.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Whether H1 (true) or H0 is accepted at this LLR; `None`: the test goes on.
    pub(crate) fn accepts_h1(&self, llr: f64) -> Option<bool> {
        let [low, high] = self.bounds();
        (llr <= low || llr >= high).then_some(llr >= high)
    }

    /// The log-likelihood ratio of the most likely distributions under H1 and under H0 (M. Van den Bergh, "The generalized
    /// sequential probability ratio test", "Normalized Elo"). Results that have not occurred count as a thousandth.
    pub(crate) fn llr(&self, counts: &Pentanomial) -> f64 {
        if counts.0.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let pairs: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / pairs);
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => {
                with_mean(&observed, (1.0 / (1.0 + 10f64.powf(-elo / 400.0))).clamp(1e-6, 1.0 - 1e-6))
            }
            // A pair has the deviation of a game divided by √2.
            EloModel::Normalised => with_t_value(&observed, elo * 2f64.sqrt() / ELO_PER_DEVIATION),
        });
        let terms = (0..5).map(|index| observed[index] * (h1[index] / h0[index]).ln());
        pairs * terms.sum::<f64>()
    }
}

/// The scores of the five results of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The most likely distribution with this mean.
fn with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    most_likely(observed, &SCORES.map(|score| score - mean))
}

/// The most likely distribution with (mean − ½) / deviation = `t`, by iteration.
fn with_t_value(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..50 {
        let mean_of = |values: &[f64; 5]| (0..5).map(|index| found[index] * values[index]).sum::<f64>();
        let mean = mean_of(&SCORES);
        let deviation = mean_of(&SCORES.map(|score| (score - mean).powi(2))).sqrt();
        let values =
            SCORES.map(|score| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0);
        let next = most_likely(observed, &values);
        let change = (0..5).map(|index| (next[index] - found[index]).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-9 {
            break;
        }
    }
    found
}

/// The most likely distribution under which these values have mean 0: `observed` / (1 + x · value), where x makes it so, by
/// bisection.
fn most_likely(observed: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let at = |x: f64| -> [f64; 5] { std::array::from_fn(|index| observed[index] / (1.0 + x * values[index])) };
    let (least, greatest) = (values.iter().copied().fold(0.0, f64::min), values.iter().copied().fold(0.0, f64::max));
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..200 {
        let x = (low + high) / 2.0;
        let mean: f64 = at(x).iter().zip(values).map(|(probability, value)| probability * value).sum();
        if mean > 0.0 { low = x } else { high = x }
    }
    at((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_an_independent_program() {
        // By xqmatch, a match runner in Python.
        let even = [3, 20, 51, 19, 7];
        let better = [0, 10, 300, 60, 1];
        for (model, elo0, elo1, counts, expected) in [
            (EloModel::Logistic, 0.0, 5.0, even, 0.20563),
            (EloModel::Logistic, -5.0, 0.0, even, 0.31229),
            (EloModel::Logistic, 0.0, 10.0, better, 10.52048),
            (EloModel::Logistic, 0.0, 5.0, [0, 0, 9, 0, 0], -0.12504),
            (EloModel::Normalised, 0.0, 5.0, even, 0.14088),
            (EloModel::Normalised, 0.0, 10.0, better, 3.74881),
            (EloModel::Normalised, -5.0, 0.0, [0, 0, 9, 0, 0], 0.00238),
        ] {
            let llr = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }.llr(&Pentanomial(counts));
            assert!((llr - expected).abs() < 1e-4, "{model:?} {elo0} {elo1} {counts:?}: {llr}");
        }
    }

    #[test]
    fn bounds_follow_from_the_error_probabilities() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.1, model: EloModel::Logistic };
        let [low, high] = sprt.bounds();
        assert!((low + 2.2513).abs() < 1e-3 && (high - 2.8904).abs() < 1e-3, "{low} {high}");
        assert_eq!([0.0, 2.9, -2.3].map(|llr| sprt.accepts_h1(llr)), [None, Some(true), Some(false)]);
        assert_eq!(sprt.llr(&Pentanomial::default()), 0.0);
        assert!(Sprt { elo1: 1e9, ..sprt }.llr(&Pentanomial([0, 0, 9, 0, 0])) < low);
    }
}
