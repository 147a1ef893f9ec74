//! What a player types: moves and commands.

use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::engine::level;
use crate::notation::{self, NotationError};
use crate::position::Position;
use crate::types::Move;
use thiserror::Error;

/// A command of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
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

/// The commands in the order of the function keys and the help: the names, of which the first English and the first Chinese
/// one are shown, and what the command does.
const COMMANDS: [(Command, &str, &str); 15] = [
    (Command::Help, "help ? 帮助", "list the commands"),
    (Command::New, "new newgame 新局", "begin a new game"),
    (Command::Hint, "hint 提示", "show a good move"),
    (Command::Undo, "undo back 悔棋", "take back your last move"),
    (Command::Flip, "flip 翻转", "turn the board"),
    (Command::Eval, "eval analyse 评估", "show Red's score in pawns and the engine's line, or hide them"),
    (Command::Draw, "draw 求和 和棋", "offer or accept a draw"),
    (Command::Resign, "resign 认输", "resign the game"),
    (Command::Go, "go play 走", "let the engine play this side; while it thinks: move now"),
    (Command::Level(0), "level 等级 级别", "set the engine's level, 1 to 20 (full strength)"),
    (Command::Save(String::new()), "save 保存", "save the game: .pgn, .xqf, .cbr, .ubb or .fen"),
    (Command::Load(String::new()), "load open 打开", "load a game"),
    (Command::Board, "board d 棋盘", "show the board"),
    (Command::Pieces, "pieces 棋子", "list the pieces"),
    (Command::Quit, "quit exit q 退出", "end; an unfinished game goes on next time"),
];
/// The number of function keys.
const KEYS: u8 = 8;

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PlayCommandError {
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
/// When it is neither, or the command's argument is missing or wrong.
pub(super) fn read(line: &str, position: &Position) -> Option<Result<Command, PlayCommandError>> {
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
    let name = word.to_lowercase();
    let command = COMMANDS.into_iter().find(|(_, names, _)| names.split(' ').any(|other| other == name));
    Some(match command.map(|(command, ..)| command) {
        Some(Command::Level(_)) => {
            let level = argument.parse().ok().filter(|level| (1..=level::FULL).contains(level));
            level.map(Command::Level).ok_or_else(|| PlayCommandError::Level(argument.to_string(), level::FULL))
        }
        Some(Command::Save(_)) => file(Command::Save),
        Some(Command::Load(_)) => file(Command::Load),
        // A word too many makes a command no command.
        Some(command) if argument.is_empty() => Ok(command),
        _ => notation::read(position, line).map(Command::Move).map_err(PlayCommandError::Move),
    })
}

/// The name of a command that is shown.
fn shown_name(names: &'static str, language: Language) -> &'static str {
    names.split(' ').find(|name| language == Language::English || !name.is_ascii()).unwrap_or(names)
}

/// The function keys: number, name and command of each.
pub(super) fn keys(language: Language) -> impl Iterator<Item = (u8, &'static str, Command)> {
    (1..=KEYS).zip(COMMANDS).map(move |(key, (command, names, _))| (key, shown_name(names, language), command))
}

/// The commands: what to type and what it does, one a line.
pub(super) fn help(language: Language, messages: &Messages) -> String {
    let line = |typed: &str, effect: &str| format!("{typed}{}{}\n", language.colon(), messages.text(&effect));
    let mut text = line("h2e2, C2.5, 炮二平五", "make a move: coordinates, WXF or Chinese");
    for (command, names, effect) in COMMANDS {
        let argument = match command {
            Command::Level(_) => " N",
            Command::Save(_) | Command::Load(_) => language.pick(" FILE", " 文件"),
            _ => "",
        };
        let mut typed = [Language::English, language].map(|of| format!("{}{argument}", shown_name(names, of))).to_vec();
        typed.dedup();
        text.push_str(&line(&typed.join(", "), effect));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_both_languages() {
        let mv = "h2e2".parse().unwrap();
        for (line, command) in [
            ("H2-E2", Command::Move(mv)),
            (" C2.5 ", Command::Move(mv)),
            ("undo", Command::Undo),
            ("悔棋", Command::Undo),
            ("Level 7", Command::Level(7)),
            ("等级 20", Command::Level(20)),
            ("save my game.pgn", Command::Save("my game.pgn".to_string())),
            ("QUIT", Command::Quit),
        ] {
            assert_eq!(read(line, &Position::start()), Some(Ok(command)), "{line}");
        }
        assert_eq!(read("  ", &Position::start()), None);
    }

    #[test]
    fn errors_have_the_offending_word() {
        for (line, error) in [
            ("level", "\"\" is not a level from 1 to 20"),
            ("level 0", "\"0\" is not a level from 1 to 20"),
            ("go on", "\"go on\" is not a move"),
        ] {
            assert_eq!(read(line, &Position::start()).unwrap().unwrap_err().to_string(), error, "{line}");
        }
    }

    #[test]
    fn names_are_unambiguous_and_help_is_in_both_languages() {
        let mut names: Vec<&str> = COMMANDS.iter().flat_map(|(_, names, _)| names.split(' ')).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let [english, chinese] =
            [Language::English, Language::Chinese].map(|language| help(language, &Messages::new(language)));
        assert!(
            english.contains("\nlevel N: set") && chinese.contains("\nsave 文件, 保存 文件："),
            "{english}{chinese}"
        );
        let effects = chinese.lines().filter_map(|line| line.split_once('：'));
        assert_eq!(effects.filter(|(_, effect)| !effect.is_ascii()).count(), COMMANDS.len() + 1, "{chinese}");
    }
}
