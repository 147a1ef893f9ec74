//! The clock of an engine in a game.

use super::limit::Limit;
use std::time::Duration;

/// The clock of one side. For limits that are no clock it only bounds a move.
#[derive(Clone, Debug)]
pub(crate) struct MatchClock {
    limit: Limit,
    /// How much later an answer may come.
    margin: Duration,
    /// Longest search that is not limited by time.
    hang: Duration,
    left: Duration,
    /// Moves to the next time control; 0: there is none.
    moves_left: u32,
}

impl MatchClock {
    /// The clock at the start of a game. An answer may come later by `margin`; where the time is not limited, an engine that
    /// does not answer for `hang` has lost.
    pub(crate) fn new(limit: Limit, margin: Duration, hang: Duration) -> MatchClock {
        let (left, moves_left) = match limit {
            Limit::Clock { base, moves, .. } => (base, moves),
            _ => (Duration::ZERO, 0),
        };
        MatchClock { limit, margin, hang, left, moves_left }
    }

    /// The limit.
    pub(crate) fn limit(&self) -> Limit {
        self.limit
    }

    /// Time left.
    pub(crate) fn left(&self) -> Duration {
        self.left
    }

    /// Milliseconds left, at least 1, as engines are told.
    pub(crate) fn milliseconds_left(&self) -> u128 {
        self.left.as_millis().max(1)
    }

    /// Milliseconds added after each move.
    pub(crate) fn increment_milliseconds(&self) -> u128 {
        if let Limit::Clock { increment, .. } = self.limit { increment.as_millis() } else { 0 }
    }

    /// Moves to the next time control; 0: there is none.
    pub(crate) fn moves_left(&self) -> u32 {
        self.moves_left
    }

    /// Time after which a missing answer loses.
    pub(crate) fn budget(&self) -> Duration {
        match self.limit {
            Limit::Clock { .. } => self.left.saturating_add(self.margin),
            Limit::MoveTime(time) => time.saturating_add(self.margin),
            Limit::Nodes(_) | Limit::Depth(_) => self.hang,
        }
    }

    /// Takes the time of a move off the clock. Returns false if it was too long.
    pub(crate) fn spend(&mut self, time: Duration) -> bool {
        if time > self.budget() {
            return false;
        }
        if let Limit::Clock { base, increment, moves } = self.limit {
            self.left = self.left.saturating_sub(time) + increment;
            if moves > 0 {
                self.moves_left -= 1;
                if self.moves_left == 0 {
                    self.moves_left = moves;
                    self.left += base;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_take_time_and_add_increments_and_time_controls() {
        let ms = Duration::from_millis;
        let limit = Limit::Clock { base: ms(1000), increment: ms(10), moves: 2 };
        let mut clock = MatchClock::new(limit, ms(50), ms(9));
        assert_eq!((clock.milliseconds_left(), clock.moves_left(), clock.budget()), (1000, 2, ms(1050)));
        assert!(clock.spend(ms(400)));
        assert_eq!((clock.milliseconds_left(), clock.moves_left()), (610, 1));
        // Within the margin: nothing is left, and the next time control begins.
        assert!(clock.spend(ms(650)));
        assert_eq!((clock.milliseconds_left(), clock.moves_left()), (1010, 2));
        assert!(!clock.spend(ms(1061)));
        let mut nodes = MatchClock::new(Limit::Nodes(5), ms(50), ms(9));
        assert!(nodes.spend(ms(9)) && !nodes.spend(ms(10)) && nodes.budget() == ms(9));
    }
}
