//! The language of texts for the user, and words that many of them have.

use crate::types::{Color, Piece, PieceType};

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The one of two texts that is in this language.
    pub(crate) fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// The colon between a heading and its text.
    pub(crate) fn colon(self) -> &'static str {
        self.pick(": ", "：")
    }

    /// The name of a side.
    pub(crate) fn side(self, color: Color) -> &'static str {
        match color {
            Color::Red => self.pick("red", "红方"),
            Color::Black => self.pick("black", "黑方"),
        }
    }

    /// The name of a type of pieces; in Chinese, of Red's.
    pub(crate) fn piece_type(self, piece_type: PieceType) -> &'static str {
        self.piece(Piece::new(Color::Red, piece_type))
    }

    /// The name of a piece.
    pub(crate) fn piece(self, piece: Piece) -> &'static str {
        let red_or_black = |red, black| if piece.color() == Color::Red { red } else { black };
        match piece.piece_type() {
            PieceType::King => self.pick("king", red_or_black("帅", "将")),
            PieceType::Advisor => self.pick("advisor", red_or_black("仕", "士")),
            PieceType::Bishop => self.pick("bishop", red_or_black("相", "象")),
            PieceType::Knight => self.pick("knight", "马"),
            PieceType::Rook => self.pick("rook", "车"),
            PieceType::Cannon => self.pick("cannon", "炮"),
            PieceType::Pawn => self.pick("pawn", red_or_black("兵", "卒")),
        }
    }
}
