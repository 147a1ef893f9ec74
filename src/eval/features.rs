//! Input features of the network: piece on square, from each side's perspective, with king buckets and mirroring; and
//! attacked pieces.
//!
//! To add a feature: its index here; where it is active in `accumulator.rs` for play and, the same, in
//! `training/samples.rs` (`Sample::inputs`) for training; the shape in `network/file.rs`, whose version tells old files.
//!
//! Each color has its own perspective: ranks are counted from its own back rank and pieces are its own or the enemy's.
//! The square of its own king selects one of several sets of weights (king buckets), and the board is mirrored (files a
//! and i exchanged) so that the own king is on file d or e, as in Stockfish's HalfKAv2_hm. With the king on file e, the
//! [`MirrorBalance`] of the board decides, so that mirror images have equal features.

use crate::position::{AttackedPiece, AttackerClass, Change};
use crate::types::{Color, PieceSquare, PieceType, Square};

/// Number of features in one king bucket: own and enemy pieces of seven types on 90 squares.
pub const PIECE_FEATURES: usize = 2 * PieceType::COUNT * 90;
/// Number of king buckets: the king on its home square, elsewhere on the back rank, on higher ranks.
pub const KING_BUCKETS: usize = 3;
/// Number of features.
pub const FEATURES: usize = KING_BUCKETS * PIECE_FEATURES;
/// Number of attack features: an attacked piece on a square, by the class of its cheapest attacker and by whether it is
/// defended. They do not depend on the king bucket.
pub const ATTACK_FEATURES: usize = 2 * AttackerClass::COUNT * PIECE_FEATURES;

/// Input bucket: how the features of a color's perspective are indexed. Twice its king bucket, plus 1 if the board is
/// mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputBucket(u8);

impl InputBucket {
    /// Number of input buckets of one color.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// The input bucket of `color` with its king on `king`.
    #[inline]
    pub const fn new(color: Color, king: Square, mirror_balance: MirrorBalance) -> InputBucket {
        const FILE_E: usize = 7;
        let column = king.column();
        let is_home_rank = king.row() == color.back_row();
        let king_bucket = match (is_home_rank, column) {
            (true, FILE_E) => 0,
            (true, _) => 1,
            (false, _) => 2,
        };
        let is_mirrored = column > FILE_E || column == FILE_E && mirror_balance.prefers_mirror(color);
        InputBucket(2 * king_bucket + is_mirrored as u8)
    }

    /// From 0 to [`InputBucket::COUNT`], exclusive.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first of the [`PIECE_FEATURES`] features of the king bucket.
    #[inline]
    pub const fn first_feature(self) -> usize {
        self.0 as usize / 2 * PIECE_FEATURES
    }

    /// The index of a piece on its square among the [`PIECE_FEATURES`] of the king bucket, for `color`.
    #[inline]
    pub fn piece_feature(self, color: Color, piece: PieceSquare) -> usize {
        FEATURES_OF[piece.index()][2 * color.index() + self.index() % 2] as usize
    }

    /// The index of a piece on its square among the [`FEATURES`], for `color`.
    #[inline]
    pub fn feature(self, color: Color, piece: PieceSquare) -> usize {
        self.first_feature() + self.piece_feature(color, piece)
    }

    /// The index of an attacked piece among the [`ATTACK_FEATURES`], for `color`.
    #[inline]
    pub fn attack_feature(self, color: Color, attacked: AttackedPiece) -> usize {
        let AttackedPiece { piece, attacker, is_defended } = attacked;
        let set = attacker as usize + AttackerClass::COUNT * is_defended as usize;
        set * PIECE_FEATURES + self.piece_feature(color, piece)
    }
}

/// The features of a piece on its square within a king bucket: for Red, Red mirrored, Black, Black mirrored. Own pieces
/// come first; ranks count from the own back rank.
static FEATURES_OF: [[u16; 4]; PieceSquare::COUNT] = {
    let mut features = [[0; 4]; PieceSquare::COUNT];
    let mut index = 0;
    while index < PieceSquare::COUNT {
        let (piece, square) = (PieceSquare::from_index(index).piece(), PieceSquare::from_index(index).square());
        let mut orientation = 0;
        while orientation < 4 {
            let file = if orientation % 2 == 0 { square.file() } else { 8 - square.file() };
            let rank = if orientation < 2 { square.rank() } else { 9 - square.rank() };
            let is_enemy = (piece.color().index() != orientation / 2) as usize;
            let piece_index = is_enemy * PieceType::COUNT + piece.piece_type().index();
            features[index][orientation] = (piece_index * 90 + rank as usize * 9 + file as usize) as u16;
            orientation += 1;
        }
        index += 1;
    }
    features
};

/// Balance of the pieces between the two wings: weighted sums of the pieces of Red and of Black that change sign when
/// the board is mirrored.
///
/// It decides the mirroring while the king is on file e. Pieces that move rarely have the largest weights, so that the
/// sign rarely changes and the accumulators are rarely refreshed. Own pieces weigh slightly more than the enemy's;
/// otherwise a board whose color flip is its mirror image would have the sum 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorBalance([i32; 2]);

impl MirrorBalance {
    /// The balance of these pieces.
    pub fn of(pieces: impl Iterator<Item = PieceSquare>) -> MirrorBalance {
        let mut mirror_balance = MirrorBalance::default();
        pieces.for_each(|piece| mirror_balance.add(piece));
        mirror_balance
    }

    /// Adds a piece.
    #[inline]
    fn add(&mut self, piece: PieceSquare) {
        self.0[piece.color().index()] += MIRROR_WEIGHT[piece.index()];
    }

    /// Removes a piece.
    #[inline]
    fn remove(&mut self, piece: PieceSquare) {
        self.0[piece.color().index()] -= MIRROR_WEIGHT[piece.index()];
    }

    /// Follows the change of a move.
    #[inline]
    pub fn follow(&mut self, change: Change) {
        self.remove(change.from);
        self.add(change.to);
        if let Some(captured) = change.captured {
            self.remove(captured);
        }
    }

    /// Whether the board is mirrored for `color` with its king on file e.
    #[inline]
    pub const fn prefers_mirror(self, color: Color) -> bool {
        17 * self.0[color.index()] + 16 * self.0[color.other().index()] < 0
    }
}

/// The weight of a piece on its square: negative on files a to d, positive on files f to i.
static MIRROR_WEIGHT: [i32; PieceSquare::COUNT] = {
    /// By piece type.
    const WEIGHT: [i32; PieceType::COUNT] = [1 << 8, 1 << 14, 1 << 13, 1 << 11, 1 << 9, 1 << 10, 1 << 12];
    /// By distance from file e. No two add up to a third: three equal pieces on one rank never balance.
    const FILE_WEIGHT: [i32; 5] = [0, 16, 37, 61, 90];
    /// By rank from the own back rank, added to the weight: two equal pieces on opposite wings balance only on the same
    /// rank.
    const RANK_WEIGHT: [i32; 10] = [23, 37, 71, 13, 59, 29, 83, 47, 5, 97];
    let mut weights = [0; PieceSquare::COUNT];
    let mut index = 0;
    while index < PieceSquare::COUNT {
        let (piece, square) = (PieceSquare::from_index(index).piece(), PieceSquare::from_index(index).square());
        let (rank, file) = (square.rank() as usize, square.file() as usize);
        let rank = if matches!(piece.color(), Color::Red) { rank } else { 9 - rank };
        let file_weight = if file < 4 { -FILE_WEIGHT[4 - file] } else { FILE_WEIGHT[file - 4] };
        weights[index] = file_weight * (WEIGHT[piece.piece_type().index()] + RANK_WEIGHT[rank]);
        index += 1;
    }
    weights
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use std::collections::BTreeSet;

    /// The active features of both perspectives, the side to move first.
    fn active_features(position: &Position) -> [BTreeSet<usize>; 2] {
        let mirror_balance = MirrorBalance::of(position.piece_squares());
        [position.side(), !position.side()].map(|color| {
            let input_bucket = InputBucket::new(color, position.king(color), mirror_balance);
            position.piece_squares().map(|piece| input_bucket.feature(color, piece)).collect()
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
        let king_bucket = |color, king: Square| InputBucket::new(color, king, MirrorBalance::default()).index() / 2;
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
