//! History heuristics: statistics of quiet moves from earlier parts of the search, for move ordering and late move
//! reductions.
//!
//! - Quiet history, the main history: by piece and target square. (Butterfly history, its usual form, is by color,
//!   origin and target square: Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice",
//!   1989.)
//! - Continuation history: by the piece and target square of an earlier move, 1 or 2 plies back, and those of the move,
//!   as in Stockfish. 1 ply back is also known as counter move history, 2 plies back as follow-up history.
//!
//! Killer moves are in `stack.rs`.

use super::tunables::Tunables;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// Greatest absolute value of a history counter.
const MAX_HISTORY: i32 = 16_384;
/// Distances, in plies, of the earlier moves that key the continuation history.
pub const PLIES_BACK: [usize; 2] = [1, 2];
/// Number of pairs of piece and target square.
const PIECE_TO_COUNT: usize = 14 * 90;

/// One counter per piece and target square.
type Counters = [i16; PIECE_TO_COUNT];

/// Quiet history and continuation history. Quiet moves that cause a beta cutoff gain, those searched before them lose.
pub struct History {
    quiet_history: Box<Counters>,
    /// Indexed by an earlier move, then by the move itself.
    continuation: Vec<Counters>,
    /// Which rows of `continuation` have been written to since they were cleared. After a short search few have, so that
    /// clearing is cheap.
    is_row_used: Box<[bool; PIECE_TO_COUNT]>,
    /// Parameters of the current search.
    tunables: Tunables,
}

/// A piece and the square it moves to (Stockfish's `PieceTo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

/// The moves [`PLIES_BACK`] from a node; `None` for null moves and before the root.
pub type PreviousMoves = [Option<PieceTo>; PLIES_BACK.len()];

/// Index of each square, 0 to 89.
static SQUARE_INDEX: [u8; 256] = {
    let mut index = [0; 256];
    let mut raw = 0;
    while raw < 256 {
        let square = Square::from_raw(raw as u8);
        if square.is_on_board() {
            index[raw] = square.rank() * 9 + square.file();
        }
        raw += 1;
    }
    index
};

/// Index of each piece's first pair, that of square 0.
static PIECE_OFFSETS: [u16; Piece::SLOTS] = {
    let mut offsets = [0; Piece::SLOTS];
    let mut n = 0;
    while n < 14 {
        let color = Color::ALL[n / 7];
        offsets[Piece::new(color, PieceType::ALL[n % 7]).index()] = n as u16 * 90;
        n += 1;
    }
    offsets
};

impl PieceTo {
    /// `piece` and the target square of `mv`.
    #[inline]
    pub fn new(piece: Piece, mv: Move) -> PieceTo {
        PieceTo(PIECE_OFFSETS[piece.index()] + SQUARE_INDEX[mv.to().index()] as u16)
    }

    /// The piece that `mv` moves in `position`, before it is made, and its target square.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Option<PieceTo> {
        position.piece_at(mv.from()).map(|piece| PieceTo::new(piece, mv))
    }

    /// Index, below 1,260.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize % PIECE_TO_COUNT
    }
}

/// Adds a bonus to a counter, less the nearer the counter is to its limit (history gravity, as in Stockfish).
fn update(counter: &mut i16, bonus: i32) {
    let value = *counter as i32;
    *counter = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

impl Tunables {
    /// The history bonus of a cutoff at `depth`.
    pub fn history_bonus(&self, depth: i32) -> i32 {
        (self.history_bonus_square() * depth * depth + self.history_bonus_slope() * depth).min(self.history_bonus_max())
    }
}

impl History {
    /// All counters zero.
    pub fn new() -> History {
        History {
            quiet_history: Box::new([0; PIECE_TO_COUNT]),
            continuation: vec![[0; PIECE_TO_COUNT]; PIECE_TO_COUNT],
            is_row_used: Box::new([false; PIECE_TO_COUNT]),
            tunables: Tunables::default(),
        }
    }

    /// Sets all counters to zero, for a new game.
    pub fn clear(&mut self) {
        self.quiet_history.fill(0);
        for (row, is_used) in self.continuation.iter_mut().zip(self.is_row_used.iter_mut()) {
            if std::mem::take(is_used) {
                row.fill(0);
            }
        }
    }

    /// To be called before each search. The counters stay.
    pub fn next_search(&mut self, tunables: &Tunables) {
        self.tunables = tunables.clone();
    }

    /// History score of a quiet move: the weighted sum of its quiet history and continuation histories.
    #[inline]
    pub fn quiet_score(&self, piece_to: PieceTo, previous: &PreviousMoves) -> i32 {
        let tunables = &self.tunables;
        let quiet = self.quiet_history[piece_to.index()] as i32 * tunables.quiet_history_weight();
        let weights = [tunables.continuation_1_weight(), tunables.continuation_2_weight()];
        let continuation_score = |(earlier, weight): (&Option<PieceTo>, i32)| {
            earlier.map_or(0, |earlier| self.continuation[earlier.index()][piece_to.index()] as i32 * weight)
        };
        (quiet + previous.iter().zip(weights).map(continuation_score).sum::<i32>()) / 1024
    }

    /// Updates the histories after a beta cutoff by `best`: a bonus for it, a malus for the quiet moves among `tried`,
    /// which were searched before it. Nothing if `best` is a capture; captures have no history.
    pub fn update_on_cutoff(
        &mut self,
        position: &Position,
        best: Move,
        tried: impl Iterator<Item = Move>,
        previous: &PreviousMoves,
        bonus: i32,
    ) {
        if position.is_capture(best) {
            return;
        }
        self.update_quiet_move(position, best, previous, bonus);
        for mv in tried {
            self.update_quiet_move(position, mv, previous, -bonus);
        }
    }

    fn update_quiet_move(&mut self, position: &Position, mv: Move, previous: &PreviousMoves, bonus: i32) {
        let Some(piece_to) = PieceTo::of(position, mv).filter(|_| !position.is_capture(mv)) else { return };
        self.update_quiet_history(piece_to, bonus);
        for earlier in previous.iter().flatten() {
            self.is_row_used[earlier.index()] = true;
            update(&mut self.continuation[earlier.index()][piece_to.index()], bonus);
        }
    }

    /// Adds a bonus (a malus if negative) to the quiet history alone.
    pub fn update_quiet_history(&mut self, piece_to: PieceTo, bonus: i32) {
        update(&mut self.quiet_history[piece_to.index()], bonus);
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}
