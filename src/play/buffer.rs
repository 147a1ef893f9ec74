//! What is to be on the screen: a grid of styled characters, of which those of Chinese take two cells.

use crate::games::visible::commands_terminal;
use unicode_width::UnicodeWidthChar;

/// In a cell that the character left of it covers too.
const COVERED: char = '\0';

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

    /// Without the first columns.
    pub fn skip_columns(self, columns: u16) -> Rect {
        let columns = columns.min(self.width);
        Rect { x: self.x + columns, width: self.width - columns, ..self }
    }

    /// Whether a cell lies within.
    pub const fn contains(self, x: u16, y: u16) -> bool {
        x >= self.x && x - self.x < self.width && y >= self.y && y - self.y < self.height
    }

    /// What lies in both.
    fn intersection(self, other: Rect) -> Rect {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let right = (self.x.saturating_add(self.width)).min(other.x.saturating_add(other.width));
        let bottom = (self.y.saturating_add(self.height)).min(other.y.saturating_add(other.height));
        Rect { x, y, width: right.saturating_sub(x), height: bottom.saturating_sub(y) }
    }
}

/// How characters are drawn. Colors are of the 256 of xterm; `None`: the terminal's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Style {
    pub foreground: Option<u8>,
    pub background: Option<u8>,
    pub is_bold: bool,
    pub is_underlined: bool,
    pub is_reversed: bool,
}

impl Style {
    /// Bold, without colors.
    pub const BOLD: Style =
        Style { foreground: None, background: None, is_bold: true, is_underlined: false, is_reversed: false };
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    letter: char,
    /// Characters without a width that combine with the letter.
    marks: String,
    /// How it is drawn.
    pub style: Style,
}

impl Cell {
    const BLANK: Cell = Cell { letter: ' ', marks: String::new(), style: Style { is_bold: false, ..Style::BOLD } };

    /// Whether the character left of the cell covers it.
    pub fn is_covered(&self) -> bool {
        self.letter == COVERED
    }

    /// The character with its marks.
    pub fn characters(&self) -> impl Iterator<Item = char> {
        std::iter::once(self.letter).chain(self.marks.chars())
    }

    /// Whether marks combine with the character.
    pub fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }
}

/// A grid of cells. Of what is written, the part outside is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    area: Rect,
    /// The rows one after the other. The cells of a wide character are either all there or none.
    cells: Vec<Cell>,
    /// Column and row of the cursor, if it is shown.
    pub cursor: Option<(u16, u16)>,
}

impl Buffer {
    /// Blanks, with so many columns and rows.
    pub fn new(width: u16, height: u16) -> Buffer {
        let cells = vec![Cell::BLANK; usize::from(width) * usize::from(height)];
        Buffer { area: Rect::new(0, 0, width, height), cells, cursor: None }
    }

    /// All of it.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Styles the cells of an area.
    pub fn set_style(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.area);
        for y in area.y..area.y + area.height {
            let start = self.index(area.x, y);
            self.cells[start..][..usize::from(area.width)].iter_mut().for_each(|cell| cell.style = style);
        }
    }

    /// Writes a text into the first row of an area, as much as fits. Returns the number of columns.
    pub fn set_string(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let area = area.intersection(self.area);
        if area.height == 0 {
            return 0;
        }
        let start = self.index(area.x, area.y);
        let (mut used, mut last) = (0, None);
        for letter in text.chars().filter(|&letter| !commands_terminal(letter)) {
            let columns = letter.width().unwrap_or(0);
            if used + columns > usize::from(area.width) {
                break;
            }
            if columns > 0 {
                last = Some(start + used);
                self.put(start + used, columns, letter, style);
                used += columns;
            } else if let Some(index) = last {
                self.cells[index].marks.push(letter);
            }
        }
        used as u16
    }

    /// Writes texts into an area, each from the start of a row and broken into lines.
    pub fn set_wrapped<'a>(&mut self, area: Rect, texts: impl IntoIterator<Item = &'a str>, style: Style) {
        let lines = texts.into_iter().flat_map(|text| wrap(text, area.width));
        for (y, line) in (0..area.height).zip(lines) {
            self.set_string(area.row(y), line, style);
        }
    }

    fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * usize::from(self.area.width) + usize::from(x)
    }

    /// Writes a character of so many columns.
    fn put(&mut self, index: usize, columns: usize, letter: char, style: Style) {
        self.blank_covering(index);
        self.blank_covering(index + columns);
        self.cells[index] = Cell { letter, marks: String::new(), style };
        self.cells[index + 1..index + columns].fill(Cell { letter: COVERED, marks: String::new(), style });
    }

    /// Blanks the character that covers a cell from the left.
    fn blank_covering(&mut self, index: usize) {
        if !self.cells.get(index).is_some_and(Cell::is_covered) {
            return;
        }
        let is_first = |cell: &Cell| !cell.is_covered();
        let first = self.cells[..index].iter().rposition(is_first).unwrap_or(0);
        let length = 1 + self.cells[first + 1..].iter().take_while(|cell| cell.is_covered()).count();
        for cell in &mut self.cells[first..][..length] {
            *cell = Cell { style: cell.style, ..Cell::BLANK };
        }
    }

    /// The texts of the rows, without blanks at the end.
    #[cfg(test)]
    pub fn rows(&self) -> Vec<String> {
        let text = |row: &[Cell]| -> String {
            row.iter().filter(|cell| !cell.is_covered()).flat_map(Cell::characters).collect()
        };
        self.cells.chunks(self.area.width.into()).map(|row| text(row).trim_end().to_string()).collect()
    }
}

/// The columns of a text.
pub fn width(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// Breaks a text into lines of so many columns at most: between words, or within a word that is longer than a line.
pub fn wrap(text: &str, columns: u16) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(line_end(rest, columns.into()));
        lines.push(line.trim_end());
        rest = after.trim_start();
    }
    if lines.is_empty() {
        lines.push("");
    }
    lines
}

/// Where the first line of a text ends, in bytes; after a character in any case.
fn line_end(text: &str, columns: usize) -> usize {
    let (mut used, mut word_end) = (0, None);
    for (index, letter) in text.char_indices() {
        used += letter.width().unwrap_or(0);
        if letter.is_whitespace() {
            word_end = Some(index);
        } else if used > columns {
            let in_word = if index > 0 { index } else { letter.len_utf8() };
            return word_end.unwrap_or(in_word);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(texts: &[(u16, &str)]) -> String {
        let mut buffer = Buffer::new(8, 1);
        for &(x, text) in texts {
            buffer.set_string(Rect::new(x, 0, 8, 1), text, Style::default());
        }
        buffer.rows().concat()
    }

    #[test]
    fn wide_characters_are_there_whole_or_not_at_all() {
        assert_eq!(written(&[(0, "炮马"), (2, "a")]), "炮a");
        assert_eq!(written(&[(0, "炮马"), (1, "a")]), " a马");
        assert_eq!(written(&[(0, "炮马"), (1, "车")]), " 车");
        assert_eq!(written(&[(0, "炮马"), (1, "ab")]), " ab");
        assert_eq!(written(&[(7, "炮")]), "", "no room in the last column");
        assert_eq!(written(&[(0, "炮炮炮炮炮"), (7, "a")]), "炮炮炮 a");
    }

    #[test]
    fn texts_stay_in_their_areas() {
        let mut buffer = Buffer::new(6, 3);
        assert_eq!(buffer.set_string(Rect::new(1, 0, 4, 1), "a炮b炮", Style::default()), 4);
        assert_eq!(buffer.set_string(Rect::new(4, 1, 9, 9), "炮炮", Style::default()), 2);
        for outside in [Rect::new(6, 0, 5, 1), Rect::new(0, 3, 5, 1), Rect::new(0, 0, 0, 1), Rect::new(0, 0, 1, 0)] {
            assert_eq!(buffer.set_string(outside, "x", Style::default()), 0);
            buffer.set_style(outside, Style::BOLD);
        }
        buffer.set_wrapped(Rect::new(0, 2, 3, 1), ["ab cd"], Style::default());
        assert_eq!(buffer.rows(), [" a炮b", "    炮", "ab"]);
        assert!(buffer.cells().iter().all(|cell| cell.style == Style::default()));
    }

    #[test]
    fn marks_stay_with_their_letter_and_commands_are_left_out() {
        assert_eq!(written(&[(0, "e\u{301}\u{1b}[2J\u{202e}\n炮\u{301}")]), "e\u{301}[2J炮\u{301}");
        assert_eq!(written(&[(0, "e\u{301}"), (0, "\u{301}a")]), "a");
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
            ("炮二平五", 5, &["炮二", "平五"]),
            ("a炮二 马", 5, &["a炮二", "马"]),
            ("ae\u{301}b", 2, &["ae\u{301}", "b"]),
            ("炮a", 1, &["炮", "a"]),
            ("ab", 0, &["a", "b"]),
        ] {
            assert_eq!(wrap(text, columns), lines, "{text:?} in {columns}");
        }
    }
}
