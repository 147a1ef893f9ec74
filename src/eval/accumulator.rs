//! Accumulators: the first layer of the network for both perspectives, updated incrementally from move to move; without
//! the attack features, which are added when a position is evaluated.

use super::features::{InputBucket, MirrorBalance};
use super::network::{Kernel, Network, Vector};
use super::piece_square::PieceSquareSum;
use crate::position::{Change, MAX_PIECES, Position};
use crate::tables::bitboards::{Bitboard, bit};
use crate::types::{Color, Piece, PieceSquare, PieceType, Score, Square};
use std::sync::Arc;

/// The accumulators of the positions on the line being searched.
///
/// Nothing happens when a move is made or undone. When a position is evaluated, the entries of the plies before it are
/// compared by key with the positions on the way to it, and those that differ are computed: by incremental updates from the
/// last one that agrees if the input bucket has not changed since, else by a refresh from the refresh table.
#[derive(Clone)]
pub struct AccumulatorStack {
    network: Arc<Network>,
    kernel: Kernel,
    /// By ply, from `first` on.
    entries: Vec<AccumulatorEntry>,
    /// The ply of the first entry, counted from the position set up.
    first: usize,
    /// By color and input bucket ("Finny table", after Finn Eggers, Koivisto).
    refresh_table: Box<[[RefreshEntry; InputBucket::COUNT]; 2]>,
}

/// The accumulators of one position. Arrays are indexed by color.
#[derive(Clone)]
struct AccumulatorEntry {
    /// Key of the position.
    key: u64,
    board: BoardSums,
    /// Valid where `computed` says so.
    accumulators: [Vector; 2],
    computed: [bool; 2],
}

/// What is updated with each move, beside the accumulators.
#[derive(Clone, Copy)]
struct BoardSums {
    piece_square: PieceSquareSum,
    mirror_balance: MirrorBalance,
    occupied: [Bitboard; 2],
    kings: [Square; 2],
    input_buckets: [InputBucket; 2],
}

/// The accumulator last refreshed for an input bucket, and its pieces: the next refresh applies only the differences.
#[derive(Clone)]
struct RefreshEntry {
    accumulator: Vector,
    /// By color and piece type; see [`Position::squares_of`].
    squares: [[u64; PieceType::COUNT]; 2],
}

/// Greatest number of moves that are followed from an earlier position; after more, the pieces are counted anew.
const MAX_MOVES: usize = 8;

impl BoardSums {
    fn of(position: &Position) -> BoardSums {
        let mirror_balance = MirrorBalance::of(position.piece_squares());
        let kings = Color::ALL.map(|color| position.king(color));
        BoardSums {
            piece_square: PieceSquareSum::of(position),
            mirror_balance,
            occupied: position.occupied(),
            kings,
            input_buckets: Color::ALL.map(|color| InputBucket::new(color, kings[color.index()], mirror_balance)),
        }
    }

    /// Follows the change of a move.
    #[inline(always)]
    fn follow(&mut self, change: Change) {
        self.piece_square.follow(change);
        self.mirror_balance.follow(change);
        let (from, to, color) = (change.mv.from(), change.mv.to(), change.from.color());
        // In this order: a promotion goes from a square to itself.
        self.occupied[color.index()] &= !bit(from);
        self.occupied[color.index()] |= bit(to);
        if change.captured.is_some() {
            self.occupied[color.other().index()] &= !bit(to);
        }
        if self.kings[color.index()] == from {
            self.kings[color.index()] = to;
        }
        self.input_buckets =
            Color::ALL.map(|color| InputBucket::new(color, self.kings[color.index()], self.mirror_balance));
    }
}

impl AccumulatorEntry {
    fn of(position: &Position) -> AccumulatorEntry {
        AccumulatorEntry {
            key: position.key(),
            board: BoardSums::of(position),
            accumulators: [Vector::ZERO; 2],
            computed: [false; 2],
        }
    }
}

impl AccumulatorStack {
    /// A stack in which nothing is computed yet.
    pub fn new(network: Arc<Network>) -> AccumulatorStack {
        let empty_board = RefreshEntry { accumulator: network.feature_bias, squares: [[0; PieceType::COUNT]; 2] };
        let refresh_table = Box::new(std::array::from_fn(|_| std::array::from_fn(|_| empty_board.clone())));
        AccumulatorStack { network, kernel: Kernel::best(), entries: Vec::new(), first: 0, refresh_table }
    }

    /// The output of the network for `position`, for the side to move, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.evaluate_with_piece_square(position).0
    }

    /// [`AccumulatorStack::evaluate`], and the piece-square sum of `position`.
    pub(super) fn evaluate_with_piece_square(&mut self, position: &Position) -> (Score, PieceSquareSum) {
        let top = self.follow_moves(position);
        Color::ALL.into_iter().for_each(|color| self.compute(color, top, position));
        let side = position.side();
        let AccumulatorEntry { board, accumulators, .. } = &self.entries[top];
        // All attack features of both perspectives. (The remainder and the minimum stand for bounds checks: there are
        // never more than `MAX_PIECES`.)
        let (mut attacks, mut count) = ([[0; MAX_PIECES]; 2], 0);
        position.for_each_attacked(board.occupied, |attacked| {
            for color in Color::ALL {
                let feature = board.input_buckets[color.index()].attack_feature(color, attacked);
                attacks[color.index()][count % MAX_PIECES] = feature as u16;
            }
            count += 1;
        });
        let colors = [side, side.other()].map(Color::index);
        let accumulators = colors.map(|color| &accumulators[color]);
        let attacks = colors.map(|color| &attacks[color][..count.min(MAX_PIECES)]);
        let pieces = Color::ALL.map(|color| position.piece_set(color).count_ones());
        let score = self.network.evaluate(self.kernel, accumulators, attacks, pieces[0] + pieces[1]);
        (score, board.piece_square)
    }

    /// Whether this entry is that of the position at its ply.
    #[inline]
    fn is_current(&self, entry: usize, position: &Position) -> bool {
        self.entries[entry].key == position.key_at(self.first + entry)
    }

    /// Makes the entry of the last ply that of `position`, without its accumulators. Returns its index.
    #[inline]
    fn follow_moves(&mut self, position: &Position) -> usize {
        if self.entries.is_empty() || position.plies() < self.first {
            self.entries.clear();
            self.first = position.plies();
        }
        let top = position.plies() - self.first;
        if top >= self.entries.len() {
            self.entries.resize(top + 1, AccumulatorEntry::of(position));
        }
        if self.entries[top].key == position.key() {
            return top;
        }
        let mut from = top;
        loop {
            if from == 0 || top - from == MAX_MOVES {
                self.entries[top] = AccumulatorEntry::of(position);
                return top;
            }
            from -= 1;
            if self.is_current(from, position) {
                break;
            }
        }
        let mut board = self.entries[from].board;
        for (entry, ply) in (from + 1..=top).zip(self.first + from..) {
            if let Some(change) = position.change_at(ply) {
                board.follow(change);
            }
            let entry = &mut self.entries[entry];
            (entry.key, entry.board, entry.computed) = (position.key_at(ply + 1), board, [false; 2]);
        }
        top
    }

    /// Computes the accumulator of `color` for `position`, whose entry is `top`.
    fn compute(&mut self, color: Color, top: usize, position: &Position) {
        let index = color.index();
        let input_bucket = self.entries[top].board.input_buckets[index];
        let mut from = top;
        while !self.entries[from].computed[index] {
            if from == 0
                || self.entries[from - 1].board.input_buckets[index] != input_bucket
                || !self.is_current(from - 1, position)
            {
                return self.refresh(color, top, position);
            }
            from -= 1;
        }
        for entry in from + 1..=top {
            let (before, after) = self.entries.split_at_mut(entry);
            let (before, after) = (&before[entry - 1], &mut after[0]);
            let (source, target) = (&before.accumulators[index], &mut after.accumulators[index]);
            let feature = |piece| input_bucket.feature(color, piece) as u16;
            let rows = &self.network.feature_weights;
            // Not kept in the entry: another move may have led here when it was made.
            match position.change_at(self.first + entry - 1) {
                None => *target = *source,
                Some(Change { from, to, captured: None, .. }) => {
                    self.kernel.update(target, source, rows, &[feature(to)], &[feature(from)]);
                }
                Some(Change { from, to, captured: Some(captured), .. }) => {
                    self.kernel.update(target, source, rows, &[feature(to)], &[feature(from), feature(captured)]);
                }
            }
            after.computed[index] = true;
        }
    }

    /// Computes the accumulator of `color` for `position` from its entry of the refresh table.
    fn refresh(&mut self, color: Color, top: usize, position: &Position) {
        let index = color.index();
        let entry = &mut self.entries[top];
        let input_bucket = entry.board.input_buckets[index];
        let RefreshEntry { accumulator, squares } = &mut self.refresh_table[index][input_bucket.index()];
        // Rows to add and to subtract, and their numbers.
        let mut rows = [[0; MAX_PIECES]; 2];
        let mut counts = [0; 2];
        for (owner, piece_type) in Color::ALL.into_iter().flat_map(|owner| PieceType::ALL.map(|kind| (owner, kind))) {
            let piece = Piece::new(owner, piece_type);
            let new = position.squares_of(owner, piece_type);
            let old = std::mem::replace(&mut squares[owner.index()][piece_type.index()], new);
            let mut changed = new ^ old;
            while changed != 0 {
                let shift = changed.trailing_zeros() & !7;
                changed &= !(0xFF << shift);
                for (side, word) in [new, old].into_iter().enumerate() {
                    let square = Square::from_raw((word >> shift) as u8);
                    if square != Square::OFF {
                        let feature = input_bucket.feature(color, PieceSquare::new(piece, square));
                        rows[side][counts[side] % MAX_PIECES] = feature as u16;
                        counts[side] += 1;
                    }
                }
            }
        }
        let [adds, subs] = [0, 1].map(|side| &rows[side][..counts[side].min(MAX_PIECES)]);
        let target = &mut entry.accumulators[index];
        self.kernel.update(target, accumulator, &self.network.feature_weights, adds, subs);
        *accumulator = *target;
        entry.computed[index] = true;
    }
}
