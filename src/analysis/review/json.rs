//! The review of a game as JSON, for `--json` and for the page.

use super::class::MoveClass;
use super::ending::ending;
use super::reason::Explanation;
use super::{GameReview, ReviewedPosition};
use crate::display::json::JsonScore;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::display::verdict::verdict;
use crate::games::record::GameRecord;
use crate::games::tree::{MoveTree, NodeId, TreeCursor};
use crate::notation::{Notation, Script};
use crate::position::{Position, Variant};
use crate::types::{Color, Move};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of moves of a line.
const MAX_LINE: usize = 12;

/// A reviewed game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonReview {
    /// The name and version of the program.
    engine: &'static str,
    source: String,
    tags: BTreeMap<String, String>,
    /// The result of the record: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// Whether advisors and bishops may become pawns.
    promotion: bool,
    /// Number of lines of play: 1, and one for each variation.
    lines: usize,
    /// Why the rest of the game could not be read.
    error: Option<Bilingual>,
    opening: Option<JsonOpening>,
    /// The verdict of the rules at the end.
    verdict: Bilingual,
    /// How the game ended, by the rules or else by the record.
    ending: Bilingual,
    over_at: Option<usize>,
    red: JsonSide,
    black: JsonSide,
    plies: Vec<JsonPly>,
    variations: Vec<JsonVariation>,
    /// Of an exercise for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<JsonExercise>,
}

/// What is said of an exercise when it is solved.
#[derive(Clone, Debug, Serialize)]
struct JsonExercise {
    #[serde(flatten)]
    kind: Bilingual,
    level: Option<usize>,
    nodes: u64,
}

/// A text in two languages.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Bilingual {
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
    /// The player.
    name: Option<String>,
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
    /// Other good moves, where a bad one was played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<JsonAlternative>,
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
    /// Why it is bad, if that is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<JsonReason>,
    /// The record's numeric annotation glyph (NAG).
    #[serde(skip_serializing_if = "Option::is_none")]
    glyph: Option<u8>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonReason {
    kind: &'static str,
    /// The sentences count files, as the board of the page does.
    #[serde(flatten)]
    text: Bilingual,
    /// Whether the line follows the bad move; otherwise it begins in its place.
    after: bool,
    /// The moves that show it.
    line: JsonLine,
    /// The move of the line, from 0, that wins the pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonAlternative {
    iccs: String,
    wxf: String,
    zh: String,
    loss: f64,
}

/// A variation of the record, which is not reviewed. A list of them, not lists in lists, since records may nest
/// variations thousands deep, and readers of JSON may not.
#[derive(Clone, Debug, Serialize)]
struct JsonVariation {
    /// The line that it leaves: an earlier variation, from 0; `null`: the game.
    of: Option<usize>,
    /// The number of plies, from the start of the game, to the position where it begins.
    ply: usize,
    moves: Vec<JsonVariationMove>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonVariationMove {
    iccs: String,
    wxf: String,
    zh: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    glyph: Option<u8>,
}

impl Bilingual {
    fn new(text: impl Fn(Language) -> String) -> Bilingual {
        Bilingual { en: text(Language::English), zh: text(Language::Chinese) }
    }
}

impl JsonReview {
    /// The review of the game from `source`.
    pub(crate) fn new(source: &str, game: &GameRecord, review: &GameReview) -> JsonReview {
        let side = |side| JsonSide {
            name: game.player(side).map(str::to_string),
            accuracy: review.accuracy(side).map(|accuracy| rounded(accuracy, 10.0)),
            inaccuracies: review.count(side, MoveClass::Inaccuracy),
            mistakes: review.count(side, MoveClass::Mistake),
            blunders: review.count(side, MoveClass::Blunder),
        };
        let nodes = [MoveTree::ROOT].into_iter().chain(game.tree.main_line());
        let opening = review.opening.map(|it| JsonOpening { code: it.code, en: it.english, zh: it.chinese() });
        JsonReview {
            engine: concat!("ChuHe ", env!("CARGO_PKG_VERSION")),
            source: source.to_string(),
            promotion: game.start.variant() == Variant::Promotion,
            tags: game.tags.iter().cloned().collect(),
            result: game.result.text(),
            lines: game.tree.lines(),
            error: game.error.as_ref().map(|error| Bilingual::new(|language| Messages::new(language).text(error))),
            opening,
            verdict: Bilingual::new(|language| verdict(&review.status, language)),
            ending: Bilingual::new(|language| ending(game, &review.status, language)),
            over_at: review.over_at,
            red: side(Color::Red),
            black: side(Color::Black),
            plies: review.positions.iter().zip(nodes).map(|(it, node)| ply(it, &game.tree, node)).collect(),
            variations: variations(game),
            puzzle: None,
        }
    }

    /// The same as an exercise: the moves after the first one are to be found.
    pub(crate) fn into_exercise(self, [english, chinese]: [&str; 2], level: Option<usize>, nodes: u64) -> JsonReview {
        let kind = Bilingual { en: english.to_string(), zh: chinese.to_string() };
        JsonReview { puzzle: Some(JsonExercise { kind, level, nodes }), ..self }
    }

    /// One line of JSON.
    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).expect("invariant: numbers, strings and lists can be serialized")
    }
}

fn rounded(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

fn ply(reviewed: &ReviewedPosition, tree: &MoveTree, node: NodeId) -> JsonPly {
    let position = &reviewed.position;
    let written = |mv| in_three_notations(position, &[mv]).map(|moves| moves.concat());
    let played = reviewed.played.map(|played| {
        let [iccs, wxf, zh] = written(played.mv);
        let glyph = tree.first_child(node).and_then(|next| glyph(tree, next));
        let reason = reviewed.reason.as_ref().map(reason);
        JsonMove { iccs, wxf, zh, class: played.class.name(), loss: rounded(played.loss, 1000.0), reason, glyph }
    });
    let alternatives = reviewed.alternatives.iter().map(|it| {
        let [iccs, wxf, zh] = written(it.mv);
        JsonAlternative { iccs, wxf, zh, loss: rounded(it.loss, 1000.0) }
    });
    JsonPly {
        fen: position.to_fen(),
        check: position.in_check().then(|| position.king(position.side()).to_string()),
        expected: rounded(reviewed.expected, 1000.0),
        score: reviewed.score.map(JsonScore::of),
        depth: reviewed.depth,
        nodes: reviewed.nodes,
        best: line(position, &reviewed.best),
        alternatives: alternatives.collect(),
        comment: comment(tree, node),
        played,
    }
}

fn reason(explanation: &Explanation) -> JsonReason {
    let notation = |language: Language| language.pick(Notation::Wxf, Notation::Chinese(Script::Simplified));
    JsonReason {
        kind: explanation.reason.names()[0],
        text: Bilingual::new(|language| explanation.text(language, notation(language))),
        after: explanation.is_after,
        line: line(&explanation.start, &explanation.line),
        key: explanation.reason.key(),
    }
}

/// The beginning of a line.
fn line(position: &Position, moves: &[Move]) -> JsonLine {
    let [iccs, wxf, zh] = in_three_notations(position, &moves[..moves.len().min(MAX_LINE)]);
    JsonLine { iccs, wxf, zh }
}

fn comment(tree: &MoveTree, node: NodeId) -> Option<String> {
    Some(tree.comment(node).to_string()).filter(|comment| !comment.is_empty())
}

fn glyph(tree: &MoveTree, node: NodeId) -> Option<u8> {
    Some(tree.glyph(node)).filter(|&glyph| glyph != 0)
}

/// The variations of a game: one that leaves another comes after it.
fn variations(game: &GameRecord) -> Vec<JsonVariation> {
    let mut variations: Vec<JsonVariation> = Vec::new();
    // The variation that a node is in, `None` in the game, and the plies to it.
    let mut places: HashMap<NodeId, (Option<usize>, usize)> = HashMap::from([(MoveTree::ROOT, (None, 0))]);
    let mut cursor = TreeCursor::new(game.tree.clone(), game.start.clone());
    for node in game.tree.nodes() {
        let (Some(parent), Some(mv)) = (game.tree.parent(node), game.tree.mv(node)) else { continue };
        let (of, ply) = places[&parent];
        let line = if game.tree.first_child(parent) == Some(node) {
            of
        } else {
            variations.push(JsonVariation { of, ply, moves: Vec::new() });
            Some(variations.len() - 1)
        };
        places.insert(node, (line, ply + 1));
        if let Some(line) = line {
            cursor.go_to(parent);
            let [iccs, wxf, zh] = in_three_notations(cursor.position(), &[mv]).map(|moves| moves.concat());
            let (comment, glyph) = (comment(&game.tree, node), glyph(&game.tree, node));
            variations[line].moves.push(JsonVariationMove { iccs, wxf, zh, comment, glyph });
        }
    }
    variations
}

fn in_three_notations(position: &Position, moves: &[Move]) -> [Vec<String>; 3] {
    [Notation::Iccs, Notation::Wxf, Notation::Chinese(Script::Simplified)]
        .map(|notation| notation.write_line(position, moves))
}
