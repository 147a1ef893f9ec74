//! The board as people read it.

use super::Position;
use crate::types::{Piece, Square};
use std::fmt::Write;

/// How men are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// FEN letters, capitals for Red.
    Letters,
    /// The Chinese characters on the men, which differ between the sides.
    Chinese,
}

impl Position {
    /// The board with coordinates, Red below.
    pub fn board_text(&self, characters: Characters) -> String {
        // A Chinese character is two columns wide, and so is the full-width dot.
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
                match self.piece_at(Square::new(file, rank)) {
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
}
