//! Positions and games as commands take them from their arguments.

use super::error::CliError;
use super::messages::write_error;
use super::translate::locale_language;
use chuhe::display::verdict::Language;
use chuhe::games::file::{FileGame, GameFileError, Place};
use chuhe::games::record::{GameResult, RecordError, RecordTexts};
use chuhe::games::setup::GameSetup;
use chuhe::games::stream::{self, GameStream, StreamGame};
use chuhe::notation;
use chuhe::position::{Position, Variant};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::iter;
use std::path::{Path, PathBuf};

/// A position or game, or where to read some from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionArgument {
    /// `FEN [moves M…]`, `startpos [moves M…]`, or what `xfen` prints.
    Text(String),
    /// A file: see [`GameStream`].
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

impl SourcedGame {
    /// A position with the moves that led to it, or an error.
    fn of_setup(source: String, game: Result<GameSetup, GameFileError>) -> SourcedGame {
        let (texts, result) = (RecordTexts::default(), GameResult::Unknown);
        SourcedGame { source, game, error: None, texts, result, is_record: false }
    }

    /// A game of the file `name` at `place`, which is named in `language`.
    fn of_file(name: &str, place: Place, game: Result<FileGame, GameFileError>, language: Language) -> SourcedGame {
        let source = match place {
            Place::Line(line) => format!("{name}:{line}"),
            Place::Game(number) => language.pick(format!("{name} game {number}"), format!("{name} 第{number}局")),
        };
        match game {
            Err(error) => SourcedGame::of_setup(source, Err(error)),
            Ok(FileGame { place, setup, error, texts, result }) => {
                let is_record = matches!(place, Place::Game(_));
                SourcedGame { source, game: Ok(setup), error, texts, result, is_record }
            }
        }
    }
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
            [file] => {
                let (path, input) = file.open(locale_language())?;
                let game = stream::game(input).map_err(|error| CliError::File(path, error))?;
                game.map_err(|error| refuse(error.to_string()))?
            }
            groups => return Err(refuse(format!("{} positions, one is wanted", groups.len()))),
        };
        setup.game(variant).map_err(|error| refuse(error.to_string()))
    }

    /// Checks, before long work, that the files can be read.
    ///
    /// # Errors
    /// When one cannot.
    pub fn check_files(arguments: &[PositionArgument]) -> Result<(), CliError> {
        arguments.iter().try_for_each(|argument| match argument {
            PositionArgument::File(path) => {
                // Opening a pipe would wait for its writer.
                let open = |metadata: fs::Metadata| match metadata.is_file() || metadata.is_dir() {
                    true => File::open(path).and_then(|mut file| file.read(&mut [0]).map(drop)),
                    false => Ok(()),
                };
                fs::metadata(path).and_then(open).map_err(|error| CliError::File(path.clone(), error))
            }
            _ => Ok(()),
        })
    }

    /// The games, read as they are taken, each with its line if it is on one. Their sources are named in `language`.
    ///
    /// The errors are those of reading. An empty file is a game with an error; empty standard input has no games.
    pub fn stream(self, language: Language) -> GamesOfArgument {
        let name = match &self {
            PositionArgument::Text(text) => {
                let source = language.pick("command line", "命令行").to_string();
                let game = SourcedGame::of_setup(source, read(text));
                return Box::new(iter::once(Ok((game, Some(text.clone())))));
            }
            PositionArgument::StandardInput => "-".to_string(),
            PositionArgument::File(path) => path.display().to_string(),
        };
        let (path, input) = match self.open(language) {
            Ok(opened) => opened,
            Err(error) => return Box::new(iter::once(Err(error))),
        };
        let mut games = GameStream::new(input).peekable();
        if self != PositionArgument::StandardInput && games.peek().is_none() {
            return Box::new(iter::once(Ok((SourcedGame::of_setup(name, Err(GameFileError::Empty)), None))));
        }
        let games = games.map(move |game| {
            let StreamGame { place, line, game } = game.map_err(|error| CliError::File(path.clone(), error))?;
            Ok((SourcedGame::of_file(&name, place, game, language), line))
        });
        Box::new(games)
    }

    /// What is read, with its name for errors. People at a terminal are told that input is awaited.
    fn open(&self, language: Language) -> Result<(PathBuf, Box<dyn BufRead + Send>), CliError> {
        Ok(match self {
            PositionArgument::Text(text) => ("".into(), Box::new(io::Cursor::new(text.clone()))),
            PositionArgument::StandardInput => {
                announce_terminal(language);
                ("standard input".into(), Box::new(BufReader::new(io::stdin())))
            }
            PositionArgument::File(path) => match File::open(path) {
                Ok(file) => (path.clone(), Box::new(BufReader::new(file))),
                Err(error) => return Err(CliError::File(path.clone(), error)),
            },
        })
    }
}

/// The games of an argument, each with its line if it is on one.
pub type GamesOfArgument = Box<dyn Iterator<Item = Result<(SourcedGame, Option<String>), CliError>> + Send>;

/// Tells people at a terminal that input is awaited.
pub fn announce_terminal(language: Language) {
    if io::stdin().is_terminal() {
        write_error(language.pick(
            "waiting for positions, one a line: FEN or startpos, and moves; end with Ctrl-D (--help for more)\n",
            "请输入局面，每行一个：FEN 或 startpos，可加着法；按 Ctrl-D 结束（--help 有说明）\n",
        ));
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
