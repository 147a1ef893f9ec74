//! Size of the hash table.

use super::memory::available_megabytes;
use crate::search::transposition::TranspositionTable;
use thiserror::Error;

/// Default size in megabytes (`hashsize 0`): an eighth of the available memory, at least 16 and at most 256, so that
/// several engines can run on one machine.
pub fn default_megabytes() -> usize {
    available_megabytes().map_or(64, |available| (available / 8).clamp(16, 256))
}

/// Not enough memory for a hash table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {wanted} MB, keeping {kept} MB")]
pub struct HashError {
    /// Megabytes requested.
    pub wanted: usize,
    /// Megabytes of the current table, which is kept.
    pub kept: usize,
}

/// An empty table of `megabytes` to replace one of `old` megabytes, or `None` if there is not enough memory.
pub fn allocate(megabytes: usize, old: usize) -> Option<TranspositionTable> {
    // Linux overcommits: the allocation succeeds, and the process is killed when it uses the memory. So check first.
    // The memory of the old table will be freed.
    if available_megabytes().is_some_and(|available| megabytes > available + old) {
        return None;
    }
    TranspositionTable::new(megabytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_larger_than_the_memory_are_refused() {
        assert!(allocate(1 << 30, 1).is_none());
        assert!(allocate(2, 1).is_some());
    }
}
