//! Bitboards: sets of squares, and the squares that a piece attacks as such sets.
//!
//! A bitboard holds what all pieces of a side attack in a few words. Move generation needs the squares one by one and
//! uses the mailbox tables of [`super::leapers`] and [`super::slides`], from which these are made.

use super::leapers::{ADVISOR, BISHOP, KING, KNIGHT_MOVES, PAWN};
use super::slides::{file_targets, rank_targets};
use crate::types::{Color, Square};

/// A set of squares: bit `9 * rank + file`.
pub(crate) type Bitboard = u128;

const SQUARES: usize = Square::RANKS as usize * Square::FILES as usize;

/// By square; 0 off the board.
static BITS: [Bitboard; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < SQUARES {
        table[nth_square(index).index()] = 1 << index;
        index += 1;
    }
    table
};

const fn nth_square(index: usize) -> Square {
    Square::new(index as u8 % Square::FILES, index as u8 / Square::FILES)
}

/// The set of one square, empty for a square off the board.
#[inline]
pub(crate) const fn bit(square: Square) -> Bitboard {
    BITS[square.index()]
}

/// The squares of a set, in ascending order.
#[inline]
pub(crate) fn squares(mut set: Bitboard) -> impl Iterator<Item = Square> {
    static SQUARE: [Square; 128] = {
        let mut table = [Square::OFF; 128];
        let mut index = 0;
        while index < SQUARES {
            table[index] = nth_square(index);
            index += 1;
        }
        table
    };
    std::iter::from_fn(move || {
        let index = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        SQUARE.get(index).copied()
    })
}

/// Sets for pieces that nothing blocks, by square.
type Steps = [Bitboard; 256];

/// The destinations in a row of [`super::leapers`], without the padding.
const fn set_of(row: &[u8], from: Square) -> Bitboard {
    let (mut set, mut n) = (0, 0);
    while n < row.len() {
        if row[n] != from.raw() {
            set |= BITS[row[n] as usize];
        }
        n += 1;
    }
    set
}

macro_rules! steps {
    ($rows:expr) => {{
        let mut table: Steps = [0; 256];
        let mut index = 0;
        while index < SQUARES {
            let from = nth_square(index);
            table[from.index()] = set_of(&$rows[from.index()], from);
            index += 1;
        }
        table
    }};
}

/// The squares that a king attacks.
#[inline]
pub(crate) const fn king_attacks(from: Square) -> Bitboard {
    static TABLE: Steps = steps!(KING);
    TABLE[from.index()]
}

/// The squares that an advisor of `color` attacks.
#[inline]
pub(crate) const fn advisor_attacks(color: Color, from: Square) -> Bitboard {
    static TABLE: [Steps; 2] = [steps!(ADVISOR[0]), steps!(ADVISOR[1])];
    TABLE[color.index()][from.index()]
}

/// The squares that a pawn of `color` attacks.
#[inline]
pub(crate) const fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    static TABLE: [Steps; 2] = [steps!(PAWN[0]), steps!(PAWN[1])];
    TABLE[color.index()][from.index()]
}

/// Sets for pieces that can be blocked beside their square, by square and by which of four squares are occupied.
type Leaps = [[Bitboard; 16]; 256];

/// Bit n of the index: a piece is on the square the nth step away, as [`beside`] and [`diagonally_beside`] pack them.
const KNIGHT_LEGS: [i8; 4] = [-1, -16, 1, 16];
const BISHOP_EYES: [i8; 4] = [-17, 15, -15, 17];

/// The two bits of a bit-rank or bit-file on either side of a square, as bits 0 and 2; `place` is the square's column or
/// row in the frame, whose lowest on the board is 3.
#[inline(always)]
const fn neighbors(word: u16, place: usize) -> usize {
    ((word as usize) << 4 >> place) & 5
}

/// The occupied squares beside `square` along its rank and file, given its bit-rank and bit-file: an index of
/// [`knight_attacks`].
#[inline(always)]
pub(crate) const fn beside(square: Square, rank: u16, file: u16) -> usize {
    neighbors(rank, square.column()) | neighbors(file, square.row()) << 1
}

/// The occupied squares diagonally beside `square`, given the bit-ranks of the rows above and below it in the frame: an
/// index of [`bishop_attacks`].
#[inline(always)]
pub(crate) const fn diagonally_beside(square: Square, above: u16, below: u16) -> usize {
    neighbors(above, square.column()) | neighbors(below, square.column()) << 1
}

/// The index of the step that leads from `from` to `beside`.
const fn step_index(steps: &[i8; 4], from: Square, beside: u8) -> usize {
    let mut n = 0;
    while from.offset(steps[n]).raw() != beside {
        n += 1;
    }
    n
}

/// The squares that a knight attacks; `occupied` is [`beside`] its square.
#[inline]
pub(crate) const fn knight_attacks(from: Square, occupied: usize) -> Bitboard {
    static TABLE: Leaps = {
        let mut table = [[0; 16]; 256];
        let mut index = 0;
        while index < SQUARES * 16 {
            let (from, occupied) = (nth_square(index / 16), index % 16);
            let moves = &KNIGHT_MOVES[from.index()];
            let mut n = 0;
            while n < 8 && moves.to[n] != from.raw() {
                if occupied >> step_index(&KNIGHT_LEGS, from, moves.leg[n]) & 1 == 0 {
                    table[from.index()][occupied] |= BITS[moves.to[n] as usize];
                }
                n += 1;
            }
            index += 1;
        }
        table
    };
    TABLE[from.index()][occupied & 15]
}

/// The squares that a bishop of `color` attacks; `occupied` is [`diagonally_beside`] its square.
#[inline]
pub(crate) const fn bishop_attacks(color: Color, from: Square, occupied: usize) -> Bitboard {
    static TABLE: [Leaps; 2] = {
        let mut table = [[[0; 16]; 256]; 2];
        let mut index = 0;
        while index < 2 * SQUARES * 16 {
            let (color, from, occupied) = (index / 16 / SQUARES, nth_square(index / 16 % SQUARES), index % 16);
            let moves = &BISHOP[color][from.index()];
            let mut n = 0;
            while n < moves.count as usize {
                if occupied >> step_index(&BISHOP_EYES, from, moves.eye[n]) & 1 == 0 {
                    table[color][from.index()][occupied] |= BITS[moves.to[n] as usize];
                }
                n += 1;
            }
            index += 1;
        }
        table
    };
    TABLE[color.index()][from.index()][occupied & 15]
}

/// The pieces that a rook on `from` attacks, given the bit-rank and the bit-file of its square; none off the board.
#[inline(always)]
pub(crate) const fn rook_attacks(from: Square, rank: u16, file: u16) -> Bitboard {
    let (rank, file) = (rank_targets(from, rank), file_targets(from, file));
    on_line(from, [rank.first(0), rank.first(1)], [file.first(0), file.first(1)])
}

/// The pieces that a cannon on `from` attacks, given the bit-rank and the bit-file of its square; none off the board.
#[inline(always)]
pub(crate) const fn cannon_attacks(from: Square, rank: u16, file: u16) -> Bitboard {
    let (rank, file) = (rank_targets(from, rank), file_targets(from, file));
    on_line(from, [rank.second(0), rank.second(1)], [file.second(0), file.second(1)])
}

/// The squares with these columns on the rank of `from`, and these rows (times sixteen) on its file.
#[inline(always)]
const fn on_line(from: Square, columns: [u8; 2], rows: [u8; 2]) -> Bitboard {
    let (row, column) = (from.raw() & 0xF0, from.raw() & 15);
    BITS[(row | columns[0]) as usize]
        | BITS[(row | columns[1]) as usize]
        | BITS[(rows[0] | column) as usize]
        | BITS[(rows[1] | column) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_squares_they_were_made_of() {
        let set = Square::all().step_by(7).fold(0, |set, square| set | bit(square));
        let mut expected: Vec<Square> = Square::all().step_by(7).collect();
        expected.sort_by_key(|square| (square.rank(), square.file()));
        assert_eq!(squares(set).collect::<Vec<_>>(), expected);
        assert_eq!(bit(Square::OFF), 0);
        assert_eq!(squares(0).count(), 0);
    }
}
