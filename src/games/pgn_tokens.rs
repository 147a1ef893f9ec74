//! The tokens of a PGN text: tags, words, comments.

use super::record::{Location, RecordError, RecordErrorKind};

/// The word that `text` begins with.
pub(super) fn first_word(text: &str) -> &str {
    text.find(|c: char| c.is_whitespace() || "{}();[".contains(c)).map_or(text, |end| &text[..end])
}

/// Length in bytes of the tag that `text` begins with. It ends on the same line with the bracket after the quoted value,
/// which may contain brackets itself.
pub(super) fn tag_length(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (offset, c) in text.char_indices() {
        match c {
            '"' => is_quoted = true,
            ']' if !is_quoted || text[..offset].trim_end().ends_with('"') => return Some(offset + 1),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Name and value of a tag.
pub(super) fn name_and_value(tag: &str) -> (&str, &str) {
    let inside = tag.strip_prefix('[').and_then(|tag| tag.strip_suffix(']')).unwrap_or(tag).trim();
    let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    (name, value.trim().trim_matches('"'))
}

/// Whether a tag with a quoted value begins the text; at the beginning of a line it ends open comments and variations.
pub(super) fn begins_with_tag(text: &str) -> bool {
    text.starts_with('[') && tag_length(text).is_some_and(|length| text[..length].contains('"'))
}

/// A token of a PGN text. Comments to the end of the line, variations and annotations have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[name "value"]`
    Tag(&'a str, &'a str),
    /// A move, a move number or a result.
    Word(&'a str),
    /// `{text}`
    Comment(&'a str),
    /// An opening bracket whose closing bracket is missing.
    Unclosed(char),
}

/// A token and where it stands.
pub(super) struct Item<'a> {
    pub(super) line: usize,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
    /// The text from it on.
    pub(super) text: &'a str,
    pub(super) token: Token<'a>,
}

impl Item<'_> {
    /// The error of this kind in its line.
    pub(super) fn error(&self, kind: RecordErrorKind) -> RecordError {
        RecordError { location: Location::Line(self.line), kind }
    }
}

/// The tokens of a text.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) rest: &'a str,
    pub(super) line: usize,
    /// Whether `rest` is at the beginning of a line.
    pub(super) is_line_start: bool,
    /// Whether nothing but blanks stands before `rest` in its line.
    pub(super) is_first: bool,
}

impl<'a> Tokens<'a> {
    /// Takes `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.is_line_start = if taken.is_empty() { self.is_line_start } else { taken.ends_with('\n') };
        let (is_first, in_line) = taken.rsplit_once('\n').map_or((self.is_first, taken), |(_, last)| (true, last));
        self.is_first = is_first && in_line.trim_start().is_empty();
        self.rest = rest;
        taken
    }

    /// The text up to the end of the line.
    fn rest_of_line(&self) -> &'a str {
        self.rest.split('\n').next().unwrap_or_default()
    }

    /// Skips that.
    pub(super) fn skip_line(&mut self) {
        self.take(self.rest_of_line().len());
    }

    fn take_until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }

    /// Skips a comment, or a variation with everything nested in it; false if it is not closed before the tags of the
    /// next game.
    fn skip_bracketed(&mut self) -> bool {
        let (mut depth, mut in_comment) = (0, false);
        loop {
            self.take_until(|c| if in_comment { "}[".contains(c) } else { "{()[".contains(c) });
            match self.rest.chars().next() {
                Some('[') if self.is_line_start && begins_with_tag(self.rest) => return false,
                Some('[') => {}
                Some('{') => in_comment = true,
                Some('}') => in_comment = false,
                Some('(') => depth += 1,
                Some(_) => depth -= 1,
                None => return false,
            }
            self.take(1);
            if depth <= 0 && !in_comment {
                return true;
            }
        }
    }

    fn tag(&mut self) -> Token<'a> {
        let Some(length) = tag_length(self.rest) else {
            self.skip_line();
            return Token::Unclosed('[');
        };
        let (name, value) = name_and_value(self.take(length));
        Token::Tag(name, value)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            self.take_until(|c| !c.is_whitespace());
            let (line, is_first, text) = (self.line, self.is_first, self.rest);
            let item = |token| Some(Item { line, is_first, text, token });
            match self.rest.chars().next()? {
                '[' => return item(self.tag()),
                sign @ ('{' | '(') => {
                    if !self.skip_bracketed() {
                        return item(Token::Unclosed(sign));
                    }
                    if sign == '{' {
                        return item(Token::Comment(&text[1..text.len() - self.rest.len() - 1]));
                    }
                }
                ';' | '%' | '#' => self.skip_line(),
                '}' | ')' | ']' => {
                    self.take(1);
                }
                '$' => {
                    self.take_until(char::is_whitespace);
                }
                _ => {
                    let word = self.take(first_word(self.rest).len());
                    return item(Token::Word(word));
                }
            }
        }
    }
}
