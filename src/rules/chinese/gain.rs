//! Gains: what a side could win from its next move on if nothing were done.

use super::material::Balance;
use super::search::{MATE, Search, is_by_pawn_or_king, moves_to};
use crate::position::{PieceId, Position};
use crate::types::{Color, Move, Square};

/// How material is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// The first move captures it, in an exchange on one square.
    Capture,
    /// Unbroken checks that end in a capture.
    Checks,
    /// Exchanges on several squares.
    Exchanges,
}

/// A gain of material.
#[derive(Clone, Debug)]
pub(super) struct Gain {
    /// How it is won.
    pub means: Means,
    /// The piece that captures.
    pub by: PieceId,
    /// The piece that is won.
    pub of: PieceId,
    /// The first move.
    pub first: Move,
    /// What is won on the spot: by the exchange on its square, or by the checks.
    pub on_the_spot: i32,
    /// What is left at the end when both sides have captured and checked as they like; -[`MATE`] if we are mated.
    pub in_the_end: i32,
}

/// The captures of like by like that the other side, which is to move in `position`, could make first without loss, from
/// our point of view: offers to exchange. `all`: also those that it would lose by.
pub(super) fn exchanges(position: &Position, all: bool) -> Vec<Move> {
    let ours = position.with_side_to_move(!position.side());
    let mutual = captures(&ours).filter(|mv| {
        let is_like = |square| position.piece_at(square).map(|piece| piece.piece_type());
        is_like(mv.from()) == is_like(mv.to()) && position.is_legal(Move::new(mv.to(), mv.from()))
    });
    mutual.filter(|mv| all || loss_by(position, Move::new(mv.to(), mv.from())) <= 0).collect()
}

/// What the side not to move wins, or loses, if the other captures by `mv` now.
fn loss_by(position: &Position, mv: Move) -> i32 {
    let us = !position.side();
    let balance = Balance::default().after(position, mv, us);
    let mut after = position.without_history();
    after.make(mv);
    Search::new(us, &[]).captures(&mut after, balance, &mut vec![mv])
}

/// What the side not to move in `position` loses if the other captures and checks as it likes: 0 or less.
pub(super) fn loss(position: &Position) -> i32 {
    let us = !position.side();
    Search::new(us, &[]).captures(&mut position.with_side_to_move(!us), Balance::default(), &mut Vec::new()).min(0)
}

fn captures(position: &Position) -> impl Iterator<Item = Move> {
    let list = position.legal_moves();
    let captures: Vec<Move> = list.iter().filter(|&mv| position.is_capture(mv)).collect();
    captures.into_iter()
}

/// A position in which the gains of the side to move are looked for.
pub(super) struct Prospects<'a> {
    position: &'a Position,
    us: Color,
    /// Captures that do not count.
    exchanges: &'a [Move],
}

impl<'a> Prospects<'a> {
    /// The gains of the side to move in `position`; captures in `exchanges` do not count.
    pub(super) fn new(position: &'a Position, exchanges: &'a [Move]) -> Prospects<'a> {
        Prospects { position, us: position.side(), exchanges }
    }

    fn search(&self) -> Search<'a> {
        Search::new(self.us, self.exchanges)
    }

    /// The best capture of each piece that is won by an exchange on its square.
    pub(super) fn by_capture(&self) -> Vec<Gain> {
        let mut gains: Vec<Gain> = Vec::new();
        for gain in captures(self.position).filter_map(|mv| self.capture(mv)) {
            match gains.iter_mut().find(|other| other.of == gain.of) {
                None => gains.push(gain),
                Some(other) if (gain.in_the_end, gain.on_the_spot) > (other.in_the_end, other.on_the_spot) => {
                    *other = gain
                }
                Some(_) => {}
            }
        }
        gains
    }

    /// The best capture of `target`, if it is won by the exchange on its square.
    pub(super) fn capture_of(&self, target: PieceId) -> Option<Gain> {
        let square = self.position.square_of(target);
        let gains = moves_to(self.position, square).into_iter().filter_map(|mv| self.capture(mv));
        gains.max_by_key(|gain| (gain.in_the_end, gain.on_the_spot))
    }

    /// Whether `target` is won by an exchange on its square.
    pub(super) fn attacks(&self, target: PieceId) -> bool {
        let square = self.position.square_of(target);
        moves_to(self.position, square).into_iter().any(|mv| self.won_on_the_spot(mv).is_some())
    }

    /// What the capture `mv` wins on its square, if it wins something and may chase.
    fn won_on_the_spot(&self, mv: Move) -> Option<i32> {
        let balance = Balance::default().after(self.position, mv, self.us);
        if balance.value() == 0 || self.exchanges.contains(&mv) || !self.may_chase(mv) {
            return None;
        }
        let mut after = self.after(mv);
        let won = self.search().exchange(&mut after, balance, mv.to());
        (won > 0 && !self.is_exchange(&after, mv.to())).then_some(won)
    }

    /// Whether a protected piece on `square`, which we captured, was offered in exchange for a like piece.
    fn is_exchange(&self, after: &Position, square: Square) -> bool {
        self.exchanges.iter().any(|mv| mv.to() == square) && !moves_to(after, square).is_empty()
    }

    /// Pawns and the king may attack anything; they chase only together with other pieces.
    fn may_chase(&self, mv: Move) -> bool {
        !is_by_pawn_or_king(self.position, mv)
            || self.position.pieces().any(|(piece, from)| {
                let other = Move::new(from, mv.to());
                from != mv.to()
                    && piece.color() == self.us
                    && !is_by_pawn_or_king(self.position, other)
                    && self.position.is_pseudo_legal(other)
            })
    }

    fn capture(&self, mv: Move) -> Option<Gain> {
        let on_the_spot = self.won_on_the_spot(mv)?;
        let in_the_end = self.in_the_end(mv, self.search(), &mut Vec::new());
        let (by, of) = (self.position.piece_id_at(mv.from())?, self.position.piece_id_at(mv.to())?);
        Some(Gain { means: Means::Capture, by, of, first: mv, on_the_spot, in_the_end })
    }

    fn after(&self, mv: Move) -> Position {
        let mut after = self.position.with_side_to_move(self.us);
        after.make(mv);
        after
    }

    fn in_the_end(&self, mv: Move, search: Search, line: &mut Vec<Move>) -> i32 {
        let balance = Balance::default().after(self.position, mv, self.us);
        line.push(mv);
        search.captures(&mut self.after(mv), balance, line)
    }

    /// The best gain by unbroken checks.
    pub(super) fn by_checks(&self) -> Option<Gain> {
        let checks = self.position.legal_moves();
        let gains = checks.iter().filter(|&mv| self.position.gives_check(mv)).filter_map(|mv| {
            if self.exchanges.contains(&mv) || self.position.is_capture(mv) && !self.may_chase(mv) {
                return None;
            }
            let balance = Balance::default().after(self.position, mv, self.us);
            let mut line = Vec::new();
            let on_the_spot = self.search().chain(&mut self.after(mv), balance, &mut line);
            if on_the_spot <= 0 || self.won_on_the_spot(mv).is_some() {
                return None;
            }
            let in_the_end = self.in_the_end(mv, self.search(), &mut Vec::new());
            let (by, of) = self.last_capture(mv, &line)?;
            Some(Gain { means: Means::Checks, by, of, first: mv, on_the_spot, in_the_end })
        });
        gains.max_by_key(|gain| (gain.in_the_end, gain.on_the_spot))
    }

    /// The best gain by exchanges that starts with a capture that wins nothing by itself.
    pub(super) fn by_exchanges(&self) -> Option<Gain> {
        let gains = captures(self.position).filter_map(|mv| {
            let is_searched = !self.exchanges.contains(&mv) && !is_by_pawn_or_king(self.position, mv);
            if !is_searched || self.is_exchange(&self.after(mv), mv.to()) || self.won_on_the_spot(mv).is_some() {
                return None;
            }
            let mut line = Vec::new();
            let won = self.in_the_end(mv, self.search().by_pieces_only(), &mut line);
            let (by, of) = self.last_capture(mv, &line)?;
            (won > 0).then_some(Gain { means: Means::Exchanges, by, of, first: mv, on_the_spot: won, in_the_end: won })
        });
        gains.max_by_key(|gain| gain.in_the_end)
    }

    /// The pieces of our last capture in a line.
    fn last_capture(&self, first: Move, rest: &[Move]) -> Option<(PieceId, PieceId)> {
        let mut position = self.position.with_side_to_move(self.us);
        let mut last = None;
        for &mv in [first].iter().chain(rest) {
            if position.side() == self.us && position.is_capture(mv) {
                last = Some((position.piece_id_at(mv.from())?, position.piece_id_at(mv.to())?));
            }
            position.make(mv);
        }
        last
    }
}

impl Gain {
    /// Whether the side that makes the gain is not worse off by it than by passing: `loss` is what it loses then.
    pub(super) fn is_sound(&self, loss: impl FnOnce() -> i32) -> bool {
        let least = (self.means != Means::Capture) as i32;
        self.in_the_end > -MATE && (self.in_the_end >= least || self.in_the_end - loss() >= least)
    }
}
