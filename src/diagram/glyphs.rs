//! Outlines of the characters on diagrams: pieces, the river, coordinates. They look the same everywhere, and need no
//! font.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Units of the outlines to the em.
pub(super) const EM: f64 = 1000.0;

/// The outline of a character as SVG path data, centred at the origin, y downwards, in [`EM`] units; `None` if there is
/// none. There are outlines of the pieces in both scripts and as letters, of 楚河漢界, Chinese and Arabic numerals, and
/// `a` to `i`.
pub(super) fn outline(character: char) -> Option<&'static str> {
    static OUTLINES: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
        let lines = include_str!("glyphs.txt").lines().filter(|line| !line.starts_with('#'));
        lines
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(key, path)| Some((key.chars().next()?, path)))
            .collect()
    });
    OUTLINES.get(&character).copied()
}
