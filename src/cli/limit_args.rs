//! The limits of the search of a position, as arguments.

use crate::engine::endgames;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use clap::Args;
use std::sync::Arc;
use std::time::Duration;

/// The limits; without any, `DEFAULT_MS` milliseconds.
#[derive(Args)]
pub struct LimitArgs<const DEFAULT_MS: u64> {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    #[arg(
        long,
        visible_alias = "movetime",
        value_name = "MS",
        help = format!("Milliseconds for each position [default: {DEFAULT_MS}, unless --depth or --nodes is given]")
    )]
    time: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl<const DEFAULT_MS: u64> LimitArgs<DEFAULT_MS> {
    /// The limits, with endgame tables.
    pub fn limits(&self) -> Limits {
        let time = self.time.or((self.depth.is_none() && self.nodes.is_none()).then_some(DEFAULT_MS));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: time.map(Duration::from_millis),
            settings: SearchSettings { tables: Some(Arc::new(endgames::open(&[]).0)), ..SearchSettings::default() },
            ..Limits::default()
        }
    }
}
