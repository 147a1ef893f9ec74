//! What limits the thinking of an engine in a match.

use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// The limit of an engine's thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// A clock.
    Clock {
        /// Time at the start, and again after `moves` moves.
        base: Duration,
        /// Added after each own move.
        increment: Duration,
        /// Moves of a time control; 0: the rest of the game.
        moves: u32,
    },
    /// Time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Depth of each search, in plies.
    Depth(u32),
}

/// A text is no limit: its key and the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected tc=[MOVES/]SECONDS[+INCREMENT], st=SECONDS, movetime=MS, nodes=N or depth=N, found {0}={1}")]
pub(crate) struct LimitError(String, String);

/// Longest time of a limit, in seconds.
const MAX_SECONDS: f64 = 1e6;

impl Limit {
    /// Reads the value of a key, as cutechess-cli has them: `tc=40/60+0.5` (also `tc=1:30`, in minutes and
    /// seconds), `st=1.5`, `movetime=1500`, `nodes=20000`, `depth=8`. `None` for any other key.
    ///
    /// # Errors
    /// When the value is no limit.
    pub(crate) fn read(key: &str, value: &str) -> Option<Result<Limit, LimitError>> {
        let limit = match key {
            "tc" => read_clock(value),
            "st" => value.parse().ok().and_then(move_time),
            "movetime" => value.parse().ok().and_then(|ms: u32| move_time(f64::from(ms) / 1000.0)),
            "nodes" => value.parse().ok().filter(|&nodes| nodes > 0).map(Limit::Nodes),
            "depth" => value.parse().ok().filter(|&depth| depth > 0).map(Limit::Depth),
            _ => return None,
        };
        Some(limit.ok_or_else(|| LimitError(key.to_string(), value.to_string())))
    }

    /// Whether it is a limit of time.
    pub(crate) fn is_time(self) -> bool {
        matches!(self, Limit::Clock { .. } | Limit::MoveTime(_))
    }
}

fn read_clock(text: &str) -> Option<Limit> {
    let (moves, text) = match text.split_once('/') {
        Some((moves, text)) => (moves.parse().ok()?, text),
        None => (0, text),
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
    let minutes: u32 = minutes.parse().ok()?;
    let base = duration(60.0 * f64::from(minutes) + seconds.parse::<f64>().ok()?).filter(|base| !base.is_zero())?;
    Some(Limit::Clock { base, increment: duration(increment.parse().ok()?)?, moves })
}

/// A positive time.
fn move_time(seconds: f64) -> Option<Limit> {
    duration(seconds).filter(|time| !time.is_zero()).map(Limit::MoveTime)
}

fn duration(seconds: f64) -> Option<Duration> {
    (0.0..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Clock { base, increment, moves } => {
                if *moves > 0 {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            Limit::MoveTime(time) => write!(f, "{} s per move", time.as_secs_f64()),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_in_cutechess() {
        let clock = |moves, base: f64, increment: f64| Limit::Clock {
            base: Duration::from_secs_f64(base),
            increment: Duration::from_secs_f64(increment),
            moves,
        };
        for (key, value, expected) in [
            ("tc", "10+0.1", clock(0, 10.0, 0.1)),
            ("tc", "40/1:30", clock(40, 90.0, 0.0)),
            ("tc", "0.5+0", clock(0, 0.5, 0.0)),
            ("tc", "1:00+0.0", clock(0, 60.0, 0.0)),
            ("st", "1.5", Limit::MoveTime(Duration::from_millis(1500))),
            ("movetime", "20", Limit::MoveTime(Duration::from_millis(20))),
            ("nodes", "5000", Limit::Nodes(5000)),
            ("depth", "8", Limit::Depth(8)),
        ] {
            assert_eq!(Limit::read(key, value), Some(Ok(expected)), "{key}={value}");
        }
        for (key, value) in [
            ("tc", ""),
            ("tc", "0"),
            ("tc", "x/5"),
            ("tc", "5+-1"),
            ("tc", "NaN"),
            ("nodes", "0"),
            ("movetime", "4294967295"),
        ] {
            assert!(Limit::read(key, value).unwrap().is_err(), "{key}={value}");
        }
        assert_eq!(Limit::read("cmd", "5"), None);
        assert_eq!(clock(40, 60.0, 0.5).to_string(), "40/60+0.5");
    }
}
