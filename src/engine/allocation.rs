//! Memory for the hash table and the search threads, and everything else that is slow before the first search: `isready`
//! waits for it; without `isready`, it is had in idle time, and of what is then left a search with a time takes what it
//! can have in a part of that.

use super::Engine;
use super::allocation_error::{AllocationError, ThreadsError};
use crate::engine::memory::{address_space_megabytes, available_megabytes};
use crate::search::Searcher;

/// Memory of a search thread and its stack, in megabytes.
const THREAD_MEGABYTES: usize = 8;
/// Address space of a search thread, in megabytes: its memory, and what an allocator reserves for a thread (an arena of
/// glibc's malloc takes 64).
const THREAD_ADDRESS_MEGABYTES: usize = 72;

impl Engine {
    /// Number of search threads.
    pub(super) fn threads(&self) -> usize {
        let machine = || std::thread::available_parallelism().map_or(1, |threads| threads.get());
        self.options.threads.unwrap_or_else(machine)
    }

    /// Gives each thread its memory.
    ///
    /// # Errors
    /// When there is not enough; the option is set to the number of threads that have it.
    pub(super) fn allocate_threads(&mut self) -> Result<(), AllocationError> {
        let (wanted, had) = (self.threads(), self.searcher.threads());
        // The memory that is available is asked for only when more is needed, not before every search.
        let mut possible = wanted;
        if wanted > had {
            let limits = [
                available_megabytes().map(|megabytes| megabytes / THREAD_MEGABYTES),
                address_space_megabytes().map(|megabytes| megabytes / THREAD_ADDRESS_MEGABYTES),
            ];
            let more = limits.into_iter().flatten().min();
            possible = more.map_or(wanted, |more| wanted.min((had + more).max(1)));
        }
        self.searcher.prepare(possible);
        self.use_threads(possible)?;
        Ok(())
    }

    /// Sets the option to `possible` if it is greater.
    ///
    /// # Errors
    /// When it is.
    fn use_threads(&mut self, possible: usize) -> Result<(), ThreadsError> {
        let wanted = self.threads();
        if wanted <= possible {
            return Ok(());
        }
        self.options.threads = Some(possible);
        Err(ThreadsError { wanted, kept: possible })
    }

    /// Gives the hash table the size of the options, and each thread its memory.
    ///
    /// # Errors
    /// When there is not enough memory: the table keeps its size, or the placeholder gets the default size, and the
    /// options are set to what is used.
    pub fn allocate(&mut self) -> Result<(), AllocationError> {
        let threads = self.allocate_threads();
        self.tables();
        self.network();
        let resized = self.table.resize(self.options.hash_megabytes);
        if let Err(error) = &resized {
            self.options.hash_megabytes = Some(error.kept);
        }
        match (threads, resized) {
            (Err(AllocationError::Threads(threads)), Err(hash)) => Err(AllocationError::Both(threads, hash)),
            (threads, resized) => threads.and(resized.map_err(AllocationError::Hash)),
        }
    }

    /// Gets, while `is_idle`, what the next search would have to wait for.
    pub fn use_idle_time(&mut self, is_idle: &dyn Fn() -> bool) {
        if is_idle() {
            self.network();
        }
        self.table.provide(is_idle);
    }

    /// As [`Engine::allocate`], and waits for the pages of the table, and starts the threads once: everything slow before
    /// the first search.
    ///
    /// # Errors
    /// As [`Engine::allocate`], and when the system does not start so many threads.
    pub fn prepare(&mut self) -> Result<(), AllocationError> {
        let allocated = self.allocate();
        self.table.provide_all();
        let startable = Searcher::startable(self.threads());
        allocated.and(self.use_threads(startable).map_err(AllocationError::Threads))
    }
}
