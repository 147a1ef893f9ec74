//! What a game is (L3): how a position that occurs again is judged, and when a game without progress is drawn.
//!
//! | module | what it owns |
//! |---|---|
//! | [`mod@game_status`] | how a game stands, and why |
//! | `cycle` | what either side did on every move of a cycle |
//! | `chase` | which men a move begins to threaten |
//! | `material` | what cannot win |

mod chase;
mod cycle;
pub mod game_status;
mod insufficient_material;

use crate::position::Position;
use crate::types::Move;
use cycle::Cycle;

/// By whose rules is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How repetitions are judged.
    pub repetition: Repetition,
    /// Plies without a capture after which the game is drawn.
    pub move_limit: u32,
    /// Whether checks and the replies to them count as well.
    pub checks_count: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { repetition: Repetition::Asian, move_limit: MOVE_LIMIT, checks_count: true }
    }
}

/// How repetitions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// As the World Xiangqi Federation does: perpetual check loses, then perpetual chase of the same man.
    Asian,
    /// As the UCCI league's manager and ElephantEye do: perpetual check loses, then perpetual chase by the man that moves, of
    /// better men than it or unprotected ones.
    League,
    /// Perpetual check loses, everything else is a draw.
    Plain,
}

/// Plies without a capture after which the game is drawn, by the federation's rules.
pub const MOVE_LIMIT: u32 = 120;

impl Rules {
    /// Judges the repetition that the last move brought about, if it did.
    ///
    /// A position that occurred within the last `search_plies` plies counts at once: in a search, what was possible once
    /// is possible again. One that occurred only before counts at its third occurrence.
    pub fn repetition(&self, position: &Position, search_plies: usize) -> Option<RepetitionVerdict> {
        let mut seen_before = false;
        let plies =
            recurrences(position).find(|&plies| plies <= search_plies || std::mem::replace(&mut seen_before, true))?;
        Some(match Cycle::of(position, plies, self.repetition).loser() {
            None => RepetitionVerdict::Draw,
            Some(loser) if loser == position.side() => RepetitionVerdict::Loss,
            Some(_) => RepetitionVerdict::Win,
        })
    }

    /// Whether who plays `mv` loses at once, by the repetition that it brings about.
    pub fn loses_by_repetition(&self, position: &Position, mv: Move) -> bool {
        let mut after = position.clone();
        after.make(mv, &mut ());
        self.repetition(&after, 0) == Some(RepetitionVerdict::Win)
    }

    /// Whether nobody can win any more: the men left cannot, or the move limit has been reached (a mate on the board comes
    /// first; the caller sees to that).
    #[inline]
    pub fn is_rule_draw(&self, position: &Position) -> bool {
        insufficient_material::is_insufficient_material(position) || self.is_move_limit(position)
    }

    /// Whether too long nothing was captured.
    #[inline]
    pub fn is_move_limit(&self, position: &Position) -> bool {
        position.quiet_plies() >= self.move_limit
            && (self.checks_count || position.quiet_plies() - forced_plies(position) >= self.move_limit)
    }
}

/// What a repetition means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepetitionVerdict {
    /// The opponent broke the rules.
    Win,
    /// Nobody did, or both.
    Draw,
    /// The side to move broke the rules.
    Loss,
}

/// How many plies ago the position occurred before, the last time first.
fn recurrences(position: &Position) -> impl Iterator<Item = usize> + '_ {
    let key = position.key();
    let reversible = (position.quiet_plies() as usize).min(position.plies());
    let history = (1..=reversible).zip(position.history()).take_while(|(_, past)| past.mv.is_some());
    history.filter(move |(plies, past)| plies % 2 == 0 && past.key == key).map(|(plies, _)| plies)
}

/// How many plies ago the position occurred for the first of its last `occurrences` times, if it did so often.
fn recurrence(position: &Position, occurrences: usize) -> Option<usize> {
    recurrences(position).nth(occurrences.checked_sub(2)?)
}

/// Of the plies since the last capture, those that gave check or answered one.
fn forced_plies(position: &Position) -> u32 {
    let quiet = (position.quiet_plies() as usize).min(position.plies());
    let mut gave_check = position.in_check();
    let mut forced = 0;
    for past in position.history().take(quiet) {
        forced += (gave_check || past.in_check) as u32;
        gave_check = past.in_check;
    }
    forced
}
