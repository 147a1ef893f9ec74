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
    /// Room for the moves of any position, and one lane.
    const CAPACITY: usize = 16 * 17 + 16;

    /// An empty list. Keep and reuse it: making one clears 576 bytes.
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

    /// Writes a move behind the last one; it counts only if `keep`. No branch, so no misprediction.
    #[inline]
    pub(crate) fn push_if(&mut self, keep: bool, bits: u16) {
        self.bits[self.len] = bits;
        self.len += keep as usize;
    }

    /// Writes a whole lane of moves, of which the first `count` stay.
    #[inline]
    pub(crate) fn push_lane<const N: usize>(&mut self, lane: [u16; N], count: usize) {
        debug_assert!(count <= N);
        if let Some(room) = self.bits.get_mut(self.len..self.len + N) {
            room.copy_from_slice(&lane);
        }
        self.len += count;
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

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}
