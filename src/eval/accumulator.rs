//! Accumulators: the first layer of the network for both perspectives, updated incrementally from move to move; without
//! the attack features, which are added when a position is evaluated.

use super::features::{MirrorBalance, PIECE_FEATURES, Perspective};
use super::network::{Kernel, Network, Vector};
use crate::position::{Change, MAX_PIECES, Observer, Position};
use crate::tables::bitboards::{Bitboard, bit};
use crate::types::{Color, PieceType, Score, Square};
use std::sync::Arc;

/// The accumulators of the positions on the line being searched. They are computed lazily, when a position is
/// evaluated: by incremental updates from the last computed one if the perspective has not changed since, else by a
/// refresh from the refresh table.
#[derive(Clone)]
pub struct AccumulatorStack {
    network: Arc<Network>,
    kernel: Kernel,
    /// From the root position on, the current one at `top`; entries above `top` are free.
    entries: Vec<AccumulatorEntry>,
    top: usize,
    /// By color and perspective ("Finny table", after Finn Eggers, Koivisto).
    refresh_table: Box<[[RefreshEntry; Perspective::COUNT]; 2]>,
}

/// The accumulators of one position. Arrays are indexed by color.
#[derive(Clone)]
struct AccumulatorEntry {
    /// The move that led here, `None` for a null move.
    change: Option<Change>,
    mirror_balance: MirrorBalance,
    kings: [Square; 2],
    occupied: [Bitboard; 2],
    perspectives: [Perspective; 2],
    /// Valid where `computed` says so.
    accumulators: [Vector; 2],
    computed: [bool; 2],
}

/// The accumulator last refreshed for a perspective, and its features: the next refresh applies only the differences.
#[derive(Clone)]
struct RefreshEntry {
    accumulator: Vector,
    /// The active features within the perspective's king bucket, one bit each.
    features: [u64; PIECE_FEATURES.div_ceil(64)],
}

impl AccumulatorStack {
    /// A stack with `position` as its root.
    pub fn new(network: Arc<Network>, position: &Position) -> AccumulatorStack {
        let empty_board =
            RefreshEntry { accumulator: network.feature_bias, features: [0; PIECE_FEATURES.div_ceil(64)] };
        let mirror_balance = MirrorBalance::of(position.pieces());
        let kings = Color::ALL.map(|color| position.king(color));
        let perspectives = Color::ALL.map(|color| Perspective::new(color, kings[color.index()], mirror_balance));
        let root = AccumulatorEntry {
            change: None,
            mirror_balance,
            kings,
            occupied: position.occupied(),
            perspectives,
            accumulators: [Vector::ZERO; 2],
            computed: [false; 2],
        };
        let refresh_table = Box::new(std::array::from_fn(|_| std::array::from_fn(|_| empty_board.clone())));
        AccumulatorStack { network, kernel: Kernel::best(), entries: vec![root], top: 0, refresh_table }
    }

    /// The output of the network for the observed `position`, for the side to move, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        Color::ALL.into_iter().for_each(|color| self.compute(color, position));
        let side = position.side();
        let AccumulatorEntry { accumulators, perspectives, occupied, .. } = &self.entries[self.top];
        // All attack features of both perspectives, as many as attacked pieces.
        let (mut attacks, mut count) = ([[0; MAX_PIECES]; 2], 0);
        position.for_each_attacked(*occupied, |attacked| {
            for color in Color::ALL {
                let feature = perspectives[color.index()].attack_feature(color, attacked);
                attacks[color.index()][count % MAX_PIECES] = feature as u16;
            }
            count += 1;
        });
        let colors = [side, side.other()].map(Color::index);
        let accumulators = colors.map(|color| &accumulators[color]);
        let attacks = colors.map(|color| &attacks[color][..count.min(MAX_PIECES)]);
        let pieces = Color::ALL.map(|color| position.piece_set(color).count_ones());
        self.network.evaluate(self.kernel, accumulators, attacks, pieces[0] + pieces[1])
    }

    /// Computes the accumulator of `color` for the current `position`.
    fn compute(&mut self, color: Color, position: &Position) {
        let index = color.index();
        let perspective = self.entries[self.top].perspectives[index];
        let mut from = self.top;
        while !self.entries[from].computed[index] {
            if from == 0 || self.entries[from - 1].perspectives[index] != perspective {
                return self.refresh(color, position);
            }
            from -= 1;
        }
        for entry in from + 1..=self.top {
            let (before, after) = self.entries.split_at_mut(entry);
            let (before, after) = (&before[entry - 1], &mut after[0]);
            let (source, target) = (&before.accumulators[index], &mut after.accumulators[index]);
            let weights = |piece, square| &self.network.feature_weights[perspective.feature(color, piece, square)];
            match after.change {
                None => *target = *source,
                Some(Change { piece, from, to, placed, captured: None }) => {
                    self.kernel.add_sub(target, source, weights(placed, to), weights(piece, from));
                }
                Some(Change { piece, from, to, placed, captured: Some(captured) }) => {
                    let (add, sub, sub2) = (weights(placed, to), weights(piece, from), weights(captured, to));
                    self.kernel.add_sub_sub(target, source, add, sub, sub2);
                }
            }
            after.computed[index] = true;
        }
    }

    /// Computes the accumulator of `color` for the current `position` from its entry of the refresh table.
    fn refresh(&mut self, color: Color, position: &Position) {
        let index = color.index();
        let entry = &mut self.entries[self.top];
        let perspective = entry.perspectives[index];
        let refresh_entry = &mut self.refresh_table[index][perspective.index()];
        let mut features = [0; PIECE_FEATURES.div_ceil(64)];
        for (piece, square) in position.pieces() {
            let feature = perspective.piece_feature(color, piece, square);
            features[feature / 64] |= 1u64 << (feature % 64);
        }
        let bucket_weights = &self.network.feature_weights[perspective.first_feature()..][..PIECE_FEATURES];
        for (word, (&new, old)) in features.iter().zip(&mut refresh_entry.features).enumerate() {
            let mut changed = new ^ *old;
            while changed != 0 {
                let bit = changed & changed.wrapping_neg();
                let weights = &bucket_weights[64 * word + bit.trailing_zeros() as usize];
                if new & bit != 0 {
                    self.kernel.add(&mut refresh_entry.accumulator, weights);
                } else {
                    self.kernel.sub(&mut refresh_entry.accumulator, weights);
                }
                changed ^= bit;
            }
            *old = new;
        }
        entry.accumulators[index] = refresh_entry.accumulator;
        entry.computed[index] = true;
    }

    /// Pushes the position after a move, `None` for a null move.
    #[inline]
    fn push(&mut self, change: Option<Change>) {
        let AccumulatorEntry { mut mirror_balance, mut kings, mut occupied, mut perspectives, .. } =
            self.entries[self.top];
        if let Some(Change { piece, from, to, placed, captured }) = change {
            let before = mirror_balance;
            let color = piece.color();
            // In this order: a promotion goes from a square to itself.
            occupied[color.index()] &= !bit(from);
            occupied[color.index()] |= bit(to);
            occupied[color.other().index()] &= !bit(to);
            mirror_balance.remove(piece, from);
            mirror_balance.add(placed, to);
            if let Some(captured) = captured {
                mirror_balance.remove(captured, to);
            }
            let king_moved = piece.piece_type() == PieceType::King;
            if king_moved {
                kings[piece.color().index()] = to;
            }
            if king_moved
                || Color::ALL
                    .into_iter()
                    .any(|color| before.prefers_mirror(color) != mirror_balance.prefers_mirror(color))
            {
                perspectives = Color::ALL.map(|color| Perspective::new(color, kings[color.index()], mirror_balance));
            }
        }
        self.top += 1;
        if self.top == self.entries.len() {
            self.entries.push(AccumulatorEntry {
                change,
                mirror_balance,
                kings,
                occupied,
                perspectives,
                accumulators: [Vector::ZERO; 2],
                computed: [false; 2],
            });
        } else {
            let entry = &mut self.entries[self.top];
            (entry.change, entry.mirror_balance, entry.kings, entry.occupied, entry.perspectives) =
                (change, mirror_balance, kings, occupied, perspectives);
            entry.computed = [false; 2];
        }
    }
}

impl Observer for AccumulatorStack {
    #[inline]
    fn made(&mut self, change: Change) {
        self.push(Some(change));
    }

    #[inline]
    fn passed(&mut self) {
        self.push(None);
    }

    #[inline]
    fn undone(&mut self) {
        self.top -= 1;
    }
}
