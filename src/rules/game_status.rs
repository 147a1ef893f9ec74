//! How a game stands, and why.

use super::cycle::{Cycle, Violation};
use super::{Repetition, Rules, recurrence};
use crate::position::{PieceId, Position};
use crate::types::{Color, Piece, PieceType};

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// It goes on.
    Ongoing,
    /// It is won.
    Won {
        /// By this side.
        winner: Color,
        /// Why.
        reason: EndReason,
    },
    /// It is drawn.
    Drawn(EndReason),
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The loser's king is in check and no move helps.
    Checkmate,
    /// The loser has no move.
    Stalemate,
    /// The loser gave check on every move.
    PerpetualCheck,
    /// The loser chased the same man on every move.
    PerpetualChase {
        /// The men that chased.
        by: Vec<PieceId>,
        /// The men that were chased.
        of: Vec<PieceId>,
    },
    /// Both gave check on every move.
    MutualCheck,
    /// Both chased on every move.
    MutualChase,
    /// The position occurred too often, and neither side was at fault.
    Repetition,
    /// Nothing was captured for too long.
    MoveLimit,
    /// Neither side has men to win with.
    InsufficientMaterial,
}

/// How a game stands by `rules` when a position may occur `occurrences` times, the last of which ends the game: a repetition
/// is judged by all moves since the first of them.
pub fn status(position: &Position, rules: &Rules, occurrences: usize) -> GameStatus {
    if position.has_no_moves() {
        let reason = if position.in_check() { EndReason::Checkmate } else { EndReason::Stalemate };
        return GameStatus::Won { winner: !position.side(), reason };
    }
    if let Some(plies) = recurrence(position, occurrences) {
        return judge(position, plies, rules.repetition);
    }
    if rules.is_move_limit(position) {
        GameStatus::Drawn(EndReason::MoveLimit)
    } else if super::insufficient_material::is_insufficient_material(position) {
        GameStatus::Drawn(EndReason::InsufficientMaterial)
    } else {
        GameStatus::Ongoing
    }
}

fn judge(position: &Position, plies: usize, rule: Repetition) -> GameStatus {
    let cycle = Cycle::of(position, plies, rule);
    let Some(loser) = cycle.loser() else {
        return GameStatus::Drawn(match cycle.violations[0] {
            Violation::None => EndReason::Repetition,
            Violation::Check => EndReason::MutualCheck,
            Violation::Chase | Violation::ChaseOfPinnedRook => EndReason::MutualChase,
        });
    };
    let reason = match cycle.violations[loser.index()] {
        Violation::Check => EndReason::PerpetualCheck,
        _ => {
            let (by, of) = cycle.chasers(position, plies, rule, loser);
            EndReason::PerpetualChase { by, of }
        }
    };
    GameStatus::Won { winner: !loser, reason }
}

/// A language to say it in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl GameStatus {
    /// In words: `ongoing`, or `red wins`, `black wins` or `draw`, a colon, and the reason in `language`.
    pub fn text(&self, language: Language) -> String {
        match self {
            GameStatus::Ongoing => "ongoing".to_string(),
            GameStatus::Won { winner, reason } => format!("{winner} wins: {}", reason.text(!*winner, language)),
            // Nobody has lost: no reason for a draw names a side.
            GameStatus::Drawn(reason) => format!("draw: {}", reason.text(Color::Red, language)),
        }
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

impl EndReason {
    fn text(&self, loser: Color, language: Language) -> String {
        let side = language.side(loser);
        let plain = match self {
            EndReason::Checkmate => ("checkmate", "将死"),
            EndReason::Stalemate => ("stalemate", "困毙"),
            EndReason::MutualCheck => ("both sides give perpetual check", "双方长将"),
            EndReason::MutualChase => ("both sides chase perpetually", "双方长捉"),
            EndReason::Repetition => ("repetition without fault", "循环不犯禁"),
            EndReason::MoveLimit => ("move limit without a capture", "自然限着"),
            EndReason::InsufficientMaterial => ("neither side can win", "双方均无取胜可能"),
            EndReason::PerpetualCheck => {
                return match language {
                    Language::English => format!("{side} gives perpetual check"),
                    Language::Chinese => format!("{side}长将"),
                };
            }
            EndReason::PerpetualChase { by, of } => {
                let (by, of) = (language.pieces(by), language.pieces(of));
                return match language {
                    Language::English => format!("{side} perpetually chases the {of} with the {by}"),
                    Language::Chinese => format!("{side}以{by}长捉{of}"),
                };
            }
        };
        language.pick(plain.0, plain.1).to_string()
    }
}
