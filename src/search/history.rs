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
    /// By step and kind of the man captured.
    captures: Vec<[i16; Kind::COUNT]>,
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
            captures: vec![[0; Kind::COUNT]; STEPS],
            tunables: Tunables::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiets.fill(0);
        self.replies.fill([0; STEPS]);
        self.killers.fill([None; 2]);
        self.captures.fill([0; Kind::COUNT]);
    }

    /// A new search begins: killers are of no use to it.
    pub fn next_search(&mut self, tunables: &Tunables) {
        self.tunables = tunables.clone();
        self.killers.fill([None; 2]);
    }

    /// How well the move `mv` did, as a capture or as a quiet move after the steps before; 0 if nothing moves.
    #[inline]
    pub fn merit(&self, position: &Position, mv: Move, before: &Before) -> i32 {
        match Step::of(position, mv) {
            Some(step) if !position.is_capture(mv) => self.quiet(step, before),
            _ => self.capture(position, mv),
        }
    }

    /// How well the quiet move that is this step did, after the steps before.
    #[inline]
    pub fn quiet(&self, step: Step, before: &Before) -> i32 {
        let tunables = &self.tunables;
        let alone = self.quiets[step.index()] as i32 * tunables.merit_alone();
        let weights = [tunables.merit_reply(), tunables.merit_plan()];
        let reply = |(earlier, weight): (&Option<Step>, i32)| {
            earlier.map_or(0, |earlier| self.replies[earlier.index()][step.index()] as i32 * weight)
        };
        (alone + before.iter().zip(weights).map(reply).sum::<i32>()) / 1024
    }

    /// How well the capture `mv` did.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        match (Step::of(position, mv), position.piece_at(mv.to())) {
            (Some(step), Some(victim)) => self.captures[step.index()][victim.kind().index()] as i32,
            _ => 0,
        }
    }

    /// The quiet moves that last cut off at this ply.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// Deeper siblings' killers are of no use here.
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    /// The move `best` cut off at `ply`, the moves `tried` before it did not. A quiet move is the better for beating quiet
    /// ones as well; that a capture did says nothing of them. `bonus`: for a quiet move, and for a capture.
    pub fn reward(
        &mut self,
        position: &Position,
        best: Move,
        tried: impl Iterator<Item = Move>,
        before: &Before,
        ply: usize,
        bonus: [i32; 2],
    ) {
        let is_quiet = !position.is_capture(best);
        if is_quiet && self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        self.adjust(position, best, before, bonus);
        for mv in tried.filter(|&mv| is_quiet || position.is_capture(mv)) {
            self.adjust(position, mv, before, bonus.map(|bonus| -bonus));
        }
    }

    fn adjust(&mut self, position: &Position, mv: Move, before: &Before, [bonus, capture_bonus]: [i32; 2]) {
        let Some(step) = Step::of(position, mv) else { return };
        match position.piece_at(mv.to()).filter(|_| position.is_capture(mv)) {
            Some(victim) => update(&mut self.captures[step.index()][victim.kind().index()], capture_bonus),
            None => self.learn(step, before, bonus),
        }
    }

    /// The quiet move that is this step did well after the steps before, or badly if the bonus is negative.
    pub fn learn(&mut self, step: Step, before: &Before, bonus: i32) {
        self.learn_alone(step, bonus);
        for earlier in before.iter().flatten() {
            update(&mut self.replies[earlier.index()][step.index()], bonus);
        }
    }

    /// The quiet move that is this step did well, whatever was before.
    pub fn learn_alone(&mut self, step: Step, bonus: i32) {
        update(&mut self.quiets[step.index()], bonus);
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}
