//! Why a game cannot be set up, in words.

use super::verdict::Language;
use crate::engine::game_file::GameFileError;
use crate::engine::game_setup::{GameSetupError, IllegalReason};
use crate::notation::NotationError;
use crate::notation::game_record::{Location, RecordError, RecordErrorKind};
use crate::position::{FenError, SetupError};
use crate::types::{Color, Piece};

/// The error in `language`; in English as it displays itself.
pub fn setup_error(error: &GameSetupError, language: Language) -> String {
    match (language, error) {
        (Language::English, error) => error.to_string(),
        (Language::Chinese, GameSetupError::Fen(error)) => format!("FEN 无效：{}", fen_error(error)),
        (Language::Chinese, GameSetupError::Move(error)) => {
            let reason = error.reason.map_or(String::new(), |reason| format!("：{}", illegal_reason(reason)));
            format!("第{}着{}{reason}", error.number, notation_error(&error.why))
        }
    }
}

/// The error of a file in `language`; in English as it displays itself.
pub fn game_file_error(error: &GameFileError, language: Language) -> String {
    match (language, error) {
        (Language::English, error) => error.to_string(),
        (Language::Chinese, GameFileError::NoPosition) => "无法识别的棋局，应以 FEN 或 startpos 开头".to_string(),
        (Language::Chinese, GameFileError::Line(line, text)) => format!("第{line}行“{text}”不是 FEN 或 startpos"),
        (Language::Chinese, GameFileError::Empty) => "没有局面或棋谱".to_string(),
        (Language::Chinese, GameFileError::Several(count)) => format!("有{count}个局面，应为一个"),
        (Language::Chinese, GameFileError::Record(RecordError { location, kind })) => {
            let place = match location {
                Location::Line(line) => format!("第{line}行"),
                Location::Byte(byte) => format!("第{byte}字节"),
            };
            let what = match kind {
                RecordErrorKind::Move(error) => notation_error(error),
                RecordErrorKind::Fen(error) => format!("FEN 无效：{}", fen_error(error)),
                RecordErrorKind::Setup(error) => format!("局面无效：{}", position_error(error)),
                RecordErrorKind::UnexpectedEnd => "文件不完整".to_string(),
                RecordErrorKind::NotXqf => "不是 XQF 文件".to_string(),
                RecordErrorKind::Unclosed(letter) => format!("“{letter}”没有闭合"),
            };
            format!("{place}：{what}")
        }
    }
}

/// Why a text is no move, in Chinese.
fn notation_error(error: &NotationError) -> String {
    match error {
        NotationError::NotAMove(text) => format!("“{text}”不是着法"),
        NotationError::Illegal(text) => format!("“{text}”不合规则"),
        NotationError::Ambiguous(text, one, other) => format!("“{text}”有歧义：{one} 或 {other}"),
    }
}

/// Why a move is illegal, in Chinese.
fn illegal_reason(reason: IllegalReason) -> String {
    let (side, piece) = (|color| Language::Chinese.side(color), |piece| Language::Chinese.piece(piece));
    match reason {
        IllegalReason::NoPiece(square, color) => format!("{square} 上没有棋子，轮到{}走", side(color)),
        IllegalReason::OpponentsPiece(of, square) => format!("{square} 上的{}是{}的", piece(of), side(of.color())),
        IllegalReason::InCheck(color) => format!("{}会被将军", side(color)),
        IllegalReason::NotItsMove(of, square) => format!("{square} 上的{}不能这样走", piece(of)),
    }
}

/// The error of a FEN in Chinese.
fn fen_error(error: &FenError) -> String {
    match error {
        FenError::Empty => "没有内容".to_string(),
        FenError::RankCount(ranks) => format!("棋盘有{ranks}行，应为10行"),
        FenError::FileCount { rank, files, text } => format!("第{rank}行“{text}”有{files}列，应为9列"),
        FenError::Letter(letter) => format!("棋盘上的“{letter}”既不是棋子也不是空格数"),
        FenError::Side(text) => format!("走棋方“{text}”应为 w 或 b"),
        FenError::Setup(error) => position_error(error),
    }
}

/// Why a position is impossible, in Chinese.
fn position_error(error: &SetupError) -> String {
    let side = |color: &Color| Language::Chinese.side(*color);
    match error {
        SetupError::NoKing(color) => format!("{}没有将帅", side(color)),
        SetupError::TwoKings(color) => format!("{}的将帅多于一个", side(color)),
        SetupError::KingOutsidePalace(color, square) => format!("{}的将帅在九宫之外（{square}）", side(color)),
        SetupError::TooManyOfOneType(color, kind) => {
            format!("{}的{}多于8个", side(color), Language::Chinese.piece(Piece::new(*color, *kind)))
        }
        SetupError::TooManyPieces(color, count) => format!("{}有{count}个棋子，多于16个", side(color)),
        SetupError::SideNotToMoveInCheck(color) => format!("{}被将军，却轮到对方走棋", side(color)),
    }
}
