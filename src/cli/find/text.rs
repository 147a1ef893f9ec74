//! Games that were found, and trees of moves, as text and JSON.

use super::super::review_text::players;
use crate::analysis::find::Hit;
use crate::analysis::opening_tree::{GameCounts, OpeningNode};
use crate::display::columns::{left_aligned, right_aligned, width};
use crate::display::language::Language;
use crate::games::GameRecord;
use crate::games::visible::visible;
use crate::notation::Notation;
use crate::position::Position;
use crate::types::Move;
use serde::Serialize;

/// The line of a game: where it is, who played, the result, the ply, and the next move.
pub(super) fn hit_text(source: &str, game: &GameRecord, hit: &Hit, notation: Notation, language: Language) -> String {
    let (comma, semicolon) = (language.pick(", ", "，"), language.pick("; ", "；"));
    let tags = ["Event", "Date"].iter().filter_map(|name| game.tag(name)).map(visible);
    let facts: Vec<String> =
        players(game, language).into_iter().chain(tags).chain([game.result.text().to_string()]).collect();
    let mut text = format!("{source}{}{}", language.colon(), facts.join(comma));
    text += &language.pick(format!("{semicolon}ply {}", hit.ply), format!("{semicolon}第{}步后", hit.ply));
    for (is_so, words) in [
        (hit.view.is_mirrored, language.pick("mirrored", "左右相反")),
        (hit.view.is_swapped, language.pick("colors exchanged", "红黑互换")),
    ] {
        text += &if is_so { format!("{comma}{words}") } else { String::new() };
    }
    if let Some(&mv) = hit.moves.get(hit.ply) {
        text += &format!("{semicolon}{}", notation.write(&hit.position, mv));
    }
    text
}

/// A row of the table of moves: the move, and its figures.
type Row = [String; 9];

/// A table of the moves, each with those that followed it below.
pub(super) fn tree_text(position: &Position, root: &OpeningNode, notation: Notation, language: Language) -> String {
    let heads: [&str; 9] = language.pick(
        ["move", "games", "share", "red", "drawn", "black", "score", "rating", "year"],
        ["着法", "局数", "占比", "红胜", "和", "黑胜", "得分率", "等级分", "年份"],
    );
    let mut rows = vec![heads.map(str::to_string)];
    add_rows(&mut position.clone(), root, notation, 0, &mut rows);
    let columns: [usize; 9] =
        std::array::from_fn(|index| rows.iter().map(|row| width(&row[index])).max().unwrap_or_default());
    let mut text = String::new();
    for [mv, figures @ ..] in &rows {
        text += &left_aligned(mv, columns[0]);
        for (figure, &columns) in figures.iter().zip(&columns[1..]) {
            text += &format!("  {}", right_aligned(figure, columns));
        }
        text.push('\n');
    }
    text
}

fn add_rows(position: &mut Position, node: &OpeningNode, notation: Notation, indent: usize, rows: &mut Vec<Row>) {
    for (mv, next) in &node.moves {
        let GameCounts { games, results: [red, black, drawn], year, .. } = next.counts;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_string());
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        rows.push([
            " ".repeat(indent) + &notation.write(position, *mv),
            games.to_string(),
            percent(f64::from(games) / f64::from(node.counts.games.max(1))),
            red.to_string(),
            drawn.to_string(),
            black.to_string(),
            or_none(next.counts.score(position.side()).map(percent)),
            or_none(next.counts.rating().map(|rating| rating.to_string())),
            or_none(year.map(|year| year.to_string())),
        ]);
        position.make(*mv);
        add_rows(position, next, notation, indent + 2, rows);
        position.undo();
    }
}

/// A tree of moves.
#[derive(Serialize)]
pub(super) struct JsonNode {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    /// Of the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    games: u32,
    red_wins: u32,
    draws: u32,
    black_wins: u32,
    rating: Option<u64>,
    year: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<JsonNode>,
}

impl JsonNode {
    /// The node that a move in `before` led to, or the root at `before`.
    pub(super) fn new(before: &Position, mv: Option<Move>, node: &OpeningNode, notation: Notation) -> JsonNode {
        let position = mv.map_or_else(|| before.clone(), |mv| before.after(mv));
        let GameCounts { games, results: [red_wins, black_wins, draws], year, .. } = node.counts;
        let next = node.moves.iter().map(|(mv, node)| JsonNode::new(&position, Some(*mv), node, notation));
        JsonNode {
            mv: mv.map(|mv| notation.write(before, mv)),
            fen: mv.is_none().then(|| before.to_fen()),
            games,
            red_wins,
            draws,
            black_wins,
            rating: node.counts.rating(),
            year,
            moves: next.collect(),
        }
    }
}
