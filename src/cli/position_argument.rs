//! Positions and games as commands take them from their arguments.

use super::error::CliError;
use super::translate::locale_language;
use crate::display::messages::Messages;
use crate::display::verdict::Language;
use crate::engine::game_file::{self, FileGame, GameFileError, Place};
use crate::engine::game_setup::GameSetup;
use crate::notation;
use crate::notation::game_record::{GameResult, RecordError, RecordTexts};
use crate::position::{Position, Variant};
use crate::types::Move;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// A position or game, or where to read some from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionArgument {
    /// `FEN [moves M…]`, `startpos [moves M…]`, or what `xfen` prints.
    Text(String),
    /// A file: see [`game_file`].
    File(PathBuf),
    /// Standard input, in the form of a file.
    StandardInput,
}

/// A game and where it comes from.
pub struct SourcedGame {
    /// The command line, or a file and the line or the number of the game.
    pub source: String,
    /// The game, or why it cannot be read; of a game record, the moves before its first error.
    pub game: Result<GameSetup, GameFileError>,
    /// The first error of a game record.
    pub error: Option<RecordError>,
    /// The tags and comments of a game record.
    pub texts: RecordTexts,
    /// The result of a game record.
    pub result: GameResult,
    /// Whether it is a game record (PGN, XQF, a list of moves), not a position with the moves that led to it.
    pub is_record: bool,
}

/// A position and where it comes from.
pub struct SourcedPosition {
    /// The command line, or a file and the line or the number of the game.
    pub source: String,
    /// The position, with the moves that led to it.
    pub position: Position,
    /// The move played there, in a game record of which every position is wanted.
    pub played: Option<Move>,
}

impl SourcedPosition {
    /// The positions of the arguments: the final ones, but all those of game records unless `last`; and whether some
    /// could not be read, which is said on standard error.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read_all(
        arguments: &[OsString],
        last: bool,
        variant: Variant,
    ) -> Result<(Vec<SourcedPosition>, bool), CliError> {
        let mut positions = Vec::new();
        let mut refused = false;
        let messages = Messages::new(locale_language());
        for argument in PositionArgument::group(arguments) {
            for SourcedGame { source, game, error, is_record, .. } in argument.games(Language::English)? {
                let mut refuse = |error: &dyn fmt::Display| {
                    eprintln!("{}", messages.text(&format!("{source}: {error}")));
                    refused = true;
                };
                match game.map(|game| (game.game(variant), game)) {
                    Ok((Ok(_), game)) if is_record && !last => positions.extend(every_position(&source, game, variant)),
                    Ok((Ok(position), _)) => {
                        positions.push(SourcedPosition { source: source.clone(), position, played: None });
                    }
                    Ok((Err(error), _)) => refuse(&error),
                    Err(error) => refuse(&error),
                }
                if let Some(error) = error {
                    refuse(&error);
                }
            }
        }
        Ok((positions, refused))
    }
}

/// The positions of a game, the first one included.
fn every_position(source: &str, game: GameSetup, variant: Variant) -> Vec<SourcedPosition> {
    let moves = game.moves.clone();
    let Ok(mut position) = (GameSetup { moves: Vec::new(), ..game }).game(variant) else { return Vec::new() };
    let mut positions = Vec::new();
    let mut push = |position: &Position, played| {
        positions.push(SourcedPosition { source: source.to_string(), position: position.clone(), played });
    };
    for text in moves {
        let Ok(mv) = notation::read(&position, &text) else { break };
        push(&position, Some(mv));
        position.make(mv, &mut ());
    }
    push(&position, None);
    positions
}

impl PositionArgument {
    /// The positions and files among the arguments. A position may be one argument or several, as a shell splits what is
    /// not quoted. What is both a position and an existing file is a file.
    pub fn group(arguments: &[OsString]) -> Vec<PositionArgument> {
        let mut groups: Vec<PositionArgument> = Vec::new();
        for argument in arguments {
            let exists = Path::new(argument).exists();
            let text = argument.to_str();
            match (text, groups.last_mut()) {
                (Some(word), Some(PositionArgument::Text(text))) if continues(text, word, exists) => {
                    text.push(' ');
                    text.push_str(word);
                }
                (Some("-"), _) => groups.push(PositionArgument::StandardInput),
                (Some(text), _) if begins(text) && !exists => groups.push(PositionArgument::Text(text.to_string())),
                _ => groups.push(PositionArgument::File(argument.into())),
            }
        }
        groups
    }

    /// The only position of the arguments, after all moves.
    ///
    /// # Errors
    /// When there are several or none, and when it cannot be read.
    pub fn only_position(arguments: &[OsString], variant: Variant) -> Result<Position, CliError> {
        let shown = || arguments.join(OsStr::new(" ")).display().to_string();
        let refuse = |reason: String| CliError::Position(format!("{}: {reason}", shown()));
        let setup = match &PositionArgument::group(arguments)[..] {
            [PositionArgument::Text(text)] => read(text).map_err(|error| refuse(error.to_string()))?,
            [PositionArgument::File(path)] if !path.exists() => {
                return Err(refuse("neither a position nor a file".to_string()));
            }
            [file] => game_file::game(&file.bytes()?).map_err(|error| refuse(error.to_string()))?,
            groups => return Err(refuse(format!("{} positions, one is wanted", groups.len()))),
        };
        setup.game(variant).map_err(|error| refuse(error.to_string()))
    }

    /// The games. Their sources are named in `language`.
    ///
    /// # Errors
    /// When the file cannot be read. Errors in it are in the games.
    pub fn games(&self, language: Language) -> Result<Vec<SourcedGame>, CliError> {
        let name = match self {
            PositionArgument::Text(text) => {
                let source = language.pick("command line", "命令行").to_string();
                let (game, texts, result) = (read(text), RecordTexts::default(), GameResult::Unknown);
                return Ok(vec![SourcedGame { source, game, error: None, texts, result, is_record: false }]);
            }
            PositionArgument::File(path) => path.display().to_string(),
            PositionArgument::StandardInput => "-".to_string(),
        };
        let mut games = Vec::new();
        for game in game_file::games(&self.bytes()?) {
            let (source, is_record) = match &game {
                Ok(game) => match game.place {
                    Place::Line(line) => (format!("{name}:{line}"), false),
                    Place::Game(number) => {
                        (language.pick(format!("{name} game {number}"), format!("{name} 第{number}局")), true)
                    }
                },
                Err(_) => (name.clone(), false),
            };
            games.push(match game {
                Ok(FileGame { setup, error, texts, result, .. }) => {
                    SourcedGame { source, game: Ok(setup), error, texts, result, is_record }
                }
                Err(error) => SourcedGame {
                    source,
                    game: Err(error),
                    error: None,
                    texts: RecordTexts::default(),
                    result: GameResult::Unknown,
                    is_record,
                },
            });
        }
        Ok(games)
    }

    fn bytes(&self) -> Result<Vec<u8>, CliError> {
        let mut bytes = Vec::new();
        match self {
            PositionArgument::Text(text) => bytes.extend_from_slice(text.as_bytes()),
            PositionArgument::File(path) => {
                bytes = fs::read(path).map_err(|error| CliError::File(path.clone(), error))?;
            }
            PositionArgument::StandardInput => {
                announce_terminal(locale_language());
                let read = io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|error| CliError::File("standard input".into(), error))?;
            }
        }
        Ok(bytes)
    }
}

/// Tells people at a terminal that input is awaited.
pub fn announce_terminal(language: Language) {
    if io::stdin().is_terminal() {
        eprintln!(
            "{}",
            language.pick(
                "waiting for positions, one a line: FEN or startpos, and moves; end with Ctrl-D (--help for more)",
                "请输入局面，每行一个：FEN 或 startpos，可加着法；按 Ctrl-D 结束（--help 有说明）",
            )
        );
    }
}

/// Reads a position and moves.
///
/// # Errors
/// [`GameFileError::NoPosition`].
pub fn read(text: &str) -> Result<GameSetup, GameFileError> {
    GameSetup::read_loosely(text).ok_or(GameFileError::NoPosition)
}

/// Whether a position begins with the text.
fn begins(text: &str) -> bool {
    GameSetup::read_loosely(text).is_some()
        || ["position", "fen", "xfen"].iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether an argument is the next word of the position that `text` begins.
fn continues(text: &str, word: &str, exists: bool) -> bool {
    if word.is_empty() || word.contains(char::is_whitespace) {
        return false;
    }
    // `position` and `fen` are no positions yet.
    let last = text.split_whitespace().last();
    if GameSetup::read_loosely(text).is_none() || matches!(last, Some("fen" | "xfen")) {
        return true;
    }
    let is_field = word == "-" && !text.contains("startpos") || word.bytes().all(|byte| byte.is_ascii_digit());
    let is_side = matches!(word.to_lowercase().as_str(), "w" | "b" | "r" | "red" | "black");
    let has_moves = text.split(' ').any(|word| matches!(word, "moves" | "move"));
    let is_move = matches!(word, "moves" | "move") || notation::is_move(word);
    is_field || is_side || is_move || has_moves && !exists && !begins(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PositionArgument::{File, StandardInput, Text};

    fn group(arguments: &[&str]) -> Vec<PositionArgument> {
        PositionArgument::group(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    fn text(text: &str) -> PositionArgument {
        Text(text.to_string())
    }

    #[test]
    fn unquoted_words_are_one_position() {
        let board = "3k5/9/9/9/p8/9/9/9/4R4/4K4";
        for line in [
            "startpos",
            "startpos moves h2e2 h9g7",
            "startpos h2e2",
            "startpos moves 炮二平五 castles",
            "position startpos moves h2e2",
            "position fen 3k5/9/9/9/p8/9/9/9/4R4/4K4 w - - 3 7 moves e1e2",
            "3k5/9/9/9/p8/9/9/9/4R4/4K4 black - - 3 7",
            "fen 3k5/9/9/9/p8/9/9/9/4R4/4K4",
        ] {
            assert_eq!(group(&line.split(' ').collect::<Vec<_>>()), [text(line)]);
            assert_eq!(group(&[line]), [text(line)]);
        }
        let quoted = format!("{board} w - - 0 1");
        assert_eq!(group(&[&quoted, &quoted]), [text(&quoted), text(&quoted)]);
        assert_eq!(group(&["startpos", "startpos"]), [text("startpos"), text("startpos")]);
        assert_eq!(group(&["startpos", "moves", "h2e2", board]), [text("startpos moves h2e2"), text(board)]);
    }

    #[test]
    fn other_arguments_are_files() {
        assert_eq!(group(&["no such file"]), [File("no such file".into())]);
        assert_eq!(group(&["startpos", "Cargo.toml"]), [text("startpos"), File("Cargo.toml".into())]);
        assert_eq!(group(&["startpos", "moves", "h2e2", "Cargo.toml"]).len(), 2);
        assert_eq!(group(&["startpos", "no_such.pgn"]), [text("startpos"), File("no_such.pgn".into())]);
        assert_eq!(group(&["startpos", "-"]), [text("startpos"), StandardInput]);
        assert_eq!(group(&["src/lib.rs"]), [File("src/lib.rs".into())]);
    }
}
