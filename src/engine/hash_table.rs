//! The hash table of the engine and its replacement by another: of another size, or empty for a new game.

use super::hash_size::{self, HashError};
use super::prefault::Prefault;
use crate::position::Position;
use crate::search::transposition::{Entry, TranspositionTable};
use std::cell::OnceCell;
use std::sync::{Arc, PoisonError, RwLock};

/// The hash table, shared by the search and `probe`.
pub type SharedTable = Arc<RwLock<Arc<TranspositionTable>>>;

/// A used table of up to this many megabytes is cleared; a larger one is replaced by a new one, which takes less time.
const MAX_CLEARED_MEGABYTES: usize = 16;

/// The hash table of the engine.
pub struct HashTable {
    shared: SharedTable,
    /// Whether the table has its size from the options; false: the placeholder of [`HashTable::new`].
    is_allocated: bool,
    /// Gets the pages of the current table.
    prefault: Option<Prefault>,
    /// Cache of [`HashTable::default_megabytes`].
    default_megabytes: OnceCell<usize>,
}

impl HashTable {
    /// A placeholder of 1 MB.
    pub fn new() -> HashTable {
        let table = TranspositionTable::new(1).expect("invariant: the machine has a megabyte");
        HashTable {
            shared: Arc::new(RwLock::new(Arc::new(table))),
            is_allocated: false,
            prefault: None,
            default_megabytes: OnceCell::new(),
        }
    }

    /// The table, for [`probe`].
    pub fn shared(&self) -> SharedTable {
        Arc::clone(&self.shared)
    }

    /// The current table. It must be dropped before the table is replaced, for its memory to be free.
    pub fn current(&self) -> Arc<TranspositionTable> {
        Arc::clone(&self.shared.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gives the table a size of `megabytes`, or the default size. A new one is empty, and its pages are got in the
    /// background.
    ///
    /// # Errors
    /// When there is not enough memory: the table keeps its size, or a placeholder gets the default size.
    pub fn resize(&mut self, megabytes: Option<usize>) -> Result<(), HashError> {
        let wanted = megabytes.unwrap_or_else(|| self.default_megabytes());
        if wanted == self.current().megabytes() {
            self.is_allocated = true;
            return Ok(());
        }
        // Pages not got yet are still counted as available.
        let used = self.prefault.as_ref().map_or(usize::MAX, Prefault::megabytes);
        if let Some(table) = hash_size::allocate(wanted, used.min(self.current().megabytes())) {
            self.replace(table);
            return Ok(());
        }
        if !self.is_allocated
            && let Some(table) = TranspositionTable::new(self.default_megabytes())
        {
            self.replace(table);
        }
        Err(HashError { wanted, kept: self.current().megabytes() })
    }

    /// Default size. Computed once: available memory varies, and each change of size would clear the table.
    pub fn default_megabytes(&self) -> usize {
        *self.default_megabytes.get_or_init(hash_size::default_megabytes)
    }

    /// Empties the table. Takes little time: a large table that has been used is replaced by a new one.
    pub fn clear(&mut self) {
        let megabytes = self.current().megabytes();
        let is_large = self.current().is_used() && megabytes > MAX_CLEARED_MEGABYTES;
        // No page of the new table is used before the old one is freed, so there is enough memory for it.
        match is_large.then(|| TranspositionTable::new(megabytes)).flatten() {
            Some(table) => self.replace(table),
            None => self.current().clear(),
        }
    }

    /// Waits until the system has provided all pages of the table.
    pub fn finish_prefault(&mut self) {
        if let Some(prefault) = self.prefault.take() {
            prefault.finish();
        }
    }

    fn replace(&mut self, table: TranspositionTable) {
        // Both own the old table, which is freed here.
        self.prefault = None;
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(table);
        self.prefault = Some(Prefault::start(self.current()));
        self.is_allocated = true;
    }
}

impl Default for HashTable {
    fn default() -> Self {
        Self::new()
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
    use crate::types::Bound;

    fn store(table: &HashTable) {
        table.current().store(7, Entry { mv: None, score: 3, depth: 4, bound: Bound::Exact, eval: None });
    }

    #[test]
    fn only_a_used_table_is_replaced_to_clear_it() {
        for megabytes in [MAX_CLEARED_MEGABYTES, MAX_CLEARED_MEGABYTES + 1] {
            let mut table = HashTable::new();
            table.resize(Some(megabytes)).unwrap();
            let first = Arc::downgrade(&table.current());
            table.clear();
            assert!(first.upgrade().is_some(), "unused");
            store(&table);
            table.clear();
            assert_eq!(first.upgrade().is_some(), megabytes <= MAX_CLEARED_MEGABYTES, "{megabytes}");
            assert_eq!((table.current().probe(7), table.current().megabytes()), (None, megabytes));
        }
    }

    #[test]
    fn replaced_table_is_freed() {
        let mut table = HashTable::new();
        table.resize(Some(50)).unwrap();
        let first = Arc::downgrade(&table.current());
        table.resize(Some(60)).unwrap();
        assert!(first.upgrade().is_none());
        table.finish_prefault();
        assert!(table.prefault.is_none());
    }
}
