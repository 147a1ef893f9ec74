//! Chases: which enemy men a move begins to threaten, as the World Xiangqi Federation's rules of repetition mean it.
//!
//! A threat is a legal capture of a man that is not truly protected: the recapture would not be legal, because the
//! protector is pinned, a king would be exposed, or a check would have to be answered. What legality means here is
//! simply what it means on the board, so false roots, pinned chasers and pinned protectors need no rules of their own.

use super::Repetition;
use crate::position::{GenType, PieceId, Position};
use crate::tables::leapers::knight_leg;
use crate::types::{Color, Move, MoveList, Piece, PieceType, Square};

/// One man threatening another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The man that threatens.
    pub by: PieceId,
    /// The man that is threatened.
    pub of: PieceId,
}

/// The enemy men that the side that moved by `mv` from `before` to `after` threatens anew: a set of [`PieceId::bit`]s.
pub fn chased(before: &Position, after: &Position, mv: Move, rule: Repetition) -> u64 {
    new_threats(before, after, mv, rule).iter().fold(0, |set, threat| set | threat.of.bit())
}

/// The threats that the move `mv` from `before` to `after` made.
pub fn new_threats(before: &Position, after: &Position, mv: Move, rule: Repetition) -> Vec<Threat> {
    let turned = after.with_side_to_move(before.side());
    match rule {
        Repetition::Asian => {
            let mover = before.piece_at(mv.from()).map(Piece::piece_type);
            let is_free_to_chase = matches!(mover, Some(PieceType::King | PieceType::Pawn));
            let mut threats = threats(&turned);
            threats.retain(|threat| {
                !was_there(before, threat) && (is_free_to_chase || !was_kept_off(before, &turned, threat))
            });
            threats
        }
        // Who gives check does nothing else.
        Repetition::League if after.in_check() => Vec::new(),
        Repetition::League => league_threats(&turned, mv),
        Repetition::Plain => Vec::new(),
    }
}

/// The threats of the man just moved by `mv` that the league's manager and ElephantEye look at: knight or cannon at a
/// rook, and knight, cannon or rook at an unprotected knight, cannon or crossed pawn that is not like it. What a rook or
/// cannon threatens along its way it threatened before. Pins do not matter, neither of who threatens nor of who protects.
fn league_threats(position: &Position, mv: Move) -> Vec<Threat> {
    let from = mv.to();
    let Some(by) = position.piece_id_at(from) else { return Vec::new() };
    let is_along = |line: fn(Square) -> usize, to: Square| line(mv.from()) == line(from) && line(to) == line(from);
    let was_there = |to: Square| {
        matches!(by.piece_type(), PieceType::Rook | PieceType::Cannon)
            && (is_along(Square::row, to) || is_along(Square::column, to))
    };
    let is_free = |to: Square| !position.is_attacked(to, !by.color());
    let threat = |to: Square| {
        let of = position.piece_id_at(to)?;
        let counts = match (by.piece_type(), of.piece_type()) {
            (PieceType::Knight | PieceType::Cannon, PieceType::Rook) => true,
            (PieceType::Knight, PieceType::Cannon)
            | (PieceType::Cannon, PieceType::Knight)
            | (PieceType::Rook, PieceType::Knight | PieceType::Cannon) => is_free(to),
            (PieceType::Knight | PieceType::Cannon | PieceType::Rook, PieceType::Pawn) => {
                has_crossed(of, to) && is_free(to)
            }
            _ => false,
        };
        (counts && !was_there(to)).then_some(Threat { by, of })
    };
    let pieces = position.pieces().map(|(_, square)| square);
    pieces.filter(|&to| to != from && position.is_pseudo_legal(Move::new(from, to))).filter_map(threat).collect()
}

/// The capture that is threatened.
fn capture(position: &Position, threat: &Threat) -> Move {
    Move::new(position.square_of(threat.by), position.square_of(threat.of))
}

/// Whether the threat was there before, or only failed because the man that threatens was pinned.
fn was_there(before: &Position, threat: &Threat) -> bool {
    let mv = capture(before, threat);
    before.is_pseudo_legal(mv) && (!before.is_legal(mv) || counts(before, mv, threat.by, threat.of))
}

/// Whether the capture was possible before and answered by a protector whose way the move has blocked, or whose screen it
/// has taken: only to pin a protector is to threaten. (The federation's diagram 61 and one of 71–75: the man that blocks
/// or unblocks has another purpose.) What a king or pawn moves for is to let others threaten, so this does not hold for
/// them.
fn was_kept_off(before: &Position, now: &Position, threat: &Threat) -> bool {
    let mv = capture(before, threat);
    before.is_pseudo_legal(mv) && is_protected(before, mv) && !can_be_retaken(now, capture(now, threat))
}

/// The threats of the side to move that count: kings and pawns may threaten what they like.
fn threats(position: &Position) -> Vec<Threat> {
    let mut captures = MoveList::new();
    position.generate(GenType::Captures, &mut captures);
    let threat = |mv: Move| {
        let (by, of) = (position.piece_id_at(mv.from())?, position.piece_id_at(mv.to())?);
        let may_chase = !matches!(by.piece_type(), PieceType::King | PieceType::Pawn);
        (may_chase && counts(position, mv, by, of)).then_some(Threat { by, of })
    };
    captures.iter().filter_map(threat).collect()
}

/// Whether capturing `of` by `by` is more than an offer to exchange.
fn counts(position: &Position, mv: Move, by: PieceId, of: PieceId) -> bool {
    match (by.piece_type(), of.piece_type()) {
        (_, PieceType::King) => false,
        (_, PieceType::Pawn) if !has_crossed(of, mv.to()) => false,
        // Worth it even if protected.
        (PieceType::Knight | PieceType::Cannon, PieceType::Rook) => true,
        (PieceType::Advisor | PieceType::Bishop, PieceType::Rook | PieceType::Knight | PieceType::Cannon) => true,
        (by, of) if by == of && can_capture(position, mv.to(), mv.from()) => false,
        _ => !is_protected(position, mv),
    }
}

fn has_crossed(pawn: PieceId, square: Square) -> bool {
    (square.rank() >= 5) == (pawn.color() == Color::Red)
}

/// Whether the man on `from` could capture the one on `to` if it were its turn, an answer to a check aside.
fn can_capture(position: &Position, from: Square, to: Square) -> bool {
    let turned = position.with_side_to_move(!position.side());
    let mv = Move::new(from, to);
    if turned.in_check() { turned.is_pseudo_legal(mv) } else { turned.is_legal(mv) }
}

/// Whether the capture `mv` could be answered by a recapture.
///
/// A check that is already there would have to be answered instead, but that is the check's doing and not the
/// threat's: then any recapture counts.
fn is_protected(position: &Position, mv: Move) -> bool {
    if position.is_king_attacked(!position.side()) {
        return can_be_retaken(position, mv);
    }
    recaptures(position, mv, Position::is_legal)
}

/// Whether a man could retake after the capture `mv` if its king did not matter.
fn can_be_retaken(position: &Position, mv: Move) -> bool {
    recaptures(position, mv, Position::is_pseudo_legal)
}

/// Whether a recapture after `mv` passes `test`.
fn recaptures(position: &Position, mv: Move, test: fn(&Position, Move) -> bool) -> bool {
    let mut after = position.with_side_to_move(position.side());
    after.make(mv, &mut ());
    let mut pieces = after.pieces().filter(|(piece, _)| piece.color() == after.side());
    pieces.any(|(_, from)| test(&after, Move::new(from, mv.to())))
}

/// The rooks of the side to move that may not leave their squares because a knight would then give check, as a set of
/// [`PieceId::bit`]s. To chase such a rook is worse than any other chase.
pub fn rooks_pinned_by_knights(position: &Position) -> u64 {
    let us = position.side();
    let king = position.king(us);
    let knights = position.pieces().filter(|&(piece, _)| piece == Piece::new(!us, PieceType::Knight));
    let legs = knights.filter_map(|(_, square)| knight_leg(square, king));
    let rooks = legs.filter_map(|leg| position.piece_id_at(leg)).filter(|id| id.is(us, PieceType::Rook));
    rooks.fold(0, |set, rook| set | rook.bit())
}
