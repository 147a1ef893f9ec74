//! The state of a game in words, English or Chinese.

use super::language::Language;
use crate::notation::Ranks;
use crate::position::PieceId;
use crate::rules::game_status::{EndReason, GameStatus};
use crate::rules::recurring::Recurring;
use crate::types::{Color, Piece};

/// `ongoing`, or `red wins`, `black wins` or `draw`, a colon, and the reason; or the same in Chinese.
pub(crate) fn verdict(status: &GameStatus, language: Language) -> String {
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

/// The warning before a repetition ends a game, as `occurrence 2 of this position; if it goes on, black wins: red gives
/// perpetual check; red must deviate: e0d0, e0f0`.
pub(crate) fn warning(recurring: &Recurring, ranks: Ranks, language: Language) -> String {
    let (count, verdict) = (recurring.occurrences, verdict(&recurring.status, language));
    let text = language.pick(
        format!("occurrence {count} of this position; if it goes on, {verdict}"),
        format!("此局面第{count}次出现；如不变着，{verdict}"),
    );
    let Some(deviation) = &recurring.deviation else { return text };
    let side = language.side(deviation.side);
    let moves: Vec<String> = deviation.moves.iter().map(|&mv| ranks.write(mv).to_string()).collect();
    let moves = match moves.as_slice() {
        [] => language.pick("no move does", "没有可变之着").to_string(),
        moves => moves.join(language.pick(", ", "、")),
    };
    let after = deviation.after.map_or(String::new(), |mv| {
        let mv = ranks.write(mv);
        language.pick(format!(" after {mv}"), format!("在 {mv} 之后"))
    });
    language
        .pick(format!("{text}; {side} must deviate{after}: {moves}"), format!("{text}；{side}{after}须变着：{moves}"))
}

impl Language {
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
            EndReason::BothIdle => ("both sides have idle moves", "双方均有允许着法，不变作和"),
            EndReason::MutualAttack => ("both sides attack on every move", "双方均走禁止着法，不变作和"),
            EndReason::MoveLimit => ("move limit without a capture", "自然限着"),
            EndReason::InsufficientMaterial => ("insufficient material", "双方均无取胜可能"),
            EndReason::PerpetualCheck => {
                return match self {
                    Language::English => format!("{side} gives perpetual check"),
                    Language::Chinese => format!("{side}长将"),
                };
            }
            EndReason::PerpetualAttack { checks, kills, chases } => {
                let (english, chinese) = attack(*checks, *kills, *chases);
                return self.pick(format!("{side} {english}"), format!("{side}{chinese}，不变作负"));
            }
            EndReason::HeavierChase => {
                let other = self.side(!loser);
                return match self {
                    Language::English => {
                        format!(
                            "both sides attack on every move, and only {other} chases jointly or an under-protected piece"
                        )
                    }
                    Language::Chinese => {
                        format!("双方均走禁止着法，{other}有联合捉子或捉少根子，{side}变着，不变作负")
                    }
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

/// What a side does on every move, by what some of the moves do.
fn attack(checks: bool, kills: bool, chases: bool) -> (&'static str, &'static str) {
    match (checks, kills, chases) {
        (true, true, true) => ("checks, threatens mate and chases by turns", "将、杀、捉不断"),
        (true, true, false) => ("checks and threatens mate by turns", "一将一杀"),
        (true, false, true) => ("checks and chases by turns", "一将一捉"),
        (false, true, true) => ("threatens mate and chases by turns", "一杀一捉"),
        (false, true, false) => ("threatens mate on every move", "长杀"),
        (false, false, true) => ("chases on every move", "长捉"),
        (_, false, false) => ("gives check on every move", "长将"),
    }
}
