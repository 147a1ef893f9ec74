//! The error of a network against scored positions, by the number of pieces and by the score.

use super::loss::Loss;
use super::samples::{Sample, target_score};
use super::training_games::{GameError, TrainingGame};
use crate::eval::network::{Network, OUTPUT_BUCKETS};
use crate::types::Score;
use std::fmt;
use std::sync::Arc;

/// The losses by which errors are measured.
const YARDSTICKS: [Loss; 2] = [Loss::Logistic(400.0), Loss::WinDrawLoss];
/// Zones of the absolute score, in engine units: their upper bounds and their names.
const ZONES: [(Score, &str); 3] = [(299, "< 300"), (600, "300–600"), (Score::MAX, "> 600")];

/// Squared errors of the expected score, by each of [`YARDSTICKS`], of some positions.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    positions: u64,
    sums: [Sums; YARDSTICKS.len()],
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    error: f64,
    /// Of the difference to the other network's error, and of its square.
    difference: f64,
    squared_difference: f64,
}

impl Errors {
    fn add(&mut self, errors: &[[f64; 2]; YARDSTICKS.len()]) {
        self.positions += 1;
        for (sums, &[own, other]) in self.sums.iter_mut().zip(errors) {
            sums.error += own;
            sums.difference += own - other;
            sums.squared_difference += (own - other).powi(2);
        }
    }

    /// By each yardstick the mean error, the mean difference to the other network's, and two standard errors of that.
    fn means(&self) -> [[f64; 3]; YARDSTICKS.len()] {
        let positions = self.positions.max(1) as f64;
        self.sums.map(|sums| {
            let difference = sums.difference / positions;
            let variance = (sums.squared_difference / positions - difference * difference).max(0.0);
            [sums.error / positions, difference, 2.0 * (variance / positions).sqrt()]
        })
    }
}

/// The error of a network, and how it differs from another's on the same positions.
#[derive(Clone, Debug)]
pub(crate) struct Validation {
    network: Arc<Network>,
    against: Option<Arc<Network>>,
    buckets: [Errors; OUTPUT_BUCKETS],
    /// The fewest and the most pieces of each bucket.
    pieces: [Option<(usize, usize)>; OUTPUT_BUCKETS],
    zones: [Errors; ZONES.len()],
    all: Errors,
}

impl Validation {
    /// Without positions.
    pub(crate) fn new(network: Arc<Network>, against: Option<Arc<Network>>) -> Validation {
        Validation {
            network,
            against,
            buckets: Default::default(),
            pieces: Default::default(),
            zones: Default::default(),
            all: Errors::default(),
        }
    }

    /// Adds the positions of a game that are fit for training samples.
    ///
    /// # Errors
    /// When a move of the game is not legal.
    pub(crate) fn add(&mut self, game: &TrainingGame) -> Result<(), GameError> {
        game.replay(&mut |position, ply| {
            let Some(score) = target_score(position, ply) else { return };
            let sample = Sample::new(position, 0.0, None);
            let inputs = sample.inputs();
            let own = inputs.static_score(&self.network);
            let other = self.against.as_ref().map_or(own, |network| inputs.static_score(network));
            let errors = YARDSTICKS.map(|loss| {
                let of = |score: Score| f64::from(loss.expectation(score as f32).0);
                [own, other].map(|found| (of(found) - of(score)).powi(2))
            });
            let (bucket, pieces) = (inputs.output_bucket(), sample.pieces());
            let (fewest, most) = self.pieces[bucket].unwrap_or((pieces, pieces));
            self.pieces[bucket] = Some((fewest.min(pieces), most.max(pieces)));
            let zone = ZONES.iter().position(|&(bound, _)| score.abs() <= bound);
            let zone = zone.expect("invariant: the last bound is the greatest score");
            for group in [&mut self.buckets[bucket], &mut self.zones[zone], &mut self.all] {
                group.add(&errors);
            }
        })
        .map(|_| ())
    }

    /// Number of positions.
    pub(crate) fn positions(&self) -> u64 {
        self.all.positions
    }
}

/// The errors as a table, at most 80 columns wide; every line ends with a newline.
impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, error, difference) =
            if self.against.is_some() { (31, 9, "   difference ± 2 s.e.") } else { (14, 14, "") };
        write!(f, "{:18}", "")?;
        YARDSTICKS.iter().try_for_each(|loss| write!(f, "{:>width$}", loss.to_string()))?;
        write!(f, "\n{:8}{:>10}", "pieces", "positions")?;
        YARDSTICKS.iter().try_for_each(|_| write!(f, "{:>error$}{difference}", "error"))?;
        writeln!(f)?;
        for (&pieces, errors) in self.pieces.iter().zip(&self.buckets).rev() {
            if let Some((fewest, most)) = pieces {
                self.line(f, &format!("{fewest}–{most}"), errors)?;
            }
        }
        writeln!(f, "|score|")?;
        ZONES.iter().zip(&self.zones).try_for_each(|((_, name), errors)| self.line(f, name, errors))?;
        self.line(f, "all", &self.all)
    }
}

impl Validation {
    /// A line of the table.
    fn line(&self, f: &mut fmt::Formatter<'_>, name: &str, errors: &Errors) -> fmt::Result {
        write!(f, "{name:8}{:10}", errors.positions)?;
        for [error, difference, two_errors] in errors.means() {
            match self.against {
                Some(_) => write!(f, "{error:9.5} {difference:+10.6} ± {two_errors:.6}")?,
                None => write!(f, "{error:14.5}")?,
            }
        }
        writeln!(f)
    }
}
