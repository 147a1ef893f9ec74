//! What the Xiangqi Cloud Database (chessdb.cn) answers when it is asked for all moves of a position.
//!
//! A text ended by a zero byte: `move:b2e2,score:1,rank:2,note:! (44-02),winrate:50.08|move:…`, the best move first, or
//! a word that says why there is none. Fields come in any order, and some are left out.

use crate::position::Position;
use crate::types::Move;
use thiserror::Error;

/// The greatest score, and less than nothing the least: that of a mate on the board.
pub const MAX_SCORE: i32 = 30_000;

/// The longest answer that is read, in bytes: that to a position with all its moves has a tenth of it.
pub const MAX_ANSWER_BYTES: usize = 1 << 16;

/// The rank of the moves that the database counts among the best.
pub const BEST_RANK: u8 = 2;

/// What the database says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The move; legal.
    pub mv: Move,
    /// Its score for the side to move, about hundredths of a pawn, within [`MAX_SCORE`]; [`MAX_SCORE`] less the plies: a mate.
    pub score: i32,
    /// [`BEST_RANK`]: among the best, 1: good, 0: bad.
    pub rank: u8,
}

/// Why there are no moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The database has not got the position, takes it for none, or the side to move has no moves.
    #[error("the position is not known there")]
    Unknown,
    /// It was asked too often.
    #[error("it was asked too often")]
    TooOften,
    /// It answered something else.
    #[error("it answers {0:?}")]
    Nonsense(String),
}

/// Reads an answer about `position`; what is not legal there, has no score, or is said a second time is left out.
///
/// # Errors
/// When there is nothing to play in it.
pub fn read(bytes: &[u8], position: &Position) -> Result<Vec<Known>, AnswerError> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let text = text.trim();
    match text {
        "unknown" | "checkmate" | "stalemate" | "nobestmove" | "invalid board" | "" => {
            return Err(AnswerError::Unknown);
        }
        "rate limit exceeded" => return Err(AnswerError::TooOften),
        _ => {}
    }
    let nonsense = || AnswerError::Nonsense(text.chars().take(32).collect());
    let mut known: Vec<Known> = Vec::new();
    for entry in text.split('|') {
        let field = |name: &str| entry.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix(':'));
        let mv: Move = field("move").and_then(|mv| mv.parse().ok()).ok_or_else(nonsense)?;
        let (Some(score), true) = (field("score").and_then(number), position.is_legal(mv)) else { continue };
        if known.iter().any(|known| known.mv == mv) {
            continue;
        }
        let rank = field("rank").and_then(number).unwrap_or(0).clamp(0, BEST_RANK.into()) as u8;
        known.push(Known { mv, score: score.clamp(-MAX_SCORE, MAX_SCORE), rank });
    }
    if known.is_empty() { Err(AnswerError::Unknown) } else { Ok(known) }
}

/// The whole number a text begins with; what follows it is of older servers.
fn number(text: &str) -> Option<i32> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Result<Vec<(String, i32, u8)>, AnswerError> {
        let known = read(text.as_bytes(), &Position::start())?;
        Ok(known.iter().map(|known| (known.mv.to_string(), known.score, known.rank)).collect())
    }

    #[test]
    fn answers_of_the_documentation_are_read() {
        let text = "move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:g3g4,score:1,rank:2,note:! (44-02),winrate:50.08|\
                    move:b2d2,score:0,rank:1,note:* (45-02),winrate:50.00|move:b2b4,score:-8,rank:0,note:? (42-01),winrate:49.39\0";
        let expected = [("c3c4", 1, 2), ("g3g4", 1, 2), ("b2d2", 0, 1), ("b2b4", -8, 0)];
        assert_eq!(moves(text).unwrap(), expected.map(|(mv, score, rank)| (mv.to_string(), score, rank)));
        // From endgame tables, of older servers, of moves nobody has looked at.
        let text = "score:29990,move:h2e2,rank:2,note:! (W-M-0013)|move:g3g4,score:15 (4),rank:9|\
                    move:a0a1,score:??,rank:0,note:? (??-??)|move:a0a9,score:3,rank:2";
        assert_eq!(moves(text).unwrap(), [("h2e2".to_string(), 29_990, 2), ("g3g4".to_string(), 15, 2)]);
        let text =
            "move:h2e2,score:-2147483648|move:h2e2,score:3|move:b2e2,score:2147483647|move:c3c4,score:2147483648";
        assert_eq!(moves(text).unwrap(), [("h2e2".to_string(), -MAX_SCORE, 0), ("b2e2".to_string(), MAX_SCORE, 0)]);
    }

    #[test]
    fn why_there_is_no_move_is_told() {
        for text in [
            "unknown\0",
            "checkmate",
            "invalid board",
            "",
            " \n",
            "move:a0a9,score:3,rank:2",
            "unknown\0move:h2e2,score:1",
        ] {
            assert_eq!(moves(text), Err(AnswerError::Unknown), "{text:?}");
        }
        assert_eq!(moves("rate limit exceeded\0"), Err(AnswerError::TooOften));
        for text in ["<html>", "{\"status\":\"ok\"}", "move:h2e2,score:1|", "move:炮,score:1", "||||"] {
            assert!(matches!(moves(text), Err(AnswerError::Nonsense(_))), "{text:?}");
        }
        let long = "x".repeat(1 << 20);
        assert_eq!(moves(&long), Err(AnswerError::Nonsense("x".repeat(32))));
    }

    #[test]
    fn any_bytes_are_survived() {
        use rand::{RngExt, SeedableRng};
        let good = b"move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:g3g4,score:-12,rank:0\0";
        let mut chance = rand::rngs::SmallRng::seed_from_u64(1);
        let start = Position::start();
        let mut read_moves = 0;
        for _ in 0..20_000 {
            let mut bytes = good.to_vec();
            for _ in 0..chance.random_range(0..4) {
                let place = chance.random_range(0..bytes.len());
                bytes[place] = chance.random();
            }
            let known = read(&bytes, &start).unwrap_or_default();
            assert!(known.iter().all(|known| start.is_legal(known.mv) && known.rank <= 2));
            read_moves += known.len();
        }
        assert!(read_moves > 10_000, "{read_moves}");
    }
}
