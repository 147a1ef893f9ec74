//! Time management: whatever a client sends, a move never takes more than the clock has.

use super::walk::check;
use chuhe::engine::go::{Go, Times};
use chuhe::engine::options::Options;
use chuhe::internals::search::TimeBudget;
use chuhe::types::Color;
use proptest::prelude::*;
use std::time::Duration;

/// The least time that a search takes, even if there is none.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Numbers of every size.
fn numbers() -> impl Strategy<Value = u64> {
    (0..64u32, any::<u64>()).prop_map(|(shift, bits)| bits >> shift)
}

fn times() -> impl Strategy<Value = Times> {
    let number = || prop::option::of(numbers());
    (number(), number(), number()).prop_map(|(time, increment, moves_to_go)| Times { time, increment, moves_to_go })
}

fn goes() -> impl Strategy<Value = Go> {
    (times(), times(), times(), times(), prop::option::of(numbers())).prop_map(
        |(own, opponent, red, black, move_time)| Go { own, opponent, sides: [red, black], move_time, ..Go::default() },
    )
}

/// The time left that a `go` gives `side`, as clients mean it: UCI's of the side, else of the other, else UCCI's.
fn time_left(go: &Go, side: Color, unit: u64) -> Option<Duration> {
    let uci = go.sides[side.index()].time.or(go.sides[side.other().index()].time);
    let milliseconds = uci.or_else(|| go.own.time.map(|time| time.saturating_mul(unit)))?;
    Some(Duration::from_millis(milliseconds))
}

#[test]
fn no_move_takes_more_than_the_clock_has() {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    check(2_000, (goes(), 0..20_000u64, flags), |(go, overhead, (is_red, use_milliseconds, ponder))| {
        let move_overhead = Duration::from_millis(overhead);
        let options = Options { use_milliseconds, ponder, move_overhead: Some(move_overhead), ..Options::default() };
        let side = if is_red { Color::Red } else { Color::Black };
        let budget = TimeBudget::of(&go.limits(&options, side));
        let left = time_left(&go, side, if use_milliseconds { 1 } else { 1000 });
        let left = go.move_time.map(Duration::from_millis).or(left);
        assert_eq!(budget.is_some(), left.is_some());
        let (Some(budget), Some(left)) = (budget, left) else { return };
        assert!(budget.hard <= left.saturating_sub(move_overhead).max(MIN_TIME), "{budget:?} of {left:?}");
        assert!(MIN_TIME.min(budget.hard) <= budget.hard && budget.soft <= budget.hard, "{budget:?}");
        assert_eq!(budget.is_fixed, go.move_time.is_some());
    });
}

/// A game in which every move takes its hard limit and the overhead: the clock is never over, as long as it has more than
/// the overhead and a millisecond.
#[test]
fn a_game_of_hard_limits_is_never_over_time() {
    let control = (1..10_000_000u64, 0..60_000u64, prop::option::of(1..60u64), 0..1_000u64);
    check(200, (control, any::<bool>()), |((time, increment, period, overhead), ponder)| {
        let move_overhead = Some(Duration::from_millis(overhead));
        let options = Options { use_milliseconds: true, ponder, move_overhead, ..Options::default() };
        let mut left = time;
        let mut moves_to_go = period;
        for _ in 0..200 {
            if left <= overhead + 1 {
                break;
            }
            let own = Times { time: Some(left), increment: Some(increment), moves_to_go };
            let budget = TimeBudget::of(&Go { own, ..Go::default() }.limits(&options, Color::Red)).unwrap();
            let spent = budget.hard.as_micros().div_ceil(1000) as u64 + overhead;
            assert!(spent <= left, "{budget:?} and {overhead} ms of {left}");
            left = left - spent + increment;
            moves_to_go = moves_to_go.map(|moves| moves - 1);
            if moves_to_go == Some(0) {
                (moves_to_go, left) = (period, left + time);
            }
        }
    });
}
