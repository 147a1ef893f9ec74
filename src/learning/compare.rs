//! What changed numbers of the search are worth: pairs of games with and without the change.

use super::selfplay::{Player, opening, play_pair};
use crate::search::conduct::Conduct;
use crate::search::limits::Limits;
use crate::search::tunables::Tunables;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// Megabytes of each player's hash table.
pub const HASH_MEGABYTES: usize = 4;

/// How games of self-play are played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Where chance begins.
    pub seed: u64,
}

impl Plan {
    /// Chance for one pair of games. Plans with seeds that differ have no pair in common.
    pub fn chance(&self, pair: u64) -> StdRng {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&pair.to_le_bytes());
        StdRng::from_seed(seed)
    }

    /// The limits of a player that goes by `tunables`.
    pub fn limits(&self, tunables: &Tunables) -> Limits {
        let conduct = Conduct { tunables: tunables.clone(), ..Conduct::default() };
        Limits { nodes: Some(self.nodes), conduct, ..Limits::default() }
    }
}

/// How often a pair of games ended by how many wins more: from two fewer to two more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally(pub [u64; 5]);

impl Tally {
    /// Counts one pair.
    pub fn add(&mut self, difference: i32) {
        self.0[(difference.clamp(-2, 2) + 2) as usize] += 1;
    }

    /// Elo and its error (two standard deviations); `None` as long as all pairs ended alike.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let pairs = self.0.iter().sum::<u64>() as f64;
        let mean = |of: fn(f64) -> f64| {
            (0..).zip(self.0).map(|(index, count)| of(index as f64 / 4.0) * count as f64).sum::<f64>() / pairs
        };
        let (score, square) = (mean(|score| score), mean(|score| score * score));
        let deviation = ((square - score * score) / pairs).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
        let error = (elo(score + 2.0 * deviation) - elo(score - 2.0 * deviation)) / 2.0;
        (deviation > 0.0).then(|| (elo(score), error))
    }
}

/// Plays `one` against `other` and calls `say` after each pair with the tally for `one` so far.
pub fn compare(one: &Tunables, other: &Tunables, plan: &Plan, say: &mut dyn FnMut(&Tally)) -> Tally {
    let next = AtomicU64::new(0);
    let (sender, results) = mpsc::channel();
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut players = [one, other].map(|tunables| Player::new(plan.limits(tunables), HASH_MEGABYTES));
                let [one, other] = &mut players;
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= plan.pairs {
                        return;
                    }
                    let start = opening(&mut plan.chance(pair));
                    let _ = sender.send(play_pair(&start, one, other));
                }
            });
        }
        drop(sender);
        for difference in results {
            tally.add(difference);
            say(&tally);
        }
    });
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_a_tally() {
        assert_eq!(Tally::default().elo(), None);
        let (elo, error) = Tally([10, 0, 20, 0, 10]).elo().unwrap();
        assert!(elo.abs() < 1e-9 && error > 0.0);
        assert_eq!(Tally([0, 0, 9, 0, 0]).elo(), None);
        // 64 % of the points are 100 Elo.
        let (elo, _) = Tally([0, 0, 72, 0, 28]).elo().unwrap();
        assert!((elo - 100.0).abs() < 1.0, "{elo}");
    }
}
