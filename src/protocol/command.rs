//! The one typed command, and reading it from a line.

use super::{console, ucci};
use crate::engine::go::Go;
use crate::engine::options::{OptionError, Setting};
use crate::engine::setup::Setup;
use thiserror::Error;

/// Something the engine is told, in whatever dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you, and what can be set?
    Greet,
    /// Answer when all that came before is done.
    IsReady,
    /// Set an option.
    Set(Setting),
    /// Set up a game.
    Position(Setup),
    /// These moves may not be played at the root.
    Ban(Vec<String>),
    /// Search.
    Go(Go),
    /// Answer now.
    Stop,
    /// The opponent made the expected move, perhaps offering a draw.
    PonderHit {
        /// Whether a draw is offered.
        draw: bool,
    },
    /// What does the hash table know of this game's position?
    Probe(Setup),
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
    /// Its legal moves.
    Moves,
    /// Its static evaluation, explained.
    Evaluate,
    /// Leaves of its move tree of this depth, per move.
    Perft(usize),
    /// Make moves.
    Do(Vec<String>),
    /// Take moves back.
    Undo(usize),
    /// The standard bench, to this depth.
    Bench(u32),
    /// What can be said.
    Help,
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
    /// A number is none, or out of range.
    #[error("{after} cannot be {text:?}: it is {wanted}")]
    Number {
        /// The word it follows.
        after: &'static str,
        /// What stands there.
        text: String,
        /// What could.
        wanted: &'static str,
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

/// Reads a line; `None` when it is blank.
///
/// # Errors
/// Why it is no command.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    let words: Vec<&str> = words.collect();
    ucci::parse(first, &words)
        .or_else(|| console::parse(first, &words))
        .unwrap_or_else(|| Err(CommandError::Unknown(excerpt(first))))
        .map(Some)
}

/// The beginning of a text, for an error message.
pub fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Reads a whole number as clients write them: what is negative counts as 0, what is too great as the greatest, and a
/// fraction is cut off.
pub fn number(text: &str) -> Option<u64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match digits.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => digits,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if is_negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("17"), Some(17));
        assert_eq!(number("+17"), Some(17));
        assert_eq!(number("-17"), Some(0));
        assert_eq!(number("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(number("-99999999999999999999999"), Some(0));
        assert_eq!(number("1500.75"), Some(1500));
        for bad in ["", "-", "+", ".", ".5", "1e5", "x", "1x", "--1", "1.5.2", "１"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn blank_lines_are_nothing_and_unknown_words_errors() {
        assert_eq!(parse(" \t\r"), Ok(None));
        assert_eq!(parse("  xyzzy plugh"), Err(CommandError::Unknown("xyzzy".into())));
        assert_eq!(parse("  isready \r"), Ok(Some(Command::IsReady)));
        let long = "ä".repeat(1000);
        assert_eq!(parse(&long), Err(CommandError::Unknown(format!("{}…", "ä".repeat(40)))));
    }
}
