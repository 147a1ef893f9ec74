//! Prefaulting a new hash table: the system provides memory page by page when it is first written to. A background
//! thread writes to each page ahead of the search.

use crate::search::transposition::TranspositionTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A new table and the background thread that prefaults it. Dropped, the thread stops at the end of the current part.
pub struct Prefault {
    work: Arc<Work>,
    /// `None` if the system could not start one.
    thread: Option<JoinHandle<()>>,
    /// Closed when the thread ends.
    running: Receiver<()>,
}

struct Work {
    table: Arc<TranspositionTable>,
    /// The next part of the table.
    next: AtomicUsize,
    is_stopped: AtomicBool,
}

impl Work {
    fn run(&self) {
        while !self.is_stopped.load(Relaxed) {
            if !self.table.prefault(self.next.fetch_add(1, Relaxed)) {
                return;
            }
        }
    }
}

impl Prefault {
    /// Begins to prefault `table`.
    pub fn start(table: Arc<TranspositionTable>) -> Prefault {
        let work = Arc::new(Work { table, next: 0.into(), is_stopped: false.into() });
        let (ends, running) = mpsc::channel();
        let run = {
            let work = Arc::clone(&work);
            move || {
                work.run();
                drop::<Sender<()>>(ends);
            }
        };
        Prefault { work, thread: thread::Builder::new().name("prefault".into()).spawn(run).ok(), running }
    }

    /// The table.
    pub fn table(&self) -> Arc<TranspositionTable> {
        Arc::clone(&self.work.table)
    }

    /// Megabytes prefaulted so far, or more than the table has when all are.
    pub fn megabytes(&self) -> usize {
        self.work.next.load(Relaxed) * (TranspositionTable::PART >> 20)
    }

    /// Waits for at most `patience`; returns whether the table is prefaulted.
    pub fn wait(&self, patience: Duration) -> bool {
        // Without a thread it is never done until it is finished.
        self.thread.is_some() && self.running.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected)
    }

    /// Prefaults the rest with all processors, and waits until all is done.
    pub fn finish(&self) {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let work = &self.work;
        thread::scope(|scope| {
            for _ in 1..processors {
                // Without a thread, the others do its part.
                let _ = thread::Builder::new().spawn_scoped(scope, || work.run());
            }
            work.run();
        });
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
        let prefault = Prefault::start(Arc::clone(&table));
        let work = Arc::clone(&prefault.work);
        prefault.finish();
        assert!(work.next.load(Relaxed) >= parts);
        assert!(prefault.wait(Duration::MAX));
        drop((work, prefault));
        assert_eq!(Arc::strong_count(&table), 1);
    }

    #[test]
    fn dropped_before_its_end_it_releases_the_table() {
        let table = Arc::new(TranspositionTable::new(100).unwrap());
        drop(Prefault::start(Arc::clone(&table)));
        assert_eq!(Arc::strong_count(&table), 1);
    }
}
