//! Static exchange evaluation against all ways to exchange.
//!
//! [`Position::see_ge`] captures with the least valuable attacker first. That is the best order unless a capture changes
//! what else attacks the square: a rook behind a rook, a cannon that loses or gains its screen, a knight whose leg goes.
//! So a search through all orders must agree with it wherever no capture does that. (`tests/position.rs` compares the
//! rest with a naive implementation of the same order.)

use super::walk::{check, walks};
use crate::naive::{Board, Step};
use chuhe::position::piece_value;
use chuhe::types::{Move, Piece, PieceType};
use std::cell::Cell;
use std::collections::BTreeSet;

type Square = (usize, usize);
/// The squares of pieces that attack the square of the exchange, Red's and Black's.
type Attackers = [BTreeSet<Square>; 2];

fn value(piece: char) -> i32 {
    piece_value(Piece::from_letter(piece as u8).unwrap().piece_type())
}

/// The squares from which the side to move can capture on `target`.
fn captures(board: &Board, target: Square) -> BTreeSet<Square> {
    board.pseudo_legal().into_iter().filter(|step| step.1 == target).map(|step| step.0).collect()
}

/// The attackers of both sides, whatever stands on `target`.
fn attackers(board: &Board, target: Square) -> Attackers {
    [true, false].map(|red_to_move| {
        let mut board = Board { red_to_move, ..board.clone() };
        board.pieces[target.1][target.0] = if red_to_move { 'r' } else { 'R' };
        captures(&board, target)
    })
}

/// What the side to move gains at most by captures on `target`, in any order, where a piece worth `standing` is; 0 if it
/// does better without. A king does not capture a protected piece. `None` if a capture changes the other attackers.
fn best_gain(board: &Board, target: Square, standing: i32, expected: &Attackers) -> Option<i32> {
    if &attackers(board, target) != expected {
        return None;
    }
    let side = usize::from(!board.red_to_move);
    let mut best = 0;
    for &from in &expected[side] {
        let piece = board.pieces[from.1][from.0];
        let after = board.after((from, target));
        let mut left = expected.clone();
        left[side].remove(&from);
        let reply = best_gain(&after, target, value(piece), &left)?;
        let is_king = piece.eq_ignore_ascii_case(&'k');
        if !is_king || left[1 - side].is_empty() {
            best = best.max(standing - reply);
        }
    }
    Some(best)
}

/// The gain of a move in all orders of captures after it; `None` if one changes the other attackers, or there are so many
/// that it takes too long.
fn gain(board: &Board, step: Step) -> Option<i32> {
    let after = board.after(step);
    let expected = attackers(&after, step.1);
    if expected.iter().map(BTreeSet::len).sum::<usize>() > 6 {
        return None;
    }
    let taken = match board.pieces[step.1.1][step.1.0] {
        '.' => 0,
        piece => value(piece),
    };
    Some(taken - best_gain(&after, step.1, value(board.pieces[step.0.1][step.0.0]), &expected)?)
}

#[test]
fn see_equals_the_best_of_all_exchanges() {
    let (compared, exchanges) = (Cell::new(0), Cell::new(0));
    check(192, walks(60), |walk| {
        let position = walk.end();
        let board = Board::from_fen(&position.to_fen());
        for step in board.legal() {
            let mv: Move = crate::naive::iccs(step).parse().unwrap();
            let Some(gain) = gain(&board, step) else { continue };
            assert!(position.see_ge(mv, gain), "{mv} in {}: less than {gain}", position.to_fen());
            assert!(!position.see_ge(mv, gain + 1), "{mv} in {}: more than {gain}", position.to_fen());
            compared.set(compared.get() + 1);
            let taken = position.piece_at(mv.to()).map_or(0, |piece| piece_value(piece.piece_type()));
            exchanges.set(exchanges.get() + u32::from(gain != taken));
        }
    });
    assert!(compared.get() > 1_000 && exchanges.get() > 100, "{compared:?} {exchanges:?}");
}

/// A king is worth more than everything it could win.
#[test]
fn no_exchange_gains_a_king() {
    check(64, walks(60), |walk| {
        let position = walk.end();
        for mv in position.legal_moves().iter() {
            assert!(!position.see_ge(mv, piece_value(PieceType::King)), "{mv} in {}", position.to_fen());
        }
    });
}
