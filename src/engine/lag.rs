//! Lag: time that the client's clock takes from the engine beyond what its searches took, because of the client, the
//! pipe between them, or a machine that is busy with other programs. It is learned from the clocks of one `go` and the
//! next; of times for one move, from how late their searches ended.

use crate::search::limits::{Clock, Limits};
use crate::search::report::StopReason;
use crate::search::time_management::TimeBudget;
use std::time::Duration;

/// Greatest lag learned from one move. More is a clock that was set anew.
const MAX_LAG: Duration = Duration::from_millis(100);
/// The most that is kept back of a time for one move.
const MAX_LATE: Duration = Duration::from_millis(30);
/// The reserve on the clock, in peaks of the lag. On a busy machine the next one may be longer than any before.
const PEAKS_IN_RESERVE: u32 = 3;

/// The lag learned so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lag {
    /// The clock that the next `go` would give without lag, if it continues the game.
    expected: Option<Clock>,
    /// Mean, of which the latest move is an eighth.
    mean: Duration,
    /// Greatest lag of late: it falls by an eighth with each move.
    peak: Duration,
    /// The same of searches with a time for one move: by how much they exceeded it.
    late: Duration,
}

impl Lag {
    /// Notes what a search took, and why it ended.
    pub(super) fn search_took(&mut self, limits: &Limits, spent: Duration, stop_reason: StopReason) {
        self.expected = limits.clock.map(|clock| {
            let time = clock.time.saturating_sub(spent).saturating_add(clock.increment);
            Clock { time, ..clock }
        });
        let budget = TimeBudget::of(limits).filter(|budget| budget.is_fixed && stop_reason == StopReason::Time);
        if let Some(budget) = budget {
            self.late = spent.saturating_sub(budget.hard).min(MAX_LATE).max(self.late * 7 / 8);
        }
    }

    /// Learns from the clock of a new search.
    pub(super) fn learn(&mut self, clock: &Clock) {
        let Some(expected) = self.expected.take().filter(|expected| expected.increment == clock.increment) else {
            return;
        };
        let lag = expected.time.saturating_sub(clock.time).min(MAX_LAG);
        self.mean = (self.mean * 7 + lag) / 8;
        self.peak = lag.max(self.peak * 7 / 8);
    }

    /// Adds the lag to the limits of a search. Of a time for one move at least half is left.
    pub(super) fn add_to(&self, limits: &mut Limits) {
        let lag = match (limits.move_time, limits.clock) {
            (Some(time), _) => self.late.min(time / 2),
            (None, Some(_)) => self.peak * PEAKS_IN_RESERVE,
            (None, None) => return,
        };
        limits.overhead = limits.overhead.saturating_add(lag);
        limits.lag = self.mean;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(milliseconds: u32) -> Clock {
        Clock { time: MS * milliseconds, increment: MS * 10, moves_to_go: None, opponent: None }
    }

    fn by_clock(clock: Clock) -> Limits {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// The overhead (without an overhead of the options) and the lag after these clocks, each search taking 20 ms.
    fn learned(clocks: &[u32]) -> (Duration, Duration) {
        let mut lag = Lag::default();
        for &time in clocks {
            lag.learn(&clock(time));
            lag.search_took(&by_clock(clock(time)), MS * 20, StopReason::Time);
        }
        let mut limits = by_clock(clock(1_000));
        lag.add_to(&mut limits);
        (limits.overhead, limits.lag)
    }

    #[test]
    fn first_search_has_none() {
        assert_eq!(learned(&[1_000]), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn lag_is_what_the_clock_lost_beyond_the_search() {
        assert_eq!(learned(&[1_000, 990]), (Duration::ZERO, Duration::ZERO));
        assert_eq!(learned(&[1_000, 982]), (MS * 24, MS));
        assert_eq!(learned(&[1_000, 982, 972]), (MS * 21, MS * 7 / 8));
    }

    #[test]
    fn clock_set_anew_is_no_great_lag() {
        assert_eq!(learned(&[1_000, 5_000]), (Duration::ZERO, Duration::ZERO));
        assert_eq!(learned(&[60_000, 1_000]), (MAX_LAG * PEAKS_IN_RESERVE, MAX_LAG / 8));
    }

    #[test]
    fn other_increments_are_another_game() {
        let mut lag = Lag::default();
        lag.search_took(&by_clock(clock(1_000)), MS, StopReason::Time);
        lag.learn(&Clock { increment: MS * 20, ..clock(100) });
        let mut limits = by_clock(clock(1_000));
        lag.add_to(&mut limits);
        assert_eq!(limits.overhead, Duration::ZERO);
    }

    #[test]
    fn of_a_time_for_one_move_is_kept_back_by_how_much_the_searches_exceed_it() {
        let limits = |time| Limits { move_time: Some(MS * time), ..Limits::default() };
        let mut lag = Lag::default();
        let mut kept = |spent: u32, stop_reason| {
            lag.search_took(&limits(100), MS * spent, stop_reason);
            [100, 10].map(|time| {
                let mut limits = limits(time);
                lag.add_to(&mut limits);
                limits.overhead
            })
        };
        assert_eq!(kept(90, StopReason::Mate), [Duration::ZERO; 2]);
        assert_eq!(kept(108, StopReason::Time), [MS * 8, MS * 5]);
        assert_eq!(kept(100, StopReason::Time), [MS * 7, MS * 5]);
        assert_eq!(kept(900, StopReason::Stop), [MS * 7, MS * 5], "the client was late");
        assert_eq!(kept(900, StopReason::Time), [MAX_LATE, MS * 5]);
    }
}
