//! Setting up a game: where it started and the moves since.

use crate::notation::{self, NotationError};
use crate::position::{FenError, Position, Variant};
use crate::types::Move;
use thiserror::Error;

/// A game as a client describes it. The moves are read only when they are made: what they mean depends on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSetup {
    /// FEN of the first position; `None`: the start position.
    pub fen: Option<String>,
    /// The moves since, in any [notation].
    pub moves: Vec<String>,
}

/// Why a move was not made. The moves before it were.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {number}: {why}")]
pub struct MoveError {
    /// Its place among the moves, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub why: NotationError,
}

/// Why a game could not be set up to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameSetupError {
    /// The first position is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move was not made.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl GameSetup {
    /// Reads `{fen F | startpos} [moves M…]`, or `None` if it begins with neither. All words up to `moves` go to the FEN:
    /// it knows which of them it needs.
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

    /// Reads what [`GameSetup::read`] does, and also what people paste: the same after the word `position`, and a FEN with
    /// nothing before it. `None` if it is none of these.
    pub fn read_loosely(text: &str) -> Option<GameSetup> {
        let text = text.trim();
        let game = text.strip_prefix("position ").map_or(text, str::trim_start);
        let board = game.split_ascii_whitespace().next().unwrap_or_default();
        let is_ranks = board.split('/').all(|rank| !rank.is_empty() && rank.chars().all(char::is_alphanumeric));
        if board.contains('/') && is_ranks { GameSetup::read(&format!("fen {game}")) } else { GameSetup::read(game) }
    }

    /// The position described when `variant` is played, and what stopped the moves if not all could be made.
    ///
    /// # Errors
    /// When the first position is refused.
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
    /// When the first position is refused or a move cannot be made.
    pub fn game(&self, variant: Variant) -> Result<Position, GameSetupError> {
        let (position, played) = self.position(variant)?;
        played?;
        Ok(position)
    }
}

/// Makes moves given in any notation, up to the first that is none or not legal.
///
/// # Errors
/// Which move was not made and why.
pub fn play(position: &mut Position, moves: &[String]) -> Result<(), MoveError> {
    for (index, text) in moves.iter().enumerate() {
        position.make(legal_move(position, index + 1, text)?, &mut ());
    }
    Ok(())
}

/// The move that `text` means, if it is legal in `position`; `number` is its place in the list it comes from.
///
/// # Errors
/// When it cannot be read or is not legal.
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
    fn moves_before_a_bad_one_stand() {
        let (position, played) = setup("h2e2 h9g7 h2e2 b0c2").position(Variant::Standard).unwrap();
        assert_eq!(position.plies(), 2);
        assert_eq!(played, Err(MoveError { number: 3, why: NotationError::Illegal("h2e2".into()) }));
        let (position, played) = setup("h2e2 castles").position(Variant::Standard).unwrap();
        assert_eq!(position.plies(), 1);
        assert_eq!(played.unwrap_err().to_string(), "move 2: \"castles\" is not a move");
    }

    #[test]
    fn a_refused_fen_is_an_error() {
        let setup = GameSetup { fen: Some("9/9 w".into()), moves: vec![] };
        assert_eq!(setup.position(Variant::Standard).err(), Some(FenError::RankCount(2)));
    }
}
