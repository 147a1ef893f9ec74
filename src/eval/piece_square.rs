//! Piece-square tables (PSQT): the value of each piece on each square, early and late in the game, material included.
//!
//! Tables are printed from Red's side, rank 9 at the top, files a to e; files f to i mirror them. In engine units: a
//! knight or a cannon is about 400. Fitted by logistic regression (Texel tuning) to the outcomes and scores of 12,400
//! self-play games in two rounds (the second with the values of the first), 3,000 and 4,000 nodes a move.

use super::tapered::{FULL_PHASE, Tapered};
use crate::position::{Change, Position};
use crate::types::{Color, Piece, PieceSquare, PieceType, Score, Square};

/// The weight of each piece in the phase of the game, by [`PieceType`]; the pieces of the start position add up to
/// [`FULL_PHASE`].
pub(crate) const PHASE: [i32; PieceType::COUNT] = [0, 0, 0, 2, 4, 2, 0];

/// Half a board: ranks 9 to 0, files a to e.
type Half = [[i16; 5]; Square::RANKS as usize];

/// Early and late values of one piece type.
struct PieceTable {
    early: Half,
    late: Half,
}

/// The value of each piece on each square. Black's values are negative.
pub(crate) static PIECE_SQUARE: [Tapered; PieceSquare::COUNT] = {
    let mut table = [Tapered::new(0, 0); PieceSquare::COUNT];
    let mut index = 0;
    while index < PieceSquare::COUNT {
        let pair = PieceSquare::from_index(index);
        let (piece, file) = (pair.piece(), pair.square().file() as usize);
        let is_red = matches!(piece.color(), Color::Red);
        let rank = if is_red { pair.square().rank() } else { pair.square().flipped().rank() } as usize;
        let (row, column) = (9 - rank, if file > 4 { 8 - file } else { file });
        let values = &TABLES[piece.piece_type().index()];
        let value = Tapered::new(values.early[row][column], values.late[row][column]);
        table[index] = if is_red { value } else { value.negated() };
        index += 1;
    }
    table
};

#[rustfmt::skip]
const TABLES: [PieceTable; PieceType::COUNT] = [
    // King
    PieceTable {
        early: [
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,  -80,  -40],
            [   0,    0,    0,  -72,  -14],
            [   0,    0,    0,   60,  106],
        ],
        late: [
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    0,    0],
            [   0,    0,    0,    9,    0],
            [   0,    0,    0,   32,    5],
            [   0,    0,    0,  -15,  -30],
        ],
    },
    // Advisor
    PieceTable {
        early: [
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  180,  180],
            [ 180,  180,  180,  173,  180],
            [ 180,  180,  180,  180,  257],
            [ 190,  190,  190,  226,  190],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,   38,  170],
            [ 170,  170,  170,  170,   31],
            [ 170,  170,  170,   16,  170],
        ],
    },
    // Bishop
    PieceTable {
        early: [
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  142,  180,  195],
            [ 165,  180,  180,  180,  195],
            [ 123,  180,  180,  180,  200],
            [ 165,  180,  180,  180,  195],
            [ 165,  180,  159,  180,  195],
        ],
        late: [
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,   59,  170,  170],
            [ 170,  170,  170,  170,  170],
            [  40,  170,  170,  170,   39],
            [ 170,  170,  170,  170,  170],
            [ 170,  170,   53,  170,  170],
        ],
    },
    // Knight
    PieceTable {
        early: [
            [ 408,  415,  406,  439,  444],
            [ 378,  415,  510,  455,  455],
            [ 417,  465,  474,  484,  519],
            [ 393,  526,  454,  546,  442],
            [ 417,  432,  442,  490,  487],
            [ 391,  399,  479,  423,  433],
            [ 360,  386,  379,  385,  422],
            [ 341,  366,  367,  414,  407],
            [ 350,  327,  336,  354,  362],
            [ 296,  301,  316,  340,  353],
        ],
        late: [
            [ 387,  399,  425,  421,  407],
            [ 400,  390,  370,  370,  458],
            [ 416,  383,  388,  393,  410],
            [ 397,  384,  379,  382,  366],
            [ 393,  388,  404,  397,  387],
            [ 417,  401,  404,  405,  412],
            [ 411,  413,  403,  423,  419],
            [ 388,  396,  380,  384,  397],
            [ 372,  390,  397,  393,  308],
            [ 365,  347,  406,  389,  390],
        ],
    },
    // Rook
    PieceTable {
        early: [
            [ 877,  924,  939,  961,  917],
            [ 913,  939,  903,  946,  922],
            [ 914,  911,  925,  943,  932],
            [ 909,  925,  949,  950,  947],
            [ 898,  915,  931,  957,  917],
            [ 888,  899,  916,  938,  918],
            [ 844,  909,  897,  942,  911],
            [ 833,  877,  868,  899,  898],
            [ 838,  875,  847,  888,  862],
            [ 806,  867,  850,  856,  842],
        ],
        late: [
            [ 919,  920,  925,  949,  918],
            [ 922,  915,  915,  938,  964],
            [ 940,  948,  944,  956,  959],
            [ 932,  943,  933,  946,  943],
            [ 934,  939,  940,  921,  964],
            [ 963,  939,  960,  943,  954],
            [ 945,  949,  961,  929,  941],
            [ 923,  932,  957,  943,  951],
            [ 900,  916,  897,  909,  918],
            [ 874,  911,  891,  917,  914],
        ],
    },
    // Cannon
    PieceTable {
        early: [
            [ 511,  456,  449,  388,  427],
            [ 423,  398,  417,  409,  426],
            [ 427,  422,  415,  413,  430],
            [ 456,  418,  461,  458,  510],
            [ 449,  400,  420,  419,  502],
            [ 436,  440,  457,  439,  510],
            [ 406,  396,  419,  454,  489],
            [ 443,  414,  451,  454,  496],
            [ 439,  420,  439,  455,  496],
            [ 407,  393,  375,  387,  430],
        ],
        late: [
            [ 301,  339,  326,  336,  316],
            [ 327,  361,  327,  352,  379],
            [ 343,  357,  347,  353,  369],
            [ 349,  345,  332,  336,  334],
            [ 347,  357,  358,  335,  332],
            [ 345,  330,  328,  334,  312],
            [ 351,  369,  357,  329,  317],
            [ 356,  342,  329,  317,  333],
            [ 350,  357,  355,  327,  268],
            [ 356,  360,  337,  340,  345],
        ],
    },
    // Pawn
    PieceTable {
        early: [
            [  46,   50,   71,   62,   70],
            [ 183,  172,  209,  378,  274],
            [ 129,  169,  189,  263,  255],
            [ 114,  143,  159,  168,  160],
            [  64,  134,  123,  158,  147],
            [  24,   68,   68,   68,   69],
            [  15,   60,   32,   60,   65],
            [  62,   52,   77,   52,   62],
            [  54,   44,   69,   44,   54],
            [  46,   36,   61,   36,   46],
        ],
        late: [
            [  91,  110,   94,   73,   73],
            [ 146,  184,  183,  156,  225],
            [ 192,  168,  196,  278,  280],
            [ 170,  158,  173,  175,  178],
            [ 166,  145,  164,  168,  204],
            [ 111,   88,   90,   88,  156],
            [ 115,   80,   83,   80,  133],
            [  72,   72,   72,   72,   72],
            [  64,   64,   64,   64,   64],
            [  56,   56,   56,   56,   56],
        ],
    },
];

/// The sum of the piece-square values of a position and its phase, kept up to date move by move; Red minus Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PieceSquareSum {
    /// Sum of [`PIECE_SQUARE`].
    pub score: Tapered,
    phase: i32,
}

impl PieceSquareSum {
    /// The sum over all pieces of `position`.
    pub(crate) fn of(position: &Position) -> PieceSquareSum {
        let mut sum = PieceSquareSum::default();
        position.pieces().for_each(|(piece, square)| sum.add(piece, square));
        sum
    }

    /// The phase: 0 (late) to [`FULL_PHASE`] (early).
    pub(crate) fn phase(&self) -> i32 {
        self.phase.min(FULL_PHASE)
    }

    /// The score at the phase, with other terms added before interpolation.
    pub(crate) fn tapered_score(&self, terms: Tapered) -> Score {
        let mut sum = self.score;
        sum += terms;
        sum.interpolate(self.phase())
    }

    /// Adds a piece.
    #[inline]
    pub(crate) fn add(&mut self, piece: Piece, square: Square) {
        self.score += PIECE_SQUARE[PieceSquare::new(piece, square).index()];
        self.phase += PHASE[piece.piece_type().index()];
    }

    /// Follows the change of a move.
    #[inline]
    pub(crate) fn follow(&mut self, change: Change) {
        self.score += PIECE_SQUARE[change.to.index()];
        self.score -= PIECE_SQUARE[change.from.index()];
        // The phase of what can be promoted is that of a pawn, 0.
        if let Some(captured) = change.captured {
            self.score -= PIECE_SQUARE[captured.index()];
            self.phase -= PHASE[captured.piece().piece_type().index()];
        }
    }
}

/// Sum of the piece-square values of `position`, interpolated by the phase, Red minus Black, in engine units.
pub(crate) fn piece_square_score(position: &Position) -> Score {
    PieceSquareSum::of(position).tapered_score(Tapered::default())
}

/// CRC-32 of the tables. A network file holds it: a network is trained to add to these tables and does not fit others,
/// so that new tables need a new network.
pub(crate) fn checksum() -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    // By code of the piece and square of the frame, 0 where there is none.
    for (code, raw) in (0..Piece::SLOTS as u8).flat_map(|code| (0..=u8::MAX).map(move |raw| (code, raw))) {
        let square = Square::from_raw(raw);
        let piece = Piece::from_code(code).filter(|_| square.is_on_board());
        let value = piece.map_or(0, |piece| PIECE_SQUARE[PieceSquare::new(piece, square).index()].bits());
        hasher.update(&value.to_le_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_phase_is_that_of_the_start_position() {
        let sum = PieceSquareSum::of(&Position::start());
        assert_eq!(sum.phase, FULL_PHASE);
    }

    #[test]
    fn tables_are_color_symmetric_and_mirror_symmetric() {
        for kind in PieceType::ALL {
            for square in Square::all() {
                let value = |color, square| PIECE_SQUARE[PieceSquare::new(Piece::new(color, kind), square).index()];
                let red = value(Color::Red, square);
                let black = value(Color::Black, square.flipped());
                assert_eq!((red.early(), red.late()), (-black.early(), -black.late()));
                assert_eq!(red, value(Color::Red, square.mirrored()));
            }
        }
    }
}
