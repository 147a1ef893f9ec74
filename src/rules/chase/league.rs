//! Threats by the rules of the UCCI league manager and of ElephantEye.
//!
//! Only the piece that just moved chases, and only if the move does not give check. It chases:
//!
//! - as a knight or cannon: rooks, protected or not;
//! - as a knight: unprotected cannons; as a cannon: unprotected knights; as a rook: unprotected knights and cannons;
//! - as any of the three: unprotected pawns that have crossed the river.
//!
//! Rooks and cannons do not chase along the line on which they moved: there they threatened before. Pins do not matter,
//! neither of the chaser nor of the protector.

use super::threat::Threat;
use crate::position::Position;
use crate::tables::leapers::has_crossed_river;
use crate::types::{Move, PieceType, Square};

/// The new threats that the move `mv` from `before` to `after` makes.
pub(super) fn new_threats(before: &Position, after: &Position, mv: Move) -> Vec<Threat> {
    if after.in_check() { Vec::new() } else { threats(&after.with_side_to_move(before.side()), mv) }
}

/// The threats of the piece just moved by `mv`; `position` has its side to move.
fn threats(position: &Position, mv: Move) -> Vec<Threat> {
    let from = mv.to();
    let Some(by) = position.piece_id_at(from) else { return Vec::new() };
    let is_along = |line: fn(Square) -> usize, to: Square| line(mv.from()) == line(from) && line(to) == line(from);
    let existed_before = |to: Square| {
        matches!(by.piece_type(), PieceType::Rook | PieceType::Cannon)
            && (is_along(Square::row, to) || is_along(Square::column, to))
    };
    let is_unprotected = |to: Square| !position.is_attacked(to, !by.color());
    let threat = |to: Square| {
        let of = position.piece_id_at(to)?;
        let is_threat = match (by.piece_type(), of.piece_type()) {
            (PieceType::Knight | PieceType::Cannon, PieceType::Rook) => true,
            (PieceType::Knight, PieceType::Cannon)
            | (PieceType::Cannon, PieceType::Knight)
            | (PieceType::Rook, PieceType::Knight | PieceType::Cannon) => is_unprotected(to),
            (PieceType::Knight | PieceType::Cannon | PieceType::Rook, PieceType::Pawn) => {
                has_crossed_river(to, of.color()) && is_unprotected(to)
            }
            _ => false,
        };
        (is_threat && !existed_before(to)).then_some(Threat { by, of })
    };
    let squares = position.pieces().map(|(_, square)| square);
    squares.filter(|&to| to != from && position.is_pseudo_legal(Move::new(from, to))).filter_map(threat).collect()
}
