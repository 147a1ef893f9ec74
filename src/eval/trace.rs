//! The terms of an evaluation as values, for a display of the evaluation.

use super::accumulator::AccumulatorStack;
use super::classical;
use super::damping::Damping;
use super::evaluator::{Evaluator, material_of};
use super::knowledge::Knowledge;
use super::network::Network;
use super::piece_square::PieceSquareSum;
use super::tapered::Tapered;
use crate::position::{Position, PositionBuilder};
use crate::rules::Rules;
use crate::types::{Color, Piece, PieceType, Score, Square};
use std::sync::Arc;

/// The terms that add up to the evaluation of a position; all scores Red minus Black, in engine units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalTerms {
    /// Material or piece-square values, by piece type.
    pub piece_types: [(PieceType, Tapered); PieceType::COUNT],
    /// The groups of classical terms with their names, none but with [`Knowledge::Medium`].
    pub classical: Vec<(&'static str, Tapered)>,
    /// The phase at which the above are interpolated: 0 (late) to [`super::tapered::FULL_PHASE`] (early).
    pub phase: i32,
    /// The output of the network, with [`Knowledge::Large`].
    pub network: Option<Score>,
    /// The fraction of the score left by damping towards the move limit, as numerator and denominator; none with
    /// [`Knowledge::None`].
    pub damping: Option<(Score, Score)>,
    /// The sides without attacking pieces, which cannot have a winning score; empty where that is not evaluated.
    pub cannot_win: Vec<Color>,
    /// The evaluation that the terms add up to.
    pub score: Score,
    /// The pieces, each with the part of `score` that is lost without it; `None` where the rest is no playable position, as
    /// without a king.
    pub pieces: Vec<(Piece, Square, Option<Score>)>,
}

impl EvalTerms {
    /// The terms of `position`; the arguments are those of [`super::Evaluator::new`].
    pub fn of(knowledge: Knowledge, network: &Arc<Network>, rules: &Rules, position: &Position) -> EvalTerms {
        let piece_types = PieceType::ALL.map(|kind| {
            let material = material_of(kind, position) as i16;
            let score = match knowledge {
                Knowledge::None => Tapered::new(material, material),
                _ => piece_square_of(kind, position),
            };
            (kind, score)
        });
        let mut evaluator = Evaluator::new(knowledge, network, rules);
        let mut evaluate = |position: &Position| position.side().sign() * evaluator.evaluate(position);
        let score = evaluate(position);
        let classical = if knowledge == Knowledge::Medium { classical::parts(position) } else { Vec::new() };
        let network = (knowledge == Knowledge::Large)
            .then(|| position.side().sign() * AccumulatorStack::new(Arc::clone(network)).evaluate(position));
        let phase = PieceSquareSum::of(position).phase();
        let is_clamped = matches!(knowledge, Knowledge::Medium | Knowledge::Large);
        let cannot_win = |color: &Color| is_clamped && !position.has_attacking_pieces(*color);
        let pieces = position.pieces().map(|(piece, square)| {
            let rest = PositionBuilder::from(position).set(square, None).build();
            (piece, square, rest.ok().map(|rest| score - evaluate(&rest)))
        });
        EvalTerms {
            piece_types,
            classical,
            phase,
            network,
            damping: (knowledge != Knowledge::None).then(|| Damping::new(rules).fraction(position)),
            cannot_win: Color::ALL.into_iter().filter(cannot_win).collect(),
            score,
            pieces: pieces.collect(),
        }
    }
}

/// Sum of the piece-square values of one piece type.
fn piece_square_of(kind: PieceType, position: &Position) -> Tapered {
    let mut sum = PieceSquareSum::default();
    let pieces = position.pieces().filter(|(piece, _)| piece.piece_type() == kind);
    pieces.for_each(|(piece, square)| sum.add(piece, square));
    sum.score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_add_up_to_the_evaluation() {
        let network = Network::built_in();
        let rules = Rules::default();
        for fen in crate::test_data::fens().map(|fen| fen.replace(" 0 1", " 60 31")) {
            let position = Position::from_fen(&fen).unwrap();
            for knowledge in Knowledge::ALL {
                let terms = EvalTerms::of(knowledge, &network, &rules, &position);
                let mut sum = Tapered::default();
                terms.piece_types.iter().for_each(|&(_, score)| sum += score);
                terms.classical.iter().for_each(|&(_, score)| sum += score);
                let mut score = sum.interpolate(terms.phase) + terms.network.unwrap_or_default();
                if terms.cannot_win.iter().any(|color| color.sign() * score > 0) {
                    score = 0;
                }
                let (numerator, denominator) = terms.damping.unwrap_or((1, 1));
                assert_eq!(terms.score, score * numerator / denominator, "{knowledge:?} {fen}");
            }
        }
    }
}
