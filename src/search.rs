//! Finding the move (L4).
//!
//! | module | what it owns |
//! |---|---|
//! | [`limits`] | what bounds a search: depth, nodes, clock, banned moves |
//! | [`conduct`] | how a search goes about its work |
//! | [`signals`] | what reaches a search from outside while it runs |
//! | [`report`] | what a search says while it runs and when it ends |
//! | [`transposition`] | the table of positions already searched |
//! | [`clock`] | how long to think |
//! | `team` | the threads of a search, and how they agree on a move |
//! | `root` | the moves that take part, and the best lines found |
//! | `worker` | one thread's search: position, memory, when to stop |
//! | `alphabeta` | principal variation search |
//! | `quiescence` | captures until the position is quiet |
//! | `shortcuts` | what is found out about a node before its moves are searched |
//! | `selectivity` | which moves are searched, and how deeply |
//! | [`pruning`] | margins and reductions, as formulas |
//! | [`tunables`] | the numbers in them |
//! | [`picker`] | moves in the order they are worth trying |
//! | [`history`] | what earlier parts of the search say about moves |
//! | `corrections` | by how much evaluations after the same steps were wrong |

mod alphabeta;
pub mod clock;
pub mod conduct;
mod corrections;
pub mod history;
pub mod limits;
pub mod picker;
pub mod pruning;
mod quiescence;
pub mod report;
mod root;
mod selectivity;
mod shortcuts;
pub mod signals;
mod team;
pub mod transposition;
pub mod tunables;
mod worker;

use crate::position::Position;
use crate::types::score::{INFINITE, is_mate, mated_in, plies_to_mate};
use crate::types::{MAX_PLY, Move, Score};
use alphabeta::RootNode;
use limits::Limits;
use report::{Bound, Ending, Iteration, Line, Outcome, Report};
use root::RootLine;
use signals::Signals;
use std::panic::resume_unwind;
use std::thread;
use team::{Found, Team};
use transposition::Table;
use worker::{Memory, SLOW, Worker};

/// First iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

/// A searcher with what it remembers from one move to the next besides the table.
pub struct Searcher {
    /// One for each thread, the leader's first.
    memories: Vec<Memory>,
}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new() -> Searcher {
        Searcher { memories: vec![Memory::new()] }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        for memory in &mut self.memories {
            memory.history.clear();
            memory.corrections.clear();
        }
    }

    /// Makes ready for searches with so many threads, at least 1.
    pub fn prepare(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), Memory::new);
    }

    /// Searches `position` and returns the move to play. Pondering and unlimited searches return only when the signals
    /// say so (or, unlimited, at a proven mate), and so does what the limits tell to wait. `report` is called from this
    /// thread as the search goes on.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        table: &Table,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        table.next_search();
        self.prepare(limits.conduct.threads);
        let tunables = &limits.conduct.tunables;
        self.memories.iter_mut().for_each(|memory| memory.history.next_search(tunables));
        let team = &Team::new(self.memories.len());
        let (memory, others) = self.memories.split_first_mut().expect("invariant: there is a thread");
        let mut leader = Worker::new(position, memory, table, signals, limits, report, (team, 0));
        let findings = thread::scope(|scope| {
            // Whatever becomes of the leader, its helpers come to an end.
            let _end = team.finish_when_dropped();
            let gate = team.hold();
            let helper = |(number, memory)| {
                let search = move || {
                    team.wait();
                    let mut silence = |_| {};
                    let membership = (team, number);
                    Worker::new(position, memory, table, signals, limits, &mut silence, membership).find()
                };
                // What the system refuses to start does not help.
                thread::Builder::new().spawn_scoped(scope, search).ok()
            };
            let helpers: Vec<_> = (1..).zip(others).filter_map(helper).collect();
            drop(gate);
            let mut findings = vec![leader.find()];
            leader.wait_for_release();
            team.finish();
            findings
                .extend(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))));
            findings
        });
        leader.agree(&findings);
        let best = leader.root.line(&leader.root.lines[0]);
        let fallback = || position.legal_moves().iter().find(|mv| !leader.root.banned.contains(mv));
        let mv = best.pv.first().copied().or_else(fallback);
        Outcome {
            best: mv,
            // A line broken off may have no second move, where the table knows one.
            ponder: best.pv.get(1).copied().or_else(|| mv.and_then(|mv| reply(position, mv, table))),
            score: best.score,
            depth: findings[0].depth as u32,
            nodes: team.nodes(),
            ending: leader.ending,
        }
    }
}

/// What the table thinks of as the answer to `mv`.
fn reply(position: &Position, mv: Move, table: &Table) -> Option<Move> {
    let mut after = position.clone();
    after.make(mv, &mut ());
    table.probe(after.key()).and_then(|entry| entry.mv).filter(|&reply| after.is_legal(reply))
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Worker<'_> {
    /// Searches until a limit is met; what it came to.
    fn find(&mut self) -> Found {
        let depth = self.deepen();
        self.count();
        Found { depth, line: self.root.lines[0].clone() }
    }

    /// Goes by what the team found instead of the own finding, if a better move is among it.
    fn agree(&mut self, findings: &[Found]) {
        let Some(best) = team::choose(findings).filter(|_| self.shares()) else { return };
        if best.line.head() != self.root.lines[0].head() {
            self.root.lines[0] = best.line.clone();
            self.report_lines();
            (self.report)(Report::Waiting);
        }
    }

    /// Searches deeper and deeper until a limit is met; the last depth completed.
    fn deepen(&mut self) -> i32 {
        let deepest = self.limits.depth.map_or(MAX_PLY as i32, |depth| depth.clamp(1, MAX_PLY as u32) as i32);
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            self.root.lines[0].worth = mated_in(0);
            self.ending = Ending::NoMove;
            return 0;
        }
        let choices = legal.iter().filter(|mv| !self.root.banned.contains(mv)).count();
        let lines = self.limits.conduct.lines.clamp(1, choices);
        self.root.lines.resize(lines, RootLine::default());
        let mut stable = 0;
        let mut completed = 0;
        while completed < deepest {
            self.iteration = (completed + 1 + self.lead()).min(deepest);
            self.selective_depth = 0;
            let (old_best, old_worth) = (self.root.lines[0].head(), self.root.lines[0].worth);
            for current in 0..lines {
                self.search_line(current, self.iteration);
            }
            if let Some(found) = self.overtaken.take() {
                (self.iteration, self.root.lines[0]) = (found.depth, found.line);
                self.stopped = false;
            } else if self.stopped {
                break;
            } else if self.shares() {
                self.team.publish(Found { depth: self.iteration, line: self.root.lines[0].clone() });
            }
            completed = self.iteration;
            self.report_lines();
            stable = if old_best == self.reported { stable + 1 } else { 0 };
            if let Some(ending) = self.is_enough(choices, stable, old_worth - self.root.lines[0].worth) {
                self.ending = ending;
                break;
            }
        }
        // Broken off after the best move had changed: the last line said must be the one played.
        if self.root.lines[0].head() != self.reported {
            self.report_lines();
        }
        completed
    }

    /// One iteration of one line, that of the best move when the first moves of the `current` better lines are left out.
    fn search_line(&mut self, current: usize, depth: i32) {
        if self.stopped {
            return;
        }
        self.root.current = current;
        let displaced = self.root.lines[current].clone();
        self.aspire(depth);
        // The move found may have headed a worse line so far. Then that line gets the move it took the place of.
        let head = self.root.lines[current].head();
        let worse = self.root.lines[current + 1..].iter_mut().find(|line| head.is_some() && line.head() == head);
        if let Some(worse) = worse {
            *worse = displaced;
        }
        if !self.stopped {
            self.root.lines[..=current].sort_by_key(|line| std::cmp::Reverse(line.worth));
        }
    }

    /// One iteration: with a narrow window around the last score, widened on the side where it fails.
    fn aspire(&mut self, depth: i32) {
        let last = &self.root.lines[self.root.current];
        let mut width = self.tunables().aspiration();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && !is_mate(last.worth) && !last.pv.is_empty() {
            (alpha, beta) = (last.worth - width, last.worth + width);
        }
        loop {
            let score = self.search::<RootNode>(alpha, beta, depth, 0, false);
            if self.stopped || (alpha < score && score < beta) {
                return;
            }
            self.report_failure(depth, score, Bound::of(score, alpha, beta));
            width += width;
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1_000 { -INFINITE } else { score - width };
            } else {
                beta = if width > 1_000 { INFINITE } else { score + width };
            }
        }
    }

    /// Why the iteration just completed was the last, if it was.
    fn is_enough(&mut self, choices: usize, stable: u32, drop: Score) -> Option<Ending> {
        let worth = self.root.lines[0].worth;
        let mate = plies_to_mate(worth);
        if self.limits.mate.is_some_and(|moves| worth > 0 && mate.is_some_and(|plies| plies < 2 * moves)) {
            return Some(Ending::Mate);
        }
        let is_proven = mate.is_some_and(|plies| plies as i32 <= self.iteration);
        if let Some(budget) = self.budget.filter(|budget| !budget.is_whole) {
            let why = |spent| {
                let is_forced = choices == 1 && self.iteration >= 8;
                let is_late = spent >= budget.soft_for(stable, drop, self.root.share_of_best());
                let reasons = [(is_proven, Ending::Mate), (is_forced, Ending::OnlyMove), (is_late, Ending::Time)];
                reasons.into_iter().find_map(|(holds, ending)| holds.then_some(ending))
            };
            // Pondering goes on until the opponent has moved, but then need not take our time as well.
            let Some(spent) = self.spent() else {
                self.is_settled = why(self.signals.started().elapsed()).is_some();
                return None;
            };
            return why(spent);
        }
        let ends = self.limits.is_unlimited() && !self.limits.waits;
        (ends && is_proven && self.iteration > 8).then_some(Ending::Mate)
    }

    /// Says what the best lines are.
    fn report_lines(&mut self) {
        let found = self.root.lines.iter().filter(|line| !line.pv.is_empty());
        let lines = found.map(|line| self.root.line(line)).collect();
        self.report_iteration(lines);
    }

    /// Says that the best line failed: only when the search has taken long, for it is being searched again.
    fn report_failure(&mut self, depth: i32, worth: Score, bound: Bound) {
        let is_slow = self.signals.started().elapsed() >= SLOW;
        let line = &self.root.lines[0];
        if is_slow && self.root.current == 0 && !line.pv.is_empty() {
            let line = self.root.line(&RootLine { worth, bound, depth, pv: line.pv.clone() });
            self.report_iteration(vec![line]);
        }
    }

    fn report_iteration(&mut self, lines: Vec<Line>) {
        self.reported = lines.first().and_then(|line| line.pv.first()).copied();
        self.count();
        (self.report)(Report::Iteration(Iteration {
            selective_depth: self.selective_depth as u32,
            lines,
            nodes: self.team.nodes(),
            elapsed: self.signals.started().elapsed(),
            hashfull: self.table.hashfull(),
        }));
    }

    /// Sleeps where an answer would come too early: pondering before the ponder hit, unlimited without a proven mate, or where
    /// the limits say that it waits.
    fn wait_for_release(&mut self) {
        (self.report)(Report::Waiting);
        let best = &self.root.lines[0];
        if self.limits.ponder {
            self.signals.wait(true);
        }
        let is_over = best.pv.is_empty() || is_mate(best.worth);
        if self.limits.waits || self.limits.is_unlimited() && !self.limits.ponder && !is_over {
            self.signals.wait(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transposition::Entry;

    #[test]
    fn replies_are_asked_of_the_table() {
        let (position, table) = (Position::start(), Table::new(1).unwrap());
        let mv = "h2e2".parse().unwrap();
        let mut after = position.clone();
        after.make(mv, &mut ());
        assert_eq!(reply(&position, mv, &table), None);
        for (text, legal) in [("h9g7", true), ("h0g2", false)] {
            let answer: Move = text.parse().unwrap();
            let entry = Entry { mv: Some(answer), score: 0, depth: 3, bound: Bound::Exact, eval: None };
            table.store(after.key(), entry);
            assert_eq!(reply(&position, mv, &table), legal.then_some(answer), "{text}");
        }
    }
}
