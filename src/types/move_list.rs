//! A list of moves that needs no heap.

use super::Move;

/// Moves as generation writes them, bits of [`Move`], in a fixed array.
///
/// Generation writes whole lanes of eight or sixteen moves and then advances by how many of them count, so there is
/// room behind the last possible move (16 men with 17 moves each at most).
#[derive(Clone)]
pub struct MoveList {
    bits: [u16; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// More than the moves of any position: sixteen sliders would have seventeen moves each, but where so many stand on
    /// nine files and ten ranks they take at least thirty from each other. So a byte counts them.
    pub const MAX_MOVES: usize = 256;
    /// Room behind them for one window of the [`Writer`].
    const CAPACITY: usize = MoveList::MAX_MOVES + 32;

    /// An empty list. Keep and reuse it: making one clears a kilobyte.
    pub const fn new() -> MoveList {
        MoveList { bits: [0; MoveList::CAPACITY], len: 0 }
    }

    /// Number of moves.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all moves.
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

    /// Appends what `write` writes.
    #[inline(always)]
    pub(crate) fn append(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let mut writer = Writer { bits: &mut self.bits, len: self.len as u8 };
        write(&mut writer);
        self.len = writer.len as usize;
    }

    /// Keeps of the moves from index `start` on only those that `legal` accepts.
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

/// Appends to a list. Keeps the length to itself, so that it stays in a register.
///
/// Moves are written whether they count or not, which costs less than a mispredicted branch, into a window whose size
/// the compiler knows: one bounds check a man instead of one a move.
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

    /// Appends those of up to eight moves (`bits` of the nth) that are to be kept.
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, nth: impl Fn(usize) -> (bool, u16)) {
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

    /// Appends `count` moves whose bits are `first` and a step of `steps` each.
    #[inline(always)]
    pub fn push_steps<const N: usize>(&mut self, first: u16, steps: &[u16; N], count: usize) {
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
