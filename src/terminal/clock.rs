//! The clock of a game.

use crate::types::Color;
use std::fmt;
use std::time::{Duration, Instant};

/// A time control: base time and increment per move, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    base: Duration,
    increment: Duration,
}

/// Longest base time and increment, in seconds.
const MAX_SECONDS: f64 = 24.0 * 3600.0;

/// Reads a time of at most `max` seconds, in units of so many seconds.
pub fn duration(text: &str, unit: f64, max: f64) -> Option<Duration> {
    let seconds = unit * text.trim().parse::<f64>().ok()?;
    (0.0..=max).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl TimeControl {
    /// Reads a base time in units of so many seconds, and `+SECONDS` if there is an increment; both also with a fraction,
    /// and not both 0.
    pub fn read(text: &str, unit: f64) -> Option<TimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control =
            TimeControl { base: duration(base, unit, MAX_SECONDS)?, increment: duration(increment, 1.0, MAX_SECONDS)? };
        (!control.first_move().is_zero()).then_some(control)
    }

    /// The time for the first move: the base time, or without one the increment.
    fn first_move(self) -> Duration {
        if self.base.is_zero() { self.increment } else { self.base }
    }

    /// Added after each own move.
    pub fn increment(self) -> Duration {
        self.increment
    }
}

/// As in PGN: both in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The clock: it runs for one side, or stands.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    /// The times of Red and Black at the start of each turn, by number of moves; the last are those of now, but for the
    /// time since the clock runs.
    turns: Vec<[Duration; 2]>,
    running: Option<(Color, Instant)>,
}

impl GameClock {
    /// A clock that stands after so many moves, with all of the time left.
    pub fn new(control: TimeControl, plies: usize) -> GameClock {
        GameClock::with_left(control, [control.first_move(); 2], plies)
    }

    /// The same with the times left of Red and Black.
    pub fn with_left(control: TimeControl, left: [Duration; 2], plies: usize) -> GameClock {
        GameClock { control, turns: vec![left; plies + 1], running: None }
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
        let left = self.both();
        self.turns.pop();
        self.turns.push(left);
        self.running = None;
    }

    /// Stops the clock of `side` after its move, and adds its increment.
    pub fn press(&mut self, side: Color) {
        self.stop();
        let mut left = self.both();
        left[side.index()] += self.control.increment;
        self.turns.push(left);
    }

    /// Stops the clock, and sets it back to the turn after so many moves.
    pub fn set_back(&mut self, plies: usize) {
        self.turns.truncate(plies + 1);
        self.running = None;
    }

    /// The time that `side` has left.
    pub fn left(&self, side: Color) -> Duration {
        let left = self.turns.last().map_or(Duration::ZERO, |left| left[side.index()]);
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
            Some(TimeControl { base: Duration::from_secs(base), increment: Duration::from_secs(increment) })
        };
        for (text, expected) in
            [("10", control(600, 0)), ("10+5", control(600, 5)), ("0.5+0", control(30, 0)), ("0+1", control(0, 1))]
        {
            assert_eq!(TimeControl::read(text, 60.0), expected, "{text}");
        }
        for text in ["", "0", "0+0", "-1", "10+", "+5", "10+-5", "NaN", "inf", "1e9", "10:5", "5+5+5"] {
            assert_eq!(TimeControl::read(text, 60.0), None, "{text}");
        }
    }

    #[test]
    fn only_the_running_side_loses_time() {
        let control = TimeControl { base: Duration::from_nanos(1), increment: Duration::from_secs(3) };
        let mut clock = GameClock::new(control, 0);
        assert_eq!(clock.flagged(), None);
        clock.start(Color::Black);
        while clock.flagged().is_none() {}
        assert_eq!(clock.flagged(), Some(Color::Black));
        assert_eq!(clock.left(Color::Red), control.base);
        clock.press(Color::Black);
        assert_eq!(clock.flagged(), None);
        assert_eq!(clock.both(), [control.base, control.increment]);
        clock.set_back(0);
        assert_eq!(clock.both(), [control.base, Duration::ZERO]);
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
