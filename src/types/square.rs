//! A square of the 16×16 frame in which the 9×10 board lies.

use std::fmt;

/// A square of the 16×16 frame: `16 * row + column`.
///
/// The board fills columns 3–11 (files a–i) and rows 3–12 (row 3 is Black's back rank, rank 9; row 12 is Red's, rank
/// 0), as in ElephantEye. A leaper that steps off the board lands on a border cell of the frame, so no range test is
/// needed, and a `u8` indexes a `[T; 256]` without a bounds check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Column of file a in the frame.
    pub const FIRST_COLUMN: u8 = 3;
    /// Row of Black's back rank (rank 9) in the frame.
    pub const FIRST_ROW: u8 = 3;
    /// Number of files (a–i).
    pub const FILES: u8 = 9;
    /// Number of ranks (0–9).
    pub const RANKS: u8 = 10;
    /// A square off the board: the square of captured pieces.
    pub const OFF: Square = Square(0);

    /// The square on `file` (0 = a … 8 = i) and `rank` (0 = Red's back rank … 9 = Black's).
    ///
    /// # Panics
    /// If it is off the board.
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < Self::FILES && rank < Self::RANKS);
        Square((12 - rank) * 16 + file + Self::FIRST_COLUMN)
    }

    /// The square with index `raw` in the frame, on the board or not.
    pub const fn from_raw(raw: u8) -> Square {
        Square(raw)
    }

    /// The index in the frame.
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// The index in the frame, for `[T; 256]`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column of the frame, 0–15; 3–11 on the board.
    pub const fn column(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Row of the frame, 0–15 counted from Black's side; 3–12 on the board.
    pub const fn row(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// 0 = file a … 8 = file i; only for squares on the board.
    pub const fn file(self) -> u8 {
        (self.0 & 15).wrapping_sub(Self::FIRST_COLUMN)
    }

    /// 0 = Red's back rank … 9 = Black's; only for squares on the board.
    pub const fn rank(self) -> u8 {
        12u8.wrapping_sub(self.0 >> 4)
    }

    /// Whether this is one of the 90 squares of the board.
    pub const fn is_on_board(self) -> bool {
        self.file() < Self::FILES && self.rank() < Self::RANKS
    }

    /// The square at index + `delta` in the frame, wrapping.
    #[inline]
    pub const fn offset(self, delta: i8) -> Square {
        Square(self.0.wrapping_add_signed(delta))
    }

    /// The left-right mirror image.
    pub const fn mirrored(self) -> Square {
        Square((self.0 & 0xF0) | (14 - (self.0 & 15)))
    }

    /// The square rotated by 180 degrees.
    pub const fn rotated(self) -> Square {
        Square(254 - self.0)
    }

    /// The square with ranks mirrored (rank 0 becomes rank 9); the file stays.
    pub const fn flipped(self) -> Square {
        Square(((15 - (self.0 >> 4)) << 4) | (self.0 & 15))
    }

    /// Whether the square lies in one of the two palaces.
    pub const fn is_in_palace(self) -> bool {
        self.file() >= 3 && self.file() <= 5 && (self.rank() <= 2 || (self.rank() >= 7 && self.rank() <= 9))
    }

    /// All 90 squares, rank 9 to rank 0, file a to file i: the order of a FEN.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..Self::RANKS).rev().flat_map(|rank| (0..Self::FILES).map(move |file| Square::new(file, rank)))
    }

    /// Reads two bytes such as `h2` (either case).
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'0');
        if file < Self::FILES && rank < Self::RANKS { Some(Square::new(file, rank)) } else { None }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_on_board() {
            write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
        } else {
            f.write_str("--")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_frame_index_of_the_book_format() {
        assert_eq!(Square::from_ascii(b'b', b'2').unwrap().raw(), 0xA4);
        assert_eq!(Square::from_ascii(b'e', b'0').unwrap().raw(), 0xC7);
        assert_eq!(Square::from_ascii(b'a', b'9').unwrap().raw(), 0x33);
        assert_eq!(Square::all().count(), 90);
        assert_eq!((0..=255).filter(|&raw| Square::from_raw(raw).is_on_board()).count(), 90);
    }

    #[test]
    fn symmetries_keep_the_board() {
        for square in Square::all() {
            assert_eq!(square.mirrored().rank(), square.rank());
            assert_eq!(square.mirrored().file(), 8 - square.file());
            assert_eq!(square.rotated().rank(), 9 - square.rank());
            assert_eq!(square.flipped(), square.rotated().mirrored());
            assert_eq!(
                Square::from_ascii(square.to_string().as_bytes()[0], square.to_string().as_bytes()[1]),
                Some(square)
            );
        }
    }
}
