//! How a game stands, and why.

use super::cycle::{Cycle, Fault};
use super::{Repetition, Rules, recurrence};
use crate::position::{Man, Position};
use crate::types::{Color, Kind, Piece};

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// It is won.
    Won {
        /// By this side.
        winner: Color,
        /// Why.
        reason: Reason,
    },
    /// It is drawn.
    Drawn(Reason),
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The loser's king is in check and no move helps.
    Checkmate,
    /// The loser has no move.
    Stalemate,
    /// The loser gave check on every move.
    PerpetualCheck,
    /// The loser chased the same man on every move.
    PerpetualChase {
        /// The men that chased.
        by: Vec<Man>,
        /// The men that were chased.
        of: Vec<Man>,
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
    BareMaterial,
}

/// How a game stands by `rules` when a position may occur `occurrences` times, the last of which ends the game: a repetition
/// is judged by all moves since the first of them.
pub fn status(position: &Position, rules: &Rules, occurrences: usize) -> Status {
    if position.has_no_moves() {
        let reason = if position.in_check() { Reason::Checkmate } else { Reason::Stalemate };
        return Status::Won { winner: !position.side(), reason };
    }
    if let Some(plies) = recurrence(position, occurrences) {
        return judge(position, plies, rules.repetition);
    }
    if rules.is_move_limit(position) {
        Status::Drawn(Reason::MoveLimit)
    } else if super::material::is_bare(position) {
        Status::Drawn(Reason::BareMaterial)
    } else {
        Status::Ongoing
    }
}

fn judge(position: &Position, plies: usize, rule: Repetition) -> Status {
    let cycle = Cycle::of(position, plies, rule);
    let Some(loser) = cycle.loser() else {
        return Status::Drawn(match cycle.faults[0] {
            Fault::None => Reason::Repetition,
            Fault::Check => Reason::MutualCheck,
            Fault::Chase | Fault::ChaseOfPinnedRook => Reason::MutualChase,
        });
    };
    let reason = match cycle.faults[loser.index()] {
        Fault::Check => Reason::PerpetualCheck,
        _ => {
            let (by, of) = cycle.chasers(position, plies, rule, loser);
            Reason::PerpetualChase { by, of }
        }
    };
    Status::Won { winner: !loser, reason }
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

impl Status {
    /// In words: `ongoing`, or `red wins`, `black wins` or `draw`, a colon, and the reason in `language`.
    pub fn text(&self, language: Language) -> String {
        match self {
            Status::Ongoing => "ongoing".to_string(),
            Status::Won { winner, reason } => format!("{winner} wins: {}", reason.text(!*winner, language)),
            // Nobody has lost: no reason for a draw names a side.
            Status::Drawn(reason) => format!("draw: {}", reason.text(Color::Red, language)),
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

    fn men(self, men: &[Man]) -> String {
        let name = |man: &Man| match self {
            Language::English => english(man.kind()).to_string(),
            Language::Chinese => Piece::new(man.color(), man.kind()).character().to_string(),
        };
        men.iter().map(name).collect::<Vec<_>>().join(self.pick(" and ", "、"))
    }
}

fn english(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "king",
        Kind::Advisor => "advisor",
        Kind::Bishop => "bishop",
        Kind::Knight => "knight",
        Kind::Rook => "rook",
        Kind::Cannon => "cannon",
        Kind::Pawn => "pawn",
    }
}

impl Reason {
    fn text(&self, loser: Color, language: Language) -> String {
        let side = language.side(loser);
        let plain = match self {
            Reason::Checkmate => ("checkmate", "将死"),
            Reason::Stalemate => ("stalemate", "困毙"),
            Reason::MutualCheck => ("both sides give perpetual check", "双方长将"),
            Reason::MutualChase => ("both sides chase perpetually", "双方长捉"),
            Reason::Repetition => ("repetition without fault", "循环不犯禁"),
            Reason::MoveLimit => ("move limit without a capture", "自然限着"),
            Reason::BareMaterial => ("neither side can win", "双方均无取胜可能"),
            Reason::PerpetualCheck => {
                return match language {
                    Language::English => format!("{side} gives perpetual check"),
                    Language::Chinese => format!("{side}长将"),
                };
            }
            Reason::PerpetualChase { by, of } => {
                let (by, of) = (language.men(by), language.men(of));
                return match language {
                    Language::English => format!("{side} perpetually chases the {of} with the {by}"),
                    Language::Chinese => format!("{side}以{by}长捉{of}"),
                };
            }
        };
        language.pick(plain.0, plain.1).to_string()
    }
}
