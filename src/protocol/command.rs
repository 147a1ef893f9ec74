//! Typed commands, common to both protocols, and parse errors. [`super::parse`] reads them.

use super::dialect::Dialect;
use crate::engine::go::Go;
use crate::engine::options::{OptionError, Setting};
use crate::games::setup::GameSetup;
use crate::notation::Notation;
use thiserror::Error;

/// A command of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ucci`, `uci`: identify yourself and list the options; answer in this dialect from now on.
    Greet(Dialect),
    /// The client has not greeted, but speaks this dialect.
    Assume(Dialect),
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `setoption` and commands that amount to it.
    Set(Setting),
    /// `position`: set up a game.
    Position(GameSetup),
    /// `banmoves`: exclude these moves at the root.
    Ban(Vec<String>),
    /// `go`: search.
    Go(Box<Go>),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the opponent played the expected move.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `probe`: show the hash table entry of this game's position.
    Probe(GameSetup),
    /// `quit`.
    Quit,
    /// A console command.
    Console(ConsoleCommand),
}

/// Commands that are part of neither protocol, for use at a console and in scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleCommand {
    /// Show the position.
    Show,
    /// Show its FEN.
    Fen,
    /// Set up the start position for a new game.
    NewGame,
    /// Show the playing level.
    Level,
    /// Search, and make the move that was found.
    Play(Box<Go>),
    /// Set up the position in a .FEN file.
    Load(String),
    /// Write the position to a .FEN file.
    Save(String),
    /// Show the `position` line that recreates the game.
    Game,
    /// List the legal moves in this notation.
    Moves(Notation),
    /// Show the static evaluation and its terms.
    Evaluate,
    /// Perft to this depth, per root move.
    Perft(usize),
    /// Make moves.
    Do(Vec<String>),
    /// Take back this many moves.
    Undo(usize),
    /// Exchange the sides.
    Flip,
    /// The side to move resigns.
    Resign,
    /// The players agree to a draw.
    Draw,
    /// The standard bench, to this depth.
    Bench(u32),
    /// Write the current network to a file.
    ExportNetwork(String),
    /// Show the build target and its instruction set extensions.
    Compiler,
    /// List the commands.
    Help,
    /// List the options.
    HelpOptions,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command {0:?}, try help")]
    Unknown(String),
    /// An argument is missing.
    #[error("{after} needs {wanted}")]
    Missing {
        /// The command.
        after: &'static str,
        /// The argument.
        wanted: &'static str,
    },
    /// An argument is no number, out of range, or unknown.
    #[error("{after}: invalid value {text:?}, expected {wanted}")]
    Value {
        /// The command.
        after: &'static str,
        /// The argument.
        text: String,
        /// The valid values.
        wanted: String,
    },
    /// An option that cannot be set.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// `ucci` straight after `uci`: VinXiangQi sends both at once, and cannot read the options of UCCI.
    #[error("ucci straight after uci is ignored: the protocol is UCI")]
    SecondGreeting,
    /// Longer than this many bytes.
    #[error("a line of more than {0} bytes is ignored")]
    TooLong(usize),
}
