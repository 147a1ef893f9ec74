//! The state of a game in words, English or Chinese.

use crate::position::PieceId;
use crate::rules::game_status::{EndReason, GameStatus};
use crate::types::{Color, Piece, PieceType};

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

/// `ongoing`, or `red wins`, `black wins` or `draw`, a colon, and the reason; or the same in Chinese.
pub fn verdict(status: &GameStatus, language: Language) -> String {
    let (result, reason) = match status {
        GameStatus::Ongoing => return language.pick("ongoing", "对局未结束").to_string(),
        GameStatus::Won { winner, reason } => {
            (format!("{}{}", language.side(*winner), language.pick(" wins", "胜")), language.reason(reason, !*winner))
        }
        // The reason for a draw names no side, so the color does not matter.
        GameStatus::Drawn(reason) => (language.pick("draw", "和棋").to_string(), language.reason(reason, Color::Red)),
    };
    format!("{result}{}{reason}", language.colon())
}

impl Language {
    /// The one of two texts that is in this language.
    pub fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// The colon between a heading and its text.
    pub fn colon(self) -> &'static str {
        self.pick(": ", "：")
    }

    /// The name of a side.
    pub fn side(self, color: Color) -> &'static str {
        match color {
            Color::Red => self.pick("red", "红方"),
            Color::Black => self.pick("black", "黑方"),
        }
    }

    /// The name of a piece.
    pub fn piece(self, piece: Piece) -> &'static str {
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

    fn pieces(self, pieces: &[PieceId]) -> String {
        let name = |id: &PieceId| self.piece(Piece::new(id.color(), id.piece_type()));
        pieces.iter().map(name).collect::<Vec<_>>().join(self.pick(" and ", "、"))
    }

    fn reason(self, reason: &EndReason, loser: Color) -> String {
        let side = self.side(loser);
        let (english, chinese) = match reason {
            EndReason::Checkmate => ("checkmate", "将死"),
            EndReason::Stalemate => ("stalemate", "困毙"),
            EndReason::MutualCheck => ("both sides give perpetual check", "双方长将"),
            EndReason::MutualChase => ("both sides chase perpetually", "双方长捉"),
            EndReason::Repetition => ("repetition without violation", "循环不犯禁"),
            EndReason::MoveLimit => ("move limit without a capture", "自然限着"),
            EndReason::InsufficientMaterial => ("insufficient material", "双方均无取胜可能"),
            EndReason::PerpetualCheck => {
                return match self {
                    Language::English => format!("{side} gives perpetual check"),
                    Language::Chinese => format!("{side}长将"),
                };
            }
            EndReason::PerpetualChase { by, of } => {
                let (by, of) = (self.pieces(by), self.pieces(of));
                return match self {
                    Language::English => format!("{side} perpetually chases the {of} with the {by}"),
                    Language::Chinese => format!("{side}以{by}长捉{of}"),
                };
            }
        };
        self.pick(english, chinese).to_string()
    }
}
