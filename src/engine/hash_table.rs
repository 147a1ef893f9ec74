//! The hash table of the engine and its replacement by another: of another size, or empty for a new game.

use super::hash_size::{self, HashError};
use super::prefault::Prefault;
use crate::position::Position;
use crate::search::transposition::{Entry, TranspositionTable};
use std::cell::OnceCell;
use std::sync::{Arc, PoisonError, RwLock};

/// The hash table, shared by the search and `probe`.
pub type SharedTable = Arc<RwLock<Arc<TranspositionTable>>>;

/// A table of up to this many megabytes is cleared when it has been used; a larger one is replaced by a new one, which
/// takes less time. It is also the size of the table that stands in for a larger one which is not ready.
const SMALL_MEGABYTES: usize = 16;

/// The hash table of the engine.
///
/// A large new table costs a page fault for each of its pages, which would slow the first search down: with huge pages,
/// nearly every store of the first hundred milliseconds waits for the system to clear two megabytes. So the table is
/// prefaulted in the background, and until that is done a small one is used in its place.
pub struct HashTable {
    /// The table in use.
    shared: SharedTable,
    /// Whether the table has its size from the options; false: the placeholder of [`HashTable::new`].
    is_allocated: bool,
    /// The large table that is not ready; then `shared` stands in for it.
    coming: Option<Prefault>,
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
            coming: None,
            default_megabytes: OnceCell::new(),
        }
    }

    /// The table in use, for [`probe`].
    pub fn shared(&self) -> SharedTable {
        Arc::clone(&self.shared)
    }

    /// The table in use. It must be dropped before the table is replaced, for its memory to be free.
    pub fn current(&self) -> Arc<TranspositionTable> {
        Arc::clone(&self.shared.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Size in megabytes; of a table that is not ready, the size it will have.
    pub fn megabytes(&self) -> usize {
        self.coming.as_ref().map_or_else(|| self.current().megabytes(), |coming| coming.table().megabytes())
    }

    /// Gives the table a size of `megabytes`, or the default size. A new one is empty, and prefaulted in the background.
    ///
    /// # Errors
    /// When there is not enough memory: the table keeps its size, or a placeholder gets the default size.
    pub fn resize(&mut self, megabytes: Option<usize>) -> Result<(), HashError> {
        let wanted = megabytes.unwrap_or_else(|| self.default_megabytes());
        let kept = self.megabytes();
        if wanted == kept {
            self.is_allocated = true;
            return Ok(());
        }
        // Pages not got yet are still counted as available.
        let used = self.coming.as_ref().map_or(usize::MAX, Prefault::megabytes);
        if let Some(table) = hash_size::allocate(wanted, used.min(kept)) {
            self.replace(table);
            return Ok(());
        }
        if !self.is_allocated
            && let Some(table) = TranspositionTable::new(self.default_megabytes())
        {
            self.replace(table);
        }
        if self.megabytes() == wanted {
            return Ok(());
        }
        Err(HashError { wanted, kept: self.megabytes() })
    }

    /// Default size. Computed once: available memory varies, and each change of size would clear the table.
    pub fn default_megabytes(&self) -> usize {
        *self.default_megabytes.get_or_init(hash_size::default_megabytes)
    }

    /// Empties the table. Takes little time: a large table that has been used is replaced by a new one.
    pub fn clear(&mut self) {
        let current = self.current();
        let megabytes = current.megabytes();
        if !current.is_used() || megabytes <= SMALL_MEGABYTES {
            return current.clear();
        }
        drop(current);
        // No page of the new table is used before the old one is freed, so there is enough memory for it.
        match TranspositionTable::new(megabytes) {
            Some(table) => self.replace(table),
            None => self.current().clear(),
        }
    }

    /// Prefaults the rest of the table with all processors, until `is_cancelled` returns true. Then a table that is not
    /// ready is replaced by its stand-in for one more search.
    pub fn wait(&mut self, is_cancelled: &(dyn Fn() -> bool + Sync)) {
        let Some(coming) = &self.coming else { return };
        if coming.finish(is_cancelled) {
            let table = coming.table();
            self.coming = None;
            self.share(table);
        }
    }

    fn replace(&mut self, table: TranspositionTable) {
        // The old table is freed before the new one is written to.
        self.coming = None;
        self.is_allocated = true;
        let table = Arc::new(table);
        let stand_in =
            (table.megabytes() > SMALL_MEGABYTES).then(|| TranspositionTable::new(SMALL_MEGABYTES)).flatten();
        let Some(stand_in) = stand_in else { return self.share(table) };
        self.share(Arc::new(stand_in));
        match Prefault::start(Arc::clone(&table)) {
            Ok(coming) => self.coming = Some(coming),
            // Without a thread the search itself gets the pages.
            Err(_) => self.share(table),
        }
    }

    fn share(&mut self, table: Arc<TranspositionTable>) {
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *shared, table);
        drop(shared);
        // Freeing gigabytes takes time, in which `probe` need not wait.
        drop(old);
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
        table
            .current()
            .store(7, Entry { mv: None, score: 3, depth: 4, bound: Bound::Exact, eval: None, was_pv: false });
    }

    #[test]
    fn only_a_used_table_is_replaced_to_clear_it() {
        for megabytes in [SMALL_MEGABYTES, SMALL_MEGABYTES + 1] {
            let mut table = HashTable::new();
            table.resize(Some(megabytes)).unwrap();
            table.wait(&|| false);
            let first = Arc::downgrade(&table.current());
            table.clear();
            assert!(first.upgrade().is_some(), "unused");
            store(&table);
            table.clear();
            table.wait(&|| false);
            assert_eq!(first.upgrade().is_some(), megabytes <= SMALL_MEGABYTES, "{megabytes}");
            assert_eq!((table.current().probe(7), table.current().megabytes()), (None, megabytes));
        }
    }

    #[test]
    fn small_table_stands_in_for_a_large_one_that_is_not_ready() {
        let mut table = HashTable::new();
        table.resize(Some(1_000)).unwrap();
        assert_eq!((table.megabytes(), table.current().megabytes()), (1_000, SMALL_MEGABYTES));
        store(&table);
        table.clear();
        assert_eq!((table.megabytes(), table.current().probe(7)), (1_000, None));
        table.resize(Some(1_000)).unwrap();
        table.wait(&|| false);
        assert_eq!(table.current().megabytes(), 1_000);
        assert!(table.coming.is_none());
    }

    #[test]
    fn cancelled_waiting_keeps_the_stand_in() {
        let mut table = HashTable::new();
        table.resize(Some(1_000)).unwrap();
        table.wait(&|| true);
        assert_eq!(table.current().megabytes(), SMALL_MEGABYTES);
    }

    #[test]
    fn replaced_table_is_freed() {
        let mut table = HashTable::new();
        table.resize(Some(50)).unwrap();
        table.wait(&|| false);
        let first = Arc::downgrade(&table.current());
        table.resize(Some(60)).unwrap();
        assert!(first.upgrade().is_none());
    }
}
