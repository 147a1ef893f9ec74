//! The one typed command, and reading it from a line.

use super::console;
use super::dialect::Dialect;
use super::parse::{excerpt, go, owned, setup};
use crate::engine::game_setup::GameSetup;
use crate::engine::go::Go;
use crate::engine::options::{self, OptionError, Setting};
use crate::notation::Notation;
use std::path::PathBuf;
use thiserror::Error;

/// Something the engine is told, in whatever dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you, and what can be set? From now on the client is spoken to in this dialect.
    Greet(Dialect),
    /// Answer when all that came before is done.
    IsReady,
    /// Set an option.
    Set(Setting),
    /// Set up a game.
    Position(GameSetup),
    /// These moves may not be played at the root.
    Ban(Vec<String>),
    /// Search.
    Go(Box<Go>),
    /// Answer now.
    Stop,
    /// The opponent made the expected move, perhaps offering a draw.
    PonderHit {
        /// Whether a draw is offered.
        draw: bool,
    },
    /// What does the hash table know of this game's position?
    Probe(GameSetup),
    /// End.
    Quit,
    /// A word for people.
    Console(Console),
}

/// What people ask at a console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Console {
    /// The position in full.
    Show,
    /// Its FEN.
    Fen,
    /// The `position` line that recreates the game.
    Game,
    /// Its legal moves, written so.
    Moves(Notation),
    /// Its static evaluation, explained.
    Evaluate,
    /// Leaves of its move tree of this depth, per move.
    Perft(usize),
    /// Make moves.
    Do(Vec<String>),
    /// Take moves back.
    Undo(usize),
    /// Exchange the sides.
    Flip,
    /// The side to move gives the game up.
    Resign,
    /// The players agree to a draw.
    Draw,
    /// The standard bench, to this depth.
    Bench(u32),
    /// Write the network that evaluates to a file.
    ExportNetwork(PathBuf),
    /// What the program was built for.
    Compiler,
    /// What can be said.
    Help,
}

impl Console {
    /// Whether it may take so long that a word should be able to end it.
    pub fn is_long(&self) -> bool {
        matches!(self, Console::Perft(_) | Console::Bench(_))
    }
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Its first word means nothing.
    #[error("unknown command {0:?}, try help")]
    Unknown(String),
    /// Something has to follow a word.
    #[error("{after} needs {wanted}")]
    Missing {
        /// The word.
        after: &'static str,
        /// What has to follow.
        wanted: &'static str,
    },
    /// What follows a word cannot: it is no number, say, or out of range.
    #[error("{after} cannot be {text:?}: it is {wanted}")]
    Value {
        /// The word it follows.
        after: &'static str,
        /// What stands there.
        text: String,
        /// What could.
        wanted: String,
    },
    /// An option that cannot be set.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It is longer than any game.
    #[error("a line of more than {0} bytes is ignored")]
    TooLong(usize),
}

impl CommandError {
    /// Whether only those who debug want to hear of it: clients set options that the engine has not.
    pub fn is_trifle(&self) -> bool {
        matches!(self, CommandError::Option(OptionError::Unknown(_)))
    }
}

/// Reads a line from a client that greeted in `dialect`; `None` when it is blank, or a word that needs no answer.
///
/// # Errors
/// Why it is no command.
pub fn parse(line: &str, dialect: Dialect) -> Result<Option<Command>, CommandError> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    let words: Vec<&str> = words.collect();
    let command = match first {
        "ucci" => Command::Greet(Dialect::Ucci),
        "uci" => Command::Greet(Dialect::Uci),
        "isready" => Command::IsReady,
        "setoption" => option(&words)?,
        "debug" => Command::Set(options::read("debug", words.first().unwrap_or(&"on"))?),
        "ucinewgame" => Command::Set(Setting::NewGame),
        // UCI's copy protection.
        "register" => return Ok(None),
        "position" => Command::Position(setup("position", &words)?),
        "banmoves" => Command::Ban(owned(&words)),
        "go" => go(&words, dialect)?,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit { draw: words.contains(&"draw") },
        "probe" => Command::Probe(setup("probe", &words)?),
        "quit" => Command::Quit,
        _ => match console::parse(first, &words) {
            Some(console) => Command::Console(console?),
            None => return Err(CommandError::Unknown(excerpt(first))),
        },
    };
    Ok(Some(command))
}

/// UCCI's `NAME [VALUE]`, or UCI's `name NAME [value VALUE]` in which both may have several words.
fn option(words: &[&str]) -> Result<Command, CommandError> {
    let missing = CommandError::Missing { after: "setoption", wanted: "a name" };
    let (name, value) = match words {
        ["name", rest @ ..] => {
            let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
            (rest[..end].join(" "), rest.get(end + 1..).unwrap_or_default())
        }
        [name, value @ ..] => (name.to_string(), value),
        [] => return Err(missing),
    };
    if name.is_empty() {
        return Err(missing);
    }
    Ok(Command::Set(options::read(&name, &value.join(" "))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Command>, CommandError> {
        parse(line, Dialect::Ucci)
    }

    #[test]
    fn blank_lines_are_nothing_and_unknown_words_errors() {
        assert_eq!(read(" \t\r"), Ok(None));
        assert_eq!(read("  xyzzy plugh"), Err(CommandError::Unknown("xyzzy".into())));
        assert_eq!(read("  isready \r"), Ok(Some(Command::IsReady)));
        let long = "ä".repeat(1000);
        assert_eq!(read(&long), Err(CommandError::Unknown(format!("{}…", "ä".repeat(40)))));
    }

    #[test]
    fn positions_are_fen_or_start_and_moves() {
        let setup = |fen: Option<&str>, moves: &[&str]| {
            Ok(Some(Command::Position(GameSetup { fen: fen.map(String::from), moves: owned(moves) })))
        };
        assert_eq!(read("position startpos"), setup(None, &[]));
        assert_eq!(read("position startpos moves h2e2  h9g7\r"), setup(None, &["h2e2", "h9g7"]));
        assert_eq!(read("position fen X w - - 0 4 ;A34.. - 1 moves a0a1"), {
            setup(Some("X w - - 0 4 ;A34.. - 1"), &["a0a1"])
        });
        assert_eq!(read("position fen"), setup(Some(""), &[]));
        for bad in ["position", "position moves h2e2", "position kiwipete"] {
            assert!(matches!(read(bad), Err(CommandError::Missing { after: "position", .. })), "{bad}");
        }
    }

    #[test]
    fn options_are_set_in_either_dialect() {
        for line in
            ["setoption moveoverhead 7", "setoption name Move Overhead value 7", "setoption name moveoverhead value 7"]
        {
            for dialect in [Dialect::Ucci, Dialect::Uci] {
                assert_eq!(parse(line, dialect), Ok(Some(Command::Set(Setting::MoveOverhead(7)))), "{line}");
            }
        }
        for line in ["setoption clearhash", "setoption name Clear Hash", "setoption name Clear Hash value"] {
            assert_eq!(read(line), Ok(Some(Command::Set(Setting::ClearHash))), "{line}");
        }
        assert_eq!(read("debug on"), Ok(Some(Command::Set(Setting::Debug(true)))));
        assert_eq!(read("ucinewgame"), Ok(Some(Command::Set(Setting::NewGame))));
        for line in ["setoption", "setoption name", "setoption name value 7"] {
            assert!(matches!(read(line), Err(CommandError::Missing { after: "setoption", .. })), "{line}");
        }
        assert!(read("setoption name No Such value 7").unwrap_err().is_trifle());
    }
}
