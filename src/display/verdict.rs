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

/// `ongoing`, or `red wins`, `black wins` or `draw`, a colon, and the reason in `language`.
pub fn verdict(status: &GameStatus, language: Language) -> String {
    match status {
        GameStatus::Ongoing => "ongoing".to_string(),
        GameStatus::Won { winner, reason } => format!("{winner} wins: {}", language.reason(reason, !*winner)),
        // The reason for a draw names no side, so the color does not matter.
        GameStatus::Drawn(reason) => format!("draw: {}", language.reason(reason, Color::Red)),
    }
}

impl Language {
    fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    fn side(self, color: Color) -> &'static str {
        match color {
            Color::Red => self.pick("red", "红方"),
            Color::Black => self.pick("black", "黑方"),
        }
    }

    fn pieces(self, pieces: &[PieceId]) -> String {
        let name = |id: &PieceId| match self {
            Language::English => english(id.piece_type()).to_string(),
            Language::Chinese => Piece::new(id.color(), id.piece_type()).character().to_string(),
        };
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

fn english(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "king",
        PieceType::Advisor => "advisor",
        PieceType::Bishop => "bishop",
        PieceType::Knight => "knight",
        PieceType::Rook => "rook",
        PieceType::Cannon => "cannon",
        PieceType::Pawn => "pawn",
    }
}
