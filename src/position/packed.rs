//! A position packed into 28 bytes, for collections of many millions: the board as the side to move sees it.

use super::{Position, PositionBuilder};
use crate::types::{Color, Piece, PieceType, Square};

/// Bytes of the occupied squares.
const OCCUPANCY: usize = 12;
/// Bytes of a packed position.
const BYTES: usize = OCCUPANCY + 16;
/// A board of at most 32 pieces from the point of view of the side to move, whose pieces are Red; for Black to move it is
/// the color-flipped board. It has neither history nor counters.
///
/// | bytes | content |
/// |---|---|
/// | 12 | a bit for each occupied square: bit `9 * rank + file`, the lowest in the lowest bit of the first byte |
/// | 16 | the pieces on these squares in the same order, four bits each, the low four bits of a byte first: piece type, for the enemy's plus 8 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPosition([u8; BYTES]);

impl PackedPosition {
    /// Number of bytes.
    pub const BYTES: usize = BYTES;

    /// Packs the board of a position.
    pub fn pack(position: &Position) -> PackedPosition {
        let side = position.side();
        let mut codes = [None; 90];
        for (piece, square) in position.pieces() {
            let square = if side == Color::Red { square } else { square.flipped() };
            let code = piece.piece_type() as u8 + 8 * u8::from(piece.color() != side);
            codes[usize::from(square.rank()) * 9 + usize::from(square.file())] = Some(code);
        }
        let mut bytes = [0; BYTES];
        let occupied = codes.into_iter().enumerate().filter_map(|(index, code)| Some((index, code?)));
        for (count, (index, code)) in occupied.enumerate() {
            bytes[index / 8] |= 1 << (index % 8);
            bytes[OCCUPANCY + count / 2] |= code << (4 * (count % 2));
        }
        PackedPosition(bytes)
    }

    /// The position as bytes.
    pub const fn to_bytes(self) -> [u8; BYTES] {
        self.0
    }

    /// The position of these bytes; `None` if it is not one that can occur.
    pub fn from_bytes(bytes: [u8; BYTES]) -> Option<PackedPosition> {
        let packed = PackedPosition(bytes);
        let is_known = packed.count() <= 32 && (0..packed.count()).all(|index| packed.code(index) & 7 < 7);
        let mut builder = PositionBuilder::new();
        if is_known {
            packed.pieces().for_each(|(piece, square)| {
                builder.set(square, Some(piece));
            });
        }
        (is_known && packed.occupancy() >> 90 == 0 && builder.build().is_ok()).then_some(packed)
    }

    /// Number of pieces.
    pub fn count(&self) -> usize {
        self.occupancy().count_ones() as usize
    }

    /// The pieces by rank from the back rank of the side to move, and by file.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let mut occupancy = self.occupancy();
        (0..self.count()).map(move |count| {
            let index = occupancy.trailing_zeros() as u8;
            occupancy &= occupancy - 1;
            let code = self.code(count);
            let color = if code < 8 { Color::Red } else { Color::Black };
            (Piece::new(color, PieceType::ALL[usize::from(code & 7)]), Square::new(index % 9, index / 9))
        })
    }

    /// The position, Red to move. Checks and blockers are not computed: it is no base for moves.
    pub fn unpack(&self) -> Position {
        let mut position = Position::empty();
        for (piece, square) in self.pieces() {
            position.put_piece(piece, square).expect("invariant: packed from a position");
        }
        position
    }

    /// The occupied squares.
    fn occupancy(&self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..OCCUPANCY].copy_from_slice(&self.0[..OCCUPANCY]);
        u128::from_le_bytes(bytes)
    }

    /// The piece with this number, from 0 to 31.
    fn code(&self, index: usize) -> u8 {
        self.0[OCCUPANCY + index / 2] >> (4 * (index % 2)) & 15
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_their_pieces_from_the_view_of_the_side_to_move() {
        assert_eq!(PackedPosition::BYTES, 28);
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let packed = PackedPosition::pack(&position);
            let mut builder = PositionBuilder::new();
            packed.pieces().for_each(|(piece, square)| {
                builder.set(square, Some(piece));
            });
            assert_eq!(builder.build().unwrap().to_fen(), fen);
            assert_eq!(PackedPosition::pack(&position.color_flipped()), packed);
            assert_eq!(packed.count(), position.pieces().count());
            let occupied = |square: Square| {
                let square = if position.side() == Color::Red { square } else { square.flipped() };
                let bit = usize::from(square.rank()) * 9 + usize::from(square.file());
                packed.to_bytes()[bit / 8] >> (bit % 8) & 1 != 0
            };
            assert!(Square::all().all(|square| occupied(square) == position.piece_at(square).is_some()));
        }
    }
}
