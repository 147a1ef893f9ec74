//! The board on the screen: ten ranks and nine files of lines, pieces on their crossings, and marks.

use super::buffer::{Buffer, Rect, Style};
use crate::display::board::PieceSet;
use crate::position::Position;
use crate::types::{Color, Move, Square};

/// Colors of the 256 that terminals have had for decades.
const WOOD: u8 = 180;
const LINE: u8 = 94;
const STONE: u8 = 230;
const RED: u8 = 160;
const BLACK: u8 = 16;
const LAST_MOVE: u8 = 222;
const CURSOR: u8 = 117;
const SELECTED: u8 = 114;
const CHECK: u8 = 210;
const TARGET: u8 = 22;

/// Columns left of the lines: a rank and a blank on each side of it.
const LEFT: u16 = 3;
/// Rows above the lines: the files.
const TOP: u16 = 1;

/// What is drawn.
pub struct BoardView<'a> {
    /// The position.
    pub position: &'a Position,
    /// The side at the bottom.
    pub bottom: Color,
    /// How pieces are drawn.
    pub pieces: PieceSet,
    /// Whether lines and signs are ASCII.
    pub is_ascii: bool,
    /// Whether there are colors; else Red's pieces are bold and underlined.
    pub has_colors: bool,
    /// The last move.
    pub last_move: Option<Move>,
    /// The square of the cursor.
    pub cursor: Option<Square>,
    /// The square of the chosen piece.
    pub selected: Option<Square>,
    /// Where the chosen piece can go.
    pub targets: &'a [Square],
}

/// Where the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardGeometry {
    /// Left column and top row.
    origin: (u16, u16),
    /// Columns from one file to the next, rows from one rank to the next.
    step: (u16, u16),
    bottom: Color,
}

impl BoardGeometry {
    /// The greatest board that fits into `area`, at its left top; `None` if there is not enough room.
    pub fn fit(area: Rect, bottom: Color) -> Option<BoardGeometry> {
        let fits = |&(columns, rows): &(u16, u16)| {
            let (width, height) = size((columns, rows));
            width <= area.width && height <= area.height
        };
        let step = [(6, 3), (4, 2)].into_iter().find(fits)?;
        Some(BoardGeometry { origin: (area.x, area.y), step, bottom })
    }

    /// Columns and rows of the board with its coordinates.
    pub fn size(&self) -> (u16, u16) {
        size(self.step)
    }

    /// The column and row of the left top crossing.
    fn left_top(&self) -> (u16, u16) {
        (self.origin.0 + LEFT, self.origin.1 + TOP)
    }

    /// The left column of a square's crossing, and its row.
    fn cell(&self, square: Square) -> (u16, u16) {
        let (column, row) = match self.bottom {
            Color::Red => (square.file(), Square::RANKS - 1 - square.rank()),
            Color::Black => (Square::FILES - 1 - square.file(), square.rank()),
        };
        let (left, top) = self.left_top();
        (left + u16::from(column) * self.step.0, top + u16::from(row) * self.step.1)
    }

    /// The square at a column and row of the screen: the nearest crossing.
    pub fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        Square::all().find(|&square| {
            let (x, y) = self.cell(square);
            let half = (self.step.0 / 2, self.step.1 / 2);
            (x..x + 2 * half.0).contains(&(column + half.0 - 1)) && (y..y + self.step.1).contains(&(row + half.1))
        })
    }
}

/// Columns and rows of a board with these steps.
fn size(step: (u16, u16)) -> (u16, u16) {
    let (files, ranks) = (u16::from(Square::FILES), u16::from(Square::RANKS));
    (LEFT + (files - 1) * step.0 + 4, TOP + (ranks - 1) * step.1 + 2)
}

impl BoardView<'_> {
    /// Draws the board.
    pub fn render(&self, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let (width, height) = geometry.size();
        buffer.set_style(Rect::new(geometry.origin.0, geometry.origin.1, width, height), self.style(LINE, WOOD));
        self.render_lines(geometry, buffer);
        self.render_coordinates(geometry, buffer);
        for square in Square::all() {
            self.render_square(square, geometry, buffer);
        }
    }

    fn style(&self, foreground: u8, background: u8) -> Style {
        let color = |color| Some(color).filter(|_| self.has_colors);
        Style { foreground: color(foreground), background: color(background), ..Style::default() }
    }

    fn render_lines(&self, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let style = self.style(LINE, WOOD);
        let mut put = |x: u16, y: u16, text: &str| {
            buffer.set_string(Rect::new(x, y, 1, 1), if self.is_ascii { ascii(text) } else { text }, style);
        };
        let (left, top) = geometry.left_top();
        let (columns, rows) = geometry.step;
        let (files, ranks) = (u16::from(Square::FILES), u16::from(Square::RANKS));
        for row in 0..ranks {
            let y = top + row * rows;
            for column in 0..files {
                let x = left + column * columns;
                put(x, y, crossing(column, row));
                if column + 1 < files {
                    (1..columns).for_each(|step| put(x + step, y, "─"));
                }
                let is_river = row == 4 && column > 0 && column + 1 < files;
                if row + 1 < ranks && !is_river {
                    (1..rows).for_each(|step| put(x, y + step, "│"));
                }
            }
        }
        // The diagonals of both palaces, each of four parts.
        for (row, column, sign) in [(0, 3, "╲"), (0, 4, "╱"), (1, 3, "╱"), (1, 4, "╲")] {
            for first in [0, 7] {
                let (x, y) = (left + column * columns, top + (first + row) * rows);
                for step in 1..rows {
                    let across = if sign == "╲" { step } else { rows - step };
                    put(x + columns * across / rows, y + step, sign);
                }
            }
        }
        let river = top + 4 * rows + rows / 2;
        let banks = [(1, ["楚", "河"]), (6, ["漢", "界"])];
        for (column, text) in banks.into_iter().filter(|_| self.pieces != PieceSet::Letters) {
            for (place, word) in text.iter().enumerate() {
                let x = left + column * columns + place as u16 * 4;
                buffer.set_string(Rect::new(x, river, 2, 1), word, style);
            }
        }
    }

    fn render_coordinates(&self, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let style = self.style(LINE, WOOD);
        let (_, height) = geometry.size();
        for file in 0..Square::FILES {
            let (x, _) = geometry.cell(Square::new(file, 0));
            let name = char::from(b'a' + file).to_string();
            for y in [geometry.origin.1, geometry.origin.1 + height - 1] {
                buffer.set_string(Rect::new(x, y, 1, 1), &name, style);
            }
        }
        for rank in 0..Square::RANKS {
            let (_, y) = geometry.cell(Square::new(0, rank));
            buffer.set_string(Rect::new(geometry.origin.0 + 1, y, 1, 1), &rank.to_string(), style);
        }
    }

    /// Draws the piece on a square, and the square's marks.
    fn render_square(&self, square: Square, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let piece = self.position.piece_at(square);
        let is_target = self.targets.contains(&square);
        let is_last = self.last_move.is_some_and(|mv| [mv.from(), mv.to()].contains(&square));
        let is_checked = self.position.in_check() && self.position.king(self.position.side()) == square;
        let background = [
            (self.cursor == Some(square), CURSOR),
            (self.selected == Some(square), SELECTED),
            (is_target && piece.is_some(), SELECTED),
            (is_checked, CHECK),
            (is_last, LAST_MOVE),
            (piece.is_some(), STONE),
        ];
        let background = background.into_iter().find(|(is_so, _)| *is_so).map(|(_, color)| color);
        let foreground = match piece {
            Some(piece) if piece.color() == Color::Red => RED,
            Some(_) => BLACK,
            None => TARGET,
        };
        let is_marked = self.cursor == Some(square) || self.selected == Some(square) || is_target && piece.is_some();
        let style = Style {
            is_bold: true,
            is_underlined: !self.has_colors && piece.is_some_and(|piece| piece.color() == Color::Red),
            is_reversed: !self.has_colors && is_marked,
            ..self.style(foreground, background.unwrap_or(WOOD))
        };
        let (x, y) = geometry.cell(square);
        let area = Rect::new(x, y, 2, 1);
        match piece {
            Some(piece) => {
                buffer.set_string(area, &self.pieces.text(piece), style);
            }
            None if is_target => {
                buffer.set_string(area, if self.is_ascii { "*" } else { "●" }, style);
            }
            None if background.is_some() => buffer.set_style(area, style),
            None => {}
        }
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
    // The river lies between the fifth and the sixth row: no inner line crosses it.
    let (up, down) = (row != 0 && row != 5, row != 9 && row != 4);
    match (column, row, up, down) {
        (0, 0, ..) => "┌",
        (8, 0, ..) => "┐",
        (0, 9, ..) => "└",
        (8, 9, ..) => "┘",
        (0, ..) => "├",
        (8, ..) => "┤",
        (_, _, true, true) => "┼",
        (_, _, true, false) => "┴",
        (_, _, false, _) => "┬",
    }
}
