//! Random games, from the start position, from known positions and from sparse ones, and how properties are tried.

use crate::data::fens;
use chuhe::position::{Position, PositionBuilder, Variant};
use chuhe::types::{Color, Move, Piece, PieceType, Square};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// Tries a property: with `cases` cases that are the same each time, or with as many new ones as `PROPTEST_CASES` says.
pub fn check<S: Strategy + 'static>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    check_boxed(cases, strategy.boxed(), &property);
}

/// The same for any strategy and property of these values, so that it is compiled once for each type of values.
fn check_boxed<T: std::fmt::Debug>(cases: u32, strategy: BoxedStrategy<T>, property: &dyn Fn(T)) {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        (config.cases, config.rng_seed) = (cases, RngSeed::Fixed(33));
    }
    let tried = TestRunner::new(config).run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{error}");
    }
}

/// A game of random legal moves.
#[derive(Clone, Debug)]
pub struct Walk {
    pub fen: String,
    pub variant: Variant,
    /// The moves: of the legal moves in their order the one with this number, modulo their number.
    pub choices: Vec<u16>,
}

impl Walk {
    /// The position that the game starts from.
    pub fn start(&self) -> Position {
        let mut start = Position::from_fen(&self.fen).unwrap();
        start.set_variant(self.variant);
        start
    }

    /// The moves, up to the end of the game.
    pub fn moves(&self) -> Vec<Move> {
        let mut position = self.start();
        let moves = self.choices.iter().map_while(|&choice| {
            let mv = chosen(&position, choice)?;
            position.make(mv);
            Some(mv)
        });
        moves.collect()
    }

    /// The position after all moves.
    pub fn end(&self) -> Position {
        let mut position = self.start();
        self.moves().into_iter().for_each(|mv| position.make(mv));
        position
    }
}

/// The legal move with this number, modulo the number of legal moves.
pub fn chosen(position: &Position, choice: u16) -> Option<Move> {
    let legal = position.legal_moves();
    legal.get(usize::from(choice) % legal.len().max(1))
}

/// Games of at most `plies` moves without promotions.
pub fn walks(plies: usize) -> impl Strategy<Value = Walk> {
    let fens: Vec<String> = fens().map(String::from).collect();
    let start = prop_oneof![
        1 => Just(chuhe::START_FEN.to_string()),
        2 => prop::sample::select(fens),
        2 => sparse_fens(),
    ];
    let choices = prop::collection::vec(any::<u16>(), 0..=plies);
    (start, choices).prop_map(|(fen, choices)| Walk { fen, variant: Variant::Standard, choices })
}

/// Games of at most `plies` moves of either variant.
pub fn walks_of_both_variants(plies: usize) -> impl Strategy<Value = Walk> {
    (walks(plies), any::<bool>()).prop_map(|(walk, promotes)| Walk { variant: Variant::promoting(promotes), ..walk })
}

/// Playable positions with the kings and a few pieces on any square.
fn sparse_fens() -> impl Strategy<Value = String> {
    let kings = (0..9u8, 0..9u8);
    let piece = (any::<bool>(), 1..PieceType::COUNT, 0..90u8);
    let counters = (0..130u32, 1..200u32);
    (kings, prop::collection::vec(piece, 0..10), any::<bool>(), counters).prop_filter_map(
        "playable",
        |((red, black), pieces, is_red, (quiet_plies, number))| {
            let color = |is_red| if is_red { Color::Red } else { Color::Black };
            let mut builder = PositionBuilder::new();
            for (is_red, kind, square) in pieces {
                let piece = Piece::new(color(is_red), PieceType::ALL[kind]);
                builder.set(Square::new(square % 9, square / 9), Some(piece));
            }
            for (side, place) in [(Color::Red, red), (Color::Black, black)] {
                let rank = if side == Color::Red { place / 3 } else { 9 - place / 3 };
                builder.set(Square::new(3 + place % 3, rank), Some(Piece::new(side, PieceType::King)));
            }
            builder.side_to_move(color(is_red)).quiet_plies(quiet_plies).move_number(number);
            builder.build().ok().map(|position| position.to_fen())
        },
    )
}

/// A symmetry of the game: the board mirrored left to right, the colors exchanged, or both.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry {
    pub mirrored: bool,
    pub color_flipped: bool,
}

impl Symmetry {
    /// All but the identity.
    pub const ALL: [Symmetry; 3] = [
        Symmetry { mirrored: true, color_flipped: false },
        Symmetry { mirrored: false, color_flipped: true },
        Symmetry { mirrored: true, color_flipped: true },
    ];

    /// The image of a square.
    pub fn square(self, square: Square) -> Square {
        let square = if self.mirrored { square.mirrored() } else { square };
        if self.color_flipped { square.flipped() } else { square }
    }

    /// The image of a move.
    pub fn mv(self, mv: Move) -> Move {
        Move::new(self.square(mv.from()), self.square(mv.to()))
    }

    /// The image of a side.
    pub fn color(self, color: Color) -> Color {
        if self.color_flipped { !color } else { color }
    }

    /// The image of a position, without its history.
    pub fn position(self, position: &Position) -> Position {
        let position = if self.mirrored { position.mirrored() } else { position.clone() };
        if self.color_flipped { position.color_flipped() } else { position }
    }
}
