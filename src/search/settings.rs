//! How a search goes about its work, whatever its limits.

use super::pruning::Pruning;
use super::tunables::Tunables;
use crate::eval::Knowledge;
use crate::eval::network::Network;
use crate::rules::Rules;
use crate::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// Most threads of a search.
pub const MAX_THREADS: usize = 256;
/// Greatest score of a draw, in size.
pub const MAX_DRAW_SCORE: Score = 10_000;
/// Greatest root noise, in size.
pub const MAX_ROOT_NOISE: Score = 2_000;

/// How to search. Numbers out of range are clamped. The default is to play as well as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Threads of the search, from 1 to [`MAX_THREADS`]. With more than one, searches do not repeat, and their nodes are not exact.
    pub threads: usize,
    /// How many best moves are wanted, each with its line; at least 1.
    pub lines: usize,
    /// How much is left out.
    pub pruning: Pruning,
    /// How much is known of positions.
    pub knowledge: Knowledge,
    /// The network for [`Knowledge::Large`].
    pub network: Arc<Network>,
    /// Contempt: the score of a draw for the side that searches, in engine units, within ±[`MAX_DRAW_SCORE`].
    pub draw: Score,
    /// Root noise: added to the scores of root moves that are not decided, in engine units, within ±[`MAX_ROOT_NOISE`].
    pub root_noise: Vec<(Move, Score)>,
    /// How much of the processor is left to others.
    pub idle: Idle,
    /// By whose rules is played.
    pub rules: Rules,
    /// The numbers that shape it.
    pub tunables: Tunables,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            threads: 1,
            lines: 1,
            pruning: Pruning::Large,
            knowledge: Knowledge::Large,
            network: Network::built_in(),
            draw: crate::types::score::DRAW,
            root_noise: Vec::new(),
            idle: Idle::None,
            rules: Rules::default(),
            tunables: Tunables::default(),
        }
    }
}

/// How much of a processor's time a search leaves to other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Nothing.
    None,
    /// A quarter.
    Small,
    /// Half.
    Medium,
    /// Three quarters.
    Large,
}

/// Sleeps shorter than this are saved up until they add up to it.
const MIN_SLEEP: Duration = Duration::from_millis(2);

impl Idle {
    /// The least wall-clock time for this much processor time.
    pub fn wall_time_for(self, work: Duration) -> Duration {
        match self {
            Idle::None => work,
            Idle::Small => work.saturating_mul(4) / 3,
            Idle::Medium => work.saturating_mul(2),
            Idle::Large => work.saturating_mul(4),
        }
    }

    /// How long a thread sleeps now that has used `work` of processor time in `elapsed` of wall-clock time. Time that
    /// other programs took counts as slept. Never longer than `time_left`; zero instead of less than two milliseconds.
    pub fn sleep_time(self, work: Duration, elapsed: Duration, time_left: Duration) -> Duration {
        let sleep = self.wall_time_for(work).saturating_sub(elapsed).min(time_left);
        if sleep > MIN_SLEEP { sleep } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    /// Works in pieces of a millisecond on a machine that runs us a `1 / slowdown` of the time, and sleeps when told to.
    /// Returns the share of the wall-clock time that was spent working.
    fn processor_share(idle: Idle, slowdown: u32) -> f64 {
        let (mut work, mut elapsed) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..10_000 {
            work += MILLISECOND;
            elapsed += slowdown * MILLISECOND;
            elapsed += idle.sleep_time(work, elapsed, Duration::MAX);
        }
        work.as_secs_f64() / elapsed.as_secs_f64()
    }

    #[test]
    fn idle_sets_the_share_of_the_processor_used() {
        let expected = [(Idle::None, 1.0), (Idle::Small, 0.75), (Idle::Medium, 0.5), (Idle::Large, 0.25)];
        for (idle, share) in expected {
            let used = processor_share(idle, 1);
            assert!((used - share).abs() < 0.001, "{idle:?}: {used} instead of {share}");
        }
    }

    #[test]
    fn time_taken_by_other_programs_counts_as_slept() {
        // A thread that gets half of a processor sleeps no more for `Small` and `Medium`, and less for `Large`.
        for (idle, share) in [(Idle::Small, 0.5), (Idle::Medium, 0.5), (Idle::Large, 0.25)] {
            let used = processor_share(idle, 2);
            assert!((used - share).abs() < 0.001, "{idle:?}: {used} instead of {share}");
        }
    }

    #[test]
    fn sleep_ends_with_the_time_left_and_is_never_tiny() {
        let sleep = |left| Idle::Large.sleep_time(100 * MILLISECOND, 100 * MILLISECOND, left * MILLISECOND);
        assert_eq!(sleep(1_000), 300 * MILLISECOND);
        assert_eq!(sleep(200), 200 * MILLISECOND);
        assert_eq!(sleep(2), Duration::ZERO);
        assert_eq!(sleep(0), Duration::ZERO);
    }
}
