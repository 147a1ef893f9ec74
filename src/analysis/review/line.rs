//! What pieces do on the squares of a position, for the predicates of motifs and mates.

use crate::position::Position;
use crate::tables::leapers::knight_leg;
use crate::types::{Move, Square};

/// Whether the piece on `from` attacks the enemy piece on `to`, whoever is to move; pins and checks do not matter.
pub(super) fn attacks(position: &Position, from: Square, to: Square) -> bool {
    let piece = position.piece_at(from);
    piece.is_some_and(|piece| position.with_side_to_move(piece.color()).is_pseudo_legal(Move::new(from, to)))
}

/// The squares of the pieces that give check to the side to move.
pub(super) fn checkers(position: &Position) -> impl Iterator<Item = Square> + '_ {
    let side = position.side();
    let enemies = position.pieces().filter(move |(piece, _)| piece.color() != side);
    enemies.map(|(_, square)| square).filter(move |&square| attacks(position, square, position.king(side)))
}

/// Whether `square` lies between two others of its rank or file; for a knight's move from `one` to `other`: whether it is
/// the leg.
pub(super) fn is_between(one: Square, square: Square, other: Square) -> bool {
    let lies = |coordinate: fn(Square) -> u8| {
        let ends = [one, other].map(coordinate);
        let inner = coordinate(square);
        ends.iter().min() < Some(&inner) && Some(&inner) < ends.iter().max()
    };
    let all = [one, square, other];
    if all.iter().all(|it| it.file() == one.file()) {
        lies(Square::rank)
    } else if all.iter().all(|it| it.rank() == one.rank()) {
        lies(Square::file)
    } else {
        knight_leg(one, other) == Some(square)
    }
}

/// The occupied squares between two squares of a rank or file.
pub(super) fn between(position: &Position, one: Square, other: Square) -> Vec<Square> {
    let occupied = position.pieces().map(|(_, square)| square);
    occupied.filter(|&square| is_between(one, square, other)).collect()
}
