//! What a change is worth: pairs of games with and without it.

use super::selfplay::{Player, opening, play_pair, seeded_rng};
use crate::parallel::map_in_order;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use rand::rngs::StdRng;
use std::ops::ControlFlow;

/// Megabytes of each player's hash table.
pub const HASH_MEGABYTES: usize = 4;

/// How games of self-play are played.
#[derive(Clone, Copy, Debug)]
pub struct MatchSettings {
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Where chance begins.
    pub seed: u64,
}

impl MatchSettings {
    /// Chance for one pair of games.
    pub fn seeded_rng(&self, pair: u64) -> StdRng {
        seeded_rng(self.seed, pair)
    }

    /// The limits of a player that goes about its searches like this.
    pub fn limits(&self, settings: SearchSettings) -> Limits {
        Limits { nodes: Some(self.nodes), settings, ..Limits::default() }
    }
}

/// How often a pair of games ended by how many wins more: from two fewer to two more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair.
    pub fn add(&mut self, difference: i32) {
        self.0[(difference.clamp(-2, 2) + 2) as usize] += 1;
    }

    /// Elo and its error (two standard deviations); `None` as long as all pairs ended alike.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let (pairs, score, variance) = self.moments();
        let deviation = (variance / pairs).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
        let error = (elo(score + 2.0 * deviation) - elo(score - 2.0 * deviation)) / 2.0;
        (deviation > 0.0).then(|| (elo(score), error))
    }

    /// How much more likely this tally is if the gain is `elo_bounds[1]` Elo than if it is `elo_bounds[0]`: the logarithm, by the
    /// normal approximation (M. Van den Bergh, "A practical introduction to the GSPRT", 2021). 0 as long as all pairs
    /// ended alike.
    pub fn llr(&self, elo_bounds: [f64; 2]) -> f64 {
        let (pairs, score, variance) = self.moments();
        let [low, high] = elo_bounds.map(|elo| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        if variance > 0.0 { pairs * (high - low) * (2.0 * score - low - high) / (2.0 * variance) } else { 0.0 }
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

/// Evidence for or against that is enough: if the gains are so near that many pairs are needed, one in twenty such decisions
/// is wrong; of quick ones more, for the variance of few pairs is not known well.
pub const LLR_BOUND: f64 = 2.944;

/// Plays `one` against `other` and calls `say` after each pair with the tally for `one` so far, until that says it is
/// enough.
pub fn compare(
    one: &SearchSettings,
    other: &SearchSettings,
    settings: &MatchSettings,
    say: &mut dyn FnMut(&Pentanomial) -> ControlFlow<()>,
) -> Pentanomial {
    let mut pentanomial = Pentanomial::default();
    let worker = || {
        let mut players = [one, other].map(|search| Player::new(settings.limits(search.clone()), HASH_MEGABYTES));
        move |pair| play_pair(&opening(&mut settings.seeded_rng(pair), &SearchSettings::default()), &mut players)
    };
    map_in_order(0..settings.pairs, settings.threads, worker, &mut |difference| {
        pentanomial.add(difference);
        say(&pentanomial)
    });
    pentanomial
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_a_tally() {
        assert_eq!(Pentanomial::default().elo(), None);
        let (elo, error) = Pentanomial([10, 0, 20, 0, 10]).elo().unwrap();
        assert!(elo.abs() < 1e-9 && error > 0.0);
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).elo(), None);
        // 64 % of the points are 100 Elo.
        let (elo, _) = Pentanomial([0, 0, 72, 0, 28]).elo().unwrap();
        assert!((elo - 100.0).abs() < 1.0, "{elo}");
    }

    #[test]
    fn evidence_grows_with_the_pairs_and_with_the_gain() {
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).llr([0.0, 5.0]), 0.0);
        let even = Pentanomial([10, 20, 40, 20, 10]);
        let better = Pentanomial([5, 15, 40, 25, 15]);
        assert!(even.llr([0.0, 10.0]) < 0.0 && better.llr([0.0, 10.0]) > 0.0);
        let more = Pentanomial(better.0.map(|count| 4 * count));
        assert!((more.llr([0.0, 10.0]) - 4.0 * better.llr([0.0, 10.0])).abs() < 1e-9);
        // What lies in the middle speaks for neither; turned round, it speaks for the other.
        assert!(even.llr([-7.0, 7.0]).abs() < 1e-9);
        let worse = Pentanomial([15, 25, 40, 15, 5]);
        assert!((worse.llr([-7.0, 7.0]) + better.llr([-7.0, 7.0])).abs() < 1e-9);
    }
}
