//! Answers of the Xiangqi Cloud Database (chessdb.cn).
//!
//! An answer is plain text up to a NUL byte: `move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:…` for all
//! moves, best move first; `move:c3c4`, `egtb:c3c4` or `search:c3c4|search:…` for moves to play; `eval:1`;
//! `score:1,depth:30,pv:c3c4|b7c7|…`; or a word such as `unknown`. Fields come in any order, and some may be missing.

use super::query::CloudAction;
use crate::games::visible::visible;
use crate::position::Position;
use crate::types::Move;
use thiserror::Error;

/// The maximum score, that of a mate on the board; the minimum is its negative.
pub const MAX_SCORE: i32 = 30_000;

/// The maximum length of an answer in bytes, about ten times that of a position with all its moves.
pub const MAX_ANSWER_BYTES: usize = 1 << 16;

/// The rank that the database gives to the best moves.
pub const BEST_RANK: u8 = 2;

/// An answer, by the action of the query. All moves are legal.
#[derive(Clone, Debug, PartialEq)]
pub enum CloudAnswer {
    /// `queryall`: the moves, best first as the server has them; not empty.
    Moves(Vec<CloudMove>),
    /// `querybest`, `query`, `querysearch`: moves to play or to search; not empty.
    Choice(ChoiceSource, Vec<Move>),
    /// `queryscore`: the score for the side to move, in the unit of [`CloudMove::score`].
    Score(i32),
    /// `querypv`.
    Line {
        /// The score for the side to move, in the unit of [`CloudMove::score`].
        score: i32,
        /// Number of moves; from an endgame table, the distance.
        depth: u32,
        /// The principal variation, up to its first illegal move.
        pv: Vec<Move>,
    },
    /// `queue`: the server will analyse the position.
    Queued,
}

/// Where the moves of a choice come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceSource {
    /// The database (`move:`).
    Database,
    /// An endgame table (`egtb:`).
    EndgameTable,
    /// The database, which proposes a search among several moves (`search:`).
    Search,
}

/// A move of the database.
#[derive(Clone, Debug, PartialEq)]
pub struct CloudMove {
    /// The move; legal.
    pub mv: Move,
    /// Its score for the side to move, about centipawns, −[`MAX_SCORE`] to [`MAX_SCORE`]; a mate in n plies is
    /// [`MAX_SCORE`] − n. `None` for a move that the database does not know.
    pub score: Option<i32>,
    /// [`BEST_RANK`]: best, 1: good, 0: bad.
    pub rank: u8,
    /// The server's note, such as `! (44-02)`: 44 replies are known, 2 of them good.
    pub note: String,
    /// Win rate in percent, a function of the score.
    pub win_rate: Option<f64>,
    /// The value after the move in an endgame table, from the note.
    pub table: Option<TableValue>,
}

/// A value of an endgame table, for the side that makes the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableValue {
    /// The result.
    pub result: TableResult,
    /// Plies to mate, or steps to conversion: see [`super::query::TableMetric`].
    pub distance: u32,
}

/// The result of a position in an endgame table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// The side that makes the move wins.
    Win,
    /// A draw.
    Draw,
    /// The side that makes the move loses.
    Loss,
}

/// Why an answer has nothing to use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The database does not have the position.
    #[error("unknown position")]
    Unknown,
    /// The server considers the position impossible.
    #[error("invalid board")]
    InvalidBoard,
    /// The side to move is mated.
    #[error("checkmate")]
    Checkmate,
    /// The side to move has no move, which loses.
    #[error("stalemate")]
    Stalemate,
    /// The database knows too little, or only bad moves.
    #[error("no best move")]
    NoBestMove,
    /// An empty answer. `queue` gives it for positions that the server does not analyse.
    #[error("empty answer")]
    Empty,
    /// Too many requests.
    #[error("rate limit exceeded")]
    RateLimit,
    /// Anything else; its first characters.
    #[error("unexpected answer: {0:?}")]
    Unexpected(String),
}

impl AnswerError {
    /// Whether the answer is a regular one, only without anything to play.
    pub fn is_no_move(&self) -> bool {
        use AnswerError::{Checkmate, Empty, NoBestMove, Stalemate, Unknown};
        matches!(self, Unknown | Checkmate | Stalemate | NoBestMove | Empty)
    }
}

/// Reads the answer to a query with `action` about `position`. Illegal moves and moves that occur a second time are
/// skipped.
///
/// # Errors
/// When it has nothing to use.
pub fn read(bytes: &[u8], action: CloudAction, position: &Position) -> Result<CloudAnswer, AnswerError> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let text = text.trim();
    let error = match text {
        "unknown" => Some(AnswerError::Unknown),
        "invalid board" => Some(AnswerError::InvalidBoard),
        "checkmate" => Some(AnswerError::Checkmate),
        "stalemate" => Some(AnswerError::Stalemate),
        "nobestmove" => Some(AnswerError::NoBestMove),
        "" => Some(AnswerError::Empty),
        "rate limit exceeded" => Some(AnswerError::RateLimit),
        _ => None,
    };
    if let Some(error) = error {
        return Err(error);
    }
    let answer = match action {
        CloudAction::QueryAll => moves(text, position).map(CloudAnswer::Moves),
        CloudAction::QueryBest | CloudAction::Query | CloudAction::QuerySearch => choice(text, position),
        CloudAction::QueryScore => field(text, "eval").and_then(score).map(CloudAnswer::Score),
        CloudAction::QueryPv => line(text, position),
        CloudAction::Queue => (text == "ok").then_some(CloudAnswer::Queued),
    };
    answer.ok_or_else(|| AnswerError::Unexpected(text.chars().take(32).collect()))
}

/// All moves; `None` if there is none.
fn moves(text: &str, position: &Position) -> Option<Vec<CloudMove>> {
    let mut moves: Vec<CloudMove> = Vec::new();
    for entry in text.split('|') {
        let mv: Move = field(entry, "move")?.parse().ok()?;
        if !position.is_legal(mv) || moves.iter().any(|known| known.mv == mv) {
            continue;
        }
        let note = field(entry, "note").unwrap_or_default();
        moves.push(CloudMove {
            mv,
            score: field(entry, "score").and_then(score),
            rank: field(entry, "rank").and_then(number).unwrap_or(0).clamp(0, BEST_RANK.into()) as u8,
            note: visible(note),
            win_rate: field(entry, "winrate").and_then(|rate| rate.parse().ok()).filter(|rate: &f64| rate.is_finite()),
            table: table_value(note),
        });
    }
    (!moves.is_empty()).then_some(moves)
}

/// Moves to play or to search; `None` if there is none.
fn choice(text: &str, position: &Position) -> Option<CloudAnswer> {
    let (prefix, _) = text.split_once(':')?;
    let source = match prefix {
        "move" => ChoiceSource::Database,
        "egtb" => ChoiceSource::EndgameTable,
        "search" => ChoiceSource::Search,
        _ => return None,
    };
    let mut moves: Vec<Move> = Vec::new();
    for entry in text.split('|') {
        let mv = field(entry, prefix)?.parse().ok()?;
        if position.is_legal(mv) && !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    (!moves.is_empty()).then_some(CloudAnswer::Choice(source, moves))
}

/// The principal variation.
fn line(text: &str, position: &Position) -> Option<CloudAnswer> {
    let score = field(text, "score").and_then(score)?;
    let depth = field(text, "depth").and_then(number).and_then(|depth| depth.try_into().ok()).unwrap_or(0);
    let (mut position, mut pv) = (position.clone(), Vec::new());
    for entry in field(text, "pv").unwrap_or_default().split('|') {
        match entry.parse() {
            Ok(mv) if position.is_legal(mv) => {
                position.make(mv);
                pv.push(mv);
            }
            _ => break,
        }
    }
    Some(CloudAnswer::Line { score, depth, pv })
}

/// The value of a note such as `! (W-M-0013)`: a win in 13 plies; or, by conversion, `! (W-02-013)`: in 13 steps.
fn table_value(note: &str) -> Option<TableValue> {
    let (_, inner) = note.split_once('(')?;
    let mut parts = inner.split_once(')')?.0.split('-');
    let result = match parts.next()? {
        "W" => TableResult::Win,
        "D" => TableResult::Draw,
        "L" => TableResult::Loss,
        _ => return None,
    };
    // A draw has no distance.
    let distance = parts.next_back().and_then(|part| part.parse().ok()).unwrap_or(0);
    Some(TableValue { result, distance })
}

/// The value of the field `name` of an entry.
fn field<'a>(entry: &'a str, name: &str) -> Option<&'a str> {
    entry.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix(':'))
}

/// A score in range.
fn score(text: &str) -> Option<i32> {
    number(text).map(|score| score.clamp(-MAX_SCORE, MAX_SCORE))
}

/// The integer at the beginning of a text. Older servers append more text.
fn number(text: &str) -> Option<i32> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(action: CloudAction, text: &str) -> Result<CloudAnswer, AnswerError> {
        read(text.as_bytes(), action, &Position::start())
    }

    /// All moves: move, score and rank.
    fn moves(text: &str) -> Result<Vec<(String, Option<i32>, u8)>, AnswerError> {
        match answer(CloudAction::QueryAll, text)? {
            CloudAnswer::Moves(moves) => Ok(moves.iter().map(|mv| (mv.mv.to_string(), mv.score, mv.rank)).collect()),
            other => panic!("{other:?}"),
        }
    }

    fn parsed(moves: &[&str]) -> Vec<Move> {
        moves.iter().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn documented_answers_with_all_moves_are_read() {
        let text = "move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:g3g4,score:1,rank:2,note:! (44-02),winrate:50.08|\
                    move:b2d2,score:0,rank:1,note:* (45-02),winrate:50.00|move:b2b4,score:-8,rank:0,note:? (42-01),winrate:49.39\0";
        let expected = [("c3c4", 1, 2), ("g3g4", 1, 2), ("b2d2", 0, 1), ("b2b4", -8, 0)];
        assert_eq!(moves(text).unwrap(), expected.map(|(mv, score, rank)| (mv.to_string(), Some(score), rank)));
        let Ok(CloudAnswer::Moves(read)) = answer(CloudAction::QueryAll, text) else { panic!() };
        assert_eq!((read[0].note.as_str(), read[0].win_rate, read[0].table), ("! (44-02)", Some(50.08), None));
        // From older servers, without a score, and an illegal move.
        let text = "score:29990,move:h2e2,rank:2|move:g3g4,score:15 (4),rank:9|\
                    move:a0a1,score:??,rank:0,note:? (??-??)|move:a0a9,score:3,rank:2";
        let expected = [("h2e2", Some(29_990), 2), ("g3g4", Some(15), 2), ("a0a1", None, 0)];
        assert_eq!(moves(text).unwrap(), expected.map(|(mv, score, rank)| (mv.to_string(), score, rank)));
        let text =
            "move:h2e2,score:-2147483648|move:h2e2,score:3|move:b2e2,score:2147483647|move:c3c4,score:2147483648";
        let expected = [("h2e2", Some(-MAX_SCORE), 0), ("b2e2", Some(MAX_SCORE), 0), ("c3c4", None, 0)];
        assert_eq!(moves(text).unwrap(), expected.map(|(mv, score, rank)| (mv.to_string(), score, rank)));
    }

    #[test]
    fn notes_of_endgame_tables_are_values() {
        let value = |note: &str| table_value(note).map(|value| (value.result, value.distance));
        assert_eq!(value("! (W-M-0013)"), Some((TableResult::Win, 13)));
        assert_eq!(value("? (D-M-0000)"), Some((TableResult::Draw, 0)));
        assert_eq!(value("* (L-02-007)"), Some((TableResult::Loss, 7)));
        assert_eq!(value("? (D-M-....)"), Some((TableResult::Draw, 0)));
        for note in ["", "!", "! (44-02)", "? (??-??)", "(W", "W-M-0013"] {
            assert_eq!(value(note), None, "{note}");
        }
    }

    #[test]
    fn documented_answers_of_other_actions_are_read() {
        let choice = |source, moves: &[&str]| Ok(CloudAnswer::Choice(source, parsed(moves)));
        for action in [CloudAction::QueryBest, CloudAction::Query, CloudAction::QuerySearch] {
            assert_eq!(answer(action, "move:c3c4\0"), choice(ChoiceSource::Database, &["c3c4"]));
            assert_eq!(answer(action, "egtb:c3c4\0"), choice(ChoiceSource::EndgameTable, &["c3c4"]));
            let text = "search:c3c4|search:a0a9|search:g3g4|search:c3c4";
            assert_eq!(answer(action, text), choice(ChoiceSource::Search, &["c3c4", "g3g4"]));
            for text in ["eval:1", "search:c3c4|move:g3g4", "move:a0a9", "move:"] {
                assert!(matches!(answer(action, text), Err(AnswerError::Unexpected(_))), "{text}");
            }
        }
        assert_eq!(answer(CloudAction::QueryScore, "eval:-12\0"), Ok(CloudAnswer::Score(-12)));
        let pv = parsed(&["c3c4", "b7c7"]);
        let line = CloudAnswer::Line { score: 1, depth: 30, pv };
        assert_eq!(answer(CloudAction::QueryPv, "score:1,depth:30,pv:c3c4|b7c7|b7c7|h9g7\0"), Ok(line));
        let none = CloudAnswer::Line { score: -3, depth: 0, pv: vec![] };
        assert_eq!(answer(CloudAction::QueryPv, "score:-3,depth:-9,pv:\0"), Ok(none));
        assert_eq!(answer(CloudAction::Queue, "ok\0"), Ok(CloudAnswer::Queued));
        assert!(matches!(answer(CloudAction::QueryScore, "eval:??"), Err(AnswerError::Unexpected(_))));
        assert!(matches!(answer(CloudAction::QueryPv, "pv:c3c4"), Err(AnswerError::Unexpected(_))));
        assert!(matches!(answer(CloudAction::Queue, "okay"), Err(AnswerError::Unexpected(_))));
    }

    #[test]
    fn words_are_told_apart() {
        for (_, action) in CloudAction::NAMES {
            for (text, error) in [
                ("unknown\0", AnswerError::Unknown),
                ("unknown\0move:h2e2,score:1", AnswerError::Unknown),
                ("checkmate", AnswerError::Checkmate),
                ("stalemate\0", AnswerError::Stalemate),
                ("nobestmove\0", AnswerError::NoBestMove),
                ("", AnswerError::Empty),
                (" \n", AnswerError::Empty),
                ("invalid board\0", AnswerError::InvalidBoard),
                ("rate limit exceeded\0", AnswerError::RateLimit),
                ("tokenerror\0", AnswerError::Unexpected("tokenerror".into())),
            ] {
                assert_eq!(answer(action, text), Err(error), "{action} {text:?}");
            }
            let long = "x".repeat(1 << 20);
            assert_eq!(answer(action, &long), Err(AnswerError::Unexpected("x".repeat(32))));
        }
        for text in
            ["<html>", "{\"status\":\"ok\"}", "move:h2e2,score:1|", "move:炮,score:1", "||||", "move:a0a9,score:3"]
        {
            assert!(matches!(moves(text), Err(AnswerError::Unexpected(_))), "{text:?}");
        }
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
            if let Ok(CloudAnswer::Moves(known)) = read(&bytes, CloudAction::QueryAll, &start) {
                assert!(known.iter().all(|known| start.is_legal(known.mv) && known.rank <= 2));
                read_moves += known.len();
            }
        }
        assert!(read_moves > 10_000, "{read_moves}");
    }
}
