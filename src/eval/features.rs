//! Input features of the network: piece on square, from each side's perspective, with king buckets and mirroring; and
//! attacked pieces.
//!
//! Each color has its own perspective: ranks are counted from its own back rank and pieces are its own or the enemy's.
//! The square of its own king selects one of several sets of weights (king buckets), and the board is mirrored (files a
//! and i exchanged) so that the own king is on file d or e, as in Stockfish's HalfKAv2_hm. With the king on file e, the
//! [`MirrorBalance`] of the board decides, so that mirror images have equal features.

use crate::position::{AttackedPiece, AttackerClass};
use crate::types::{Color, Piece, PieceType, Square};

/// Number of features in one king bucket: own and enemy pieces of seven types on 90 squares.
pub const PIECE_FEATURES: usize = 2 * PieceType::COUNT * 90;
/// Number of king buckets: the king on its home square, elsewhere on the back rank, on higher ranks.
pub const KING_BUCKETS: usize = 3;
/// Number of features.
pub const FEATURES: usize = KING_BUCKETS * PIECE_FEATURES;
/// Number of attack features: an attacked piece on a square, by the class of its cheapest attacker and by whether it is
/// defended. They do not depend on the king bucket.
pub const ATTACK_FEATURES: usize = 2 * AttackerClass::COUNT * PIECE_FEATURES;

/// How a color's features are indexed: its king bucket, and whether the board is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    is_mirrored: bool,
    king_bucket: u8,
}

impl Perspective {
    /// Number of perspectives of one color.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// The perspective of `color` with its king on `king`.
    #[inline]
    pub const fn new(color: Color, king: Square, mirror_balance: MirrorBalance) -> Perspective {
        const FILE_E: usize = 7;
        let column = king.column();
        let is_home_rank = king.rank() == if matches!(color, Color::Red) { 0 } else { Square::RANKS - 1 };
        let king_bucket = match (is_home_rank, column) {
            (true, FILE_E) => 0,
            (true, _) => 1,
            (false, _) => 2,
        };
        Perspective {
            is_mirrored: column > FILE_E || column == FILE_E && mirror_balance.prefers_mirror(color),
            king_bucket,
        }
    }

    /// From 0 to [`Perspective::COUNT`], exclusive.
    pub const fn index(self) -> usize {
        2 * self.king_bucket as usize + self.is_mirrored as usize
    }

    /// The first of the [`PIECE_FEATURES`] features of the king bucket.
    #[inline]
    pub const fn first_feature(self) -> usize {
        self.king_bucket as usize * PIECE_FEATURES
    }

    /// The index of a piece on a square among the [`PIECE_FEATURES`] of the king bucket, for `color`.
    #[inline]
    pub fn piece_feature(self, color: Color, piece: Piece, square: Square) -> usize {
        FEATURE_INDEX[2 * color.index() + self.is_mirrored as usize][piece.index()][square.index()] as usize
    }

    /// The index of a piece on a square among the [`FEATURES`], for `color`.
    #[inline]
    pub fn feature(self, color: Color, piece: Piece, square: Square) -> usize {
        self.first_feature() + self.piece_feature(color, piece, square)
    }

    /// The index of an attacked piece among the [`ATTACK_FEATURES`], for `color`.
    #[inline]
    pub fn attack_feature(self, color: Color, attacked: AttackedPiece) -> usize {
        let AttackedPiece { piece, square, attacker, is_defended } = attacked;
        let set = attacker as usize + AttackerClass::COUNT * is_defended as usize;
        set * PIECE_FEATURES + self.piece_feature(color, piece, square)
    }
}

/// Feature indices within a king bucket: for Red, Red mirrored, Black, Black mirrored; by piece and square.
static FEATURE_INDEX: [[[u16; 256]; Piece::SLOTS]; 4] = {
    let mut features = [[[0; 256]; Piece::SLOTS]; 4];
    let mut code = 0;
    while code < Piece::SLOTS {
        if let Some(piece) = Piece::from_code(code as u8) {
            let mut square_index = 0;
            while square_index < 90 {
                let (rank, file) = (square_index / 9, square_index % 9);
                let square = Square::new(file as u8, rank as u8).index();
                let mut orientation = 0;
                while orientation < 4 {
                    let file = if orientation % 2 == 0 { file } else { 8 - file };
                    let rank = if orientation < 2 { rank } else { 9 - rank };
                    let is_enemy = (piece.color().index() != orientation / 2) as usize;
                    let piece_index = is_enemy * PieceType::COUNT + piece.piece_type().index();
                    features[orientation][piece.index()][square] = (piece_index * 90 + rank * 9 + file) as u16;
                    orientation += 1;
                }
                square_index += 1;
            }
        }
        code += 1;
    }
    features
};

/// Balance of the pieces between the two wings, for Red and for Black: a weighted sum that changes sign when the board
/// is mirrored.
///
/// It decides the mirroring while the king is on file e. Pieces that move rarely have the largest weights, so that the
/// sign rarely changes and the accumulators are rarely refreshed. Own pieces weigh slightly more than the enemy's;
/// otherwise a board whose color flip is its mirror image would have the sum 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorBalance([i32; 2]);

impl MirrorBalance {
    /// The balance of these pieces.
    pub fn of(pieces: impl Iterator<Item = (Piece, Square)>) -> MirrorBalance {
        let mut mirror_balance = MirrorBalance::default();
        pieces.for_each(|(piece, square)| mirror_balance.add(piece, square));
        mirror_balance
    }

    /// Adds a piece.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        let mirror_balance = MIRROR_BALANCE[piece.index()][square.index()];
        self.0[0] += mirror_balance[0];
        self.0[1] += mirror_balance[1];
    }

    /// Removes a piece.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        let mirror_balance = MIRROR_BALANCE[piece.index()][square.index()];
        self.0[0] -= mirror_balance[0];
        self.0[1] -= mirror_balance[1];
    }

    /// Whether the board is mirrored for `color` with its king on file e.
    #[inline]
    pub const fn prefers_mirror(self, color: Color) -> bool {
        self.0[color.index()] < 0
    }
}

/// Weights of the mirror balance by piece and square, for Red and for Black.
static MIRROR_BALANCE: [[[i32; 2]; 256]; Piece::SLOTS] = {
    /// By piece type.
    const WEIGHT: [i32; PieceType::COUNT] = [1 << 8, 1 << 14, 1 << 13, 1 << 11, 1 << 9, 1 << 10, 1 << 12];
    /// By distance from file e. No two add up to a third: three equal pieces on one rank never balance.
    const FILE_WEIGHT: [i32; 5] = [0, 16, 37, 61, 90];
    /// By rank, added to the weight: two equal pieces on opposite wings balance only on the same rank.
    const RANK_WEIGHT: [i32; 10] = [23, 37, 71, 13, 59, 29, 83, 47, 5, 97];
    const OWN: i32 = 17;
    const ENEMY: i32 = 16;
    let mut mirror_balance = [[[0; 2]; 256]; Piece::SLOTS];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let mut square_index = 0;
        while square_index < 90 {
            let (rank, file) = (square_index / 9, square_index % 9);
            let file_weight = if file < 4 { -FILE_WEIGHT[4 - file] } else { FILE_WEIGHT[file - 4] };
            let weight = file_weight * (WEIGHT[kind] + RANK_WEIGHT[rank]);
            let red = Square::new(file as u8, rank as u8);
            let kind = PieceType::ALL[kind];
            mirror_balance[Piece::new(Color::Red, kind).index()][red.index()] = [OWN * weight, ENEMY * weight];
            mirror_balance[Piece::new(Color::Black, kind).index()][red.flipped().index()] =
                [ENEMY * weight, OWN * weight];
            square_index += 1;
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

    /// The active features of both perspectives, the side to move first.
    fn active_features(position: &Position) -> [BTreeSet<usize>; 2] {
        let mirror_balance = MirrorBalance::of(position.pieces());
        [position.side(), !position.side()].map(|color| {
            let perspective = Perspective::new(color, position.king(color), mirror_balance);
            position.pieces().map(|(piece, square)| perspective.feature(color, piece, square)).collect()
        })
    }

    #[test]
    fn features_are_equal_for_symmetric_positions_only() {
        let mut features = BTreeSet::new();
        let mut boards = BTreeSet::new();
        for fen in crate::test_data::fens() {
            let position = Position::from_fen(fen).unwrap();
            let active = active_features(&position);
            let count = position.pieces().count();
            assert!(active.iter().all(|rows| rows.len() == count && rows.iter().all(|&row| row < FEATURES)));
            assert_eq!(active, active_features(&position.mirrored()), "{fen}");
            assert_eq!(active, active_features(&position.color_flipped()), "{fen}");
            boards.insert(board_of_mover(&position).min(board_of_mover(&position.mirrored())));
            features.insert(active);
        }
        assert_eq!(features.len(), boards.len());
    }

    #[test]
    fn king_buckets_depend_on_the_square_and_are_color_symmetric() {
        let king_bucket = |color, king: Square| Perspective::new(color, king, MirrorBalance::default()).king_bucket;
        let buckets = [(4, 0), (3, 0), (3, 1), (5, 0), (5, 2)].map(|(file, rank)| {
            let king = Square::new(file, rank);
            assert_eq!(king_bucket(Color::Red, king), king_bucket(Color::Black, king.flipped()));
            king_bucket(Color::Red, king)
        });
        assert_eq!(buckets, [0, 1, 2, 1, 2]);
    }

    /// The board as the side to move sees it, as text.
    fn board_of_mover(position: &Position) -> String {
        let red_to_move = if position.side() == Color::Red { position.clone() } else { position.color_flipped() };
        let fen = red_to_move.to_fen();
        fen.split(' ').next().unwrap().to_string()
    }
}
