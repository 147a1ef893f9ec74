//! How often who had a score won, drew and lost: the model of [`crate::eval::probabilities`], fitted to games.

use super::games::{Game, GameError};
use crate::types::Score;
use std::fmt;

/// Width of a range of scores, in engine units.
const RANGE: usize = 20;
/// Ranges; scores beyond the last are not counted.
const RANGES: usize = 100;
/// Rounds of the fit, in each of which the step is halved or a better place is found.
const ROUNDS: usize = 200;

/// How games ended, by the scores found in them.
#[derive(Clone, Debug)]
pub struct WdlFit {
    /// Lost, drawn, won by who had a score in this range or, the other way round, minus that.
    counts: Vec<[u64; 3]>,
}

impl Default for WdlFit {
    fn default() -> WdlFit {
        WdlFit { counts: vec![[0; 3]; RANGES] }
    }
}

/// The two numbers of the model, in engine units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The score at which a win is as likely as not.
    pub even_score: f64,
    /// How gently chances change around it.
    pub spread: f64,
}

impl WdlModel {
    /// Chances to lose, draw and win with a score.
    fn probabilities(&self, score: f64) -> [f64; 3] {
        let likelihood = |score: f64| 1.0 / (1.0 + ((self.even_score - score) / self.spread).exp());
        let (win, loss) = (likelihood(score), likelihood(-score));
        [loss, (1.0 - win - loss).max(1e-9), win]
    }
}

impl WdlFit {
    /// Counts the positions of a game, but those in which the search saw the end; none of a game with moves by chance, whose
    /// outcome says little about them.
    ///
    /// # Errors
    /// When the game does not follow the rules.
    pub fn add(&mut self, game: &Game) -> Result<(), GameError> {
        if game.plies.iter().any(|ply| ply.score.is_none()) {
            return Ok(());
        }
        game.replay(&mut |position, ply| {
            let score = Score::from(ply.score.expect("invariant: no move came by chance"));
            let range = score.unsigned_abs() as usize / RANGE;
            if range >= RANGES {
                return;
            }
            let for_red = position.side().sign() * score;
            let outcome = game.outcome as usize;
            self.counts[range][if for_red >= 0 { outcome } else { 2 - outcome }] += 1;
        })?;
        Ok(())
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().flatten().all(|&count| count == 0)
    }

    /// The model under which what was counted is most likely.
    pub fn fit(&self) -> WdlModel {
        let mut best = WdlModel { even_score: 300.0, spread: 200.0 };
        let mut step = 100.0;
        for _ in 0..ROUNDS {
            let around = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(even_score, spread)| WdlModel {
                even_score: (best.even_score + even_score).max(1.0),
                spread: (best.spread + spread).max(1.0),
            });
            match around.into_iter().find(|model| self.likelihood(model) > self.likelihood(&best)) {
                Some(model) => best = model,
                None => step /= 2.0,
            }
        }
        best
    }

    /// The logarithm of it.
    fn likelihood(&self, model: &WdlModel) -> f64 {
        let range = |(range, counts): (usize, &[u64; 3])| {
            let probabilities = model.probabilities(((2 * range + 1) * RANGE / 2) as f64);
            counts.iter().zip(probabilities).map(|(&count, rng)| count as f64 * rng.ln()).sum::<f64>()
        };
        self.counts.iter().enumerate().map(range).sum()
    }
}

/// What was counted, five ranges to a line, and what the fitted model says there.
impl fmt::Display for WdlFit {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        const LINE: usize = 5;
        let model = self.fit();
        writeln!(out, "scores        positions   won  drawn  lost %   the model says")?;
        for (line, ranges) in self.counts.chunks(LINE).enumerate() {
            let counts: [u64; 3] = std::array::from_fn(|outcome| ranges.iter().map(|counts| counts[outcome]).sum());
            let total: u64 = counts.iter().sum();
            let [lost, drawn, won] = counts.map(|count| 100.0 * count as f64 / total.max(1) as f64);
            let width = LINE * RANGE;
            let [loses, draws, wins] = model.probabilities(((2 * line + 1) * width / 2) as f64).map(|rng| 100.0 * rng);
            let (from, to) = (line * width, (line + 1) * width - 1);
            writeln!(
                out,
                "{from:5}–{to:<5} {total:11} {won:5.1} {drawn:6.1} {lost:5.1}   {wins:5.1} {draws:5.1} {loses:5.1}"
            )?;
        }
        writeln!(out, "even {:.0}, spread {:.0} engine units", model.even_score, model.spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_made_the_counts_is_found() {
        let real = WdlModel { even_score: 410.0, spread: 130.0 };
        let counts = (0..RANGES).map(|range| {
            let probabilities = real.probabilities(((2 * range + 1) * RANGE / 2) as f64);
            probabilities.map(|rng| (rng * 100_000.0) as u64)
        });
        let found = WdlFit { counts: counts.collect() }.fit();
        assert!(
            (found.even_score - real.even_score).abs() < 1.0 && (found.spread - real.spread).abs() < 1.0,
            "{found:?}"
        );
    }
}
