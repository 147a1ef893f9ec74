//! Analyses many positions, on one thread each.

use crate::parallel::map_in_order;
use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::{Iteration, Report, StopReason};
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::Bound;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// The settings of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// The limits of the search of each position.
    pub limits: Limits,
    /// Number of positions analysed in parallel, at least 1.
    pub threads: usize,
    /// Size of the hash table of each thread, in megabytes.
    pub hash_megabytes: usize,
}

/// Analyses `positions` and calls `done` for each, in order, with its index and the last completed iteration; `None` if
/// there is no legal move.
///
/// # Errors
/// When there is not enough memory for the hash tables: their total size in megabytes.
pub fn analyse(
    positions: &[Position],
    settings: &AnalysisSettings,
    done: &mut dyn FnMut(usize, Option<Iteration>),
) -> Result<(), usize> {
    let threads = settings.threads.clamp(1, positions.len().max(1));
    let tables: Option<Vec<TranspositionTable>> =
        (0..threads).map(|_| TranspositionTable::new(settings.hash_megabytes)).collect();
    let tables = tables.ok_or(threads * settings.hash_megabytes)?;
    let tables = Mutex::new(tables);
    let worker = || {
        let table = tables.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let table = table.expect("invariant: there is a table for each thread");
        let mut searcher = Searcher::new();
        move |index| best_lines(&positions[index as usize], &settings.limits, &mut searcher, &table)
    };
    let mut index = 0;
    map_in_order(0..positions.len() as u64, threads, worker, &mut |found| {
        done(index, found);
        index += 1;
        ControlFlow::Continue(())
    });
    Ok(())
}

/// The last completed iteration of a search that starts with an empty hash table and empty histories. It has no lines
/// if no iteration was completed. `None` if there is no legal move.
fn best_lines(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
    table: &TranspositionTable,
) -> Option<Iteration> {
    table.clear();
    searcher.clear();
    let mut last = None;
    let signals = Signals::new();
    let outcome = searcher.search(position, limits, &signals, table, &mut |report| match report {
        Report::Iteration(iteration) if iteration.lines.iter().all(|line| line.bound == Bound::Exact) => {
            last = Some(iteration);
        }
        _ => {}
    });
    if outcome.stop_reason == StopReason::NoMove {
        return None;
    }
    let none = Iteration {
        selective_depth: 0,
        lines: Vec::new(),
        nodes: 0,
        tb_hits: 0,
        elapsed: signals.started().elapsed(),
        hashfull: 0,
    };
    last.or(Some(none)).map(|iteration| Iteration { nodes: outcome.nodes, ..iteration })
}
