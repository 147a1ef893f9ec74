//! A game read from a file.

use super::error::ReadError;
use super::setup::GameSetup;
use super::tree::MoveTree;
use crate::notation::Ranks;
use crate::position::{Position, START_FEN};
use crate::types::{Color, Move};
use thiserror::Error;

/// A game as far as it can be read.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The start position.
    pub start: Position,
    /// The moves, all of which are legal, and the comments.
    pub tree: MoveTree,
    /// Names and values of the tags that are not empty, in the order of the file. Those of other formats have the names of
    /// PGN.
    pub tags: Vec<(String, String)>,
    /// The result.
    pub result: GameResult,
    /// What was read otherwise than it is written.
    pub note: Option<Note>,
    /// The first error: nothing after it in its line of play was read.
    pub error: Option<ReadError>,
}

/// What of a game was read otherwise than it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Note {
    /// This side moves first, and the field for the side to move names the other.
    #[error("{0} moves first, though the file says that the other side does")]
    SideToMove(Color),
}

impl GameRecord {
    /// A game without moves.
    pub fn new(start: Position) -> GameRecord {
        let (tree, tags, result) = (MoveTree::new(), Vec::new(), GameResult::Unknown);
        GameRecord { start, tree, tags, result, note: None, error: None }
    }

    /// The moves of the main line.
    pub fn moves(&self) -> Vec<Move> {
        self.tree.main_moves()
    }

    /// The game, if all of it could be read.
    ///
    /// # Errors
    /// Its error.
    pub fn whole(self) -> Result<GameRecord, ReadError> {
        self.error.clone().map_or(Ok(self), Err)
    }

    /// The position at the end of the main line, with the moves that led to it.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        self.moves().into_iter().for_each(|mv| position.make(mv));
        position
    }

    /// The value of a tag; its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The name of a player, also under the names of international chess: `White` has the first move, as Red has.
    pub fn player(&self, side: Color) -> Option<&str> {
        match side {
            Color::Red => self.tag("Red").or_else(|| self.tag("White")),
            Color::Black => self.tag("Black"),
        }
    }

    /// What a format with a field of this name has in it: the value of the tag, for `Red` the player's name.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        if name == "Red" { self.player(Color::Red) } else { self.tag(name) }
    }

    /// The start position and the main line, as a client would send them.
    pub fn setup(&self) -> GameSetup {
        let fen = Some(self.start.to_fen()).filter(|fen| fen != START_FEN);
        let moves = self.moves().iter().map(|mv| mv.to_string()).collect();
        GameSetup { fen, moves, ranks: Some(Ranks::FromZero), ..GameSetup::default() }
    }
}

/// The result of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Won(Color),
    /// Draw.
    Drawn,
    /// The record does not say.
    Unknown,
}

/// Results in Chinese, without the word for a side's (方) and with simplified characters.
const CHINESE_RESULTS: [(&[&str], GameResult); 3] = [
    (&["红胜", "红先胜", "先胜", "黑负"], GameResult::Won(Color::Red)),
    (&["黑胜", "红负", "红先负", "先负", "后胜"], GameResult::Won(Color::Black)),
    (&["和", "和棋", "和局", "红先和", "先和", "平局", "红和", "双和"], GameResult::Drawn),
];

impl GameResult {
    /// Reads a result in PGN notation; `None` for any other text.
    pub fn read(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::Won(Color::Red),
            "0-1" => GameResult::Won(Color::Black),
            "1/2-1/2" | "1/2" => GameResult::Drawn,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// Reads a result in Chinese, such as 红胜 or 和棋; `None` for any other text.
    pub fn read_chinese(text: &str) -> Option<GameResult> {
        let simplified = |letter: char| match letter {
            '紅' => '红',
            '勝' => '胜',
            '負' => '负',
            '後' => '后',
            '雙' => '双',
            letter => letter,
        };
        let text: String = text.chars().filter(|&letter| letter != '方').map(simplified).collect();
        CHINESE_RESULTS.iter().find(|(names, _)| names.contains(&text.as_str())).map(|&(_, result)| result)
    }

    /// The result with the number that XQF, CBR and CBF have: 1 Red won, 2 Black won, 3 and 4 drawn.
    pub fn of_number(number: u8) -> GameResult {
        match number {
            1 => GameResult::Won(Color::Red),
            2 => GameResult::Won(Color::Black),
            3 | 4 => GameResult::Drawn,
            _ => GameResult::Unknown,
        }
    }

    /// Its number there; 0 for an unknown one.
    pub const fn number(self) -> u8 {
        match self {
            GameResult::Unknown => 0,
            GameResult::Won(Color::Red) => 1,
            GameResult::Won(Color::Black) => 2,
            GameResult::Drawn => 3,
        }
    }

    /// The result in PGN notation.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::Won(Color::Red) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}
