//! Finding the move (L4).
//!
//! | module | what it owns |
//! |---|---|
//! | [`limits`] | what bounds a search: depth, nodes, clock, banned moves |
//! | [`signals`] | what reaches a search from outside while it runs |
//! | [`report`] | what a search says while it runs and when it ends |
//! | [`transposition`] | the table of positions already searched |
//! | `clock` | how long to think |
//! | `worker` | one thread's search: position, memory, when to stop |
//! | `alphabeta` | principal variation search |
//! | `quiescence` | captures until the position is quiet |
//! | `pruning` | margins and reductions, as pure formulas |
//! | `picker` | moves in the order they are worth trying |
//! | `history` | what earlier parts of the search say about moves |

mod alphabeta;
mod clock;
mod history;
pub mod limits;
mod picker;
mod pruning;
mod quiescence;
pub mod report;
pub mod signals;
pub mod transposition;
mod worker;

use crate::position::Position;
use crate::types::score::{INFINITE, is_mate, plies_to_mate};
use crate::types::{MAX_PLY, Score};
use alphabeta::RootNode;
use limits::Limits;
use report::{Bound, Iteration, Outcome, Report};
use signals::Signals;
use transposition::Table;
use worker::{Memory, Worker};

/// Half-width of the first aspiration window, in engine units.
const ASPIRATION: Score = 24;
/// First iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

/// A searcher with what it remembers from one move to the next besides the table.
pub struct Searcher {
    memory: Memory,
}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new() -> Searcher {
        Searcher { memory: Memory::new() }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        self.memory.history.clear();
    }

    /// Searches `position` and returns the move to play. Pondering and unlimited searches return only when the signals
    /// say so (or, unlimited, at a proven mate). `report` is called from this thread as the search goes on.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &Table,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        table.next_search();
        self.memory.history.next_search();
        let mut worker = Worker::new(position, &mut self.memory, table, signals, limits, report);
        let depth = worker.deepen();
        worker.wait_for_release();
        let fallback = || position.legal_moves().iter().find(|mv| !worker.root.banned.contains(mv));
        let best = worker.root.pv.first().copied().or_else(fallback);
        Outcome {
            best,
            ponder: worker.root.pv.get(1).copied(),
            score: worker.root.score,
            depth: depth as u32,
            nodes: worker.nodes,
        }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is met; the last depth completed.
    fn deepen(&mut self) -> i32 {
        let deepest = self.limits.depth.map_or(MAX_PLY as i32, |depth| depth.clamp(1, MAX_PLY as u32) as i32);
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            self.root.score = crate::types::score::mated_in(0);
            return 0;
        }
        let choices = legal.iter().filter(|mv| !self.root.banned.contains(mv)).count();
        let mut reported = None;
        let mut stable = 0;
        let mut completed = 0;
        for depth in 1..=deepest {
            self.iteration = depth;
            self.selective_depth = 0;
            let (old_best, old_score) = (self.root.pv.first().copied(), self.root.score);
            self.aspire(depth);
            if self.stopped {
                break;
            }
            completed = depth;
            self.report_iteration(depth);
            reported = self.root.pv.first().copied();
            stable = if old_best == reported { stable + 1 } else { 0 };
            if self.is_enough(choices, stable, old_score - self.root.score) {
                break;
            }
        }
        // Broken off after the best move had changed: the last line said must be the one played.
        if self.root.pv.first().copied() != reported {
            self.report_iteration(completed + 1);
        }
        completed
    }

    /// One iteration: with a narrow window around the last score, widened on the side where it fails.
    fn aspire(&mut self, depth: i32) {
        let last = self.root.score;
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && !is_mate(last) {
            (alpha, beta) = (last - width, last + width);
        }
        loop {
            let score = self.search::<RootNode>(alpha, beta, depth, 0, false);
            if self.stopped || (alpha < score && score < beta) {
                return;
            }
            width += width;
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1_000 { -INFINITE } else { score - width };
            } else {
                beta = if width > 1_000 { INFINITE } else { score + width };
            }
        }
    }

    /// Whether the iteration just completed was the last.
    fn is_enough(&mut self, choices: usize, stable: u32, drop: Score) -> bool {
        let is_proven = plies_to_mate(self.root.score).is_some_and(|plies| plies as i32 <= self.iteration);
        if let Some(budget) = self.budget {
            let is_forced = choices == 1 && self.iteration >= 8;
            let is_enough = |spent| is_proven || is_forced || spent >= budget.soft_for(stable, drop);
            // Pondering goes on until the opponent has moved, but then need not take our time as well.
            let Some(spent) = self.spent() else {
                self.is_settled = is_enough(self.signals.started().elapsed());
                return false;
            };
            return is_enough(spent);
        }
        let is_unlimited = self.limits.depth.is_none() && self.limits.nodes.is_none();
        is_unlimited && is_proven && self.iteration > 8
    }

    fn report_iteration(&mut self, depth: i32) {
        (self.report)(Report::Iteration(Iteration {
            depth: depth as u32,
            selective_depth: self.selective_depth as u32,
            score: self.root.score,
            bound: Bound::Exact,
            pv: self.root.pv.clone(),
            nodes: self.nodes,
            elapsed: self.signals.started().elapsed(),
            hashfull: self.table.hashfull(),
        }));
    }

    /// Sleeps where an answer would come too early: pondering before the ponder hit, unlimited without a proven mate.
    fn wait_for_release(&self) {
        if self.limits.ponder {
            self.signals.wait(true);
        } else if self.limits.clock.is_none() && self.limits.depth.is_none() && self.limits.nodes.is_none() {
            let is_over = self.root.pv.is_empty() || is_mate(self.root.score);
            if !is_over {
                self.signals.wait(false);
            }
        }
    }
}
