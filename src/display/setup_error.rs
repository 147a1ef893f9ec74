//! Why a game cannot be set up, in words.

use super::verdict::Language;
use crate::engine::game_setup::GameSetupError;
use crate::notation::NotationError;
use crate::position::{FenError, SetupError};
use crate::types::{Color, Piece};

/// The error in `language`; in English as it displays itself.
pub fn setup_error(error: &GameSetupError, language: Language) -> String {
    match (language, error) {
        (Language::English, error) => error.to_string(),
        (Language::Chinese, GameSetupError::Fen(error)) => format!("FEN 无效：{}", fen_error(error)),
        (Language::Chinese, GameSetupError::Move(error)) => {
            let why = match &error.why {
                NotationError::NotAMove(text) => format!("“{text}”不是着法"),
                NotationError::Illegal(text) => format!("“{text}”不合规则"),
                NotationError::Ambiguous(text, one, other) => format!("“{text}”有歧义：{one} 或 {other}"),
            };
            format!("第{}着{why}", error.number)
        }
    }
}

/// The error of a FEN in Chinese.
fn fen_error(error: &FenError) -> String {
    let side = |color: &Color| Language::Chinese.side(*color);
    match error {
        FenError::Empty => "没有内容".to_string(),
        FenError::RankCount(ranks) => format!("棋盘有{ranks}行，应为10行"),
        FenError::FileCount { rank, files, text } => format!("第{rank}行“{text}”有{files}列，应为9列"),
        FenError::Letter(letter) => format!("棋盘上的“{letter}”既不是棋子也不是空格数"),
        FenError::Side(text) => format!("走棋方“{text}”应为 w 或 b"),
        FenError::Setup(error) => match error {
            SetupError::NoKing(color) => format!("{}没有将帅", side(color)),
            SetupError::TwoKings(color) => format!("{}的将帅多于一个", side(color)),
            SetupError::KingOutsidePalace(color, square) => format!("{}的将帅在九宫之外（{square}）", side(color)),
            SetupError::TooManyOfOneType(color, kind) => {
                format!("{}的{}多于8个", side(color), Language::Chinese.piece(Piece::new(*color, *kind)))
            }
            SetupError::TooManyPieces(color, count) => format!("{}有{count}个棋子，多于16个", side(color)),
            SetupError::SideNotToMoveInCheck(color) => format!("{}被将军，却轮到对方走棋", side(color)),
        },
    }
}
