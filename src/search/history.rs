//! What earlier parts of the search say about moves: killers, histories.

use super::tunables::Tunables;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// Largest value of a history counter.
const MAX_HISTORY: i32 = 16_384;
/// A quiet move is remembered as a reply to the steps so many plies back.
pub const PLIES_BACK: [usize; 2] = [1, 2];
/// How many different steps there are.
const PIECE_TO_COUNT: usize = 14 * 90;

/// A counter for each step.
type Counters = [i16; PIECE_TO_COUNT];

/// Statistics of moves that cut off, and of those that were tried before them and did not.
pub struct History {
    quiet_history: Box<Counters>,
    /// By a step before and the move itself.
    continuation: Vec<Counters>,
    /// The numbers of the present search.
    tunables: Tunables,
}

/// A man and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

/// The steps [`PLIES_BACK`] from a node; none for null moves and before the root.
pub type PreviousMoves = [Option<PieceTo>; PLIES_BACK.len()];

/// Place of each square among the ninety.
static SQUARE_INDEX: [u8; 256] = {
    let mut places = [0; 256];
    let mut raw = 0;
    while raw < 256 {
        let square = Square::from_raw(raw as u8);
        if square.is_on_board() {
            places[raw] = square.rank() * 9 + square.file();
        }
        raw += 1;
    }
    places
};

/// The step of each man to the first of the ninety squares.
static PIECE_OFFSETS: [u16; Piece::SLOTS] = {
    let mut steps = [0; Piece::SLOTS];
    let mut man = 0;
    while man < 14 {
        let color = Color::ALL[man / 7];
        steps[Piece::new(color, PieceType::ALL[man % 7]).index()] = man as u16 * 90;
        man += 1;
    }
    steps
};

impl PieceTo {
    /// The step that `piece` takes with `mv`.
    #[inline]
    pub fn new(piece: Piece, mv: Move) -> PieceTo {
        PieceTo(PIECE_OFFSETS[piece.index()] + SQUARE_INDEX[mv.to().index()] as u16)
    }

    /// The step that `mv` is in `position`, before it is made.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Option<PieceTo> {
        position.piece_at(mv.from()).map(|piece| PieceTo::new(piece, mv))
    }

    /// Which step of all it is, below 1,260.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize % PIECE_TO_COUNT
    }
}

/// Moves a counter towards the limit, the less the nearer it is.
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
    /// Statistics of nothing.
    pub fn new() -> History {
        History {
            quiet_history: Box::new([0; PIECE_TO_COUNT]),
            continuation: vec![[0; PIECE_TO_COUNT]; PIECE_TO_COUNT],
            tunables: Tunables::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet_history.fill(0);
        self.continuation.fill([0; PIECE_TO_COUNT]);
    }

    /// A new search begins: killers are of no use to it.
    pub fn next_search(&mut self, tunables: &Tunables) {
        self.tunables = tunables.clone();
    }

    /// How well the quiet move that is this step did, after the steps before.
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

    /// The move `best` cut off at `ply`, the moves `tried` before it did not. That a capture did says nothing of quiet moves,
    /// and captures are not remembered.
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
            update(&mut self.continuation[earlier.index()][piece_to.index()], bonus);
        }
    }

    /// The quiet move that is this step did well, badly if `bonus` is negative, whatever was before.
    pub fn update_quiet_history(&mut self, piece_to: PieceTo, bonus: i32) {
        update(&mut self.quiet_history[piece_to.index()], bonus);
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}
