//! The evaluation of a position, updated move by move.

use super::accumulator::AccumulatorStack;
use super::classical;
use super::damping::Damping;
use super::knowledge::Knowledge;
use super::network::Network;
use super::piece_square::PieceSquareSum;
use super::tapered::Tapered;
use crate::position::{Change, Observer, Position, piece_value};
use crate::rules::Rules;
use crate::types::{Color, PieceType, Score};
use std::sync::Arc;

/// Greatest absolute value of an evaluation; well below the scores of decided games.
const MAX_EVAL: Score = 15_000;

/// The static evaluation of a position that it observes.
#[derive(Clone)]
pub struct Evaluator {
    piece_square: PieceSquareSum,
    /// The sums before each move made, oldest first.
    previous: Vec<PieceSquareSum>,
    backend: Backend,
    damping: Damping,
}

/// What is evaluated beyond the piece-square tables.
#[derive(Clone)]
enum Backend {
    /// Material instead of piece-square tables.
    Material,
    PieceSquare,
    Classical(classical::Cache),
    Network(AccumulatorStack),
}

impl Evaluator {
    /// An evaluator of `position` that damps scores towards the move limit of `rules`. Only [`Knowledge::Large`] uses
    /// `network`.
    pub fn new(knowledge: Knowledge, network: &Arc<Network>, rules: &Rules, position: &Position) -> Evaluator {
        let backend = match knowledge {
            Knowledge::None => Backend::Material,
            Knowledge::Small => Backend::PieceSquare,
            Knowledge::Medium => Backend::Classical(classical::Cache::new()),
            Knowledge::Large => Backend::Network(AccumulatorStack::new(Arc::clone(network), position)),
        };
        Evaluator {
            piece_square: PieceSquareSum::of(position),
            previous: Vec::with_capacity(256),
            backend,
            damping: Damping::new(rules),
        }
    }

    /// The evaluation of the observed `position` for the side to move, damped, in engine units.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.raw_eval(position);
        self.damped(score, position)
    }

    /// The evaluation without damping: it depends only on the board and the side to move, so it can be stored by
    /// position key.
    pub fn raw_eval(&mut self, position: &Position) -> Score {
        debug_assert_eq!(self.piece_square, PieceSquareSum::of(position));
        let sign = position.side().sign();
        let score = match &mut self.backend {
            Backend::Material => material(position),
            Backend::PieceSquare => self.piece_square.tapered_score(Tapered::default()),
            Backend::Classical(cache) => {
                clamp_to_winnable(self.piece_square.tapered_score(cache.balance(position)), position)
            }
            Backend::Network(accumulators) => {
                let network = sign * accumulators.evaluate(position);
                clamp_to_winnable(self.piece_square.tapered_score(Tapered::default()) + network, position)
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

impl Observer for Evaluator {
    #[inline]
    fn made(&mut self, change: Change) {
        self.previous.push(self.piece_square);
        self.piece_square.remove(change.piece, change.from);
        self.piece_square.add(change.placed, change.to);
        if let Some(captured) = change.captured {
            self.piece_square.remove(captured, change.to);
        }
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.made(change);
        }
    }

    #[inline]
    fn passed(&mut self) {
        self.previous.push(self.piece_square);
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.passed();
        }
    }

    #[inline]
    fn undone(&mut self) {
        self.piece_square = self.previous.pop().expect("invariant: undone follows made");
        if let Backend::Network(accumulators) = &mut self.backend {
            accumulators.undone();
        }
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
        Evaluator::new(knowledge, &Network::built_in(), &Rules::default(), position).evaluate(position)
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
            let mut evaluator = Evaluator::new(knowledge, &Network::built_in(), &Rules::default(), &position);
            let first = evaluator.evaluate(&position);
            let mut number = 7;
            for _ in 0..200 {
                let legal = position.legal_moves();
                number = number * 31 % 1_009;
                let Some(mv) = legal.get(number % legal.len().max(1)) else { break };
                position.make(mv, &mut evaluator);
                assert_eq!(evaluator.evaluate(&position), evaluate(knowledge, &position), "{knowledge:?}");
            }
            while position.plies() > 0 {
                position.undo(&mut evaluator);
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
            Evaluator::new(Knowledge::Large, &Network::built_in(), &rules, &position).evaluate(&position)
        };
        assert!(at(0, 60) > 500);
        assert_eq!(at(60, 60), at(0, 60) / 2);
        assert_eq!(at(60, 120), at(0, 120) * 3 / 4);
        assert_eq!(at(60, 60), at(120, 120));
    }
}
