//! The board on the screen: ten ranks and nine files of lines, pieces on their crossings, and marks.

use super::buffer::Buffer;
use super::session::Session;
use crate::display::board::PieceSet;
use crate::types::{Color, Piece, Square};
use crossterm::style::Color as Ink;
use crossterm::style::{ContentStyle, Stylize};
use std::ops::RangeInclusive;

/// Colors of the 256 that terminals have had for decades.
const WOOD: Ink = Ink::AnsiValue(180);
const LINE: Ink = Ink::AnsiValue(94);
const STONE: Ink = Ink::AnsiValue(230);
const RED: Ink = Ink::AnsiValue(160);
const BLACK: Ink = Ink::AnsiValue(16);
const LAST_MOVE: Ink = Ink::AnsiValue(222);
const CURSOR: Ink = Ink::AnsiValue(117);
const SELECTED: Ink = Ink::AnsiValue(114);
const CHECK: Ink = Ink::AnsiValue(210);
const TARGET: Ink = Ink::AnsiValue(22);

/// Columns left of the lines: a rank and a blank on each side of it.
const LEFT: u16 = 3;
/// Rows above the lines: the files.
const TOP: u16 = 1;

const FILES: u16 = Square::FILES as u16;
const RANKS: u16 = Square::RANKS as u16;

/// Where the player is with a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// The square of the cursor.
    pub cursor: Option<Square>,
    /// The square of the chosen piece.
    pub selected: Option<Square>,
    /// Where the chosen piece can go.
    pub targets: Vec<Square>,
}

/// The board at the left top of the screen.
pub(super) struct BoardView<'a> {
    session: &'a Session,
    /// Columns from one file to the next, rows from one rank to the next.
    step: (u16, u16),
}

impl BoardView<'_> {
    /// The greatest board that fits into so many columns and rows; `None` if there is not enough room.
    pub(super) fn fit(session: &Session, columns: u16, rows: u16) -> Option<BoardView<'_>> {
        let boards = [(6, 3), (4, 2)].map(|step| BoardView { session, step });
        boards.into_iter().find(|board| board.size().0 <= columns && board.size().1 <= rows)
    }

    /// Columns and rows of the board with its coordinates.
    pub(super) fn size(&self) -> (u16, u16) {
        (LEFT + (FILES - 1) * self.step.0 + 4, TOP + (RANKS - 1) * self.step.1 + 2)
    }

    /// The left column of a square's crossing, and its row.
    fn cell(&self, square: Square) -> (u16, u16) {
        let (column, row) = match self.session.settings.bottom {
            Color::Red => (square.file(), Square::RANKS - 1 - square.rank()),
            Color::Black => (Square::FILES - 1 - square.file(), square.rank()),
        };
        (LEFT + u16::from(column) * self.step.0, TOP + u16::from(row) * self.step.1)
    }

    /// The square at a column and row of the screen: the nearest crossing.
    pub(super) fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        let half = (self.step.0 / 2, self.step.1 / 2);
        Square::all().find(|&square| {
            let (x, y) = self.cell(square);
            (x..x + 2 * half.0).contains(&(column + half.0 - 1)) && (y..y + self.step.1).contains(&(row + half.1))
        })
    }

    /// Draws the board.
    pub(super) fn render(&self, marks: &Marks, buffer: &mut Buffer) {
        let settings = &self.session.settings;
        let ((columns, rows), (width, height)) = (self.step, self.size());
        let style = ContentStyle::new().with(LINE).on(WOOD);
        let mut put = |x, y, text: &str| buffer.put((x, y), width - x, text, style);
        for y in 0..height {
            put(0, y, &" ".repeat(width.into()));
        }
        for y in 0..=(RANKS - 1) * rows {
            put(LEFT, TOP + y, &self.lines(0..=(FILES - 1) * columns, y));
        }
        if settings.pieces != PieceSet::Letters {
            for (x, word) in [(columns, "楚"), (columns + 4, "河"), (6 * columns, "漢"), (6 * columns + 4, "界")] {
                put(LEFT + x, TOP + 4 * rows + rows / 2, word);
            }
        }
        for square in Square::all() {
            let ((x, y), name) = (self.cell(square), square.to_string());
            let (file, rank) = name.split_at(1);
            put(x, 0, file);
            put(x, height - 1, file);
            put(1, y, rank);
        }
        Square::all().for_each(|square| self.render_square(square, marks, buffer));
    }

    /// Draws the piece on a square, and the square's marks.
    fn render_square(&self, square: Square, marks: &Marks, buffer: &mut Buffer) {
        let (position, settings) = (self.session.position(), &self.session.settings);
        let piece = position.piece_at(square);
        let is_target = marks.targets.contains(&square);
        let is_marked = marks.cursor == Some(square) || marks.selected == Some(square) || is_target && piece.is_some();
        let last_move = position.history().next().and_then(|past| past.mv);
        let backgrounds = [
            (marks.cursor == Some(square), CURSOR),
            (is_marked, SELECTED),
            (position.in_check() && position.king(position.side()) == square, CHECK),
            (last_move.is_some_and(|mv| [mv.from(), mv.to()].contains(&square)), LAST_MOVE),
            (piece.is_some(), STONE),
        ];
        let background = backgrounds.into_iter().find(|(is_so, _)| *is_so).map(|(_, color)| color);
        let foreground = match piece.map(Piece::color) {
            Some(Color::Red) => RED,
            Some(Color::Black) => BLACK,
            None => TARGET,
        };
        let mut style = ContentStyle::new().with(foreground).on(background.unwrap_or(WOOD)).bold();
        if !settings.has_colors && foreground == RED {
            style = style.underlined();
        }
        if !settings.has_colors && is_marked {
            style = style.reverse();
        }
        let (x, y) = self.cell(square);
        let text = match piece {
            Some(piece) => settings.pieces.text(piece),
            None if is_target => if settings.is_ascii { "*" } else { "●" }.to_string(),
            None => self.lines(x - LEFT..=x - LEFT + 1, y - TOP),
        };
        if background.is_some() || is_target {
            buffer.put((x, y), 2, &text, style);
        }
    }

    /// The lines in these columns of a row, from the left top crossing.
    fn lines(&self, columns: RangeInclusive<u16>, y: u16) -> String {
        let sign = |x| match line_sign(x, y, self.step) {
            Some(sign) if self.session.settings.is_ascii => ascii(sign),
            sign => sign.unwrap_or(" "),
        };
        columns.map(sign).collect()
    }
}

/// The line at a column and row of the lines, if there is one. `step`: columns and rows from one crossing to the next.
fn line_sign(x: u16, y: u16, step: (u16, u16)) -> Option<&'static str> {
    let (column, row) = (x / step.0, y / step.1);
    match (x % step.0, y % step.1) {
        (0, 0) => Some(crossing(column, row)),
        // Not beside the last file.
        (_, 0) => (column < FILES - 1).then_some("─"),
        // No inner line crosses the river.
        (0, _) => (row != 4 || column == 0 || column == FILES - 1).then_some("│"),
        // The diagonals of both palaces, each of four parts.
        (across, down) if matches!((column, row), (3 | 4, 0 | 1 | 7 | 8)) => {
            let falls = (column + row % 7) % 2 == 1;
            let steps = if falls { down } else { step.1 - down };
            (across == step.0 * steps / step.1).then_some(if falls { "╲" } else { "╱" })
        }
        _ => None,
    }
}

/// The ASCII sign for a sign of lines.
fn ascii(sign: &str) -> &'static str {
    match sign {
        "─" => "-",
        "│" => "|",
        "╱" => "/",
        "╲" => "\\",
        _ => "+",
    }
}

/// The sign of a crossing of lines, counted from the left top.
fn crossing(column: u16, row: u16) -> &'static str {
    let signs = match row {
        0 => ["┌", "┬", "┐"],
        4 => ["├", "┴", "┤"],
        5 => ["├", "┬", "┤"],
        9 => ["└", "┴", "┘"],
        _ => ["├", "┼", "┤"],
    };
    signs[usize::from(column > 0) + usize::from(column == FILES - 1)]
}
