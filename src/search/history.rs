//! History heuristics: statistics of moves from earlier parts of the search, for move ordering and late move reductions.
//!
//! - Quiet history, the main history: by piece and target square. (Butterfly history, its usual form, is by color,
//!   origin and target square: Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice",
//!   1989.)
//! - Continuation history: by the piece and target square of an earlier move, 1 or 2 plies back, and those of the move,
//!   as in Stockfish. 1 ply back is also known as counter move history, 2 plies back as follow-up history.
//! - Capture history: by piece, target square and type of the captured piece, as in Stockfish.
//!
//! Killer moves are in `stack.rs`.

use super::tunables::{PLY, Tunables};
use crate::position::Position;
use crate::types::{Move, PieceSquare, PieceType};

/// Greatest absolute value of a history counter.
const MAX_HISTORY: i32 = 16_384;
/// Distances, in plies, of the earlier moves that key the continuation history.
pub const PLIES_BACK: [usize; 2] = [1, 2];

/// One counter per piece and target square.
type Counters = [i16; PieceTo::COUNT];

/// Quiet history, continuation history and capture history. Moves that cause a beta cutoff gain, those searched before
/// them lose.
pub struct History {
    quiet_history: Box<Counters>,
    /// Capture history: by piece, target square and type of the captured piece.
    capture_history: Box<[[i16; PieceType::COUNT]; PieceTo::COUNT]>,
    /// Indexed by an earlier move, then by the move itself.
    continuation: Vec<Counters>,
    /// Which rows of `continuation` have been written to since they were cleared. After a short search few have, so that
    /// clearing is cheap.
    is_row_used: Box<[bool; PieceTo::COUNT]>,
    /// Parameters of the current search.
    tunables: Tunables,
}

/// The piece of a move and the square it moves to (Stockfish's `PieceTo`).
pub type PieceTo = PieceSquare;

/// The moves [`PLIES_BACK`] from a node; `None` for null moves and before the root.
pub type PreviousMoves = [Option<PieceTo>; PLIES_BACK.len()];

/// See [`History::quiet_scores`].
pub struct QuietScores<'a> {
    quiet: &'a Counters,
    continuation: [&'a Counters; PLIES_BACK.len()],
    tunables: &'a Tunables,
}

impl QuietScores<'_> {
    /// History score of a quiet move: the weighted sum of its quiet history and continuation histories.
    #[inline]
    pub fn of(&self, piece_to: PieceTo) -> i32 {
        let index = piece_to.index();
        let [one_back, two_back] = self.continuation.map(|counters| i32::from(counters[index]));
        let quiet = i32::from(self.quiet[index]);
        (quiet * self.tunables.quiet_history_weight()
            + one_back * self.tunables.continuation_1_weight()
            + two_back * self.tunables.continuation_2_weight())
            / 1024
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
            quiet_history: Box::new([0; PieceTo::COUNT]),
            capture_history: Box::new([[0; PieceType::COUNT]; PieceTo::COUNT]),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT],
            is_row_used: Box::new([false; PieceTo::COUNT]),
            tunables: Tunables::default(),
        }
    }

    /// Sets all counters to zero, for a new game.
    pub fn clear(&mut self) {
        self.quiet_history.fill(0);
        self.capture_history.fill([0; PieceType::COUNT]);
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

    /// The counters that score the quiet moves of a node, given the moves that led to it.
    #[inline]
    pub fn quiet_scores(&self, previous: &PreviousMoves) -> QuietScores<'_> {
        static NO_COUNTERS: Counters = [0; PieceTo::COUNT];
        QuietScores {
            quiet: &self.quiet_history,
            continuation: previous
                .map(|earlier| earlier.map_or(&NO_COUNTERS, |earlier| &self.continuation[earlier.index()])),
            tunables: &self.tunables,
        }
    }

    /// Updates the histories after a beta cutoff by `best`: a bonus for it, a malus for the captures among `tried`, which
    /// were searched before it, and if it is quiet for the quiet moves too.
    pub fn update_on_cutoff(
        &mut self,
        position: &Position,
        best: Move,
        tried: impl Iterator<Item = Move>,
        previous: &PreviousMoves,
        bonus: i32,
    ) {
        self.update_move(position, best, previous, bonus);
        let is_quiet = !position.is_capture(best);
        for mv in tried.filter(|&mv| is_quiet || position.is_capture(mv)) {
            self.update_move(position, mv, previous, -bonus);
        }
    }

    /// Capture history of a capture, weighted, in engine units.
    #[inline]
    pub fn capture_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(captured) = position.piece_at(mv.to()) else { return 0 };
        let counter = self.capture_history[position.piece_to(mv).index()][captured.piece_type().index()];
        i32::from(counter) * self.tunables.capture_history_weight() / PLY
    }

    /// Adds a bonus (a malus if negative) to the histories of a legal move.
    pub fn update_move(&mut self, position: &Position, mv: Move, previous: &PreviousMoves, bonus: i32) {
        let piece_to = position.piece_to(mv);
        if let Some(captured) = position.piece_at(mv.to()).filter(|_| position.is_capture(mv)) {
            return update(&mut self.capture_history[piece_to.index()][captured.piece_type().index()], bonus);
        }
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
