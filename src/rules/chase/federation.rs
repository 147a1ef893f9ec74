//! Threats by the World Xiangqi Federation's rules of perpetual chase.
//!
//! A move chases a piece if after it some piece of the mover could capture that piece and could not before. The chasing
//! piece need not be the one that moved (discovered threats count). In detail:
//!
//! - Kings and pawns may chase anything; kings and pawns that have not crossed the river may be chased.
//! - The capture must be legal: a pinned piece does not chase.
//! - A protected piece is not chased, except a rook by a knight or cannon, and a rook, knight or cannon by an advisor
//!   or bishop. A piece is protected if the recapture is legal: a pinned protector (a "false root") does not protect.
//! - A piece that can capture an equal chaser is offered an exchange, not chased.
//! - Chasing a rook that a knight pins to its king is worse than other chases.
//!
//! Captures and recaptures are tested for legality on the board, so pinned chasers, pinned protectors and exposed kings
//! need no special cases.

use super::threat::Threat;
use crate::position::{GenType, PieceId, Position};
use crate::tables::leapers::{has_crossed_river, knight_leg};
use crate::types::{Move, MoveList, Piece, PieceType, Square};

/// The new threats that the move `mv` from `before` to `after` makes.
pub(super) fn new_threats(before: &Position, after: &Position, mv: Move) -> Vec<Threat> {
    let turned = after.with_side_to_move(before.side());
    let mover = before.piece_at(mv.from()).map(Piece::piece_type);
    let is_free_to_chase = matches!(mover, Some(PieceType::King | PieceType::Pawn));
    let mut threats = threats(&turned);
    threats.retain(|threat| {
        !existed_before(before, threat) && (is_free_to_chase || !only_blocks_protection(before, &turned, threat))
    });
    threats
}

/// The threats of the side to move, except those by kings and pawns.
fn threats(position: &Position) -> Vec<Threat> {
    let mut captures = MoveList::new();
    position.generate(GenType::Captures, &mut captures);
    let threat = |mv: Move| {
        let (by, of) = (position.piece_id_at(mv.from())?, position.piece_id_at(mv.to())?);
        let may_chase = !matches!(by.piece_type(), PieceType::King | PieceType::Pawn);
        (may_chase && is_threat(position, mv, by, of)).then_some(Threat { by, of })
    };
    captures.iter().filter_map(threat).collect()
}

/// Whether the threat existed before the move, or was only prevented by a pin of the threatening piece.
fn existed_before(before: &Position, threat: &Threat) -> bool {
    let mv = threat.capture(before);
    before.is_pseudo_legal(mv) && (!before.is_legal(mv) || is_threat(before, mv, threat.by, threat.of))
}

/// Whether the capture was possible before the move, and the move only made the recapture impossible by blocking the
/// protector's path or removing its screen. Such a move does not chase; only pinning the protector does (the
/// federation's diagram 61 and one of 71–75). The exemption does not apply to moves of kings and pawns, which only make
/// room for other pieces to threaten.
fn only_blocks_protection(before: &Position, now: &Position, threat: &Threat) -> bool {
    let mv = threat.capture(before);
    before.is_pseudo_legal(mv) && is_protected(before, mv) && !has_pseudo_legal_recapture(now, threat.capture(now))
}

/// Whether the capture `mv` of `of` by `by` is a threat, not only an offer to exchange.
fn is_threat(position: &Position, mv: Move, by: PieceId, of: PieceId) -> bool {
    match (by.piece_type(), of.piece_type()) {
        (_, PieceType::King) => false,
        (_, PieceType::Pawn) if !has_crossed_river(mv.to(), of.color()) => false,
        // Wins material even if the piece is protected.
        (PieceType::Knight | PieceType::Cannon, PieceType::Rook) => true,
        (PieceType::Advisor | PieceType::Bishop, PieceType::Rook | PieceType::Knight | PieceType::Cannon) => true,
        (by, of) if by == of && can_capture(position, mv.to(), mv.from()) => false,
        _ => !is_protected(position, mv),
    }
}

/// Whether the piece on `from` could capture the one on `to` if it were its turn. If it is in check, the capture need
/// not answer the check.
fn can_capture(position: &Position, from: Square, to: Square) -> bool {
    let turned = position.with_side_to_move(!position.side());
    let mv = Move::new(from, to);
    if turned.in_check() { turned.is_pseudo_legal(mv) } else { turned.is_legal(mv) }
}

/// Whether the capture `mv` could be answered by a legal recapture.
///
/// If the opponent is already in check, any pseudo-legal recapture counts: that it would have to answer the check is
/// due to the check, not to the threat.
fn is_protected(position: &Position, mv: Move) -> bool {
    if position.is_king_attacked(!position.side()) {
        return has_pseudo_legal_recapture(position, mv);
    }
    has_recapture(position, mv, Position::is_legal)
}

/// Whether the capture `mv` could be answered by a pseudo-legal recapture.
fn has_pseudo_legal_recapture(position: &Position, mv: Move) -> bool {
    has_recapture(position, mv, Position::is_pseudo_legal)
}

/// Whether a recapture after `mv` passes `test`.
fn has_recapture(position: &Position, mv: Move, test: fn(&Position, Move) -> bool) -> bool {
    let mut after = position.without_history();
    after.make(mv);
    let mut pieces = after.pieces().filter(|(piece, _)| piece.color() == after.side());
    pieces.any(|(_, from)| test(&after, Move::new(from, mv.to())))
}

/// The rooks of the side to move that block an enemy knight's check of their king, as a set of [`PieceId::bit`]s.
/// Chasing such a pinned rook is worse than any other chase.
pub(crate) fn rooks_pinned_by_knights(position: &Position) -> u64 {
    let us = position.side();
    let king = position.king(us);
    let knights = position.pieces().filter(|&(piece, _)| piece == Piece::new(!us, PieceType::Knight));
    let legs = knights.filter_map(|(_, square)| knight_leg(square, king));
    let rooks = legs.filter_map(|leg| position.piece_id_at(leg)).filter(|id| id.is(us, PieceType::Rook));
    rooks.fold(0, |set, rook| set | rook.bit())
}
