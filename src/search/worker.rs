//! One search thread: its state, stop conditions, draw scores, and access to the transposition table.

use crate::types::Bound;

use super::correction_history::CorrectionHistory;
use super::history::{History, PLIES_BACK, PieceTo, PreviousMoves};
use super::lazy_smp::{SmpState, ThreadResult};
use super::limits::Limits;
use super::pruning::Pruning;
use super::report::{Line, Report, StopReason};
use super::root::Root;
use super::settings::{Idle, MAX_DRAW_SCORE};
use super::signals::Signals;
use super::stack::{self, StackEntry};
use super::time_management::TimeBudget;
use super::transposition::{Entry, TranspositionTable, to_table};
use super::tunables::Tunables;
use crate::egtb::tables::Probe;
use crate::egtb::value::EndgameValue;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RepetitionVerdict;
use crate::types::score::{DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE, is_by_rule, mate_in, mated_in};
use crate::types::{Move, Score};
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Nodes between two checks of clock and signals.
const NODES_PER_CHECK: u64 = 1024;
/// Nodes after which even the first iteration can be stopped.
const FIRST_ITERATION_NODES: u64 = 1 << 16;
/// From this many plies before the move limit on, scores depend on it and are not shared through the table.
const NEAR_MOVE_LIMIT: u32 = 20;
/// Changes the table keys of positions near the move limit.
const NEAR_MOVE_LIMIT_KEY: u64 = 0x6a09_e667_f3bc_c909;
/// Time after which a search reports root moves and fail highs and lows.
pub const REPORT_AFTER: Duration = Duration::from_secs(3);

/// Time between two checks of the signals during a pause.
const THROTTLE_SLICE: Duration = Duration::from_millis(4);

/// Memory of one thread, kept from one search to the next.
pub struct WorkerMemory {
    pub history: History,
    pub correction_history: CorrectionHistory,
    /// Kept only to reuse its allocations.
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
    /// State shared with the other threads (Lazy SMP).
    pub smp: &'a SmpState,
    /// Index of the thread; 0 is the main thread.
    pub thread_id: usize,
    /// Time for the move, if limited; main thread only.
    pub budget: Option<TimeBudget>,
    pub nodes: u64,
    /// Positions found in the endgame tables.
    pub tb_hits: u64,
    pub selective_depth: usize,
    /// Depth of the present iteration, in plies.
    pub iteration: i32,
    /// The search is being stopped: scores returned from now on are invalid.
    pub stopped: bool,
    /// Result of another thread that completed this iteration first.
    pub completed_elsewhere: Option<ThreadResult>,
    /// While pondering: the search may answer at once after a ponder hit.
    pub ponder_done: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    pub root: Root,
    /// Best line last reported.
    pub reported: Option<Line>,
    /// Start of the search, and processor time since then, for throttling.
    begun: Instant,
    work: ThreadTime,
}

impl<'a> Worker<'a> {
    /// A worker that searches `position` as thread `thread_id`.
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
            evaluator: Evaluator::new(limits.settings.knowledge, &limits.settings.network, &limits.settings.rules),
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
            tb_hits: 0,
            selective_depth: 0,
            iteration: 0,
            stopped: false,
            completed_elsewhere: None,
            ponder_done: false,
            stop_reason: StopReason::Depth,
            root: Root::new(position, limits),
            reported: None,
            begun: Instant::now(),
            work: ThreadTime::now(),
        }
    }

    /// Prefetch of the table bucket of the position after `mv`. (Not effective near the move limit, where keys differ.)
    #[inline]
    pub fn prefetch_after(&self, mv: Move) {
        self.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move at `ply` and counts the node.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        self.stack[ply].piece_to = Some(self.position.piece_to(mv));
        self.stack[ply].is_quiet = !self.position.is_capture(mv);
        self.nodes += 1;
        self.position.make(mv);
    }

    /// Undoes the last move.
    #[inline]
    pub fn undo(&mut self) {
        self.position.undo();
    }

    /// The tunable parameters.
    #[inline]
    pub fn tunables(&self) -> &'a Tunables {
        &self.limits.settings.tunables
    }

    /// The moves that led to the node at `ply`, as piece and target square.
    #[inline]
    pub fn previous(&self, ply: usize) -> PreviousMoves {
        PLIES_BACK.map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].piece_to))
    }

    /// The move that led to the node at `ply`, if quiet.
    pub fn last_quiet(&self, ply: usize) -> Option<PieceTo> {
        let previous = &self.stack[ply.checked_sub(1)?];
        previous.piece_to.filter(|_| previous.is_quiet)
    }

    /// Whether scores depend on the move limit here.
    fn near_move_limit(&self) -> bool {
        self.position.quiet_plies() + NEAR_MOVE_LIMIT >= self.limits.settings.rules.move_limit
    }

    /// Table key of the present position.
    fn table_key(&self) -> u64 {
        self.position.key() ^ if self.near_move_limit() { NEAR_MOVE_LIMIT_KEY } else { 0 }
    }

    /// TT probe of the present position: its move and, unless the move limit is near, the entry.
    pub fn probe_tt(&self) -> (Option<Move>, Option<Entry>) {
        let entry = self.table.probe(self.table_key());
        // Near the move limit, scores depend on the distance to it, which is not part of the key.
        (entry.and_then(|entry| entry.mv), entry.filter(|_| !self.near_move_limit()))
    }

    /// TT store of the present position, unless the score depends on the path to it.
    pub fn store_tt(&mut self, mv: Option<Move>, best: Score, bound: Bound, depth: i32, ply: usize) {
        // At the root, moves may be excluded and scores have root noise.
        let is_storable = (ply > 0 || self.root.is_unrestricted()) && self.stack[ply].excluded.is_none();
        if is_storable && !is_by_rule(best) {
            let (score, depth, eval) = (to_table(best, ply), depth.clamp(0, 255) as u8, self.stack[ply].raw_eval);
            let entry = Entry { mv, score, depth, bound, eval, was_pv: self.stack[ply].was_pv };
            self.table.store(self.table_key(), entry);
        }
    }

    /// Static evaluation of the present position, unless it is in check; `entry` is its table entry. Adds the
    /// correction history.
    #[inline]
    pub fn static_eval(&mut self, entry: Option<Entry>, ply: usize) -> Option<Score> {
        self.stack[ply].correction = 0;
        if self.position.in_check() {
            self.stack[ply].raw_eval = None;
            return None;
        }
        let known = entry.and_then(|entry| entry.eval);
        let raw_eval = known.unwrap_or_else(|| self.evaluator.raw_eval(&self.position));
        debug_assert_eq!(raw_eval, self.evaluator.raw_eval(&self.position));
        self.stack[ply].raw_eval = Some(raw_eval);
        let eval = self.evaluator.damped(raw_eval, &self.position);
        // With less pruning, scores must not depend on earlier searches.
        if !self.prunes(Pruning::Large) {
            return Some(eval);
        }
        let correction = self.correction_history.correction(&self.previous(ply), self.tunables());
        self.stack[ply].correction = correction;
        Some((eval + correction).clamp(1 - DECIDED_BOUND, DECIDED_BOUND - 1))
    }

    /// Improving: whether the static evaluation has risen since two plies ago, or four if the side to move was in check
    /// then. True if neither is known.
    pub fn is_improving(&self, ply: usize, eval: Score) -> bool {
        let earlier = [2, 4].into_iter().find_map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].eval));
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// Score of a draw, with contempt, for the side to move `ply` plies from the root.
    #[inline]
    fn draw(&self, ply: usize) -> Score {
        let draw = self.limits.settings.draw.clamp(-MAX_DRAW_SCORE, MAX_DRAW_SCORE);
        if ply.is_multiple_of(2) { draw } else { -draw }
    }

    /// Whether the search prunes at least as much as `grade`.
    #[inline]
    pub fn prunes(&self, grade: Pruning) -> bool {
        self.limits.settings.pruning >= grade
    }

    /// The score of a position decided by repetition, move limit or insufficient material.
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

    /// The score of a position in the endgame tables (EGTB probe). A win that takes longer than the move limit allows has
    /// none, and neither has a draw that one side may hold by perpetual chase alone.
    pub fn probe_egtb(&mut self, ply: usize) -> Option<Score> {
        let tables = self.limits.settings.tables.as_deref()?;
        let Probe { value, is_exact } = tables.probe(&self.position)?;
        self.tb_hits += 1;
        let plies_left = self.limits.settings.rules.move_limit.saturating_sub(self.position.quiet_plies());
        match value {
            _ if value.min_plies() > plies_left => None,
            EndgameValue::Win(plies) => Some(mate_in(ply + plies as usize)),
            EndgameValue::Loss(plies) => Some(mated_in(ply + plies as usize)),
            EndgameValue::WinByRule(rank) => Some(TABLE_WIN_BY_RULE - rank as Score - ply as Score),
            EndgameValue::LossByRule(rank) => Some(rank as Score + ply as Score - TABLE_WIN_BY_RULE),
            EndgameValue::Draw => is_exact.then(|| self.draw(ply)),
        }
    }

    /// Whether the search must stop. The main thread finishes depth 1 first, unless the node limit or
    /// [`FIRST_ITERATION_NODES`] is reached.
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
                self.completed_elsewhere = self.smp.completed(self.iteration);
                self.stopped = self.completed_elsewhere.is_some();
            }
            self.throttle();
        }
        self.stopped
    }

    /// Whether threads share completed iterations.
    pub fn shares_iterations(&self) -> bool {
        // Not with multi-PV, root noise or a mate limit: there one shared line is not enough.
        let settings = &self.limits.settings;
        settings.lines <= 1 && settings.root_noise.is_empty() && self.limits.mate.is_none()
    }

    /// Extra depth of each iteration: 1 for every other thread, so that threads differ in what they search.
    pub fn depth_offset(&self) -> i32 {
        (self.thread_id % 2) as i32
    }

    /// Publishes the counts of nodes and table hits.
    pub fn count(&self) {
        self.smp.count(self.thread_id, self.nodes, self.tb_hits);
    }

    /// Sleeps as the setting `idle` requires, less the time in which the thread did not run.
    fn throttle(&mut self) {
        let idle = self.limits.settings.idle;
        if idle == Idle::None || self.stopped {
            return;
        }
        let left = match self.budget {
            Some(budget) => self.spent().map_or(Duration::MAX, |spent| budget.hard.saturating_sub(spent)),
            None => Duration::MAX,
        };
        let pause = idle.sleep_time(self.work.elapsed(), self.begun.elapsed(), left);
        let begun = Instant::now();
        // In slices, so that the main thread need not wait for a sleeping helper.
        while begun.elapsed() < pause && !self.smp.is_finished() && !self.signals.is_stopped() {
            self.signals.throttle(pause.saturating_sub(begun.elapsed()).min(THROTTLE_SLICE));
        }
    }

    /// Time taken from the own clock; `None` while pondering.
    pub fn spent(&self) -> Option<Duration> {
        if let Some(time) = self.limits.time_of(self.nodes) {
            return Some(time);
        }
        let since = if self.limits.ponder { self.signals.ponderhit_at()? } else { self.signals.started() };
        Some(Instant::now().saturating_duration_since(since))
    }

    /// Reports the next root move, once the search has taken [`REPORT_AFTER`].
    pub fn report_current_move(&mut self, mv: Move, number: usize) {
        let elapsed = self.signals.started().elapsed();
        if elapsed >= REPORT_AFTER {
            (self.report)(Report::CurrentMove { mv, number, elapsed });
        }
    }

    /// Makes `mv` and the PV of the next ply the PV of `ply`.
    pub fn update_pv(&mut self, mv: Move, ply: usize) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply].pv, &below[0].pv);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }
}
