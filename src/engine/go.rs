//! The arguments of `go`, and the search limits that follow.
//!
//! To add a word: a field of [`Go`]; its reading in `protocol/parse.rs` (`go` and `target`); what it limits in
//! [`Go::limits`], or, if it depends on the position, in `Engine::plan` (`search.rs`); the help in `protocol/console.rs`; a
//! conversation in `tests/conversations`.

use super::options::Options;
use crate::search::limits::{Clock, Limits};
use crate::types::{Color, MAX_PLY};
use std::time::Duration;

/// Maximum time, three years: sums of such times do not overflow.
const MAX_MILLISECONDS: u64 = 100_000_000_000;

/// What is kept back of the clock for the client and the pipe, unless `moveoverhead` is set: who is late loses.
const CLOCK_OVERHEAD: Duration = Duration::from_millis(30);
/// What is kept back of a time for one move, which clients mean literally: the answer needs a moment to reach them.
const MOVE_TIME_OVERHEAD: Duration = Duration::from_millis(1);

/// A player's clock, in the unit of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Time left.
    pub time: Option<u64>,
    /// Increment per move.
    pub increment: Option<u64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u64>,
}

/// The arguments of `go`. With none set: search until `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Maximum depth in plies; 0: static evaluation without a search.
    pub depth: Option<u64>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Mate search: maximum number of moves to mate.
    pub mate: Option<u64>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// UCCI: clock of the side to move, in milliseconds or seconds (`usemillisec`).
    pub own: Times,
    /// UCCI: the opponent's clock, of which only the time left is used.
    pub opponent: Times,
    /// UCI: clocks of Red and Black, in milliseconds. `movestogo` is in `own`, as it is the same for both.
    pub sides: [Times; 2],
    /// Whether to ignore the clock.
    pub infinite: bool,
    /// UCI's `infinite`: no `bestmove` before `stop`, even if the search has finished.
    pub waits_for_stop: bool,
    /// Whether to ponder: the last move of the position is the expected one, not yet played.
    pub ponder: bool,
    /// Whether the opponent offers a draw.
    pub draw: bool,
    /// Root moves to search; empty: all.
    pub search_moves: Vec<String>,
    /// Unknown words.
    pub unknown: Vec<String>,
}

impl Go {
    /// Whether the search ends by itself when not pondering. A depth of [`MAX_PLY`] or more is no bound.
    pub fn is_bounded(&self) -> bool {
        !self.waits_for_stop && self.has_bound()
    }

    fn has_bound(&self) -> bool {
        self.depth.is_some_and(|depth| depth < MAX_PLY as u64)
            || self.nodes.is_some()
            || self.mate.is_some()
            || !self.infinite && (self.move_time.is_some() || self.has_clock())
    }

    /// Whether nothing bounds the search but words that were not understood: `go depth abc` is no `go infinite`.
    pub fn is_garbled(&self) -> bool {
        !self.unknown.is_empty() && !self.has_bound() && !self.infinite && !self.ponder
    }

    fn has_clock(&self) -> bool {
        self.own.time.is_some() || self.sides.iter().any(|times| times.time.is_some())
    }

    /// The search limits for `side`, without those that depend on the position.
    pub fn limits(&self, options: &Options, side: Color) -> Limits {
        let clock = self.clock(options, side).filter(|_| !self.infinite);
        // A mate in N takes 2N-1 plies; mate by stalemate is detected one ply later.
        let mate_depth = self.mate.map(|moves| moves.saturating_mul(2).max(2));
        let depth = [self.depth, mate_depth].into_iter().flatten().min();
        let overhead = if self.move_time.is_some() { MOVE_TIME_OVERHEAD } else { CLOCK_OVERHEAD };
        Limits {
            depth: depth.map(|depth| depth.min(MAX_PLY as u64) as u32),
            nodes: self.nodes,
            clock,
            move_time: self.move_time.filter(|_| !self.infinite).map(milliseconds),
            mate: self.mate.map(|moves| moves.min(MAX_PLY as u64) as u32),
            waits: self.waits_for_stop,
            ponder: self.ponder,
            overhead: options.move_overhead.unwrap_or(overhead),
            client_ponders: options.ponder,
            ..Limits::default()
        }
    }

    /// The clock of `side`. A UCCI time without increment and number of moves is for one move.
    fn clock(&self, options: &Options, side: Color) -> Option<Clock> {
        let moves_to_go =
            self.own.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(u32::MAX as u64) as u32);
        // If only the opponent's clock is given, use it: the client has probably swapped the sides.
        let sides = [self.sides[side.index()], self.sides[side.other().index()]];
        if let Some((time, times)) = sides.into_iter().find_map(|times| Some((times.time?, times))) {
            let increment = times.increment.map_or(Duration::ZERO, milliseconds);
            let opponent = sides[1].time.map(milliseconds);
            return Some(Clock { time: milliseconds(time), increment, moves_to_go, opponent });
        }
        let unit = if options.use_milliseconds { 1 } else { 1000 };
        let duration = |count: u64| milliseconds(count.saturating_mul(unit));
        self.own.time.map(|time| Clock {
            time: duration(time),
            increment: self.own.increment.map_or(Duration::ZERO, duration),
            moves_to_go: moves_to_go.or_else(|| self.own.increment.is_none().then_some(1)),
            opponent: self.opponent.time.map(duration),
        })
    }
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(MAX_MILLISECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(go: Go, use_milliseconds: bool) -> Limits {
        go.limits(&Options { use_milliseconds, ..Options::default() }, Color::Red)
    }

    fn ucci(time: u64, increment: Option<u64>, moves_to_go: Option<u64>) -> Go {
        Go { own: Times { time: Some(time), increment, moves_to_go }, ..Go::default() }
    }

    #[test]
    fn ucci_time_without_increment_is_for_one_move() {
        let (time, increment) = (Duration::from_millis(500), Duration::ZERO);
        let expected = Clock { time, increment, moves_to_go: Some(1), opponent: None };
        assert_eq!(limits(ucci(500, None, None), true).clock, Some(expected));
        let go = ucci(500, Some(0), None);
        assert_eq!(limits(go.clone(), true).clock, Some(Clock { moves_to_go: None, ..expected }));
        assert_eq!(limits(go, false).clock.unwrap().time, Duration::from_secs(500));
    }

    #[test]
    fn opponent_clock_has_the_same_unit() {
        let opponent = Times { time: Some(7), ..Times::default() };
        let go = Go { opponent, ..ucci(9, Some(1), None) };
        assert_eq!(limits(go.clone(), true).clock.unwrap().opponent, Some(Duration::from_millis(7)));
        assert_eq!(limits(go, false).clock.unwrap().opponent, Some(Duration::from_secs(7)));
    }

    #[test]
    fn uci_clocks_are_assigned_by_side() {
        let side = |time| Times { time: Some(time), increment: Some(time / 10), moves_to_go: None };
        let own = Times { moves_to_go: Some(9), ..Times::default() };
        let go = Go { sides: [side(1000), side(2000)], own, ..Go::default() };
        for use_milliseconds in [true, false] {
            let options = Options { use_milliseconds, ..Options::default() };
            for (side, time, opponent) in [(Color::Red, 1000, 2000), (Color::Black, 2000, 1000)] {
                let clock = go.limits(&options, side).clock.unwrap();
                assert_eq!(clock.time, Duration::from_millis(time));
                assert_eq!(clock.increment, Duration::from_millis(time / 10));
                assert_eq!(clock.moves_to_go, Some(9));
                assert_eq!(clock.opponent, Some(Duration::from_millis(opponent)));
            }
        }
        let only_red =
            Go { sides: [Times { time: Some(1000), ..Times::default() }, Times::default()], ..Go::default() };
        let clock = only_red.limits(&Options::default(), Color::Black).clock.unwrap();
        assert_eq!((clock.time.as_millis(), clock.moves_to_go), (1000, None), "for the rest of the game");
    }

    #[test]
    fn huge_numbers_saturate() {
        let max = Some(u64::MAX);
        let go = Go { depth: max, mate: max, move_time: max, ..ucci(u64::MAX, max, max) };
        for use_milliseconds in [true, false] {
            let limits = limits(go.clone(), use_milliseconds);
            let clock = limits.clock.unwrap();
            assert_eq!(clock.time, Duration::from_millis(MAX_MILLISECONDS));
            assert_eq!(clock.moves_to_go, Some(u32::MAX));
            assert_eq!((limits.depth, limits.mate), (Some(MAX_PLY as u32), Some(MAX_PLY as u32)));
        }
        assert_eq!(limits(Go { mate: Some(0), ..Go::default() }, true).depth, Some(2));
    }

    #[test]
    fn each_limit_is_a_bound() {
        let time = |time| Times { time: Some(time), ..Times::default() };
        let sides = [Times::default(), time(5)];
        for go in [
            Go { depth: Some(MAX_PLY as u64 - 1), ..Go::default() },
            Go { nodes: Some(1), ..Go::default() },
            Go { mate: Some(1), ..Go::default() },
            Go { move_time: Some(1), ..Go::default() },
            Go { own: time(5), ..Go::default() },
            Go { sides, ..Go::default() },
        ] {
            assert!(go.is_bounded(), "{go:?}");
            assert!(!Go { waits_for_stop: true, ..go.clone() }.is_bounded(), "{go:?}");
            let is_time = go.move_time.is_some() || go.has_clock();
            assert_eq!(Go { infinite: true, ..go.clone() }.is_bounded(), !is_time, "{go:?}");
        }
    }

    #[test]
    fn words_not_understood_are_garbled_if_nothing_else_bounds_the_search() {
        let garbled = Go { unknown: vec!["depht".into()], ..Go::default() };
        assert!(garbled.is_garbled());
        assert!(!Go::default().is_garbled(), "a plain go");
        for go in [
            Go { depth: Some(5), ..garbled.clone() },
            Go { infinite: true, ..garbled.clone() },
            Go { ponder: true, ..garbled.clone() },
            ucci(5, None, None),
        ] {
            assert!(!go.is_garbled(), "{go:?}");
        }
    }

    #[test]
    fn limits_are_those_of_the_words() {
        let options = Options { move_overhead: Some(Duration::from_millis(7)), ponder: true, ..Options::default() };
        let go = Go { nodes: Some(9), mate: Some(3), move_time: Some(8), ponder: true, ..Go::default() };
        let limits = go.limits(&options, Color::Red);
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(6), Some(9), Some(3)));
        assert_eq!((limits.move_time, limits.overhead), (Some(Duration::from_millis(8)), Duration::from_millis(7)));
        assert!(limits.ponder && limits.client_ponders && !limits.waits);
        assert_eq!(Go { depth: Some(4), ..go.clone() }.limits(&options, Color::Red).depth, Some(4));
        let endless = Go { infinite: true, waits_for_stop: true, ..go };
        assert_eq!(endless.limits(&options, Color::Red).move_time, None);
        assert!(endless.limits(&options, Color::Red).waits);
        // No moves to go are as good as none given.
        let control = Go { own: Times { time: Some(5), increment: Some(0), moves_to_go: Some(0) }, ..Go::default() };
        assert_eq!(control.limits(&options, Color::Red).clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn a_time_for_one_move_is_meant_literally_unless_the_overhead_is_set() {
        let overhead = |go: Go, move_overhead| {
            go.limits(&Options { move_overhead, ..Options::default() }, Color::Red).overhead.as_millis()
        };
        let fixed = Go { move_time: Some(100), ..Go::default() };
        let zero = Some(Duration::ZERO);
        assert_eq!([overhead(fixed.clone(), None), overhead(ucci(100, None, None), None)], [1, 30]);
        assert_eq!([overhead(fixed.clone(), zero), overhead(ucci(100, None, None), zero)], [0, 0]);
        assert_eq!(overhead(fixed, Some(Duration::from_millis(30))), 30);
    }

    #[test]
    fn infinite_ignores_the_clock_only() {
        let go = Go { infinite: true, ..ucci(5, None, None) };
        assert!(!go.is_bounded());
        assert_eq!(limits(go, true).clock, None);
        assert!(Go { depth: Some(5), infinite: true, ..Go::default() }.is_bounded());
        assert!(!Go::default().is_bounded());
        assert!(!Go { depth: Some(5), infinite: true, waits_for_stop: true, ..Go::default() }.is_bounded());
        assert!(!Go { depth: Some(MAX_PLY as u64), ..Go::default() }.is_bounded(), "the maximum depth is no bound");
    }
}
