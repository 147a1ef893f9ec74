//! What a client asks of a search, and the limits that follow from it.

use super::options::Options;
use crate::search::limits::{Clock, Limits};
use crate::types::{MAX_PLY, Move};
use std::time::Duration;

/// Longest time taken seriously, three years: anything can still be added to it without overflow.
const MOST_MILLISECONDS: u64 = 100_000_000_000;

/// A `go` as it was read. Nothing set: search until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Deepest iteration in plies; 0: no search, only the static evaluation.
    pub depth: Option<u64>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Time left, in milliseconds or seconds as the options say.
    pub time: Option<u64>,
    /// Added after each move, in the same unit.
    pub increment: Option<u64>,
    /// Moves to be made in the time left.
    pub moves_to_go: Option<u64>,
    /// Whether the clock is to be ignored.
    pub infinite: bool,
    /// Whether the opponent is still to make the last move of the position.
    pub ponder: bool,
    /// Whether the opponent offers a draw.
    pub draw: bool,
    /// Words that mean nothing.
    pub unknown: Vec<String>,
}

impl Go {
    /// Whether the search ends by itself once it is not pondering.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.clocked()
    }

    fn clocked(&self) -> bool {
        self.time.is_some() && !self.infinite
    }

    /// The bounds it sets. A time with neither increment nor number of moves is for one move.
    pub fn limits(&self, options: &Options, banned: &[Move]) -> Limits {
        let unit = if options.use_milliseconds { 1 } else { 1000 };
        let duration = |count: u64| Duration::from_millis(count.saturating_mul(unit).min(MOST_MILLISECONDS));
        let clock = self.time.filter(|_| self.clocked()).map(|time| Clock {
            time: duration(time),
            increment: self.increment.map_or(Duration::ZERO, duration),
            moves_to_go: match self.moves_to_go.filter(|&moves| moves > 0) {
                Some(moves) => Some(moves.min(u32::MAX as u64) as u32),
                None => self.increment.is_none().then_some(1),
            },
        });
        Limits {
            depth: self.depth.map(|depth| depth.min(MAX_PLY as u64) as u32),
            nodes: self.nodes,
            clock,
            ponder: self.ponder,
            banned: banned.to_vec(),
            overhead: options.move_overhead,
            client_ponders: options.ponder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(go: Go, milliseconds: bool) -> Option<Clock> {
        go.limits(&Options { use_milliseconds: milliseconds, ..Options::default() }, &[]).clock
    }

    #[test]
    fn a_time_alone_is_for_one_move() {
        let go = Go { time: Some(500), ..Go::default() };
        let expected = Clock { time: Duration::from_millis(500), increment: Duration::ZERO, moves_to_go: Some(1) };
        assert_eq!(clock(go, true), Some(expected));
        let go = Go { time: Some(500), increment: Some(0), ..Go::default() };
        assert_eq!(clock(go.clone(), true), Some(Clock { moves_to_go: None, ..expected }));
        assert_eq!(clock(go, false).unwrap().time, Duration::from_secs(500));
    }

    #[test]
    fn absurd_numbers_saturate() {
        let go = Go {
            depth: Some(u64::MAX),
            time: Some(u64::MAX),
            increment: Some(u64::MAX),
            moves_to_go: Some(u64::MAX),
            ..Go::default()
        };
        for milliseconds in [true, false] {
            let clock = clock(go.clone(), milliseconds).unwrap();
            assert_eq!(clock.time, Duration::from_millis(MOST_MILLISECONDS));
            assert_eq!(clock.moves_to_go, Some(u32::MAX));
        }
        assert_eq!(go.limits(&Options::default(), &[]).depth, Some(MAX_PLY as u32));
    }

    #[test]
    fn infinite_ignores_the_clock_only() {
        let go = Go { time: Some(5), infinite: true, ..Go::default() };
        assert!(!go.is_bounded());
        assert_eq!(clock(go, true), None);
        assert!(Go { depth: Some(5), infinite: true, ..Go::default() }.is_bounded());
        assert!(!Go::default().is_bounded());
    }
}
