//! The board on the screen: ten ranks and nine files of lines, pieces on their crossings, and marks.

use crate::display::board::PieceSet;
use crate::position::Position;
use crate::types::{Color, Move, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Cell, Rect};
use ratatui::style::{Color as Ink, Modifier, Style};

/// Colors of the 256 that terminals have had for decades.
const WOOD: Ink = Ink::Indexed(180);
const LINE: Ink = Ink::Indexed(94);
const STONE: Ink = Ink::Indexed(230);
const RED: Ink = Ink::Indexed(160);
const BLACK: Ink = Ink::Indexed(16);
const LAST_MOVE: Ink = Ink::Indexed(222);
const CURSOR: Ink = Ink::Indexed(117);
const SELECTED: Ink = Ink::Indexed(114);
const CHECK: Ink = Ink::Indexed(210);
const TARGET: Ink = Ink::Indexed(22);

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
    origin: Cell,
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
        Some(BoardGeometry { origin: Cell { x: area.x, y: area.y }, step, bottom })
    }

    /// Columns and rows of the board with its coordinates.
    pub fn size(&self) -> (u16, u16) {
        size(self.step)
    }

    /// The left column of a square's crossing, and its row.
    fn cell(&self, square: Square) -> Cell {
        let (column, row) = match self.bottom {
            Color::Red => (square.file(), Square::RANKS - 1 - square.rank()),
            Color::Black => (Square::FILES - 1 - square.file(), square.rank()),
        };
        Cell {
            x: self.origin.x + LEFT + u16::from(column) * self.step.0,
            y: self.origin.y + TOP + u16::from(row) * self.step.1,
        }
    }

    /// The square at a column and row of the screen: the nearest crossing.
    pub fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        Square::all().find(|&square| {
            let cell = self.cell(square);
            let half = (self.step.0 / 2, self.step.1 / 2);
            (cell.x..cell.x + 2 * half.0).contains(&(column + half.0 - 1))
                && (cell.y..cell.y + self.step.1).contains(&(row + half.1))
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
        let area = Rect::new(geometry.origin.x, geometry.origin.y, width, height).intersection(buffer.area);
        buffer.set_style(area, self.style(LINE, WOOD));
        self.render_lines(geometry, buffer);
        self.render_coordinates(geometry, buffer);
        for square in Square::all() {
            self.render_square(square, geometry, buffer);
        }
    }

    fn style(&self, foreground: Ink, background: Ink) -> Style {
        if self.has_colors { Style::new().fg(foreground).bg(background) } else { Style::new() }
    }

    fn render_lines(&self, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let mut put = |x: u16, y: u16, text: &str| {
            let text = if self.is_ascii { ascii(text) } else { text };
            if let Some(cell) = buffer.cell_mut(Cell { x, y }) {
                cell.set_symbol(text);
            }
        };
        let left_top = Cell { x: geometry.origin.x + LEFT, y: geometry.origin.y + TOP };
        let (columns, rows) = geometry.step;
        let (files, ranks) = (u16::from(Square::FILES), u16::from(Square::RANKS));
        for row in 0..ranks {
            let y = left_top.y + row * rows;
            for column in 0..files {
                let x = left_top.x + column * columns;
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
                let (x, y) = (left_top.x + column * columns, left_top.y + (first + row) * rows);
                for step in 1..rows {
                    let across = if sign == "╲" { step } else { rows - step };
                    put(x + columns * across / rows, y + step, sign);
                }
            }
        }
        let river = left_top.y + 4 * rows + rows / 2;
        let banks = [(1, ["楚", "河"]), (6, ["漢", "界"])];
        for (column, text) in banks.into_iter().filter(|_| self.pieces != PieceSet::Letters) {
            for (place, word) in text.iter().enumerate() {
                let x = left_top.x + column * columns + place as u16 * 4;
                buffer.set_string(x, river, word, self.style(LINE, WOOD));
            }
        }
    }

    fn render_coordinates(&self, geometry: &BoardGeometry, buffer: &mut Buffer) {
        let style = self.style(LINE, WOOD);
        let (_, height) = geometry.size();
        for file in 0..Square::FILES {
            let x = geometry.cell(Square::new(file, 0)).x;
            let name = char::from(b'a' + file).to_string();
            for y in [geometry.origin.y, geometry.origin.y + height - 1] {
                buffer.set_string(x, y, &name, style);
            }
        }
        for rank in 0..Square::RANKS {
            let y = geometry.cell(Square::new(0, rank)).y;
            buffer.set_string(geometry.origin.x + 1, y, rank.to_string(), style);
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
        let mut style = self.style(foreground, background.unwrap_or(WOOD)).add_modifier(Modifier::BOLD);
        if !self.has_colors {
            if piece.is_some_and(|piece| piece.color() == Color::Red) {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            if self.cursor == Some(square) || self.selected == Some(square) || is_target && piece.is_some() {
                style = style.add_modifier(Modifier::REVERSED);
            }
        }
        let cell = geometry.cell(square);
        match piece {
            Some(piece) => {
                buffer.set_string(cell.x, cell.y, self.pieces.text(piece), style);
            }
            None if is_target => {
                buffer.set_string(cell.x, cell.y, if self.is_ascii { "*" } else { "●" }, style);
            }
            None if background.is_some() => {
                let area = Rect::new(cell.x, cell.y, 2, 1).intersection(buffer.area);
                buffer.set_style(area, style);
            }
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
