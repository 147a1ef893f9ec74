//! What earlier parts of the search say about moves: killers, histories.

use super::tunables::Tunables;
use crate::position::Position;
use crate::types::{Color, Kind, MAX_PLY, Move, Piece, Square};

/// Largest value of a history counter.
const LIMIT: i32 = 16_384;
/// A quiet move is remembered as a reply to the steps so many plies back.
pub const BACK: [usize; 2] = [1, 2];
/// How many different steps there are.
const STEPS: usize = 14 * 90;

/// A counter for each step.
type Counters = [i16; STEPS];

/// Statistics of moves that cut off, and of those that were tried before them and did not.
pub struct History {
    quiets: Box<Counters>,
    /// By a step before and the move itself.
    replies: Vec<Counters>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    /// The numbers of the present search.
    tunables: Tunables,
}

/// A man and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u16);

/// The steps [`BACK`] from a node; none for null moves and before the root.
pub type Before = [Option<Step>; BACK.len()];

/// Place of each square among the ninety.
static PLACES: [u8; 256] = {
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
static FIRST_STEPS: [u16; Piece::SLOTS] = {
    let mut steps = [0; Piece::SLOTS];
    let mut man = 0;
    while man < 14 {
        let color = Color::ALL[man / 7];
        steps[Piece::new(color, Kind::ALL[man % 7]).index()] = man as u16 * 90;
        man += 1;
    }
    steps
};

impl Step {
    /// The step that `piece` takes with `mv`.
    #[inline]
    pub fn new(piece: Piece, mv: Move) -> Step {
        Step(FIRST_STEPS[piece.index()] + PLACES[mv.to().index()] as u16)
    }

    /// The step that `mv` is in `position`, before it is made.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Option<Step> {
        position.piece_at(mv.from()).map(|piece| Step::new(piece, mv))
    }

    /// Which step of all it is, below 1,260.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize % STEPS
    }
}

/// Moves a counter towards the limit, the less the nearer it is.
fn update(counter: &mut i16, bonus: i32) {
    let value = *counter as i32;
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

impl History {
    /// Statistics of nothing.
    pub fn new() -> History {
        History {
            quiets: Box::new([0; STEPS]),
            replies: vec![[0; STEPS]; STEPS],
            killers: [[None; 2]; MAX_PLY + 2],
            tunables: Tunables::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiets.fill(0);
        self.replies.fill([0; STEPS]);
        self.killers.fill([None; 2]);
    }

    /// A new search begins: killers are of no use to it.
    pub fn next_search(&mut self, tunables: &Tunables) {
        self.tunables = tunables.clone();
        self.killers.fill([None; 2]);
    }

    /// How well the quiet move that is this step did, after the steps before.
    #[inline]
    pub fn merit(&self, step: Step, before: &Before) -> i32 {
        let tunables = &self.tunables;
        let alone = self.quiets[step.index()] as i32 * tunables.merit_alone();
        let weights = [tunables.merit_reply(), tunables.merit_plan()];
        let reply = |(earlier, weight): (&Option<Step>, i32)| {
            earlier.map_or(0, |earlier| self.replies[earlier.index()][step.index()] as i32 * weight)
        };
        (alone + before.iter().zip(weights).map(reply).sum::<i32>()) / 1024
    }

    /// The quiet moves that last cut off at this ply.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// Killers of the nodes at `ply` below other parents are of no use below this one.
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    /// The move `best` cut off at `ply`, the moves `tried` before it did not. That a capture did says nothing of quiet moves,
    /// and captures are not remembered.
    pub fn reward(
        &mut self,
        position: &Position,
        best: Move,
        tried: impl Iterator<Item = Move>,
        before: &Before,
        ply: usize,
        bonus: i32,
    ) {
        if position.is_capture(best) {
            return;
        }
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        self.adjust(position, best, before, bonus);
        for mv in tried {
            self.adjust(position, mv, before, -bonus);
        }
    }

    fn adjust(&mut self, position: &Position, mv: Move, before: &Before, bonus: i32) {
        let Some(step) = Step::of(position, mv).filter(|_| !position.is_capture(mv)) else { return };
        self.learn_alone(step, bonus);
        for earlier in before.iter().flatten() {
            update(&mut self.replies[earlier.index()][step.index()], bonus);
        }
    }

    /// The quiet move that is this step did well, badly if `bonus` is negative, whatever was before.
    pub fn learn_alone(&mut self, step: Step, bonus: i32) {
        update(&mut self.quiets[step.index()], bonus);
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}
