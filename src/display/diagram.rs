//! The board as a picture: SVG.
//!
//! Units: a square is 100 wide, the a-file (at the left, unless flipped) is at x = 0, Black's back rank (at the top, unless
//! flipped) at y = 0. Elements have classes, so that a page can change their colors.

use super::board::PieceSet;
use super::glyphs::{self, outline};
use crate::position::Position;
use crate::types::{Color, Move, Piece, Square};
use std::fmt::Write;

/// Width of a square.
const SQUARE: i32 = 100;
/// Radius of a piece.
const RADIUS: i32 = 45;
/// Distance from the edge of the picture to the lines, without coordinates and with them.
const MARGINS: [i32; 2] = [64, 92];
/// Distance from the coordinates to the lines.
const COORDINATE_DISTANCE: i32 = 70;
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
pub enum Coordinates {
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
pub struct Diagram {
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
    pub fn new(position: Position) -> Diagram {
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
    pub fn svg(&self) -> String {
        let (x, y, width, height) = view_box(self.coordinates);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n<title>{}</title>\n",
            self.position.to_fen()
        );
        let pieces: Vec<(Square, Piece)> =
            Square::all().filter_map(|square| Some((square, self.position.piece_at(square)?))).collect();
        let used = Piece::all().filter(|&piece| pieces.iter().any(|&(_, other)| other == piece));
        let _ = writeln!(svg, "<defs>\n{}</defs>", used.map(|piece| symbol(self.pieces, piece)).collect::<String>());
        svg.push_str(&board(self.coordinates, self.flipped));
        for (square, radius) in self.last_move.into_iter().flat_map(|mv| [(mv.from(), 24), (mv.to(), 53)]) {
            let (x, y) = self.point(square);
            let _ = writeln!(
                svg,
                "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#5a8f29\" opacity=\".6\"/>"
            );
        }
        if self.shows_check && self.position.in_check() {
            let (x, y) = self.point(self.position.king(self.position.side()));
            let _ = writeln!(
                svg,
                "<circle class=\"check\" cx=\"{x}\" cy=\"{y}\" r=\"54\" fill=\"#e02020\" opacity=\".7\"/>"
            );
        }
        for (square, piece) in pieces {
            let (x, y) = self.point(square);
            let _ = writeln!(svg, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", id(self.pieces, piece));
        }
        for &square in &self.marks {
            let (x, y) = self.point(square);
            let _ = writeln!(
                svg,
                "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"49\" fill=\"none\" stroke=\"#1668b8\" \
                 stroke-width=\"9\" opacity=\".9\"/>"
            );
        }
        self.arrows.iter().for_each(|&(from, to)| svg.push_str(&arrow(self.point(from), self.point(to))));
        svg + "</svg>\n"
    }

    fn point(&self, square: Square) -> (i32, i32) {
        let square = if self.flipped { square.rotated() } else { square };
        (i32::from(square.file()) * SQUARE, i32::from(9 - square.rank()) * SQUARE)
    }
}

/// Left, top, width and height of the picture.
pub fn view_box(coordinates: Coordinates) -> (i32, i32, i32, i32) {
    let margin = MARGINS[usize::from(coordinates != Coordinates::None)];
    (-margin, -margin, 8 * SQUARE + 2 * margin, 9 * SQUARE + 2 * margin)
}

/// The id of a piece in SVG: the prefix of the set and the FEN letter.
pub fn id(set: PieceSet, piece: Piece) -> String {
    format!("{}{}", prefix(set), piece.letter())
}

/// A piece as an SVG group with the id of [`id`], centred at the origin.
pub fn symbol(set: PieceSet, piece: Piece) -> String {
    let (class, color) = match piece.color() {
        Color::Red => ("red", "#b3200f"),
        Color::Black => ("black", "#1d1b19"),
    };
    let size = if set == PieceSet::Letters { 0.058 } else { 0.056 };
    format!(
        "<g id=\"{}\" class=\"piece {class}\"><circle class=\"shadow\" cx=\"2\" cy=\"4\" r=\"{RADIUS}\" opacity=\".28\"/>\
         <circle class=\"disc\" r=\"{RADIUS}\" fill=\"#fbf1dc\" stroke=\"{color}\" stroke-width=\"3\"/>\
         <circle class=\"ring\" r=\"38\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" opacity=\".75\"/>{}</g>\n",
        id(set, piece),
        character(set.character(piece).to_ascii_uppercase(), (0, 0), size * glyphs::EM, color),
    )
}

/// The empty board: background, lines, river and coordinates.
pub fn board(coordinates: Coordinates, flipped: bool) -> String {
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
    let stars: String = stars.map(|(file, rank)| star(i32::from(file) * SQUARE, i32::from(rank) * SQUARE)).collect();
    let river = ['楚', '河', '漢', '界'].into_iter().zip([140, 260, 540, 660]);
    let river: String = river.map(|(letter, x)| character(letter, (x, 450), 56.0, "#8a5a2b")).collect();
    format!(
        "<rect class=\"board\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#efd6a5\"/>\n\
         <g class=\"lines\" fill=\"none\" stroke=\"#8a5a2b\" stroke-width=\"2.5\"><path d=\"{lines}{stars}\"/>\
         <path stroke-width=\"4\" d=\"M0 0h{right}v{bottom}h-{right}z\"/>\
         <path stroke-width=\"2\" d=\"M-10-10h{}v{}h-{0}z\"/></g>\n\
         <g class=\"river\">{river}</g>\n<g class=\"coordinates\">{}</g>\n",
        right + 20,
        bottom + 20,
        edge(coordinates, flipped),
    )
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
fn edge(coordinates: Coordinates, flipped: bool) -> String {
    const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let (top, bottom) = (-COORDINATE_DISTANCE, 9 * SQUARE + COORDINATE_DISTANCE);
    let (left, right) = (-COORDINATE_DISTANCE, 8 * SQUARE + COORDINATE_DISTANCE);
    let letter = |text: char, at: (i32, i32)| character(text, at, 30.0, "#8a5a2b");
    let digit = |number: u8| char::from(b'0' + number);
    let turned = |number: u8, last: u8| if flipped { last - number } else { number };
    let mut text = String::new();
    for column in 0..Square::FILES {
        let (x, file) = (i32::from(column) * SQUARE, turned(column, 8));
        let (above, below) = match coordinates {
            Coordinates::None => break,
            Coordinates::Iccs => (char::from(b'a' + file), char::from(b'a' + file)),
            Coordinates::Files if flipped => (NUMERALS[8 - usize::from(file)], digit(file + 1)),
            Coordinates::Files => (digit(file + 1), NUMERALS[8 - usize::from(file)]),
        };
        text.push_str(&letter(above, (x, top)));
        text.push_str(&letter(below, (x, bottom)));
    }
    for row in 0..Square::RANKS {
        if coordinates == Coordinates::Iccs {
            let (y, rank) = (i32::from(row) * SQUARE, 9 - turned(row, 9));
            text.push_str(&letter(digit(rank), (left, y)));
            text.push_str(&letter(digit(rank), (right, y)));
        }
    }
    text
}

/// A character with its centre at a point; nothing if it has no outline.
fn character(character: char, (x, y): (i32, i32), size: f64, color: &str) -> String {
    let Some(path) = outline(character) else { return String::new() };
    let scale = size / glyphs::EM;
    format!("<path class=\"glyph\" fill=\"{color}\" transform=\"translate({x} {y}) scale({scale})\" d=\"{path}\"/>")
}

/// An arrow from the edge of the piece at `from` to the middle of `to`.
fn arrow(from: (i32, i32), to: (i32, i32)) -> String {
    // Length and half the width of the head, and half the width of the shaft.
    let (head, half, shaft) = (42.0, 27.0, 8.0);
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    if length == 0.0 {
        return String::new();
    }
    let degrees = dy.atan2(dx).to_degrees();
    let (start, neck) = (36.0, length - head);
    format!(
        "<path class=\"arrow\" fill=\"#17702c\" opacity=\".82\" transform=\"translate({} {}) rotate({degrees:.2})\" \
         d=\"M{start} -{shaft}H{neck:.1}V-{half}L{length:.1} 0L{neck:.1} {half}V{shaft}H{start}z\"/>\n",
        from.0, from.1
    )
}
