//! What the network sees of a board: where the own king stands, and which man stands where, as each side sees it.
//!
//! Each side looks at the board from its own end and calls the men its own and the enemy's, so that what Red learns Black
//! knows as well. Left and right are told apart by the own king: it is looked at as if it stood on file d or e. On file e
//! the [`MirrorBalance`] of the board decides, so that mirror images look the same.

use crate::types::{Color, Piece, PieceType, Square};

/// Own men and the enemy's, seven kinds of them, on 90 squares.
pub const PIECE_FEATURES: usize = 2 * PieceType::COUNT * 90;
/// Places of the own king that are told apart: at home, beside it, and further up.
const KING_BUCKETS: usize = 3;
/// What can be seen: the men, for each place of the king others.
pub const FEATURES: usize = KING_BUCKETS * PIECE_FEATURES;

/// How a side looks at the board: whether with left and right exchanged, and from which place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    is_mirrored: bool,
    square_or_bucket: u8,
}

impl Perspective {
    /// Number of views.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// How `color` looks at a board with its king on `king` and this tilt.
    #[inline]
    pub const fn new(color: Color, king: Square, mirror_balance: MirrorBalance) -> Perspective {
        const FILE_E: usize = 7;
        let column = king.column();
        let is_home_rank = king.rank() == if matches!(color, Color::Red) { 0 } else { Square::RANKS - 1 };
        let square_or_bucket = match (is_home_rank, column) {
            (true, FILE_E) => 0,
            (true, _) => 1,
            (false, _) => 2,
        };
        Perspective {
            is_mirrored: column > FILE_E || column == FILE_E && mirror_balance.prefers_mirror(color),
            square_or_bucket,
        }
    }

    /// 0 to [`Perspective::COUNT`].
    pub const fn index(self) -> usize {
        2 * self.square_or_bucket as usize + self.is_mirrored as usize
    }

    /// The first of the [`PIECE_FEATURES`] features of this view.
    #[inline]
    pub const fn first(self) -> usize {
        self.square_or_bucket as usize * PIECE_FEATURES
    }

    /// Which of the [`PIECE_FEATURES`] from the first a man on a square is to `color`.
    #[inline]
    pub fn piece_feature(self, color: Color, piece: Piece, square: Square) -> usize {
        FEATURE_INDEX[2 * color.index() + self.is_mirrored as usize][piece.index()][square.index()] as usize
    }

    /// Which of the [`FEATURES`] a man on a square is to `color`.
    #[inline]
    pub fn feature(self, color: Color, piece: Piece, square: Square) -> usize {
        self.first() + self.piece_feature(color, piece, square)
    }
}

/// What a man on a square is to Red, to Red mirrored, to Black and to Black mirrored.
static FEATURE_INDEX: [[[u16; 256]; Piece::SLOTS]; 4] = {
    let mut seen = [[[0; 256]; Piece::SLOTS]; 4];
    let mut code = 0;
    while code < Piece::SLOTS {
        if let Some(piece) = Piece::from_code(code as u8) {
            let mut square_or_bucket = 0;
            while square_or_bucket < 90 {
                let (rank, file) = (square_or_bucket / 9, square_or_bucket % 9);
                let square = Square::new(file as u8, rank as u8).index();
                let mut look = 0;
                while look < 4 {
                    let file = if look % 2 == 0 { file } else { 8 - file };
                    let rank = if look < 2 { rank } else { 9 - rank };
                    let enemy = (piece.color().index() != look / 2) as usize;
                    let piece_index = enemy * PieceType::COUNT + piece.piece_type().index();
                    seen[look][piece.index()][square] = (piece_index * 90 + rank * 9 + file) as u16;
                    look += 1;
                }
                square_or_bucket += 1;
            }
        }
        code += 1;
    }
    seen
};

/// How much the men of a board tilt it to the right, to Red and to Black.
///
/// Mirrored, they tilt it as much to the left. Men that move rarely weigh most, so that it rarely changes sides; and the own
/// men weigh a little more than the enemy's, for else a board that looks to Red as its mirror image looks to Black would not
/// be tilted at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorBalance([i32; 2]);

impl MirrorBalance {
    /// Of all men on a board.
    pub fn of(pieces: impl Iterator<Item = (Piece, Square)>) -> MirrorBalance {
        let mut mirror_balance = MirrorBalance::default();
        pieces.for_each(|(piece, square)| mirror_balance.add(piece, square));
        mirror_balance
    }

    /// A man comes.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        let mirror_balance = MIRROR_BALANCE[piece.index()][square.index()];
        self.0[0] += mirror_balance[0];
        self.0[1] += mirror_balance[1];
    }

    /// A man goes.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        let mirror_balance = MIRROR_BALANCE[piece.index()][square.index()];
        self.0[0] -= mirror_balance[0];
        self.0[1] -= mirror_balance[1];
    }

    /// Whether it is to the left, as `color` sees it.
    #[inline]
    pub const fn prefers_mirror(self, color: Color) -> bool {
        self.0[color.index()] < 0
    }
}

/// By man and square, to Red and to Black.
static MIRROR_BALANCE: [[[i32; 2]; 256]; Piece::SLOTS] = {
    const WEIGHT: [i32; PieceType::COUNT] = [1 << 8, 1 << 14, 1 << 13, 1 << 11, 1 << 9, 1 << 10, 1 << 12];
    // By files from the middle: sizes that do not cancel, or three men on one rank could balance.
    const ASIDE: [i32; 5] = [0, 16, 37, 61, 90];
    const OWN: i32 = 17;
    const ENEMY: i32 = 16;
    let mut mirror_balance = [[[0; 2]; 256]; Piece::SLOTS];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let mut square_or_bucket = 0;
        while square_or_bucket < 90 {
            let (rank, file) = (square_or_bucket / 9, square_or_bucket % 9);
            let aside = if file < 4 { -ASIDE[4 - file] } else { ASIDE[file - 4] };
            // And by ranks, a little: two men of a kind on opposite wings balance only on the same rank.
            let size = aside * (WEIGHT[kind] + [23, 37, 71, 13, 59, 29, 83, 47, 5, 97][rank]);
            let red = Square::new(file as u8, rank as u8);
            let kind = PieceType::ALL[kind];
            mirror_balance[Piece::new(Color::Red, kind).index()][red.index()] = [OWN * size, ENEMY * size];
            mirror_balance[Piece::new(Color::Black, kind).index()][red.flipped().index()] = [ENEMY * size, OWN * size];
            square_or_bucket += 1;
        }
        kind += 1;
    }
    mirror_balance
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use std::collections::BTreeSet;

    /// What both sides see, the side to move first.
    fn seen(pieces: &[(Piece, Square)], side: Color) -> [BTreeSet<usize>; 2] {
        let mirror_balance = MirrorBalance::of(pieces.iter().copied());
        [side, !side].map(|color| {
            let is_king = |&&(piece, _): &&(Piece, Square)| piece == Piece::new(color, PieceType::King);
            let perspective = Perspective::new(color, pieces.iter().find(is_king).unwrap().1, mirror_balance);
            pieces.iter().map(|&(piece, square)| perspective.feature(color, piece, square)).collect()
        })
    }

    #[test]
    fn positions_alike_look_alike_and_others_do_not() {
        let mut perspectives = BTreeSet::new();
        let mut boards = BTreeSet::new();
        for fen in crate::test_data::fens() {
            let position = Position::from_fen(fen).unwrap();
            let pieces: Vec<_> = position.pieces().collect();
            let mirrored: Vec<_> = pieces.iter().map(|&(piece, square)| (piece, square.mirrored())).collect();
            let exchange =
                |&(piece, square): &(Piece, Square)| (Piece::new(!piece.color(), piece.piece_type()), square.flipped());
            let exchanged: Vec<_> = pieces.iter().map(exchange).collect();
            let look = seen(&pieces, position.side());
            assert!(look.iter().all(|rows| rows.len() == pieces.len() && rows.iter().all(|&row| row < FEATURES)));
            assert_eq!(look, seen(&mirrored, position.side()), "{fen}");
            assert_eq!(look, seen(&exchanged, !position.side()), "{fen}");
            let alike = [&pieces, &mirrored].map(|pieces| seen_as_text(pieces, position.side()));
            boards.insert(alike.into_iter().min().unwrap());
            perspectives.insert(look);
        }
        assert_eq!(perspectives.len(), boards.len());
    }

    #[test]
    fn the_king_is_told_apart_by_its_place_and_sides_alike() {
        let square_or_bucket =
            |color, king: Square| Perspective::new(color, king, MirrorBalance::default()).square_or_bucket;
        let places = [(4, 0), (3, 0), (3, 1), (5, 0), (5, 2)].map(|(file, rank)| {
            let king = Square::new(file, rank);
            assert_eq!(square_or_bucket(Color::Red, king), square_or_bucket(Color::Black, king.flipped()));
            square_or_bucket(Color::Red, king)
        });
        assert_eq!(places, [0, 1, 2, 1, 2]);
    }

    /// The board as the side to move sees it.
    fn seen_as_text(pieces: &[(Piece, Square)], side: Color) -> String {
        let mut words: Vec<String> = pieces
            .iter()
            .map(|(piece, square)| {
                let square = if side == Color::Red { *square } else { square.flipped() };
                format!("{}{:?}{square}", piece.color() == side, piece.piece_type())
            })
            .collect();
        words.sort();
        words.concat()
    }
}
