//! The board as text.

use crate::position::Position;
use crate::types::{Piece, Square};
use std::fmt::Write;

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// FEN letters, upper case for Red.
    Letters,
    /// Chinese characters, which differ between the sides.
    Chinese,
}

/// The board with coordinates, Red at the bottom. Each line ends with a newline.
pub fn board_text(position: &Position, characters: Characters) -> String {
    // Chinese characters are two columns wide, and so is the full-width dot.
    let (empty, files) = match characters {
        Characters::Letters => (". ", "  a b c d e f g h i"),
        Characters::Chinese => ("． ", "  a  b  c  d  e  f  g  h  i"),
    };
    let draw = |piece: Piece| match characters {
        Characters::Letters => piece.letter(),
        Characters::Chinese => piece.character(),
    };
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev() {
        let _ = write!(text, "{rank} ");
        for file in 0..Square::FILES {
            match position.piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    let _ = write!(text, "{} ", draw(piece));
                }
                None => text.push_str(empty),
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push_str(files);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_has_coordinates() {
        let position = Position::start();
        let letters = board_text(&position, Characters::Letters);
        assert_eq!(letters.lines().next(), Some("9 r n b a k a b n r"));
        assert_eq!(letters.lines().last(), Some("  a b c d e f g h i"));
        assert_eq!(letters.lines().count(), 11);
        let chinese = board_text(&position, Characters::Chinese);
        assert_eq!(chinese.lines().nth(2), Some("7 ． 砲 ． ． ． ． ． 砲 ．"));
        assert!(chinese.contains('帥') && chinese.contains('將') && chinese.contains('炮'));
    }
}
