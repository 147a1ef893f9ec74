//! Settings of a search, apart from its limits.

use super::pruning::Pruning;
use super::tunables::Tunables;
use crate::egtb::tables::Tables;
use crate::eval::Knowledge;
use crate::eval::network::Network;
use crate::rules::Rules;
use crate::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of threads of a search.
pub const MAX_THREADS: usize = 256;
/// Maximum absolute score of a draw (contempt), in engine units.
pub const MAX_DRAW_SCORE: Score = 10_000;
/// Maximum absolute root noise, in engine units.
pub const MAX_ROOT_NOISE: Score = 2_000;

/// Settings of a search. Values out of range are clamped. The default is full strength with one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Number of threads, from 1 to [`MAX_THREADS`]. With more than one, searches are not deterministic and node limits
    /// not exact.
    pub threads: usize,
    /// Multi-PV: number of best moves to report, each with its PV; at least 1.
    pub lines: usize,
    /// How much the search prunes.
    pub pruning: Pruning,
    /// Which evaluation is used.
    pub knowledge: Knowledge,
    /// The NNUE network of [`Knowledge::Large`].
    pub network: Arc<Network>,
    /// The score of a draw for the side that searches (contempt with the opposite sign), in engine units, within
    /// ±[`MAX_DRAW_SCORE`].
    pub draw: Score,
    /// Root noise: random additions to the scores of root moves (option `randomness`), except decided scores. In engine
    /// units, within ±[`MAX_ROOT_NOISE`].
    pub root_noise: Vec<(Move, Score)>,
    /// Share of processor time left to other programs.
    pub idle: Idle,
    /// Rules of the game.
    pub rules: Rules,
    /// Endgame tables to probe; `None`: none.
    pub tables: Option<Arc<Tables>>,
    /// Tunable parameters.
    pub tunables: Tunables,
}

impl SearchSettings {
    /// The score of a draw for the side that searches, clamped.
    pub fn draw_score(&self) -> Score {
        self.draw.clamp(-MAX_DRAW_SCORE, MAX_DRAW_SCORE)
    }
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
            tables: None,
            tunables: Tunables::default(),
        }
    }
}

/// Share of processor time that each thread leaves to other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idle {
    /// Nothing.
    #[default]
    None,
    /// A quarter.
    Small,
    /// Half.
    Medium,
    /// Three quarters.
    Large,
}

/// Minimum sleep. Shorter ones accumulate until they exceed it.
const MIN_SLEEP: Duration = Duration::from_millis(2);

impl Idle {
    /// Minimum wall-clock time in which a thread may use `work` of processor time.
    pub fn wall_time_for(self, work: Duration) -> Duration {
        match self {
            Idle::None => work,
            Idle::Small => work.saturating_mul(4) / 3,
            Idle::Medium => work.saturating_mul(2),
            Idle::Large => work.saturating_mul(4),
        }
    }

    /// Sleep due after `work` of processor time in `elapsed` of wall-clock time. Time taken by other programs counts as
    /// slept. At most `time_left`; zero instead of two milliseconds or less.
    pub fn sleep_time(self, work: Duration, elapsed: Duration, time_left: Duration) -> Duration {
        let sleep = self.wall_time_for(work).saturating_sub(elapsed).min(time_left);
        if sleep > MIN_SLEEP { sleep } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    /// Simulates a thread that works in slices of a millisecond, gets `1 / slowdown` of a processor, and sleeps if due.
    /// Returns its processor time as a share of the wall-clock time.
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
        // With half of a processor, a thread does not sleep for `Small` and `Medium`, and less for `Large`.
        for (idle, share) in [(Idle::Small, 0.5), (Idle::Medium, 0.5), (Idle::Large, 0.25)] {
            let used = processor_share(idle, 2);
            assert!((used - share).abs() < 0.001, "{idle:?}: {used} instead of {share}");
        }
    }

    #[test]
    fn sleep_is_at_most_the_time_left_and_never_short() {
        let sleep = |left| Idle::Large.sleep_time(100 * MILLISECOND, 100 * MILLISECOND, left * MILLISECOND);
        assert_eq!(sleep(1_000), 300 * MILLISECOND);
        assert_eq!(sleep(200), 200 * MILLISECOND);
        assert_eq!(sleep(2), Duration::ZERO);
        assert_eq!(sleep(0), Duration::ZERO);
    }
}
