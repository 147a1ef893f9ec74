//! Perpetual check in positions where neither side can force mate.
//!
//! Perpetual check loses. So a side that can avoid mate only by giving check at every move has lost, and the other has won
//! by rule, although no mate is in sight. These positions are found after the mates, among the draws, and get a *rank*:
//! a byte above all distances to mate, even for the loser to move and odd for the winner, such that
//!
//! - each move of a loser of rank `r` leads to a rank below `r`, or is a check and leads to a rank of at most `r` + 1;
//! - a winner of rank `r` has a move that gives no check to a rank below `r`, or a move to a rank below `r` − 2.
//!
//! Mates count as lower than all ranks, and so does what follows by a capture. If the winner plays these moves, the loser's
//! rank never rises, and it stays the same only if he checks and the winner does not: sooner or later he is mated, or
//! repeats a position by nothing but checks that are not answered by checks.
//!
//! In terms of game theory this is a parity game with three priorities. It is solved in rounds:
//!
//! 1. Mark positions where the loser has only checks (or lost moves) and those where the winner has a reply that is no
//!    check. Take marks back until all marked positions meet the conditions.
//! 2. Spread ranks to the positions from which the winner gets there.
//! 3. Repeat with greater ranks, until nothing is new.
//!
//! Left as draws: wins in which the winner himself must check again and again, and ranks that a byte cannot hold.
//!
//! The rules of repetition have perpetual check lose against whatever the other side does at the same time, perpetual
//! chase included, unless that is perpetual check as well. A draw may still be lost by perpetual *chase*.

use super::board::{Board, BoardMove};
use super::generate::{AfterCapture, Generator, Scratch};
use super::value::{DRAW, IMPOSSIBLE, MAX_PLIES};
use crate::types::Color;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// A position: its number and the side to move.
#[derive(Clone, Copy)]
struct Node {
    index: usize,
    side: Color,
}

impl Generator<'_> {
    /// Gives ranks to the positions that are won or lost by perpetual check; `greatest`: the greatest distance to mate.
    /// Returns the first rank; [`DRAW`] if there are no such positions. Ranks that a byte cannot hold are not given: these
    /// positions stay draws.
    pub(super) fn rank_perpetual_checks(&self, threads: usize, greatest: u8, on_progress: &mut dyn FnMut(u8)) -> u8 {
        let first = (greatest + 2) & !1;
        let mut rank = first;
        while rank < MAX_PLIES {
            on_progress(rank);
            self.parallel(threads, &|range, scratch| {
                self.each(range, DRAW, |node| self.mark_candidate(node, rank, scratch));
            });
            self.parallel(threads, &|range, scratch| {
                self.each(range, rank, |node| self.mark_before(node, rank, scratch));
            });
            while self.refine(threads, rank) {}
            let Some(greatest) = self.spread(threads, rank) else { break };
            rank = (greatest + 2) & !1;
        }
        if rank == first { DRAW } else { first }
    }

    /// Calls `visit` for the positions of this value.
    fn each(&self, range: Range<usize>, byte: u8, mut visit: impl FnMut(Node)) {
        for index in range {
            for side in Color::ALL {
                if self.values[side.index()][index].load(Relaxed) == byte {
                    visit(Node { index, side });
                }
            }
        }
    }

    fn value(&self, node: Node) -> &AtomicU8 {
        &self.values[node.side.index()][node.index]
    }

    /// Marks a drawn position as lost with `rank` if all its moves are lost or checks; and as won with `rank` + 1 if a
    /// capture wins by rule.
    fn mark_candidate(&self, node: Node, rank: u8, scratch: &mut Scratch) {
        let Scratch { board, moves, .. } = scratch;
        self.set(node, board, moves);
        let is_lost_or_check = |&mv: &BoardMove, board: &mut Board| match self.rank_after(board, node.side, mv) {
            IMPOSSIBLE => true,
            byte if byte >= rank => mv.captured.is_none() && gives_check(board, node.side, mv),
            byte => !byte.is_multiple_of(2),
        };
        if self.wins_by_capture(node, board, moves) {
            self.value(node).store(rank + 1, Relaxed);
        } else if moves.iter().all(|mv| is_lost_or_check(mv, board)) {
            self.value(node).store(rank, Relaxed);
        }
    }

    /// Marks the drawn positions from which a move that gives no check leads to this one as won with `rank` + 1.
    fn mark_before(&self, node: Node, rank: u8, scratch: &mut Scratch) {
        self.list_before(node.index, !node.side, scratch);
        if scratch.board.is_king_attacked(node.side) {
            return;
        }
        for &index in &scratch.before {
            // Positions that are no draws keep their values.
            let _ = self.value(Node { index, side: !node.side }).compare_exchange(DRAW, rank + 1, Relaxed, Relaxed);
        }
    }

    /// Takes back the marks of positions that do not meet the conditions; returns whether there were any.
    fn refine(&self, threads: usize, rank: u8) -> bool {
        let has_changed = AtomicBool::new(false);
        self.parallel(threads, &|range, scratch| {
            let take_back = |node| {
                self.value(node).store(DRAW, Relaxed);
                has_changed.store(true, Relaxed);
            };
            self.each(range.clone(), rank, |node| {
                if !self.is_lost(node, rank, scratch) {
                    take_back(node);
                }
            });
            self.each(range, rank + 1, |node| {
                if !self.is_won(node, rank + 1, scratch) {
                    take_back(node);
                }
            });
        });
        has_changed.into_inner()
    }

    /// Gives greater ranks to the drawn positions from which the winner gets to those of `rank` and `rank` + 1. Returns the
    /// greatest rank; `None` if there are no positions of `rank` and `rank` + 1.
    fn spread(&self, threads: usize, rank: u8) -> Option<u8> {
        let greatest = AtomicU8::new(0);
        let mut turn = rank;
        while turn <= greatest.load(Relaxed).max(rank + 1) {
            self.parallel(threads, &|range, scratch| {
                self.each(range, turn, |node| {
                    greatest.fetch_max(turn, Relaxed);
                    self.spread_from(node, turn, scratch, &greatest);
                });
            });
            turn += 1;
        }
        Some(greatest.into_inner()).filter(|&greatest| greatest > 0)
    }

    /// The same for the positions before one of rank `turn`.
    fn spread_from(&self, node: Node, turn: u8, scratch: &mut Scratch, greatest: &AtomicU8) {
        self.list_before(node.index, !node.side, scratch);
        let is_loser_to_move = turn.is_multiple_of(2);
        let in_check = scratch.board.is_king_attacked(node.side);
        let new = turn + if is_loser_to_move && in_check { 3 } else { 1 };
        if new > MAX_PLIES {
            return;
        }
        let before = std::mem::take(&mut scratch.before);
        for &index in &before {
            let earlier = Node { index, side: !node.side };
            let known = self.value(earlier).load(Relaxed);
            if known == IMPOSSIBLE || known <= new || !is_loser_to_move && !self.is_lost(earlier, new, scratch) {
                continue;
            }
            self.value(earlier).fetch_min(new, Relaxed);
            greatest.fetch_max(new, Relaxed);
        }
        scratch.before = before;
    }

    /// Whether a loser of this rank meets the conditions.
    fn is_lost(&self, node: Node, rank: u8, scratch: &mut Scratch) -> bool {
        let Scratch { board, moves, .. } = scratch;
        self.set(node, board, moves);
        moves.iter().all(|&mv| match self.rank_after(board, node.side, mv) {
            IMPOSSIBLE => true,
            byte if byte == DRAW || byte.is_multiple_of(2) => false,
            byte => byte < rank || byte == rank + 1 && gives_check(board, node.side, mv),
        })
    }

    /// Whether a winner of this rank meets the conditions by a move to the rank below it, or by a capture.
    fn is_won(&self, node: Node, rank: u8, scratch: &mut Scratch) -> bool {
        let Scratch { board, moves, .. } = scratch;
        self.set(node, board, moves);
        let wins = |&mv: &BoardMove, board: &mut Board| {
            mv.captured.is_none()
                && self.rank_after(board, node.side, mv) == rank - 1
                && !gives_check(board, node.side, mv)
        };
        moves.iter().any(|mv| wins(mv, board)) || self.wins_by_capture(node, board, moves)
    }

    /// Whether a capture leads to a position that the opponent has lost: by rule, for otherwise this one would be won by
    /// mate.
    fn wins_by_capture(&self, node: Node, board: &mut Board, moves: &[BoardMove]) -> bool {
        let mut captures = moves.iter().filter(|mv| mv.captured.is_some());
        captures.any(|&mv| self.rank_after(board, node.side, mv) == 0)
    }

    /// The byte of the position after a move; after a capture 0 for a loss, 1 for a win.
    fn rank_after(&self, board: &mut Board, side: Color, mv: BoardMove) -> u8 {
        self.byte_after(board, side, mv, AfterCapture::result)
    }

    /// Puts a position on the board and lists its moves.
    fn set(&self, node: Node, board: &mut Board, moves: &mut Vec<BoardMove>) {
        board.set(&self.indexer.squares(node.index));
        board.moves(node.side, moves);
    }
}

/// Whether a move gives check.
fn gives_check(board: &mut Board, side: Color, mv: BoardMove) -> bool {
    let from = board.squares()[mv.piece];
    board.make(mv);
    let is_check = board.is_king_attacked(!side);
    board.undo(mv, from);
    is_check
}
