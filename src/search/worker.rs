//! One search thread: its state, its moves, its static evaluation, draw scores, and access to the transposition table.

use super::control::Control;
use super::correction_history::CorrectionHistory;
use super::history::{History, PLIES_BACK, PieceTo, PreviousMoves};
use super::lazy_smp::SmpState;
use super::limits::Limits;
use super::pruning::Pruning;
use super::report::{Line, Report};
use super::root::Root;
use super::settings::SearchSettings;
use super::signals::Signals;
use super::stack::{self, StackEntry};
use super::statistics::{Event, Statistics};
use super::transposition::{Entry, TranspositionTable, to_table};
use super::tunables::Tunables;
use crate::egtb::tables::{Probe, Tables};
use crate::egtb::value::EndgameValue;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::game_status::OCCURRENCES;
use crate::rules::{Repetition, RepetitionVerdict, Rules, recurrence};
use crate::types::score::{DECIDED_BOUND, TABLE_WIN_BY_RULE, WON_BY_RULE, is_by_rule, mate_in, mated_in};
use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// From this many plies before the move limit on, scores depend on it and are not shared through the table.
const NEAR_MOVE_LIMIT: u32 = 20;
/// Changes the table keys of positions near the move limit.
const NEAR_MOVE_LIMIT_KEY: u64 = 0x6a09_e667_f3bc_c909;
/// Time after which a search reports root moves and fail highs and lows.
pub(super) const REPORT_AFTER: Duration = Duration::from_secs(3);

/// The divisor of evaluations where the stronger side, without its guards, could not win by the endgame tables.
const DRAWN_WITHOUT_GUARDS: Score = 16;

/// From this depth on, a cycle that would lose is searched to the third occurrence of its position.
const WHOLE_CYCLE_DEPTH: i32 = 5;
/// Below it, its score for the other side, in engine units: that of a won game, but none that is decided.
const FORBIDDEN_CYCLE: Score = 2_000;

/// Most cycles that a search judges by the exact Chinese rules: about a millisecond each.
const MAX_JUDGED_CYCLES: usize = 64;

/// Memory of one thread, kept from one search to the next.
pub(super) struct WorkerMemory {
    pub history: History,
    pub correction_history: CorrectionHistory,
    pub statistics: Statistics,
    /// Kept only to reuse its allocations.
    stack: Vec<StackEntry>,
}

impl WorkerMemory {
    pub(super) fn new() -> WorkerMemory {
        WorkerMemory {
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            statistics: Statistics::default(),
            stack: stack::new_stack(),
        }
    }
}

/// What the nodes need of the settings, resolved once per search.
pub(super) struct Params<'a> {
    pub tunables: &'a Tunables,
    /// How much the search prunes.
    pub pruning: Pruning,
    rules: &'a Rules,
    tables: Option<&'a Tables>,
    /// The score of a draw for the side to move at the root.
    draw: Score,
    /// Quiet plies from which on scores depend on the move limit.
    near_move_limit: u32,
}

impl<'a> Params<'a> {
    /// The parameters of a search with these settings.
    pub(super) fn of(settings: &'a SearchSettings) -> Params<'a> {
        Params {
            tunables: &settings.tunables,
            pruning: settings.pruning,
            rules: &settings.rules,
            tables: settings.tables.as_deref(),
            draw: settings.draw_score(),
            near_move_limit: settings.rules.move_limit.saturating_sub(NEAR_MOVE_LIMIT),
        }
    }

    /// The key of `position` in the transposition table, and whether the move limit is near: then scores depend on the
    /// distance to it, which is not part of the position's own key.
    #[inline]
    pub(super) fn table_key(&self, position: &Position) -> (u64, bool) {
        let is_near_limit = position.quiet_plies() >= self.near_move_limit;
        (position.key() ^ if is_near_limit { NEAR_MOVE_LIMIT_KEY } else { 0 }, is_near_limit)
    }
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub params: Params<'a>,
    pub control: Control<'a>,
    pub position: Position,
    pub evaluator: Evaluator,
    pub history: &'a mut History,
    pub correction_history: &'a mut CorrectionHistory,
    pub statistics: &'a mut Statistics,
    pub stack: &'a mut [StackEntry],
    pub table: &'a TranspositionTable,
    pub report: &'a mut dyn FnMut(Report),
    pub nodes: u64,
    /// Positions found in the endgame tables.
    pub tb_hits: u64,
    pub selective_depth: usize,
    /// Ply from which on each side may pass, even plies first: beyond those of a verification search.
    pub null_move_from: [usize; 2],
    /// Depth of the present iteration, in plies.
    pub iteration: i32,
    pub root: Root,
    /// Cycles judged by the exact Chinese rules, as their moves, the last one first.
    judged_cycles: Vec<(Vec<Move>, RepetitionVerdict)>,
    /// Best line last reported.
    pub reported: Option<Line>,
}

impl<'a> Worker<'a> {
    /// A worker that searches `position` as thread `thread_id`.
    pub(super) fn new(
        position: &Position,
        memory: &'a mut WorkerMemory,
        table: &'a TranspositionTable,
        signals: &'a Signals,
        limits: &'a Limits,
        report: &'a mut dyn FnMut(Report),
        (smp, thread_id): (&'a SmpState, usize),
    ) -> Worker<'a> {
        let WorkerMemory { history, correction_history, statistics, stack } = memory;
        stack::reset(stack);
        let settings = &limits.settings;
        Worker {
            params: Params::of(settings),
            control: Control::new(limits, signals, smp, thread_id),
            position: position.clone(),
            evaluator: Evaluator::new(settings.knowledge, &settings.network, &settings.rules),
            history,
            correction_history,
            statistics,
            stack,
            table,
            report,
            nodes: 0,
            tb_hits: (limits.drawn_by_tables && thread_id == 0) as u64,
            selective_depth: 0,
            null_move_from: [0; 2],
            iteration: 0,
            root: Root::new(position, limits),
            judged_cycles: Vec::new(),
            reported: None,
        }
    }

    /// Whether the search must stop, see [`Control::should_stop`].
    #[inline]
    pub(super) fn should_stop(&mut self) -> bool {
        self.control.should_stop(self.nodes, self.tb_hits, self.iteration)
    }

    /// The key of the position after `mv`, whose table bucket is prefetched. (Not effective near the move limit, where keys
    /// differ.)
    #[inline]
    pub(super) fn prefetch_after(&self, mv: Move) -> u64 {
        let key = self.position.key_after(mv);
        self.table.prefetch(key);
        key
    }

    /// Makes a move at `ply`, after which the position has this key, and counts the node. Only the position keeps what undoes it.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, key: u64, ply: usize) {
        self.stack[ply].piece_to = Some(self.position.piece_to(mv));
        self.stack[ply].is_quiet = !self.position.is_capture(mv);
        self.nodes += 1;
        self.position.make_with_key(mv, key);
    }

    /// Makes a null move at `ply` and counts the node.
    #[inline]
    pub(super) fn make_null(&mut self, ply: usize) {
        self.stack[ply].piece_to = None;
        self.nodes += 1;
        self.table.prefetch(self.position.key_after_null());
        self.position.make_null();
    }

    /// The moves that led to the node at `ply`, as piece and target square.
    #[inline]
    pub(super) fn previous(&self, ply: usize) -> PreviousMoves {
        PLIES_BACK.map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].piece_to))
    }

    /// The move that led to the node at `ply`, if quiet.
    pub(super) fn last_quiet(&self, ply: usize) -> Option<PieceTo> {
        let previous = &self.stack[ply.checked_sub(1)?];
        previous.piece_to.filter(|_| previous.is_quiet)
    }

    /// TT probe of the present position: the key to store under, its move and, unless the move limit is near, the entry.
    #[inline]
    pub(super) fn probe_tt(&self) -> (u64, Option<Move>, Option<Entry>) {
        let (key, is_near_limit) = self.params.table_key(&self.position);
        let entry = self.table.probe(key);
        (key, entry.and_then(|entry| entry.mv), entry.filter(|_| !is_near_limit))
    }

    /// TT store of the present position under its [key](Worker::probe_tt), unless the score depends on the path to it.
    pub(super) fn store_tt(&mut self, key: u64, mv: Option<Move>, best: Score, bound: Bound, depth: i32, ply: usize) {
        // At the root, moves may be excluded and scores have root noise.
        let is_storable = (ply > 0 || self.root.is_unrestricted()) && self.stack[ply].excluded.is_none();
        if is_storable && !is_by_rule(best) && best.abs() != FORBIDDEN_CYCLE {
            let (score, depth, eval) = (to_table(best, ply), depth.clamp(0, 255) as u8, self.stack[ply].raw_eval);
            let entry = Entry { mv, score, depth, bound, eval, was_pv: self.stack[ply].was_pv };
            self.table.store(key, entry);
        }
    }

    /// Static evaluation of the present position, unless it is in check; `entry` is its table entry. Adds the
    /// correction history.
    #[inline]
    pub(super) fn static_eval(&mut self, entry: Option<Entry>, ply: usize) -> Option<Score> {
        self.stack[ply].correction = 0;
        if self.position.in_check() {
            self.stack[ply].raw_eval = None;
            return None;
        }
        let known = entry.and_then(|entry| entry.eval);
        self.statistics.count(if known.is_some() { Event::TtEval } else { Event::NewEval });
        let raw_eval = known.unwrap_or_else(|| self.evaluator.raw_eval(&self.position));
        debug_assert_eq!(raw_eval, self.evaluator.raw_eval(&self.position));
        self.stack[ply].raw_eval = Some(raw_eval);
        let eval = self.evaluator.damped(raw_eval, &self.position);
        if self.params.tables.is_some_and(|tables| tables.is_drawn_without_guards(&self.position)) {
            return Some(eval / DRAWN_WITHOUT_GUARDS);
        }
        // With less pruning, scores must not depend on earlier searches.
        if self.params.pruning < Pruning::Large {
            return Some(eval);
        }
        let correction = self.correction_history.correction(&self.previous(ply), &self.position, self.params.tunables);
        self.stack[ply].correction = correction;
        Some((eval + correction).clamp(1 - DECIDED_BOUND, DECIDED_BOUND - 1))
    }

    /// Improving: whether the static evaluation has risen since two plies ago, or four if the side to move was in check
    /// then. True if neither is known.
    pub(super) fn is_improving(&self, ply: usize, eval: Score) -> bool {
        let earlier = [2, 4].into_iter().find_map(|back| ply.checked_sub(back).and_then(|at| self.stack[at].eval));
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// Score of a draw, with contempt, for the side to move `ply` plies from the root.
    #[inline]
    fn draw(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.params.draw } else { -self.params.draw }
    }

    /// The score of a position decided by repetition, move limit or insufficient material. Near the horizon, at less than
    /// [`WHOLE_CYCLE_DEPTH`], a cycle that would lose decides before the game ends.
    #[inline]
    pub(super) fn rule_score(&mut self, ply: usize, depth: i32) -> Option<Score> {
        let rules = self.params.rules;
        if rules.is_rule_draw(&self.position) {
            return Some(if self.position.has_no_moves() { mated_in(ply) } else { self.draw(ply) });
        }
        let cycle = rules.decisive_recurrence(&self.position, ply)?;
        // The third occurrence ends the game, and all moves since the first one are judged. The second one in the search
        // tree is a draw if that cycle is. A cycle that would lose may not if it is mixed with another one: where the
        // depth allows, the search goes on.
        let whole = recurrence(&self.position, OCCURRENCES);
        let (verdict, won) = match whole.and_then(|plies| self.final_verdict(plies, ply)) {
            Some(verdict) => (verdict, Some(WON_BY_RULE - ply as Score)),
            None => {
                let verdict = rules.quick_cycle_verdict(&self.position, whole.unwrap_or(cycle));
                (verdict, (depth < WHOLE_CYCLE_DEPTH).then_some(FORBIDDEN_CYCLE))
            }
        };
        match verdict {
            RepetitionVerdict::Win => won,
            RepetitionVerdict::Draw => Some(self.draw(ply)),
            RepetitionVerdict::Loss => won.map(|won| -won),
        }
    }

    /// The verdict on the last `plies` plies, at whose end the game ends. Those of the Chinese rules take long: they are for
    /// cycles that began in the game, and only for the first of them; `None` for others.
    fn final_verdict(&mut self, plies: usize, ply: usize) -> Option<RepetitionVerdict> {
        let rules = self.params.rules;
        if rules.repetition != Repetition::Chinese {
            return Some(rules.cycle_verdict(&self.position, plies));
        }
        let moves = self.position.last_moves(plies);
        if let Some((_, verdict)) = self.judged_cycles.iter().find(|(cycle, _)| *cycle == moves) {
            return Some(*verdict);
        }
        if plies < ply || self.judged_cycles.len() >= MAX_JUDGED_CYCLES {
            return None;
        }
        let verdict = rules.cycle_verdict(&self.position, plies);
        self.judged_cycles.push((moves, verdict));
        Some(verdict)
    }

    /// The score of a position in the endgame tables (EGTB probe). A win that takes longer than the move limit allows has
    /// none, and neither has a draw that one side may hold by perpetual chase alone.
    pub(super) fn probe_egtb(&mut self, ply: usize) -> Option<Score> {
        let tables = self.params.tables?;
        let Probe { value, is_exact } = tables.probe(&self.position)?;
        self.tb_hits += 1;
        let plies_left = self.params.rules.move_limit.saturating_sub(self.position.quiet_plies());
        match value {
            _ if value.min_plies() > plies_left => None,
            EndgameValue::Win(plies) => Some(mate_in(ply + plies as usize)),
            EndgameValue::Loss(plies) => Some(mated_in(ply + plies as usize)),
            EndgameValue::WinByRule(rank) => Some(TABLE_WIN_BY_RULE - rank as Score - ply as Score),
            EndgameValue::LossByRule(rank) => Some(rank as Score + ply as Score - TABLE_WIN_BY_RULE),
            EndgameValue::Draw => is_exact.then(|| self.draw(ply)),
        }
    }

    /// Reports the next root move, once the search has taken [`REPORT_AFTER`].
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        let elapsed = self.control.signals.started().elapsed();
        if elapsed >= REPORT_AFTER {
            (self.report)(Report::CurrentMove { mv, number, elapsed });
        }
    }

    /// Makes `mv` and the PV of the next ply the PV of `ply`.
    pub(super) fn update_pv(&mut self, mv: Move, ply: usize) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply].pv, &below[0].pv);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }
}
