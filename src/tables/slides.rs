//! Lines of sight along ranks and files, for every place and every occupancy.
//!
//! A rank is a word of 9 bits (bit 0 = file a), a file a word of 10 bits (bit 0 = row 3, Black's back rank): the
//! *bit-ranks* and *bit-files* of a position. From a place on a line, going either way, the **first** man met stops a
//! rook and is what it captures; the **second** is what a cannon captures over the first; the **third** is what a
//! "super-cannon" would capture over two screens. The first three men each way are all that check and pin knowledge
//! needs; squares before the first are the moves without capture.
//!
//! Tables are indexed `[coordinate in the frame][occupancy]`, both padded to powers of two, so that a masked index
//! needs no bounds check. Whether the place itself is marked occupied makes no difference.

use crate::types::Square;

/// Length of the outer dimension: coordinates of the 16×16 frame.
const COORDINATES: usize = 16;
/// Occupancies of a rank.
pub const RANK_WORDS: usize = 1 << Square::FILES;
/// Occupancies of a file.
pub const FILE_WORDS: usize = 1 << Square::RANKS;

/// Where the first three men on each side of a place stand, as six coordinates of the frame.
///
/// A missing man is the border's coordinate just off the board, whose cell belongs to neither side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends(u32);

impl Ends {
    /// The nearest man toward smaller coordinates: captured by a rook.
    #[inline]
    pub const fn first_low(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// The nearest man toward larger coordinates: captured by a rook.
    #[inline]
    pub const fn first_high(self) -> u8 {
        (self.0 >> 4 & 15) as u8
    }

    /// The second man toward smaller coordinates: captured by a cannon.
    #[inline]
    pub const fn second_low(self) -> u8 {
        (self.0 >> 8 & 15) as u8
    }

    /// The second man toward larger coordinates: captured by a cannon.
    #[inline]
    pub const fn second_high(self) -> u8 {
        (self.0 >> 12 & 15) as u8
    }

    /// The third man toward smaller coordinates: captured by a super-cannon.
    #[inline]
    pub const fn third_low(self) -> u8 {
        (self.0 >> 16 & 15) as u8
    }

    /// The third man toward larger coordinates: captured by a super-cannon.
    #[inline]
    pub const fn third_high(self) -> u8 {
        (self.0 >> 20 & 15) as u8
    }
}

/// The squares a slider reaches on a line, as masks in the form of the line's occupancy word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Empty squares reached without capture, by rook and cannon alike.
    pub quiet: u16,
    /// Men a rook captures (of either side).
    pub rook: u16,
    /// Men a cannon captures.
    pub cannon: u16,
    /// Men a super-cannon would capture.
    pub super_cannon: u16,
}

/// The nth man (from 1) from `place` going by `step`, as a place on a line of `length`, or the place just off it.
const fn nth_man(place: i32, occupancy: usize, length: i32, step: i32, n: u32) -> i32 {
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

const fn ends(place: i32, occupancy: usize, length: i32, first: i32) -> Ends {
    let mut packed = 0;
    let mut n = 0;
    while n < 3 {
        packed |= ((nth_man(place, occupancy, length, -1, n + 1) + first) as u32) << (8 * n);
        packed |= ((nth_man(place, occupancy, length, 1, n + 1) + first) as u32) << (8 * n + 4);
        n += 1;
    }
    Ends(packed)
}

const fn bit(at: i32, length: i32) -> u16 {
    if at >= 0 && at < length { 1 << at } else { 0 }
}

const fn reach(place: i32, occupancy: usize, length: i32) -> Reach {
    let low = nth_man(place, occupancy, length, -1, 1);
    let high = nth_man(place, occupancy, length, 1, 1);
    let second_low = nth_man(place, occupancy, length, -1, 2);
    let second_high = nth_man(place, occupancy, length, 1, 2);
    let third_low = nth_man(place, occupancy, length, -1, 3);
    let third_high = nth_man(place, occupancy, length, 1, 3);
    // All places strictly between the two nearest men, but for the place itself.
    let below_high = (1u32 << high) - 1;
    let up_to_low = (1u32 << (low + 1)) - 1;
    Reach {
        quiet: (below_high & !up_to_low & !(1 << place)) as u16,
        rook: bit(low, length) | bit(high, length),
        cannon: bit(second_low, length) | bit(second_high, length),
        super_cannon: bit(third_low, length) | bit(third_high, length),
    }
}

const fn build_ends<const WORDS: usize>(length: u8, first: u8) -> [[Ends; WORDS]; COORDINATES] {
    let mut table = [[Ends(0); WORDS]; COORDINATES];
    let mut place = 0;
    while place < length {
        let mut occupancy = 0;
        while occupancy < WORDS {
            table[(place + first) as usize][occupancy] = ends(place as i32, occupancy, length as i32, first as i32);
            occupancy += 1;
        }
        place += 1;
    }
    table
}

const fn build_reach<const WORDS: usize>(length: u8, first: u8) -> [[Reach; WORDS]; COORDINATES] {
    let mut table = [[Reach { quiet: 0, rook: 0, cannon: 0, super_cannon: 0 }; WORDS]; COORDINATES];
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

static RANK_ENDS: [[Ends; RANK_WORDS]; COORDINATES] = build_ends(Square::FILES, Square::FIRST_COLUMN);
static FILE_ENDS: [[Ends; FILE_WORDS]; COORDINATES] = build_ends(Square::RANKS, Square::FIRST_ROW);
static RANK_REACH: [[Reach; RANK_WORDS]; COORDINATES] = build_reach(Square::FILES, Square::FIRST_COLUMN);
static FILE_REACH: [[Reach; FILE_WORDS]; COORDINATES] = build_reach(Square::RANKS, Square::FIRST_ROW);

/// The men seen from `square` along its rank, whose occupancy is `word`; coordinates are columns.
#[inline]
pub const fn rank_ends(square: Square, word: u16) -> Ends {
    RANK_ENDS[square.column()][word as usize & (RANK_WORDS - 1)]
}

/// The men seen from `square` along its file, whose occupancy is `word`; coordinates are rows.
#[inline]
pub const fn file_ends(square: Square, word: u16) -> Ends {
    FILE_ENDS[square.row()][word as usize & (FILE_WORDS - 1)]
}

/// What sliders on `square` reach along its rank, whose occupancy is `word`.
#[inline]
pub const fn rank_reach(square: Square, word: u16) -> Reach {
    RANK_REACH[square.column()][word as usize & (RANK_WORDS - 1)]
}

/// What sliders on `square` reach along its file, whose occupancy is `word`.
#[inline]
pub const fn file_reach(square: Square, word: u16) -> Reach {
    FILE_REACH[square.row()][word as usize & (FILE_WORDS - 1)]
}

/// The bit of `square` in its rank's occupancy word.
#[inline]
pub const fn rank_bit(square: Square) -> u16 {
    1 << (square.column() as u32).wrapping_sub(Square::FIRST_COLUMN as u32) % 16
}

/// The bit of `square` in its file's occupancy word.
#[inline]
pub const fn file_bit(square: Square) -> u16 {
    1 << (square.row() as u32).wrapping_sub(Square::FIRST_ROW as u32) % 16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a line man by man, as a person would, and compares every entry.
    fn check(length: u8, first: u8, words: usize, ends: impl Fn(u8, u16) -> Ends, reach: impl Fn(u8, u16) -> Reach) {
        for place in 0..length {
            for word in 0..words as u16 {
                let mut expected = Reach::default();
                for direction in [-1i8, 1] {
                    let mut men = Vec::new();
                    let mut at = place as i8 + direction;
                    while (0..length as i8).contains(&at) {
                        if word & 1 << at != 0 {
                            men.push(at);
                        } else if men.is_empty() {
                            expected.quiet |= 1 << at;
                        }
                        at += direction;
                    }
                    for (n, mask) in [&mut expected.rook, &mut expected.cannon, &mut expected.super_cannon]
                        .into_iter()
                        .enumerate()
                    {
                        *mask |= men.get(n).map_or(0, |&at| 1 << at);
                    }
                    let got = ends(place + first, word);
                    let got = match direction {
                        -1 => [got.first_low(), got.second_low(), got.third_low()],
                        _ => [got.first_high(), got.second_high(), got.third_high()],
                    };
                    let border = if direction < 0 { first - 1 } else { first + length };
                    for n in 0..3 {
                        assert_eq!(got[n], men.get(n).map_or(border, |&at| at as u8 + first));
                    }
                }
                assert_eq!(reach(place + first, word), expected, "place {place} word {word:b}");
            }
        }
    }

    #[test]
    fn every_rank_entry_is_what_a_walk_finds() {
        let square = |column: u8| Square::from_raw(7 << 4 | column);
        check(9, 3, RANK_WORDS, |at, word| rank_ends(square(at), word), |at, word| rank_reach(square(at), word));
    }

    #[test]
    fn every_file_entry_is_what_a_walk_finds() {
        let square = |row: u8| Square::from_raw(row << 4 | 7);
        check(10, 3, FILE_WORDS, |at, word| file_ends(square(at), word), |at, word| file_reach(square(at), word));
    }

    #[test]
    fn bits_number_the_squares_of_a_line() {
        for square in Square::all() {
            assert_eq!(rank_bit(square), 1 << square.file());
            assert_eq!(file_bit(square), 1 << (9 - square.rank()));
        }
    }
}
