//! A game, who plays it, and how it ended.

use super::clock::GameClock;
use crate::display::language::Language;
use crate::display::verdict::verdict;
use crate::games::record::{GameRecord, GameResult};
use crate::games::tree::MoveTree;
use crate::position::Position;
use crate::rules::Rules;
use crate::rules::game_status::{GameStatus, OCCURRENCES, judge};
use crate::types::{Color, Move};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(GameStatus),
    /// This side resigned.
    Resigned(Color),
    /// This side's time ran out.
    TimeOut(Color),
    /// Both sides agreed to a draw.
    Agreed,
}

impl Ending {
    /// The value of the tag `Termination` in PGN; `None` for an end by the rules, which the moves tell.
    const fn termination(&self) -> Option<&'static str> {
        match self {
            Ending::Rules(_) => None,
            Ending::Resigned(_) => Some("resigned"),
            Ending::TimeOut(_) => Some("time forfeit"),
            Ending::Agreed => Some("agreed"),
        }
    }
}

/// The engine's level in a game for which none has been chosen: of those below full strength a low one.
const DEFAULT_LEVEL: u32 = 5;

/// A game with its players and clock.
#[derive(Clone)]
pub struct Game {
    position: Position,
    rules: Rules,
    ending: Option<Ending>,
    /// Whether the engine plays Red and Black.
    pub engine_plays: [bool; 2],
    /// The engine's level.
    pub level: u32,
    /// The clock, in a game with one.
    pub clock: Option<GameClock>,
    /// The names of Red and Black; may be empty.
    pub names: [String; 2],
    /// The date on which it began, as `2026.11.28`; may be empty.
    pub date: String,
}

impl Game {
    /// The game that led to `position`, which may be over by the default rules; a person plays Red, without a clock.
    pub fn new(position: Position) -> Game {
        let (rules, ending, engine_plays) = (Rules::default(), None, [false, true]);
        let (level, names, date) = (DEFAULT_LEVEL, Default::default(), String::new());
        let mut game = Game { position, rules, ending, engine_plays, level, clock: None, names, date };
        game.judge();
        game
    }

    /// Begins another game of the same players, that which led to `position`.
    pub fn restart(&mut self, position: Position) {
        self.clock = self.clock.take().map(|clock| GameClock::new(clock.control(), position.plies()));
        self.position = position;
        self.judge();
    }

    /// Sets the rules by which the game ends. Without an end by them it goes on.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.judge();
    }

    /// The position with the moves that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How the game ended; `None` while it goes on.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Makes a legal move.
    pub fn make(&mut self, mv: Move) {
        self.position.make(mv);
        self.judge();
    }

    /// Takes back a move, if there is one. The game goes on.
    pub fn undo(&mut self) -> bool {
        let has_moves = self.position.plies() > 0;
        if has_moves {
            self.position.undo();
            self.judge();
        }
        has_moves
    }

    /// Ends the game.
    pub fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    fn judge(&mut self) {
        let status = judge(&self.position, &self.rules, OCCURRENCES);
        self.ending = (status != GameStatus::Ongoing).then_some(Ending::Rules(status));
    }

    /// The start position, the moves, the result, and the tag `Termination` if the game did not end by the rules.
    pub fn record(&self) -> GameRecord {
        let plies = self.position.plies();
        let mut record = GameRecord::new(self.position.before(plies));
        record.tree = MoveTree::of_line(&self.position.last_moves(plies));
        record.result = self.result();
        let termination = self.ending.as_ref().and_then(Ending::termination);
        record.tags.extend(termination.map(|text| ("Termination".to_string(), text.to_string())));
        record
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        match &self.ending {
            None => GameResult::Unknown,
            Some(Ending::Rules(GameStatus::Won { winner, .. })) => GameResult::Won(*winner),
            Some(Ending::Resigned(loser) | Ending::TimeOut(loser)) => GameResult::Won(!*loser),
            Some(Ending::Rules(_) | Ending::Agreed) => GameResult::Drawn,
        }
    }

    /// Who is to move or how the game ended, in words.
    pub(crate) fn status_text(&self, language: Language) -> String {
        let lost = |side: Color, english: &str, chinese: &str| {
            let [winner, loser] = [!side, side].map(|side| language.side(side));
            language.pick(format!("{winner} wins: {loser} {english}"), format!("{winner}胜：{loser}{chinese}"))
        };
        match &self.ending {
            None => {
                let side = language.side(self.position.side());
                let check = if self.position.in_check() { language.pick(", in check", "，被将军") } else { "" };
                language.pick(format!("{side} to move{check}"), format!("轮到{side}走{check}"))
            }
            Some(Ending::Rules(status)) => verdict(status, language),
            Some(Ending::Resigned(side)) => lost(*side, "resigns", "认输"),
            Some(Ending::TimeOut(side)) => lost(*side, "is out of time", "超时"),
            Some(Ending::Agreed) => language.pick("draw: agreed", "和棋：双方同意").to_string(),
        }
    }

    /// Whether it is the engine's turn.
    pub fn is_engine_turn(&self) -> bool {
        self.ending.is_none() && self.engine_plays[self.position.side().index()]
    }

    /// The side of the only human player; `None` if both or none are human.
    pub fn only_human(&self) -> Option<Color> {
        match self.engine_plays {
            [false, true] => Some(Color::Red),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }
}
