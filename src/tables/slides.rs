//! Slide tables of rooks and cannons along ranks and files, by square and occupancy (the bit-rank and bit-file tables
//! of ElephantEye).
//!
//! A *bit-rank* is the occupancy of a rank, 9 bits (bit 0 = file a); a *bit-file* that of a file, 10 bits (bit 0 = row
//! 3, Black's back rank). From a square in either direction, the **first** piece is what a rook captures; the
//! **second** is what a cannon captures over one screen; the **third** is what a "super-cannon" would capture over two
//! screens. The first three pieces each way are enough to find checks, pins and blockers; the squares before the first
//! are the quiet moves.
//!
//! Tables are indexed `[coordinate in the frame][occupancy]`, both padded to powers of two, so that a masked index
//! needs no bounds check. The bit of the square itself makes no difference.

use crate::types::Square;

/// Length of the outer dimension: coordinates of the 16×16 frame.
const COORDINATES: usize = 16;
/// Number of occupancies of a rank.
pub const RANK_WORDS: usize = 1 << Square::FILES;
/// Number of occupancies of a file.
pub const FILE_WORDS: usize = 1 << Square::RANKS;

/// The first three pieces on either side of a square along a line, and the number of empty squares between the nearest.
///
/// Coordinates are parts of a frame index: the column on a rank, sixteen times the row on a file. A missing piece is
/// the border square next to the board, whose cell belongs to neither side.
///
/// Packed into one word: a slider needs one load per line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlideTargets(u64);

impl SlideTargets {
    #[inline(always)]
    const fn byte(self, n: usize) -> u8 {
        (self.0 >> (8 * n)) as u8
    }

    /// The nearest piece on the low (0) or the high (1) side: captured by a rook.
    #[inline(always)]
    pub const fn first(self, side: usize) -> u8 {
        self.byte(side)
    }

    /// The second piece on the low (0) or the high (1) side: captured by a cannon.
    #[inline(always)]
    pub const fn second(self, side: usize) -> u8 {
        self.byte(2 + side)
    }

    /// The third piece on the low (0) or the high (1) side: captured by a super-cannon.
    #[inline(always)]
    pub const fn third(self, side: usize) -> u8 {
        self.byte(4 + side)
    }

    /// Number of quiet moves to the low side.
    #[inline(always)]
    pub const fn low_quiet_count(self) -> usize {
        self.byte(6) as usize
    }

    /// Number of quiet moves: empty squares between the nearest pieces.
    #[inline(always)]
    pub const fn quiet_count(self) -> usize {
        self.byte(7) as usize
    }
}

/// The squares a slider reaches on a line, as masks of a bit-rank or bit-file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SlideMask {
    /// Quiet moves, the same for rook and cannon.
    pub quiet: u16,
    /// Pieces a rook captures (of either side).
    pub rook: u16,
    /// Pieces a cannon captures.
    pub cannon: u16,
    /// Pieces a super-cannon would capture.
    pub super_cannon: u16,
}

/// The coordinate of the nth piece (from 1) from `place` in the direction `step` on a line of `length`, or the
/// coordinate just off the line.
const fn nth_piece(place: i32, occupancy: usize, length: i32, step: i32, n: u32) -> i32 {
    let mut at = place + step;
    let mut met = 0;
    while at >= 0 && at < length {
        if occupancy >> at & 1 != 0 {
            met += 1;
            if met == n {
                return at;
            }
        }
        at += step;
    }
    at
}

const fn ends(place: i32, occupancy: usize, length: i32, first: i32, scale: i32) -> SlideTargets {
    let mut bytes = [0; 8];
    let mut n = 0;
    while n < 3 {
        bytes[2 * n] = ((nth_piece(place, occupancy, length, -1, n as u32 + 1) + first) * scale) as u8;
        bytes[2 * n + 1] = ((nth_piece(place, occupancy, length, 1, n as u32 + 1) + first) * scale) as u8;
        n += 1;
    }
    let low = nth_piece(place, occupancy, length, -1, 1);
    let high = nth_piece(place, occupancy, length, 1, 1);
    bytes[6] = (place - low - 1) as u8;
    bytes[7] = (high - low - 2) as u8;
    SlideTargets(u64::from_le_bytes(bytes))
}

const fn bit(at: i32, length: i32) -> u16 {
    if at >= 0 && at < length { 1 << at } else { 0 }
}

const fn reach(place: i32, occupancy: usize, length: i32) -> SlideMask {
    let low = nth_piece(place, occupancy, length, -1, 1);
    let high = nth_piece(place, occupancy, length, 1, 1);
    let second_low = nth_piece(place, occupancy, length, -1, 2);
    let second_high = nth_piece(place, occupancy, length, 1, 2);
    let third_low = nth_piece(place, occupancy, length, -1, 3);
    let third_high = nth_piece(place, occupancy, length, 1, 3);
    // All squares strictly between the two nearest pieces, without the slider's own.
    let below_high = (1u32 << high) - 1;
    let up_to_low = (1u32 << (low + 1)) - 1;
    SlideMask {
        quiet: (below_high & !up_to_low & !(1 << place)) as u16,
        rook: bit(low, length) | bit(high, length),
        cannon: bit(second_low, length) | bit(second_high, length),
        super_cannon: bit(third_low, length) | bit(third_high, length),
    }
}

const fn build_targets<const WORDS: usize>(length: u8, first: u8, scale: i32) -> [[SlideTargets; WORDS]; COORDINATES] {
    let mut table = [[SlideTargets(0); WORDS]; COORDINATES];
    let mut place = 0;
    while place < length {
        let mut occupancy = 0;
        while occupancy < WORDS {
            table[(place + first) as usize][occupancy] =
                ends(place as i32, occupancy, length as i32, first as i32, scale);
            occupancy += 1;
        }
        place += 1;
    }
    table
}

const fn build_masks<const WORDS: usize>(length: u8, first: u8) -> [[SlideMask; WORDS]; COORDINATES] {
    let mut table = [[SlideMask { quiet: 0, rook: 0, cannon: 0, super_cannon: 0 }; WORDS]; COORDINATES];
    let mut place = 0;
    while place < length {
        let mut occupancy = 0;
        while occupancy < WORDS {
            table[(place + first) as usize][occupancy] = reach(place as i32, occupancy, length as i32);
            occupancy += 1;
        }
        place += 1;
    }
    table
}

static RANK_TARGETS: [[SlideTargets; RANK_WORDS]; COORDINATES] = build_targets(Square::FILES, Square::FIRST_COLUMN, 1);
static FILE_TARGETS: [[SlideTargets; FILE_WORDS]; COORDINATES] = build_targets(Square::RANKS, Square::FIRST_ROW, 16);
static RANK_MASKS: [[SlideMask; RANK_WORDS]; COORDINATES] = build_masks(Square::FILES, Square::FIRST_COLUMN);
static FILE_MASKS: [[SlideMask; FILE_WORDS]; COORDINATES] = build_masks(Square::RANKS, Square::FIRST_ROW);

const fn build_steps<const LANES: usize>(step: i32) -> [[u16; LANES]; COORDINATES] {
    let mut table = [[0; LANES]; COORDINATES];
    let mut below = 0;
    while below < COORDINATES {
        let mut n = 0;
        while n < LANES {
            let places = n as i32 - below as i32 + (n >= below) as i32;
            table[below][n] = (places * step) as u16;
            n += 1;
        }
        below += 1;
    }
    table
}

/// Quiet moves along a rank as vector lanes: lane `n` is what the nth empty square adds to the bits of a move from the
/// slider's square to itself. Indexed by the number of empty squares on the low side.
pub static RANK_STEPS: [[u16; 8]; COORDINATES] = build_steps(1 << 8);
/// The same along a file.
pub static FILE_STEPS: [[u16; 9]; COORDINATES] = build_steps(1 << 12);

/// The slide targets from `square` along its rank with the bit-rank `word`; coordinates are columns.
#[inline]
pub const fn rank_targets(square: Square, word: u16) -> SlideTargets {
    RANK_TARGETS[square.column()][word as usize & (RANK_WORDS - 1)]
}

/// The slide targets from `square` along its file with the bit-file `word`; coordinates are sixteen times rows.
#[inline]
pub const fn file_targets(square: Square, word: u16) -> SlideTargets {
    FILE_TARGETS[square.row()][word as usize & (FILE_WORDS - 1)]
}

/// The squares a slider on `square` reaches along its rank with the bit-rank `word`.
#[inline]
pub const fn rank_mask(square: Square, word: u16) -> SlideMask {
    RANK_MASKS[square.column()][word as usize & (RANK_WORDS - 1)]
}

/// The squares a slider on `square` reaches along its file with the bit-file `word`.
#[inline]
pub const fn file_mask(square: Square, word: u16) -> SlideMask {
    FILE_MASKS[square.row()][word as usize & (FILE_WORDS - 1)]
}

/// For each square its bits in its bit-rank and its bit-file; zero off the board.
static BITS: [[u16; 2]; 256] = {
    let mut table = [[0; 2]; 256];
    let mut raw = 0;
    while raw < 256 {
        let square = Square::from_raw(raw as u8);
        if square.is_on_board() {
            table[raw] = [1 << square.file(), 1 << (square.row() - Square::FIRST_ROW as usize)];
        }
        raw += 1;
    }
    table
};

/// The bit of `square` in its bit-rank.
#[inline]
pub const fn rank_bit(square: Square) -> u16 {
    BITS[square.index()][0]
}

/// The bit of `square` in its bit-file.
#[inline]
pub const fn file_bit(square: Square) -> u16 {
    BITS[square.index()][1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scans each line square by square and compares every entry of the tables.
    fn check(
        line: &[Square],
        words: u16,
        place_of: impl Fn(Square) -> u8,
        read: impl Fn(Square, u16) -> (SlideTargets, SlideMask),
    ) {
        let before = place_of(line[0]) - (place_of(line[1]) - place_of(line[0]));
        let after = place_of(line[line.len() - 1]) + (place_of(line[1]) - place_of(line[0]));
        for (own, &square) in line.iter().enumerate() {
            for word in 0..words {
                let (ends, reach) = read(square, word);
                let mut expected = SlideMask::default();
                for (side, border) in [before, after].into_iter().enumerate() {
                    let way: Vec<usize> =
                        if side == 0 { (0..own).rev().collect() } else { (own + 1..line.len()).collect() };
                    let pieces: Vec<usize> = way.iter().copied().filter(|at| word >> at & 1 != 0).collect();
                    for &at in way.iter().take_while(|&&at| word >> at & 1 == 0) {
                        expected.quiet |= 1 << at;
                    }
                    let masks = [&mut expected.rook, &mut expected.cannon, &mut expected.super_cannon];
                    for (n, (mask, end)) in
                        masks.into_iter().zip([ends.first(side), ends.second(side), ends.third(side)]).enumerate()
                    {
                        *mask |= pieces.get(n).map_or(0, |&at| 1 << at);
                        assert_eq!(end, pieces.get(n).map_or(border, |&at| place_of(line[at])));
                    }
                }
                assert_eq!(reach, expected, "{square} {word:b}");
                assert_eq!(ends.quiet_count() as u32, expected.quiet.count_ones());
                let below = expected.quiet & ((1 << own) - 1);
                assert_eq!(ends.low_quiet_count() as u32, below.count_ones());
            }
        }
    }

    #[test]
    fn rank_tables_equal_a_naive_scan() {
        let line: Vec<Square> = (0..9).map(|file| Square::new(file, 4)).collect();
        check(&line, RANK_WORDS as u16, |s| s.raw() & 15, |s, word| (rank_targets(s, word), rank_mask(s, word)));
    }

    #[test]
    fn file_tables_equal_a_naive_scan() {
        let line: Vec<Square> = (0..10).rev().map(|rank| Square::new(4, rank)).collect();
        check(&line, FILE_WORDS as u16, |s| s.raw() & 0xF0, |s, word| (file_targets(s, word), file_mask(s, word)));
    }

    #[test]
    fn line_bits_are_files_and_reversed_ranks() {
        for square in Square::all() {
            assert_eq!(rank_bit(square), 1 << square.file());
            assert_eq!(file_bit(square), 1 << (9 - square.rank()));
        }
    }
}
