//! The promotion variant, in which an advisor or bishop may become a pawn where it stands.

use super::cell::{Cell, kind_mask, members};
use super::{Position, Variant};
use crate::types::{Color, Kind, Move, MoveList, Piece, Square};

/// As many pawns as a side begins with; it cannot have more by promoting.
const MOST_PAWNS: u32 = 5;

/// Advisors and bishops in a side's set.
const CANDIDATES: u64 = kind_mask(Kind::Advisor) | kind_mask(Kind::Bishop);

impl Position {
    /// Whether `color` has men that can become pawns by the rules of the game played, sooner or later.
    pub fn has_candidates(&self, color: Color) -> bool {
        self.variant == Variant::Promotion && self.men[color.index()] & CANDIDATES != 0
    }

    /// Whether the side to move may make a pawn of its man on `square`: of an advisor or bishop on its back rank, if it
    /// has fewer than five pawns and is not in check. Nothing else leaves its king any less safe: the man stays.
    pub(super) fn can_promote(&self, square: Square) -> bool {
        let man = self.cells.at(square);
        let is_candidate = man.is_of(self.side) && man.bit() & CANDIDATES != 0;
        is_candidate && square.row() == self.side.back_row() && self.may_promote()
    }

    /// Whether any man of the side to move may become a pawn, were it an advisor or bishop on its back rank.
    fn may_promote(&self) -> bool {
        self.variant == Variant::Promotion && !self.in_check() && self.count(self.side, Kind::Pawn) < MOST_PAWNS
    }

    /// Appends the promotions, written as moves from a square to itself.
    #[cold]
    pub(super) fn promotions(&self, list: &mut MoveList) {
        if !self.may_promote() {
            return;
        }
        for man in members(self.side, self.men[self.side.index()] & CANDIDATES) {
            let square = self.squares[man.index()];
            if square.row() == self.side.back_row() {
                list.append(|writer| writer.push::<1>(|_| (true, Move::new(square, square).bits())));
            }
        }
    }

    /// Puts a pawn of the same side in the place of `man` on `square`; returns it.
    #[cold]
    pub(super) fn promote(&mut self, man: Cell, square: Square) -> Piece {
        let pawn = Piece::new(man.man().color(), Kind::Pawn);
        let fresh = self.fresh(pawn).expect("invariant: there are fewer than five pawns");
        self.replace(man, fresh, square);
        pawn
    }

    /// Puts `man` back in the place of the pawn that it became on `square`.
    #[cold]
    pub(super) fn demote(&mut self, man: Cell, square: Square) {
        self.replace(self.cells.at(square), man, square);
    }

    /// Puts `new` in the place of `old`, a man of the same side on `square`. The key is the caller's.
    fn replace(&mut self, old: Cell, new: Cell, square: Square) {
        self.men[old.man().color().index()] ^= old.bit() ^ new.bit();
        self.squares[old.index()] = Square::OFF;
        self.place(new, square);
    }
}
