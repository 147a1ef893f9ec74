//! What a player types: moves and commands.

use crate::notation::{self, NotationError};
use crate::position::Position;
use crate::types::Move;
use thiserror::Error;

/// A command of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Make a move.
    Move(Move),
    /// Take back the last own move.
    Undo,
    /// Show a good move.
    Hint,
    /// Turn the board.
    Flip,
    /// Begin a new game.
    New,
    /// Resign the game.
    Resign,
    /// Offer or accept a draw.
    Draw,
    /// Set the engine's level.
    Level(u32),
    /// Let the engine play the side to move from now on.
    Go,
    /// Show the evaluation and the engine's line, or hide them.
    Eval,
    /// Save the game in this file.
    Save(String),
    /// Load the game in this file.
    Load(String),
    /// Show the board.
    Board,
    /// List the pieces and their squares.
    Pieces,
    /// Show the help.
    Help,
    /// End the program.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayCommandError {
    /// Neither a command nor a legal move.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A level that does not exist.
    #[error("{0:?} is not a level from 1 to {1}")]
    Level(String, u32),
    /// The name of a file is missing.
    #[error("{0} needs the name of a file")]
    NoFile(String),
}

/// Reads a line: a move in any notation, or a command in English or Chinese. `None` if it is blank.
///
/// # Errors
/// When it is neither, or the command's argument is missing or wrong. `max_level`: the highest level.
pub fn read(line: &str, position: &Position, max_level: u32) -> Option<Result<Command, PlayCommandError>> {
    let line = line.trim();
    let (word, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let argument = argument.trim();
    if word.is_empty() {
        return None;
    }
    let file = |command: fn(String) -> Command| match argument {
        "" => Err(PlayCommandError::NoFile(word.to_string())),
        name => Ok(command(name.to_string())),
    };
    let level = || {
        let level = argument.parse().ok().filter(|level| (1..=max_level).contains(level));
        level.map(Command::Level).ok_or_else(|| PlayCommandError::Level(argument.to_string(), max_level))
    };
    // A word too many makes a command no command.
    let word_alone = if argument.is_empty() { word.to_lowercase() } else { String::new() };
    Some(match word_alone.as_str() {
        "undo" | "back" | "悔棋" => Ok(Command::Undo),
        "hint" | "提示" => Ok(Command::Hint),
        "flip" | "翻转" => Ok(Command::Flip),
        "new" | "newgame" | "新局" => Ok(Command::New),
        "resign" | "认输" => Ok(Command::Resign),
        "draw" | "求和" | "和棋" => Ok(Command::Draw),
        "go" | "play" | "走" => Ok(Command::Go),
        "eval" | "analyse" | "评估" => Ok(Command::Eval),
        "board" | "d" | "棋盘" => Ok(Command::Board),
        "pieces" | "棋子" => Ok(Command::Pieces),
        "help" | "?" | "帮助" => Ok(Command::Help),
        "quit" | "exit" | "q" | "退出" => Ok(Command::Quit),
        _ => match word.to_lowercase().as_str() {
            "level" | "等级" | "级别" => level(),
            "save" | "保存" => file(Command::Save),
            "load" | "open" | "打开" => file(Command::Load),
            _ => notation::read(position, line).map(Command::Move).map_err(PlayCommandError::Move),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Result<Command, PlayCommandError>> {
        super::read(line, &Position::start(), 20)
    }

    #[test]
    fn moves_are_read_in_every_notation() {
        let mv = "h2e2".parse().unwrap();
        for line in ["h2e2", "H2-E2", " C2.5 ", "炮二平五"] {
            assert_eq!(read(line), Some(Ok(Command::Move(mv))), "{line}");
        }
    }

    #[test]
    fn commands_are_read_in_both_languages() {
        for (line, command) in [
            ("undo", Command::Undo),
            ("悔棋", Command::Undo),
            ("Level 7", Command::Level(7)),
            ("等级 20", Command::Level(20)),
            ("save my game.pgn", Command::Save("my game.pgn".to_string())),
            ("QUIT", Command::Quit),
        ] {
            assert_eq!(read(line), Some(Ok(command)), "{line}");
        }
        assert_eq!(read("  "), None);
    }

    #[test]
    fn errors_have_the_offending_word() {
        for (line, error) in [
            ("h2i4", "h2i4 is illegal"),
            ("castle", "\"castle\" is not a move"),
            ("level", "\"\" is not a level from 1 to 20"),
            ("level 0", "\"0\" is not a level from 1 to 20"),
            ("level 21", "\"21\" is not a level from 1 to 20"),
            ("go on", "\"go on\" is not a move"),
            ("save", "save needs the name of a file"),
        ] {
            assert_eq!(read(line).unwrap().unwrap_err().to_string(), error, "{line}");
        }
    }
}
