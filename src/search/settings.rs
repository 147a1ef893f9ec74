//! How a search goes about its work, whatever its limits.

use super::pruning::Pruning;
use super::tunables::Tunables;
use crate::eval::Knowledge;
use crate::eval::network::Network;
use crate::rules::Rules;
use crate::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// How to search. The default is to play as well as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How many threads search, at least 1. With more than one, searches do not repeat, and their nodes are not exact.
    pub threads: usize,
    /// How many best moves are wanted, each with its line; at least 1.
    pub lines: usize,
    /// How much is left out.
    pub pruning: Pruning,
    /// How much is known of positions.
    pub knowledge: Knowledge,
    /// The network for [`Knowledge::Large`].
    pub network: Arc<Network>,
    /// What a draw is worth to the side that searches, in engine units.
    pub draw: Score,
    /// What moves of the root are worth beyond their score, in engine units: the searcher's whims. Where a game is decided
    /// they count for nothing.
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

impl Idle {
    /// How long at least what took the processor's time `work` is to last.
    pub fn wall_time_for(self, work: Duration) -> Duration {
        match self {
            Idle::None => work,
            Idle::Small => work * 4 / 3,
            Idle::Medium => work * 2,
            Idle::Large => work * 4,
        }
    }
}
