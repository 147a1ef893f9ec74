//! What pieces do on the squares of a position, for the predicates of motifs and mates.

use crate::position::Position;
use crate::types::{Move, Square};

/// Whether the piece on `from` attacks the enemy piece on `to`, whoever is to move; pins and checks do not matter.
pub(super) fn attacks(position: &Position, from: Square, to: Square) -> bool {
    let piece = position.piece_at(from);
    piece.is_some_and(|piece| position.with_side_to_move(piece.color()).is_pseudo_legal(Move::new(from, to)))
}

/// Whether `square` lies between two others of its rank or file; for a knight's move from `one` to `other`: whether it is
/// the leg.
pub(super) fn is_between(one: Square, square: Square, other: Square) -> bool {
    let [a, s, b] = [one, square, other].map(|it| [i32::from(it.file()), i32::from(it.rank())]);
    let distance = [b[0] - a[0], b[1] - a[1]];
    match distance.map(i32::abs) {
        [0, _] => s[0] == a[0] && (s[1] - a[1]) * (s[1] - b[1]) < 0,
        [_, 0] => s[1] == a[1] && (s[0] - a[0]) * (s[0] - b[0]) < 0,
        [1, 2] => s == [a[0], a[1] + distance[1] / 2],
        [2, 1] => s == [a[0] + distance[0] / 2, a[1]],
        _ => false,
    }
}

/// The occupied squares between two squares of a rank or file.
pub(super) fn between(position: &Position, one: Square, other: Square) -> Vec<Square> {
    let occupied = position.pieces().map(|(_, square)| square);
    occupied.filter(|&square| is_between(one, square, other)).collect()
}
