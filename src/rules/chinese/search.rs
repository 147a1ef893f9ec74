//! Bounded searches of captures and checks: what a side wins or loses.

use super::material::Balance;
use crate::position::{GenType, Position};
use crate::types::{Color, Move, MoveList, PieceType, Square};

/// The value of mate, beyond every [`Balance::value`].
pub(super) const MATE: i32 = 1000;

/// Plies from the root in which checks that capture nothing are searched. Captures and evasions are searched beyond.
const CHECK_PLIES: i32 = 6;
/// Plies beyond [`CHECK_PLIES`] after which every line ends.
const MORE_PLIES: i32 = 12;
/// Checks in a row by which material is won.
const CHAIN_CHECKS: u32 = 4;
/// Checks in a row by which the opponent is mated.
const KILL_CHECKS: u32 = 8;
/// Positions of one search; beyond them it takes a line's balance as it is.
const MAX_NODES: u32 = 5_000;

/// A search for one side, `us`. Values are those of [`Balance::value`] for it, or ±[`MATE`].
pub(super) struct Search<'a> {
    us: Color,
    /// Captures of ours that do not count: exchanges that the other side could make first.
    exchanges: &'a [Move],
    /// Whether captures by our pawns and king count only as recaptures.
    by_pieces_only: bool,
    nodes: u32,
}

impl<'a> Search<'a> {
    /// A search for `us`, in which its captures in `exchanges` do not count.
    pub(super) fn new(us: Color, exchanges: &'a [Move]) -> Search<'a> {
        Search { us, exchanges, by_pieces_only: false, nodes: 0 }
    }

    /// The same search without captures by our pawns and king, except recaptures.
    pub(super) fn by_pieces_only(self) -> Search<'a> {
        Search { by_pieces_only: true, ..self }
    }

    /// Both sides capture and give check as long as it pays (quiescence search with checks). Starts after the move `line`,
    /// if it has one, and replaces it by the principal variation after it.
    pub(super) fn captures(mut self, position: &mut Position, balance: Balance, line: &mut Vec<Move>) -> i32 {
        self.quiesce(position, balance, CHECK_PLIES, (-MATE, MATE), line)
    }

    fn quiesce(
        &mut self,
        position: &mut Position,
        balance: Balance,
        depth: i32,
        (mut alpha, mut beta): (i32, i32),
        line: &mut Vec<Move>,
    ) -> i32 {
        self.nodes += 1;
        let last = line.pop().map(Move::to);
        let is_ours = position.side() == self.us;
        let in_check = position.in_check();
        let stand_pat = balance.value();
        if depth <= -MORE_PLIES || self.nodes > MAX_NODES {
            return stand_pat;
        }
        let mut best = match (in_check, is_ours) {
            (false, _) => stand_pat,
            (true, true) => -MATE,
            (true, false) => MATE,
        };
        if is_ours {
            alpha = alpha.max(best)
        } else {
            beta = beta.min(best)
        }
        if !in_check && alpha >= beta && position.count_legal() > 0 {
            return best;
        }
        let mut list = MoveList::new();
        let only_captures = !in_check && depth <= 0;
        position.generate(if only_captures { GenType::Captures } else { GenType::All }, &mut list);
        if list.is_empty() && (!only_captures || position.has_no_moves()) {
            return if is_ours { -MATE } else { MATE };
        }
        // The captures that win most first.
        let mut moves: Vec<(i32, Move)> = list
            .iter()
            .filter(|&mv| in_check || self.is_searched(position, mv, last))
            .map(|mv| {
                let gain = balance.after(position, mv, self.us).value() - stand_pat;
                (if is_ours { -gain } else { gain } - position.is_capture(mv) as i32, mv)
            })
            .collect();
        moves.sort_by_key(|&(key, _)| key);
        for (_, mv) in moves {
            let after = balance.after(position, mv, self.us);
            let mut rest = vec![mv];
            position.make(mv);
            let value = self.quiesce(position, after, depth - 1, (alpha, beta), &mut rest);
            position.undo();
            if if is_ours { value > best } else { value < best } {
                best = value;
                line.clear();
                line.push(mv);
                line.append(&mut rest);
                if is_ours {
                    alpha = alpha.max(value)
                } else {
                    beta = beta.min(value)
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Whether a move by a side that is not in check is a capture that counts, or a check.
    fn is_searched(&self, position: &Position, mv: Move, last: Option<Square>) -> bool {
        if !position.is_capture(mv) {
            return position.gives_check(mv);
        }
        position.side() != self.us || last == Some(mv.to()) || self.counts(position, mv, !self.by_pieces_only)
    }

    /// Whether a capture of ours counts.
    fn counts(&self, position: &Position, mv: Move, by_all: bool) -> bool {
        !self.exchanges.contains(&mv) && (by_all || !is_by_pawn_or_king(position, mv))
    }

    /// The exchange on one square, after a capture there: both sides recapture as long as it pays.
    pub(super) fn exchange(mut self, position: &mut Position, balance: Balance, square: Square) -> i32 {
        self.exchange_on(position, balance, square, (-MATE, MATE))
    }

    fn exchange_on(
        &mut self,
        position: &mut Position,
        balance: Balance,
        square: Square,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        self.nodes += 1;
        let is_ours = position.side() == self.us;
        let mut best = balance.value();
        for mv in moves_to(position, square) {
            if is_ours {
                alpha = alpha.max(best)
            } else {
                beta = beta.min(best)
            }
            if alpha >= beta || self.nodes > MAX_NODES {
                break;
            }
            let after = balance.after(position, mv, self.us);
            position.make(mv);
            let value = self.exchange_on(position, after, square, (alpha, beta));
            position.undo();
            best = if is_ours { best.max(value) } else { best.min(value) };
        }
        best
    }

    /// After a check: what we win by a capture at the end of unbroken checks, the exchange on its square included.
    /// `line` becomes the moves up to the capture.
    pub(super) fn chain(mut self, position: &mut Position, balance: Balance, line: &mut Vec<Move>) -> i32 {
        self.evade(position, balance, CHAIN_CHECKS, line)
    }

    fn evade(&mut self, position: &mut Position, balance: Balance, checks: u32, line: &mut Vec<Move>) -> i32 {
        let mut worst = MATE;
        for reply in position.legal_moves().iter() {
            let after = balance.after(position, reply, self.us);
            let mut rest = vec![reply];
            position.make(reply);
            let value = self.check(position, after, checks - 1, &mut rest);
            position.undo();
            if value < worst {
                worst = value;
                *line = rest;
            }
            if worst <= 0 {
                break;
            }
        }
        worst
    }

    fn check(&mut self, position: &mut Position, balance: Balance, checks: u32, line: &mut Vec<Move>) -> i32 {
        self.nodes += 1;
        let mut best = balance.value();
        if self.nodes > MAX_NODES {
            return best;
        }
        let start = line.len();
        for mv in position.legal_moves().iter() {
            let (is_capture, is_check) = (position.is_capture(mv), checks > 0 && position.gives_check(mv));
            if if is_capture { !self.counts(position, mv, false) } else { !is_check } {
                continue;
            }
            let after = balance.after(position, mv, self.us);
            let mut rest = Vec::new();
            position.make(mv);
            let exchange = if is_capture { self.exchange_on(position, after, mv.to(), (-MATE, MATE)) } else { -MATE };
            let further = if is_check { self.evade(position, after, checks, &mut rest) } else { -MATE };
            position.undo();
            if exchange.max(further) > best {
                best = exchange.max(further);
                line.truncate(start);
                line.push(mv);
                if further > exchange {
                    line.append(&mut rest);
                }
            }
        }
        best
    }

    /// Whether we mate by unbroken checks from this move on, captures in `exchanges` excepted.
    pub(super) fn kills(mut self, position: &mut Position) -> bool {
        (1..=KILL_CHECKS).any(|checks| self.mates(position, checks))
    }

    fn mates(&mut self, position: &mut Position, checks: u32) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return false;
        }
        position.legal_moves().iter().any(|mv| {
            if !position.gives_check(mv) || self.exchanges.contains(&mv) {
                return false;
            }
            position.make(mv);
            let replies = position.legal_moves();
            let mates = replies.is_empty()
                || checks > 1
                    && replies.iter().all(|reply| {
                        position.make(reply);
                        let mates = self.mates(position, checks - 1);
                        position.undo();
                        mates
                    });
            position.undo();
            mates
        })
    }
}

/// The legal moves of the side to move to an occupied square.
pub(super) fn moves_to(position: &Position, square: Square) -> Vec<Move> {
    let own = position.pieces().filter(|(piece, from)| piece.color() == position.side() && *from != square);
    own.map(|(_, from)| Move::new(from, square)).filter(|&mv| position.is_legal(mv)).collect()
}

/// Whether a pawn or king moves.
pub(super) fn is_by_pawn_or_king(position: &Position, mv: Move) -> bool {
    let mover = position.piece_at(mv.from()).map(|piece| piece.piece_type());
    matches!(mover, Some(PieceType::Pawn | PieceType::King))
}
