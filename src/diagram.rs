//! The board as a picture: its shapes, and SVG.
//!
//! Units: a square is 100 wide, the a-file (at the left, unless flipped) is at x = 0, Black's back rank (at the top, unless
//! flipped) at y = 0. Elements have classes, so that a page can change their colors.

mod glyphs;
#[cfg(feature = "png")]
pub(crate) mod png;
pub(crate) mod shape;

use crate::display::board::PieceSet;
use crate::position::Position;
use crate::types::{Color, Move, Piece, Square};
use glyphs::outline;
use shape::{Element, Group, Outline, Shape, Style};
use std::fmt::Write;

/// Width of a square.
const SQUARE: i32 = 100;
/// Radius of a piece.
const RADIUS: i32 = 45;
/// Distance from the edge of the picture to the lines, without coordinates and with them.
const MARGINS: [i32; 2] = [64, 92];
/// Distance from the coordinates to the lines.
const COORDINATE_DISTANCE: i32 = 70;
/// Color of the lines and of what is written on the board.
const INK: u32 = 0x8a5a2b;
/// The intersections that have marks at their corners: files and ranks of Red's side.
const STARS: [(u8, u8); 7] = [(1, 2), (7, 2), (0, 3), (2, 3), (4, 3), (6, 3), (8, 3)];

/// The first letter of the ids of a set's pieces in SVG.
const fn prefix(set: PieceSet) -> char {
    match set {
        PieceSet::Traditional => 't',
        PieceSet::Simplified => 's',
        PieceSet::Letters => 'l',
    }
}

/// The coordinates at the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// None.
    None,
    /// Files a to i and ranks 0 to 9.
    #[default]
    Iccs,
    /// Each side's files as in Chinese notation: 九 to 一 for Red, 1 to 9 for Black.
    Files,
}

/// A picture of a position.
#[derive(Clone)]
pub(crate) struct Diagram {
    /// The position.
    pub position: Position,
    /// What is written on the pieces.
    pub pieces: PieceSet,
    /// The coordinates.
    pub coordinates: Coordinates,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// A move whose squares are highlighted.
    pub last_move: Option<Move>,
    /// Whether the king of the side to move is highlighted if it is in check.
    pub shows_check: bool,
    /// Arrows, from and to.
    pub arrows: Vec<(Square, Square)>,
    /// Squares with a ring.
    pub marks: Vec<Square>,
}

impl Diagram {
    /// A picture with Red at the bottom, the last move and a check highlighted.
    pub(crate) fn new(position: Position) -> Diagram {
        let last_move = position.history().next().and_then(|past| past.mv);
        Diagram {
            position,
            pieces: PieceSet::default(),
            coordinates: Coordinates::default(),
            flipped: false,
            last_move,
            shows_check: true,
            arrows: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The picture as a complete SVG file. Its size is that of its view box: 928 to 984 by 1028 to 1084.
    pub(crate) fn svg(&self) -> String {
        let (x, y, width, height) = view_box(self.coordinates);
        let used =
            Piece::all().filter(|&piece| Square::all().any(|square| self.position.piece_at(square) == Some(piece)));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n<title>{}</title>\n<defs>\n{}</defs>\n{}</svg>\n",
            self.position.to_fen(),
            used.map(|piece| symbol(self.pieces, piece).to_string()).collect::<String>(),
            self.elements().iter().map(Element::to_string).collect::<String>(),
        )
    }

    /// What the picture consists of, from the background to the foreground.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let circle = |class, square, radius, style| {
            Element::Shape(Shape { class, outline: Outline::Circle(Some(self.point(square)), radius), style })
        };
        let mut elements = Vec::from(board(self.coordinates, self.flipped));
        for (square, radius) in self.last_move.into_iter().flat_map(|mv| [(mv.from(), 24), (mv.to(), 53)]) {
            elements.push(circle("last", square, radius, filled(0x5a8f29, 0.6)));
        }
        if self.shows_check && self.position.in_check() {
            elements.push(circle("check", self.position.king(self.position.side()), 54, filled(0xe02020, 0.7)));
        }
        for square in Square::all() {
            if let Some(piece) = self.position.piece_at(square) {
                elements.push(Element::Use(symbol(self.pieces, piece), self.point(square)));
            }
        }
        elements.extend(self.marks.iter().map(|&square| circle("mark", square, 49, stroked(0x1668b8, 9.0, 0.9))));
        elements.extend(self.arrows.iter().filter_map(|&(from, to)| arrow(self.point(from), self.point(to))));
        elements
    }

    fn point(&self, square: Square) -> (i32, i32) {
        let square = if self.flipped { square.rotated() } else { square };
        (i32::from(square.file()) * SQUARE, i32::from(9 - square.rank()) * SQUARE)
    }
}

/// Left, top, width and height of the picture.
pub(crate) fn view_box(coordinates: Coordinates) -> (i32, i32, i32, i32) {
    let margin = MARGINS[usize::from(coordinates != Coordinates::None)];
    (-margin, -margin, 8 * SQUARE + 2 * margin, 9 * SQUARE + 2 * margin)
}

/// A shape without an outline around it.
const fn filled(color: u32, opacity: f32) -> Style {
    Style { fill: Some(color), stroke: None, opacity }
}

/// The outline of a shape.
const fn stroked(color: u32, width: f32, opacity: f32) -> Style {
    Style { fill: None, stroke: Some((color, width)), opacity }
}

/// A piece, centred at the origin. Its id is the prefix of the set and the FEN letter.
pub(crate) fn symbol(set: PieceSet, piece: Piece) -> Group {
    let (class, color) = match piece.color() {
        Color::Red => ("piece red", 0xb3200f),
        Color::Black => ("piece black", 0x1d1b19),
    };
    let size = if set == PieceSet::Letters { 0.058 } else { 0.056 };
    let disc = Style { stroke: Some((color, 3.0)), ..filled(0xfbf1dc, 1.0) };
    let circles = [
        ("shadow", Some((2, 4)), RADIUS, filled(0, 0.28)),
        ("disc", None, RADIUS, disc),
        ("ring", None, 38, stroked(color, 1.5, 0.75)),
    ];
    let circles =
        circles.map(|(class, center, radius, style)| Shape { class, outline: Outline::Circle(center, radius), style });
    let letter = character(set.character(piece).to_ascii_uppercase(), (0, 0), size * glyphs::EM, color);
    Group {
        id: format!("{}{}", prefix(set), piece.letter()),
        class,
        style: Style::INITIAL,
        shapes: circles.into_iter().chain(letter).collect(),
    }
}

/// The empty board: background, lines, river and coordinates.
pub(crate) fn board(coordinates: Coordinates, flipped: bool) -> [Element; 4] {
    let (x, y, width, height) = view_box(coordinates);
    let (right, bottom) = (8 * SQUARE, 9 * SQUARE);
    let mut lines = String::new();
    for rank in 1..9 {
        let _ = write!(lines, "M0 {0}h{right}", rank * SQUARE);
    }
    for file in 1..8 {
        let _ = write!(lines, "M{0} 0v{1}M{0} {2}v{1}", file * SQUARE, 4 * SQUARE, 5 * SQUARE);
    }
    for top in [0, 7 * SQUARE] {
        let _ = write!(lines, "M300 {top}l200 200M500 {top}l-200 200");
    }
    let stars = STARS.iter().flat_map(|&(file, rank)| [(file, rank), (file, 9 - rank)]);
    lines.extend(stars.map(|(file, rank)| star(i32::from(file) * SQUARE, i32::from(rank) * SQUARE)));
    let frame = format!("M0 0h{right}v{bottom}h-{right}z");
    let rim = format!("M-10-10h{}v{}h-{0}z", right + 20, bottom + 20);
    let style = |width| stroked(INK, width, 1.0);
    let lines = [(lines, 2.5), (frame, 4.0), (rim, 2.0)];
    let lines = lines.map(|(data, width)| Shape { class: "", outline: Outline::Path(data), style: style(width) });
    let river = ['楚', '河', '漢', '界'].into_iter().zip([140, 260, 540, 660]);
    let river = river.filter_map(|(letter, x)| character(letter, (x, 450), 56.0, INK));
    let group = |class, style, shapes| Element::Group(Group { id: String::new(), class, style, shapes });
    let outline = Outline::Rectangle(x, y, width, height);
    [
        Element::Shape(Shape { class: "board", outline, style: filled(0xefd6a5, 1.0) }),
        group("lines", style(2.5), lines.into()),
        group("river", Style::INITIAL, river.collect()),
        group("coordinates", Style::INITIAL, edge(coordinates, flipped)),
    ]
}

/// The marks at the corners of an intersection.
fn star(x: i32, y: i32) -> String {
    let mut path = String::new();
    for (dx, dy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        if (0..=8 * SQUARE).contains(&(x + dx * SQUARE / 2)) {
            let _ = write!(path, "M{} {}h{}v{}", x + dx * 22, y + dy * 8, -14 * dx, 14 * dy);
        }
    }
    path
}

/// The coordinates at the edges.
fn edge(coordinates: Coordinates, flipped: bool) -> Vec<Shape> {
    const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let (top, bottom) = (-COORDINATE_DISTANCE, 9 * SQUARE + COORDINATE_DISTANCE);
    let (left, right) = (-COORDINATE_DISTANCE, 8 * SQUARE + COORDINATE_DISTANCE);
    let letter = |text: char, at: (i32, i32)| character(text, at, 30.0, INK);
    let digit = |number: u8| char::from(b'0' + number);
    let turned = |number: u8, last: u8| if flipped { last - number } else { number };
    let mut text = Vec::new();
    for column in 0..Square::FILES {
        let (x, file) = (i32::from(column) * SQUARE, turned(column, 8));
        let (above, below) = match coordinates {
            Coordinates::None => break,
            Coordinates::Iccs => (char::from(b'a' + file), char::from(b'a' + file)),
            Coordinates::Files if flipped => (NUMERALS[8 - usize::from(file)], digit(file + 1)),
            Coordinates::Files => (digit(file + 1), NUMERALS[8 - usize::from(file)]),
        };
        text.extend(letter(above, (x, top)));
        text.extend(letter(below, (x, bottom)));
    }
    for row in 0..Square::RANKS {
        if coordinates == Coordinates::Iccs {
            let (y, rank) = (i32::from(row) * SQUARE, 9 - turned(row, 9));
            text.extend(letter(digit(rank), (left, y)));
            text.extend(letter(digit(rank), (right, y)));
        }
    }
    text
}

/// A character with its centre at a point; `None` if it has no outline.
fn character(character: char, center: (i32, i32), size: f64, color: u32) -> Option<Shape> {
    let outline = Outline::Scaled(outline(character)?, size / glyphs::EM, center);
    Some(Shape { class: "glyph", outline, style: filled(color, 1.0) })
}

/// An arrow from the edge of the piece at `from` to the middle of `to`; `None` if they are the same.
fn arrow(from: (i32, i32), to: (i32, i32)) -> Option<Element> {
    // Length and half the width of the head, and half the width of the shaft.
    let (head, half, shaft) = (42.0, 27.0, 8.0);
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    if length == 0.0 {
        return None;
    }
    let (start, neck) = (36.0, length - head);
    let data = format!("M{start} -{shaft}H{neck:.1}V-{half}L{length:.1} 0L{neck:.1} {half}V{shaft}H{start}z");
    // As exact as SVG has it, so that the pictures are the same.
    let degrees = (dy.atan2(dx).to_degrees() * 100.0).round() / 100.0;
    let outline = Outline::Turned(data, degrees, from);
    Some(Element::Shape(Shape { class: "arrow", outline, style: filled(0x17702c, 0.82) }))
}
