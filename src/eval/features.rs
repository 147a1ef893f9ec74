//! What the network sees of a board: where the own king stands, and which man stands where, as each side sees it.
//!
//! Each side looks at the board from its own end and calls the men its own and the enemy's, so that what Red learns Black
//! knows as well. Left and right are told apart by the own king: it is looked at as if it stood on file d or e. On file e
//! the [`Tilt`] of the board decides, so that mirror images look the same.

use crate::types::{Color, Kind, Piece, Square};

/// Own men and the enemy's, seven kinds of them, on 90 squares.
pub const MEN: usize = 2 * Kind::COUNT * 90;
/// Places of the own king that are told apart: at home, beside it, and further up.
const PLACES: usize = 3;
/// What can be seen: the men, for each place of the king others.
pub const FEATURES: usize = PLACES * MEN;

/// How a side looks at the board: whether with left and right exchanged, and from which place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    is_mirrored: bool,
    place: u8,
}

impl View {
    /// Number of views.
    pub const COUNT: usize = 2 * PLACES;

    /// How `color` looks at a board with its king on `king` and this tilt.
    #[inline]
    pub const fn new(color: Color, king: Square, tilt: Tilt) -> View {
        const FILE_E: usize = 7;
        let column = king.column();
        let is_home_rank = king.rank() == if matches!(color, Color::Red) { 0 } else { Square::RANKS - 1 };
        let place = match (is_home_rank, column) {
            (true, FILE_E) => 0,
            (true, _) => 1,
            (false, _) => 2,
        };
        View { is_mirrored: column > FILE_E || column == FILE_E && tilt.is_left(color), place }
    }

    /// 0 to [`View::COUNT`].
    pub const fn index(self) -> usize {
        2 * self.place as usize + self.is_mirrored as usize
    }

    /// The first of the [`MEN`] features of this view.
    #[inline]
    pub const fn first(self) -> usize {
        self.place as usize * MEN
    }

    /// Which of the [`MEN`] from the first a man on a square is to `color`.
    #[inline]
    pub fn man(self, color: Color, piece: Piece, square: Square) -> usize {
        SEEN[2 * color.index() + self.is_mirrored as usize][piece.index()][square.index()] as usize
    }

    /// Which of the [`FEATURES`] a man on a square is to `color`.
    #[inline]
    pub fn feature(self, color: Color, piece: Piece, square: Square) -> usize {
        self.first() + self.man(color, piece, square)
    }
}

/// What a man on a square is to Red, to Red mirrored, to Black and to Black mirrored.
static SEEN: [[[u16; 256]; Piece::SLOTS]; 4] = {
    let mut seen = [[[0; 256]; Piece::SLOTS]; 4];
    let mut code = 0;
    while code < Piece::SLOTS {
        if let Some(piece) = Piece::from_code(code as u8) {
            let mut place = 0;
            while place < 90 {
                let (rank, file) = (place / 9, place % 9);
                let square = Square::new(file as u8, rank as u8).index();
                let mut look = 0;
                while look < 4 {
                    let file = if look % 2 == 0 { file } else { 8 - file };
                    let rank = if look < 2 { rank } else { 9 - rank };
                    let enemy = (piece.color().index() != look / 2) as usize;
                    let man = enemy * Kind::COUNT + piece.kind().index();
                    seen[look][piece.index()][square] = (man * 90 + rank * 9 + file) as u16;
                    look += 1;
                }
                place += 1;
            }
        }
        code += 1;
    }
    seen
};

/// How much the men of a board tilt it to the right, to Red and to Black.
///
/// Mirrored, they tilt it as much to the left. Men that move rarely weigh most, so that it rarely changes sides; and the own
/// men weigh a little more than the enemy's, for else a board that looks to Red as its mirror image looks to Black would not
/// be tilted at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tilt([i32; 2]);

impl Tilt {
    /// Of all men on a board.
    pub fn of(men: impl Iterator<Item = (Piece, Square)>) -> Tilt {
        let mut tilt = Tilt::default();
        men.for_each(|(piece, square)| tilt.add(piece, square));
        tilt
    }

    /// A man comes.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        let tilt = TILT[piece.index()][square.index()];
        self.0[0] += tilt[0];
        self.0[1] += tilt[1];
    }

    /// A man goes.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        let tilt = TILT[piece.index()][square.index()];
        self.0[0] -= tilt[0];
        self.0[1] -= tilt[1];
    }

    /// Whether it is to the left, as `color` sees it.
    #[inline]
    pub const fn is_left(self, color: Color) -> bool {
        self.0[color.index()] < 0
    }
}

/// By man and square, to Red and to Black.
static TILT: [[[i32; 2]; 256]; Piece::SLOTS] = {
    const WEIGHT: [i32; Kind::COUNT] = [1 << 8, 1 << 14, 1 << 13, 1 << 11, 1 << 9, 1 << 10, 1 << 12];
    // By files from the middle: sizes that do not cancel, or three men on one rank could balance.
    const ASIDE: [i32; 5] = [0, 16, 37, 61, 90];
    const OWN: i32 = 17;
    const ENEMY: i32 = 16;
    let mut tilt = [[[0; 2]; 256]; Piece::SLOTS];
    let mut kind = 0;
    while kind < Kind::COUNT {
        let mut place = 0;
        while place < 90 {
            let (rank, file) = (place / 9, place % 9);
            let aside = if file < 4 { -ASIDE[4 - file] } else { ASIDE[file - 4] };
            // And by ranks, a little: two men of a kind on opposite wings balance only on the same rank.
            let size = aside * (WEIGHT[kind] + [23, 37, 71, 13, 59, 29, 83, 47, 5, 97][rank]);
            let red = Square::new(file as u8, rank as u8);
            let kind = Kind::ALL[kind];
            tilt[Piece::new(Color::Red, kind).index()][red.index()] = [OWN * size, ENEMY * size];
            tilt[Piece::new(Color::Black, kind).index()][red.flipped().index()] = [ENEMY * size, OWN * size];
            place += 1;
        }
        kind += 1;
    }
    tilt
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use std::collections::BTreeSet;

    /// What both sides see, the side to move first.
    fn seen(men: &[(Piece, Square)], side: Color) -> [BTreeSet<usize>; 2] {
        let tilt = Tilt::of(men.iter().copied());
        [side, !side].map(|color| {
            let is_king = |&&(piece, _): &&(Piece, Square)| piece == Piece::new(color, Kind::King);
            let view = View::new(color, men.iter().find(is_king).unwrap().1, tilt);
            men.iter().map(|&(piece, square)| view.feature(color, piece, square)).collect()
        })
    }

    #[test]
    fn positions_alike_look_alike_and_others_do_not() {
        let fens = include_str!("../../tests/data/perft.txt").lines().filter(|line| !line.starts_with('#'));
        let mut views = BTreeSet::new();
        let mut boards = BTreeSet::new();
        for fen in fens.map(|line| line.split(';').next().unwrap().trim()) {
            let position = Position::from_fen(fen).unwrap();
            let men: Vec<_> = position.men().collect();
            let mirrored: Vec<_> = men.iter().map(|&(piece, square)| (piece, square.mirrored())).collect();
            let exchange =
                |&(piece, square): &(Piece, Square)| (Piece::new(!piece.color(), piece.kind()), square.flipped());
            let exchanged: Vec<_> = men.iter().map(exchange).collect();
            let look = seen(&men, position.side());
            assert!(look.iter().all(|rows| rows.len() == men.len() && rows.iter().all(|&row| row < FEATURES)));
            assert_eq!(look, seen(&mirrored, position.side()), "{fen}");
            assert_eq!(look, seen(&exchanged, !position.side()), "{fen}");
            let alike = [&men, &mirrored].map(|men| seen_as_text(men, position.side()));
            boards.insert(alike.into_iter().min().unwrap());
            views.insert(look);
        }
        assert_eq!(views.len(), boards.len());
    }

    #[test]
    fn the_king_is_told_apart_by_its_place_and_sides_alike() {
        let place = |color, king: Square| View::new(color, king, Tilt::default()).place;
        let places = [(4, 0), (3, 0), (3, 1), (5, 0), (5, 2)].map(|(file, rank)| {
            let king = Square::new(file, rank);
            assert_eq!(place(Color::Red, king), place(Color::Black, king.flipped()));
            place(Color::Red, king)
        });
        assert_eq!(places, [0, 1, 2, 1, 2]);
    }

    /// The board as the side to move sees it.
    fn seen_as_text(men: &[(Piece, Square)], side: Color) -> String {
        let mut words: Vec<String> = men
            .iter()
            .map(|(piece, square)| {
                let square = if side == Color::Red { *square } else { square.flipped() };
                format!("{}{:?}{square}", piece.color() == side, piece.kind())
            })
            .collect();
        words.sort();
        words.concat()
    }
}
