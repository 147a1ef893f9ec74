//! A piece on a square, as one index into dense tables.

use super::{Color, Piece, PieceType, Square};

/// A piece on a square: its index in tables of piece-square values, features and histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSquare(u16);

impl PieceSquare {
    /// Number of pairs: fourteen pieces on ninety squares.
    pub const COUNT: usize = 14 * PieceSquare::SQUARES;
    const SQUARES: usize = 90;

    /// `piece` on `square`. For a square off the board it is that of square a0.
    #[inline]
    pub const fn new(piece: Piece, square: Square) -> PieceSquare {
        /// Index of each square: nine times the rank, plus the file.
        static SQUARE_INDEX: [u8; 256] = {
            let mut index = [0; 256];
            let mut raw = 0;
            while raw < 256 {
                let square = Square::from_raw(raw as u8);
                if square.is_on_board() {
                    index[raw] = square.rank() * 9 + square.file();
                }
                raw += 1;
            }
            index
        };
        PieceSquare(PieceSquare::first(piece) + SQUARE_INDEX[square.index()] as u16)
    }

    /// Index of the piece on a0: Red's pieces first, then by type.
    #[inline]
    const fn first(piece: Piece) -> u16 {
        static FIRST: [u16; Piece::SLOTS] = {
            let mut first = [0; Piece::SLOTS];
            let mut n = 0;
            while n < 14 {
                let piece = Piece::new(Color::ALL[n / PieceType::COUNT], PieceType::ALL[n % PieceType::COUNT]);
                first[piece.index()] = (n * PieceSquare::SQUARES) as u16;
                n += 1;
            }
            first
        };
        FIRST[piece.index()]
    }

    /// The pair of this index, below [`PieceSquare::COUNT`].
    pub const fn from_index(index: usize) -> PieceSquare {
        assert!(index < PieceSquare::COUNT);
        PieceSquare(index as u16)
    }

    /// The index, below [`PieceSquare::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The color of the piece.
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < PieceSquare::COUNT / 2 { Color::Red } else { Color::Black }
    }

    /// The piece.
    pub const fn piece(self) -> Piece {
        let n = self.index() / PieceSquare::SQUARES;
        Piece::new(Color::ALL[n / PieceType::COUNT], PieceType::ALL[n % PieceType::COUNT])
    }

    /// The square.
    pub const fn square(self) -> Square {
        let n = self.index() % PieceSquare::SQUARES;
        Square::new((n % 9) as u8, (n / 9) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_dense_and_inverted() {
        let mut expected = 0;
        for piece in Piece::all() {
            for n in 0..90 {
                let square = Square::new(n % 9, n / 9);
                let pair = PieceSquare::new(piece, square);
                assert_eq!(pair.index(), expected);
                assert_eq!(pair, PieceSquare::from_index(expected));
                assert_eq!((pair.piece(), pair.square(), pair.color()), (piece, square, piece.color()));
                expected += 1;
            }
        }
        assert_eq!(expected, PieceSquare::COUNT);
    }
}
