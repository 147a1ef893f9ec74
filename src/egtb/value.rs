//! The value of a position in an endgame table.

use crate::types::score::MAX_TABLE_PLIES;

/// The value of a position for the side to move: by best play of both sides, without regard to the move limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameValue {
    /// It mates or stalemates the opponent in this many plies.
    Win(u32),
    /// It wins by the rules of repetition: the opponent, to avoid mate, has nothing but perpetual check. The number is the
    /// rank of [`super::perpetual_check`]. The loser's never rises; it stays the same only while he checks and the winner
    /// does not.
    WinByRule(u32),
    /// Neither side can win.
    Draw,
    /// It loses by the rules of repetition: to avoid mate, it has nothing but perpetual check.
    LossByRule(u32),
    /// It is mated or stalemated in this many plies; 0: it is.
    Loss(u32),
}

/// The byte of a draw. Bytes below it are losses if even and wins if odd: first plies to mate, then, from a byte that each
/// table names, ranks of results by rule.
pub(super) const DRAW: u8 = 254;
/// The byte of an impossible position.
pub(super) const IMPOSSIBLE: u8 = 255;
/// The greatest distance or rank that a byte can hold.
pub(super) const MAX_PLIES: u8 = MAX_TABLE_PLIES as u8;

impl EndgameValue {
    /// Plies to the end of the game, at least: to mate, or until perpetual check has repeated a position twice.
    pub fn min_plies(self) -> u32 {
        /// Two cycles of four plies.
        const REPETITION: u32 = 8;
        match self {
            EndgameValue::Draw => 0,
            EndgameValue::Win(plies) | EndgameValue::Loss(plies) => plies,
            EndgameValue::WinByRule(rank) | EndgameValue::LossByRule(rank) => rank + REPETITION,
        }
    }

    /// The value of a byte of a table whose results by rule begin at `first_by_rule`; `None` if the position is impossible.
    pub(super) fn of(byte: u8, first_by_rule: u8) -> Option<EndgameValue> {
        let is_loss = byte.is_multiple_of(2);
        match byte {
            IMPOSSIBLE => None,
            DRAW => Some(EndgameValue::Draw),
            rank if rank >= first_by_rule => {
                let rank = u32::from(rank - first_by_rule);
                Some(if is_loss { EndgameValue::LossByRule(rank) } else { EndgameValue::WinByRule(rank) })
            }
            plies if is_loss => Some(EndgameValue::Loss(plies.into())),
            plies => Some(EndgameValue::Win(plies.into())),
        }
    }

    /// The value one ply earlier, for the player who moves into a position of this value by a check or capture or neither.
    /// The ranks of results by rule follow [`super::perpetual_check`].
    pub fn before(self, is_check: bool, is_capture: bool) -> EndgameValue {
        match self {
            EndgameValue::Win(plies) => EndgameValue::Loss(plies + 1),
            EndgameValue::Draw => EndgameValue::Draw,
            EndgameValue::Loss(plies) => EndgameValue::Win(plies + 1),
            EndgameValue::WinByRule(_) if is_capture => EndgameValue::LossByRule(0),
            EndgameValue::WinByRule(rank) if is_check => EndgameValue::LossByRule(rank.saturating_sub(1)),
            EndgameValue::WinByRule(rank) => EndgameValue::LossByRule(rank + 1),
            EndgameValue::LossByRule(_) if is_capture => EndgameValue::WinByRule(1),
            EndgameValue::LossByRule(rank) if is_check => EndgameValue::WinByRule(rank + 3),
            EndgameValue::LossByRule(rank) => EndgameValue::WinByRule(rank + 1),
        }
    }

    /// The order of preference of the side to move: quick mates first, then wins by rule; long losses before quick ones.
    /// Greater is better.
    pub fn preference(self) -> i32 {
        match self {
            EndgameValue::Win(plies) => 2_000 - plies as i32,
            EndgameValue::WinByRule(rank) => 1_000 - rank as i32,
            EndgameValue::Draw => 0,
            EndgameValue::LossByRule(rank) => rank as i32 - 1_000,
            EndgameValue::Loss(plies) => plies as i32 - 2_000,
        }
    }
}
