//! The result of a match of game pairs: pentanomial counts, Elo difference, likelihood of superiority (LOS).

/// Number of game pairs by their result for the first player: by how many more wins than losses, from −2 to 2 (the
/// pentanomial frequencies of fishtest; they respect that the two games of an opening are not independent).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair, won by `difference` games (−2 to 2).
    pub fn add(&mut self, difference: i32) {
        self.0[(difference.clamp(-2, 2) + 2) as usize] += 1;
    }

    /// Elo difference and its error margin (two standard deviations); `None` while all pairs have the same result.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let (pairs, score, variance) = self.moments();
        let deviation = (variance / pairs).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
        let error = (elo(score + 2.0 * deviation) - elo(score - 2.0 * deviation)) / 2.0;
        (deviation > 0.0).then(|| (elo(score), error))
    }

    /// Normalised Elo difference (in units of the deviation of a game) and its error margin (two standard deviations); `None`
    /// while all pairs have the same result.
    pub fn normalised_elo(&self) -> Option<(f64, f64)> {
        let (pairs, score, variance) = self.moments();
        (variance > 0.0).then(|| {
            let scale = ELO_PER_DEVIATION / 2f64.sqrt();
            ((score - 0.5) / variance.sqrt() * scale, 2.0 / pairs.sqrt() * scale)
        })
    }

    /// Likelihood of superiority (LOS): the probability that the first player is the stronger one. Normal approximation;
    /// `None` while all pairs have the same result.
    pub fn los(&self) -> Option<f64> {
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

/// Elo of a difference of one deviation, where the score is near ½: 800 / ln 10.
pub const ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

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
        let (elo, error) = Pentanomial([10, 0, 20, 0, 10]).elo().unwrap();
        assert!(elo.abs() < 1e-9 && error > 0.0);
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).elo(), None);
        // 64 % of the points are 100 Elo.
        let (elo, _) = Pentanomial([0, 0, 72, 0, 28]).elo().unwrap();
        assert!((elo - 100.0).abs() < 1.0, "{elo}");
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
