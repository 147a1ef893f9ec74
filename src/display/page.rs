//! Reviews of games as a page for browsers: one HTML file that loads nothing.

use super::board::PieceSet;
use super::diagram::{Coordinates, board, symbol, view_box};
use super::verdict::Language;
use crate::types::Piece;

const HTML: &str = include_str!("page/page.html");
const CSS: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The page with these games, each a JSON object as `chuhe review --json` prints it. It opens in `language`; without one, in
/// that of the browser.
pub fn page(games: &[String], language: Option<Language>) -> String {
    // The script writes the coordinates in the language of the page.
    let (x, y, width, height) = view_box(Coordinates::Files);
    let pieces: String =
        PieceSet::ALL.iter().flat_map(|&set| Piece::all().map(move |piece| symbol(set, piece))).collect();
    let parts = [
        ("css", CSS.to_string()),
        ("viewbox", format!("{x} {y} {width} {height}")),
        ("pieces", pieces),
        ("board", board(Coordinates::None, false)),
        ("language", language.map_or("", |language| language.pick("en", "zh")).to_string()),
        ("games", embedded(&format!("[{}]", games.join(",\n")))),
        ("script", SCRIPT.to_string()),
    ];
    // Split at the markers once, so that nothing inside a part is taken for one.
    let mut texts = HTML.split("{{");
    let mut page = texts.next().unwrap_or_default().to_string();
    for text in texts {
        let (name, rest) = text.split_once("}}").unwrap_or((text, ""));
        page.extend(parts.iter().find(|(known, _)| *known == name).map(|(_, part)| part.as_str()));
        page.push_str(rest);
    }
    page
}

/// JSON that can stand in a script element: `<`, `>` and `&` occur only in strings, where escapes mean the same.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
