//! What stands on a square, in one byte.

use crate::types::{Color, Piece, PieceType, Square};

/// Bits 0–2 number the men of one kind and side, bits 3–5 are the kind, bit 6 is Red's, bit 7 Black's.
///
/// The border carries both sides' bits: "not one of mine" is one AND, and the border fails it for either side.
/// Without its side bits the byte is the man's place in its side's set of living men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell(u8);

impl Cell {
    pub const EMPTY: Cell = Cell(0);
    pub const BORDER: Cell = Cell(0xC0);

    pub const fn new(piece: Piece, number: u8) -> Cell {
        Cell(piece.code() << 3 | number)
    }

    /// The cell of the man whose place in `color`'s set is `place`.
    #[inline]
    pub const fn from_place(color: Color, place: u32) -> Cell {
        Cell(side_bit(color) | (place & 63) as u8)
    }

    #[inline]
    pub const fn king(color: Color) -> Cell {
        Cell(side_bit(color))
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a man of `color`, or the border, is here.
    #[inline]
    pub const fn is_barred_to(self, color: Color) -> bool {
        self.0 & side_bit(color) != 0
    }

    /// Whether a man of `color` is here.
    #[inline]
    pub const fn is_of(self, color: Color) -> bool {
        self.0 & 0xC0 == side_bit(color)
    }

    /// Whether `piece` is here.
    #[inline]
    pub const fn is(self, piece: Piece) -> bool {
        self.0 >> 3 == piece.code()
    }

    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        Piece::from_code(self.0 >> 3)
    }

    /// The man here; only where one is known to stand.
    #[inline]
    pub const fn piece_unchecked(self) -> Piece {
        debug_assert!(self.piece().is_some());
        Piece::from_cell(self.0)
    }

    /// The man's bit in its side's set.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// The widest step of a leaper in the frame.
const MARGIN: usize = 33;

/// The mailbox, with a margin that lets `square + step` be read without wrapping or a bounds check.
#[derive(Clone)]
pub(super) struct Mailbox([Cell; MARGIN + 256 + MARGIN]);

impl Mailbox {
    /// A board without men.
    pub fn empty() -> Mailbox {
        let mut mailbox = Mailbox([Cell::BORDER; MARGIN + 256 + MARGIN]);
        for square in Square::all() {
            mailbox.set(square, Cell::EMPTY);
        }
        mailbox
    }

    #[inline(always)]
    pub const fn at(&self, square: Square) -> Cell {
        self.0[square.index() + MARGIN]
    }

    /// The cell `step` (at most [`MARGIN`] either way) from `square`.
    #[inline(always)]
    pub const fn beside(&self, square: Square, step: i8) -> Cell {
        self.0[square.index() + (MARGIN as isize + step as isize) as usize]
    }

    #[inline(always)]
    pub const fn set(&mut self, square: Square, cell: Cell) {
        self.0[square.index() + MARGIN] = cell;
    }
}

/// The bit that marks the cells of `color`'s men.
#[inline]
pub(super) const fn side_bit(color: Color) -> u8 {
    0x40 << color as u8
}

/// The men of `kind` in a side's set.
#[inline]
pub(super) const fn type_mask(kind: PieceType) -> u64 {
    0xFF << (8 * kind.index())
}

/// Knights, rooks, cannons and pawns in a side's set.
pub(super) const ATTACKING_PIECES: u64 = type_mask(PieceType::Knight)
    | type_mask(PieceType::Rook)
    | type_mask(PieceType::Cannon)
    | type_mask(PieceType::Pawn);

/// The men of `color` in `set`, by kind.
#[inline]
pub(super) fn cells_of(color: Color, set: u64) -> impl Iterator<Item = Cell> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let place = rest.trailing_zeros();
        rest &= rest - 1;
        Some(Cell::from_place(color, place))
    })
}
