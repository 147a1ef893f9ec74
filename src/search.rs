//! Finding the move (L4).
//!
//! | module | what it owns |
//! |---|---|
//! | [`limits`] | what bounds a search: depth, nodes, clock, banned moves |
//! | [`signals`] | what reaches a search from outside while it runs |
//! | [`report`] | what a search says while it runs and when it ends |
//! | [`transposition`] | the table of positions already searched |

pub mod limits;
pub mod report;
pub mod signals;
pub mod transposition;

use crate::position::Position;
use limits::Limits;
use report::{Outcome, Report};
use signals::Signals;
use transposition::Table;

/// A searcher with what it remembers from one move to the next besides the table.
pub struct Searcher {}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new() -> Searcher {
        Searcher {}
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {}

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
        // A stand-in that keeps the interface's promises about when to answer, and knows nothing of chess.
        let legal = position.legal_moves();
        let allowed = legal.iter().find(|mv| !limits.banned.contains(mv));
        let Some(best) = allowed.or(legal.get(0)) else {
            return Outcome { best: None, ponder: None, score: 0, depth: 0, nodes: 0 };
        };
        if limits.ponder {
            signals.wait(true);
        }
        table.next_search();
        let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.clock.is_some();
        let last = limits.depth.unwrap_or(8);
        let mut nodes = 0;
        for depth in 1..=last {
            nodes += 1000;
            let entry = transposition::Entry {
                mv: Some(best),
                score: 40,
                eval: 0,
                depth: depth as u8,
                bound: report::Bound::Exact,
            };
            table.store(position.key(), entry);
            report(Report::Iteration(report::Iteration {
                depth,
                selective_depth: depth,
                score: 40,
                bound: report::Bound::Exact,
                pv: vec![best],
                nodes,
                elapsed: signals.started().elapsed(),
                hashfull: 0,
            }));
            if signals.is_stopped() {
                break;
            }
        }
        if !bounded {
            signals.wait(false);
        }
        Outcome { best: Some(best), ponder: None, score: 40, depth: last, nodes }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}
