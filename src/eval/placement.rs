//! What each man is worth on each square, early in the game and late.
//!
//! Tables are seen from Red's side, rank 9 at the top, files a to e; files f to i mirror them. Units: engine units, in
//! which a knight or a cannon is about 400. A first guess by hand.

use crate::types::{Color, Kind, Piece, Square};

/// A value early in the game and one late in it, added and subtracted as one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// A pair of values, each within ±16,000 in any sum.
    pub const fn new(early: i16, late: i16) -> Tapered {
        Tapered((late as i32) << 16).plus(early as i32)
    }

    const fn plus(self, early: i32) -> Tapered {
        Tapered(self.0 + early)
    }

    const fn negated(self) -> Tapered {
        Tapered(-self.0)
    }

    /// The value with all men on the board.
    #[inline]
    pub const fn early(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value with few men left.
    #[inline]
    pub const fn late(self) -> i32 {
        // What a negative early value borrowed is given back by rounding.
        (self.0 + 0x8000) >> 16
    }
}

impl std::ops::AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl std::ops::SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

/// How much each kind of man keeps the game in its early phase, by [`Kind`].
pub const PHASE: [i32; Kind::COUNT] = [0, 0, 0, 2, 4, 2, 0];

/// Half a board: ranks 9 to 0, files a to e.
type Half = [[i16; 5]; Square::RANKS as usize];

/// Early and late values of one kind.
struct Table {
    early: Half,
    late: Half,
}

/// By [`Piece::index`] and square; Black's values are negative.
pub static PLACEMENT: [[Tapered; 256]; Piece::SLOTS] = {
    let mut table = [[Tapered(0); 256]; Piece::SLOTS];
    let mut kind = 0;
    while kind < Kind::COUNT {
        let mut place = 0;
        while place < 90 {
            let (rank, file) = (place / 9, place % 9);
            let column = if file > 4 { 8 - file } else { file };
            let red = Square::new(file as u8, rank as u8);
            let values = &TABLES[kind];
            let value = Tapered::new(values.early[9 - rank][column], values.late[9 - rank][column]);
            table[Piece::new(Color::Red, Kind::ALL[kind]).index()][red.index()] = value;
            table[Piece::new(Color::Black, Kind::ALL[kind]).index()][red.rotated().index()] = value.negated();
            place += 1;
        }
        kind += 1;
    }
    table
};

#[rustfmt::skip]
const TABLES: [Table; Kind::COUNT] = [
    // King
    Table {
        early: [
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,  -30,  -30],
            [   0,    0,    0,  -10,  -10],
            [   0,    0,    0,   20,   20],
        ],
        late: [
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
        ],
    },
    // Advisor
    Table {
        early: [
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 190,  190,  190,  190,  190],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
        ],
    },
    // Bishop
    Table {
        early: [
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
        ],
    },
    // Knight
    Table {
        early: [
            [ 408,  418,  428,  438,  448],
            [ 408,  418,  428,  438,  448],
            [ 418,  428,  438,  448,  458],
            [ 418,  428,  438,  448,  458],
            [ 410,  420,  430,  440,  450],
            [ 402,  412,  422,  432,  442],
            [ 394,  404,  414,  424,  434],
            [ 386,  396,  406,  416,  426],
            [ 378,  388,  398,  408,  418],
            [ 320,  330,  340,  350,  360],
        ],
        late: [
            [ 456,  464,  471,  478,  486],
            [ 456,  464,  471,  478,  486],
            [ 456,  464,  471,  478,  486],
            [ 448,  456,  463,  470,  478],
            [ 440,  448,  455,  462,  470],
            [ 432,  440,  447,  454,  462],
            [ 424,  432,  439,  446,  454],
            [ 416,  424,  431,  438,  446],
            [ 408,  416,  423,  430,  438],
            [ 400,  408,  415,  422,  430],
        ],
    },
    // Rook
    Table {
        early: [
            [ 886,  890,  894,  897,  901],
            [ 886,  890,  894,  897,  901],
            [ 886,  890,  894,  897,  901],
            [ 886,  890,  894,  897,  901],
            [ 880,  884,  888,  891,  895],
            [ 874,  878,  882,  885,  889],
            [ 868,  872,  876,  879,  883],
            [ 862,  866,  870,  873,  877],
            [ 856,  860,  864,  867,  871],
            [ 825,  829,  832,  836,  840],
        ],
        late: [
            [ 928,  930,  933,  936,  938],
            [ 928,  930,  933,  936,  938],
            [ 928,  930,  933,  936,  938],
            [ 924,  926,  929,  932,  934],
            [ 920,  922,  925,  928,  930],
            [ 916,  918,  921,  924,  926],
            [ 912,  914,  917,  920,  922],
            [ 908,  910,  913,  916,  918],
            [ 904,  906,  909,  912,  914],
            [ 900,  902,  905,  908,  910],
        ],
    },
    // Cannon
    Table {
        early: [
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
            [ 430,  436,  442,  449,  455],
            [ 420,  426,  432,  439,  445],
            [ 420,  426,  432,  439,  445],
        ],
        late: [
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
            [ 380,  382,  385,  388,  390],
        ],
    },
    // Pawn
    Table {
        early: [
            [  70,   70,   70,   70,   70],
            [ 184,  194,  204,  239,  249],
            [ 166,  176,  186,  221,  231],
            [ 148,  158,  168,  178,  188],
            [ 130,  140,  150,  160,  170],
            [  78,   68,   93,   68,   78],
            [  70,   60,   85,   60,   70],
            [  62,   52,   77,   52,   62],
            [  54,   44,   69,   44,   54],
            [  46,   36,   61,   36,   46],
        ],
        late: [
            [ 110,  110,  110,  110,  110],
            [ 224,  234,  244,  279,  289],
            [ 206,  216,  226,  261,  271],
            [ 188,  198,  208,  218,  228],
            [ 170,  180,  190,  200,  210],
            [  88,   88,   88,   88,   88],
            [  80,   80,   80,   80,   80],
            [  72,   72,   72,   72,   72],
            [  64,   64,   64,   64,   64],
            [  56,   56,   56,   56,   56],
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_add_up_whatever_their_signs() {
        let mut sum = Tapered::default();
        let (mut early, mut late) = (0, 0);
        for (a, b) in [(-5, 7), (100, -300), (-1, -1), (900, 950), (-2_000, 1_999), (0, -1)] {
            sum += Tapered::new(a, b);
            early += a as i32;
            late += b as i32;
            assert_eq!((sum.early(), sum.late()), (early, late));
        }
    }

    #[test]
    fn sides_and_wings_are_worth_the_same() {
        for kind in Kind::ALL {
            for square in Square::all() {
                let red = PLACEMENT[Piece::new(Color::Red, kind).index()];
                let black = PLACEMENT[Piece::new(Color::Black, kind).index()];
                assert_eq!(red[square.index()].early(), -black[square.flipped().index()].early());
                assert_eq!(red[square.index()].late(), -black[square.flipped().index()].late());
                assert_eq!(red[square.index()], red[square.mirrored().index()]);
            }
        }
    }
}
