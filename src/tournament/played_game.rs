//! A game played in a match: a line of JSON, and PGN.

use super::search_info::score_text;
use super::termination::Termination;
use crate::book::ecco;
use crate::display::date::date;
use crate::games::pgn_writer;
use crate::games::tree::{MoveTree, NodeId};
use crate::games::{GameRecord, GameResult};
use crate::notation::Notation;
use crate::position::{Position, START_FEN};
use crate::types::{Color, Move};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;

/// A game played. Its JSON is a line of the file of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedGame {
    /// Its number in the match, from 1.
    pub game: usize,
    /// Its round, from 1.
    pub round: usize,
    /// The name of the engine that played Red.
    pub red: String,
    /// The name of the engine that played Black.
    pub black: String,
    /// The start position.
    #[serde(rename = "fen", serialize_with = "text", deserialize_with = "position")]
    pub start: Position,
    /// Number of moves that the opening gave.
    pub opening_plies: usize,
    /// The result; in JSON in PGN notation.
    #[serde(serialize_with = "result_text", deserialize_with = "result")]
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// Result and reason in a sentence.
    pub reason: String,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// All moves.
    pub moves: Vec<PlayedMove>,
}

/// A move of a game played. What the engine did not tell, and all of a move of the opening, is absent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedMove {
    /// The move; in JSON in coordinates, ranks from 0.
    #[serde(rename = "move", serialize_with = "text", deserialize_with = "mv")]
    pub mv: Move,
    /// Score for the side that moved, in centipawns; a mate in n moves is 30000 − n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds until the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What is wrong with the engine's best line, where lines are checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad_pv: Option<String>,
}

impl PlayedMove {
    /// A move of an opening.
    pub(crate) fn of_opening(mv: Move) -> PlayedMove {
        PlayedMove { mv, score: None, depth: None, nodes: None, ms: None, bad_pv: None }
    }

    /// Score, depth and time, as `+0.31/12 0.250s`.
    fn comment(&self) -> Option<String> {
        let time = self.ms? / 1000.0;
        let score = self.score.map_or("-".to_string(), score_text);
        let depth = self.depth.map_or("-".to_string(), |depth| depth.to_string());
        Some(format!("{score}/{depth} {time:.3}s"))
    }
}

impl PlayedGame {
    /// Reads a game of a file.
    ///
    /// # Errors
    /// What is wrong with it: its JSON, its start position, a move that is not legal.
    pub(crate) fn read(line: &[u8]) -> Result<PlayedGame, String> {
        // The place that serde_json tells is one within the line.
        let what =
            |error: serde_json::Error| error.to_string().split(" at line ").next().unwrap_or_default().to_string();
        let game: PlayedGame = serde_json::from_slice(line).map_err(what)?;
        let mut position = game.start.clone();
        for PlayedMove { mv, .. } in &game.moves {
            position.try_make(*mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// The side that lost because its program failed.
    pub(crate) fn failed_side(&self) -> Option<Color> {
        match self.result {
            GameResult::Won(winner) if self.termination.is_failure() => Some(!winner),
            _ => None,
        }
    }

    /// The moves with the side of each.
    pub(crate) fn sides_and_moves(&self) -> impl Iterator<Item = (Color, &PlayedMove)> {
        let first = self.start.side().index();
        self.moves.iter().enumerate().map(move |(ply, played)| (Color::ALL[(first + ply) % 2], played))
    }

    /// The game as PGN with moves in coordinates, each with a comment: score in pawns, depth and time. `limits`: those of Red
    /// and Black.
    pub(crate) fn to_pgn(&self, event: &str, limits: [&str; 2]) -> String {
        let moves: Vec<Move> = self.moves.iter().map(|played| played.mv).collect();
        let mut record = GameRecord::new(self.start.clone());
        let mut tag = |name: &str, value: &str| record.tags.push((name.to_string(), value.to_string()));
        tag("Event", event);
        tag("Date", &date(self.started));
        tag("Round", &self.round.to_string());
        tag("Red", &self.red);
        tag("Black", &self.black);
        let is_whole = self.start.to_fen() == START_FEN;
        if let Some(opening) = Some(&moves).filter(|_| is_whole).and_then(|moves| ecco::opening(moves)) {
            tag("ECCO", opening.code);
            tag("Opening", &opening.chinese());
        }
        tag("RedTimeControl", limits[0]);
        tag("BlackTimeControl", limits[1]);
        tag("PlyCount", &self.moves.len().to_string());
        tag("Termination", &self.reason);
        record.result = self.result;
        record.tree = MoveTree::of_line(&moves);
        let nodes: Vec<NodeId> = record.tree.main_line().collect();
        for (node, played) in nodes.into_iter().zip(&self.moves) {
            record.tree.add_comment(node, &played.comment().unwrap_or_default());
        }
        pgn_writer::write(&record, Notation::Iccs) + "\n"
    }
}

fn text<S: Serializer>(value: &impl Display, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

fn result_text<S: Serializer>(result: &GameResult, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(result.text())
}

fn position<'de, D: Deserializer<'de>>(from: D) -> Result<Position, D::Error> {
    let fen = String::deserialize(from)?;
    Position::from_fen(&fen).map_err(|error| D::Error::custom(format!("{fen:?}: {error}")))
}

fn mv<'de, D: Deserializer<'de>>(from: D) -> Result<Move, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

fn result<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
    let text = String::deserialize(from)?;
    GameResult::read(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no result")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::games;

    #[test]
    fn games_are_written_with_scores_depths_and_times() {
        let opening = PlayedMove::of_opening("h2e2".parse().unwrap());
        let reply = PlayedMove::of_opening("h9g7".parse().unwrap());
        let reply = PlayedMove { score: Some(-31), depth: Some(9), ms: Some(250.4), ..reply };
        let game = PlayedGame {
            game: 3,
            round: 2,
            red: "a".into(),
            black: "b \"c\"".into(),
            start: Position::start(),
            opening_plies: 1,
            result: GameResult::Won(Color::Red),
            termination: Termination::TimeForfeit,
            reason: "red wins: no answer in time".into(),
            started: 0,
            moves: vec![opening, reply],
        };
        let text = game.to_pgn("e", ["1+0", "5 nodes"]);
        assert!(text.contains("\n1. h2e2 h9g7 {-0.31/9 0.250s} 1-0\n"), "{text}");
        assert!(text.contains("[Round \"2\"]") && text.contains("[BlackTimeControl \"5 nodes\"]"), "{text}");
        let read: Vec<_> = games(&text).map(Result::unwrap).collect();
        assert!(read.len() == 1 && read[0].error.is_none() && read[0].moves().len() == 2);
        let json = serde_json::to_string(&game).unwrap();
        assert!(json.contains("{\"move\":\"h2e2\"},{") && json.contains("\"termination\":\"time-forfeit\""), "{json}");
        let read = |json: &str| PlayedGame::read(json.as_bytes());
        assert_eq!(serde_json::to_string(&read(&json).unwrap()).unwrap(), json);
        for (good, bad, error) in [
            ("h9g7", "h9h0", "h9h0"),
            ("h9g7", "h9", "not a move: \"h9\""),
            ("\"1-0\"", "\"1-1\"", "\"1-1\" is no result"),
            ("w - - 0 1", "x", "rnbakabnr/9/"),
            ("\"move\":", "\"mv\":", "missing field `move`"),
        ] {
            let error_text = read(&json.replace(good, bad)).unwrap_err();
            assert!(error_text.contains(error), "{error_text}");
        }
        assert_eq!(game.failed_side(), Some(Color::Black));
    }
}
