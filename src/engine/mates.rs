//! `go mate`: proof-number search, for as many lines as asked for.

use super::Engine;
use crate::mate::{MAX_MOVES, MateLimits, MateSolver};
use crate::position::Position;
use crate::rules::Rules;
use crate::rules::game_status::{EndReason, GameStatus, OCCURRENCES, judge};
use crate::search::limits::Limits;
use crate::search::report::{Iteration, Line, Report, SearchResult, StopReason};
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::time_management::TimeBudget;
use crate::types::score::mate_in;
use crate::types::{Bound, Move};
use std::time::Duration;

/// Memory for proofs, in megabytes: as much as there is.
const MEGABYTES: [usize; 3] = [64, 8, 1];
/// Nodes of the search for a move where there is no mate.
const MOVE_NODES: u64 = 20_000;

impl Engine {
    /// Searches for mates in the moves of the limits, the shortest one first, then one for each other line. Each line is played
    /// under the rules before it is reported. Without a mate, a move that the search likes, and what is known of mates.
    ///
    /// `None`: there is no memory for it.
    pub(super) fn find_mates(
        &mut self,
        moves: u32,
        limits: &Limits,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> Option<SearchResult> {
        let mut solver = MEGABYTES.into_iter().find_map(MateSolver::new)?;
        let started = signals.started();
        let time = TimeBudget::of(limits).map_or(Duration::MAX, |budget| budget.hard);
        let since = || if limits.ponder { signals.ponderhit_at() } else { Some(started) };
        let is_stopped = || signals.is_stopped() || since().is_some_and(|since| since.elapsed() >= time);
        let asked =
            moves.min(limits.depth.map_or(u32::MAX, |depth| depth.div_ceil(2))).clamp(1, MAX_MOVES.into()) as u8;
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let mut left: Vec<Move> = self.position.legal_moves().iter().collect();
        if left.iter().any(|mv| !limits.banned.contains(mv)) {
            left.retain(|mv| !limits.banned.contains(mv));
        }
        let mut lines: Vec<Line> = Vec::new();
        let mut known = 0;
        while lines.len() < limits.settings.lines.max(1) && !left.is_empty() {
            let within = |solver: &MateSolver| MateLimits {
                moves: asked,
                nodes: nodes.saturating_sub(solver.nodes()),
                is_stopped: &is_stopped,
            };
            let verdict = solver.solve_among(&self.position, &left, within(&solver));
            if lines.is_empty() {
                known = verdict.no_mate;
            }
            let Some(mate) = verdict.mate else { break };
            let Some(mv) = solver.key(&self.position, &left, mate) else { break };
            let pv = solver.line(&self.position, mv, mate);
            left.retain(|&other| other != mv);
            if !is_mate_by(&self.position, &pv, &self.options.rules) {
                continue;
            }
            let plies = 2 * usize::from(mate) - 1;
            lines.push(Line { score: mate_in(plies), bound: Bound::Exact, depth: plies as u32, pv });
            report(Report::Iteration(Iteration {
                selective_depth: lines.iter().map(|line| line.depth).max().unwrap_or(0),
                lines: lines.clone(),
                nodes: solver.nodes(),
                tb_hits: 0,
                elapsed: started.elapsed(),
                hashfull: 0,
            }));
        }
        let result = match lines.first() {
            Some(line) => SearchResult {
                best: line.pv.first().copied(),
                ponder: line.pv.get(1).copied(),
                score: line.score,
                depth: line.depth,
                nodes: solver.nodes(),
                stop_reason: StopReason::Mate,
            },
            None => {
                report(Report::NoMate { moves: known.into(), asked: asked.into() });
                let settings = SearchSettings { lines: 1, threads: 1, ..limits.settings.clone() };
                let nodes = Some(MOVE_NODES);
                let limits = Limits { nodes, banned: limits.banned.clone(), settings, ..Limits::default() };
                let table = self.table.current();
                let result =
                    self.searcher.search_with_table_lines(&self.position, &limits, signals, &table, &mut |_| {});
                SearchResult { nodes: solver.nodes(), depth: 0, ..result }
            }
        };
        report(Report::Waiting);
        if limits.ponder || limits.waits {
            signals.wait(limits.ponder);
        }
        Some(result)
    }
}

/// Whether a line, played under the rules, ends in mate or stalemate, and not before.
fn is_mate_by(position: &Position, line: &[Move], rules: &Rules) -> bool {
    let mut position = position.clone();
    let Some((&last, before)) = line.split_last() else { return false };
    for &mv in before {
        position.make(mv);
        if judge(&position, rules, OCCURRENCES) != GameStatus::Ongoing {
            return false;
        }
    }
    position.make(last);
    let reasons = [EndReason::Checkmate, EndReason::Stalemate];
    matches!(judge(&position, rules, OCCURRENCES), GameStatus::Won { reason, .. } if reasons.contains(&reason))
}
