//! Prefaulting a new hash table: the system provides memory page by page when it is first written to. A background
//! thread writes to each page ahead of the search.

use crate::search::transposition::TranspositionTable;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// A new table and the background thread that prefaults it. Dropped, the thread stops at the end of the current part.
pub struct Prefault {
    work: Arc<Work>,
    /// `None` once it has been joined.
    thread: Option<JoinHandle<()>>,
}

struct Work {
    table: Arc<TranspositionTable>,
    /// The next part of the table.
    next: AtomicUsize,
    is_stopped: AtomicBool,
}

impl Work {
    /// Does parts until all are done or `is_cancelled` returns true; returns whether all are.
    fn run(&self, is_cancelled: &dyn Fn() -> bool) -> bool {
        while !is_cancelled() {
            if !self.table.prefault(self.next.fetch_add(1, Relaxed)) {
                return true;
            }
        }
        false
    }
}

impl Prefault {
    /// Begins to prefault `table`.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start(table: Arc<TranspositionTable>) -> io::Result<Prefault> {
        let work = Arc::new(Work { table, next: 0.into(), is_stopped: false.into() });
        let run = {
            let work = Arc::clone(&work);
            move || {
                work.run(&|| work.is_stopped.load(Relaxed));
            }
        };
        let thread = thread::Builder::new().name("prefault".into()).spawn(run)?;
        Ok(Prefault { work, thread: Some(thread) })
    }

    /// The table.
    pub fn table(&self) -> Arc<TranspositionTable> {
        Arc::clone(&self.work.table)
    }

    /// Megabytes prefaulted so far, or more than the table has when all are.
    pub fn megabytes(&self) -> usize {
        self.work.next.load(Relaxed) * (TranspositionTable::PART >> 20)
    }

    /// Prefaults the rest with all processors, until all is done or `is_cancelled` returns true; returns whether all is.
    pub fn finish(&self, is_cancelled: &(dyn Fn() -> bool + Sync)) -> bool {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let work = &self.work;
        thread::scope(|scope| {
            for _ in 1..processors {
                // Without a thread, the others do its part.
                let _ = thread::Builder::new().spawn_scoped(scope, || work.run(is_cancelled));
            }
            work.run(is_cancelled)
        })
    }
}

impl Drop for Prefault {
    fn drop(&mut self) {
        self.work.is_stopped.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and a panic would leave the table usable.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_taken_when_finished_and_the_table_is_released() {
        let table = Arc::new(TranspositionTable::new(100).unwrap());
        let parts = (0..).find(|&number| !table.prefault(number)).unwrap();
        let prefault = Prefault::start(Arc::clone(&table)).unwrap();
        let work = Arc::clone(&prefault.work);
        assert!(!prefault.finish(&|| true) || work.next.load(Relaxed) >= parts);
        assert!(prefault.finish(&|| false));
        assert!(work.next.load(Relaxed) >= parts);
        drop((work, prefault));
        assert_eq!(Arc::strong_count(&table), 1);
    }

    #[test]
    fn dropped_before_its_end_it_releases_the_table() {
        let table = Arc::new(TranspositionTable::new(100).unwrap());
        drop(Prefault::start(Arc::clone(&table)).unwrap());
        assert_eq!(Arc::strong_count(&table), 1);
    }
}
