//! FENs: a position read is valid, its legal moves are those that are legal one by one, its FEN is understood, and its
//! images are valid.

use super::check_position;
use chuhe::position::Position;
use chuhe::types::{Move, Square};

/// Checks the text as a FEN.
pub fn check(data: &[u8]) {
    let Ok(position) = Position::from_fen(&String::from_utf8_lossy(data)) else { return };
    check_position(&position);
    let legal = position.legal_moves();
    let moves = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    let count = moves.filter(|&(from, to)| position.is_legal(Move::new(from, to))).count();
    assert_eq!((count, position.count_legal()), (legal.iter().count(), count));
    for image in [position.mirrored(), position.color_flipped()] {
        assert_eq!((image.validate(), image.count_legal()), (Ok(()), count));
    }
    assert_eq!(position.mirrored().mirrored().to_fen(), position.to_fen());
    assert_eq!(position.color_flipped().color_flipped().key(), position.key());
}
