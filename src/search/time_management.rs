//! Time management: soft and hard limit of a search.

use super::limits::{Clock, Limits};
use super::tunables::Tunables;
use std::time::Duration;

/// The time limits for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// Soft limit: no new iteration starts after it. Scaled after each iteration by best-move stability, falling score
    /// and node effort.
    pub soft: Duration,
    /// Hard limit: the search is aborted within an iteration.
    pub hard: Duration,
    /// Fixed time per move: no soft limit, the search uses all of the time.
    pub is_fixed: bool,
}

/// Maximum time, about a hundred years. Longer ones are clamped, so that arithmetic cannot overflow.
const MAX_TIME: Duration = Duration::from_secs(3_000_000_000);
/// Minimum time of a search.
const MIN_TIME: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// The time limits that `limits` give; `None` without a clock or a fixed time.
    pub fn of(limits: &Limits) -> Option<TimeBudget> {
        let fixed = limits.move_time.map(|time| {
            let time = time.min(MAX_TIME).saturating_sub(limits.overhead).max(MIN_TIME);
            TimeBudget { soft: time, hard: time, is_fixed: true }
        });
        fixed.or_else(|| limits.clock.map(|clock| TimeBudget::by_clock(&clock, limits)))
    }

    /// The time limits for a clock, less the move overhead.
    ///
    /// The soft limit is a share of the time left and the increments to come. The hard limit is several times that, but
    /// at most a fixed part of the time left. Half of the time lead over the opponent is added to the time to share. The
    /// lag of the moves to come is kept in reserve.
    fn by_clock(clock: &Clock, limits: &Limits) -> TimeBudget {
        let tunables = &limits.settings.tunables;
        let moves_expected = tunables.time_moves() as u32;
        let left = clock.time.min(MAX_TIME).saturating_sub(limits.overhead).max(MIN_TIME);
        let moves = clock.moves_to_go.unwrap_or(moves_expected).max(1);
        if moves == 1 {
            // The increment is added after the move, so only the time left counts.
            return TimeBudget { soft: left.mul_f64(0.6), hard: left.mul_f64(0.95), is_fixed: false };
        }
        let lead = clock.opponent.map_or(Duration::ZERO, |opponent| left.saturating_sub(opponent));
        let moves = moves.min(moves_expected);
        let increments = clock.increment.min(MAX_TIME) * (moves - 1);
        let pool = (left + lead / 2 + increments).saturating_sub(limits.lag.min(MAX_TIME) * (moves - 1));
        let mut share = pool / moves;
        if limits.client_ponders {
            share = share * 5 / 4;
        }
        let max = left.mul_f64(if moves < 5 { 0.6 } else { percent(tunables.time_max()) }).max(MIN_TIME);
        let soft = share.mul_f64(percent(tunables.time_soft())).min(max);
        TimeBudget {
            soft,
            hard: share.mul_f64(percent(tunables.time_hard())).min(max).max(soft).max(MIN_TIME),
            is_fixed: false,
        }
    }

    /// The soft limit after an iteration. Best-move stability lowers it (`stable`: iterations since the best move
    /// changed). A falling score raises it (`drop`: loss since the iteration before, in engine units), and so does a
    /// low node effort of the best move (`share`: its part of all root nodes, from 0 to 1).
    pub(super) fn soft_for(&self, stable: u32, drop: i32, share: f64, tunables: &Tunables) -> Duration {
        // From 0, the best move has just changed, to 1, it is stable.
        let settled = f64::from([0, 8, 12, 15, 17][(stable as usize).min(4)]) / 17.0;
        let (most, least) = (percent(tunables.time_unstable()), percent(tunables.time_stable()));
        let stability = most - (most - least) * settled;
        let falling_score = 1.0 + drop.clamp(0, 100) as f64 * percent(tunables.time_falling()) / 100.0;
        // Never negative, whatever values are tried in tuning.
        let effort = (percent(tunables.time_effort()) - percent(tunables.time_effort_slope()) * share).max(0.1);
        self.soft.mul_f64(stability * falling_score * effort).min(self.hard)
    }
}

/// A percentage as a factor.
fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(time: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        let limits = Limits { overhead: Duration::from_millis(30), ..Limits::default() };
        let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
        TimeBudget::by_clock(&Clock { time, increment, moves_to_go, opponent: None }, &limits)
    }

    fn clock(seconds: u64, opponent: Option<u64>) -> Clock {
        let (time, opponent) = (Duration::from_secs(seconds), opponent.map(Duration::from_secs));
        Clock { time, increment: Duration::ZERO, moves_to_go: None, opponent }
    }

    #[test]
    fn hard_limit_leaves_the_overhead() {
        for time in [0, 1, 20, 31, 40, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(0)] {
                    let budget = budget(time, increment, moves);
                    let left = Duration::from_millis(time.saturating_sub(30)).max(MIN_TIME);
                    assert!(budget.hard <= left, "{time}+{increment}/{moves:?}: {budget:?}");
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.soft_for(0, 500, 0.0, &Tunables::default()) <= budget.hard);
                }
            }
        }
    }

    #[test]
    fn time_is_shared_among_the_moves_to_come() {
        // Seconds left, of the increment, moves to go, seconds of the opponent; milliseconds of soft and hard limit.
        for (time, increment, moves_to_go, opponent, soft, hard) in [
            (64, 0, None, None, 1_500, 8_000),
            (64, 0, Some(200), None, 1_500, 8_000),
            (64, 0, None, Some(32), 1_875, 10_000),
            (10, 1, None, None, 960, 3_500),
            (10, 1, Some(2), None, 4_125, 6_000),
            (10, 5, Some(1), None, 6_000, 9_500),
            (100, 0, Some(4), None, 18_750, 60_000),
            (100, 0, Some(5), None, 15_000, 35_000),
            (1, 60, None, None, 350, 350),
        ] {
            let increment = Duration::from_secs(increment);
            let clock = Clock { increment, moves_to_go, ..clock(time, opponent) };
            let budget = TimeBudget::by_clock(&clock, &Limits::default());
            let limits = (budget.soft.as_millis(), budget.hard.as_millis());
            assert_eq!(limits, (soft, hard), "{time} + {increment:?} for {moves_to_go:?}, {opponent:?}");
        }
    }

    #[test]
    fn soft_limit_is_scaled_by_each_factor() {
        let budget = TimeBudget { soft: Duration::from_secs(1), hard: Duration::from_millis(2_300), is_fixed: false };
        for (stable, drop, share, milliseconds) in [
            (2, 0, 0.6, 1_000),
            (0, 0, 0.6, 1_600),
            (1, 0, 0.6, 1_200),
            (4, 0, 0.6, 750),
            (99, 0, 0.6, 750),
            (2, 50, 0.6, 1_500),
            (2, 900, 0.6, 2_000),
            (2, -50, 0.6, 1_000),
            (2, 0, 0.0, 1_450),
            (2, 0, 1.0, 700),
            (0, 100, 0.0, 2_300),
        ] {
            let soft = budget.soft_for(stable, drop, share, &Tunables::default()).as_secs_f64() * 1_000.0;
            assert!((soft - f64::from(milliseconds)).abs() < 0.01, "{stable} {drop} {share}: {soft}");
        }
    }

    #[test]
    fn a_fixed_time_is_used_up_less_the_overhead() {
        let of = |milliseconds: u64| {
            let move_time = Some(Duration::from_millis(milliseconds));
            TimeBudget::of(&Limits { move_time, overhead: Duration::from_millis(30), ..Limits::default() })
        };
        let fixed = |time| Some(TimeBudget { soft: time, hard: time, is_fixed: true });
        assert_eq!(of(1_000), fixed(Duration::from_millis(970)));
        assert_eq!(of(20), fixed(MIN_TIME));
        assert_eq!(TimeBudget::of(&Limits::default()), None);
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        for time in [Duration::ZERO, Duration::MAX] {
            for increment in [Duration::ZERO, Duration::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(u32::MAX)] {
                    for (opponent, overhead) in [(None, Duration::ZERO), (Some(time), Duration::MAX)] {
                        let clock = Clock { time, increment, moves_to_go, opponent };
                        for move_time in [None, Some(time)] {
                            let limits = Limits {
                                clock: Some(clock),
                                move_time,
                                overhead,
                                client_ponders: true,
                                ..Limits::default()
                            };
                            let budget = TimeBudget::of(&limits).unwrap();
                            assert!(budget.soft <= budget.hard && budget.hard <= MAX_TIME);
                            assert!(budget.soft_for(0, i32::MAX, 0.0, &Tunables::default()) <= budget.hard);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn soft_limit_follows_node_effort_stability_and_falling_score() {
        let budget = budget(60_000, 0, None);
        let soft = |stable, drop, share| budget.soft_for(stable, drop, share, &Tunables::default());
        assert!(soft(4, 0, 0.9) < soft(4, 0, 0.3));
        assert!(soft(4, 0, 0.5) < soft(0, 0, 0.5));
        assert!(soft(4, 0, 0.5) < soft(4, 60, 0.5));
    }

    #[test]
    fn client_that_ponders_gets_a_quarter_more_time() {
        let soft = |client_ponders| {
            TimeBudget::by_clock(&clock(60, None), &Limits { client_ponders, ..Limits::default() }).soft
        };
        assert_eq!(soft(true).as_micros(), (soft(false) * 5 / 4).as_micros());
    }

    #[test]
    fn time_lead_over_the_opponent_raises_the_soft_limit() {
        let soft = |opponent| TimeBudget::by_clock(&clock(60, opponent), &Limits::default()).soft;
        assert_eq!(soft(Some(20)).as_millis(), (soft(None) * 4 / 3).as_millis());
        assert_eq!(soft(Some(60)), soft(None));
        assert_eq!(soft(Some(600)), soft(None), "less time than the opponent changes nothing");
    }

    #[test]
    fn lag_of_the_moves_to_come_is_kept_in_reserve() {
        let soft = |milliseconds| {
            let lag = Duration::from_millis(milliseconds);
            TimeBudget::by_clock(&clock(31, None), &Limits { lag, ..Limits::default() }).soft
        };
        assert_eq!(soft(500).as_millis(), soft(0).as_millis() / 2);
        assert_eq!(soft(5_000), Duration::ZERO);
    }

    #[test]
    fn more_time_left_raises_the_soft_limit() {
        assert!(budget(60_000, 0, None).soft > budget(10_000, 0, None).soft);
        assert!(budget(10_000, 500, None).soft > budget(10_000, 0, None).soft);
        assert!(budget(10_000, 0, Some(5)).soft > budget(10_000, 0, Some(20)).soft);
    }
}
