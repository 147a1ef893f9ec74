//! Why a game ended.

use crate::display::language::Language;
use crate::display::verdict::verdict;
use crate::games::record::GameResult;
use crate::rules::game_status::{EndReason, GameStatus};
use crate::types::Color;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate, which loses.
    Stalemate,
    /// The loser gave perpetual check.
    PerpetualCheck,
    /// The loser chased perpetually.
    PerpetualChase,
    /// The loser attacked on every move, by turns or more heavily (Chinese rules).
    PerpetualAttack,
    /// A draw by repetition.
    Repetition,
    /// A draw by the move limit.
    MoveLimit,
    /// Neither side can win.
    InsufficientMaterial,
    /// An engine resigned.
    Resignation,
    /// Both engines offered a draw.
    DrawAgreement,
    /// Adjudicated as won by the engines' scores.
    ResignAdjudication,
    /// Adjudicated as drawn by the engines' scores.
    DrawAdjudication,
    /// Adjudicated by an endgame table.
    TableAdjudication,
    /// The game has reached its greatest length.
    MaxMoves,
    /// A move was no legal one.
    IllegalMove,
    /// An engine had no move where there is one.
    NoMove,
    /// A clock, or the time of a move, ran out.
    TimeForfeit,
    /// An engine whose time is not limited did not answer.
    Hang,
    /// An engine's process ended, or did not start.
    Crash,
}

impl Termination {
    /// Whether the loser's program failed.
    pub(crate) fn is_failure(self) -> bool {
        use Termination::{Crash, Hang, IllegalMove, NoMove, TimeForfeit};
        matches!(self, IllegalMove | NoMove | TimeForfeit | Hang | Crash)
    }

    /// In Chinese words.
    pub(crate) fn chinese(self) -> &'static str {
        match self {
            Termination::Checkmate => "将死",
            Termination::Stalemate => "困毙",
            Termination::PerpetualCheck => "长将",
            Termination::PerpetualChase => "长捉",
            Termination::PerpetualAttack => "走禁止着法",
            Termination::Repetition => "循环不变",
            Termination::MoveLimit => "自然限着",
            Termination::InsufficientMaterial => "双方均无取胜可能",
            Termination::Resignation => "认输",
            Termination::DrawAgreement => "议和",
            Termination::ResignAdjudication => "按评分判胜",
            Termination::DrawAdjudication => "按评分判和",
            Termination::TableAdjudication => "按残局库判定",
            Termination::MaxMoves => "达到最多回合",
            Termination::IllegalMove => "着法不合规则",
            Termination::NoMove => "没有着法",
            Termination::TimeForfeit => "超时",
            Termination::Hang => "没有应答",
            Termination::Crash => "程序结束",
        }
    }
}

/// In words, as `time forfeit`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = serde_json::to_value(self).ok();
        f.write_str(&name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().replace('-', " "))
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameEnd {
    /// The result.
    pub result: GameResult,
    /// The kind of its reason.
    pub termination: Termination,
    /// Result and reason in a sentence, as `red wins: checkmate`.
    pub sentence: String,
}

impl GameEnd {
    /// The end by the rules; `None` while the game goes on.
    pub(crate) fn by_rules(status: &GameStatus) -> Option<GameEnd> {
        let (result, reason) = match status {
            GameStatus::Ongoing => return None,
            GameStatus::Won { winner, reason } => (GameResult::Won(*winner), reason),
            GameStatus::Drawn(reason) => (GameResult::Drawn, reason),
        };
        let termination = match reason {
            EndReason::Checkmate => Termination::Checkmate,
            EndReason::Stalemate => Termination::Stalemate,
            EndReason::PerpetualCheck => Termination::PerpetualCheck,
            EndReason::PerpetualChase { .. } => Termination::PerpetualChase,
            EndReason::PerpetualAttack { .. } | EndReason::HeavierChase => Termination::PerpetualAttack,
            EndReason::MoveLimit => Termination::MoveLimit,
            EndReason::InsufficientMaterial => Termination::InsufficientMaterial,
            EndReason::Repetition
            | EndReason::BothIdle
            | EndReason::MutualAttack
            | EndReason::MutualCheck
            | EndReason::MutualChase => Termination::Repetition,
        };
        Some(GameEnd { result, termination, sentence: verdict(status, Language::English) })
    }

    /// A win of `winner`.
    pub(crate) fn won(winner: Color, termination: Termination, reason: &str) -> GameEnd {
        let sentence = format!("{winner} wins: {reason}");
        GameEnd { result: GameResult::Won(winner), termination, sentence }
    }

    /// A draw.
    pub(crate) fn drawn(termination: Termination, reason: &str) -> GameEnd {
        GameEnd { result: GameResult::Drawn, termination, sentence: format!("draw: {reason}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_draws_are_counted_as_repetitions() {
        let attack = EndReason::PerpetualAttack { checks: true, kills: false, chases: true };
        for (reason, termination) in [
            (attack, Termination::PerpetualAttack),
            (EndReason::HeavierChase, Termination::PerpetualAttack),
            (EndReason::PerpetualCheck, Termination::PerpetualCheck),
        ] {
            let status = GameStatus::Won { winner: Color::Red, reason };
            assert_eq!(GameEnd::by_rules(&status).unwrap().termination, termination);
        }
        for reason in [EndReason::Repetition, EndReason::MutualCheck, EndReason::MutualAttack, EndReason::BothIdle] {
            assert_eq!(GameEnd::by_rules(&GameStatus::Drawn(reason)).unwrap().termination, Termination::Repetition);
        }
        assert_eq!(GameEnd::by_rules(&GameStatus::Ongoing), None);
    }
}
