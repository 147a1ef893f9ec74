//! The limits of the search of a position, as arguments.

use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use clap::Args;
use std::time::Duration;

/// The limits; without any, `DEFAULT_MS` milliseconds, or `DEFAULT_NODES` nodes (one of the two is 0: none).
#[derive(Args)]
pub(super) struct LimitArgs<const DEFAULT_MS: u64, const DEFAULT_NODES: u64> {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    #[arg(
        long,
        alias = "movetime",
        value_name = "MS",
        value_parser = clap::value_parser!(u64).range(1..),
        help = format!("Milliseconds for each position{}", default_text(DEFAULT_MS, "--depth or --nodes"))
    )]
    time: Option<u64>,
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        help = format!("Nodes for each position{}", default_text(DEFAULT_NODES, "--depth or --time"))
    )]
    nodes: Option<u64>,
}

/// What the help of an argument says of its default.
fn default_text(default: u64, others: &str) -> String {
    match default {
        0 => String::new(),
        default => format!(" [default: {default}, unless {others} is given]"),
    }
}

impl<const DEFAULT_MS: u64, const DEFAULT_NODES: u64> LimitArgs<DEFAULT_MS, DEFAULT_NODES> {
    /// The limits of searches with these settings.
    pub(super) fn limits(&self, settings: SearchSettings) -> Limits {
        let is_unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let default = |value: u64| Some(value).filter(|&value| is_unlimited && value > 0);
        Limits {
            depth: self.depth,
            nodes: self.nodes.or(default(DEFAULT_NODES)),
            move_time: self.time.or(default(DEFAULT_MS)).map(Duration::from_millis),
            settings,
            ..Limits::default()
        }
    }
}
