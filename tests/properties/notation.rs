//! Notations: every legal move is read back as it was written.

use super::walk::{check, walks, walks_of_both_variants};
use chuhe::notation::{self, Notation, Ranks};
use chuhe::position::Position;
use chuhe::types::{Move, PieceType, Square};
use std::cell::Cell;

#[test]
fn every_form_of_every_legal_move_is_read_back() {
    let in_words = Cell::new(0);
    check(192, walks_of_both_variants(80), |walk| {
        let position = walk.end();
        for mv in position.legal_moves().iter() {
            for (name, notation) in Notation::NAMES {
                let text = notation.write(&position, mv);
                assert_eq!(notation::read(&position, &text), Ok(mv), "{name} {text} in {}", position.to_fen());
                assert!(mv.from() == mv.to() || notation::is_move(&text), "{name} {text}");
                in_words.set(in_words.get() + u32::from(!text.is_ascii()));
            }
            for ranks in [Ranks::FromZero, Ranks::FromOne] {
                let text = ranks.write(mv).to_string();
                let read = notation::read_with_ranks(&position, &text, ranks);
                assert_eq!(read, Ok(mv), "{text} with ranks {ranks:?} in {}", position.to_fen());
            }
        }
    });
    assert!(in_words.get() > 1_000, "{in_words:?}");
}

/// No two moves of a position are written alike.
#[test]
fn different_moves_are_written_differently() {
    check(96, walks_of_both_variants(80), |walk| {
        let position = walk.end();
        for (name, notation) in Notation::NAMES {
            let mut texts: Vec<String> =
                position.legal_moves().iter().map(|mv| notation.write(&position, mv)).collect();
            texts.sort();
            let count = texts.len();
            texts.dedup();
            assert_eq!(texts.len(), count, "{name} in {}", position.to_fen());
        }
    });
}

/// A move in standard algebraic notation, with no more of its square of origin than is needed.
fn san(position: &Position, mv: Move, ranks: Ranks) -> String {
    let square = |square: Square| {
        let coordinates = ranks.write(Move::new(square, square)).to_string();
        coordinates[..coordinates.len() / 2].to_string()
    };
    let (from, kind) = (square(mv.from()), position.piece_at(mv.from()).unwrap().piece_type());
    let sign = if position.is_capture(mv) { "x" } else { "" };
    let target = format!("{sign}{}", square(mv.to()));
    let is_same_kind = |other: &Move| position.piece_at(other.from()).unwrap().piece_type() == kind;
    let rivals: Vec<Move> =
        position.legal_moves().iter().filter(|other| other.to() == mv.to() && is_same_kind(other)).collect();
    let count = |is_alike: &dyn Fn(&&Move) -> bool| rivals.iter().filter(is_alike).count();
    if kind == PieceType::Pawn {
        let is_straight = mv.from().file() == mv.to().file();
        return if is_straight && sign.is_empty() { target } else { format!("{}{target}", &from[..1]) };
    }
    let origin = if rivals.len() == 1 {
        ""
    } else if count(&|other| other.from().file() == mv.from().file()) == 1 {
        &from[..1]
    } else if count(&|other| other.from().rank() == mv.from().rank()) == 1 {
        &from[1..]
    } else {
        &from
    };
    let letter = ["K", "A", "B", "N", "R", "C"][kind as usize];
    format!("{letter}{origin}{target}")
}

#[test]
fn standard_algebraic_notation_is_read() {
    check(192, walks(80), |walk| {
        let position = walk.end();
        for mv in position.legal_moves().iter() {
            for ranks in [Ranks::FromZero, Ranks::FromOne] {
                let check = if position.gives_check(mv) { "+" } else { "" };
                let text = format!("{}{check}", san(&position, mv, ranks));
                let read = notation::read_with_ranks(&position, &text, ranks);
                assert_eq!(read, Ok(mv), "{text} for {mv} with ranks {ranks:?} in {}", position.to_fen());
            }
        }
    });
}

/// Whatever is read is legal.
#[test]
fn texts_like_moves_give_only_legal_moves() {
    let text = "[+.=a-iA-KNPRC0-9平进進退前中后後一二三四五六七八九１２３马車炮兵卒x#-]{0,6}";
    let texts = proptest::string::string_regex(text).unwrap();
    check(2_000, (walks(40), texts), |(walk, text)| {
        let position = walk.end();
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            if let Ok(mv) = notation::read_with_ranks(&position, &text, ranks) {
                assert!(position.is_legal(mv), "{text} in {}", position.to_fen());
            }
        }
    });
}
