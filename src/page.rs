//! Reviews of games as a page for browsers: one HTML file that loads nothing.

use crate::diagram::shape::Element;
use crate::diagram::{Coordinates, board, symbol, view_box};
use crate::display::board::PieceSet;
use crate::display::language::Language;
use crate::notation::Notation;
use crate::types::Piece;

const HTML: &str = include_str!("page/page.html");
const CSS: &str = include_str!("page/page.css");
/// The parts of the script, which share one scope. The first ones use nothing of the page.
const SCRIPTS: [&str; 8] = [
    include_str!("page/moves.js"),
    include_str!("page/tree.js"),
    include_str!("page/texts.js"),
    include_str!("page/state.js"),
    include_str!("page/board.js"),
    include_str!("page/list.js"),
    include_str!("page/exercises.js"),
    include_str!("page/page.js"),
];

/// The parts of the page before and after its games. It opens in `language`; without one, in that of the browser. Moves are
/// written in `notation`; without one, in that of the language.
pub(crate) fn frame(language: Option<Language>, notation: Option<Notation>) -> (String, String) {
    // The script writes the coordinates in the language of the page.
    let (x, y, width, height) = view_box(Coordinates::Files);
    let pieces: String =
        PieceSet::ALL.iter().flat_map(|&set| Piece::all().map(move |piece| symbol(set, piece).to_string())).collect();
    let parts = [
        ("css", CSS.to_string()),
        ("viewbox", format!("{x} {y} {width} {height}")),
        ("pieces", pieces),
        ("board", board(Coordinates::None, false).iter().map(Element::to_string).collect()),
        ("language", language.map_or("", |language| language.pick("en", "zh")).to_string()),
        ("notation", notation.map_or("", Notation::name).to_string()),
        ("script", SCRIPTS.concat()),
    ];
    let (before, after) = HTML.split_once("{{games}}").expect("invariant: the page has a place for the games");
    let filled = |template: &str| {
        // Split at the markers once, so that nothing inside a part is taken for one.
        let mut texts = template.split("{{");
        let mut page = texts.next().unwrap_or_default().to_string();
        for text in texts {
            let (name, rest) = text.split_once("}}").unwrap_or((text, ""));
            page.extend(parts.iter().find(|(known, _)| *known == name).map(|(_, part)| part.as_str()));
            page.push_str(rest);
        }
        page
    };
    (filled(before) + "[", "]".to_string() + &filled(after))
}

/// A game for the page, in pieces, from the JSON object that `chuhe review --json` prints of it. `is_first`: whether it is
/// the first one.
///
/// It stands in a script element: `<`, `>` and `&` occur only in strings, where escapes mean the same.
pub(crate) fn game(json: &str, is_first: bool) -> impl Iterator<Item = &str> {
    let separator = if is_first { "" } else { ",\n" };
    let pieces = json.split_inclusive(['<', '>', '&']).flat_map(|piece| {
        let escape = match piece.as_bytes().last() {
            Some(b'<') => "\\u003c",
            Some(b'>') => "\\u003e",
            Some(b'&') => "\\u0026",
            _ => return [piece, ""],
        };
        [&piece[..piece.len() - 1], escape]
    });
    [separator].into_iter().chain(pieces)
}
