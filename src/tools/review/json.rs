//! The review of a game as JSON, for `--json` and for the page.

use super::class::MoveClass;
use super::{GameReview, ReviewedPosition};
use crate::display::json_score::JsonScore;
use crate::display::messages::Messages;
use crate::display::verdict::{Language, verdict};
use crate::games::record::GameRecord;
use crate::games::tree::MoveTree;
use crate::notation::{Notation, Script};
use crate::position::Position;
use crate::types::{Color, Move};
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of moves of a line.
const MAX_LINE: usize = 12;

/// A reviewed game.
#[derive(Clone, Debug, Serialize)]
pub struct JsonReview {
    source: String,
    tags: BTreeMap<String, String>,
    /// The result of the record: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// Number of lines of play: 1, and one for each variation, which are not reviewed.
    lines: usize,
    /// Why the rest of the game could not be read.
    error: Option<Bilingual>,
    opening: Option<JsonOpening>,
    /// The verdict of the rules at the end.
    verdict: Bilingual,
    over_at: Option<usize>,
    red: JsonSide,
    black: JsonSide,
    plies: Vec<JsonPly>,
}

/// A text in two languages.
#[derive(Clone, Debug, Serialize)]
pub struct Bilingual {
    en: String,
    zh: String,
}

#[derive(Clone, Debug, Serialize)]
struct JsonOpening {
    code: &'static str,
    en: &'static str,
    zh: String,
}

#[derive(Clone, Debug, Serialize)]
struct JsonSide {
    /// 0 to 100, to a tenth; `null` if the side had no choice.
    accuracy: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// A position, and the move played there.
#[derive(Clone, Debug, Serialize)]
struct JsonPly {
    fen: String,
    /// The square of the king in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    /// Red's expected points.
    expected: f64,
    /// Red's.
    #[serde(flatten)]
    score: Option<JsonScore>,
    depth: u32,
    nodes: u64,
    best: JsonLine,
    /// What the record says about the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played: Option<JsonMove>,
}

/// A line in three notations.
#[derive(Clone, Debug, Serialize)]
struct JsonLine {
    iccs: Vec<String>,
    wxf: Vec<String>,
    zh: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonMove {
    iccs: String,
    wxf: String,
    zh: String,
    class: &'static str,
    loss: f64,
}

impl Bilingual {
    fn new(text: impl Fn(Language) -> String) -> Bilingual {
        Bilingual { en: text(Language::English), zh: text(Language::Chinese) }
    }
}

impl JsonReview {
    /// The review of the game from `source`.
    pub fn new(source: &str, game: &GameRecord, review: &GameReview) -> JsonReview {
        let side = |side| JsonSide {
            accuracy: review.accuracy(side).map(|accuracy| rounded(accuracy, 10.0)),
            inaccuracies: review.count(side, MoveClass::Inaccuracy),
            mistakes: review.count(side, MoveClass::Mistake),
            blunders: review.count(side, MoveClass::Blunder),
        };
        let nodes = [MoveTree::ROOT].into_iter().chain(game.tree.main_line());
        let opening = review.opening.map(|it| JsonOpening { code: it.code, en: it.english, zh: it.chinese() });
        JsonReview {
            source: source.to_string(),
            tags: game.tags.iter().cloned().collect(),
            result: game.result.text(),
            lines: game.tree.lines(),
            error: game.error.as_ref().map(|error| Bilingual::new(|language| Messages::new(language).text(error))),
            opening,
            verdict: Bilingual::new(|language| verdict(&review.status, language)),
            over_at: review.over_at,
            red: side(Color::Red),
            black: side(Color::Black),
            plies: review.positions.iter().zip(nodes).map(|(it, node)| ply(it, game.tree.comment(node))).collect(),
        }
    }

    /// One line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("invariant: numbers, strings and lists can be serialized")
    }
}

fn rounded(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

fn ply(reviewed: &ReviewedPosition, comment: &str) -> JsonPly {
    let position = &reviewed.position;
    let played = reviewed.played.map(|played| {
        let [iccs, wxf, zh] = in_three_notations(position, &[played.mv]).map(|moves| moves.concat());
        JsonMove { iccs, wxf, zh, class: played.class.name(), loss: rounded(played.loss, 1000.0) }
    });
    let [iccs, wxf, zh] = in_three_notations(position, &reviewed.best[..reviewed.best.len().min(MAX_LINE)]);
    JsonPly {
        fen: position.to_fen(),
        check: position.in_check().then(|| position.king(position.side()).to_string()),
        expected: rounded(reviewed.expected, 1000.0),
        score: reviewed.score.map(JsonScore::of),
        depth: reviewed.depth,
        nodes: reviewed.nodes,
        best: JsonLine { iccs, wxf, zh },
        comment: Some(comment.to_string()).filter(|comment| !comment.is_empty()),
        played,
    }
}

fn in_three_notations(position: &Position, moves: &[Move]) -> [Vec<String>; 3] {
    [Notation::Iccs, Notation::Wxf, Notation::Chinese(Script::Simplified)]
        .map(|notation| notation.write_line(position, moves))
}
