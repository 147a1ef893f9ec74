//! The result of a match of game pairs: pentanomial counts, Elo difference, likelihood of superiority (LOS).

use std::fmt;

/// Number of game pairs by their result for the first player: by how many more wins than losses, from −2 to 2 (the
/// pentanomial frequencies of fishtest; they respect that the two games of an opening are not independent).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair, won by `difference` games (−2 to 2).
    pub(crate) fn add(&mut self, difference: i32) {
        self.0[(difference.clamp(-2, 2) + 2) as usize] += 1;
    }

    /// Elo difference; `None` while all pairs have the same result, but for those of which one side won all.
    ///
    /// Its interval is that of E. B. Wilson ("Probable inference, the law of succession, and statistical inference") for the
    /// score, for two standard deviations and the number of pairs, won or lost whole, that would have this variance.
    pub(crate) fn elo(&self) -> Option<Elo> {
        let (pairs, score, variance) = self.moments();
        let most = score * (1.0 - score);
        // Where one side has won all, each pair counts as one.
        let share = if most > 0.0 { variance / most } else { 1.0 };
        let squares = 4.0 * share / pairs;
        let half = (squares * (most + squares / 4.0)).sqrt();
        let limit = |sign: f64| ((score + squares / 2.0 + sign * half) / (1.0 + squares)).clamp(0.0, 1.0);
        // No negative zero.
        let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10() + 0.0;
        let all = |end: f64| if (score - end).abs() < 1e-12 { end } else { limit(2.0 * end - 1.0) };
        (pairs > 0.0 && share > 1e-12).then(|| Elo { value: elo(score), low: elo(all(0.0)), high: elo(all(1.0)) })
    }

    /// Normalised Elo difference (in units of the deviation of a game) and its error margin (two standard deviations); `None`
    /// while all pairs have the same result.
    pub(crate) fn normalised_elo(&self) -> Option<(f64, f64)> {
        let (pairs, score, variance) = self.moments();
        (variance > 0.0).then(|| {
            let scale = ELO_PER_DEVIATION / 2f64.sqrt();
            ((score - 0.5) / variance.sqrt() * scale, 2.0 / pairs.sqrt() * scale)
        })
    }

    /// Likelihood of superiority (LOS): the probability that the first player is the stronger one. Normal approximation;
    /// `None` while all pairs have the same result.
    pub(crate) fn los(&self) -> Option<f64> {
        let (pairs, score, variance) = self.moments();
        (variance > 0.0).then(|| normal_cdf((score - 0.5) / (variance / pairs).sqrt()))
    }

    /// Number of pairs; mean and variance of their scores, 0 to 1.
    fn moments(&self) -> (f64, f64, f64) {
        let pairs = self.0.iter().sum::<u64>() as f64;
        let mean = |of: fn(f64) -> f64| {
            (0..).zip(self.0).map(|(index, count)| of(index as f64 / 4.0) * count as f64).sum::<f64>() / pairs
        };
        let score = mean(|score| score);
        (pairs, score, mean(|score| score * score) - score * score)
    }
}

/// An Elo difference with the interval of two standard deviations. It is infinite where one side has won all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elo {
    /// The most likely difference.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

/// As `+137.0 (+52.6, +248.1)`.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {})", signed(self.value), signed(self.low), signed(self.high))
    }
}

fn signed(elo: f64) -> String {
    if elo.is_finite() { format!("{elo:+.1}") } else { format!("{}∞", if elo > 0.0 { '+' } else { '-' }) }
}

/// Elo of a difference of one deviation, where the score is near ½: 800 / ln 10.
pub(crate) const ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The distribution function of the normal distribution (M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
/// 7.1.26; error below 1e-7).
fn normal_cdf(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
    let z = x.abs() / 2f64.sqrt();
    let t = 1.0 / (1.0 + 0.3275911 * z);
    let tail = COEFFICIENTS.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t) * (-z * z).exp() / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_known_counts() {
        assert_eq!(Pentanomial::default().elo(), None);
        let even = Pentanomial([10, 0, 20, 0, 10]).elo().unwrap();
        assert!(even.value.abs() < 1e-9 && even.high > 0.0 && (even.high + even.low).abs() < 1e-9);
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).elo(), None);
        // 64 % of the points are 100 Elo.
        let elo = Pentanomial([0, 0, 72, 0, 28]).elo().unwrap();
        assert!((elo.value - 100.0).abs() < 1.0, "{elo}");
    }

    #[test]
    fn lopsided_results_have_an_interval() {
        for (counts, expected) in [
            // Of pairs won or lost whole Wilson's interval is 0.517 to 0.950 (9 of 11), and 0.714 to 1 (10 of 10).
            ([2, 0, 0, 0, 9], "+261.3 (+11.7, +510.9)"),
            ([0, 0, 0, 0, 10], "+∞ (+159.2, +∞)"),
            ([10, 0, 0, 0, 0], "-∞ (-∞, -159.2)"),
            ([98, 1, 1, 0, 0], "-848.7 (-1087.9, -609.5)"),
        ] {
            assert_eq!(Pentanomial(counts).elo().unwrap().to_string(), expected, "{counts:?}");
        }
        // Of many pairs it is that of the normal distribution.
        let many = Pentanomial([3_000, 20_000, 51_000, 19_000, 7_000]).elo().unwrap();
        assert!((many.high - many.low - 1.949).abs() < 0.001, "{many}");
    }

    #[test]
    fn superiority_and_normalised_elo_of_known_counts() {
        // By xqmatch, whose margin is 1.96 deviations.
        let counts = Pentanomial([3, 20, 51, 19, 7]);
        let (elo, error) = counts.normalised_elo().unwrap();
        assert!((elo - 19.4086).abs() < 1e-3 && (error / 2.0 * 1.959963985 - 48.1517).abs() < 1e-3, "{elo} {error}");
        assert!((counts.los().unwrap() - 0.78524).abs() < 1e-4);
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).los(), None);
        let worse = Pentanomial([7, 19, 51, 20, 3]);
        assert!((counts.los().unwrap() + worse.los().unwrap() - 1.0).abs() < 1e-9);
    }
}
