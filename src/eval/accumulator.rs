//! What both sides see, kept up to date from move to move.

use super::features::{MEN, Tilt, View};
use super::network::{Network, Path, Row};
use crate::position::{Change, Observer, Position};
use crate::types::{Color, Kind, Score, Square};
use std::sync::Arc;

/// The first layer of the network after each move of the line the search is on. Worked out when it is asked for: from the
/// last position in which it is known, if the king's view has not changed since, else from the last position seen with this
/// view, whatever line that was on.
#[derive(Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    path: Path,
    /// Positions since the one looked at afresh, the present one at `top`; what lies beyond was taken back.
    plies: Vec<Ply>,
    top: usize,
    /// By side and view.
    last: Box<[[Last; View::COUNT]; 2]>,
}

/// One position.
#[derive(Clone)]
struct Ply {
    /// What led here; nothing for a null move.
    change: Option<Change>,
    tilt: Tilt,
    kings: [Square; 2],
    views: [View; 2],
    /// What each side sees, if `known`.
    values: [Row; 2],
    known: [bool; 2],
}

/// The last position seen with a view.
#[derive(Clone)]
struct Last {
    values: Row,
    /// The features it was made of, counted from the view's first: bits.
    seen: [u64; MEN.div_ceil(64)],
}

impl Accumulators {
    /// Begins with `position`.
    pub fn new(network: Arc<Network>, position: &Position) -> Accumulators {
        let last = Last { values: network.bias, seen: [0; MEN.div_ceil(64)] };
        let tilt = Tilt::of(position.men());
        let kings = Color::ALL.map(|color| position.king(color));
        let views = Color::ALL.map(|color| View::new(color, kings[color.index()], tilt));
        let root = Ply { change: None, tilt, kings, views, values: [network.bias; 2], known: [false; 2] };
        let last = Box::new(std::array::from_fn(|_| std::array::from_fn(|_| last.clone())));
        Accumulators { network, path: Path::best(), plies: vec![root], top: 0, last }
    }

    /// What `position`, the one observed, is worth to the side to move beyond material and placement, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.prepare(position);
        let side = position.side();
        let values = &self.plies[self.top].values;
        let men = Color::ALL.map(|color| position.living(color).count_ones());
        self.network.evaluate(self.path, &values[side.index()], &values[side.other().index()], men[0] + men[1])
    }

    /// Works out all that [`evaluate`](Accumulators::evaluate) needs of `position`, the present one, but the last layers.
    pub fn prepare(&mut self, position: &Position) {
        for color in Color::ALL {
            self.know(color, position);
        }
    }

    /// Makes what `color` sees of `position`, the present one, known.
    fn know(&mut self, color: Color, position: &Position) {
        let index = color.index();
        let view = self.plies[self.top].views[index];
        let mut from = self.top;
        while !self.plies[from].known[index] {
            if from == 0 || self.plies[from - 1].views[index] != view {
                return self.look_again(color, position);
            }
            from -= 1;
        }
        for ply in from + 1..=self.top {
            let (before, after) = self.plies.split_at_mut(ply);
            let (before, after) = (&before[ply - 1], &mut after[0]);
            let (values, target) = (&before.values[index], &mut after.values[index]);
            let row = |piece, square| &self.network.rows[view.feature(color, piece, square)];
            match after.change {
                None => *target = *values,
                Some(Change { piece, from, to, placed, captured: None }) => {
                    self.path.moved(target, values, row(placed, to), row(piece, from));
                }
                Some(Change { piece, from, to, placed, captured: Some(captured) }) => {
                    self.path.captured(target, values, row(placed, to), row(piece, from), row(captured, to));
                }
            }
            after.known[index] = true;
        }
    }

    /// Works out what `color` sees from the last position seen with its view.
    fn look_again(&mut self, color: Color, position: &Position) {
        let index = color.index();
        let ply = &mut self.plies[self.top];
        let view = ply.views[index];
        let last = &mut self.last[index][view.index()];
        let mut seen = [0; MEN.div_ceil(64)];
        for (piece, square) in position.men() {
            let man = view.man(color, piece, square);
            seen[man / 64] |= 1u64 << (man % 64);
        }
        let rows = &self.network.rows[view.first()..][..MEN];
        for (word, (&now, before)) in seen.iter().zip(&mut last.seen).enumerate() {
            let mut changed = now ^ *before;
            while changed != 0 {
                let bit = changed & changed.wrapping_neg();
                let row = &rows[64 * word + bit.trailing_zeros() as usize];
                if now & bit != 0 {
                    last.values.add(row)
                } else {
                    last.values.remove(row)
                }
                changed ^= bit;
            }
            *before = now;
        }
        ply.values[index] = last.values;
        ply.known[index] = true;
    }

    /// Goes on to a position after `change`.
    #[inline]
    fn push(&mut self, change: Option<Change>) {
        let Ply { mut tilt, mut kings, mut views, .. } = self.plies[self.top];
        if let Some(Change { piece, from, to, placed, captured }) = change {
            let before = tilt;
            tilt.remove(piece, from);
            tilt.add(placed, to);
            if let Some(captured) = captured {
                tilt.remove(captured, to);
            }
            let king_moved = piece.kind() == Kind::King;
            if king_moved {
                kings[piece.color().index()] = to;
            }
            if king_moved || Color::ALL.into_iter().any(|color| before.is_left(color) != tilt.is_left(color)) {
                views = Color::ALL.map(|color| View::new(color, kings[color.index()], tilt));
            }
        }
        self.top += 1;
        if self.top == self.plies.len() {
            let values = [Row::ZERO; 2];
            self.plies.push(Ply { change, tilt, kings, views, values, known: [false; 2] });
        } else {
            let ply = &mut self.plies[self.top];
            (ply.change, ply.tilt, ply.kings, ply.views) = (change, tilt, kings, views);
            ply.known = [false; 2];
        }
    }
}

impl Observer for Accumulators {
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
