//! A game and how it ended.

use crate::display::verdict::{Language, verdict};
use crate::games::record::GameResult;
use crate::games::setup::GameSetup;
use crate::notation::Ranks;
use crate::position::{Position, START_FEN};
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

/// A game.
#[derive(Clone)]
pub struct Game {
    position: Position,
    rules: Rules,
    ending: Option<Ending>,
}

impl Game {
    /// The game that led to `position`, which may be over by the default rules.
    pub fn new(position: Position) -> Game {
        let mut game = Game { position, rules: Rules::default(), ending: None };
        game.judge();
        game
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

    /// The side to move.
    pub fn side(&self) -> Color {
        self.position.side()
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

    /// The position at the start of the game.
    pub fn start(&self) -> Position {
        let mut start = self.position.clone();
        while start.plies() > 0 {
            start.undo();
        }
        start
    }

    /// The moves.
    pub fn moves(&self) -> Vec<Move> {
        self.position.history().rev().filter_map(|past| past.mv).collect()
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        self.position.history().next().and_then(|past| past.mv)
    }

    /// The start position and the moves.
    pub fn setup(&self) -> GameSetup {
        let fen = Some(self.start().to_fen()).filter(|fen| fen != START_FEN);
        let moves = self.moves().iter().map(|mv| mv.to_string()).collect();
        GameSetup { fen, moves, ranks: Some(Ranks::FromZero), ..GameSetup::default() }
    }

    /// The side that won; `None` for a draw, and while the game goes on.
    fn winner(&self) -> Option<Color> {
        match self.ending.as_ref()? {
            Ending::Rules(GameStatus::Won { winner, .. }) => Some(*winner),
            Ending::Resigned(loser) | Ending::TimeOut(loser) => Some(loser.other()),
            Ending::Rules(_) | Ending::Agreed => None,
        }
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        match (&self.ending, self.winner()) {
            (None, _) => GameResult::Unknown,
            (_, Some(winner)) => GameResult::Won(winner),
            (_, None) => GameResult::Drawn,
        }
    }

    /// Who is to move or how the game ended, in words.
    pub fn status_text(&self, language: Language) -> String {
        let of = |side: Color, english: &str, chinese: &str| {
            let winner = language.side(side.other());
            let loser = language.side(side);
            language.pick(format!("{winner} wins: {loser} {english}"), format!("{winner}胜：{loser}{chinese}"))
        };
        match &self.ending {
            None => {
                let side = language.side(self.side());
                let check = if self.position.in_check() { language.pick(", in check", "，被将军") } else { "" };
                language.pick(format!("{side} to move{check}"), format!("轮到{side}走{check}"))
            }
            Some(Ending::Rules(status)) => verdict(status, language),
            Some(Ending::Resigned(side)) => of(*side, "resigns", "认输"),
            Some(Ending::TimeOut(side)) => of(*side, "is out of time", "超时"),
            Some(Ending::Agreed) => language.pick("draw: agreed", "和棋：双方同意").to_string(),
        }
    }
}
