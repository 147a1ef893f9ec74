//! The blocks of endgame tables read last, decompressed, shared by the threads of a search.

use std::sync::{PoisonError, RwLock};

/// Number of blocks kept, of 4,096 bytes: 16 MB, taken as they are needed. A block has one place.
const SLOTS: usize = 4096;

/// The blocks read last.
pub struct BlockCache {
    slots: Box<[RwLock<Slot>]>,
}

#[derive(Default)]
struct Slot {
    /// The numbers of the table and of its block in `bytes`; `None`: there is none.
    key: Option<(usize, usize)>,
    bytes: Vec<u8>,
}

impl Default for BlockCache {
    fn default() -> BlockCache {
        BlockCache { slots: (0..SLOTS).map(|_| RwLock::default()).collect() }
    }
}

impl BlockCache {
    /// A byte of the block with number `block` of the table with number `table`. A block that is not there is read by
    /// `read`; `None` if that fails, or the block is shorter.
    pub fn byte(
        &self,
        (table, block): (usize, usize),
        offset: usize,
        read: impl FnOnce(&mut Vec<u8>) -> Option<()>,
    ) -> Option<u8> {
        // An odd factor, so that the first blocks of the tables, which are the same for all, have different places.
        let place = table.wrapping_mul(0x9E37_79B9).wrapping_add(block) % SLOTS;
        let known = self.slots[place].read().unwrap_or_else(PoisonError::into_inner);
        if known.key == Some((table, block)) {
            return known.bytes.get(offset).copied();
        }
        drop(known);
        let mut slot = self.slots[place].write().unwrap_or_else(PoisonError::into_inner);
        if slot.key != Some((table, block)) {
            slot.key = None;
            read(&mut slot.bytes)?;
            slot.key = Some((table, block));
        }
        slot.bytes.get(offset).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_when_they_are_not_there() {
        let cache = BlockCache::default();
        let get = |key, value: Option<u8>| {
            cache.byte(key, 1, |bytes| {
                *bytes = vec![0, value?];
                Some(())
            })
        };
        assert_eq!(get((0, 7), Some(1)), Some(1));
        assert_eq!(get((0, 7), None), Some(1), "it is there");
        assert_eq!(get((1, 7), Some(2)), Some(2), "another table");
        // Blocks of the same place: a read that fails leaves none.
        assert_eq!(get((0, 7 + SLOTS), None), None);
        assert_eq!(get((0, 7), None), None);
        assert_eq!(get((0, 7), Some(3)), Some(3));
        assert_eq!(cache.byte((0, 7), 2, |_| None), None, "beyond the block");
    }
}
