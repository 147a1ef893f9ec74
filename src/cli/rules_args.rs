//! The rules of the game as arguments.

use super::names::named_parser;
use crate::rules::{ALL_CHECKS, MOVE_LIMIT, Repetition, Rules};
use clap::Args;

/// Names of the repetition rules, and what else they are called.
const REPETITIONS: &[(&str, &str, Repetition)] = &[
    ("asian", "AsianRule", Repetition::Asian),
    ("league", "", Repetition::League),
    ("chinese", "ChineseRule", Repetition::Chinese),
    ("plain", "", Repetition::Plain),
];

#[derive(Args)]
pub(super) struct RulesArgs {
    /// Number of occurrences of a position that end the game; 4 in the league
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..))]
    occurrences: u8,
    /// The repetition rules: World Xiangqi Federation, UCCI league, Chinese Xiangqi Association, or perpetual check only
    #[arg(long, default_value = "asian", value_parser = named_parser(REPETITIONS))]
    repetition: Repetition,
    /// The move limit: plies without a capture after which the game is drawn
    #[arg(long, value_name = "PLIES", default_value_t = MOVE_LIMIT, value_parser = clap::value_parser!(u32).range(1..))]
    move_limit: u32,
    /// Do not count checks and the replies to them towards the move limit
    #[arg(long)]
    without_checks: bool,
    /// Count only the first N checks of each side towards the move limit, not the others and the replies to them
    #[arg(long, value_name = "N", default_value_t = ALL_CHECKS, hide_default_value = true)]
    counted_checks: u32,
}

impl RulesArgs {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            repetition: self.repetition,
            move_limit: self.move_limit,
            checks_count: !self.without_checks,
            counted_checks: self.counted_checks.min(ALL_CHECKS),
        }
    }

    pub(super) fn occurrences(&self) -> usize {
        self.occurrences.into()
    }
}
