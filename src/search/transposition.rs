//! Transposition table (TT).
//!
//! Buckets of four 16-byte slots, one bucket to a cache line. A slot has two atomic words, `key ^ data` and `data`
//! (lockless hashing: R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel search", ICGA
//! Journal 25, 2002). A slot torn by two writers does not match its key, so threads share the table without locks.

use crate::types::Bound;
use crate::types::score::{DECIDED_BOUND, Score};
use crate::types::{MAX_PLY, Move};
use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move or refutation.
    pub mv: Option<Move>,
    /// Score in engine units; mate scores relative to this position, see [`to_table`].
    pub score: Score,
    /// Depth searched, in plies; 0 for quiescence.
    pub depth: u8,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
    /// Raw static evaluation, without damping towards the move limit and correction history; `None` in check.
    pub eval: Option<Score>,
    /// ttPv: whether the position has been in the principal variation (PV).
    pub was_pv: bool,
}

impl Entry {
    /// TT cutoff: the score, `ply` plies from the root, if it is exact or its bound lies outside the window.
    pub fn cutoff(&self, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        let score = from_table(self.score, ply);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some(score)
    }

    /// The static evaluation `eval`, replaced by the score where the bound makes that a better estimate.
    pub fn adjusted_eval(&self, eval: Score, ply: usize) -> Score {
        let score = from_table(self.score, ply);
        match self.bound {
            Bound::Exact => score,
            Bound::Lower => score.max(eval),
            Bound::Upper => score.min(eval),
        }
    }
}

/// Slots per bucket; they fill a cache line.
const SLOTS: usize = 4;
/// Bytes per cache line and bucket.
const LINE: usize = 64;
/// When clearing or prefaulting the table, each thread has at least this much, in megabytes.
const MEGABYTES_FOR_A_THREAD: usize = 32;
/// Bytes of the smallest page of the systems ChuHe runs on.
const SMALL_PAGE: usize = 4 << 10;
/// Number of ages (generations). The age increases with each search and wraps around.
const AGES: u8 = 32;

#[derive(bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The transposition table (TT), shared by all threads of a search.
pub struct TranspositionTable {
    /// One bucket more than needed, to align the first one: the allocator gives zeroed memory without writing to it
    /// only if it may choose the alignment.
    slots: Box<[Slot]>,
    /// Index of the first slot aligned to a cache line.
    first: usize,
    /// Number of buckets.
    buckets: usize,
    /// Number of buckets in use, the first ones: all, unless [`Self::use_only`] said otherwise.
    used_buckets: AtomicUsize,
    age: AtomicU8,
    /// Whether an entry has been stored since the table was allocated or cleared.
    is_used: AtomicBool,
}

/// Lowest bit of the age in a data word.
const AGE_SHIFT: u32 = 59;
/// Stored for an entry without static evaluation.
const NO_EVAL: i16 = i16::MIN;

/// Data word, bits from the lowest: move 16, score 16, static evaluation 16, depth 8, bound 2, former PV node 1, age 5.
fn pack(entry: &Entry, age: u8) -> u64 {
    entry.mv.map_or(0, |mv| mv.bits() as u64)
        | (entry.score as i16 as u16 as u64) << 16
        | (entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16 as u64) << 32
        | (entry.depth as u64) << 48
        | (entry.bound as u64) << 56
        | (entry.was_pv as u64) << 58
        | (age as u64) << AGE_SHIFT
}

/// Age (generation) in a data word.
fn age_of(data: u64) -> u8 {
    (data >> AGE_SHIFT) as u8
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (data >> 32) as u16 as i16;
    Some(Entry {
        mv: Move::from_bits(data as u16),
        score: (data >> 16) as u16 as i16 as Score,
        depth: (data >> 48) as u8,
        bound,
        eval: (eval != NO_EVAL).then_some(Score::from(eval)),
        was_pv: data >> 58 & 1 == 1,
    })
}

impl TranspositionTable {
    /// An empty table of `megabytes` (at least 1), in huge pages where the system has them; `None` if there is not
    /// enough memory. The system provides the pages when they are first written to, see [`Self::prefault`].
    pub fn new(megabytes: usize) -> Option<TranspositionTable> {
        TranspositionTable::of_kilobytes(megabytes.max(1).checked_mul(1 << 10)?)
    }

    /// As [`Self::new`], of `kilobytes` (at least 1): short searches that each begin with an empty table spend less time
    /// on clearing a small one.
    pub fn of_kilobytes(kilobytes: usize) -> Option<TranspositionTable> {
        let buckets = kilobytes.max(1).checked_mul(1 << 10)? / LINE;
        // Large blocks come from the system, already zero, so nothing is written here.
        let slots = bytemuck::allocation::try_zeroed_slice_box::<Slot>((buckets + 1).checked_mul(SLOTS)?).ok()?;
        let past_line = slots.as_ptr() as usize % LINE;
        let first = (LINE - past_line) % LINE / size_of::<Slot>();
        #[cfg(target_os = "linux")]
        ask_for_large_pages(&slots);
        let used_buckets = buckets.into();
        Some(TranspositionTable { slots, first, buckets, used_buckets, age: 0.into(), is_used: false.into() })
    }

    /// Size in megabytes.
    pub fn megabytes(&self) -> usize {
        (self.buckets * LINE) >> 20
    }

    /// Size of the part in use, in megabytes.
    pub fn megabytes_in_use(&self) -> usize {
        (self.used_buckets.load(Relaxed) * LINE) >> 20
    }

    /// Uses only the first `megabytes` of the table (at least 1) until it is told to use more; then the entries move to
    /// their new places. An empty table may use less again. Not during a search.
    pub fn use_only(&self, megabytes: usize) {
        let buckets = self.buckets.min((megabytes.max(1) << 20) / LINE);
        let before = self.used_buckets.swap(buckets, Relaxed);
        if before < buckets && self.is_used() {
            // The last ones first: each bucket's entries go to it or to later ones.
            for bucket in self.slots[self.first..][..before * SLOTS].rchunks_exact(SLOTS) {
                for (check, data) in std::array::from_fn::<_, SLOTS, _>(|slot| bucket[slot].take()) {
                    unpack(data).into_iter().for_each(|entry| self.store(check ^ data, entry));
                }
            }
        }
    }

    /// Whether an entry has been stored since the table was allocated or cleared.
    pub fn is_used(&self) -> bool {
        self.is_used.load(Relaxed)
    }

    /// Prefaults a part of the table, in megabytes: makes the system provide its pages now, instead of at the first store to
    /// each, which would slow the first search down. Changes no entry. Several threads if the part is large.
    pub fn prefault(&self, megabytes: Range<usize>) {
        const SLOTS_OF_A_MEGABYTE: usize = (1 << 20) / size_of::<Slot>();
        // The last megabyte takes the bucket that is there for the alignment.
        let end = if megabytes.end < self.megabytes() { megabytes.end * SLOTS_OF_A_MEGABYTE } else { self.slots.len() };
        for_pieces(&self.slots[megabytes.start * SLOTS_OF_A_MEGABYTE..end], &|slots| {
            for slot in slots.iter().step_by(SMALL_PAGE / size_of::<Slot>()) {
                // The swap of 0 for 0 is a write access. The compiler could turn a `fetch_or` of 0 into a load, which
                // makes the system map its shared page of zeros.
                let _ = slot.data.compare_exchange(0, black_box(0), Relaxed, Relaxed);
            }
        });
    }

    /// Removes all entries, with several threads if the table is large. An unused table is not written to.
    pub fn clear(&self) {
        self.age.store(0, Relaxed);
        if self.is_used.swap(false, Relaxed) {
            for_pieces(&self.slots[self.first..][..self.used_buckets.load(Relaxed) * SLOTS], &|slots| {
                for slot in slots {
                    slot.check.store(0, Relaxed);
                    slot.data.store(0, Relaxed);
                }
            });
        }
    }

    /// Begins a new search: increments the age, so that entries of older searches are replaced first.
    pub fn next_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        // The high half of the product maps keys evenly to any number of buckets.
        let bucket = ((key as u128 * self.used_buckets.load(Relaxed) as u128) >> 64) as usize;
        let start = self.first + bucket * SLOTS;
        &self.slots[start..start + SLOTS]
    }

    /// Prefetches the bucket of this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// TT probe: the entry of this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { unpack(data) } else { None }
        })
    }

    /// TT store. Replacement strategy: an entry of the same key is replaced unless it is of this age and more than
    /// three plies deeper and the new one is not exact. Otherwise the new entry takes an empty slot, or replaces the
    /// one with the least depth − 4 · age difference. An entry without a move keeps the move of the old one.
    pub fn store(&self, key: u64, mut entry: Entry) {
        // Not stored each time: the cache line is shared by all threads.
        if !self.is_used() {
            self.is_used.store(true, Relaxed);
        }
        let age = self.age.load(Relaxed);
        let mut worst: Option<(&Slot, i32)> = None;
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            let Some(old) = unpack(data) else {
                worst = Some((slot, i32::MIN));
                continue;
            };
            let old_age = age_of(data);
            if slot.check.load(Relaxed) ^ data == key {
                entry.mv = entry.mv.or(old.mv);
                let is_worse =
                    entry.bound != Bound::Exact && entry.depth.saturating_add(3) < old.depth && old_age == age;
                if !is_worse {
                    slot.write(key, pack(&entry, age));
                }
                return;
            }
            let staleness = ((AGES + age - old_age) % AGES) as i32;
            let keep_value = old.depth as i32 - 4 * staleness;
            if worst.is_none_or(|(_, least)| keep_value < least) {
                worst = Some((slot, keep_value));
            }
        }
        if let Some((slot, _)) = worst {
            slot.write(key, pack(&entry, age));
        }
    }

    /// Share of slots with an entry of this search, in permill, from a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.slots[self.first..][..(self.used_buckets.load(Relaxed) * SLOTS).min(1_000)];
        let data = sample.iter().map(|slot| slot.data.load(Relaxed));
        let entries = data.filter(|&data| unpack(data).is_some() && age_of(data) == age).count();
        (entries * 1000 / sample.len()) as u32
    }
}

/// Calls `work` with pieces that make up `slots`, on several threads if they are many.
fn for_pieces(slots: &[Slot], work: &(dyn Fn(&[Slot]) + Sync)) {
    let threads = ((size_of_val(slots) >> 20) / MEGABYTES_FOR_A_THREAD).max(1);
    let threads = threads.min(thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        for piece in slots.chunks(slots.len().div_ceil(threads).max(1)) {
            let helped = threads > 1 && thread::Builder::new().spawn_scoped(scope, move || work(piece)).is_ok();
            if !helped {
                work(piece);
            }
        }
    });
}

impl Slot {
    /// The words of the slot, which is empty then.
    fn take(&self) -> (u64, u64) {
        let words = (self.check.load(Relaxed), self.data.load(Relaxed));
        self.check.store(0, Relaxed);
        self.data.store(0, Relaxed);
        words
    }

    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Advises the system to use huge pages of two megabytes for memory of `slots` that has not been used yet. Probes go to
/// random addresses, so small pages would cause TLB misses.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_large_pages(slots: &[Slot]) {
    const PAGE: usize = 2 << 20;
    let start = slots.as_ptr().cast::<u8>();
    let padding = start.align_offset(PAGE);
    let bytes = size_of_val(slots).saturating_sub(padding) / PAGE * PAGE;
    if bytes > 0 {
        // SAFETY: the range lies within the memory of `slots`. The advice changes only its mapping, not its contents.
        unsafe { libc::madvise(start.wrapping_add(padding).cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

/// A score as stored in the table: converts the score of a decided game from plies from the root to plies from the
/// position, which is `ply` plies from the root.
#[inline]
pub const fn to_table(score: Score, ply: usize) -> Score {
    debug_assert!(ply <= MAX_PLY);
    if score >= DECIDED_BOUND {
        score + ply as Score
    } else if score <= -DECIDED_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_table`].
#[inline]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score >= DECIDED_BOUND {
        score - ply as Score
    } else if score <= -DECIDED_BOUND {
        score + ply as Score
    } else {
        score
    }
}

/// Prefetches the cache line of an entry.
#[inline]
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub(crate) fn prefetch<T>(_entry: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint; it neither faults nor changes anything.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(_entry).cast());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    fn entry(depth: u8, score: Score, bound: Bound) -> Entry {
        let eval = Some(-score / 2).filter(|&eval| eval != 0);
        Entry { mv: Move::from_bits(0xA7A4), score, depth, bound, eval, was_pv: depth.is_multiple_of(2) }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.megabytes(), 1);
        assert_eq!(table.probe(0), None, "an empty slot does not match, not even key 0");
        for (n, score) in [0, 1, -1, mate_in(0), mated_in(0), 20_000].into_iter().enumerate() {
            let key = (n as u64) << 40 | 77;
            let stored = entry(n as u8, score, Bound::Exact);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
            assert_eq!(table.probe(key ^ 1), None);
        }
        table.clear();
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn clear_removes_all_entries() {
        for megabytes in [1, 3 * MEGABYTES_FOR_A_THREAD + 1] {
            let table = TranspositionTable::new(megabytes).unwrap();
            let keys = || (1..10_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            keys().for_each(|key| table.store(key, entry(3, 40, Bound::Lower)));
            assert!(keys().all(|key| table.probe(key).is_some()));
            table.clear();
            assert!(keys().all(|key| table.probe(key).is_none()));
        }
    }

    #[test]
    fn only_stores_make_a_table_used() {
        let table = TranspositionTable::new(1).unwrap();
        table.next_search();
        table.prefault(0..1);
        assert!(table.probe(5).is_none());
        assert!(!table.is_used());
        table.store(5, entry(3, 10, Bound::Lower));
        assert!(table.is_used());
        table.clear();
        assert!(!table.is_used());
        table.store(6, entry(3, 10, Bound::Lower));
        table.clear();
        assert_eq!(table.probe(6), None, "a table used again is cleared again");
    }

    #[test]
    fn unused_table_starts_with_the_first_age_when_cleared() {
        let table = TranspositionTable::new(1).unwrap();
        table.next_search();
        table.clear();
        assert_eq!(table.age.load(Relaxed), 0);
    }

    #[test]
    fn prefaulting_covers_the_table_and_keeps_its_entries() {
        let table = TranspositionTable::new(2 * MEGABYTES_FOR_A_THREAD + 1).unwrap();
        let keys = || (1..10_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        keys().for_each(|key| table.store(key, entry(3, 40, Bound::Lower)));
        table.prefault(0..table.megabytes());
        assert!(keys().all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn table_that_grows_keeps_its_entries() {
        let table = TranspositionTable::new(7).unwrap();
        table.use_only(2);
        let keys = || (1..10_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        keys().for_each(|key| table.store(key, entry(3, 40, Bound::Lower)));
        for megabytes in [2, 3, 6, 7, 100] {
            table.use_only(megabytes);
            assert_eq!(table.megabytes_in_use(), megabytes.min(7));
            assert!(keys().all(|key| table.probe(key) == Some(entry(3, 40, Bound::Lower))), "{megabytes} MB");
        }
        table.clear();
        assert!(keys().all(|key| table.probe(key).is_none()));
    }

    /// Megabytes in memory of the mapping that contains an address.
    #[cfg(target_os = "linux")]
    fn resident_megabytes(address: usize) -> usize {
        let mut is_found = false;
        for line in std::fs::read_to_string("/proc/self/smaps").unwrap().lines() {
            let first = line.split(' ').next().unwrap();
            if let Some((start, end)) = first.split_once('-') {
                let [start, end] = [start, end].map(|bound| usize::from_str_radix(bound, 16).unwrap());
                is_found = (start..end).contains(&address);
            } else if is_found && first == "Rss:" {
                return line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() >> 10;
            }
        }
        panic!("no mapping contains {address:x}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn prefaulting_brings_the_table_into_memory() {
        let table = TranspositionTable::new(64).unwrap();
        let address = table.slots.as_ptr() as usize + (32 << 20);
        let before = resident_megabytes(address);
        table.prefault(0..64);
        assert!(resident_megabytes(address) >= before + 60, "{before} before");
    }

    #[test]
    fn slot_torn_by_two_writers_does_not_match() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(5, entry(3, 10, Bound::Lower));
        let slot = table.bucket(5).iter().find(|slot| slot.data.load(Relaxed) != 0).unwrap();
        slot.data.store(pack(&entry(4, 11, Bound::Lower), 0), Relaxed);
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn full_bucket_replaces_shallow_and_old_entries() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys that differ in their low bits share a bucket.
        for n in 0..SLOTS as u64 {
            table.store(n, entry(10 + n as u8, 0, Bound::Exact));
        }
        table.store(100, entry(5, 0, Bound::Exact));
        assert_eq!(table.probe(0), None, "the shallowest entry is replaced");
        assert!([1, 2, 3, 100].iter().all(|&key| table.probe(key).is_some()));
        for _ in 0..3 {
            table.next_search();
        }
        table.store(1, entry(4, 0, Bound::Exact));
        table.store(101, entry(4, 0, Bound::Exact));
        assert_eq!(table.probe(100), None, "an old entry is replaced before a shallower new one");
        assert_eq!(table.probe(1).unwrap().depth, 4, "an entry of the same key is replaced");
    }

    #[test]
    fn entry_without_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(9, entry(5, 0, Bound::Lower));
        table.store(9, Entry { mv: None, ..entry(6, -5, Bound::Upper) });
        assert_eq!(table.probe(9).unwrap().mv, Move::from_bits(0xA7A4));
    }

    #[test]
    fn depth_margin_of_replacement_works_at_maximum_depth() {
        let table = TranspositionTable::new(1).unwrap();
        for depth in [255, 253, 252] {
            table.store(9, entry(depth, 0, Bound::Lower));
        }
        assert_eq!(table.probe(9).unwrap().depth, 252);
        table.store(9, entry(248, 0, Bound::Lower));
        assert_eq!(table.probe(9).unwrap().depth, 252, "not replaced: more than three plies shallower");
    }

    #[test]
    fn mate_scores_are_relative_to_the_stored_position() {
        for score in [mate_in(9), mated_in(12), 400, -400] {
            assert_eq!(from_table(to_table(score, 4), 4), score);
        }
        assert_eq!(to_table(mate_in(9), 4), mate_in(5));
        assert_eq!(from_table(mated_in(3), 6), mated_in(9));
    }

    #[test]
    fn sizes_beyond_the_memory_are_refused() {
        for megabytes in [1 << 40, 1 << 44, usize::MAX] {
            assert!(TranspositionTable::new(megabytes).is_none());
        }
    }
}
