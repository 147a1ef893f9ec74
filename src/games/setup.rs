//! Setup of a game: initial position and moves.

use crate::notation::{self, NotationError, Ranks};
use crate::position::{FenError, Position, PositionBuilder, SetupError, Variant};
use crate::types::{Color, Move, Piece, Square};
use std::fmt;
use thiserror::Error;

/// Quotes that clients and people put around a FEN.
const QUOTES: [char; 4] = ['"', '\'', '“', '”'];
/// Minimum number of ranks by which a word is recognised as the board of a FEN, which has ten.
const MIN_BOARD_RANKS: usize = 6;

/// The arguments of `position`. The moves are parsed when they are made, because their notation depends on the
/// position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSetup {
    /// FEN of the initial position; `None`: the start position.
    pub fen: Option<String>,
    /// The moves from there, in any [notation].
    pub moves: Vec<String>,
    /// How the moves number the ranks, if that is known.
    pub ranks: Option<Ranks>,
    /// The operations of an EPD line: names such as `bm` and `id`, and values.
    pub tags: Vec<(String, String)>,
}

/// Operations of EPD by which a line is recognised as one.
const EPD_OPERATIONS: [&str; 12] = ["bm", "am", "id", "ce", "acd", "acn", "acs", "dm", "pv", "sm", "eco", "c0"];

/// A game that has been set up.
#[derive(Clone)]
pub struct SetUpGame {
    /// The initial position.
    pub start: Position,
    /// The position after the moves before the first invalid one.
    pub position: Position,
    /// How the moves number the ranks.
    pub ranks: Ranks,
    /// The first invalid move.
    pub error: Option<MoveError>,
}

/// An invalid move in a list. The moves before it are made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct MoveError {
    /// Its number in the list, from 1.
    pub number: usize,
    /// What is wrong.
    pub why: NotationError,
    /// Why a move in coordinates is illegal.
    pub reason: Option<IllegalReason>,
}

impl fmt::Display for MoveError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "move {}: {}", self.number, self.why)?;
        self.reason.map_or(Ok(()), |reason| write!(out, ": {reason}"))
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalReason {
    /// There is no piece on this square; this side is to move.
    #[error("no piece on {0}, {1} is to move")]
    NoPiece(Square, Color),
    /// The piece on this square is the opponent's.
    #[error("the {} on {_1} is {}'s", .0.letter(), .0.color())]
    OpponentsPiece(Piece, Square),
    /// The king of this side would be in check.
    #[error("{0}'s king would be in check")]
    InCheck(Color),
    /// The kings would stand on one file with nothing between them.
    #[error("the kings would face each other")]
    KingsFace,
    /// The piece on this square cannot go to the other.
    #[error("the {} on {_1} does not move so", .0.letter())]
    NotItsMove(Piece, Square),
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

impl SetUpGame {
    /// The moves made.
    pub fn moves(&self) -> Vec<Move> {
        self.position.last_moves(self.position.plies())
    }
}

impl GameSetup {
    /// Reads `{fen FEN | xfen FEN | startpos} [moves M…]`; `None` if it is no position. The FEN ends at `moves`, or at a
    /// move directly behind its fields: some clients leave out the word `moves`, or write `move`. Quotes are passed over,
    /// and the words may be in capitals. What follows a word that begins with `#` or `|` is a remark.
    ///
    /// Also a position with a leading `position` or `FEN:`, a FEN without `fen`, one from a link (`…?fen=9_…_w_-_-`,
    /// `…/#/9…%20w`, `[]` behind the board), EPD (`FEN bm h2e2; id "one";`), and `FEN|moves` and `name|FEN|moves`.
    pub fn read(text: &str) -> Option<GameSetup> {
        let text = text.trim_matches(is_around);
        if let Some(setup) = of_columns(text) {
            return Some(setup);
        }
        let after_word = strip_word(text, "position ")
            .or_else(|| strip_word(text, "fen")?.trim_start().strip_prefix([':', '：', '=']));
        let link = if after_word.is_none() { of_link(text) } else { None };
        let text = link.as_deref().or(after_word).unwrap_or(text).trim_start_matches(is_around);
        if begins_with_board(text) {
            let (fen, tags) = epd(text);
            return Some(GameSetup { tags, ..of_fen(&words(fen)) });
        }
        let words = words(text);
        let (first, rest) = words.split_first()?;
        match first.to_ascii_lowercase().as_str() {
            "fen" | "xfen" => Some(of_fen(rest)),
            "startpos" => Some(GameSetup { moves: moves(rest), ..GameSetup::default() }),
            _ => None,
        }
    }

    /// The game under the rules of `variant`, up to its first invalid move. If neither it nor the client says how the moves
    /// number the ranks (`said`), they do as in the games before (`usual`), unless they are legal only the other way.
    ///
    /// # Errors
    /// When the FEN is invalid.
    pub fn set_up(&self, variant: Variant, said: Option<Ranks>, usual: Ranks) -> Result<SetUpGame, FenError> {
        let mut first = match &self.fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        first.set_variant(variant);
        let play = |ranks| {
            let mut position = first.clone();
            let error = play(&mut position, &self.moves, ranks).err();
            SetUpGame { start: first.clone(), position, ranks, error }
        };
        let known = self.ranks.or(said);
        let game = play(known.unwrap_or(usual));
        if game.error.is_none() || known.is_some() {
            return Ok(game);
        }
        let other = play(match usual {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        });
        // If neither is legal, the error is that of the usual numbering of xiangqi.
        Ok(if other.error.is_none() || other.ranks == Ranks::FromZero { other } else { game })
    }

    /// The position after all moves.
    ///
    /// # Errors
    /// When the FEN or a move is invalid.
    pub fn game(&self, variant: Variant) -> Result<Position, GameSetupError> {
        let game = self.set_up(variant, None, Ranks::FromZero)?;
        match game.error {
            Some(error) => Err(error.into()),
            None => Ok(game.position),
        }
    }
}

/// Makes moves given in any notation, up to the first invalid or illegal one.
///
/// # Errors
/// The first invalid move.
pub fn play(position: &mut Position, moves: &[String], ranks: Ranks) -> Result<(), MoveError> {
    for (index, text) in moves.iter().enumerate() {
        position.make(legal_move(position, index + 1, text, ranks)?);
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
        MoveError { number, why, reason: mv.map(|mv| why_illegal(position, mv)) }
    })
}

/// Why a move is illegal.
fn why_illegal(position: &Position, mv: Move) -> IllegalReason {
    let (from, side) = (mv.from(), position.side());
    match position.piece_at(from) {
        None => IllegalReason::NoPiece(from, side),
        Some(piece) if piece.color() != side => IllegalReason::OpponentsPiece(piece, from),
        Some(piece) if position.is_pseudo_legal(mv) => {
            let mut after = PositionBuilder::from(position);
            after.set(from, None).set(mv.to(), Some(piece)).side_to_move(!side);
            match after.build() {
                Err(SetupError::KingsFace) => IllegalReason::KingsFace,
                _ => IllegalReason::InCheck(side),
            }
        }
        Some(piece) => IllegalReason::NotItsMove(piece, from),
    }
}

/// Whether a letter may stand around a position.
fn is_around(letter: char) -> bool {
    letter.is_whitespace() || QUOTES.contains(&letter)
}

/// What follows a word at the beginning, in any case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// The words up to a remark, without quotes.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| letter.is_ascii_whitespace() || QUOTES.contains(&letter));
    words.filter(|word| !word.is_empty()).take_while(|word| !word.starts_with(['#', '|'])).collect()
}

/// Whether the word begins a list of moves.
pub(crate) fn begins_moves(word: &str) -> bool {
    word.eq_ignore_ascii_case("moves") || word.eq_ignore_ascii_case("move")
}

/// Whether a word may stand in a FEN behind the board.
pub(crate) fn is_fen_field(word: &str) -> bool {
    let is_side = ["w", "b", "r", "red", "black"].iter().any(|side| word.eq_ignore_ascii_case(side));
    is_side || word == "-" || word == "–" || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a FEN, and moves behind it.
fn of_fen(words: &[&str]) -> GameSetup {
    // Some clients append a comment to the FEN, after which only the word `moves` counts.
    let comment = words.iter().position(|word| word.starts_with(';')).unwrap_or(words.len());
    let mut fields = words[..comment].iter().enumerate();
    let first_move = fields
        .position(|(place, word)| begins_moves(word) || place > 0 && !is_fen_field(word))
        .filter(|&place| begins_moves(words[place]) || notation::is_move(words[place]));
    let end = first_move.or_else(|| words.iter().position(|word| begins_moves(word))).unwrap_or(words.len());
    // Some programs write what is in hand, of which there is nothing in xiangqi.
    let fen = words[..end].join(" ").replacen("[]", "", 1);
    GameSetup { fen: Some(fen), moves: moves(&words[end..]), ..GameSetup::default() }
}

/// Moves, behind the word or not.
fn moves(words: &[&str]) -> Vec<String> {
    let has_word = words.first().is_some_and(|word| begins_moves(word));
    words[usize::from(has_word)..].iter().map(|word| word.to_string()).collect()
}

/// The position in a link, with blanks for what stands for them there; `None` for other texts.
fn of_link(text: &str) -> Option<String> {
    if text.contains(char::is_whitespace) || !text.contains('/') {
        return None;
    }
    let text = text.replace("%20", " ").replace("%2F", "/").replace(['_', '+'], " ");
    let mut parts = text.rsplit(['?', '=', '#']).map(|part| part.trim_start_matches('/'));
    let fen = parts.find(|part| begins_with_board(part))?;
    Some(fen.split('&').next().unwrap_or_default().to_string())
}

/// The game of a line of a list: `FEN|moves` or `name|FEN|moves`, without blanks around the bars. Behind a blank, a bar
/// begins a remark.
fn of_columns(text: &str) -> Option<GameSetup> {
    let columns: Vec<&str> = text.split('|').collect();
    let at = columns.iter().take(2).position(|column| begins_with_board(column))?;
    let moves = columns.get(at + 1).filter(|_| columns[..=at].iter().all(|column| !column.ends_with(' ')))?;
    let moves: Vec<String> = moves.split([' ', ',']).filter(|word| !word.is_empty()).map(String::from).collect();
    let tags = columns[..at].iter().map(|name| ("id".to_string(), name.to_string())).collect();
    let is_game = moves.first().is_some_and(|word| notation::is_move(word));
    is_game.then(|| GameSetup { moves, tags, ..of_fen(&words(columns[at])) })
}

/// The FEN of an EPD line, and its operations; of other texts nothing is changed.
fn epd(text: &str) -> (&str, Vec<(String, String)>) {
    let words = text.split_ascii_whitespace();
    let starts = words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    let Some((start, _)) = starts.skip(2).find(|(_, word)| EPD_OPERATIONS.contains(word)) else {
        return (text, Vec::new());
    };
    let mut is_quoted = false;
    let parts = text[start..].split(|letter: char| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    let operation = |part: &str| {
        let (name, value) = part.trim().split_once(char::is_whitespace)?;
        Some((name.to_string(), value.trim().trim_matches('"').to_string()))
    };
    (text[..start].trim_end().trim_end_matches(';'), parts.filter_map(operation).collect())
}

/// Whether a text begins like a FEN, right or wrong: with a board of many ranks, or with one of few and a side.
fn begins_with_board(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let board = words.next().unwrap_or_default();
    let board = board.split_once('[').map_or(board, |(board, _)| board);
    let is_rank = |rank: &str| {
        let mut letters = rank.bytes();
        !rank.is_empty() && letters.all(|letter| letter.is_ascii_digit() || Piece::from_letter(letter).is_some())
    };
    let is_side = |word: &str| matches!(word, "w" | "b" | "r");
    let ranks = board.split('/').count();
    let is_long = ranks >= MIN_BOARD_RANKS || ranks > 1 && words.next().is_some_and(is_side);
    is_long && board.split('/').all(is_rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(moves: &str) -> GameSetup {
        GameSetup { moves: moves.split(' ').map(String::from).collect(), ..GameSetup::default() }
    }

    #[test]
    fn text_behind_a_fen_is_no_move() {
        let fen = "3k5/9/9/9/p8/9/9/9/4R4/4K4 w - - 0 1";
        let moves = |behind: &str| GameSetup::read(&format!("{fen}{behind}")).unwrap().moves;
        for text in [
            " # e1d1",
            " | e1d1",
            " # best is e1d1 moves",
            " best is e1d1",
            " (e1d1)",
            " ; e1d1",
            "; bm e1d1",
            " bm e1d1;",
        ] {
            assert!(moves(text).is_empty(), "{text}");
            assert!(Position::from_fen(&GameSetup::read(&format!("{fen}{text}")).unwrap().fen.unwrap()).is_ok());
        }
        for text in [
            " e1d1",
            " moves e1d1",
            " move e1d1",
            " moves e1d1 # good",
            " ; text moves e1d1",
            " R5.6",
            " moves e1d1 | x",
        ] {
            assert_eq!(moves(text).len(), 1, "{text}");
        }
        assert_eq!(GameSetup::read("3k5/9/9/9/p8/9/9/9/4R4/4K4 e1d1").unwrap().moves, ["e1d1"]);
        assert_eq!(GameSetup::read("startpos moves h2e2 # h9g7").unwrap().moves, ["h2e2"]);
    }

    #[test]
    fn moves_before_an_invalid_one_are_made() {
        let set_up = |moves| setup(moves).set_up(Variant::Standard, None, Ranks::FromZero).unwrap();
        let game = set_up("h2e2 h9g7 h2e2 b0c2");
        assert_eq!(game.position.plies(), 2);
        assert_eq!(game.error.unwrap().to_string(), "move 3: h2e2 is illegal: no piece on h2, red is to move");
        let game = set_up("h2e2 castles");
        assert_eq!(game.position.plies(), 1);
        assert_eq!(game.error.unwrap().to_string(), "move 2: \"castles\" is not a move");
    }

    #[test]
    fn ranks_are_numbered_as_the_moves_are_legal() {
        let ranks = |moves: &str, usual| {
            let game = setup(moves).set_up(Variant::Standard, None, usual).unwrap();
            game.error.map_or(Ok((game.ranks, game.position.to_fen().split(' ').next().unwrap().to_string())), Err)
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
        let setup = GameSetup { fen, ..setup("a1b1") };
        for usual in [zero, one] {
            let game = setup.set_up(Variant::Standard, None, usual).unwrap();
            let known =
                GameSetup { ranks: Some(zero), ..setup.clone() }.set_up(Variant::Standard, None, usual).unwrap();
            assert_eq!((game.ranks, known.ranks), (usual, zero));
            assert_eq!(game.position.to_fen() == known.position.to_fen(), usual == zero);
        }
    }

    #[test]
    fn illegal_moves_are_explained() {
        let why = |moves| setup(moves).game(Variant::Standard).err().unwrap().to_string();
        assert_eq!(why("h9g7"), "move 1: h9g7 is illegal: the n on h9 is black's");
        assert_eq!(why("a0b1"), "move 1: a0b1 is illegal: the R on a0 does not move so");
        assert_eq!(why("h2e2 a9a8 e2e6 d9e8"), "move 4: d9e8 is illegal: black's king would be in check");
        assert_eq!(why("C9.5"), "move 1: C9.5 is illegal");
        // The king goes to the file of the other one; a piece leaves the file of both, also for a capture.
        for (fen, mv) in [
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0d0"),
            ("3k5/9/9/9/3C5/9/9/9/9/3K5 w", "d5e5"),
            ("3k5/9/9/9/3n5/5P3/9/9/9/3K5 b", "d5f4"),
        ] {
            let setup = GameSetup { fen: Some(fen.to_string()), ..setup(mv) };
            let error = setup.game(Variant::Standard).err().unwrap().to_string();
            assert_eq!(error, format!("move 1: {mv} is illegal: the kings would face each other"), "{fen}");
        }
    }

    #[test]
    fn moves_may_follow_the_position_without_a_word() {
        let game = |fen: Option<&str>| GameSetup { fen: fen.map(String::from), ..setup("h2e2 h9g7") };
        for text in
            ["startpos moves h2e2 h9g7", "startpos move h2e2 h9g7", "startpos h2e2 h9g7", "STARTPOS Moves h2e2 h9g7"]
        {
            assert_eq!(GameSetup::read(text), Some(game(None)), "{text}");
        }
        for text in
            ["fen 9/9 b - - 0 1 h2e2 h9g7", "xfen 9/9 b - - 0 1 moves h2e2 h9g7", "fen \"9/9 b - - 0 1\" h2e2 h9g7"]
        {
            assert_eq!(GameSetup::read(text), Some(game(Some("9/9 b - - 0 1"))), "{text}");
        }
        let moves = |text: &str| GameSetup::read(text).unwrap().moves;
        assert_eq!(moves("fen 9/9 w - - 0 1 C2.5 马8进7"), ["C2.5", "马8进7"]);
        assert_eq!(moves("startpos kiwipete"), ["kiwipete"]);
        // The UCCI league's manager pastes the comment of an opening behind its FEN.
        assert_eq!(moves("fen 9/9 b - - 0 4 ;A34.C2.5 h2e2 - - 0 1 moves h9g7"), ["h9g7"]);
        assert_eq!(moves("fen 9/9 red - 0 1 r"), [""; 0]);
        assert_eq!(GameSetup::read("kiwipete"), None);
    }

    #[test]
    fn boards_are_recognised_without_fen() {
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        for text in [board, &format!("POSITION {board} w"), &format!("\"{board} w\""), &format!("position '{board}'")] {
            assert!(GameSetup::read(text).unwrap().fen.unwrap().starts_with(board), "{text}");
        }
        for text in ["9/9/9/9/9/9/9", "9/9 w"] {
            assert!(GameSetup::read(text).is_some(), "{text}: to be refused as a FEN");
        }
        for text in
            ["n/a", "red/black alike", "2026/11/24", "a/b/c/k/n/r/z", "///////// w", "file/with/many/folders/in/it"]
        {
            assert_eq!(GameSetup::read(text), None, "{text}");
        }
    }

    #[test]
    fn invalid_fen_is_an_error() {
        let setup = GameSetup { fen: Some("9/9 w".into()), ..GameSetup::default() };
        assert_eq!(setup.game(Variant::Standard).err(), Some(FenError::RankCount(2).into()));
    }
}
