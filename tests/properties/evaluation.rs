//! The static evaluation of all grades of knowledge: symmetric, and independent of how the position came about.

use super::walk::{Symmetry, Walk, check, walks};
use chuhe::Network;
use chuhe::eval::{Evaluator, Knowledge};
use chuhe::position::Position;
use chuhe::rules::Rules;
use chuhe::types::Score;

fn evaluate(knowledge: Knowledge, position: &Position) -> Score {
    Evaluator::new(knowledge, &Network::built_in(), &Rules::default()).evaluate(position)
}

/// For the side to move, so that an exchange of colors changes nothing.
#[test]
fn evaluation_is_symmetric() {
    check(192, walks(80), |walk| {
        let position = walk.end();
        for (knowledge, symmetry) in Knowledge::ALL.iter().flat_map(|&grade| Symmetry::ALL.map(|form| (grade, form))) {
            let scores = [&position, &symmetry.position(&position)].map(|position| evaluate(knowledge, position));
            assert_eq!(scores[0], scores[1], "{knowledge:?} {symmetry:?} {}", position.to_fen());
        }
    });
}

#[test]
fn evaluation_does_not_depend_on_the_way() {
    check(64, walks(80), |walk: Walk| {
        for knowledge in Knowledge::ALL {
            let mut position = walk.start();
            let mut evaluator = Evaluator::new(knowledge, &Network::built_in(), &Rules::default());
            let mut scores = vec![evaluator.evaluate(&position)];
            for (ply, mv) in walk.moves().into_iter().enumerate() {
                position.make(mv);
                // Accumulators are updated when they are needed: now, or several moves at once.
                if ply % 3 == 0 {
                    evaluator.evaluate(&position);
                }
                scores.push(evaluate(knowledge, &position));
            }
            while let Some(expected) = scores.pop() {
                assert_eq!(evaluator.evaluate(&position), expected, "{knowledge:?} {}", position.to_fen());
                if !scores.is_empty() {
                    position.undo();
                }
            }
        }
    });
}
