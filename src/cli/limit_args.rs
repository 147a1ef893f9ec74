//! The limits of the search of a position, as arguments.

use crate::engine::endgames;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use clap::Args;
use std::sync::Arc;
use std::time::Duration;

#[derive(Args)]
pub struct LimitArgs {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Milliseconds for each position [default: 100, unless --depth or --nodes is given]
    #[arg(long, visible_alias = "movetime", value_name = "MS")]
    time: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits, with endgame tables; of `default_ms` milliseconds if none is given.
    pub fn limits(&self, default_ms: u64) -> Limits {
        let time = self.time.or((self.depth.is_none() && self.nodes.is_none()).then_some(default_ms));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: time.map(Duration::from_millis),
            settings: SearchSettings { tables: Some(Arc::new(endgames::open(&[]).0)), ..SearchSettings::default() },
            ..Limits::default()
        }
    }
}
