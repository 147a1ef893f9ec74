//! The class of a move: check, kill, chase or idle.

use super::gain::{Gain, Means, Prospects, exchanges, loss};
use super::search::{Search, is_by_pawn_or_king, moves_to};
use crate::position::{PieceId, Position};
use crate::types::{Move, PieceType, Square};
use std::cmp::Reverse;

/// The class of a move, by the heaviest thing that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It gives check.
    Check,
    /// It threatens to mate from the next move on, by unbroken checks.
    Kill,
    /// It threatens to win material, and did not before.
    Chase(Chase),
    /// It does none of these.
    Idle(Idle),
}

/// What a chase threatens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chase {
    /// The piece that would capture.
    pub by: PieceId,
    /// The piece that would be captured.
    pub of: PieceId,
    /// The manner, which decides if both sides chase.
    pub manner: Manner,
}

/// The manner of a chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Manner {
    /// A rook.
    Rook,
    /// A piece without protection.
    Unprotected,
    /// A piece with too few protectors.
    UnderProtected,
    /// A piece that several men can win only together.
    Joint,
}

impl Manner {
    /// Whether it weighs less than the others.
    pub fn is_light(self) -> bool {
        self >= Manner::UnderProtected
    }
}

/// Kinds of idle moves. They weigh the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It offers to exchange a piece for one of the same kind.
    Exchange,
    /// It puts a piece where it can be captured without compensation.
    Offer,
    /// It blocks a check.
    Block,
    /// It attacks a piece without winning it.
    Follow,
    /// Anything else.
    Other,
}

/// The class of the move `mv` from `before` to `after`. `earlier` is the position before the opponent's last move.
pub(super) fn classify(earlier: Option<&Position>, before: &Position, mv: Move, after: &Position) -> Class {
    let us = before.side();
    if after.in_check() {
        return Class::Check;
    }
    let mover = before.piece_at(mv.from()).map(|piece| piece.piece_type());
    if mover == Some(PieceType::King) && before.in_check() {
        return Class::Idle(Idle::Other);
    }
    let mut ours = after.with_side_to_move(us);
    if Search::new(us, &exchanges(after, true)).kills(&mut ours) {
        return Class::Kill;
    }
    let exchanges = exchanges(after, false);
    let change = Change { earlier, before, mv, after, ours: &ours, exchanges: &exchanges };
    match change.new_chase() {
        Some(chase) => Class::Chase(chase),
        None => Class::Idle(change.idle()),
    }
}

/// What a move changes.
struct Change<'a> {
    earlier: Option<&'a Position>,
    before: &'a Position,
    mv: Move,
    /// The opponent is to move.
    after: &'a Position,
    /// The same with the mover to move.
    ours: &'a Position,
    exchanges: &'a [Move],
}

impl Change<'_> {
    /// The chase that the move begins; of several captures the one that wins most, of equal ones the heaviest.
    fn new_chase(&self) -> Option<Chase> {
        let prospects = Prospects::new(self.ours, self.exchanges);
        let before = Prospects::new(self.before, &[]);
        let mut expected = None;
        let mut loss = || *expected.get_or_insert_with(|| loss(self.after));
        let captures = prospects.by_capture();
        let sound = captures.iter().filter(|gain| gain.is_sound(&mut loss) && self.is_new_capture(gain, &before));
        let weighed = sound.map(|gain| (gain.in_the_end, self.chase(gain)));
        if let Some((_, chase)) = weighed.max_by_key(|(gain, chase)| (*gain, Reverse(chase.manner))) {
            return Some(chase);
        }
        let is_more = |gain: &Gain, than: Option<&Gain>| {
            than.is_none_or(|than| gain.on_the_spot > than.on_the_spot || gain.in_the_end > than.in_the_end)
        };
        let by_checks = prospects.by_checks();
        let sound = by_checks.as_ref().filter(|gain| gain.is_sound(&mut loss));
        if let Some(gain) = sound.filter(|gain| is_more(gain, before.by_checks().as_ref())) {
            return Some(self.chase(gain));
        }
        let gain = prospects.by_exchanges().filter(|gain| gain.is_sound(&mut loss))?;
        let is_less = |other: &Gain| other.in_the_end < gain.in_the_end;
        let is_new = captures.iter().chain(&by_checks).all(is_less)
            && before.by_capture().iter().all(is_less)
            && [before.by_checks(), before.by_exchanges()].iter().flatten().all(is_less);
        is_new.then(|| self.chase(&gain))
    }

    /// Whether a capture was not won before the move, or not as much.
    fn is_new_capture(&self, gain: &Gain, before: &Prospects) -> bool {
        let as_much = before.capture_of(gain.of).filter(|old| old.on_the_spot >= gain.on_the_spot);
        if as_much.as_ref().is_some_and(|old| old.in_the_end >= gain.in_the_end) {
            return false;
        }
        if self.has_part_in(gain.of) {
            return true;
        }
        // The attack itself is as it was. The move made it possible, for instance by saving another piece. It is no chase
        // if it is worth nothing, or if the opponent's own last move brought it about.
        let was_there = || self.earlier.is_none_or(|position| Prospects::new(position, &[]).attacks(gain.of));
        gain.in_the_end > 0 && (as_much.is_none() || was_there())
    }

    /// Whether the moved piece attacks `target` or is a screen, or the move opened an attack on it.
    fn has_part_in(&self, target: PieceId) -> bool {
        let (square, moved) = (self.ours.square_of(target), self.mv.to());
        self.ours.is_pseudo_legal(Move::new(moved, square))
            || moves_to(self.ours, square)
                .iter()
                .any(|&capture| !self.before.is_pseudo_legal(capture) || is_between(moved, capture.from(), square))
    }

    /// The kind of a move that neither checks nor threatens anything.
    fn idle(&self) -> Idle {
        let moved = self.mv.to();
        let has_part_in = |mv: &Move| {
            self.guards(moved, mv.from()) || self.ours.piece_id_at(mv.to()).is_some_and(|of| self.has_part_in(of))
        };
        let is_lost = |piece| Prospects::new(self.after, &[]).attacks(piece);
        let follows = |mv: Move| mv.from() == moved && self.ours.is_capture(mv) && !is_by_pawn_or_king(self.ours, mv);
        if self.exchanges.iter().any(has_part_in) {
            Idle::Exchange
        } else if self.before.in_check() {
            Idle::Block
        } else if self.after.piece_id_at(moved).is_some_and(is_lost) {
            Idle::Offer
        } else if self.ours.legal_moves().iter().any(follows) {
            Idle::Follow
        } else {
            Idle::Other
        }
    }

    fn chase(&self, gain: &Gain) -> Chase {
        Chase { by: gain.by, of: gain.of, manner: self.manner(gain) }
    }

    fn manner(&self, gain: &Gain) -> Manner {
        let is_rook = gain.of.piece_type() == PieceType::Rook;
        let alone = if is_rook { Manner::Rook } else { Manner::Unprotected };
        let is_by_mover = self.after.square_of(gain.by) == self.mv.to();
        if gain.means != Means::Capture {
            return if is_rook { Manner::Rook } else { Manner::Joint };
        }
        let square = gain.first.to();
        let mut captured = self.ours.without_history();
        captured.make(gain.first);
        let protects = |from: Square| from != square && captured.is_pseudo_legal(Move::new(from, square));
        // A protector that the moved piece pins is none, but then the two win the piece together.
        let is_protected = if is_by_mover {
            !moves_to(&captured, square).is_empty() || protects(captured.king(captured.side()))
        } else {
            captured.pieces().any(|(piece, from)| piece.color() == captured.side() && protects(from))
        };
        match is_protected {
            true if is_by_mover && is_rook => Manner::Rook,
            true if is_by_mover => Manner::UnderProtected,
            true => Manner::Joint,
            false if self.only_guards_screen(gain.first) => Manner::Joint,
            false => alone,
        }
    }

    /// Whether the piece on `from` could recapture on `square` if the other side captured there.
    fn guards(&self, from: Square, square: Square) -> bool {
        moves_to(self.after, square).iter().any(|&mv| {
            let mut captured = self.after.without_history();
            captured.make(mv);
            captured.is_legal(Move::new(from, square))
        })
    }

    /// Whether the moved piece only protects the screen of an attack that was there before, so that the attacked piece
    /// cannot capture it.
    fn only_guards_screen(&self, capture: Move) -> bool {
        let moved = self.mv.to();
        self.before.is_pseudo_legal(capture)
            && self.ours.pieces().any(|(piece, at)| {
                piece.color() == self.ours.side()
                    && is_between(at, capture.from(), capture.to())
                    && self.after.is_legal(Move::new(capture.to(), at))
                    && self.guards(moved, at)
            })
    }
}

/// Whether `square` lies between two squares on a line.
fn is_between(square: Square, from: Square, to: Square) -> bool {
    let between = |at: u8, one: u8, other: u8| one.min(other) < at && at < one.max(other);
    let files = (square.file(), from.file(), to.file());
    let ranks = (square.rank(), from.rank(), to.rank());
    files.0 == files.1 && files.1 == files.2 && between(ranks.0, ranks.1, ranks.2)
        || ranks.0 == ranks.1 && ranks.1 == ranks.2 && between(files.0, files.1, files.2)
}
