//! Perpetual check and perpetual chase: what both sides did on every move of a cycle.

use super::chase;
use super::repetition::Repetition;
use crate::position::{PieceId, Position};
use crate::types::Color;
use std::cmp::Ordering;

/// What a side did on every move of a cycle, in ascending order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Violation {
    /// Nothing forbidden.
    None,
    /// Perpetual chase: it threatened the same piece on every move.
    PerpetualChase,
    /// Perpetual chase of a rook that a knight pins to its king.
    ChaseOfPinnedRook,
    /// Perpetual check: it gave check on every move.
    PerpetualCheck,
}

/// The judgement of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    /// The violations of Red and Black.
    pub violations: [Violation; 2],
    /// The pieces that Red and Black chased on every move, as sets of the other side's [`PieceId::bit`]s.
    chased: [u64; 2],
}

impl Cycle {
    /// Judges the last `plies` plies before `position`.
    pub(super) fn of(position: &Position, plies: usize, rule: Repetition) -> Cycle {
        let mut before = position.before(plies);
        let mut always_check = [true; 2];
        let (mut chased, mut pinned) = ([u64::MAX; 2], [u64::MAX; 2]);
        if rule == Repetition::Plain {
            chased = [0; 2];
        }
        for mv in position.last_moves(plies) {
            let mover = before.side().index();
            let after = before.after(mv);
            always_check[mover] &= after.in_check();
            if chased[mover] != 0 {
                chased[mover] &= chase::chased(&before, &after, mv, rule);
                pinned[mover] &= chase::rooks_pinned_by_knights(&after);
            }
            before = after;
        }
        let is_pinned_rook = |side: usize| rule == Repetition::Asian && chased[side] & pinned[side] != 0;
        let violation = |side: usize| match (always_check[side], chased[side]) {
            (true, _) => Violation::PerpetualCheck,
            (false, 0) => Violation::None,
            (false, _) if is_pinned_rook(side) => Violation::ChaseOfPinnedRook,
            (false, _) => Violation::PerpetualChase,
        };
        Cycle { violations: [violation(0), violation(1)], chased }
    }

    /// The side with the worse violation, which loses; `None` if they are equal.
    pub(super) fn loser(&self) -> Option<Color> {
        match self.violations[0].cmp(&self.violations[1]) {
            Ordering::Greater => Some(Color::Red),
            Ordering::Equal => None,
            Ordering::Less => Some(Color::Black),
        }
    }

    /// The pieces by which `side` chased, and those that it chased on every move, in the last `plies` plies before
    /// `position`.
    pub(super) fn chasers(
        &self,
        position: &Position,
        plies: usize,
        rule: Repetition,
        side: Color,
    ) -> (Vec<PieceId>, Vec<PieceId>) {
        let mut before = position.before(plies);
        let (mut by, mut of) = (Vec::new(), Vec::new());
        for mv in position.last_moves(plies) {
            let after = before.after(mv);
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

/// Adds a piece unless the list has it.
fn add(pieces: &mut Vec<PieceId>, id: PieceId) {
    if !pieces.contains(&id) {
        pieces.push(id);
    }
}
