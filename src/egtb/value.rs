//! The value of a position in an endgame table.

use crate::types::score::MAX_TABLE_PLIES;

/// The value of a position for the side to move: by best play of both sides, without regard to the move limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameValue {
    /// It mates or stalemates the opponent in this many plies.
    Win(u32),
    /// Neither side can win.
    Draw,
    /// It is mated or stalemated in this many plies; 0: it is.
    Loss(u32),
}

/// The byte of a draw. Bytes below it are plies to the end: even for a loss, odd for a win.
pub(super) const DRAW: u8 = 254;
/// The byte of an impossible position.
pub(super) const IMPOSSIBLE: u8 = 255;
/// The greatest distance that a byte can hold.
pub(super) const MAX_PLIES: u8 = MAX_TABLE_PLIES as u8;

impl EndgameValue {
    /// The value of a byte of a table; `None` if the position is impossible.
    pub(super) fn of(byte: u8) -> Option<EndgameValue> {
        match byte {
            IMPOSSIBLE => None,
            DRAW => Some(EndgameValue::Draw),
            plies if plies.is_multiple_of(2) => Some(EndgameValue::Loss(plies.into())),
            plies => Some(EndgameValue::Win(plies.into())),
        }
    }

    /// The value one ply earlier, for the player who moves into a position of this value.
    pub fn before(self) -> EndgameValue {
        match self {
            EndgameValue::Win(plies) => EndgameValue::Loss(plies + 1),
            EndgameValue::Draw => EndgameValue::Draw,
            EndgameValue::Loss(plies) => EndgameValue::Win(plies + 1),
        }
    }

    /// The order of preference of the side to move: quick wins first, long losses before quick ones. Greater is better.
    pub fn preference(self) -> i32 {
        match self {
            EndgameValue::Win(plies) => 1_000 - plies as i32,
            EndgameValue::Draw => 0,
            EndgameValue::Loss(plies) => plies as i32 - 1_000,
        }
    }
}
