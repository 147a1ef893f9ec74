//! What is to be on the screen: styled texts in rows of cells, of which the characters of Chinese take two.

use crate::games::visible::commands_terminal;
use crossterm::style::ContentStyle;
use unicode_width::UnicodeWidthChar;

/// A text, and how it is drawn.
pub(super) type Text = (String, ContentStyle);

/// The rows of the screen. Of what is written, the part outside is left out; what is written later stands above.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Buffer {
    /// Number of columns.
    pub width: u16,
    /// The texts of the rows, each with its first column.
    pub rows: Vec<Vec<(u16, Text)>>,
    /// Column and row of the cursor, if it is shown.
    pub cursor: Option<(u16, u16)>,
}

impl Buffer {
    /// Blanks, with so many columns and rows.
    pub(super) fn new(width: u16, height: u16) -> Buffer {
        Buffer { width, rows: vec![Vec::new(); height.into()], cursor: None }
    }

    /// Number of rows.
    pub(super) fn height(&self) -> u16 {
        self.rows.len() as u16
    }

    /// Writes a text from a column and row on, as much as fits into so many columns. Returns the number of columns.
    pub(super) fn put(&mut self, (x, y): (u16, u16), columns: u16, text: &str, style: ContentStyle) -> u16 {
        let Some(row) = self.rows.get_mut(usize::from(y)) else { return 0 };
        let room = columns.min(self.width.saturating_sub(x));
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
        row.push((x, (shown, style)));
        used
    }

    /// Writes rows of texts from a column on, below the top, as much as fits into so many columns and rows.
    pub(super) fn put_rows(&mut self, x: u16, (columns, height): (u16, u16), rows: Vec<Vec<Text>>) {
        for (y, row) in (0..height).zip(rows) {
            let mut used = 0;
            for (text, style) in row {
                used += self.put((x + used, y), columns - used, &text, style);
            }
        }
    }
}

/// Breaks a text into rows of so many columns at most.
pub(super) fn wrapped(text: &str, columns: u16, style: ContentStyle) -> Vec<Vec<Text>> {
    wrap(text, columns).into_iter().map(|line| vec![(line.to_string(), style)]).collect()
}

/// The columns of a text.
pub(super) fn width(text: &str) -> u16 {
    text.chars().filter_map(UnicodeWidthChar::width).sum::<usize>().try_into().unwrap_or(u16::MAX)
}

/// Breaks a text into lines of so many columns at most: between words, or within a word that is longer than a line.
fn wrap(text: &str, columns: u16) -> Vec<&str> {
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
        let text = |row: &Vec<(u16, Text)>| {
            // Empty: covered by the character before.
            let mut cells = vec![" ".to_string(); self.width.into()];
            for (x, (text, _)) in row {
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
    fn texts_stay_in_their_columns_and_wide_characters_whole() {
        let (mut buffer, style) = (Buffer::new(6, 3), ContentStyle::default());
        assert_eq!(buffer.put((1, 0), 4, "a炮b炮", style), 4);
        assert_eq!(buffer.put((4, 1), 9, "炮炮", style), 2);
        assert_eq!([(6, 0), (9, 0), (0, 3)].map(|place| buffer.put(place, 5, "x", style)), [0, 0, 0]);
        let text = |text: &str| (text.to_string(), style);
        buffer.put_rows(1, (4, 1), vec![vec![text("ab"), text("cde")], vec![text("x")]]);
        assert_eq!(buffer.texts(), [" abcd", "    炮", ""]);
    }

    #[test]
    fn marks_stay_with_their_letter_and_commands_are_left_out() {
        let mut buffer = Buffer::new(8, 1);
        buffer.put((0, 0), 8, "\u{301}e\u{301}\u{1b}[2J\u{202e}\n炮", ContentStyle::default());
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
