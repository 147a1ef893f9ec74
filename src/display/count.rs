//! Numbers with a noun.

use std::fmt::Display;

/// `1 position`, `2 positions`, `1 leaf`, `2 leaves`, `1 entry`, `2 entries`.
pub(crate) fn count(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    if number == "1" {
        return format!("1 {noun}");
    }
    match (noun.strip_suffix('f'), noun.strip_suffix('y')) {
        (Some(stem), _) => format!("{number} {stem}ves"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn nouns_have_a_plural() {
        assert_eq!([count(0, "game"), count(1, "game"), count(2, "game")], ["0 games", "1 game", "2 games"]);
        assert_eq!([count(1, "leaf"), count(2, "leaf"), count(2, "entry")], ["1 leaf", "2 leaves", "2 entries"]);
    }
}
