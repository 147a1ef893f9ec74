//! Statistics of files of games.

use super::samples::target_score;
use super::training_games::{GameError, TrainingGame};
use crate::types::Score;
use std::fmt;

/// Upper bounds of the ranges of absolute scores.
const RANGES: [i16; 6] = [20, 100, 300, 600, 1_200, i16::MAX];

/// Counts over games and their training samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Statistics {
    /// Number of games.
    pub games: u64,
    /// Games by outcome: Red's losses, draws and wins.
    pub outcomes: [u64; 3],
    /// Number of positions.
    pub plies: u64,
    /// Number of training samples.
    pub samples: u64,
    /// Samples by range of the absolute score.
    scores: [u64; RANGES.len()],
    /// Samples by number of pieces on the board, four numbers each.
    pieces: [u64; 8],
}

impl Statistics {
    /// Counts a game.
    ///
    /// # Errors
    /// When a move is not legal.
    pub(crate) fn add(&mut self, game: &TrainingGame) -> Result<(), GameError> {
        game.replay(&mut |position, ply| {
            if let Some(score) = target_score(position, ply) {
                self.samples += 1;
                let range = RANGES.iter().position(|&bound| score.abs() <= Score::from(bound));
                self.scores[range.expect("invariant: the last bound is the greatest score")] += 1;
                self.pieces[(position.pieces().count() - 1) / 4] += 1;
            }
        })?;
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.plies += game.plies.len() as u64;
        Ok(())
    }
}

/// The counts as a table; every line ends with a newline.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let [losses, draws, wins] = self.outcomes.map(|count| share(count, self.games));
        writeln!(f, "games      {:10}  Red: {wins:.1} % wins, {draws:.1} % draws, {losses:.1} % losses", self.games)?;
        writeln!(f, "positions  {:10}  {:.1} per game", self.plies, self.plies as f64 / self.games.max(1) as f64)?;
        let samples = share(self.samples, self.plies);
        writeln!(f, "samples    {:10}  {samples:.1} % of the positions: searched, quiet, no near mate", self.samples)?;
        let mut from = 0;
        for (bound, count) in RANGES.into_iter().zip(self.scores) {
            let range = if bound == i16::MAX { format!("{from}…") } else { format!("{from}–{bound}") };
            writeln!(f, "  score ±{range:9} {:5.1} %", share(count, self.samples))?;
            from = bound.saturating_add(1);
        }
        for (fours, count) in self.pieces.into_iter().enumerate().rev() {
            let range = format!("{}–{}", 4 * fours + 1, 4 * fours + 4);
            writeln!(f, "  pieces {range:9} {:5.1} %", share(count, self.samples))?;
        }
        Ok(())
    }
}
