//! The positions of a game, one after the other.

use super::Position;
use crate::types::Move;
use std::vec;

/// The positions of a game from its start on, each with the moves that led to it, and the move played there; `None` after
/// the last one. Only one of them is in memory.
#[derive(Clone)]
pub struct Replay {
    /// `None` at the end.
    position: Option<Position>,
    moves: vec::IntoIter<Move>,
}

impl Replay {
    /// The game of `moves`, legal ones, from `start`.
    pub fn new(start: Position, moves: Vec<Move>) -> Replay {
        Replay { position: Some(start), moves: moves.into_iter() }
    }
}

impl Iterator for Replay {
    type Item = (Position, Option<Move>);

    fn next(&mut self) -> Option<(Position, Option<Move>)> {
        let position = self.position.take()?;
        let mv = self.moves.next();
        self.position = mv.map(|mv| position.after(mv));
        Some((position, mv))
    }
}
