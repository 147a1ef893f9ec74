//! What is to be on the screen: styled texts in rows of cells, of which the characters of Chinese take two.

use crate::games::visible::commands_terminal;
use crossterm::style::ContentStyle;
use unicode_width::UnicodeWidthChar;

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// The left column, from 0.
    pub x: u16,
    /// The top row, from 0.
    pub y: u16,
    /// Number of columns.
    pub width: u16,
    /// Number of rows.
    pub height: u16,
}

impl Rect {
    /// The rectangle with this left top, width and height.
    pub const fn new(x: u16, y: u16, width: u16, height: u16) -> Rect {
        Rect { x, y, width, height }
    }

    /// The row `y` rows below the top, one row high.
    pub const fn row(self, y: u16) -> Rect {
        Rect { y: self.y + y, height: 1, ..self }
    }

    /// Takes so many rows, or those that are there, off the top.
    pub fn take_rows(&mut self, rows: u16) -> Rect {
        let taken = Rect { height: rows.min(self.height), ..*self };
        (self.y, self.height) = (self.y + taken.height, self.height - taken.height);
        taken
    }

    /// Without the first columns.
    pub fn skip_columns(self, columns: u16) -> Rect {
        let columns = columns.min(self.width);
        Rect { x: self.x + columns, width: self.width - columns, ..self }
    }

    /// Whether a cell lies within.
    pub const fn contains(self, x: u16, y: u16) -> bool {
        x >= self.x && x - self.x < self.width && y >= self.y && y - self.y < self.height
    }
}

/// A text in a row of the screen: its first column, the text, and how it is drawn.
pub type Span = (u16, String, ContentStyle);

/// The rows of the screen. Of what is written, the part outside is left out; what is written later stands above.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// Number of columns.
    pub width: u16,
    /// The texts of the rows.
    pub rows: Vec<Vec<Span>>,
    /// Column and row of the cursor, if it is shown.
    pub cursor: Option<(u16, u16)>,
}

impl Buffer {
    /// Blanks, with so many columns and rows.
    pub fn new(width: u16, height: u16) -> Buffer {
        Buffer { width, rows: vec![Vec::new(); height.into()], cursor: None }
    }

    /// All of it.
    pub fn area(&self) -> Rect {
        Rect::new(0, 0, self.width, self.rows.len() as u16)
    }

    /// Writes a text into the first row of an area, as much as fits. Returns the number of columns.
    pub fn set_string(&mut self, area: Rect, text: &str, style: ContentStyle) -> u16 {
        let Some(row) = self.rows.get_mut(usize::from(area.y)).filter(|_| area.height > 0) else { return 0 };
        let room = area.width.min(self.width.saturating_sub(area.x));
        let (mut shown, mut used) = (String::new(), 0);
        for letter in text.chars().filter(|&letter| !commands_terminal(letter)) {
            let columns = letter.width().unwrap_or(0) as u16;
            if used + columns > room {
                break;
            }
            // A mark belongs to the letter before it.
            if used + columns > 0 {
                shown.push(letter);
            }
            used += columns;
        }
        row.push((area.x, shown, style));
        used
    }

    /// Writes texts into an area, each from the start of a row and broken into lines.
    pub fn set_wrapped<'a>(&mut self, area: Rect, texts: impl IntoIterator<Item = &'a str>, style: ContentStyle) {
        let lines = texts.into_iter().flat_map(|text| wrap(text, area.width));
        for (y, line) in (0..area.height).zip(lines) {
            self.set_string(area.row(y), line, style);
        }
    }
}

/// The columns of a text.
pub fn width(text: &str) -> u16 {
    text.chars().filter_map(UnicodeWidthChar::width).sum::<usize>().try_into().unwrap_or(u16::MAX)
}

/// Breaks a text into lines of so many columns at most: between words, or within a word that is longer than a line.
pub fn wrap(text: &str, columns: u16) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), text.trim());
    loop {
        let (line, after) = rest.split_at(line_end(rest, columns.into()));
        lines.push(line.trim_end());
        rest = after.trim_start();
        if rest.is_empty() {
            return lines;
        }
    }
}

/// Where the first line of a text ends, in bytes; after a character in any case.
fn line_end(text: &str, columns: usize) -> usize {
    let (mut used, mut word_end) = (0, None);
    for (index, letter) in text.char_indices() {
        used += letter.width().unwrap_or(0);
        if letter.is_whitespace() {
            word_end = Some(index);
        } else if used > columns {
            return word_end.unwrap_or(if index > 0 { index } else { letter.len_utf8() });
        }
    }
    text.len()
}

#[cfg(test)]
impl Buffer {
    /// The texts of the rows, without blanks at the end.
    pub fn texts(&self) -> Vec<String> {
        let text = |row: &Vec<Span>| {
            // Empty: covered by the character before.
            let mut cells = vec![" ".to_string(); self.width.into()];
            for (x, text, _) in row {
                let mut next = usize::from(*x);
                for letter in text.chars() {
                    let columns = letter.width().unwrap_or(0);
                    cells[next..next + columns].fill(String::new());
                    cells[if columns > 0 { next } else { next - 1 }].push(letter);
                    next += columns;
                }
            }
            cells.concat().trim_end().to_string()
        };
        self.rows.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_in_their_areas_and_wide_characters_whole() {
        let (mut buffer, plain) = (Buffer::new(6, 3), ContentStyle::default());
        assert_eq!(buffer.set_string(Rect::new(1, 0, 4, 1), "a炮b炮", plain), 4);
        assert_eq!(buffer.set_string(Rect::new(4, 1, 9, 9), "炮炮", plain), 2);
        for outside in [Rect::new(6, 0, 5, 1), Rect::new(9, 0, 5, 1), Rect::new(0, 3, 5, 1), Rect::new(0, 0, 1, 0)] {
            assert_eq!(buffer.set_string(outside, "x", plain), 0);
        }
        buffer.set_wrapped(Rect::new(0, 2, 3, 1), ["ab cd"], plain);
        assert_eq!(buffer.texts(), [" a炮b", "    炮", "ab"]);
    }

    #[test]
    fn marks_stay_with_their_letter_and_commands_are_left_out() {
        let mut buffer = Buffer::new(8, 1);
        buffer.set_string(buffer.area(), "\u{301}e\u{301}\u{1b}[2J\u{202e}\n炮", ContentStyle::default());
        assert_eq!(buffer.texts(), ["e\u{301}[2J炮"]);
    }

    #[test]
    fn lines_break_between_words_and_fit() {
        for (text, columns, lines) in [
            ("", 5, &[""][..]),
            ("ab cd", 5, &["ab cd"]),
            ("ab cd", 4, &["ab", "cd"]),
            ("  ab   cd  ", 3, &["ab", "cd"]),
            ("abcdefg hi", 3, &["abc", "def", "g", "hi"]),
            ("ab cdefg", 4, &["ab", "cdef", "g"]),
            ("a炮二 马", 5, &["a炮二", "马"]),
            ("ae\u{301}b", 2, &["ae\u{301}", "b"]),
            ("炮a", 1, &["炮", "a"]),
            ("ab", 0, &["a", "b"]),
        ] {
            assert_eq!(wrap(text, columns), lines, "{text:?} in {columns}");
        }
    }
}
