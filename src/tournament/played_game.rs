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
use serde::{Deserialize, Serialize};

/// A game played. Its JSON is a line of the file of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub fen: String,
    /// Number of moves that the opening gave.
    pub opening_plies: usize,
    /// The result in PGN notation.
    pub result: String,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PlayedMove {
    /// The move in coordinates, ranks from 0.
    #[serde(rename = "move")]
    pub mv: String,
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
        PlayedMove { mv: mv.to_string(), ..PlayedMove::default() }
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
    /// The result.
    pub(crate) fn game_result(&self) -> GameResult {
        GameResult::read(&self.result).unwrap_or(GameResult::Unknown)
    }

    /// The side that lost because its program failed.
    pub(crate) fn failed_side(&self) -> Option<Color> {
        match self.game_result() {
            GameResult::Won(winner) if self.termination.is_failure() => Some(!winner),
            _ => None,
        }
    }

    /// The moves with the side of each.
    pub(crate) fn sides_and_moves(&self) -> impl Iterator<Item = (Color, &PlayedMove)> {
        let first = self.first_side().index();
        self.moves.iter().enumerate().map(move |(ply, played)| (Color::ALL[(first + ply) % 2], played))
    }

    fn first_side(&self) -> Color {
        if self.fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::Red }
    }

    /// The game as PGN with moves in coordinates, each with a comment: score in pawns, depth and time. `limits`: those of Red
    /// and Black.
    pub(crate) fn to_pgn(&self, event: &str, limits: [&str; 2]) -> String {
        let moves: Vec<Move> = self.moves.iter().filter_map(|played| played.mv.parse().ok()).collect();
        let mut record = GameRecord::new(Position::from_fen(&self.fen).unwrap_or_else(|_| Position::start()));
        let mut tag = |name: &str, value: &str| record.tags.push((name.to_string(), value.to_string()));
        tag("Event", event);
        tag("Date", &date(self.started));
        tag("Round", &self.round.to_string());
        tag("Red", &self.red);
        tag("Black", &self.black);
        if let Some(opening) = Some(&moves).filter(|_| self.fen == START_FEN).and_then(|moves| ecco::opening(moves)) {
            tag("ECCO", opening.code);
            tag("Opening", &opening.chinese());
        }
        tag("RedTimeControl", limits[0]);
        tag("BlackTimeControl", limits[1]);
        tag("PlyCount", &self.moves.len().to_string());
        tag("Termination", &self.reason);
        record.result = self.game_result();
        record.tree = MoveTree::of_line(&moves);
        let nodes: Vec<NodeId> = record.tree.main_line().collect();
        for (node, played) in nodes.into_iter().zip(&self.moves) {
            record.tree.add_comment(node, &played.comment().unwrap_or_default());
        }
        pgn_writer::write(&record, Notation::Iccs) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::games;

    #[test]
    fn games_are_written_with_scores_depths_and_times() {
        let opening = PlayedMove::of_opening("h2e2".parse().unwrap());
        let reply =
            PlayedMove { mv: "h9g7".into(), score: Some(-31), depth: Some(9), ms: Some(250.4), ..Default::default() };
        let game = PlayedGame {
            game: 3,
            round: 2,
            red: "a".into(),
            black: "b \"c\"".into(),
            fen: START_FEN.into(),
            opening_plies: 1,
            result: "1-0".into(),
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
        assert_eq!(serde_json::from_str::<PlayedGame>(&json).unwrap(), game);
        assert_eq!(game.failed_side(), Some(Color::Black));
    }
}
