//! A move list in a fixed array, without heap allocation.

use super::Move;

/// Moves, stored as the bits of [`Move`].
///
/// Move generation writes whole lanes of eight or sixteen moves and then advances by the number of valid ones, so there
/// is spare room behind the last possible move.
#[derive(Clone)]
pub struct MoveList {
    bits: [u16; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// Upper limit of the moves of any position. A side has at most 16 pieces, each with at most 17 moves; 16 sliders
    /// on nine files and ten ranks block at least 30 of each other's moves. So the length fits a byte.
    pub const MAX_MOVES: usize = 256;
    /// With spare room for one window of the [`Writer`].
    const CAPACITY: usize = MoveList::MAX_MOVES + 32;

    /// An empty list. Reuse it where speed matters: a new one clears half a kilobyte.
    pub const fn new() -> MoveList {
        MoveList { bits: [0; MoveList::CAPACITY], len: 0 }
    }

    /// Number of moves.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the list is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// The moves in order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.bits[..self.len].iter().filter_map(|&bits| Move::from_bits(bits))
    }

    /// The move at `index`, counted from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Move> {
        self.bits[..self.len].get(index).and_then(|&bits| Move::from_bits(bits))
    }

    /// Whether `mv` is in the list.
    pub fn contains(&self, mv: Move) -> bool {
        self.bits[..self.len].contains(&mv.bits())
    }

    /// Appends the moves that `write` writes.
    #[inline(always)]
    pub(crate) fn append(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { bits: &mut self.bits, len: self.len as u8 };
        write(&mut writer);
        self.len = writer.len as usize;
    }

    /// Removes the moves from index `start` on that `legal` rejects.
    #[inline]
    pub(crate) fn retain_from(&mut self, start: usize, mut legal: impl FnMut(Move) -> bool) {
        let mut kept = start;
        for index in start..self.len {
            let bits = self.bits[index];
            if Move::from_bits(bits).is_some_and(&mut legal) {
                self.bits[kept] = bits;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// Appends to a list. Holds a copy of the length, which stays in a register.
///
/// Writes are branchless: a move is always written and counted only if it is valid. They go to a window of constant
/// size, so there is one bounds check per piece instead of one per move.
pub(crate) struct Writer<'a> {
    bits: &'a mut [u16; MoveList::CAPACITY],
    len: u8,
}

impl Writer<'_> {
    #[inline(always)]
    fn window<const N: usize>(&mut self) -> &mut [u16; N] {
        let start = self.len as usize;
        let window = self.bits[start..start + N].as_mut_array();
        window.expect("invariant: a slice of N is an array of N")
    }

    /// Appends up to eight moves: `nth` returns whether to keep the nth move, and its bits.
    #[inline(always)]
    pub(crate) fn push<const N: usize>(&mut self, nth: impl Fn(usize) -> (bool, u16)) {
        const { assert!(N <= 8) };
        let window = self.window::<8>();
        let mut kept = 0u8;
        for n in 0..N {
            let (keep, bits) = nth(n);
            window[(kept & 7) as usize] = bits;
            kept += keep as u8;
        }
        self.len = self.len.wrapping_add(kept);
    }

    /// Appends `count` moves: the bits of the nth are `first + steps[n]`.
    #[inline(always)]
    pub(crate) fn push_steps<const N: usize>(&mut self, first: u16, steps: &[u16; N], count: usize) {
        debug_assert!(count <= N);
        for (slot, step) in self.window::<N>().iter_mut().zip(steps) {
            *slot = first.wrapping_add(*step);
        }
        self.len = self.len.wrapping_add(count as u8);
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}
