//! The verdicts of `chuhe judge --json`, an object on a line each.

use crate::display::language::Language;
use crate::display::move_class::{class_name, manner_name};
use crate::display::verdict::verdict;
use crate::games::GameRecord;
use crate::games::record::GameResult;
use crate::rules::chinese::{Class, ClassifiedMove};
use crate::rules::game_status::GameStatus;
use crate::rules::recurring::Recurring;
use crate::types::{Color, Move};
use serde::Serialize;

/// The verdict on a game.
#[derive(Serialize)]
pub(super) struct JudgedGame {
    source: String,
    /// The result of the record: `1-0`, `0-1`, `1/2-1/2` or `*`.
    recorded: &'static str,
    /// Whether the verdict is that of the record; `null` where one of them is none: a game may end by resignation.
    agrees: Option<bool>,
    /// `ongoing`, `red`, `black` (who wins) or `draw`.
    result: &'static str,
    /// The verdict in English and in Chinese.
    en: String,
    zh: String,
    /// The moves of the cycle with their classes; by the Chinese rules only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cycle: Vec<JudgedMove>,
    /// What an ongoing game becomes if its repetition goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    recurring: Option<JudgedRecurring>,
    /// What the endgame tables say of an ongoing game, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
}

/// The position of an ongoing game has occurred before.
#[derive(Serialize)]
struct JudgedRecurring {
    occurrences: usize,
    /// The verdict if it goes on, in English.
    verdict: String,
    /// Who loses by it, the opponent's move that comes before its own, if there is one, and its moves that deviate.
    #[serde(skip_serializing_if = "Option::is_none")]
    must_deviate: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct JudgedMove {
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    class: &'static str,
    #[serde(flatten)]
    chase: Option<JudgedChase>,
}

#[derive(Serialize)]
struct JudgedChase {
    by: String,
    of: String,
    manner: &'static str,
}

/// The verdict on a game that could not be read.
#[derive(Serialize)]
pub(super) struct RefusedGame<'a> {
    pub source: &'a str,
    pub error: &'a str,
}

impl JudgedGame {
    /// The game from `source`, which has this status and ended with the moves of `cycle`; its repetition so far; what the endgame
    /// tables say of it.
    pub(super) fn new(
        source: &str,
        game: &GameRecord,
        status: &GameStatus,
        cycle: &[ClassifiedMove],
        recurring: Option<&Recurring>,
        table: Option<String>,
    ) -> JudgedGame {
        let result = match status {
            GameStatus::Ongoing => "ongoing",
            GameStatus::Won { winner: Color::Red, .. } => "red",
            GameStatus::Won { winner: Color::Black, .. } => "black",
            GameStatus::Drawn(_) => "draw",
        };
        let [en, zh] = [Language::English, Language::Chinese].map(|language| verdict(status, language));
        JudgedGame {
            source: source.to_string(),
            recorded: game.result.text(),
            agrees: agrees(status, game.result),
            result,
            en,
            zh,
            cycle: cycle.iter().map(JudgedMove::new).collect(),
            recurring: recurring.map(JudgedRecurring::new),
            table,
        }
    }
}

/// Whether the status of a game is the recorded result; `None` where the game is not over by the rules, or has no result.
pub(super) fn agrees(status: &GameStatus, recorded: GameResult) -> Option<bool> {
    let judged = match status {
        GameStatus::Ongoing => return None,
        GameStatus::Won { winner, .. } => GameResult::Won(*winner),
        GameStatus::Drawn(_) => GameResult::Drawn,
    };
    (recorded != GameResult::Unknown).then_some(judged == recorded)
}

impl JudgedRecurring {
    fn new(recurring: &Recurring) -> JudgedRecurring {
        let deviation = recurring.deviation.as_ref();
        JudgedRecurring {
            occurrences: recurring.occurrences,
            verdict: verdict(&recurring.status, Language::English),
            must_deviate: deviation.map(|deviation| Language::English.side(deviation.side)),
            after: deviation.and_then(|deviation| deviation.after).map(|mv| mv.to_string()),
            moves: deviation.map_or_else(Vec::new, |deviation| deviation.moves.iter().map(Move::to_string).collect()),
        }
    }
}

impl JudgedMove {
    fn new(mv: &ClassifiedMove) -> JudgedMove {
        let chase = match mv.class {
            Class::Chase(chase) => Some(JudgedChase {
                by: Language::English.piece_type(chase.by.piece_type()).to_string(),
                of: Language::English.piece_type(chase.of.piece_type()).to_string(),
                manner: manner_name(chase.manner),
            }),
            _ => None,
        };
        JudgedMove { side: Language::English.side(mv.side), mv: mv.mv.to_string(), class: class_name(mv.class), chase }
    }
}
