//! The hash table of the engine, and its replacement by another: of another size, or empty for a new game.

use super::allocation_error::HashError;
use crate::engine::memory::available_megabytes;
use crate::position::Position;
use crate::search::transposition::{Entry, TranspositionTable};
use std::cell::OnceCell;
use std::sync::{Arc, PoisonError, RwLock};

/// The hash table, shared by the search and `probe`.
pub type SharedTable = Arc<RwLock<Arc<TranspositionTable>>>;

/// Megabytes of the table provided at once while something else may have to be done: a huge page. It takes half a
/// millisecond, ten where the host of a virtual machine has to find the memory first.
const STEP: usize = 2;

/// The hash table of the engine.
pub(crate) struct HashTable {
    /// The table in use.
    shared: SharedTable,
    /// Whether the table has its size from the options; false: the placeholder of [`HashTable::new`].
    is_allocated: bool,
    /// Megabytes of the table that the system has provided.
    provided: usize,
    /// Cache of [`HashTable::default_megabytes`].
    default_megabytes: OnceCell<usize>,
}

impl HashTable {
    /// A placeholder of 1 MB.
    pub(crate) fn new() -> HashTable {
        let table = TranspositionTable::new(1).expect("invariant: the machine has a megabyte");
        HashTable {
            shared: Arc::new(RwLock::new(Arc::new(table))),
            is_allocated: false,
            provided: 1,
            default_megabytes: OnceCell::new(),
        }
    }

    /// The table in use, for [`probe`].
    pub(crate) fn shared(&self) -> SharedTable {
        Arc::clone(&self.shared)
    }

    /// The table in use. It must be dropped before the table is replaced, for its memory to be free.
    pub(crate) fn current(&self) -> Arc<TranspositionTable> {
        Arc::clone(&self.shared.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Size in megabytes.
    pub(crate) fn megabytes(&self) -> usize {
        self.current().megabytes()
    }

    /// Default size in megabytes (`hashsize 0`): an eighth of the available memory, at least 16 and at most 256, so that
    /// several engines can run on one machine. Computed once: available memory varies, and each change of size would
    /// clear the table.
    pub(crate) fn default_megabytes(&self) -> usize {
        *self
            .default_megabytes
            .get_or_init(|| available_megabytes().map_or(64, |available| (available / 8).clamp(16, 256)))
    }

    /// Gives the table a size of `megabytes`, or the default size. A new one is empty; the system provides its pages when
    /// they are first written to, or by [`HashTable::provide`] and [`HashTable::provide_all`].
    ///
    /// # Errors
    /// When there is not enough memory: the table keeps its size, or a placeholder gets the default size.
    pub(crate) fn resize(&mut self, megabytes: Option<usize>) -> Result<(), HashError> {
        let wanted = megabytes.unwrap_or_else(|| self.default_megabytes());
        if wanted == self.megabytes() {
            self.is_allocated = true;
            return Ok(());
        }
        if let Some(table) = self.allocate(wanted) {
            self.replace(table);
            return Ok(());
        }
        if !self.is_allocated
            && let Some(table) = TranspositionTable::new(self.default_megabytes())
        {
            self.replace(table);
        }
        let kept = self.megabytes();
        if kept == wanted { Ok(()) } else { Err(HashError { wanted, kept }) }
    }

    /// An empty table to replace the present one, or `None` if there is not enough memory.
    fn allocate(&self, megabytes: usize) -> Option<TranspositionTable> {
        // Linux overcommits: the allocation succeeds, and the process is killed when it uses the memory. So check first.
        // The memory that the old table uses will be freed.
        if available_megabytes().is_some_and(|available| megabytes > available + self.provided) {
            return None;
        }
        TranspositionTable::new(megabytes)
    }

    /// Empties the table.
    pub(crate) fn clear(&self) {
        self.current().clear();
    }

    /// Waits for the pages of the table, so that the search need not: a tenth of a second for a gigabyte.
    pub(crate) fn provide_all(&mut self) {
        let table = self.current();
        table.prefault(self.provided..table.megabytes());
        self.provided = table.megabytes();
        table.use_only(self.provided);
    }

    /// Provides pages, at least one, while `has_time`, for a search that uses no others: waiting for a page at each of its
    /// first nodes, it would get nowhere. What has been used stays in use.
    pub(crate) fn provide(&mut self, has_time: &dyn Fn() -> bool) {
        let table = self.current();
        while self.provided < table.megabytes() && (self.provided == 0 || has_time()) {
            let end = table.megabytes().min(self.provided + STEP);
            table.prefault(self.provided..end);
            self.provided = end;
        }
        // Entries are moved a few times, not before each search.
        let in_use = if table.is_used() { table.megabytes_in_use() } else { 0 };
        if self.provided >= 2 * in_use || self.provided == table.megabytes() {
            table.use_only(self.provided);
        }
    }

    /// Uses all of the table, of which the system provides the pages when they are first written to.
    pub(crate) fn use_all(&self) {
        let table = self.current();
        table.use_only(table.megabytes());
    }

    fn replace(&mut self, table: TranspositionTable) {
        (self.is_allocated, self.provided) = (true, 0);
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *shared, Arc::new(table));
        drop(shared);
        // Freeing gigabytes takes time, in which `probe` need not wait.
        drop(old);
    }
}

/// The hash table entry of `position`, without its move if that is illegal.
pub fn probe(table: &SharedTable, position: &Position) -> Option<Entry> {
    // Entries are validated by their keys, so a panic of a writer leaves the table usable.
    let mut entry = table.read().unwrap_or_else(PoisonError::into_inner).probe(position.key())?;
    entry.mv = entry.mv.filter(|&mv| position.is_legal(mv));
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_larger_than_the_memory_are_refused() {
        let mut table = HashTable::new();
        assert_eq!(table.resize(Some(2)), Ok(()));
        assert_eq!(table.resize(Some(1 << 30)), Err(HashError { wanted: 1 << 30, kept: 2 }));
    }

    #[test]
    fn search_without_time_uses_the_first_page_and_later_ones_more() {
        let mut table = HashTable::new();
        table.resize(Some(64)).unwrap();
        let mut provide = |steps: usize| {
            let left = std::cell::Cell::new(steps);
            table.provide(&|| left.replace(left.get().saturating_sub(1)) > 0);
            table.current().megabytes_in_use()
        };
        assert_eq!(provide(0), STEP);
        assert_eq!(provide(3), 4 * STEP);
        assert_eq!(provide(usize::MAX), 64);
        table.resize(Some(32)).unwrap();
        table.use_all();
        assert_eq!(
            table.current().megabytes_in_use(),
            32,
            "a search that has time waits for pages where it needs them"
        );
    }

    #[test]
    fn replaced_table_is_freed() {
        let mut table = HashTable::new();
        table.resize(Some(50)).unwrap();
        table.provide_all();
        let first = Arc::downgrade(&table.current());
        table.resize(Some(60)).unwrap();
        assert!(first.upgrade().is_none());
    }
}
