//! Statistics of a class: how many positions are won, drawn and lost, and the longest wins.

use super::generate::Values;
use super::value::{EndgameValue, MAX_PLIES};

/// The positions with one side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of positions won by mate, mirror images counted apart.
    pub wins: u64,
    /// Number of positions won by rule.
    pub wins_by_rule: u64,
    /// Number of drawn positions.
    pub draws: u64,
    /// Number of positions lost by rule.
    pub losses_by_rule: u64,
    /// Number of positions lost by mate.
    pub losses: u64,
    /// The longest win in plies and the number of a position that has it.
    pub longest_win: Option<(u32, usize)>,
    /// The longest loss.
    pub longest_loss: Option<(u32, usize)>,
}

impl Statistics {
    /// Those of a class, by side to move.
    pub fn of(values: &Values) -> [Statistics; 2] {
        [0, 1].map(|side| {
            let mut statistics = Statistics::default();
            for (index, &byte) in values.bytes[side].iter().enumerate() {
                let Some(value) = EndgameValue::of(byte, values.first_by_rule) else { continue };
                // Positions with Red's king on file d stand for those with it on file f as well.
                let count = if values.indexer.squares(index)[0].file() == 3 { 2 } else { 1 };
                match value {
                    EndgameValue::Win(plies) => {
                        statistics.wins += count;
                        statistics.longest_win = longer(statistics.longest_win, plies, index);
                    }
                    EndgameValue::WinByRule(_) => statistics.wins_by_rule += count,
                    EndgameValue::Draw => statistics.draws += count,
                    EndgameValue::LossByRule(_) => statistics.losses_by_rule += count,
                    EndgameValue::Loss(plies) => {
                        statistics.losses += count;
                        statistics.longest_loss = longer(statistics.longest_loss, plies, index);
                    }
                }
            }
            statistics
        })
    }

    /// Whether they can be those of a class with this number of positions.
    pub(super) fn are_possible(&self, size: usize) -> bool {
        let has_room = |count: u64| count <= 2 * size as u64;
        let is_in_class = |longest: Option<(u32, usize)>| {
            longest.is_none_or(|(plies, index)| index < size && plies <= MAX_PLIES.into())
        };
        self.counts().into_iter().all(has_room) && is_in_class(self.longest_win) && is_in_class(self.longest_loss)
    }

    /// Number of wins, wins by rule, draws, losses by rule and losses.
    pub fn counts(&self) -> [u64; 5] {
        [self.wins, self.wins_by_rule, self.draws, self.losses_by_rule, self.losses]
    }

    /// Number of possible positions.
    pub fn positions(&self) -> u64 {
        self.counts().into_iter().fold(0, u64::saturating_add)
    }
}

fn longer(longest: Option<(u32, usize)>, plies: u32, index: usize) -> Option<(u32, usize)> {
    longest.filter(|&(known, _)| known >= plies).or(Some((plies, index)))
}
