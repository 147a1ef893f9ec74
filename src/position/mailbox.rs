//! The mailbox board: one byte per square of the 16×16 frame.

use crate::types::{Color, Piece, PieceType, Square};

/// The content of a square. Bits 0–2 number the pieces of one type and color, bits 3–5 are the type, bit 6 is set for
/// Red's pieces, bit 7 for Black's.
///
/// The border has both color bits set: one AND tests for an own piece or the border. Without the color bits the byte is
/// the index of the piece's bit in its side's piece set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell(u8);

impl Cell {
    pub(super) const EMPTY: Cell = Cell(0);
    pub(super) const BORDER: Cell = Cell(0xC0);

    pub(super) const fn new(piece: Piece, number: u8) -> Cell {
        Cell(piece.code() << 3 | number)
    }

    /// The cell of the piece with bit `index` in `color`'s piece set.
    #[inline]
    pub(super) const fn from_bit_index(color: Color, index: u32) -> Cell {
        Cell(side_bit(color) | (index & 63) as u8)
    }

    #[inline]
    pub(super) const fn king(color: Color) -> Cell {
        Cell(side_bit(color))
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the cell holds a piece of `color` or is the border.
    #[inline]
    pub(super) const fn is_barred_to(self, color: Color) -> bool {
        self.0 & side_bit(color) != 0
    }

    /// Whether the cell holds a piece of `color`.
    #[inline]
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 & 0xC0 == side_bit(color)
    }

    /// Whether the cell holds `piece`.
    #[inline]
    pub(super) const fn is(self, piece: Piece) -> bool {
        self.0 >> 3 == piece.code()
    }

    #[inline]
    pub(super) const fn piece(self) -> Option<Piece> {
        Piece::from_code(self.0 >> 3)
    }

    /// The piece of an occupied cell.
    #[inline]
    pub(super) const fn piece_unchecked(self) -> Piece {
        debug_assert!(self.piece().is_some());
        Piece::from_cell(self.0)
    }

    /// The code of the piece of an occupied cell, below [`Piece::SLOTS`]; no piece's code for others.
    #[inline]
    pub(super) const fn code(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// The index of the color of an occupied cell's piece.
    #[inline]
    pub(super) const fn color_index(self) -> usize {
        (self.0 >> 7) as usize
    }

    /// The piece's bit in its side's piece set.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// The largest step of a leaper in the frame, a knight's.
const MARGIN: usize = 33;

/// The 16×16 mailbox board, with a margin so that `square + step` needs no wrapping and no bounds check.
#[derive(Clone)]
pub(super) struct Mailbox([Cell; MARGIN + 256 + MARGIN]);

impl Mailbox {
    /// An empty board.
    pub(super) fn empty() -> Mailbox {
        let mut mailbox = Mailbox([Cell::BORDER; MARGIN + 256 + MARGIN]);
        for square in Square::all() {
            mailbox.set(square, Cell::EMPTY);
        }
        mailbox
    }

    #[inline(always)]
    pub(super) const fn at(&self, square: Square) -> Cell {
        self.0[square.index() + MARGIN]
    }

    /// The cell `step` (at most [`MARGIN`] either way) from `square`.
    #[inline(always)]
    pub(super) const fn beside(&self, square: Square, step: i8) -> Cell {
        self.0[square.index() + (MARGIN as isize + step as isize) as usize]
    }

    #[inline(always)]
    pub(super) const fn set(&mut self, square: Square, cell: Cell) {
        self.0[square.index() + MARGIN] = cell;
    }
}

/// The color bit of the cells of `color`'s pieces.
#[inline]
pub(super) const fn side_bit(color: Color) -> u8 {
    0x40 << color as u8
}

/// The pieces of a type in a side's piece set.
#[inline]
pub(super) const fn type_mask(piece_type: PieceType) -> u64 {
    0xFF << (8 * piece_type.index())
}

/// Knights, rooks, cannons and pawns in a side's piece set.
pub(super) const ATTACKING_PIECES: u64 = type_mask(PieceType::Knight)
    | type_mask(PieceType::Rook)
    | type_mask(PieceType::Cannon)
    | type_mask(PieceType::Pawn);

/// The pieces of `color` in the piece set `set`, ordered by type.
#[inline]
pub(super) fn cells_of(color: Color, set: u64) -> impl Iterator<Item = Cell> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let index = rest.trailing_zeros();
        rest &= rest - 1;
        Some(Cell::from_bit_index(color, index))
    })
}
