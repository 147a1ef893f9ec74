//! A small board for building endgame tables: moves forwards and backwards from a list of squares.
//!
//! [`crate::position::Position`] makes and takes back moves of a game; setting one up for each of the hundred million
//! positions of a class, and finding moves that lead to it, is what this board is for.

use super::index::{MAX_PIECES, Squares, is_possible};
use crate::tables::leapers::{ADVISOR, BISHOP, KING, KNIGHT_MOVES, PAWN, knight_leg, leaps};
use crate::types::{Color, PieceType, Square};

/// An empty square.
const EMPTY: u8 = 0;
/// A cell of the frame outside the board.
const BORDER: u8 = u8::MAX;
/// Steps along ranks and files, in the frame.
const STEPS: [i8; 4] = [-16, -1, 1, 16];

/// A board with the pieces of a class.
pub(super) struct Board {
    /// Number of the piece plus 1, [`EMPTY`] or [`BORDER`].
    cells: [u8; 256],
    /// The square of each piece.
    squares: Squares,
    /// Color and type of each piece; the kings come first, Red's and Black's.
    kinds: Vec<(Color, PieceType)>,
}

/// A move of the board.
#[derive(Clone, Copy)]
pub(super) struct BoardMove {
    /// The number of the piece.
    pub piece: usize,
    /// Where it goes.
    pub to: Square,
    /// The number of the piece that it captures.
    pub captured: Option<usize>,
}

impl Board {
    /// An empty board for pieces of these kinds.
    pub(super) fn new(kinds: impl Iterator<Item = (Color, PieceType)>) -> Board {
        let mut cells = [BORDER; 256];
        Square::all().for_each(|square| cells[square.index()] = EMPTY);
        Board { cells, squares: [Square::OFF; MAX_PIECES], kinds: kinds.collect() }
    }

    /// Puts the pieces on these squares. Returns false if two are on one square; then the board is unusable until the
    /// next call that returns true.
    pub(super) fn set(&mut self, squares: &Squares) -> bool {
        for square in &self.squares[..self.kinds.len()] {
            if square.is_on_board() {
                self.cells[square.index()] = EMPTY;
            }
        }
        self.squares = *squares;
        for (piece, square) in squares[..self.kinds.len()].iter().enumerate() {
            let cell = &mut self.cells[square.index()];
            if *cell != EMPTY {
                // The pieces placed so far are removed by the next call.
                return false;
            }
            *cell = piece as u8 + 1;
        }
        true
    }

    /// The squares of the pieces; [`Square::OFF`] for a captured one.
    pub(super) fn squares(&self) -> &Squares {
        &self.squares
    }

    /// Whether a side's king is attacked, the other king included.
    pub(super) fn is_king_attacked(&self, color: Color) -> bool {
        let king = self.squares[color.index()];
        let attacks = |(piece, &(owner, kind)): (usize, &(Color, PieceType))| {
            let from = self.squares[piece];
            owner != color
                && from != Square::OFF
                && match kind {
                    PieceType::Rook | PieceType::King => self.between(from, king) == Some(0),
                    PieceType::Cannon => self.between(from, king) == Some(1),
                    PieceType::Knight => knight_leg(from, king).is_some_and(|leg| self.cells[leg.index()] == EMPTY),
                    PieceType::Pawn => leaps(&PAWN[owner.index()][from.index()], from).any(|to| to == king),
                    PieceType::Advisor | PieceType::Bishop => false,
                }
        };
        self.kinds.iter().enumerate().any(attacks)
    }

    /// The number of pieces between two squares of a rank or file; `None` if they are on neither.
    fn between(&self, from: Square, to: Square) -> Option<u32> {
        let step = if from.row() == to.row() {
            if to > from { 1 } else { -1 }
        } else if from.column() == to.column() {
            if to > from { 16 } else { -16 }
        } else {
            return None;
        };
        let mut count = 0;
        let mut square = from.offset(step);
        while square != to {
            count += u32::from(self.cells[square.index()] != EMPTY);
            square = square.offset(step);
        }
        Some(count)
    }

    /// Makes a move.
    pub(super) fn make(&mut self, mv: BoardMove) {
        let from = self.squares[mv.piece];
        self.cells[from.index()] = EMPTY;
        if let Some(captured) = mv.captured {
            self.squares[captured] = Square::OFF;
        }
        self.cells[mv.to.index()] = mv.piece as u8 + 1;
        self.squares[mv.piece] = mv.to;
    }

    /// Takes back a move that came from `from`.
    pub(super) fn undo(&mut self, mv: BoardMove, from: Square) {
        self.cells[from.index()] = mv.piece as u8 + 1;
        self.squares[mv.piece] = from;
        self.cells[mv.to.index()] = EMPTY;
        if let Some(captured) = mv.captured {
            self.cells[mv.to.index()] = captured as u8 + 1;
            self.squares[captured] = mv.to;
        }
    }

    /// The moves of a side, those that leave its king attacked included.
    pub(super) fn moves(&self, side: Color, moves: &mut Vec<BoardMove>) {
        moves.clear();
        for (piece, &(color, kind)) in self.kinds.iter().enumerate().filter(|(_, (color, _))| *color == side) {
            let from = self.squares[piece];
            if from == Square::OFF {
                continue;
            }
            let mut push = |to: Square| {
                let cell = self.cells[to.index()];
                let captured = (cell != EMPTY).then(|| usize::from(cell) - 1);
                if captured.is_none_or(|captured| self.kinds[captured].0 != side) {
                    moves.push(BoardMove { piece, to, captured });
                }
            };
            match kind {
                PieceType::King => leaps(&KING[from.index()], from).for_each(push),
                PieceType::Advisor => leaps(&ADVISOR[color.index()][from.index()], from).for_each(push),
                PieceType::Pawn => leaps(&PAWN[color.index()][from.index()], from).for_each(push),
                PieceType::Bishop => self.bishop_targets(color, from).for_each(push),
                PieceType::Knight => {
                    let table = &KNIGHT_MOVES[from.index()];
                    let legs = leaps(&table.to, from).zip(table.leg);
                    legs.filter(|(_, leg)| self.cells[usize::from(*leg)] == EMPTY).for_each(|(to, _)| push(to));
                }
                PieceType::Rook | PieceType::Cannon => {
                    for step in STEPS {
                        let blocker = self.slide(from, step, &mut push);
                        let target = match kind {
                            PieceType::Rook => blocker,
                            _ => self.slide(blocker, step, |_| ()),
                        };
                        if self.cells[target.index()] != BORDER {
                            push(target);
                        }
                    }
                }
            }
        }
    }

    /// The squares from which a piece of `side` may have come by a move that captured nothing: number of the piece and
    /// the square.
    pub(super) fn unmoves(&self, side: Color, mut visit: impl FnMut(usize, Square)) {
        for (piece, &(color, kind)) in self.kinds.iter().enumerate().filter(|(_, (color, _))| *color == side) {
            let to = self.squares[piece];
            let mut push = |from: Square| {
                if self.cells[from.index()] == EMPTY {
                    visit(piece, from);
                }
            };
            match kind {
                PieceType::King => leaps(&KING[to.index()], to).for_each(push),
                PieceType::Advisor => leaps(&ADVISOR[color.index()][to.index()], to).for_each(push),
                PieceType::Bishop => self.bishop_targets(color, to).for_each(push),
                PieceType::Pawn => {
                    for from in [-16, -1, 1, 16].map(|step| to.offset(step)) {
                        let leads_here = || leaps(&PAWN[color.index()][from.index()], from).any(|target| target == to);
                        if from.is_on_board() && is_possible(color, kind, from) && leads_here() {
                            push(from);
                        }
                    }
                }
                PieceType::Knight => {
                    for from in leaps(&KNIGHT_MOVES[to.index()].to, to) {
                        if knight_leg(from, to).is_some_and(|leg| self.cells[leg.index()] == EMPTY) {
                            push(from);
                        }
                    }
                }
                PieceType::Rook | PieceType::Cannon => {
                    for step in STEPS {
                        self.slide(to, step, &mut push);
                    }
                }
            }
        }
    }

    fn bishop_targets(&self, color: Color, from: Square) -> impl Iterator<Item = Square> {
        let table = &BISHOP[color.index()][from.index()];
        let is_free = |(_, eye): &(Square, u8)| self.cells[usize::from(*eye)] == EMPTY;
        leaps(&table.to, from).zip(table.eye).filter(is_free).map(|(to, _)| to)
    }

    /// Visits the empty squares in a direction and returns the first that is not empty: a piece or the border.
    fn slide(&self, from: Square, step: i8, mut visit: impl FnMut(Square)) -> Square {
        let mut square = from;
        loop {
            if self.cells[square.index()] == BORDER {
                return square;
            }
            square = square.offset(step);
            if self.cells[square.index()] != EMPTY {
                return square;
            }
            visit(square);
        }
    }
}
