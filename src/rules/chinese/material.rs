//! Material won and lost, in the values of the Chinese rule book.

use crate::position::Position;
use crate::tables::leapers::has_crossed_river;
use crate::types::{Color, Move, PieceType};

/// The value of a rook is that of two majors.
const MAJOR: i32 = 10;
const MINOR: i32 = 4;
const PAWN: i32 = 1;

/// The balance of a line of moves for one side: what it captured minus what it lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    /// Knights and cannons; a rook counts two.
    majors: i32,
    /// Advisors and bishops.
    minors: i32,
    /// Pawns that have crossed the river. Others have no value.
    pawns: i32,
}

impl Balance {
    /// The balance for `us` after the legal move `mv`.
    pub(super) fn after(mut self, position: &Position, mv: Move, us: Color) -> Balance {
        if !position.is_capture(mv) {
            return self;
        }
        let Some(captured) = position.piece_at(mv.to()) else { return self };
        let sign = if captured.color() == us { -1 } else { 1 };
        match captured.piece_type() {
            PieceType::Rook => self.majors += 2 * sign,
            PieceType::Knight | PieceType::Cannon => self.majors += sign,
            PieceType::Advisor | PieceType::Bishop => self.minors += sign,
            PieceType::Pawn if has_crossed_river(mv.to(), captured.color()) => self.pawns += sign,
            PieceType::Pawn | PieceType::King => {}
        }
        self
    }

    /// The value of the balance, in units of a pawn.
    ///
    /// The value of a pawn floats. One that was won makes up for a piece up to a major; one that was lost costs a minor
    /// at most. It never turns a loss of pieces into a gain, or a gain of pieces into a loss.
    pub(super) fn value(self) -> i32 {
        let pieces = MAJOR * self.majors + MINOR * self.minors;
        match pieces {
            ..=-1 if self.pawns > 0 => (pieces + MAJOR * self.pawns).min(0),
            1.. if self.pawns < 0 => (pieces + MINOR * self.pawns).max(0),
            _ => pieces + PAWN * self.pawns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_pawn_floats() {
        let value = |majors, minors, pawns| Balance { majors, minors, pawns }.value();
        assert_eq!((value(2, 0, 0), value(2, -2, 0) > 0, value(1, -2, 0) > 0), (20, true, true));
        assert_eq!((value(0, 0, 1) > 0, value(0, 0, -1) < 0, value(0, 1, 1) > value(0, 1, 0)), (true, true, true));
        // Won, it makes up for a knight, but not for a rook; lost, it costs an advisor, but not a knight.
        assert_eq!((value(-1, 0, 1), value(0, -1, 1), value(-2, 0, 1) < 0), (0, 0, true));
        assert_eq!((value(0, 1, -1), value(1, 0, -1) > 0, value(2, 0, -1) > 0), (0, true, true));
    }
}
