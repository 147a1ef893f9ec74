//! One thread's search: the position it plays on, what it knows, and when it must stop.

use crate::types::Bound;

use super::correction_history::CorrectionHistory;
use super::history::{History, PLIES_BACK, PieceTo, PreviousMoves};
use super::lazy_smp::{SmpState, ThreadResult};
use super::limits::Limits;
use super::pruning::Pruning;
use super::report::{Report, StopReason};
use super::root::Root;
use super::settings::{Idle, MAX_DRAW_SCORE};
use super::signals::Signals;
use super::stack::{self, StackEntry};
use super::time_management::TimeBudget;
use super::transposition::{Entry, TranspositionTable, to_table};
use super::tunables::Tunables;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RepetitionVerdict;
use crate::types::score::{RULE_BOUND, WON_BY_RULE, is_by_rule, mated_in};
use crate::types::{Move, Score};
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and the signals.
const NODES_PER_CHECK: u64 = 1024;
/// Nodes after which even the first iteration can be broken off.
const FIRST_ITERATION_NODES: u64 = 1 << 16;
/// Plies before the move limit from which on its draws are in most scores.
const NEAR_MOVE_LIMIT: u32 = 20;
/// What makes the keys of positions that near others than those of the same positions elsewhere.
const NEAR_MOVE_LIMIT_KEY: u64 = 0x6a09_e667_f3bc_c909;
/// How long a search goes on before it says what happens within an iteration.
pub const REPORT_AFTER: Duration = Duration::from_secs(3);

/// How long a resting thread does not look whether it is still wanted.
const THROTTLE_SLICE: Duration = Duration::from_millis(4);

/// What a searcher keeps from one search to the next, besides the table.
pub struct WorkerMemory {
    pub history: History,
    pub correction_history: CorrectionHistory,
    /// Kept for its memory alone.
    stack: Vec<StackEntry>,
}

impl WorkerMemory {
    pub fn new() -> WorkerMemory {
        WorkerMemory {
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            stack: stack::new_stack(),
        }
    }
}

/// One thread's search.
pub struct Worker<'a> {
    pub position: Position,
    pub evaluator: Evaluator,
    pub history: &'a mut History,
    pub correction_history: &'a mut CorrectionHistory,
    pub stack: &'a mut [StackEntry],
    pub table: &'a TranspositionTable,
    pub signals: &'a Signals,
    pub limits: &'a Limits,
    pub report: &'a mut dyn FnMut(Report),
    /// Those who search the same position.
    pub smp: &'a SmpState,
    /// Its place in the team; 0 leads.
    pub thread_id: usize,
    /// The time to spend, if there is a clock.
    pub budget: Option<TimeBudget>,
    pub nodes: u64,
    pub selective_depth: usize,
    /// Depth of the present iteration.
    pub iteration: i32,
    /// The search must be left: scores coming back are worth nothing.
    pub stopped: bool,
    /// What one found that was quicker: the iteration is left to go on from it.
    pub adopted: Option<ThreadResult>,
    /// While pondering: the move found would be played if the opponent's move came now.
    pub ponder_done: bool,
    /// What ends the search.
    pub stop_reason: StopReason,
    pub root: Root,
    /// First move of the best line last reported.
    pub reported: Option<Move>,
    /// When it began, and how long it has worked since: the rest was left to others.
    begun: Instant,
    work: ThreadTime,
}

impl<'a> Worker<'a> {
    /// A worker about to search `position` as the team's member of that number.
    pub fn new(
        position: &Position,
        memory: &'a mut WorkerMemory,
        table: &'a TranspositionTable,
        signals: &'a Signals,
        limits: &'a Limits,
        report: &'a mut dyn FnMut(Report),
        (smp, thread_id): (&'a SmpState, usize),
    ) -> Worker<'a> {
        let WorkerMemory { history, correction_history, stack } = memory;
        stack::reset(stack);
        Worker {
            evaluator: Evaluator::new(
                limits.settings.knowledge,
                &limits.settings.network,
                &limits.settings.rules,
                position,
            ),
            position: position.clone(),
            history,
            correction_history,
            stack,
            table,
            signals,
            limits,
            report,
            smp,
            thread_id,
            budget: TimeBudget::of(limits).filter(|_| thread_id == 0),
            nodes: 0,
            selective_depth: 0,
            iteration: 0,
            stopped: false,
            adopted: None,
            ponder_done: false,
            stop_reason: StopReason::Depth,
            root: Root::new(position, limits),
            reported: None,
            begun: Instant::now(),
            work: ThreadTime::now(),
        }
    }

    /// The position after `mv` may be searched next: what the table has of it is sent for, for memory is far away. (Near
    /// the move limit the table has it under another key, and it must be waited for.)
    #[inline]
    pub fn prefetch_after(&self, mv: Move) {
        self.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move one ply below `ply` and counts the node.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        self.stack[ply].piece_to = PieceTo::of(&self.position, mv);
        self.stack[ply].is_quiet = !self.position.is_capture(mv);
        self.nodes += 1;
        self.position.make(mv, &mut self.evaluator);
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        self.position.undo(&mut self.evaluator);
    }

    /// The numbers that shape this search.
    #[inline]
    pub fn tunables(&self) -> &'a Tunables {
        &self.limits.settings.tunables
    }

    /// The steps that led to the node at `ply`.
    #[inline]
    pub fn previous(&self, ply: usize) -> PreviousMoves {
        PLIES_BACK.map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].piece_to))
    }

    /// The step that led to the node at `ply`, if it captured nothing.
    pub fn last_quiet(&self, ply: usize) -> Option<PieceTo> {
        let previous = &self.stack[ply.checked_sub(1)?];
        previous.piece_to.filter(|_| previous.is_quiet)
    }

    /// Whether draws by the move limit are in most scores here.
    fn near_move_limit(&self) -> bool {
        self.position.quiet_plies() + NEAR_MOVE_LIMIT >= self.limits.settings.rules.move_limit
    }

    /// The key under which the table has the present position.
    fn table_key(&self) -> u64 {
        self.position.key() ^ if self.near_move_limit() { NEAR_MOVE_LIMIT_KEY } else { 0 }
    }

    /// What the table knows of the present position: its move and, unless the move limit is near, a score.
    pub fn probe_tt(&mut self) -> (Option<Move>, Option<Entry>) {
        // Most positions are evaluated, or those one move on, and what was sent for arrives in the meantime.
        self.evaluator.prepare(&self.position);
        let entry = self.table.probe(self.table_key());
        // Scores depend on how near it is.
        (entry.and_then(|entry| entry.mv), entry.filter(|_| !self.near_move_limit()))
    }

    /// Tells the table what was found out, unless it holds only on the way that led here.
    pub fn store_tt(&mut self, mv: Option<Move>, best: Score, bound: Bound, depth: i32, ply: usize) {
        // At the root a search may leave moves out, or add whims to their scores.
        let is_exact = (ply > 0 || self.root.is_unrestricted()) && self.stack[ply].excluded.is_none();
        if is_exact && !is_by_rule(best) {
            let (score, depth, eval) = (to_table(best, ply), depth.clamp(0, 255) as u8, self.stack[ply].raw_eval);
            let entry = Entry { mv, score, depth, bound, eval };
            self.table.store(self.table_key(), entry);
        }
    }

    /// Static evaluation of the present position, unless it is in check; `entry` is what the table knows of it.
    #[inline]
    pub fn static_eval(&mut self, entry: Option<Entry>, ply: usize) -> Option<Score> {
        if self.position.in_check() {
            self.stack[ply].raw_eval = None;
            return None;
        }
        let known = entry.and_then(|entry| entry.eval);
        let raw_eval = known.unwrap_or_else(|| self.evaluator.raw_eval(&self.position));
        debug_assert_eq!(raw_eval, self.evaluator.raw_eval(&self.position));
        self.stack[ply].raw_eval = Some(raw_eval);
        let eval = self.evaluator.damped(raw_eval, &self.position);
        // Who wants nothing left out wants scores that do not depend on what was searched before.
        if !self.prunes(Pruning::Large) {
            return Some(eval);
        }
        let correction = self.correction_history.correction(&self.previous(ply), self.tunables());
        Some((eval + correction).clamp(1 - RULE_BOUND, RULE_BOUND - 1))
    }

    /// Whether static evaluations have risen since the same side's last turn.
    pub fn is_improving(&self, ply: usize, eval: Score) -> bool {
        let earlier = [2, 4].into_iter().find_map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].eval));
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// What a draw is worth to the side to move `ply` plies from the root.
    #[inline]
    fn draw(&self, ply: usize) -> Score {
        let draw = self.limits.settings.draw.clamp(-MAX_DRAW_SCORE, MAX_DRAW_SCORE);
        if ply.is_multiple_of(2) { draw } else { -draw }
    }

    /// Whether as much is left out as `grade` says.
    #[inline]
    pub fn prunes(&self, grade: Pruning) -> bool {
        self.limits.settings.pruning >= grade
    }

    /// The score of a position decided by the rules rather than on the board.
    #[inline]
    pub fn rule_score(&self, ply: usize) -> Option<Score> {
        let rules = &self.limits.settings.rules;
        if rules.is_rule_draw(&self.position) {
            return Some(if self.position.has_no_moves() { mated_in(ply) } else { self.draw(ply) });
        }
        rules.repetition(&self.position, ply).map(|verdict| match verdict {
            RepetitionVerdict::Win => WON_BY_RULE - ply as Score,
            RepetitionVerdict::Draw => self.draw(ply),
            RepetitionVerdict::Loss => ply as Score - WON_BY_RULE,
        })
    }

    /// Whether the search must be left. Depth 1 is finished first, so that the move is not just any, unless nodes run out
    /// or a crowded position keeps it too long.
    #[inline]
    pub fn should_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            self.stopped = true;
            self.stop_reason = StopReason::Nodes;
        } else if self.nodes.is_multiple_of(NODES_PER_CHECK)
            && (self.iteration > 1 || self.nodes >= FIRST_ITERATION_NODES || self.thread_id > 0)
        {
            let spent = self.budget.and_then(|budget| Some((budget, self.spent()?)));
            let is_late = spent.is_some_and(|(budget, spent)| spent >= budget.hard || self.ponder_done);
            self.count();
            let is_spent = self.limits.nodes.is_some_and(|limit| self.smp.nodes() >= limit);
            self.stopped = is_late || is_spent || self.signals.is_stopped() || self.smp.is_finished();
            if self.stopped {
                self.stop_reason = match (is_late, is_spent) {
                    (true, _) => StopReason::Time,
                    (false, true) => StopReason::Nodes,
                    (false, false) => StopReason::Stop,
                };
            } else if self.shares_iterations() {
                self.adopted = self.smp.completed(self.iteration);
                self.stopped = self.adopted.is_some();
            }
            self.throttle();
        }
        self.stopped
    }

    /// Whether members go by one another's lines: an iteration that one has completed the others leave.
    pub fn shares_iterations(&self) -> bool {
        // With several lines, whims or a mate looked for, a member's best line is not just the best move.
        let settings = &self.limits.settings;
        settings.lines <= 1 && settings.root_noise.is_empty() && self.limits.mate.is_none()
    }

    /// By how many plies it looks further than the next iteration: every other member does, for two that search the same
    /// find much of it out twice.
    pub fn depth_offset(&self) -> i32 {
        (self.thread_id % 2) as i32
    }

    /// Tells the team how many nodes it has searched.
    pub fn count(&self) {
        self.smp.count(self.thread_id, self.nodes);
    }

    /// Leaves the processor to others for a while, if that is wanted and time, and if they did not take it already.
    fn throttle(&mut self) {
        let idle = self.limits.settings.idle;
        if idle == Idle::None || self.stopped {
            return;
        }
        let left = match self.budget {
            Some(budget) => self.spent().map_or(Duration::MAX, |spent| budget.hard.saturating_sub(spent)),
            None => Duration::MAX,
        };
        let rest = idle.sleep_time(self.work.elapsed(), self.begun.elapsed(), left);
        let begun = Instant::now();
        // In small pieces: a helper that rests must not keep the leader waiting.
        while begun.elapsed() < rest && !self.smp.is_finished() && !self.signals.is_stopped() {
            self.signals.throttle(rest.saturating_sub(begun.elapsed()).min(THROTTLE_SLICE));
        }
    }

    /// Time taken from our clock; `None` while pondering.
    pub fn spent(&self) -> Option<Duration> {
        let since = if self.limits.ponder { self.signals.ponderhit_at()? } else { self.signals.started() };
        Some(Instant::now().saturating_duration_since(since))
    }

    /// Says which root move comes next, once the search takes long.
    pub fn report_current_move(&mut self, mv: Move, number: usize) {
        let elapsed = self.signals.started().elapsed();
        if elapsed >= REPORT_AFTER {
            (self.report)(Report::CurrentMove { mv, number, elapsed });
        }
    }

    /// Makes `mv` and the line below it the best line of `ply`.
    pub fn update_pv(&mut self, mv: Move, ply: usize) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply].pv, &below[0].pv);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }
}
