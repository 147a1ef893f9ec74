//! Checks, pins, and whether a move is legal, without making it.

use super::Position;
use super::cell::{Cell, kind_mask, members, side_bit};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_MOVES, PAWN, knight_leg};
use crate::tables::slides::{file_bit, file_ends, file_reach, rank_bit, rank_ends, rank_reach};
use crate::types::{Color, Kind, Move, Piece, Square};

/// What the enemy's men on the king's lines, its knights and its pawns do to the king.
#[derive(Clone, Copy, Default)]
struct Look {
    checks: u32,
    hollow: bool,
    bound: u64,
}

/// The enemy's men that matter to a king.
struct Enemies {
    rook: Piece,
    cannon: Piece,
    king: Piece,
    pawn: Piece,
}

impl Enemies {
    #[inline]
    const fn of(us: Color) -> Enemies {
        let them = us.other();
        Enemies {
            rook: Piece::new(them, Kind::Rook),
            cannon: Piece::new(them, Kind::Cannon),
            king: Piece::new(them, Kind::King),
            pawn: Piece::new(them, Kind::Pawn),
        }
    }
}

impl Look {
    /// Looks from the king along one line in one direction at the first three men.
    ///
    /// A rook (or along a file the enemy king) checks as the first man and pins the first as the second. A cannon
    /// checks as the second man, bound to its screen; as the first it is *hollow*: any man stepping between is a
    /// screen; as the third it binds both men before it, for either one's leaving makes the other a screen.
    #[inline]
    fn along(&mut self, enemies: &Enemies, us: Color, on_file: bool, men: [Cell; 3]) {
        let [first, second, third] = men;
        let rooklike = |cell: Cell| cell.is(enemies.rook) | (on_file & cell.is(enemies.king));
        let second_is_cannon = second.is(enemies.cannon);
        let third_is_cannon = third.is(enemies.cannon);
        self.checks += (rooklike(first) | second_is_cannon) as u32;
        self.hollow |= first.is(enemies.cannon);
        let binds_first = first.is_of(us) & (rooklike(second) | second_is_cannon | third_is_cannon);
        let binds_second = second.is_of(us) & third_is_cannon;
        self.bound |= (binds_first as u64) << (first.byte() & 63) | (binds_second as u64) << (second.byte() & 63);
    }
}

impl Position {
    /// Finds checks, bound men and hollow cannons of the side to move. Called once when a position arises.
    #[inline]
    pub(super) fn look(&mut self) {
        let us = self.side;
        let king = self.king(us);
        let enemies = Enemies::of(us);
        let mut look = Look::default();

        let row = king.row() << 4;
        let rank = rank_ends(king, self.ranks[king.row()]);
        let on_rank = |column: u8| self.cells[(row | column as usize) & 255];
        look.along(&enemies, us, false, [rank.first_low(), rank.second_low(), rank.third_low()].map(on_rank));
        look.along(&enemies, us, false, [rank.first_high(), rank.second_high(), rank.third_high()].map(on_rank));
        let file = file_ends(king, self.files[king.column()]);
        let on_file = |row: u8| self.cells[((row as usize) << 4 | king.column()) & 255];
        look.along(&enemies, us, true, [file.first_low(), file.second_low(), file.third_low()].map(on_file));
        look.along(&enemies, us, true, [file.first_high(), file.second_high(), file.third_high()].map(on_file));

        for knight in members(!us, self.men[us.other().index()] & kind_mask(Kind::Knight)) {
            if let Some(leg) = knight_leg(self.squares[knight.index()], king) {
                let blocker = self.cells[leg.index()];
                look.checks += blocker.is_empty() as u32;
                look.bound |= (blocker.is_of(us) as u64) << (blocker.byte() & 63);
            }
        }
        for step in [-1, 1, us.forward()] {
            look.checks += self.cells[king.offset(step).index()].is(enemies.pawn) as u32;
        }

        self.state.checks = look.checks as u8;
        self.state.hollow = look.hollow;
        self.state.bound = look.bound;
    }

    /// Whether the king of the side to move is not attacked once the man on `from` has gone to `to`.
    #[inline]
    pub(super) fn is_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side;
        let own_king = self.king(us);
        let king = if from == own_king { to } else { own_king };
        let enemies = Enemies::of(us);

        let mut rank = self.ranks[king.row()];
        if from.row() == king.row() {
            rank &= !rank_bit(from);
        }
        if to.row() == king.row() {
            rank |= rank_bit(to);
        }
        let mut file = self.files[king.column()];
        if from.column() == king.column() {
            file &= !file_bit(from);
        }
        if to.column() == king.column() {
            file |= file_bit(to);
        }

        // Whatever stood on `to` is captured and attacks no more.
        let stands = |raw: usize, piece: Piece| self.cells[raw & 255].is(piece) & (raw != to.index());
        let rank_ends = rank_ends(king, rank);
        let file_ends = file_ends(king, file);
        let on_rank = |column: u8| king.row() << 4 | column as usize;
        let on_file = |row: u8| (row as usize) << 4 | king.column();
        let attacked = stands(on_rank(rank_ends.first_low()), enemies.rook)
            | stands(on_rank(rank_ends.first_high()), enemies.rook)
            | stands(on_file(file_ends.first_low()), enemies.rook)
            | stands(on_file(file_ends.first_high()), enemies.rook)
            | stands(on_file(file_ends.first_low()), enemies.king)
            | stands(on_file(file_ends.first_high()), enemies.king)
            | stands(on_rank(rank_ends.second_low()), enemies.cannon)
            | stands(on_rank(rank_ends.second_high()), enemies.cannon)
            | stands(on_file(file_ends.second_low()), enemies.cannon)
            | stands(on_file(file_ends.second_high()), enemies.cannon)
            | stands(king.offset(-1).index(), enemies.pawn)
            | stands(king.offset(1).index(), enemies.pawn)
            | stands(king.offset(us.forward()).index(), enemies.pawn);
        if attacked {
            return false;
        }
        for knight in members(!us, self.men[us.other().index()] & kind_mask(Kind::Knight)) {
            let square = self.squares[knight.index()];
            if let Some(leg) = knight_leg(square, king) {
                let open = leg != to && (leg == from || self.cells[leg.index()].is_empty());
                if open && square != to {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a man that is neither king nor bound, landing on `to`, is legal without a test of the king's safety.
    #[inline]
    pub(super) fn needs_no_test(&self) -> bool {
        self.state.checks == 0 && !self.state.hollow
    }

    /// Whether `mv` is a legal move here; for moves from elsewhere (a hash table, a person).
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && {
            let man = self.cells[mv.from().index()];
            let free = self.needs_no_test() && self.state.bound & man.bit() == 0 && man != Cell::king(self.side);
            free || self.is_safe(mv.from(), mv.to())
        }
    }

    /// Whether a man of the side to move can go so, its king's safety aside.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let man = self.cells[from.index()];
        if !man.is_of(self.side) || self.cells[to.index()].is_barred_to(self.side) {
            return false;
        }
        let Some(piece) = man.piece() else { return false };
        let is_free = |raw: u8| self.cells[raw as usize].is_empty();
        let goes = |list: &[u8]| list.contains(&to.raw());
        match piece.kind() {
            Kind::King => goes(&KING[from.index()]),
            Kind::Advisor => goes(&ADVISOR[from.index()]),
            Kind::Bishop => {
                let table = &BISHOP[from.index()];
                (0..4).any(|n| table.to[n] == to.raw() && is_free(table.eye[n]))
            }
            Kind::Knight => {
                let table = &KNIGHT_MOVES[from.index()];
                (0..8).any(|n| table.to[n] == to.raw() && is_free(table.leg[n]))
            }
            Kind::Pawn => goes(&PAWN[self.side.index()][from.index()]),
            Kind::Rook | Kind::Cannon => {
                let (reach, bit) = if from.row() == to.row() {
                    (rank_reach(from, self.ranks[from.row()]), rank_bit(to))
                } else if from.column() == to.column() {
                    (file_reach(from, self.files[from.column()]), file_bit(to))
                } else {
                    return false;
                };
                let captures = if piece.kind() == Kind::Rook { reach.rook } else { reach.cannon };
                (reach.quiet | captures) & bit != 0
            }
        }
    }

    /// Whether `color`'s king could be captured if the other side were to move.
    pub fn is_king_attacked(&self, color: Color) -> bool {
        let mut position = Position { undo: Vec::new(), ..self.clone() };
        position.side = color;
        position.look();
        position.state.checks != 0
    }

    /// Whether the side to move has no legal move: it is mated or stalemated, and has lost.
    pub fn has_no_moves(&self) -> bool {
        self.count_legal() == 0
    }

    /// The bit of the side to move's cells.
    #[inline]
    pub(super) fn own_bit(&self) -> u8 {
        side_bit(self.side)
    }
}
