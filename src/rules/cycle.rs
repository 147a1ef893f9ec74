//! Judging a cycle: what either side did on every move of it.

use super::Repetition;
use super::chase;
use crate::position::{PieceId, Position};
use crate::types::{Color, Move};
use std::cmp::Ordering;

/// What a side did on every move of a cycle, the worse the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Violation {
    /// Nothing that is forbidden.
    None,
    /// It threatened the same man.
    Chase,
    /// It threatened the same rook, which its knight pinned.
    ChaseOfPinnedRook,
    /// It gave check.
    Check,
}

/// A cycle, judged.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// What Red and Black did.
    pub violations: [Violation; 2],
    /// The men that Red and Black always chased, as sets of the other side's [`PieceId::bit`]s.
    chased: [u64; 2],
}

impl Cycle {
    /// Judges the last `plies` plies that led to `position`.
    pub fn of(position: &Position, plies: usize, rule: Repetition) -> Cycle {
        let mut moves = moves(position, plies);
        let mut before = start(position, plies);
        let mut always_check = [true; 2];
        let (mut chased, mut pinned) = ([u64::MAX; 2], [u64::MAX; 2]);
        if rule == Repetition::Plain {
            chased = [0; 2];
        }
        while let Some(mv) = moves.pop() {
            let mover = before.side().index();
            let mut after = before.clone();
            after.make(mv, &mut ());
            always_check[mover] &= after.in_check();
            if chased[mover] != 0 {
                chased[mover] &= chase::chased(&before, &after, mv, rule);
                pinned[mover] &= chase::rooks_pinned_by_knights(&after);
            }
            before = after;
        }
        let outranks = |side: usize| rule == Repetition::Asian && chased[side] & pinned[side] != 0;
        let fault = |side: usize| match (always_check[side], chased[side]) {
            (true, _) => Violation::Check,
            (false, 0) => Violation::None,
            (false, _) if outranks(side) => Violation::ChaseOfPinnedRook,
            (false, _) => Violation::Chase,
        };
        Cycle { violations: [fault(0), fault(1)], chased }
    }

    /// The side that has lost, if one was worse than the other.
    pub fn loser(&self) -> Option<Color> {
        match self.violations[0].cmp(&self.violations[1]) {
            Ordering::Greater => Some(Color::Red),
            Ordering::Equal => None,
            Ordering::Less => Some(Color::Black),
        }
    }

    /// Who `side` chased all the time, and who did it, in the last `plies` plies that led to `position`.
    pub fn chasers(
        &self,
        position: &Position,
        plies: usize,
        rule: Repetition,
        side: Color,
    ) -> (Vec<PieceId>, Vec<PieceId>) {
        let mut moves = moves(position, plies);
        let mut before = start(position, plies);
        let (mut by, mut of) = (Vec::new(), Vec::new());
        while let Some(mv) = moves.pop() {
            let mut after = before.clone();
            after.make(mv, &mut ());
            if before.side() == side {
                for threat in chase::new_threats(&before, &after, mv, rule) {
                    if threat.of.bit() & self.chased[side.index()] != 0 {
                        add(&mut by, threat.by);
                        add(&mut of, threat.of);
                    }
                }
            }
            before = after;
        }
        (by, of)
    }
}

fn add(pieces: &mut Vec<PieceId>, id: PieceId) {
    if !pieces.contains(&id) {
        pieces.push(id);
    }
}

/// The last `plies` moves, the last of all first.
fn moves(position: &Position, plies: usize) -> Vec<Move> {
    position.history().take(plies).filter_map(|past| past.mv).collect()
}

/// The position `plies` plies earlier.
fn start(position: &Position, plies: usize) -> Position {
    let mut start = position.clone();
    for _ in 0..plies {
        start.undo(&mut ());
    }
    start
}
