//! The rules of the game beyond the moves (L3): repetition, perpetual check and perpetual chase, the move limit,
//! insufficient material.

mod chase;
pub mod chinese;
mod cycle;
pub mod game_status;
mod insufficient_material;
pub mod recurring;
mod repetition;

pub use repetition::{Repetition, occurrences, recurrence};

use crate::position::Position;
use crate::types::{Color, Move};
use cycle::Cycle;
use repetition::recurrences;

/// The rules that games are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How repetitions are judged.
    pub repetition: Repetition,
    /// The move limit: plies without a capture after which the game is drawn.
    pub move_limit: u32,
    /// Whether checks and the replies to them count towards the move limit.
    pub checks_count: bool,
    /// How many checks of each side count, if they do; the further ones and the replies to them do not. Chinese events
    /// count ten.
    pub counted_checks: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { repetition: Repetition::Asian, move_limit: MOVE_LIMIT, checks_count: true, counted_checks: ALL_CHECKS }
    }
}

/// The value of [`Rules::counted_checks`] by which all checks count.
pub const ALL_CHECKS: u32 = 1_000;

/// The move limit of the World Xiangqi Federation, in plies without a capture.
pub const MOVE_LIMIT: u32 = 120;

impl Rules {
    /// Judges the repetition that the last move completed, if it did.
    ///
    /// A recurrence of a position of the search tree (at most `search_plies` plies ago) is judged at once: the cycle
    /// can be played again. A recurrence of an earlier position is judged at its third occurrence.
    pub fn repetition(&self, position: &Position, search_plies: usize) -> Option<RepetitionVerdict> {
        let plies = self.decisive_recurrence(position, search_plies)?;
        Some(self.cycle_verdict(position, plies))
    }

    /// How many plies ago the cycle began that [`Rules::repetition`] judges.
    pub fn decisive_recurrence(&self, position: &Position, search_plies: usize) -> Option<usize> {
        let mut seen_before = false;
        recurrences(position).find(|&plies| plies <= search_plies || std::mem::replace(&mut seen_before, true))
    }

    /// Judges the last `plies` plies, which end where they began.
    pub fn cycle_verdict(&self, position: &Position, plies: usize) -> RepetitionVerdict {
        let loser = match self.repetition {
            Repetition::Chinese => chinese::judge_cycle(position, plies).loser,
            rule => Cycle::of(position, plies, rule).loser(),
        };
        RepetitionVerdict::new(loser, position.side())
    }

    /// The same in less time: under the Chinese rules, the verdict of the Asian ones.
    pub fn quick_cycle_verdict(&self, position: &Position, plies: usize) -> RepetitionVerdict {
        RepetitionVerdict::new(Cycle::of(position, plies, self.repetition).loser(), position.side())
    }

    /// Whether the side to move loses at once by playing `mv`, because of the repetition that it completes.
    pub fn loses_by_repetition(&self, position: &Position, mv: Move) -> bool {
        self.repetition_after(position, mv) == Some(RepetitionVerdict::Win)
    }

    /// The result, for the opponent, of the repetition that a move completes.
    pub fn repetition_after(&self, position: &Position, mv: Move) -> Option<RepetitionVerdict> {
        self.repetition(&position.after(mv), 0)
    }

    /// Whether the game is drawn by insufficient material or by the move limit. Checkmate and stalemate take
    /// precedence; the caller has to test for them first.
    #[inline]
    pub fn is_rule_draw(&self, position: &Position) -> bool {
        insufficient_material::is_insufficient_material(position) || self.is_move_limit(position)
    }

    /// Whether the move limit is reached.
    #[inline]
    pub fn is_move_limit(&self, position: &Position) -> bool {
        let quiet_plies = position.quiet_plies();
        quiet_plies >= self.move_limit
            && (self.counted_checks == ALL_CHECKS && self.checks_count
                || uncounted_plies(position, self.counted_checks * self.checks_count as u32)
                    <= quiet_plies - self.move_limit)
    }
}

/// The result of a repetition for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepetitionVerdict {
    /// The opponent's violation is the worse one.
    Win,
    /// Neither side committed a violation, or both committed the same.
    Draw,
    /// The side to move's violation is the worse one.
    Loss,
}

impl RepetitionVerdict {
    fn new(loser: Option<Color>, side: Color) -> RepetitionVerdict {
        match loser {
            None => RepetitionVerdict::Draw,
            Some(loser) if loser == side => RepetitionVerdict::Loss,
            Some(_) => RepetitionVerdict::Win,
        }
    }
}

/// The plies since the last capture that do not count towards the move limit: each side's checks beyond the first
/// `counted`, and the replies to them.
fn uncounted_plies(position: &Position, counted: u32) -> u32 {
    let quiet = (position.quiet_plies() as usize).min(position.plies());
    let mut in_check = position.history().take(quiet).rev().map(|past| past.in_check).chain([position.in_check()]);
    let mut checks = [0; 2];
    let mut answers = counted == 0 && in_check.next() == Some(true);
    let mut uncounted = 0;
    for (ply, gives_check) in in_check.enumerate() {
        checks[ply % 2] += gives_check as u32;
        let is_excess = gives_check && checks[ply % 2] > counted;
        uncounted += (answers || is_excess) as u32;
        answers = is_excess;
    }
    uncounted
}
