//! Texel tuning of the piece-square tables (PSQT).
//!
//! A network file holds the checksum of the piece-square tables it was trained with, and the engine refuses it with
//! others: new tables need newly trained networks, the built-in one included.

use super::{FeatureCounts, TaperedRegression, TaperedWeights, nonzero};
use crate::eval::piece_square::{PIECE_SQUARE, PieceSquareSum};
use crate::position::Position;
use crate::types::{Color, Piece, PieceSquare, PieceType, Square};
use std::fmt::Write;

const RANKS: usize = Square::RANKS as usize;
/// Files a to e; files f to i share their weights.
const FILES: usize = 5;
/// Weights of one piece type.
const SQUARES: usize = RANKS * FILES;

/// A regression of the piece-square tables, starting from the tables in use.
pub(crate) fn regression() -> TaperedRegression {
    TaperedRegression::new(current_tables(), features)
}

/// The weights of the tables in use, by piece type, rank from 9 to 0 and file from a to e.
fn current_tables() -> TaperedWeights {
    let weight = |index: usize| {
        let (rank, file) = (RANKS - 1 - index % SQUARES / FILES, index % FILES);
        let piece = Piece::new(Color::Red, PieceType::ALL[index / SQUARES]);
        let value = PIECE_SQUARE[PieceSquare::new(piece, Square::new(file as u8, rank as u8)).index()];
        [value.early() as f32, value.late() as f32]
    };
    (0..PieceType::COUNT * SQUARES).map(weight).collect()
}

/// The weight of a piece on a square; [`current_tables`] has the order.
fn weight_index(piece: Piece, square: Square) -> usize {
    let square = if piece.color() == Color::Red { square } else { square.flipped() };
    let (rank, file) = (square.rank() as usize, square.file() as usize);
    piece.piece_type().index() * SQUARES + (RANKS - 1 - rank) * FILES + file.min(8 - file)
}

fn features(position: &Position) -> (f32, i32, FeatureCounts) {
    let mut counts = [0i8; PieceType::COUNT * SQUARES];
    for (piece, square) in position.pieces() {
        counts[weight_index(piece, square)] += piece.color().sign() as i8;
    }
    (0.0, PieceSquareSum::of(position).phase(), nonzero(&counts))
}

/// The weights as the tables in `eval/piece_square.rs`.
pub(crate) fn to_source(weights: &TaperedWeights) -> String {
    let mut text = String::new();
    for (kind, table) in PieceType::ALL.into_iter().zip(weights.chunks(SQUARES)) {
        let _ = writeln!(text, "    // {kind:?}\n    PieceTable {{");
        for (half, name) in ["early", "late"].into_iter().enumerate() {
            let _ = writeln!(text, "        {name}: [");
            for rank in table.chunks(FILES) {
                let values = rank.iter().map(|value| format!("{:4}", value[half].round() as i16));
                let _ = writeln!(text, "            [{}],", values.collect::<Vec<_>>().join(", "));
            }
            text.push_str("        ],\n");
        }
        text.push_str("    },\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::piece_square::piece_square_score;
    use crate::training::texel::tests::random_game;
    use crate::types::Score;

    /// What this test adds to the tables in use.
    fn perturbation(index: usize) -> i32 {
        (index as i32 * 37 + 11) % 81 - 40
    }

    fn perturbed_score(position: &Position) -> Score {
        let perturbation =
            |(piece, square): (Piece, Square)| piece.color().sign() * perturbation(weight_index(piece, square));
        piece_square_score(position) + position.pieces().map(perturbation).sum::<i32>()
    }

    #[test]
    fn current_tables_are_printed_as_in_the_source() {
        let source = include_str!("../../eval/piece_square.rs");
        assert!(source.contains(&to_source(&current_tables())));
    }

    #[test]
    fn regression_evaluates_like_the_tables() {
        let fens = include_str!("../../../tests/data/perft.txt").lines().filter(|line| !line.starts_with('#'));
        for fen in fens.map(|line| line.split(';').next().unwrap().trim()) {
            let position = Position::from_fen(fen).unwrap();
            let (base, phase, counts) = features(&position);
            let tables = current_tables();
            let sum = |half: usize| -> f32 {
                counts.iter().map(|&(index, count)| f32::from(count) * tables[index as usize][half]).sum()
            };
            let score = base + (sum(0) * phase as f32 + sum(1) * (32 - phase) as f32) / 32.0;
            assert!((score - piece_square_score(&position) as f32).abs() < 1.0, "{fen}");
        }
    }

    #[test]
    fn perturbed_tables_are_recovered_from_synthetic_scores() {
        let mut regression = regression();
        (0..200).for_each(|number| regression.add(&random_game(number, perturbed_score), 0.0).unwrap());
        let mut losses = Vec::new();
        let weights = regression.fit(200, 1, &mut |loss| losses.push(loss));
        assert!(losses[199] < 0.02 * losses[0], "{} {}", losses[0], losses[199]);
        // The mean distance from the perturbed tables, weighted by how often a weight occurs, at a typical phase.
        let tables = current_tables();
        let (mut before, mut after) = (0.0, 0.0);
        for &(index, _) in regression.samples.iter().flat_map(|sample| &sample.counts) {
            let at = |weights: &TaperedWeights| 0.9 * weights[index as usize][0] + 0.1 * weights[index as usize][1];
            let wanted = at(&tables) + perturbation(index as usize) as f32;
            before += (at(&tables) - wanted).abs();
            after += (at(&weights) - wanted).abs();
        }
        assert!(after < 0.4 * before, "{before} {after}");
        // Weights of squares that no piece reaches stay as they are.
        let pawn_on_first_rank = weight_index(Piece::new(Color::Red, PieceType::Pawn), Square::new(0, 0));
        assert_eq!(weights[pawn_on_first_rank], tables[pawn_on_first_rank]);
    }
}
