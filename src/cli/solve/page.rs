//! Solutions as a page that can be printed: a diagram of each position, and what is said of it.

use crate::diagram::{Coordinates, Diagram};
use crate::display::language::Language;
use crate::position::Position;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:70em;margin:1em auto;padding:0 1em;color:#222;background:#fff}\
    article{display:flex;flex-wrap:wrap;align-items:flex-start;gap:1em;margin:0 0 2em;break-inside:avoid}\
    svg{width:16em;height:auto;flex:none}pre{font:inherit;white-space:pre-wrap;margin:0;flex:1 1 20em;overflow-wrap:anywhere}";

/// What is before the solutions.
pub(super) fn beginning(language: Language) -> String {
    let (tag, title) = language.pick(("en", "Problems"), ("zh", "排局"));
    format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n"
    )
}

/// A solution: its number, and the text that is also printed.
pub(super) fn solution(number: u64, position: &Position, text: &str) -> String {
    let diagram = Diagram { coordinates: Coordinates::Files, ..Diagram::new(position.without_history()) };
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<article id=\"{number}\">\n{}<pre>{number}. {text}</pre>\n</article>\n", diagram.svg())
}
