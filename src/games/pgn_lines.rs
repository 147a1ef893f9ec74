//! What the lines of a PGN text tell before its games are read.

use super::record::GameResult;
use super::{pgn, pgn_tokens};
use crate::notation::is_move;

/// What the lines of a game record read so far leave open. A line costs its own length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineState {
    is_in_comment: bool,
    /// Number of open variations.
    depth: usize,
    /// The name of the tag that the game began with.
    first_tag: Option<String>,
    /// Whether a line since the last tag begins with a move or holds a result.
    pub has_move: bool,
    /// Whether the last line begins with a move, or with a move number or a result and holds a move or a result behind it.
    pub begins_with_move: bool,
    /// Whether the last line ends with a result, outside of comments and variations.
    pub ends_with_result: bool,
}

impl LineState {
    /// Whether neither a comment nor a variation is open.
    pub fn is_outside(&self) -> bool {
        !self.is_in_comment && self.depth == 0
    }

    /// Whether the next line begins with a tag.
    pub fn is_tag(&self, line: &str) -> bool {
        pgn_tokens::begins_with_tag(if self.is_outside() { line.trim_start() } else { line })
    }

    /// Whether the next line begins with a tag of the next game, as [`pgn::Games`] has it.
    pub fn begins_game(&self, line: &str) -> bool {
        self.is_tag(line) && (self.has_move || self.is_first_tag(line.trim_start()))
    }

    /// Whether the text begins with the tag that the game began with.
    fn is_first_tag(&self, text: &str) -> bool {
        let is_name = |first: &str| {
            pgn_tokens::tag_length(text)
                .is_some_and(|length| pgn_tokens::name_and_value(&text[..length]).0.eq_ignore_ascii_case(first))
        };
        self.first_tag.as_deref().is_some_and(is_name)
    }

    /// Reads the next line.
    pub fn add(&mut self, line: &str) {
        if self.is_tag(line) {
            (self.is_in_comment, self.depth) = (false, 0);
        }
        (self.begins_with_move, self.ends_with_result) = (false, false);
        // Nothing but move numbers yet; whether there was one, or a result; whether there is a move behind it.
        let (mut is_first, mut has_number, mut holds_move) = (true, false, false);
        let mut rest = line;
        loop {
            rest = if self.is_outside() { rest.trim_start() } else { self.skip_to_sign(rest) };
            let Some(sign) = rest.chars().next() else { break };
            let length = match sign {
                _ if !self.is_outside() => self.bracket(sign),
                '{' | '(' => self.bracket(sign),
                '[' => self.tag(rest),
                ';' | '%' | '#' => break,
                '}' | ')' | ']' => 1,
                '$' => rest.find(char::is_whitespace).unwrap_or(rest.len()),
                _ => {
                    let word = pgn_tokens::first_word(rest);
                    let mv = pgn::without_number(word.trim_end_matches(['!', '?']));
                    self.ends_with_result = GameResult::read(word).is_some();
                    holds_move |= is_move(mv) || has_number && self.ends_with_result;
                    has_number |= is_first && (pgn::begins_with_number(word) || self.ends_with_result);
                    self.begins_with_move |= is_first && is_move(mv) || has_number && holds_move;
                    is_first &= mv.is_empty();
                    self.has_move |= self.begins_with_move || self.ends_with_result;
                    word.len()
                }
            };
            rest = &rest[length..];
        }
    }

    /// The text from the next sign on that matters in a comment or variation.
    fn skip_to_sign<'a>(&self, text: &'a str) -> &'a str {
        let signs: &[char] = if self.is_in_comment { &['}'] } else { &['{', '(', ')'] };
        text.find(signs).map_or("", |start| &text[start..])
    }

    /// Passes a tag, or what begins as one. Returns its length.
    fn tag(&mut self, text: &str) -> usize {
        self.ends_with_result = false;
        let Some(length) = pgn_tokens::tag_length(text) else { return text.len() };
        if self.has_move || self.first_tag.is_none() {
            self.first_tag = Some(pgn_tokens::name_and_value(&text[..length]).0.to_string());
        }
        self.has_move = false;
        length
    }

    /// Opens or closes a comment or variation. Returns the length of the sign.
    fn bracket(&mut self, sign: char) -> usize {
        match sign {
            '{' => (self.is_in_comment, self.ends_with_result) = (true, false),
            '}' => self.is_in_comment = false,
            '(' => self.depth += 1,
            _ => self.depth -= 1,
        }
        sign.len_utf8()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_where_the_first_tag_comes_again() {
        let mut state = LineState::default();
        for (line, begins) in [
            ("[Event \"a\"]", false),
            ("[Red \"b\"]", false),
            ("", false),
            (" [event]", false),
            (" [event \"c\"]", true),
        ] {
            assert_eq!(state.begins_game(line), begins, "{line}");
            state.add(line);
        }
    }

    #[test]
    fn numbered_title_is_no_move() {
        for (line, expected) in [
            ("1. 马跃檀溪", false),
            ("3 puzzles", false),
            ("1. Zb0c2 h9g7 1-0", true),
            ("1. Zb0c2 *", true),
            ("1. h2e2", true),
            ("*\th2e2 h9g7\tnames", true),
            ("1-0 welcome", false),
            ("第1局 h2e2", false),
        ] {
            let mut state = LineState::default();
            state.add(line);
            assert_eq!(state.begins_with_move, expected, "{line}");
        }
    }

    #[test]
    fn lines_open_and_close_comments_and_variations() {
        let mut state = LineState::default();
        // Line; whether neither comment nor variation is open after it, whether there was a move or result since the
        // last tag, whether it begins with a move, whether it ends with a result.
        for (line, expected) in [
            ("[Red \"a\"]", [true, false, false, false]),
            ("{of (the [start]", [false, false, false, false]),
            ("} $3 1. $1 h2e2 h9g7", [true, true, true, false]),
            ("2. (b2e2 (h0g2", [false, true, false, false]),
            (") {1-0} (1-0", [false, true, false, false]),
            (") b9c7", [false, true, false, false]),
            (") b9c7 ; (", [true, true, true, false]),
            ("result h0g2", [true, true, false, false]),
            ("1-0 {and", [false, true, false, false]),
            ("[Red \"b\"] 0-1", [true, true, false, true]),
            ("$4", [true, true, false, false]),
            ("[Red \"c\"]", [true, false, false, false]),
        ] {
            let is_next = state.has_move && line.starts_with('[');
            assert_eq!(state.begins_game(line), is_next, "{line}");
            state.add(line);
            let seen = [state.is_outside(), state.has_move, state.begins_with_move, state.ends_with_result];
            assert_eq!(seen, expected, "{line}");
        }
    }
}
