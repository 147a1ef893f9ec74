//! What earlier parts of the search say about moves: killers, histories.

use crate::position::Position;
use crate::types::{Kind, MAX_PLY, Move, Piece};

/// Largest value of a history counter.
const LIMIT: i32 = 16_384;

/// A counter for each man and destination.
type PieceTo = [[i16; 256]; Piece::SLOTS];

/// Statistics of moves that cut off, and of those that were tried before them and did not.
pub struct History {
    quiets: Box<PieceTo>,
    /// By the move before (as man and destination) and the move itself.
    replies: Vec<[[i16; 90]; 14]>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    /// By man, destination and kind of the man captured.
    captures: Vec<[[i16; Kind::COUNT]; 90]>,
}

/// A man and where it went, small enough to index [`History`]'s replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u16);

/// Place of a man among the fourteen.
fn man(piece: Piece) -> usize {
    piece.kind().index() + 7 * piece.color().index()
}

/// Place of a square among the ninety.
fn place(mv: Move) -> usize {
    let to = mv.to();
    (to.rank() as usize * 9 + to.file() as usize) % 90
}

impl Step {
    /// The step that `mv` is in `position`, before it is made.
    pub fn of(position: &Position, mv: Move) -> Option<Step> {
        position.piece_at(mv.from()).map(|piece| Step((man(piece) * 90 + place(mv)) as u16))
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
            quiets: Box::new([[0; 256]; Piece::SLOTS]),
            replies: vec![[[0; 90]; 14]; 14 * 90],
            killers: [[None; 2]; MAX_PLY + 2],
            captures: vec![[[0; Kind::COUNT]; 90]; 14],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self.quiets = [[0; 256]; Piece::SLOTS];
        self.replies.fill([[0; 90]; 14]);
        self.killers.fill([None; 2]);
        self.captures.fill([[0; Kind::COUNT]; 90]);
    }

    /// How well the capture `mv` did; 0 if it is none.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        match (position.piece_at(mv.from()), position.piece_at(mv.to())) {
            (Some(piece), Some(victim)) => self.captures[man(piece)][place(mv)][victim.kind().index()] as i32,
            _ => 0,
        }
    }

    /// A new search begins: killers are of no use to it.
    pub fn next_search(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// How well the quiet move `mv` of `piece` did, after the steps one and two plies before.
    #[inline]
    pub fn quiet(&self, piece: Piece, mv: Move, before: [Option<Step>; 2]) -> i32 {
        let mut score = self.quiets[piece.index()][mv.to().index()] as i32;
        for step in before.into_iter().flatten() {
            score += self.replies[step.0 as usize][man(piece)][place(mv)] as i32;
        }
        score
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
    /// ones as well; that a capture did says nothing of them.
    pub fn reward(
        &mut self,
        position: &Position,
        best: Move,
        tried: impl Iterator<Item = Move>,
        before: [Option<Step>; 2],
        ply: usize,
        depth: i32,
    ) {
        let is_quiet = !position.is_capture(best);
        if is_quiet && self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth + 128 * depth).min(2_000);
        self.adjust(position, best, before, bonus);
        for mv in tried.filter(|&mv| is_quiet || position.is_capture(mv)) {
            self.adjust(position, mv, before, -bonus);
        }
    }

    fn adjust(&mut self, position: &Position, mv: Move, before: [Option<Step>; 2], bonus: i32) {
        let Some(piece) = position.piece_at(mv.from()) else { return };
        if let Some(victim) = position.piece_at(mv.to()).filter(|_| position.is_capture(mv)) {
            update(&mut self.captures[man(piece)][place(mv)][victim.kind().index()], bonus);
            return;
        }
        update(&mut self.quiets[piece.index()][mv.to().index()], bonus);
        for step in before.into_iter().flatten() {
            update(&mut self.replies[step.0 as usize][man(piece)][place(mv)], bonus);
        }
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}
