//! The positions that a command's arguments name, one after the other.

use super::error::CliError;
use super::position_argument::{PositionArgument, SourcedGame};
use chuhe::display::verdict::Language;
use chuhe::notation::Ranks;
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
    let games = PositionArgument::group(arguments).into_iter().flat_map(|argument| argument.stream(Language::English));
    games.flat_map(move |game| match game {
        Ok((game, line)) => Box::new(of_game(game, line, last, variant).map(Ok)),
        Err(error) => Box::new(iter::once(Err(error))) as Box<dyn Iterator<Item = _> + Send>,
    })
}

/// The positions of a game, and its error.
fn of_game(
    game: SourcedGame,
    line: Option<String>,
    last: bool,
    variant: Variant,
) -> Box<dyn Iterator<Item = Asked> + Send> {
    let SourcedGame { source, game, error, is_record, .. } = game;
    let refuse = |error: String| Err(Refused { source: source.clone(), line: line.clone(), error });
    let set_up = game.map_err(|error| error.to_string()).and_then(|game| {
        let game = game.set_up(variant, Ranks::FromZero).map_err(|error| error.to_string())?;
        game.error.as_ref().map_or(Ok(()), |error| Err(error.to_string())).map(|()| game)
    });
    let end = error.map(|error| refuse(error.to_string()));
    let game = match set_up {
        Ok(game) => game,
        Err(error) => return Box::new([refuse(error)].into_iter().chain(end)),
    };
    if is_record && !last {
        let (moves, start) = (game.moves(), game.start);
        let positions = Replay::new(start, moves).map(move |(position, played)| {
            Ok(SourcedPosition { source: source.clone(), line: None, position, played })
        });
        return Box::new(positions.chain(end));
    }
    let position =
        SourcedPosition { source: source.clone(), line: line.clone(), position: game.position, played: None };
    Box::new([Ok(position)].into_iter().chain(end))
}
