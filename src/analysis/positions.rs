//! Analyses many positions, on one thread each.

use crate::parallel::map_in_order;
use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::{Iteration, Line, Report, StopReason};
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::Bound;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Mutex, PoisonError};

/// The settings of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisSettings {
    /// The limits of the search of each position.
    pub limits: Limits,
    /// Number of positions analysed in parallel, at least 1.
    pub threads: usize,
    /// Size of the hash table of each thread, in kilobytes.
    pub hash_kilobytes: usize,
}

/// Plies that a search limited by depth alone gets where others get more nodes.
const MORE_DEPTH: u32 = 4;

impl AnalysisSettings {
    /// The same with `factor` times the nodes and the time; some plies more, where the limit is a depth.
    pub(crate) fn longer(&self, factor: u32) -> AnalysisSettings {
        let mut settings = self.clone();
        let limits = &mut settings.limits;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor)));
        limits.move_time = limits.move_time.map(|time| time.saturating_mul(factor));
        limits.depth = limits.depth.map(|depth| depth + MORE_DEPTH);
        settings
    }
}

/// Smallest and greatest size of a hash table chosen by [`hash_kilobytes`].
const CHOSEN_KILOBYTES: RangeInclusive<u64> = 64..=64 << 10;
/// Bytes of the hash table for each node of a search: room for four entries.
const BYTES_FOR_A_NODE: u64 = 64;

/// The size of a hash table, in kilobytes, for searches of at most this many nodes: room for all of them, within limits.
/// The table is cleared before each search, which would take longer than a short search if it were large.
pub(crate) fn hash_kilobytes(nodes: Option<u64>) -> usize {
    let (least, most) = (*CHOSEN_KILOBYTES.start(), *CHOSEN_KILOBYTES.end());
    let wanted = nodes.map_or(most, |nodes| nodes.saturating_mul(BYTES_FOR_A_NODE) >> 10);
    wanted.clamp(least, most).next_power_of_two() as usize
}

/// Calls `answer` for each task, on one of the threads of `settings`, with a function that finds the best lines of a
/// position: the last ones reported, or `None` if there is no legal move. Calls `done` with the answers in the
/// order of the tasks, until it breaks. Tasks are taken as they are needed. Each search starts with
/// an empty hash table and empty histories: without a limit of time, the answers do not depend on the number of threads.
///
/// # Errors
/// When there is not enough memory for the hash tables: their total size in megabytes.
pub(crate) fn analyse<T: Send + 'static, R: Send + 'static>(
    tasks: impl IntoIterator<Item = T, IntoIter: Send + 'static>,
    settings: &AnalysisSettings,
    answer: impl Fn(T, &mut dyn FnMut(&Position) -> Option<Iteration>) -> R + Sync,
    done: &mut dyn FnMut(R) -> ControlFlow<()>,
) -> Result<(), usize> {
    let AnalysisSettings { limits, threads, hash_kilobytes } = settings;
    let tables: Option<Vec<TranspositionTable>> =
        (0..*threads).map(|_| TranspositionTable::of_kilobytes(*hash_kilobytes)).collect();
    let tables = Mutex::new(tables.ok_or((threads * hash_kilobytes) >> 10)?);
    let worker = || {
        let table = tables.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let table = table.expect("invariant: there is a table for each thread");
        let (mut searcher, answer) = (Searcher::new(), &answer);
        move |task| answer(task, &mut |position| best_lines(position, limits, &mut searcher, &table, &mut |_| {}))
    };
    map_in_order(tasks, *threads, worker, done);
    Ok(())
}

/// The last lines of a search that starts with an empty hash table and empty histories; without lines if no iteration was
/// completed. `None` if there is no legal move. `seen` gets every iteration with all its lines.
pub(super) fn best_lines(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
    table: &TranspositionTable,
    seen: &mut dyn FnMut(&Iteration),
) -> Option<Iteration> {
    table.clear();
    searcher.clear();
    let mut last = None;
    let signals = Signals::new();
    // A line of depth 0 has the static evaluation only.
    let is_found = |line: &Line| line.bound == Bound::Exact && line.depth > 0;
    let outcome = searcher.search_with_table_lines(position, limits, &signals, table, &mut |report| match report {
        Report::Iteration(iteration) if iteration.lines.iter().all(is_found) => {
            seen(&iteration);
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
