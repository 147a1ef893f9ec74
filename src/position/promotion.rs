//! The promotion variant, in which an advisor or bishop may become a pawn where it stands.

use super::mailbox::{Cell, cells_of, type_mask};
use super::{Position, Variant};
use crate::types::{Color, Move, MoveList, Piece, PieceType, Square};

/// As many pawns as a side begins with; it cannot have more by promoting.
const MAX_PAWNS: u32 = 5;

/// Advisors and bishops in a side's set.
const PROMOTABLE: u64 = type_mask(PieceType::Advisor) | type_mask(PieceType::Bishop);

impl Position {
    /// Whether `color` has men that can become pawns by the rules of the game played, sooner or later.
    pub fn has_promotable_pieces(&self, color: Color) -> bool {
        self.variant == Variant::Promotion && self.pieces[color.index()] & PROMOTABLE != 0
    }

    /// Whether the side to move may make a pawn of its man on `square`: of an advisor or bishop on its back rank, if it
    /// has fewer than five pawns and is not in check. Nothing else leaves its king any less safe: the man stays.
    pub(super) fn can_promote(&self, square: Square) -> bool {
        let cell = self.cells.at(square);
        let is_promotable = cell.is_of(self.side) && cell.bit() & PROMOTABLE != 0;
        is_promotable && square.row() == self.side.back_row() && self.may_promote()
    }

    /// Whether any man of the side to move may become a pawn, were it an advisor or bishop on its back rank.
    fn may_promote(&self) -> bool {
        self.variant == Variant::Promotion && !self.in_check() && self.count(self.side, PieceType::Pawn) < MAX_PAWNS
    }

    /// Appends the promotions, written as moves from a square to itself.
    #[cold]
    pub(super) fn promotions(&self, list: &mut MoveList) {
        if !self.may_promote() {
            return;
        }
        for cell in cells_of(self.side, self.pieces[self.side.index()] & PROMOTABLE) {
            let square = self.squares[cell.index()];
            if square.row() == self.side.back_row() {
                list.append(|writer| writer.push::<1>(|_| (true, Move::new(square, square).bits())));
            }
        }
    }

    /// Puts a pawn of the same side in the place of `cell` on `square`; returns it.
    #[cold]
    pub(super) fn promote(&mut self, cell: Cell, square: Square) -> Piece {
        let pawn = Piece::new(cell.piece_unchecked().color(), PieceType::Pawn);
        let unused_cell = self.unused_cell(pawn).expect("invariant: there are fewer than five pawns");
        self.replace(cell, unused_cell, square);
        pawn
    }

    /// Puts `cell` back in the place of the pawn that it became on `square`.
    #[cold]
    pub(super) fn demote(&mut self, cell: Cell, square: Square) {
        self.replace(self.cells.at(square), cell, square);
    }

    /// Puts `new` in the place of `old`, a man of the same side on `square`. The key is the caller's.
    fn replace(&mut self, old: Cell, new: Cell, square: Square) {
        self.pieces[old.piece_unchecked().color().index()] ^= old.bit() ^ new.bit();
        self.squares[old.index()] = Square::OFF;
        self.place(new, square);
    }
}
