//! What is proven of positions, in bounded memory.

use super::Attack;
use crate::search::transposition::prefetch;
use bytemuck::Zeroable;
use std::ops::Range;

/// A proof or disproof number that no search reaches: of what is disproven or proven.
pub(super) const INFINITE: u32 = 1 << 30;
/// The proof number of what is disproven only because a position of the path to it comes again: for this path.
pub(super) const REPETITION: u32 = 1 << 29;
/// A cache line, in bytes.
const LINE: usize = 64;
/// Entries per bucket; they fill a cache line.
const SLOTS: usize = LINE / size_of::<Entry>();

/// Proof and disproof number of a node (L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-number search",
/// Artificial Intelligence 66, 1994): how many leaves at least must still be won by the attacker to prove a mate, by the
/// defender to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub pn: u32,
    pub dn: u32,
    /// Of what is proven: the attacker's moves to the mate, the longest defence.
    pub length: u8,
}

impl Numbers {
    pub(super) const DISPROVEN: Numbers = Numbers { pn: INFINITE, dn: 0, length: 0 };
    pub(super) const REPEATED: Numbers = Numbers { pn: REPETITION, dn: 0, length: 0 };

    pub(super) const fn proven(length: u8) -> Numbers {
        Numbers { pn: 0, dn: INFINITE, length }
    }

    pub(super) const fn new(pn: u32, dn: u32) -> Numbers {
        Numbers { pn, dn, length: 0 }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.pn == 0
    }

    pub(super) const fn is_disproven(self) -> bool {
        self.dn == 0
    }

    pub(super) const fn is_solved(self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

/// What a node is asked: whether the attacker mates in at most this many of his moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub key: u64,
    pub moves: u8,
    pub attack: Attack,
}

impl Question {
    /// The question without its position; 0 is none.
    fn code(&self) -> u8 {
        self.moves.min(MANY) << 1 | self.attack as u8
    }
}

/// Questions for so many moves and more have the same numbers.
const MANY: u8 = 12;

/// A greater proof number than any that is kept: of what is disproven by a repetition.
const REPETITION_CODE: u16 = u16::MAX;

/// What is known of a position: 16 bytes. The whole key, as a proof must not be that of another position.
#[derive(Clone, Copy, Default, Zeroable)]
struct Entry {
    key: u64,
    /// The numbers for the question with this code; of a repetition, `dn` is the path.
    pn: u16,
    dn: u16,
    question: u8,
    /// One more than the moves in which a mate is proven; 0: none is.
    mated_in: u8,
    /// One more than the moves in which there is no mate; 0: unknown. Of all moves, or of checks.
    no_mate_in: [u8; 2],
}

impl Entry {
    fn is_solved(&self) -> bool {
        self.mated_in > 0 || self.no_mate_in != [0, 0]
    }

    /// What is lost if it is replaced.
    fn worth(&self) -> u64 {
        let numbers = u64::from(self.pn) + u64::from(self.dn);
        numbers + if self.is_solved() { 1 << 40 } else { 0 }
    }
}

/// Proofs, disproofs and numbers by the keys of positions.
pub(super) struct ProofTable {
    /// One bucket more than needed, to align the first one: the allocator gives zeroed memory without writing to it only if no
    /// alignment is asked for.
    entries: Box<[Entry]>,
    /// Index of the first entry aligned to a cache line.
    first: usize,
    /// Number of buckets, a power of two.
    buckets: usize,
}

impl ProofTable {
    /// A table of at most `megabytes`. `None`: there is not so much memory.
    pub(super) fn new(megabytes: usize) -> Option<ProofTable> {
        let buckets = 1 << ((megabytes.max(1) << 20) / LINE).ilog2();
        let entries = bytemuck::allocation::try_zeroed_slice_box::<Entry>((buckets + 1) * SLOTS).ok()?;
        let past_line = entries.as_ptr() as usize % LINE;
        let first = (LINE - past_line) % LINE / size_of::<Entry>();
        Some(ProofTable { entries, first, buckets })
    }

    /// The entries of the bucket of a key.
    fn bucket(&self, key: u64) -> Range<usize> {
        let start = self.first + (key as usize & (self.buckets - 1)) * SLOTS;
        start..start + SLOTS
    }

    /// Prefetches the bucket of a key.
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.entries[self.bucket(key).start]);
    }

    /// The numbers of a question on the path with this hash, if something is known.
    pub(super) fn get(&self, question: Question, path: u32) -> Option<Numbers> {
        let entry = self.entries[self.bucket(question.key)].iter().find(|entry| entry.key == question.key)?;
        let Question { moves, attack, .. } = question;
        if entry.mated_in > 0 && entry.mated_in - 1 <= moves {
            return Some(Numbers::proven(entry.mated_in - 1));
        }
        // Without a mate by any moves there is none by checks.
        let no_mate_in = entry.no_mate_in[attack as usize].max(entry.no_mate_in[Attack::All as usize]);
        if no_mate_in > moves {
            return Some(Numbers::DISPROVEN);
        }
        match entry.question == question.code() && entry.pn > 0 {
            true if entry.pn < REPETITION_CODE => Some(Numbers::new(entry.pn.into(), entry.dn.into())),
            true if entry.dn == path as u16 => Some(Numbers::REPEATED),
            _ => None,
        }
    }

    /// Keeps the numbers of a question.
    pub(super) fn put(&mut self, question: Question, path: u32, numbers: Numbers) {
        let Question { key, moves, attack } = question;
        let bucket = self.bucket(key);
        let slots = &mut self.entries[bucket];
        let found = slots.iter().position(|entry| entry.key == key);
        let place = found.unwrap_or_else(|| (0..SLOTS).min_by_key(|&slot| slots[slot].worth()).unwrap_or(0));
        let entry = &mut slots[place];
        if found.is_none() {
            *entry = Entry { key, ..Entry::default() };
        }
        if numbers.is_proven() {
            let mated_in = numbers.length + 1;
            entry.mated_in = if entry.mated_in == 0 { mated_in } else { entry.mated_in.min(mated_in) };
        } else if numbers == Numbers::DISPROVEN {
            let known = &mut entry.no_mate_in[attack as usize];
            *known = (*known).max(moves + 1);
        } else {
            let kept = |number: u32| number.min(u32::from(REPETITION_CODE - 1)) as u16;
            entry.question = question.code();
            (entry.pn, entry.dn) = match numbers.pn == REPETITION {
                true => (REPETITION_CODE, path as u16),
                false => (kept(numbers.pn), kept(numbers.dn)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_hold_for_more_moves_and_disproofs_for_fewer() {
        let mut table = ProofTable::new(1).unwrap();
        let question = |moves, attack| Question { key: 0x1234_5678_9abc_def0, moves, attack };
        assert_eq!(table.get(question(3, Attack::All), 0), None);
        table.put(question(2, Attack::All), 0, Numbers::DISPROVEN);
        assert_eq!(table.get(question(2, Attack::Checks), 0), Some(Numbers::DISPROVEN));
        assert_eq!(table.get(question(3, Attack::All), 0), None);
        table.put(question(4, Attack::Checks), 0, Numbers::DISPROVEN);
        assert_eq!(table.get(question(4, Attack::All), 0), None);
        table.put(question(6, Attack::All), 0, Numbers::proven(5));
        assert_eq!(table.get(question(5, Attack::Checks), 0), Some(Numbers::proven(5)));
        assert_eq!(table.get(question(4, Attack::All), 0), None);
    }

    #[test]
    fn a_repetition_is_one_on_its_path_only() {
        let mut table = ProofTable::new(1).unwrap();
        let question = Question { key: 7 << 32, moves: 9, attack: Attack::Checks };
        table.put(question, 5, Numbers::REPEATED);
        assert_eq!((table.get(question, 5), table.get(question, 6)), (Some(Numbers::REPEATED), None));
        table.put(question, 6, Numbers::new(3, 4));
        assert_eq!(table.get(question, 5), Some(Numbers::new(3, 4)));
    }
}
