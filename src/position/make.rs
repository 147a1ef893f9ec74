//! Making and undoing moves.

use super::mailbox::Cell;
use super::{Position, Undo, part_of};
use crate::tables::slides::{file_bit, rank_bit};
use crate::tables::zobrist;
use crate::types::{Move, Piece, PieceSquare, PieceType, Square};
use thiserror::Error;

/// The move is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is illegal")]
pub struct IllegalMove(pub Move);

/// What a move changed on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The move.
    pub mv: Move,
    /// The piece that left its square.
    pub from: PieceSquare,
    /// The piece on its new square: a pawn after a promotion of the promotion variant.
    pub to: PieceSquare,
    /// The piece captured there.
    pub captured: Option<PieceSquare>,
}

impl Position {
    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// If it is illegal; the position is unchanged.
    pub fn try_make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.make(mv);
        Ok(())
    }

    /// Makes a legal move: one of a list of legal moves, or one that [`Position::is_legal`] accepts.
    ///
    /// # Panics
    /// With debug assertions, if it is illegal. Without them an illegal move leads to a corrupt position, but to no
    /// memory error. Use [`Position::try_make`] for moves not known to be legal.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_with_key(mv, self.key_after(mv));
    }

    /// As [`Position::make`], with the key after the move, where it is known.
    #[inline]
    pub fn make_with_key(&mut self, mv: Move, key: u64) {
        debug_assert_eq!(key, self.key_after(mv));
        debug_assert!(self.is_legal(mv), "{mv} in {}", self.to_fen());
        let (from, to) = (mv.from(), mv.to());
        let cell = self.cells.at(from);
        let captured = self.cells.at(to);
        self.undo.push(Undo { state: self.state, mv: Some(mv), moved: cell, captured });

        self.state.key = key;
        let piece = cell.piece_unchecked();
        let placed = if from == to { Piece::new(piece.color(), PieceType::Pawn) } else { piece };
        self.state.part_keys[part_of(piece)] ^= zobrist::piece(piece, from) as u32;
        self.state.part_keys[part_of(placed)] ^= zobrist::piece(placed, to) as u32;
        self.state.quiet_plies = self.state.quiet_plies.saturating_add(1);
        if from == to {
            self.promote(cell, to);
            self.state.quiet_plies = 0;
        } else {
            self.lift(from);
            if !captured.is_empty() {
                let victim = captured.piece_unchecked();
                self.state.part_keys[part_of(victim)] ^= zobrist::piece(victim, to) as u32;
                self.pieces[victim.color().index()] ^= captured.bit();
                self.squares[captured.index()] = Square::OFF;
                self.state.quiet_plies = 0;
            }
            self.place(cell, to);
        }
        self.side = !self.side;
        self.update_checks();
        self.check();
    }

    /// The Zobrist key after a legal move, without making it; for prefetching.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let (piece, captured) = (self.cells.at(from).piece_unchecked(), self.cells.at(to));
        let is_promotion = from == to;
        let placed = if is_promotion { Piece::new(piece.color(), PieceType::Pawn) } else { piece };
        let key = self.key_after_null() ^ zobrist::piece(piece, from) ^ zobrist::piece(placed, to);
        if is_promotion || captured.is_empty() { key } else { key ^ zobrist::piece(captured.piece_unchecked(), to) }
    }

    /// The Zobrist key after a null move.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.state.key ^ zobrist::side()
    }

    /// Undoes the last move or null move.
    ///
    /// # Panics
    /// If no move was made.
    #[inline]
    pub fn undo(&mut self) {
        let undo = self.undo.pop().expect("invariant: undo follows make");
        self.side = !self.side;
        self.state = undo.state;
        if let Some(mv) = undo.mv {
            let (from, to) = (mv.from(), mv.to());
            if from == to {
                self.demote(undo.moved, to);
            } else {
                let cell = self.cells.at(to);
                self.lift(to);
                self.place(cell, from);
                if !undo.captured.is_empty() {
                    self.pieces[undo.captured.piece_unchecked().color().index()] ^= undo.captured.bit();
                    self.place(undo.captured, to);
                }
            }
        }
        self.check();
    }

    /// Makes a null move; not allowed in check. It counts as a quiet ply.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.undo.push(Undo { state: self.state, mv: None, moved: Cell::EMPTY, captured: Cell::EMPTY });
        self.state.key = self.key_after_null();
        self.state.quiet_plies = self.state.quiet_plies.saturating_add(1);
        self.side = !self.side;
        self.update_checks();
        self.check();
    }

    /// The changes of the move made at `ply`, counted from the position set up (below [`Position::plies`]); `None` for a
    /// null move.
    #[inline]
    pub fn change_at(&self, ply: usize) -> Option<Change> {
        let &Undo { mv, moved, captured, .. } = &self.undo[ply];
        let mv = mv?;
        let (from, to) = (mv.from(), mv.to());
        let piece = moved.piece_unchecked();
        let is_promotion = from == to;
        let placed = if is_promotion { Piece::new(piece.color(), PieceType::Pawn) } else { piece };
        let is_capture = !is_promotion && !captured.is_empty();
        Some(Change {
            mv,
            from: PieceSquare::new(piece, from),
            to: PieceSquare::new(placed, to),
            captured: is_capture.then(|| PieceSquare::new(captured.piece_unchecked(), to)),
        })
    }

    /// The key of the position at `ply`, counted from the position set up (at most [`Position::plies`]).
    #[inline]
    pub fn key_at(&self, ply: usize) -> u64 {
        self.undo.get(ply).map_or(self.state.key, |undo| undo.state.key)
    }

    /// Removes the piece on `square` from mailbox, bit-rank and bit-file.
    #[inline]
    fn lift(&mut self, square: Square) {
        self.cells.set(square, Cell::EMPTY);
        self.ranks[square.row()] &= !rank_bit(square);
        self.files[square.column()] &= !file_bit(square);
    }
}
