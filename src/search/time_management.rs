//! How long to think.

use super::limits::{Clock, Limits};
use std::time::Duration;

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// What a move usually takes: [`TimeBudget::soft_for`] scales it.
    pub soft: Duration,
    /// The search is broken off at this.
    pub hard: Duration,
    /// Fixed time per move: the search uses all of it.
    pub is_fixed: bool,
}

/// Longest time that is distinguished, a hundred years: longer ones are clamped, so that arithmetic cannot overflow.
const MAX_TIME: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Shortest time of a search.
const MIN_TIME: Duration = Duration::from_millis(1);
/// Expected number of own moves until the end of the game.
const MOVES_EXPECTED: u32 = 32;

impl TimeBudget {
    /// The time to spend, if `limits` set any.
    pub fn of(limits: &Limits) -> Option<TimeBudget> {
        let whole = limits.move_time.map(|time| {
            let time = time.min(MAX_TIME).saturating_sub(limits.overhead).max(MIN_TIME);
            TimeBudget { soft: time, hard: time, is_fixed: true }
        });
        whole.or_else(|| limits.clock.map(|clock| TimeBudget::by_clock(&clock, limits)))
    }

    /// The time to spend by a player's clock, of which `limits.overhead` is kept back for the way of the answer.
    ///
    /// With the rest of the game to play, a share of what is left and most of the increment; the hard bound lets a
    /// move that is in trouble take several times as much, but never more than a good part of the clock. What the
    /// opponent has spent more so far was not needed to keep up: half of it counts as time left once more.
    fn by_clock(clock: &Clock, limits: &Limits) -> TimeBudget {
        let left = clock.time.min(MAX_TIME).saturating_sub(limits.overhead).max(MIN_TIME);
        let moves = clock.moves_to_go.unwrap_or(MOVES_EXPECTED).max(1);
        if moves == 1 {
            // The increment comes after the move: only what is left counts.
            return TimeBudget { soft: left.mul_f64(0.6), hard: left.mul_f64(0.95), is_fixed: false };
        }
        let lead = clock.opponent.map_or(Duration::ZERO, |opponent| left.saturating_sub(opponent));
        let pool = left + lead / 2 + clock.increment.min(MAX_TIME) * (moves.min(MOVES_EXPECTED) - 1);
        let mut share = pool / moves.min(MOVES_EXPECTED);
        if limits.client_ponders {
            share = share * 5 / 4;
        }
        let most = left.mul_f64(if moves < 5 { 0.6 } else { 0.35 }).max(MIN_TIME);
        let soft = share.mul_f64(0.75).min(most);
        TimeBudget { soft, hard: (share * 4).min(most).max(soft), is_fixed: false }
    }

    /// The soft bound when the best move has been the same for `stable` iterations, the score has fallen by `drop` engine
    /// units, and a `share` of all nodes went into the best move: a settled move needs less time, one in trouble, or with
    /// rivals that were hard to refute, more.
    pub(super) fn soft_for(&self, stable: u32, drop: i32, share: f64) -> Duration {
        let settled = [1.6, 1.2, 1.0, 0.85, 0.75][(stable as usize).min(4)];
        let trouble = 1.0 + (drop.clamp(0, 100) as f64) / 100.0;
        let rivals = 1.45 - 0.75 * share;
        self.soft.mul_f64(settled * trouble * rivals).min(self.hard)
    }
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
    fn the_hard_bound_leaves_the_overhead() {
        for time in [0, 1, 20, 31, 40, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(0)] {
                    let budget = budget(time, increment, moves);
                    let left = Duration::from_millis(time.saturating_sub(30)).max(MIN_TIME);
                    assert!(budget.hard <= left, "{time}+{increment}/{moves:?}: {budget:?}");
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.soft_for(0, 500, 0.0) <= budget.hard);
                }
            }
        }
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
                            assert!(budget.soft_for(0, i32::MAX, 0.0) <= budget.hard);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rivals_take_time_and_a_settled_move_leaves_it() {
        let budget = budget(60_000, 0, None);
        assert!(budget.soft_for(4, 0, 0.9) < budget.soft_for(4, 0, 0.3));
        assert!(budget.soft_for(4, 0, 0.5) < budget.soft_for(0, 0, 0.5));
        assert!(budget.soft_for(4, 0, 0.5) < budget.soft_for(4, 60, 0.5));
    }

    #[test]
    fn who_may_ponder_thinks_a_quarter_longer() {
        let soft = |client_ponders| {
            TimeBudget::by_clock(&clock(60, None), &Limits { client_ponders, ..Limits::default() }).soft
        };
        assert_eq!(soft(true).as_micros(), (soft(false) * 5 / 4).as_micros());
    }

    #[test]
    fn who_has_more_time_than_the_opponent_spends_some_of_it() {
        let soft = |opponent| TimeBudget::by_clock(&clock(60, opponent), &Limits::default()).soft;
        assert_eq!(soft(Some(20)).as_millis(), (soft(None) * 4 / 3).as_millis());
        assert_eq!(soft(Some(60)), soft(None));
        assert_eq!(soft(Some(600)), soft(None), "less is no reason for haste");
    }

    #[test]
    fn more_clock_gives_more_time() {
        assert!(budget(60_000, 0, None).soft > budget(10_000, 0, None).soft);
        assert!(budget(10_000, 500, None).soft > budget(10_000, 0, None).soft);
        assert!(budget(10_000, 0, Some(5)).soft > budget(10_000, 0, Some(20)).soft);
    }
}
