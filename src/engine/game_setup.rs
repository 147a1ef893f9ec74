//! Setup of a game: initial position and moves.

use crate::notation::{self, NotationError};
use crate::position::{FenError, Position, Variant};
use crate::types::Move;
use thiserror::Error;

/// The arguments of `position`. The moves are parsed when they are made, because their notation depends on the
/// position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSetup {
    /// FEN of the initial position; `None`: the start position.
    pub fen: Option<String>,
    /// The moves from there, in any [notation].
    pub moves: Vec<String>,
}

/// An invalid move in a list. The moves before it are made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {number}: {why}")]
pub struct MoveError {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The reason.
    pub why: NotationError,
}

/// Why a game could not be set up completely.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameSetupError {
    /// The FEN is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is invalid.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl GameSetup {
    /// Parses `{fen F | startpos} [moves M…]`; `None` if it begins with neither. All words up to `moves` are passed to
    /// the FEN parser.
    pub fn read(text: &str) -> Option<GameSetup> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (first, rest) = words.split_first()?;
        let end = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
        let fen = match *first {
            "fen" => Some(rest[..end].join(" ")),
            "startpos" => None,
            _ => return None,
        };
        let moves = rest.get(end + 1..).unwrap_or_default();
        Some(GameSetup { fen, moves: moves.iter().map(|&word| word.to_string()).collect() })
    }

    /// As [`GameSetup::read`], but also accepts a leading `position`, and a FEN without `fen`. `None` if it is none of
    /// these.
    pub fn read_loosely(text: &str) -> Option<GameSetup> {
        let text = text.trim();
        let game = text.strip_prefix("position ").map_or(text, str::trim_start);
        let board = game.split_ascii_whitespace().next().unwrap_or_default();
        let is_ranks = board.split('/').all(|rank| !rank.is_empty() && rank.chars().all(char::is_alphanumeric));
        if board.contains('/') && is_ranks { GameSetup::read(&format!("fen {game}")) } else { GameSetup::read(game) }
    }

    /// The position under the rules of `variant`, and the first invalid move, if any; the moves before it are made.
    ///
    /// # Errors
    /// When the FEN is invalid.
    pub fn position(&self, variant: Variant) -> Result<(Position, Result<(), MoveError>), FenError> {
        let mut position = match &self.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        position.set_variant(variant);
        let played = play(&mut position, &self.moves);
        Ok((position, played))
    }

    /// The position after all moves.
    ///
    /// # Errors
    /// When the FEN or a move is invalid.
    pub fn game(&self, variant: Variant) -> Result<Position, GameSetupError> {
        let (position, played) = self.position(variant)?;
        played?;
        Ok(position)
    }
}

/// Makes moves given in any notation, up to the first invalid or illegal one.
///
/// # Errors
/// The first invalid move.
pub fn play(position: &mut Position, moves: &[String]) -> Result<(), MoveError> {
    for (index, text) in moves.iter().enumerate() {
        position.make(legal_move(position, index + 1, text)?, &mut ());
    }
    Ok(())
}

/// Parses a legal move of `position`; `number` is its number in its list, for the error.
///
/// # Errors
/// When it cannot be parsed or is illegal.
pub fn legal_move(position: &Position, number: usize, text: &str) -> Result<Move, MoveError> {
    notation::read(position, text).map_err(|why| MoveError { number, why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(moves: &str) -> GameSetup {
        GameSetup { fen: None, moves: moves.split(' ').map(String::from).collect() }
    }

    #[test]
    fn moves_before_an_invalid_one_are_made() {
        let (position, played) = setup("h2e2 h9g7 h2e2 b0c2").position(Variant::Standard).unwrap();
        assert_eq!(position.plies(), 2);
        assert_eq!(played, Err(MoveError { number: 3, why: NotationError::Illegal("h2e2".into()) }));
        let (position, played) = setup("h2e2 castles").position(Variant::Standard).unwrap();
        assert_eq!(position.plies(), 1);
        assert_eq!(played.unwrap_err().to_string(), "move 2: \"castles\" is not a move");
    }

    #[test]
    fn invalid_fen_is_an_error() {
        let setup = GameSetup { fen: Some("9/9 w".into()), moves: vec![] };
        assert_eq!(setup.position(Variant::Standard).err(), Some(FenError::RankCount(2)));
    }
}
