//! Setup of a game: initial position and moves.

use crate::notation::{self, NotationError, Ranks};
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
#[error("move {number}: {why}{detail}")]
pub struct MoveError {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The reason.
    pub why: NotationError,
    /// What is wrong with an illegal move in coordinates, as `: no piece on h2`; or empty.
    pub detail: String,
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
    /// Parses `{fen F | xfen F | startpos} [moves M…]`; `None` if it begins with none of these. The FEN ends at `moves`,
    /// or at the first move in coordinates: some clients leave out the word `moves`, or write `move`.
    pub fn read(text: &str) -> Option<GameSetup> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (first, rest) = words.split_first()?;
        let begins_moves = |word: &str| matches!(word, "moves" | "move") || is_coordinates(word);
        let (fen, end) = match *first {
            "fen" | "xfen" => {
                let end = rest.iter().position(|&word| begins_moves(word)).unwrap_or(rest.len());
                (Some(rest[..end].join(" ")), end)
            }
            "startpos" => (None, 0),
            _ => return None,
        };
        let moves = match &rest[end..] {
            ["moves" | "move", moves @ ..] => moves,
            moves => moves,
        };
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
        self.position_with_ranks(variant, Ranks::FromZero).map(|(position, _, played)| (position, played))
    }

    /// The same, and how its moves number the ranks: as in the games before (`usual`), unless they are legal only the
    /// other way.
    ///
    /// # Errors
    /// When the FEN is invalid.
    pub fn position_with_ranks(
        &self,
        variant: Variant,
        usual: Ranks,
    ) -> Result<(Position, Ranks, Result<(), MoveError>), FenError> {
        let mut first = match &self.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        first.set_variant(variant);
        let play = |ranks| {
            let mut position = first.clone();
            let played = play(&mut position, &self.moves, ranks);
            (position, ranks, played)
        };
        let game = play(usual);
        if game.2.is_ok() {
            return Ok(game);
        }
        let other = play(match usual {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        });
        // If neither is legal, the error is that of the usual numbering of xiangqi.
        Ok(if other.2.is_ok() || other.1 == Ranks::FromZero { other } else { game })
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
pub fn play(position: &mut Position, moves: &[String], ranks: Ranks) -> Result<(), MoveError> {
    for (index, text) in moves.iter().enumerate() {
        position.make(legal_move(position, index + 1, text, ranks)?, &mut ());
    }
    Ok(())
}

/// Parses a legal move of `position`; `number` is its number in its list, for the error.
///
/// # Errors
/// When it cannot be parsed or is illegal.
pub fn legal_move(position: &Position, number: usize, text: &str, ranks: Ranks) -> Result<Move, MoveError> {
    notation::read_with_ranks(position, text, ranks).map_err(|why| {
        let is_illegal = matches!(why, NotationError::Illegal(_)) && ranks == Ranks::FromZero;
        let mv = text.parse().ok().filter(|_| is_illegal);
        let detail = mv.map_or(String::new(), |mv| format!(": {}", why_illegal(position, mv)));
        MoveError { number, why, detail }
    })
}

/// What is wrong with an illegal move.
fn why_illegal(position: &Position, mv: Move) -> String {
    let (from, side) = (mv.from(), position.side());
    match position.piece_at(from) {
        None => format!("no piece on {from}, {side} is to move"),
        Some(piece) if piece.color() != side => format!("the {} on {from} is {}'s", piece.letter(), piece.color()),
        Some(_) if position.is_pseudo_legal(mv) => format!("{side}'s king would be in check"),
        Some(piece) => format!("the {} on {from} does not move so", piece.letter()),
    }
}

/// Whether `word` looks like a move in coordinates with ranks from 0 or from 1: `h2e2`, `h10-g8`.
fn is_coordinates(word: &str) -> bool {
    let mut letters = word.chars().filter(|&letter| letter != '-').peekable();
    let mut square = || {
        let has_file = letters.next().is_some_and(|file| matches!(file.to_ascii_lowercase(), 'a'..='i'));
        let mut digits = 0;
        while letters.next_if(char::is_ascii_digit).is_some() {
            digits += 1;
        }
        has_file && (1..=2).contains(&digits)
    };
    square() && square() && letters.next().is_none()
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
        assert_eq!(played.unwrap_err().to_string(), "move 3: h2e2 is illegal: no piece on h2, red is to move");
        let (position, played) = setup("h2e2 castles").position(Variant::Standard).unwrap();
        assert_eq!(position.plies(), 1);
        assert_eq!(played.unwrap_err().to_string(), "move 2: \"castles\" is not a move");
    }

    #[test]
    fn ranks_are_numbered_as_the_moves_are_legal() {
        let ranks = |moves: &str, usual| {
            let (position, ranks, played) = setup(moves).position_with_ranks(Variant::Standard, usual).unwrap();
            played.map(|()| (ranks, position.to_fen().split(' ').next().unwrap().to_string()))
        };
        let (zero, one) = (Ranks::FromZero, Ranks::FromOne);
        for usual in [zero, one] {
            assert_eq!(ranks("h2e2 h9g7", usual).unwrap().0, zero);
            assert_eq!(ranks("h3e3 h10g8", usual).unwrap().0, one);
            assert_eq!(ranks("h3e3 h10g8", usual).unwrap().1, ranks("h2e2 h9g7", usual).unwrap().1);
            // In Chinese the ranks are not numbered.
            assert_eq!(ranks("炮二平五", usual).unwrap().0, usual);
            // Neither is legal as a whole.
            let error = ranks("h2e2 h10g8", usual).unwrap_err();
            assert_eq!((error.number, error.why), (2, NotationError::NotAMove("h10g8".into())));
        }
        // Legal either way: the rook moves one or two ranks up.
        let fen = Some("3k5/9/9/9/9/9/9/9/R8/R3K4 w - - 0 1".to_string());
        let setup = GameSetup { fen, moves: vec!["a1b1".into()] };
        for usual in [zero, one] {
            assert_eq!(setup.position_with_ranks(Variant::Standard, usual).unwrap().1, usual);
        }
    }

    #[test]
    fn illegal_moves_are_explained() {
        let why = |moves| setup(moves).position(Variant::Standard).unwrap().1.unwrap_err().to_string();
        assert_eq!(why("h9g7"), "move 1: h9g7 is illegal: the n on h9 is black's");
        assert_eq!(why("a0b1"), "move 1: a0b1 is illegal: the R on a0 does not move so");
        assert_eq!(why("h2e2 a9a8 e2e6 d9e8"), "move 4: d9e8 is illegal: black's king would be in check");
        assert_eq!(why("C9.5"), "move 1: C9.5 is illegal");
    }

    #[test]
    fn moves_may_follow_the_position_without_a_word() {
        let moves = vec!["h2e2".to_string(), "h9g7".to_string()];
        for text in ["startpos moves h2e2 h9g7", "startpos move h2e2 h9g7", "startpos h2e2 h9g7"] {
            assert_eq!(GameSetup::read(text), Some(GameSetup { fen: None, moves: moves.clone() }), "{text}");
        }
        for text in ["fen 9/9 b - - 0 1 h2e2 h9g7", "xfen 9/9 b - - 0 1 moves h2e2 h9g7"] {
            let fen = Some("9/9 b - - 0 1".to_string());
            assert_eq!(GameSetup::read(text), Some(GameSetup { fen, moves: moves.clone() }), "{text}");
        }
        assert_eq!(GameSetup::read("startpos kiwipete").unwrap().moves, ["kiwipete"]);
        assert_eq!(GameSetup::read("kiwipete"), None);
    }

    #[test]
    fn coordinates_are_recognised() {
        for word in ["h2e2", "H2-E2", "h10g8", "a9a10"] {
            assert!(is_coordinates(word), "{word}");
        }
        for word in ["w", "-", "h2", "h2e", "z2e2", "h100g8", "h2e2x", "C2.5", "rnbakabnr/9/9", "9"] {
            assert!(!is_coordinates(word), "{word}");
        }
    }

    #[test]
    fn invalid_fen_is_an_error() {
        let setup = GameSetup { fen: Some("9/9 w".into()), moves: vec![] };
        assert_eq!(setup.position(Variant::Standard).err(), Some(FenError::RankCount(2)));
    }
}
