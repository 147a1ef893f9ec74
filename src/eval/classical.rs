//! Classical evaluation: the weights of the terms of [`super::classical_terms`], and a cache of their sums.

use super::classical_terms::{GROUPS, TERMS, count};
use super::tapered::Tapered;
use crate::position::Position;
use crate::types::Color;

/// Number of cache entries.
const CACHE_SIZE: usize = 1 << 14;

/// An evaluation cache: [`balance`] by position key.
#[derive(Clone)]
pub(crate) struct Cache {
    /// The upper half of the position key, and the balance in the lower half.
    slots: Box<[u64]>,
}

impl Cache {
    /// An empty cache.
    pub(crate) fn new() -> Cache {
        Cache { slots: vec![0; CACHE_SIZE].into() }
    }

    /// [`balance`], cached.
    pub(crate) fn balance(&mut self, position: &Position) -> Tapered {
        let key = position.key();
        let slot = &mut self.slots[key as usize % CACHE_SIZE];
        if *slot ^ key > u64::from(u32::MAX) {
            *slot = key & !u64::from(u32::MAX) | u64::from(balance(position).bits());
        }
        Tapered::from_bits(*slot as u32)
    }
}

/// The weighted sum of all terms of a position, Red minus Black.
pub(crate) fn balance(position: &Position) -> Tapered {
    let [mut red, mut black] = [Tapered::default(); 2];
    count(position, Color::Red, |term| red += WEIGHTS[term]);
    count(position, Color::Black, |term| black += WEIGHTS[term]);
    red -= black;
    red
}

/// The weighted sum of the terms of each group with the group's name, Red minus Black.
pub(crate) fn parts(position: &Position) -> Vec<(&'static str, Tapered)> {
    let mut parts = GROUPS.map(|group| (group.name, Tapered::default()));
    let mut add = |term: usize, color: Color| {
        let part = parts.iter_mut().zip(GROUPS).find(|(_, group)| term < group.first + group.count);
        let ((_, sum), _) = part.expect("invariant: every term has a group");
        if color == Color::Red { *sum += WEIGHTS[term] } else { *sum -= WEIGHTS[term] }
    };
    for color in Color::ALL {
        count(position, color, |term| add(term, color));
    }
    parts.into()
}

const fn s(early: i16, late: i16) -> Tapered {
    Tapered::new(early, late)
}

/// In engine units; tuned by `chuhe net texel`.
#[rustfmt::skip]
static WEIGHTS: [Tapered; TERMS] = [
    // rook mobility
    s(132, -60), s(129, -124), s(119, -69), s(114, -44), s(117, -20), s(121, 9),
    s(132, -3), s(131, 11), s(138, 7), s(133, 17), s(132, 19), s(137, 26),
    s(132, 33), s(135, 27), s(144, 25), s(141, 30), s(154, 31), s(154, 32),
    // cannon mobility
    s(-20, 2), s(-7, -17), s(10, -22), s(10, -16), s(-0, -10), s(5, -9),
    s(8, -14), s(5, -7), s(6, -10), s(8, -7), s(6, -11), s(8, -5),
    s(8, -8), s(11, -12), s(14, -8), s(8, -11), s(6, -4), s(13, -18),
    // knight mobility
    s(-51, -111), s(-22, -68), s(-27, -39), s(-15, -28), s(-13, -23), s(-1, -21),
    s(1, -17), s(19, -23), s(10, -16),
    // threats
    s(0, 0), s(6, -0), s(15, -4), s(62, 15), s(39, -30), s(60, 14),
    s(4, 16), s(0, 0), s(3, 9), s(1, 14), s(24, 53), s(0, 0),
    s(22, 55), s(-12, 28), s(0, 0), s(-4, 5), s(5, 13), s(11, 109),
    s(48, 76), s(0, 0), s(-5, 38), s(0, 0), s(82, -36), s(69, -25),
    s(149, 38), s(12, 59), s(70, 80), s(33, 9),
    // cannon and king
    s(155, -21), s(8, 39), s(8, 8), s(35, -21), s(29, 14), s(72, -59),
    // rook and king
    s(46, -17), s(-16, -0), s(2, -4), s(-40, -33),
    // attack
    s(-172, -18), s(-26, -39), s(-9, 21), s(276, -91), s(123, -97), s(32, -48),
    s(-48, -34), s(-22, -38), s(-26, 8), s(-22, -60), s(-24, -46), s(-35, -4),
    s(166, -69), s(-28, -4), s(-19, -9), s(-10, -82), s(-8, -27), s(-26, -6),
    s(125, 126), s(-69, 185), s(-31, -8), s(-14, 140), s(68, 58), s(-28, 55),
    s(143, 118), s(68, 157), s(-9, 20), s(-56, 28), s(84, 114), s(35, -21),
    s(58, 40), s(133, 93), s(24, -38), s(0, 0), s(41, 13), s(114, 17),
    // advisors
    s(-166, 6), s(-61, 71), s(132, -43), s(-3, -48), s(-24, 7), s(-23, 77),
    s(159, -27), s(-24, 17), s(-35, -37),
    // bishops
    s(964, -110), s(93, 99), s(-248, 169), s(-129, -115), s(-232, -355), s(746, -120),
    s(96, 57), s(-182, 148), s(-135, 10), s(-101, -383), s(958, -180), s(184, 14),
    s(-48, 106), s(-107, 53), s(-115, -312),
    // pawns
    s(110, -38), s(3, -28),
];
