//! What is in a file of games.

use super::games::{Game, GameError};
use super::samples::sample;
use crate::types::Score;
use std::fmt;

/// Upper bounds of the ranges into which scores are counted.
const RANGES: [i16; 6] = [20, 100, 300, 600, 1_200, i16::MAX];

/// Counts over games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// How many of them Red lost, drew and won.
    pub outcomes: [u64; 3],
    /// Positions.
    pub plies: u64,
    /// Positions from which something can be learned.
    pub samples: u64,
    /// Lessons by the size of their score.
    scores: [u64; RANGES.len()],
    /// Lessons by the number of men on the board, in fours.
    pieces: [u64; 8],
}

impl Statistics {
    /// Counts a game.
    ///
    /// # Errors
    /// When it does not follow the rules.
    pub fn add(&mut self, game: &Game) -> Result<(), GameError> {
        game.replay(&mut |position, ply| {
            if let Some(score) = sample(position, ply) {
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

/// The counts as lines for people; every line ends with a newline.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let [lost, drawn, won] = self.outcomes.map(|count| share(count, self.games));
        writeln!(f, "games      {:10}  Red won {won:.1} %, drew {drawn:.1} %, lost {lost:.1} %", self.games)?;
        writeln!(f, "positions  {:10}  {:.1} a game", self.plies, self.plies as f64 / self.games.max(1) as f64)?;
        let samples = share(self.samples, self.plies);
        writeln!(f, "lessons    {:10}  {samples:.1} %: searched, no check, no capture, not decided", self.samples)?;
        let mut least = 0;
        for (bound, count) in RANGES.into_iter().zip(self.scores) {
            let range = if bound == i16::MAX { format!("{least}…") } else { format!("{least}–{bound}") };
            writeln!(f, "  score ±{range:9} {:5.1} %", share(count, self.samples))?;
            least = bound.saturating_add(1);
        }
        for (fours, count) in self.pieces.into_iter().enumerate().rev() {
            let range = format!("{}–{}", 4 * fours + 1, 4 * fours + 4);
            writeln!(f, "  men {range:12} {:5.1} %", share(count, self.samples))?;
        }
        Ok(())
    }
}
