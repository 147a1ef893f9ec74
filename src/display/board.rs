//! The board as text.

use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};
use std::fmt::Write;

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PieceSet {
    /// Traditional characters, which differ between the sides: 帥仕相傌俥炮兵 and 將士象馬車砲卒.
    #[default]
    Traditional,
    /// Simplified characters: 帅仕相马车炮兵 and 将士象马车炮卒.
    Simplified,
    /// FEN letters, upper case for Red.
    Letters,
}

impl PieceSet {
    /// All sets.
    pub(crate) const ALL: [PieceSet; 3] = [PieceSet::Traditional, PieceSet::Simplified, PieceSet::Letters];

    /// What is written on a piece.
    pub(crate) const fn character(self, piece: Piece) -> char {
        const SIMPLIFIED: [[char; PieceType::COUNT]; 2] =
            [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
        match self {
            PieceSet::Letters => piece.letter(),
            PieceSet::Traditional => piece.character(),
            PieceSet::Simplified => SIMPLIFIED[piece.color().index()][piece.piece_type().index()],
        }
    }

    /// The drawing of a piece, two columns wide.
    pub(crate) fn text(self, piece: Piece) -> String {
        let character = self.character(piece);
        if self == PieceSet::Letters { format!("{character} ") } else { character.to_string() }
    }
}

/// The board with coordinates, `bottom` at the bottom. Each line ends with a newline.
pub(crate) fn board_text(position: &Position, pieces: PieceSet, bottom: Color) -> String {
    // Chinese characters are two columns wide, and so is the full-width dot.
    let (empty, space) = match pieces {
        PieceSet::Letters => (". ", ""),
        PieceSet::Traditional | PieceSet::Simplified => ("． ", " "),
    };
    let turned = |number: u8, count: u8| if bottom == Color::Red { number } else { count - 1 - number };
    let files = || (0..Square::FILES).map(|file| turned(file, Square::FILES));
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev().map(|rank| turned(rank, Square::RANKS)) {
        let _ = write!(text, "{rank} ");
        for file in files() {
            match position.piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    let _ = write!(text, "{}{space}", pieces.text(piece));
                }
                None => text.push_str(empty),
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let names: Vec<String> = files().map(|file| char::from(b'a' + file).to_string()).collect();
    let _ = writeln!(text, "  {}", names.join(&format!(" {space}")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_has_coordinates() {
        let position = Position::start();
        let letters = board_text(&position, PieceSet::Letters, Color::Red);
        assert_eq!(letters.lines().next(), Some("9 r n b a k a b n r"));
        assert_eq!(letters.lines().last(), Some("  a b c d e f g h i"));
        assert_eq!(letters.lines().count(), 11);
        let chinese = board_text(&position, PieceSet::Traditional, Color::Red);
        assert_eq!(chinese.lines().nth(2), Some("7 ． 砲 ． ． ． ． ． 砲 ．"));
        assert!(chinese.contains('帥') && chinese.contains('將') && chinese.contains('炮'));
        assert_eq!(chinese.lines().last(), Some("  a  b  c  d  e  f  g  h  i"));
        let turned = board_text(&position, PieceSet::Letters, Color::Black);
        assert_eq!(turned.lines().next(), Some("0 R N B A K A B N R"));
        assert_eq!(turned.lines().last(), Some("  i h g f e d c b a"));
        assert!(board_text(&position, PieceSet::Simplified, Color::Red).starts_with("9 车 马 象 士 将"));
    }
}
