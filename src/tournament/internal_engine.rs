//! An engine inside this process: no pipes, and search settings that the protocol does not have.

use super::engine_error::EngineError;
use super::limit::Limit;
use super::match_clock::MatchClock;
use super::match_engine::{MatchEngine, Reply, Turn};
use super::player::Player;
use super::search_info::{SearchInfo, mate_score};
use crate::display::units::mate_moves;
use crate::eval::wdl::centipawns;
use crate::search::limits::{Clock, Limits};
use crate::types::Score;
use crate::types::score::is_mate;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Size of its hash table in MB: small enough that clearing it for each game takes little of the game's time.
pub(crate) const HASH_MEGABYTES: usize = 4;

/// An engine inside this process.
pub(crate) struct InternalEngine {
    player: Player,
    /// Converts the scores that it tells from engine units.
    unit: fn(Score) -> i32,
    /// Ends searches.
    stop: Arc<AtomicBool>,
}

impl InternalEngine {
    /// An engine with these settings; `limits` holds them, and the nodes that count as a millisecond. Its scores are in the
    /// `unit`. Setting `stop` interrupts it.
    pub(crate) fn new(limits: Limits, unit: fn(Score) -> i32, stop: Arc<AtomicBool>) -> InternalEngine {
        InternalEngine { player: Player::new(limits, HASH_MEGABYTES), unit, stop }
    }

    /// Changes the parameters of the search.
    #[cfg(feature = "tuning")]
    pub(crate) fn set_tunables(&mut self, tunables: crate::search::tunables::Tunables) {
        self.player.limits.settings.tunables = tunables;
    }
}

/// A score as [`SearchInfo`] has it.
pub(crate) fn told_score(score: Score) -> i32 {
    if is_mate(score) { mate_score(mate_moves(score)) } else { centipawns(score) }
}

impl MatchEngine for InternalEngine {
    fn start_game(&mut self, _seed: u32) -> Result<(), EngineError> {
        self.player.new_game();
        Ok(())
    }

    fn think(&mut self, turn: &Turn) -> Result<Reply, EngineError> {
        let start = Instant::now();
        let limits = &mut self.player.limits;
        (limits.nodes, limits.depth, limits.move_time, limits.clock) = match turn.own.limit() {
            Limit::Nodes(nodes) => (Some(nodes), None, None, None),
            Limit::Depth(depth) => (None, Some(depth), None, None),
            Limit::MoveTime(time) => (None, None, Some(time), None),
            Limit::Clock { increment, .. } => (None, None, None, Some(clock(turn.own, increment))),
        };
        let found = self.player.search_until(turn.position, &self.stop);
        // The move of a search that was cut short is none of the match.
        if self.stop.load(Ordering::Relaxed) {
            return Err(EngineError::Interrupted);
        }
        let score = Some((self.unit)(found.score));
        Ok(Reply {
            best: found.best.map(|mv| mv.to_string()),
            ponder: None,
            time: self.player.limits.time_of(found.nodes).unwrap_or_else(|| start.elapsed()),
            info: SearchInfo { depth: Some(found.depth), score, nodes: Some(found.nodes), pv: Vec::new() },
            offers_draw: false,
            resigns: false,
        })
    }
}

/// The clock of a search.
fn clock(clock: &MatchClock, increment: Duration) -> Clock {
    let moves_to_go = Some(clock.moves_left()).filter(|&moves| moves > 0);
    Clock { time: clock.left(), increment, moves_to_go, opponent: None }
}
