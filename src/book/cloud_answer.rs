//! The answer of the Xiangqi Cloud Database (chessdb.cn) to a request for all moves of a position.
//!
//! A text terminated by a zero byte: `move:b2e2,score:1,rank:2,note:! (44-02),winrate:50.08|move:…`, best move first,
//! or a word such as `unknown`. Fields come in any order, and some may be missing.

use crate::position::Position;
use crate::types::Move;
use thiserror::Error;

/// The maximum score, that of a mate on the board; the minimum is its negative.
pub const MAX_SCORE: i32 = 30_000;

/// The maximum length of an answer in bytes, about ten times that of a position with all its moves.
pub const MAX_ANSWER_BYTES: usize = 1 << 16;

/// The rank that the database gives to the best moves.
pub const BEST_RANK: u8 = 2;

/// A move of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloudMove {
    /// The move; legal.
    pub mv: Move,
    /// Its score for the side to move, about centipawns, −[`MAX_SCORE`] to [`MAX_SCORE`]; a mate in n plies is
    /// [`MAX_SCORE`] − n.
    pub score: i32,
    /// [`BEST_RANK`]: best, 1: good, 0: bad.
    pub rank: u8,
}

/// Why an answer has no moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The database does not have the position, considers it invalid, or the side to move has no moves.
    #[error("unknown position")]
    Unknown,
    /// Too many requests.
    #[error("rate limit exceeded")]
    RateLimit,
    /// Anything else; its first characters.
    #[error("unexpected answer: {0:?}")]
    Unexpected(String),
}

/// Reads the answer for `position`. Moves that are illegal, have no score, or occur a second time are skipped.
///
/// # Errors
/// When it has no moves.
pub fn read(bytes: &[u8], position: &Position) -> Result<Vec<CloudMove>, AnswerError> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let text = text.trim();
    match text {
        "unknown" | "checkmate" | "stalemate" | "nobestmove" | "invalid board" | "" => {
            return Err(AnswerError::Unknown);
        }
        "rate limit exceeded" => return Err(AnswerError::RateLimit),
        _ => {}
    }
    let unexpected = || AnswerError::Unexpected(text.chars().take(32).collect());
    let mut moves: Vec<CloudMove> = Vec::new();
    for entry in text.split('|') {
        let field = |name: &str| entry.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix(':'));
        let mv: Move = field("move").and_then(|mv| mv.parse().ok()).ok_or_else(unexpected)?;
        let (Some(score), true) = (field("score").and_then(number), position.is_legal(mv)) else { continue };
        if moves.iter().any(|known| known.mv == mv) {
            continue;
        }
        let rank = field("rank").and_then(number).unwrap_or(0).clamp(0, BEST_RANK.into()) as u8;
        moves.push(CloudMove { mv, score: score.clamp(-MAX_SCORE, MAX_SCORE), rank });
    }
    if moves.is_empty() { Err(AnswerError::Unknown) } else { Ok(moves) }
}

/// The integer at the beginning of a text. Older servers append more text.
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
    fn documented_answers_are_read() {
        let text = "move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:g3g4,score:1,rank:2,note:! (44-02),winrate:50.08|\
                    move:b2d2,score:0,rank:1,note:* (45-02),winrate:50.00|move:b2b4,score:-8,rank:0,note:? (42-01),winrate:49.39\0";
        let expected = [("c3c4", 1, 2), ("g3g4", 1, 2), ("b2d2", 0, 1), ("b2b4", -8, 0)];
        assert_eq!(moves(text).unwrap(), expected.map(|(mv, score, rank)| (mv.to_string(), score, rank)));
        // From endgame tables, from older servers, without a score, and an illegal move.
        let text = "score:29990,move:h2e2,rank:2,note:! (W-M-0013)|move:g3g4,score:15 (4),rank:9|\
                    move:a0a1,score:??,rank:0,note:? (??-??)|move:a0a9,score:3,rank:2";
        assert_eq!(moves(text).unwrap(), [("h2e2".to_string(), 29_990, 2), ("g3g4".to_string(), 15, 2)]);
        let text =
            "move:h2e2,score:-2147483648|move:h2e2,score:3|move:b2e2,score:2147483647|move:c3c4,score:2147483648";
        assert_eq!(moves(text).unwrap(), [("h2e2".to_string(), -MAX_SCORE, 0), ("b2e2".to_string(), MAX_SCORE, 0)]);
    }

    #[test]
    fn answers_without_moves_are_errors() {
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
        assert_eq!(moves("rate limit exceeded\0"), Err(AnswerError::RateLimit));
        for text in ["<html>", "{\"status\":\"ok\"}", "move:h2e2,score:1|", "move:炮,score:1", "||||"] {
            assert!(matches!(moves(text), Err(AnswerError::Unexpected(_))), "{text:?}");
        }
        let long = "x".repeat(1 << 20);
        assert_eq!(moves(&long), Err(AnswerError::Unexpected("x".repeat(32))));
    }

    #[test]
    fn corrupted_answers_give_only_legal_moves() {
        use rand::{RngExt, SeedableRng};
        let good = b"move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:g3g4,score:-12,rank:0\0";
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let start = Position::start();
        let mut read_moves = 0;
        for _ in 0..20_000 {
            let mut bytes = good.to_vec();
            for _ in 0..rng.random_range(0..4) {
                let offset = rng.random_range(0..bytes.len());
                bytes[offset] = rng.random();
            }
            let known = read(&bytes, &start).unwrap_or_default();
            assert!(known.iter().all(|known| start.is_legal(known.mv) && known.rank <= 2));
            read_moves += known.len();
        }
        assert!(read_moves > 10_000, "{read_moves}");
    }
}
