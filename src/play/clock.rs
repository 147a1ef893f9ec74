//! The clock of a game.

use crate::types::Color;
use std::str::FromStr;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A time control: base time and increment per move, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub base: Duration,
    /// Added after each own move.
    pub increment: Duration,
}

/// A text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected MINUTES or MINUTES+SECONDS, such as 10+5")]
pub struct TimeControlError;

/// Longest base time, in minutes.
const MAX_MINUTES: f64 = 24.0 * 60.0;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `MINUTES` or `MINUTES+SECONDS`, both also with a fraction.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, max: f64| {
            text.trim().parse::<f64>().ok().filter(|number| (0.0..=max).contains(number)).ok_or(TimeControlError)
        };
        let base = Duration::from_secs_f64(60.0 * number(minutes, MAX_MINUTES)?);
        let increment = Duration::from_secs_f64(number(seconds, 60.0 * MAX_MINUTES)?);
        if base.is_zero() {
            return Err(TimeControlError);
        }
        Ok(TimeControl { base, increment })
    }
}

/// The clock: it runs for one side, or stands.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl GameClock {
    /// A clock that stands at the start of a game.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock::with_left(control, [control.base; 2])
    }

    /// A clock that stands, with the times left of Red and Black.
    pub fn with_left(control: TimeControl, left: [Duration; 2]) -> GameClock {
        GameClock { control, left, running: None }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of `side`, after the time of the running one has been taken off.
    pub fn start(&mut self, side: Color) {
        self.stop();
        self.running = Some((side, Instant::now()));
    }

    /// Stops the clock.
    pub fn stop(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side);
            self.running = None;
        }
    }

    /// Adds the increment of `side` after its move.
    pub fn add_increment(&mut self, side: Color) {
        self.left[side.index()] += self.control.increment;
    }

    /// Sets the times left of Red and Black, of a clock that stands.
    pub fn set_left(&mut self, left: [Duration; 2]) {
        self.left = left;
    }

    /// The time that `side` has left.
    pub fn left(&self, side: Color) -> Duration {
        let left = self.left[side.index()];
        match self.running {
            Some((running, since)) if running == side => left.saturating_sub(since.elapsed()),
            _ => left,
        }
    }

    /// The times that Red and Black have left.
    pub fn both(&self) -> [Duration; 2] {
        Color::ALL.map(|side| self.left(side))
    }

    /// The side whose time has run out.
    pub fn flagged(&self) -> Option<Color> {
        self.running.map(|(side, _)| side).filter(|&side| self.left(side).is_zero())
    }
}

/// Whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A time as `m:ss`, and `s.t` in the last ten seconds.
pub fn time_text(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("0:{:04.1}", time.as_millis().div_euclid(100) as f64 / 10.0);
    }
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let control = |base, increment| {
            Ok(TimeControl { base: Duration::from_secs(base), increment: Duration::from_secs(increment) })
        };
        for (text, expected) in [("10", control(600, 0)), ("10+5", control(600, 5)), ("0.5+0", control(30, 0))] {
            assert_eq!(text.parse(), expected, "{text}");
        }
        for text in ["", "0", "-1", "10+", "+5", "10+-5", "NaN", "inf", "1e9", "10:5", "5+5+5"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }

    #[test]
    fn only_the_running_side_loses_time() {
        let control = TimeControl { base: Duration::from_nanos(1), increment: Duration::from_secs(3) };
        let mut clock = GameClock::new(control);
        assert_eq!(clock.flagged(), None);
        clock.start(Color::Black);
        while clock.flagged().is_none() {}
        assert_eq!(clock.flagged(), Some(Color::Black));
        assert_eq!(clock.left(Color::Red), control.base);
        clock.stop();
        assert_eq!(clock.flagged(), None);
        clock.add_increment(Color::Black);
        assert_eq!(clock.both(), [control.base, control.increment]);
    }

    #[test]
    fn times_are_written_as_on_a_clock() {
        for (milliseconds, text) in
            [(0, "0:00.0"), (9_999, "0:09.9"), (10_000, "0:10"), (600_400, "10:00"), (3_723_000, "1:02:03")]
        {
            assert_eq!(time_text(Duration::from_millis(milliseconds)), text);
        }
    }
}
