//! Colors, piece types and pieces.

use std::fmt;
use std::ops::Not;

/// One of the two sides. Red moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// Red, at ranks 0–4, capital letters, `w` in a FEN.
    Red = 0,
    /// Black, at ranks 5–9, small letters, `b` in a FEN.
    Black = 1,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// 1 for Red, −1 for Black: converts between Red's view of a score and this side's.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Color::Red => 1,
            Color::Black => -1,
        }
    }

    /// The row of the 16×16 frame that is this side's back rank.
    #[inline]
    pub const fn back_row(self) -> usize {
        match self {
            Color::Red => 12,
            Color::Black => 3,
        }
    }

    /// The step forward of a pawn of this side in the 16×16 frame.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Color::Red => -16,
            Color::Black => 16,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

/// The seven piece types, in the order of ElephantEye's Zobrist tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// 帥 將
    King = 0,
    /// 仕 士
    Advisor = 1,
    /// 相 象, also called elephant
    Bishop = 2,
    /// 馬, also called horse
    Knight = 3,
    /// 車, also called chariot
    Rook = 4,
    /// 炮 砲
    Cannon = 5,
    /// 兵 卒
    Pawn = 6,
}

impl PieceType {
    /// Number of piece types.
    pub const COUNT: usize = 7;
    /// All piece types in order.
    pub const ALL: [PieceType; PieceType::COUNT] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0–6.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A piece: color and type in one byte, `8 + type` for Red and `16 + type` for Black.
///
/// Under 32, so it indexes a `[T; 32]` without a bounds check.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// Length of a table indexed by [`Piece::index`].
    pub const SLOTS: usize = 32;

    /// The piece of this color and type.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Piece {
        Piece((8 << color as u8) | piece_type as u8)
    }

    /// The piece with this code, if there is one.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Piece> {
        if matches!(code, 8..=14 | 16..=22) { Some(Piece(code)) } else { None }
    }

    /// The piece in the upper five bits of the byte of an occupied mailbox cell.
    #[inline]
    pub(crate) const fn from_cell(byte: u8) -> Piece {
        Piece(byte >> 3)
    }

    /// The code: 8–14 for Red's pieces, 16–22 for Black's.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Index into a table of [`Piece::SLOTS`] rows.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }

    /// Its color.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & 8 != 0 { Color::Red } else { Color::Black }
    }

    /// Its type.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        /// By the low bits of a code, of which 7 does not occur.
        const TYPES: [PieceType; 8] = {
            let mut types = [PieceType::King; 8];
            let mut n = 0;
            while n < PieceType::COUNT {
                types[n] = PieceType::ALL[n];
                n += 1;
            }
            types
        };
        TYPES[(self.0 & 7) as usize]
    }

    /// All fourteen pieces, Red's first.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL
            .into_iter()
            .flat_map(|color| PieceType::ALL.into_iter().map(move |piece_type| Piece::new(color, piece_type)))
    }

    /// Reads a FEN letter: `KABNRCP` (capitals are Red), with `E` for a bishop and `H` for a knight as synonyms.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let piece_type = match letter.to_ascii_uppercase() {
            b'K' => PieceType::King,
            b'A' => PieceType::Advisor,
            b'B' | b'E' => PieceType::Bishop,
            b'N' | b'H' => PieceType::Knight,
            b'R' => PieceType::Rook,
            b'C' => PieceType::Cannon,
            b'P' => PieceType::Pawn,
            _ => return None,
        };
        Some(Piece::new(if letter.is_ascii_uppercase() { Color::Red } else { Color::Black }, piece_type))
    }

    /// The FEN letter.
    pub const fn letter(self) -> char {
        let letter = b"KABNRCP"[self.piece_type().index()];
        (match self.color() {
            Color::Red => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }) as char
    }

    /// The Chinese character on the piece, different for the two sides.
    pub const fn character(self) -> char {
        const RED: [char; PieceType::COUNT] = ['帥', '仕', '相', '傌', '俥', '炮', '兵'];
        const BLACK: [char; PieceType::COUNT] = ['將', '士', '象', '馬', '車', '砲', '卒'];
        match self.color() {
            Color::Red => RED[self.piece_type().index()],
            Color::Black => BLACK[self.piece_type().index()],
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_codes_round_trip() {
        let all: Vec<Piece> = Piece::all().collect();
        assert_eq!(all.len(), 14);
        for piece in all {
            assert_eq!(Piece::from_letter(piece.letter() as u8), Some(piece));
            assert_eq!(Piece::from_code(piece.code()), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.piece_type()), piece);
        }
        assert_eq!(Piece::from_letter(b'H'), Piece::from_letter(b'N'));
        assert_eq!(Piece::from_letter(b'e'), Piece::from_letter(b'b'));
        assert_eq!(Piece::from_letter(b'x'), None);
        assert_eq!(Piece::from_code(15), None);
    }
}
