//! Answers of the Xiangqi Cloud Database: all moves are legal, no text can command a terminal.

use chuhe::cloud::answer::{self, CloudAnswer, MAX_SCORE};
use chuhe::cloud::query::CloudAction;
use chuhe::position::Position;

/// Checks the bytes as the answer to each query, about the start position.
pub fn check(data: &[u8]) {
    let position = Position::start();
    for (_, action) in CloudAction::NAMES {
        match answer::read(data, action, &position) {
            Ok(CloudAnswer::Moves(moves)) => {
                assert!(!moves.is_empty());
                for (index, known) in moves.iter().enumerate() {
                    assert!(position.is_legal(known.mv) && moves[..index].iter().all(|other| other.mv != known.mv));
                    assert!(!known.note.contains(char::is_control) && known.score.is_none_or(is_score));
                }
            }
            Ok(CloudAnswer::Choice(_, moves)) => {
                assert!(!moves.is_empty() && moves.iter().all(|&mv| position.is_legal(mv)));
            }
            Ok(CloudAnswer::Line { score, pv, .. }) => {
                assert!(is_score(score));
                let mut position = position.clone();
                for mv in pv {
                    assert!(position.is_legal(mv));
                    position.make(mv);
                }
            }
            Ok(CloudAnswer::Score(score)) => assert!(is_score(score)),
            Ok(CloudAnswer::Queued) => assert_eq!(action, CloudAction::Queue),
            // What is unexpected is quoted, so that it cannot command a terminal.
            Err(error) => assert!(!error.to_string().contains(char::is_control)),
        }
    }
}

fn is_score(score: i32) -> bool {
    (-MAX_SCORE..=MAX_SCORE).contains(&score)
}
