//! The evaluation of a position.

use super::accumulator::AccumulatorStack;
use super::classical;
use super::damping::Damping;
use super::knowledge::Knowledge;
use super::network::Network;
use super::piece_square::{PieceSquareSum, piece_square_score};
use super::tapered::Tapered;
use crate::position::{Position, piece_value};
use crate::rules::Rules;
use crate::types::{Color, PieceType, Score};
use std::sync::Arc;

/// Greatest absolute value of an evaluation; well below the scores of decided games.
const MAX_EVAL: Score = 15_000;

/// Evaluates positions. What it computed for one position makes the next one cheaper if few moves lie between.
#[derive(Clone)]
pub struct Evaluator {
    backend: Backend,
    damping: Damping,
}

/// What is evaluated.
#[derive(Clone)]
enum Backend {
    Material,
    PieceSquare,
    /// Piece-square tables and the terms of the classical evaluation.
    Classical(classical::Cache),
    /// Piece-square tables and the network.
    Network(Box<AccumulatorStack>),
}

impl Evaluator {
    /// An evaluator that damps scores towards the move limit of `rules`. Only [`Knowledge::Large`] uses `network`.
    pub fn new(knowledge: Knowledge, network: &Arc<Network>, rules: &Rules) -> Evaluator {
        let backend = match knowledge {
            Knowledge::None => Backend::Material,
            Knowledge::Small => Backend::PieceSquare,
            Knowledge::Medium => Backend::Classical(classical::Cache::new()),
            Knowledge::Large => Backend::Network(Box::new(AccumulatorStack::new(Arc::clone(network)))),
        };
        Evaluator { backend, damping: Damping::new(rules) }
    }

    /// The evaluation of `position` for the side to move, damped, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.raw_eval(position);
        self.damped(score, position)
    }

    /// The evaluation without damping: it depends only on the board and the side to move, so it can be stored by
    /// position key.
    pub fn raw_eval(&mut self, position: &Position) -> Score {
        let sign = position.side().sign();
        let score = match &mut self.backend {
            Backend::Material => material(position),
            Backend::PieceSquare => piece_square_score(position),
            Backend::Classical(cache) => {
                let score = PieceSquareSum::of(position).tapered_score(cache.balance(position));
                clamp_to_winnable(score, position)
            }
            Backend::Network(accumulators) => {
                let (network, piece_square) = accumulators.evaluate_with_piece_square(position);
                debug_assert_eq!(piece_square, PieceSquareSum::of(position));
                clamp_to_winnable(piece_square.tapered_score(Tapered::default()) + sign * network, position)
            }
        };
        sign * score.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// A raw evaluation damped towards the move limit, unchanged with [`Knowledge::None`].
    #[inline]
    pub fn damped(&self, score: Score, position: &Position) -> Score {
        if matches!(self.backend, Backend::Material) { score } else { self.damping.apply(score, position) }
    }
}

/// Material of all piece types, Red minus Black.
fn material(position: &Position) -> Score {
    PieceType::ALL.into_iter().map(|kind| material_of(kind, position)).sum()
}

/// Material of one piece type, Red minus Black.
pub(super) fn material_of(kind: PieceType, position: &Position) -> Score {
    let count = |color| position.count(color, kind) as Score;
    (count(Color::Red) - count(Color::Black)) * piece_value(kind)
}

/// Clamps a score for Red so that a side without attacking pieces has no winning score: it cannot win (unless it
/// promotes, in the promotion variant).
pub(super) fn clamp_to_winnable(score: Score, position: &Position) -> Score {
    let min = if position.has_attacking_pieces(Color::Black) { Score::MIN } else { 0 };
    let max = if position.has_attacking_pieces(Color::Red) { Score::MAX } else { 0 };
    score.clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(knowledge: Knowledge, position: &Position) -> Score {
        Evaluator::new(knowledge, &Network::built_in(), &Rules::default()).evaluate(position)
    }

    #[test]
    fn evaluation_is_color_symmetric() {
        for fen in crate::test_data::fens() {
            let position = Position::from_fen(fen).unwrap();
            for knowledge in Knowledge::ALL {
                let flipped = evaluate(knowledge, &position.color_flipped());
                assert_eq!(evaluate(knowledge, &position), flipped, "{knowledge:?} {fen}");
            }
        }
    }

    #[test]
    fn incremental_updates_equal_a_fresh_evaluation() {
        for knowledge in Knowledge::ALL {
            let mut position = Position::start();
            let mut evaluator = Evaluator::new(knowledge, &Network::built_in(), &Rules::default());
            let first = evaluator.evaluate(&position);
            let mut number = 7;
            for _ in 0..200 {
                let legal = position.legal_moves();
                number = number * 31 % 1_009;
                let Some(mv) = legal.get(number % legal.len().max(1)) else { break };
                position.make(mv);
                assert_eq!(evaluator.evaluate(&position), evaluate(knowledge, &position), "{knowledge:?}");
            }
            while position.plies() > 0 {
                position.undo();
            }
            assert_eq!(evaluator.evaluate(&position), first);
        }
    }

    #[test]
    fn a_side_without_attacking_pieces_has_no_winning_score() {
        for knowledge in [Knowledge::Medium, Knowledge::Large] {
            let evaluate = |fen| evaluate(knowledge, &Position::from_fen(fen).unwrap());
            assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3p w - - 0 1") <= 0);
            assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3R w - - 0 1") > 500);
        }
    }

    #[test]
    fn evaluation_is_damped_towards_the_move_limit_of_the_rules() {
        let at = |quiet_plies: u32, move_limit: u32| {
            let fen = format!("3k5/9/9/9/p8/9/R8/9/9/4K4 w - - {quiet_plies} 100");
            let position = Position::from_fen(&fen).unwrap();
            let rules = Rules { move_limit, ..Rules::default() };
            Evaluator::new(Knowledge::Large, &Network::built_in(), &rules).evaluate(&position)
        };
        assert!(at(0, 60) > 500);
        assert_eq!(at(60, 60), at(0, 60) / 2);
        assert_eq!(at(60, 120), at(0, 120) * 3 / 4);
        assert_eq!(at(60, 60), at(120, 120));
    }
}
