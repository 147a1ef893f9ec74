//! Bitboards: sets of squares, and the squares that a piece attacks as such sets.
//!
//! A bitboard holds what all pieces of a side attack in a few words. Move generation needs the squares one by one and
//! uses the mailbox tables of [`super::leapers`] and [`super::slides`], from which these are made.

use super::leapers::{ADVISOR, BISHOP, DIAGONAL, KING, KNIGHT_JUMPS, KNIGHT_MOVES, PAWN};
use super::slides::{FILE_WORDS, SlideMask, file_mask, rank_mask};
use crate::types::{Color, Square};

/// A set of squares: bit `9 * rank + file`.
pub type Bitboard = u128;

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
pub const fn bit(square: Square) -> Bitboard {
    BITS[square.index()]
}

/// The squares of a set, in ascending order.
#[inline]
pub fn squares(mut set: Bitboard) -> impl Iterator<Item = Square> {
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
pub const fn king_attacks(from: Square) -> Bitboard {
    static TABLE: Steps = steps!(KING);
    TABLE[from.index()]
}

/// The squares that an advisor of `color` attacks.
#[inline]
pub const fn advisor_attacks(color: Color, from: Square) -> Bitboard {
    static TABLE: [Steps; 2] = [steps!(ADVISOR[0]), steps!(ADVISOR[1])];
    TABLE[color.index()][from.index()]
}

/// The squares that a pawn of `color` attacks.
#[inline]
pub const fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    static TABLE: [Steps; 2] = [steps!(PAWN[0]), steps!(PAWN[1])];
    TABLE[color.index()][from.index()]
}

/// Sets for pieces that can be blocked beside their square, by square and by which of four squares are empty.
type Leaps = [[Bitboard; 16]; 256];

/// The squares that a knight attacks. Bit n of `legs`: nothing is on the leg of [`KNIGHT_JUMPS`]`[n]`.
#[inline]
pub const fn knight_attacks(from: Square, legs: usize) -> Bitboard {
    static TABLE: Leaps = {
        let mut table = [[0; 16]; 256];
        let mut index = 0;
        while index < SQUARES * 16 {
            let (from, legs) = (nth_square(index / 16), index % 16);
            let moves = &KNIGHT_MOVES[from.index()];
            let mut n = 0;
            while n < 32 {
                let (leg, jump) = (n / 8, n % 8);
                let is_leg = from.offset(KNIGHT_JUMPS[leg].0).raw() == moves.leg[jump];
                if moves.to[jump] != from.raw() && is_leg && legs >> leg & 1 != 0 {
                    table[from.index()][legs] |= BITS[moves.to[jump] as usize];
                }
                n += 1;
            }
            index += 1;
        }
        table
    };
    TABLE[from.index()][legs & 15]
}

/// The squares that a bishop of `color` attacks. Bit n of `eyes`: nothing is on the eye, [`DIAGONAL`]`[n]` away.
#[inline]
pub const fn bishop_attacks(color: Color, from: Square, eyes: usize) -> Bitboard {
    static TABLE: [Leaps; 2] = {
        let mut table = [[[0; 16]; 256]; 2];
        let mut index = 0;
        while index < 2 * SQUARES * 16 {
            let (color, from, eyes) = (index / 16 / SQUARES, nth_square(index / 16 % SQUARES), index % 16);
            let moves = &BISHOP[color][from.index()];
            let mut n = 0;
            while n < 16 {
                let (eye, jump) = (n / 4, n % 4);
                let is_eye = from.offset(DIAGONAL[eye]).raw() == moves.eye[jump];
                if moves.to[jump] != from.raw() && is_eye && eyes >> eye & 1 != 0 {
                    table[color][from.index()][eyes] |= BITS[moves.to[jump] as usize];
                }
                n += 1;
            }
            index += 1;
        }
        table
    };
    TABLE[color.index()][from.index()][eyes & 15]
}

/// The pieces that a rook on `from` attacks, given the bit-rank and the bit-file of its square; none off the board.
#[inline(always)]
pub fn rook_attacks(from: Square, rank: u16, file: u16) -> Bitboard {
    line_attacks(from, rank, file, |mask| mask.rook)
}

/// The pieces that a cannon on `from` attacks, given the bit-rank and the bit-file of its square; none off the board.
#[inline(always)]
pub fn cannon_attacks(from: Square, rank: u16, file: u16) -> Bitboard {
    line_attacks(from, rank, file, |mask| mask.cannon)
}

#[inline(always)]
fn line_attacks(from: Square, rank: u16, file: u16, attacked: impl Fn(SlideMask) -> u16) -> Bitboard {
    /// The squares of file a by their bits in a bit-file, whose lowest bit is Black's back rank.
    static FILE_A: [Bitboard; FILE_WORDS] = {
        let mut table = [0; FILE_WORDS];
        let mut index = 0;
        while index < FILE_WORDS * Square::RANKS as usize {
            let (word, row) = (index / Square::RANKS as usize, index % Square::RANKS as usize);
            if word >> row & 1 != 0 {
                table[word] |= BITS[Square::new(0, Square::RANKS - 1 - row as u8).index()];
            }
            index += 1;
        }
        table
    };
    let on_rank = attacked(rank_mask(from, rank));
    let on_file = attacked(file_mask(from, file));
    let on_file = FILE_A[on_file as usize & (FILE_WORDS - 1)];
    Bitboard::from(on_rank) << (Square::FILES * from.rank()) | on_file.wrapping_shl(from.file().into())
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
