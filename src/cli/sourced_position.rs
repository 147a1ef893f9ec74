//! The positions that a command's arguments name, one after the other.

use super::error::CliError;
use super::messages::print_message;
use super::position_argument::{PositionArgument, SourcedGame};
use crate::display::verdict::Language;
use crate::engine::game_setup::GameSetup;
use crate::notation;
use crate::position::{Position, Variant};
use crate::types::Move;
use std::ffi::OsString;

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
        Ok((game, line)) => of_game(game, line, last, variant).into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    })
}

/// All positions of the arguments; and whether some could not be read, which is said on standard error.
///
/// # Errors
/// When a file cannot be read.
pub fn read_all(
    arguments: &[OsString],
    last: bool,
    variant: Variant,
) -> Result<(Vec<SourcedPosition>, bool), CliError> {
    let (mut found, mut is_refused) = (Vec::new(), false);
    for asked in positions(arguments, last, variant) {
        match asked? {
            Ok(position) => found.push(position),
            Err(refused) => {
                print_message(&format!("{}: {}", refused.source, refused.error));
                is_refused = true;
            }
        }
    }
    Ok((found, is_refused))
}

/// The positions of a game, and its error.
fn of_game(game: SourcedGame, line: Option<String>, last: bool, variant: Variant) -> Vec<Asked> {
    let SourcedGame { source, game, error, is_record, .. } = game;
    let refuse = |error: String| Refused { source: source.clone(), line: line.clone(), error };
    let set_up = game.map_err(|error| error.to_string()).and_then(|game| {
        let position = game.game(variant).map_err(|error| error.to_string())?;
        Ok((game, position))
    });
    let mut found: Vec<Asked> = match set_up {
        Ok((game, _)) if is_record && !last => every_position(&source, game, variant).into_iter().map(Ok).collect(),
        Ok((_, position)) => {
            vec![Ok(SourcedPosition { source: source.clone(), line: line.clone(), position, played: None })]
        }
        Err(error) => vec![Err(refuse(error))],
    };
    found.extend(error.map(|error| Err(refuse(error.to_string()))));
    found
}

/// The positions of a game, the first one included.
fn every_position(source: &str, game: GameSetup, variant: Variant) -> Vec<SourcedPosition> {
    let moves = game.moves.clone();
    let Ok(mut position) = (GameSetup { moves: Vec::new(), ..game }).game(variant) else { return Vec::new() };
    let mut positions = Vec::new();
    let mut push = |position: &Position, played| {
        let (source, position) = (source.to_string(), position.clone());
        positions.push(SourcedPosition { source, line: None, position, played });
    };
    for text in moves {
        let Ok(mv) = notation::read(&position, &text) else { break };
        push(&position, Some(mv));
        position.make(mv, &mut ());
    }
    push(&position, None);
    positions
}
