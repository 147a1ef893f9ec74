//! How large a hash table may be on this machine.

use crate::search::transposition::TranspositionTable;
use thiserror::Error;

/// Size when the client leaves the choice to the engine, in megabytes: an eighth of the memory there is to spare, within
/// what is neither too small to play well nor so large that starting and clearing it take noticeably long.
pub fn chosen_megabytes() -> usize {
    available_megabytes().map_or(64, |available| (available / 8).clamp(16, 256))
}

/// The machine has not the memory for a hash table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {wanted} MB, keeping {kept} MB")]
pub struct HashError {
    /// Megabytes asked for.
    pub wanted: usize,
    /// Megabytes of the table that stays.
    pub kept: usize,
}

/// An empty table of `megabytes` to take the place of `old`, or `None` when the machine has not that much to spare.
pub fn allocate(megabytes: usize, old: &TranspositionTable) -> Option<TranspositionTable> {
    // Linux grants more memory than there is and kills who uses it, so the allocator's word is not enough. What the old
    // table takes will be free.
    if available_megabytes().is_some_and(|available| megabytes > available + old.megabytes()) {
        return None;
    }
    TranspositionTable::new(megabytes)
}

/// Memory that can be had without swapping, where the system tells.
fn available_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    available_in(&text)
}

/// The `MemAvailable` line of Linux's `/proc/meminfo`, in megabytes.
fn available_in(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_memory_available() {
        let text = "MemTotal:       24683520 kB\nMemFree:  1 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(available_in(text), Some(2048));
        assert_eq!(available_in("MemTotal: 5 kB"), None);
        assert_eq!(available_in("MemAvailable: lots"), None);
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        let old = TranspositionTable::new(1).unwrap();
        assert!(allocate(1 << 30, &old).is_none());
        assert!(allocate(2, &old).is_some());
    }
}
