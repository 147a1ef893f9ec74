//! What each man is worth on each square, early in the game and late.
//!
//! Tables are seen from Red's side, rank 9 at the top, files a to e; files f to i mirror them. Units: engine units, in
//! which a knight or a cannon is about 400. Fitted to the results and scores of 7,900 games of self-play (794,000 positions, 3,000 nodes a move) by logistic regression.

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
            [   0,    0,    0, -122,  -61],
            [   0,    0,    0,  -61,   10],
            [   0,    0,    0,   74,  118],
        ],
        late: [
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,   47,   28],
            [   0,    0,    0,   23,   -9],
            [   0,    0,    0,  -38,  -51],
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
            [ 180,  180,  180,  162,  180],
            [ 180,  180,  180,  180,  244],
            [ 190,  190,  190,  224,  190],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,   85,  170],
            [ 170,  170,  170,  170,   70],
            [ 170,  170,  170,   40,  170],
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
            [ 165,  180,  156,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 130,  180,  180,  180,  203],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  169,  180,  195],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,   73,  170,  170],
            [ 170,  170,  170,  170,  170],
            [  95,  170,  170,  170,   59],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,   77,  170,  170],
        ],
    },
    // Knight
    Table {
        early: [
            [ 404,  407,  403,  435,  453],
            [ 388,  417,  471,  459,  444],
            [ 401,  447,  470,  480,  508],
            [ 399,  510,  442,  534,  464],
            [ 399,  416,  449,  465,  484],
            [ 380,  390,  465,  423,  433],
            [ 367,  401,  377,  401,  428],
            [ 348,  367,  375,  406,  413],
            [ 365,  333,  352,  363,  375],
            [ 305,  312,  325,  369,  367],
        ],
        late: [
            [ 434,  411,  417,  423,  432],
            [ 423,  420,  400,  380,  448],
            [ 427,  401,  397,  389,  403],
            [ 412,  405,  397,  390,  372],
            [ 417,  401,  410,  403,  398],
            [ 414,  420,  402,  412,  417],
            [ 397,  416,  404,  418,  411],
            [ 392,  397,  381,  410,  411],
            [ 370,  395,  410,  396,  335],
            [ 368,  332,  417,  407,  429],
        ],
    },
    // Rook
    Table {
        early: [
            [ 875,  904,  931,  956,  906],
            [ 905,  931,  897,  935,  918],
            [ 904,  906,  926,  931,  933],
            [ 901,  911,  930,  934,  940],
            [ 887,  905,  916,  947,  905],
            [ 890,  895,  913,  943,  912],
            [ 845,  894,  892,  914,  898],
            [ 837,  884,  871,  893,  887],
            [ 841,  868,  846,  887,  861],
            [ 811,  861,  864,  844,  839],
        ],
        late: [
            [ 907,  910,  913,  942,  909],
            [ 910,  904,  910,  926,  948],
            [ 923,  936,  932,  950,  944],
            [ 919,  924,  933,  938,  930],
            [ 927,  930,  945,  928,  960],
            [ 930,  919,  947,  933,  943],
            [ 929,  924,  951,  939,  948],
            [ 911,  915,  943,  932,  936],
            [ 877,  918,  902,  916,  915],
            [ 874,  911,  899,  911,  910],
        ],
    },
    // Cannon
    Table {
        early: [
            [ 451,  425,  442,  381,  440],
            [ 414,  398,  417,  419,  425],
            [ 413,  407,  405,  417,  423],
            [ 447,  418,  453,  456,  495],
            [ 434,  398,  411,  426,  487],
            [ 427,  432,  444,  437,  490],
            [ 411,  396,  417,  448,  492],
            [ 436,  417,  449,  449,  481],
            [ 427,  435,  445,  449,  471],
            [ 403,  385,  378,  403,  432],
        ],
        late: [
            [ 390,  381,  366,  345,  325],
            [ 375,  373,  335,  352,  370],
            [ 370,  373,  361,  346,  370],
            [ 354,  359,  350,  347,  335],
            [ 358,  375,  353,  342,  338],
            [ 351,  343,  335,  346,  315],
            [ 379,  380,  346,  331,  314],
            [ 369,  358,  341,  328,  332],
            [ 351,  372,  355,  339,  280],
            [ 368,  375,  357,  350,  343],
        ],
    },
    // Pawn
    Table {
        early: [
            [  80,   62,   80,   75,   73],
            [ 142,  151,  195,  362,  284],
            [ 130,  172,  187,  261,  250],
            [ 107,  164,  146,  165,  164],
            [  69,  125,  122,  148,  139],
            [  27,   68,   73,   68,   63],
            [  24,   60,   42,   60,   58],
            [  62,   52,   77,   52,   62],
            [  54,   44,   69,   44,   54],
            [  46,   36,   61,   36,   46],
        ],
        late: [
            [ 146,  130,  105,   80,   94],
            [ 233,  219,  203,  180,  217],
            [ 208,  203,  213,  265,  252],
            [ 183,  180,  202,  190,  193],
            [ 182,  160,  178,  176,  200],
            [ 119,   88,   93,   88,  143],
            [ 120,   80,   87,   80,  126],
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
