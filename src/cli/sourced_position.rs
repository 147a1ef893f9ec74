//! The positions that a command's arguments name, one after the other.

use super::error::CliError;
use super::position_argument::{PositionArgument, SourcedGame};
use chuhe::display::verdict::Language;
use chuhe::games::ReadError;
use chuhe::position::{Position, Replay, Variant};
use chuhe::types::Move;
use std::ffi::OsString;
use std::iter;

/// A position and where it comes from.
pub struct SourcedPosition {
    /// The command line, or a file and the line or the number of the game.
    pub source: String,
    /// The line that was read, unless it is a position of a game record.
    pub line: Option<String>,
    /// The position, with the moves that led to it.
    pub position: Position,
    /// The move played there, in a game record of which every position is wanted.
    pub played: Option<Move>,
}

/// What cannot be read, or not to its end.
pub struct Refused {
    /// As in [`SourcedPosition`].
    pub source: String,
    /// As in [`SourcedPosition`].
    pub line: Option<String>,
    /// What is wrong.
    pub error: String,
}

/// What was asked: a position, or why there is none.
pub type Asked = Result<SourcedPosition, Refused>;

/// The positions of the arguments, read as they are taken: the final ones, but all those of game records unless `last`.
/// The errors are those of reading files.
pub fn positions(
    arguments: &[OsString],
    last: bool,
    variant: Variant,
) -> impl Iterator<Item = Result<Asked, CliError>> + Send + 'static {
    let games = PositionArgument::group(arguments)
        .into_iter()
        .flat_map(move |argument| argument.stream(Language::English, variant));
    games.flat_map(move |game| match game {
        Ok(game) => Box::new(of_game(game, last).map(Ok)),
        Err(error) => Box::new(iter::once(Err(error))) as Box<dyn Iterator<Item = _> + Send>,
    })
}

/// The positions of a game, and its error.
fn of_game(game: SourcedGame, last: bool) -> Box<dyn Iterator<Item = Asked> + Send> {
    let SourcedGame { source, line, game, is_record } = game;
    let refuse =
        |error: ReadError| Err(Refused { source: source.clone(), line: line.clone(), error: error.to_string() });
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return Box::new(iter::once(refuse(error))),
    };
    let end = game.error.take().map(refuse);
    if is_record && !last {
        let positions = Replay::new(game.start.clone(), game.moves()).map(move |(position, played)| {
            Ok(SourcedPosition { source: source.clone(), line: None, position, played })
        });
        return Box::new(positions.chain(end));
    }
    // After the moves before an error a line does not have the position that was meant.
    let position = (is_record || end.is_none()).then(|| {
        Ok(SourcedPosition { source: source.clone(), line: line.clone(), position: game.position(), played: None })
    });
    Box::new(position.into_iter().chain(end))
}
