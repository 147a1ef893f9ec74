//! The promotion variant, in which an advisor or bishop can become a pawn on its square.

use super::mailbox::{Cell, cells_of, type_mask};
use super::{Position, Variant};
use crate::types::{Color, Move, MoveList, Piece, PieceType, Square};

/// A side cannot have more pawns than this by promotion.
const MAX_PAWNS: u32 = 5;

/// Advisors and bishops in a side's piece set.
const PROMOTABLE: u64 = type_mask(PieceType::Advisor) | type_mask(PieceType::Bishop);

impl Position {
    /// Whether `color` has pieces that the variant lets become pawns.
    pub fn has_promotable_pieces(&self, color: Color) -> bool {
        self.variant == Variant::Promotion && self.pieces[color.index()] & PROMOTABLE != 0
    }

    /// Whether the side to move can promote its piece on `square` to a pawn: an advisor or bishop on its back rank, if
    /// it has fewer than five pawns and is not in check. This is always legal: the square stays occupied.
    pub(super) fn can_promote(&self, square: Square) -> bool {
        let cell = self.cells.at(square);
        let is_promotable = cell.is_of(self.side) && cell.bit() & PROMOTABLE != 0;
        is_promotable && square.row() == self.side.back_row() && self.may_promote()
    }

    /// Whether the side to move can promote an advisor or bishop on its back rank, if it has one there.
    fn may_promote(&self) -> bool {
        self.variant == Variant::Promotion && !self.in_check() && self.count(self.side, PieceType::Pawn) < MAX_PAWNS
    }

    /// Appends the promotions: moves from a square to itself.
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

    /// Replaces `cell` on `square` by a pawn of the same side.
    #[cold]
    pub(super) fn promote(&mut self, cell: Cell, square: Square) {
        let pawn = Piece::new(cell.piece_unchecked().color(), PieceType::Pawn);
        let unused_cell = self.unused_cell(pawn).expect("invariant: there are fewer than five pawns");
        self.replace(cell, unused_cell, square);
    }

    /// Undoes [`Position::promote`]: replaces the pawn on `square` by `cell`.
    #[cold]
    pub(super) fn demote(&mut self, cell: Cell, square: Square) {
        self.replace(self.cells.at(square), cell, square);
    }

    /// Replaces `old` on `square` by `new`, a piece of the same side. Does not update the key.
    fn replace(&mut self, old: Cell, new: Cell, square: Square) {
        self.pieces[old.piece_unchecked().color().index()] ^= old.bit() ^ new.bit();
        self.squares[old.index()] = Square::OFF;
        self.place(new, square);
    }
}
