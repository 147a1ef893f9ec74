//! The classes of the moves of a cycle by the Chinese rules, in words and as the names of the JSON output.

use super::language::Language;
use crate::position::PieceId;
use crate::rules::chinese::{Class, ClassifiedMove, Idle, Manner};
use crate::types::{Color, Piece};

/// The moves of each side with their classes: `red: c2d4 chase (knight attacks rook), …; black: …`, or the same in Chinese.
/// Moves that are made again are not repeated.
pub(crate) fn cycle(moves: &[ClassifiedMove], language: Language) -> String {
    let of_side = |side: Color| {
        let mut texts: Vec<String> = Vec::new();
        for mv in moves.iter().filter(|mv| mv.side == side) {
            let text = format!("{} {}", mv.mv, language.class(mv.class));
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        format!("{}{}{}", language.side(side), language.colon(), texts.join(language.pick(", ", "，")))
    };
    Color::ALL.map(of_side).join(language.pick("; ", "；"))
}

/// The name of a class: `check`, `kill`, `chase`, or the kind of an idle move.
pub(crate) fn class_name(class: Class) -> &'static str {
    match class {
        Class::Check => "check",
        Class::Kill => "kill",
        Class::Chase(_) => "chase",
        Class::Idle(Idle::Exchange) => "exchange",
        Class::Idle(Idle::Offer) => "offer",
        Class::Idle(Idle::Block) => "block",
        Class::Idle(Idle::Follow) => "follow",
        Class::Idle(Idle::Other) => "idle",
    }
}

/// The name of a manner of chasing.
pub(crate) fn manner_name(manner: Manner) -> &'static str {
    match manner {
        Manner::Rook => "rook",
        Manner::Unprotected => "unprotected",
        Manner::UnderProtected => "under-protected",
        Manner::Joint => "joint",
    }
}

impl Language {
    fn class(self, class: Class) -> String {
        let Class::Chase(chase) = class else {
            let chinese = match class {
                Class::Check => "将",
                Class::Kill => "杀",
                Class::Idle(Idle::Exchange) => "兑",
                Class::Idle(Idle::Offer) => "献",
                Class::Idle(Idle::Block) => "拦",
                Class::Idle(Idle::Follow) => "跟",
                Class::Idle(Idle::Other) | Class::Chase(_) => "闲",
            };
            return self.pick(class_name(class), chinese).to_string();
        };
        let name = |id: PieceId| self.piece(Piece::new(id.color(), id.piece_type()));
        let (by, of) = (name(chase.by), name(chase.of));
        match (self, chase.manner) {
            (Language::English, Manner::Rook) => format!("chase ({by} attacks {of})"),
            (Language::English, manner) => format!("chase ({by} attacks {of}, {})", manner_name(manner)),
            (Language::Chinese, Manner::Rook) => format!("捉（{by}捉{of}）"),
            (Language::Chinese, Manner::Unprotected) => format!("捉（{by}捉{of}，无根子）"),
            (Language::Chinese, Manner::UnderProtected) => format!("捉（{by}捉{of}，少根子）"),
            (Language::Chinese, Manner::Joint) => format!("捉（联合捉子：{by}捉{of}）"),
        }
    }
}
