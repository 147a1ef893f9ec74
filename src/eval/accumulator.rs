//! What both sides see, kept up to date from move to move.

use super::features::{MirrorBalance, PIECE_FEATURES, Perspective};
use super::network::{Kernel, Network, Vector};
use crate::position::{Change, Observer, Position};
use crate::types::{Color, PieceType, Score, Square};
use std::sync::Arc;

/// The first layer of the network after each move of the line the search is on. Worked out when it is asked for: from the
/// last position in which it is known, if the king's view has not changed since, else from the last position seen with this
/// view, whatever line that was on.
#[derive(Clone)]
pub struct AccumulatorStack {
    network: Arc<Network>,
    kernel: Kernel,
    /// Positions since the one looked at afresh, the present one at `top`; what lies beyond was taken back.
    entries: Vec<AccumulatorEntry>,
    top: usize,
    /// By side and view.
    refresh_table: Box<[[RefreshEntry; Perspective::COUNT]; 2]>,
}

/// One position.
#[derive(Clone)]
struct AccumulatorEntry {
    /// What led here; nothing for a null move.
    change: Option<Change>,
    mirror_balance: MirrorBalance,
    kings: [Square; 2],
    perspectives: [Perspective; 2],
    /// What each side sees, if `computed`.
    values: [Vector; 2],
    computed: [bool; 2],
}

/// The last position seen with a view.
#[derive(Clone)]
struct RefreshEntry {
    values: Vector,
    /// The features it was made of, counted from the view's first: bits.
    seen: [u64; PIECE_FEATURES.div_ceil(64)],
}

impl AccumulatorStack {
    /// Begins with `position`.
    pub fn new(network: Arc<Network>, position: &Position) -> AccumulatorStack {
        let refresh_table = RefreshEntry { values: network.bias, seen: [0; PIECE_FEATURES.div_ceil(64)] };
        let mirror_balance = MirrorBalance::of(position.pieces());
        let kings = Color::ALL.map(|color| position.king(color));
        let perspectives = Color::ALL.map(|color| Perspective::new(color, kings[color.index()], mirror_balance));
        let root = AccumulatorEntry {
            change: None,
            mirror_balance,
            kings,
            perspectives,
            values: [network.bias; 2],
            computed: [false; 2],
        };
        let refresh_table = Box::new(std::array::from_fn(|_| std::array::from_fn(|_| refresh_table.clone())));
        AccumulatorStack { network, kernel: Kernel::best(), entries: vec![root], top: 0, refresh_table }
    }

    /// What `position`, the one observed, is worth to the side to move beyond material and placement, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.prepare(position);
        let side = position.side();
        let values = &self.entries[self.top].values;
        let pieces = Color::ALL.map(|color| position.piece_set(color).count_ones());
        self.network.evaluate(self.kernel, &values[side.index()], &values[side.other().index()], pieces[0] + pieces[1])
    }

    /// Works out all that [`evaluate`](Accumulators::evaluate) needs of `position`, the present one, but the last layers.
    pub fn prepare(&mut self, position: &Position) {
        for color in Color::ALL {
            self.update(color, position);
        }
    }

    /// Makes what `color` sees of `position`, the present one, known.
    fn update(&mut self, color: Color, position: &Position) {
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
            let (values, target) = (&before.values[index], &mut after.values[index]);
            let row = |piece, square| &self.network.rows[perspective.feature(color, piece, square)];
            match after.change {
                None => *target = *values,
                Some(Change { piece, from, to, placed, captured: None }) => {
                    self.kernel.add_sub(target, values, row(placed, to), row(piece, from));
                }
                Some(Change { piece, from, to, placed, captured: Some(captured) }) => {
                    self.kernel.add_sub_sub(target, values, row(placed, to), row(piece, from), row(captured, to));
                }
            }
            after.computed[index] = true;
        }
    }

    /// Works out what `color` sees from the last position seen with its view.
    fn refresh(&mut self, color: Color, position: &Position) {
        let index = color.index();
        let entry = &mut self.entries[self.top];
        let perspective = entry.perspectives[index];
        let refresh_table = &mut self.refresh_table[index][perspective.index()];
        let mut seen = [0; PIECE_FEATURES.div_ceil(64)];
        for (piece, square) in position.pieces() {
            let feature = perspective.piece_feature(color, piece, square);
            seen[feature / 64] |= 1u64 << (feature % 64);
        }
        let rows = &self.network.rows[perspective.first()..][..PIECE_FEATURES];
        for (word, (&now, before)) in seen.iter().zip(&mut refresh_table.seen).enumerate() {
            let mut changed = now ^ *before;
            while changed != 0 {
                let bit = changed & changed.wrapping_neg();
                let row = &rows[64 * word + bit.trailing_zeros() as usize];
                if now & bit != 0 {
                    refresh_table.values.add(row)
                } else {
                    refresh_table.values.remove(row)
                }
                changed ^= bit;
            }
            *before = now;
        }
        entry.values[index] = refresh_table.values;
        entry.computed[index] = true;
    }

    /// Goes on to a position after `change`.
    #[inline]
    fn push(&mut self, change: Option<Change>) {
        let AccumulatorEntry { mut mirror_balance, mut kings, mut perspectives, .. } = self.entries[self.top];
        if let Some(Change { piece, from, to, placed, captured }) = change {
            let before = mirror_balance;
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
            let values = [Vector::ZERO; 2];
            self.entries.push(AccumulatorEntry {
                change,
                mirror_balance,
                kings,
                perspectives,
                values,
                computed: [false; 2],
            });
        } else {
            let entry = &mut self.entries[self.top];
            (entry.change, entry.mirror_balance, entry.kings, entry.perspectives) =
                (change, mirror_balance, kings, perspectives);
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
