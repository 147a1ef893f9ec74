//! Fit of the win/draw/loss (WDL) model of [`crate::eval::wdl`] to games, by maximum likelihood.

use super::training_games::{GameError, TrainingGame};
use crate::eval::wdl::WdlModel;
use crate::types::Score;
use std::fmt;

/// Width of a score range, in engine units.
const RANGE_WIDTH: usize = 20;
/// Number of score ranges; higher scores are not counted.
const RANGES: usize = 100;
/// Iterations of the fit; each improves the model or halves the step.
const ITERATIONS: usize = 200;

/// Outcomes of games by the scores of their positions.
#[derive(Clone, Debug)]
pub(crate) struct WdlFit {
    /// Wins, draws and losses by score range, for the side with the positive score.
    counts: Vec<[u64; 3]>,
}

impl Default for WdlFit {
    fn default() -> WdlFit {
        WdlFit { counts: vec![[0; 3]; RANGES] }
    }
}

impl WdlFit {
    /// Counts the positions of a game without random moves; others are skipped, since their outcome says little about
    /// scores before such a move.
    ///
    /// # Errors
    /// When a move is not legal.
    pub(crate) fn add(&mut self, game: &TrainingGame) -> Result<(), GameError> {
        if game.plies.iter().any(|ply| ply.score.is_none()) {
            return Ok(());
        }
        game.replay(&mut |position, ply| {
            let score = Score::from(ply.score.expect("invariant: no random moves"));
            let range = score.unsigned_abs() as usize / RANGE_WIDTH;
            if range >= RANGES {
                return;
            }
            let for_red = position.side().sign() * score;
            let outcome = game.outcome as usize;
            self.counts[range][if for_red >= 0 { 2 - outcome } else { outcome }] += 1;
        })?;
        Ok(())
    }

    /// Whether no position was counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.iter().flatten().all(|&count| count == 0)
    }

    /// The maximum likelihood model of the counts.
    pub(crate) fn fit(&self) -> WdlModel {
        let mut best = WdlModel { even_score: 300.0, spread: 200.0 };
        let mut step = 100.0;
        for _ in 0..ITERATIONS {
            let around = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(even_score, spread)| WdlModel {
                even_score: (best.even_score + even_score).max(1.0),
                spread: (best.spread + spread).max(1.0),
            });
            match around.into_iter().find(|model| self.log_likelihood(model) > self.log_likelihood(&best)) {
                Some(model) => best = model,
                None => step /= 2.0,
            }
        }
        best
    }

    /// The log-likelihood of the counts under a model.
    fn log_likelihood(&self, model: &WdlModel) -> f64 {
        let range = |(range, counts): (usize, &[u64; 3])| {
            let probabilities = model.probabilities(((2 * range + 1) * RANGE_WIDTH / 2) as f64);
            counts.iter().zip(probabilities).map(|(&count, probability)| count as f64 * probability.ln()).sum::<f64>()
        };
        self.counts.iter().enumerate().map(range).sum()
    }
}

/// The observed frequencies, five ranges a line, with the probabilities of the fitted model.
impl fmt::Display for WdlFit {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        const LINE: usize = 5;
        let model = self.fit();
        writeln!(out, "scores        positions   win   draw  loss %   model")?;
        for (line, ranges) in self.counts.chunks(LINE).enumerate() {
            let counts: [u64; 3] = std::array::from_fn(|outcome| ranges.iter().map(|counts| counts[outcome]).sum());
            let total: u64 = counts.iter().sum();
            let [win, draw, loss] = counts.map(|count| 100.0 * count as f64 / total.max(1) as f64);
            let width = LINE * RANGE_WIDTH;
            let [model_win, model_draw, model_loss] =
                model.probabilities(((2 * line + 1) * width / 2) as f64).map(|probability| 100.0 * probability);
            let (from, to) = (line * width, (line + 1) * width - 1);
            writeln!(
                out,
                "{from:5}–{to:<5} {total:11} {win:5.1} {draw:6.1} {loss:5.1}   {model_win:5.1} {model_draw:5.1} {model_loss:5.1}"
            )?;
        }
        writeln!(out, "even score {:.0}, spread {:.0} engine units", model.even_score, model.spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_synthetic_counts_is_recovered() {
        let expected = WdlModel { even_score: 410.0, spread: 130.0 };
        let counts = (0..RANGES).map(|range| {
            let probabilities = expected.probabilities(((2 * range + 1) * RANGE_WIDTH / 2) as f64);
            probabilities.map(|probability| (probability * 100_000.0) as u64)
        });
        let found = WdlFit { counts: counts.collect() }.fit();
        assert!(
            (found.even_score - expected.even_score).abs() < 1.0 && (found.spread - expected.spread).abs() < 1.0,
            "{found:?}"
        );
    }
}
