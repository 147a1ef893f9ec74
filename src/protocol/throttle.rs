//! Limits how often reports are written.

use crate::search::report::{Iteration, Report};
use std::time::Duration;

/// Decides which reports are written.
///
/// An iteration that ends less than 1 ms after the last one written is held back until the next one or the end of the
/// search, since the first iterations take microseconds each. Current root moves are written at most ten times a
/// second.
#[derive(Default)]
pub(super) struct Throttle {
    last_iteration: Duration,
    held: Option<Iteration>,
    last_move: Duration,
}

impl Throttle {
    const MIN_BETWEEN_ITERATIONS: Duration = Duration::from_millis(1);
    const MIN_BETWEEN_MOVES: Duration = Duration::from_millis(100);

    /// The report to write now, given a new one.
    pub(super) fn pass(&mut self, report: Report) -> Option<Report> {
        match report {
            Report::Iteration(iteration)
                if iteration.elapsed.saturating_sub(self.last_iteration) < Self::MIN_BETWEEN_ITERATIONS =>
            {
                self.held = Some(iteration);
                None
            }
            Report::Iteration(iteration) => {
                self.held = None;
                self.last_iteration = iteration.elapsed;
                Some(Report::Iteration(iteration))
            }
            Report::CurrentMove { elapsed, .. } => {
                let is_due = elapsed.saturating_sub(self.last_move) >= Self::MIN_BETWEEN_MOVES;
                is_due.then(|| {
                    self.last_move = elapsed;
                    report
                })
            }
            Report::NoMate { .. } | Report::Waiting => self.held.take().map(Report::Iteration),
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
            tb_hits: 0,
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
    fn iterations_are_at_least_a_millisecond_apart_and_the_last_is_written() {
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
    fn current_moves_are_written_ten_times_a_second() {
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
