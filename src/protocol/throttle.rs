//! Keeps reports apart: a flood of lines helps nobody.

use crate::search::report::{Iteration, Report};
use std::time::Duration;

/// Decides which reports are shown, and when.
///
/// An iteration less than a millisecond after the last one shown is held back, until the next one or the end: the first
/// iterations take microseconds, and each would be a line. Of the root moves being searched at most ten a second are
/// shown.
#[derive(Default)]
pub struct Throttle {
    shown: Duration,
    held: Option<Iteration>,
    move_shown: Duration,
}

impl Throttle {
    const LEAST: Duration = Duration::from_millis(1);
    const LEAST_BETWEEN_MOVES: Duration = Duration::from_millis(100);

    /// What is to be shown now, given a new report.
    pub fn pass(&mut self, report: Report) -> Option<Report> {
        match report {
            Report::Iteration(iteration) if iteration.elapsed.saturating_sub(self.shown) < Self::LEAST => {
                self.held = Some(iteration);
                None
            }
            Report::Iteration(iteration) => {
                self.held = None;
                self.shown = iteration.elapsed;
                Some(Report::Iteration(iteration))
            }
            Report::CurrentMove { elapsed, .. } => {
                let is_due = elapsed.saturating_sub(self.move_shown) >= Self::LEAST_BETWEEN_MOVES;
                is_due.then(|| {
                    self.move_shown = elapsed;
                    report
                })
            }
            Report::Waiting => self.held.take().map(Report::Iteration),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(depth: u32, microseconds: u64) -> Report {
        Report::Iteration(Iteration {
            selective_depth: depth,
            lines: vec![],
            nodes: 0,
            elapsed: Duration::from_micros(microseconds),
            hashfull: 0,
        })
    }

    fn depth(report: Option<Report>) -> Option<u32> {
        match report {
            Some(Report::Iteration(iteration)) => Some(iteration.selective_depth),
            _ => None,
        }
    }

    #[test]
    fn iterations_are_kept_apart_and_the_last_is_never_lost() {
        let mut throttle = Throttle::default();
        assert_eq!(depth(throttle.pass(iteration(1, 20))), None);
        assert_eq!(depth(throttle.pass(iteration(2, 900))), None);
        assert_eq!(depth(throttle.pass(iteration(3, 1100))), Some(3));
        assert_eq!(depth(throttle.pass(Report::Waiting)), None);
        assert_eq!(depth(throttle.pass(iteration(4, 1200))), None);
        assert_eq!(depth(throttle.pass(Report::Waiting)), Some(4));
        assert_eq!(depth(throttle.pass(Report::Waiting)), None);
    }

    #[test]
    fn moves_do_not_flood() {
        let mut throttle = Throttle::default();
        let current = |milliseconds| Report::CurrentMove {
            mv: "h2e2".parse().unwrap(),
            number: 1,
            elapsed: Duration::from_millis(milliseconds),
        };
        let shown = [3000, 3001, 3099, 3100, 3150, 3200].map(|time| throttle.pass(current(time)).is_some());
        assert_eq!(shown, [true, false, false, true, false, true]);
    }
}
