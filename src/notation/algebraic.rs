//! Algebraic notation: coordinates (`h2e2`, ICCS) and standard algebraic notation (SAN) as in international chess, which
//! XBoard and programs made for many variants write for xiangqi too: `Cbe2`, `Rxe6+`, `c5`.
//!
//! SAN is the letter of the piece (none for a pawn), the file or rank it comes from where that is needed, `x` for a
//! capture, and the target square. A pawn that moves sideways or captures has its file in front: `cd5`, `cxc4`. cutechess
//! leaves it out of a sideways move: `d5` is one if no pawn moves straight on to there, and only one sideways.

use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Square};
use std::fmt::Display;

/// How a text numbers ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranks {
    /// 0 to 9: ICCS, UCCI, XBoard.
    #[default]
    FromZero,
    /// 1 to 10: programs derived from Fairy-Stockfish.
    FromOne,
}

impl Ranks {
    /// The coordinates of a move, as `h2e2` or `h3e3`.
    pub fn write(self, mv: Move) -> impl Display {
        let offset = match self {
            Ranks::FromZero => 0,
            Ranks::FromOne => 1,
        };
        let square = move |square: Square| format!("{}{}", char::from(b'a' + square.file()), square.rank() + offset);
        square(mv.from()) + &square(mv.to())
    }
}

/// A move as it is written; what is not written is `None`.
#[derive(Clone, Copy)]
struct Pattern {
    kind: Option<PieceType>,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
}

impl Pattern {
    fn matches(&self, position: &Position, mv: Move) -> bool {
        let kind = position.piece_at(mv.from()).map(Piece::piece_type);
        mv.to() == self.to
            && self.kind.is_none_or(|wanted| kind == Some(wanted))
            && self.from_file.is_none_or(|file| mv.from().file() == file)
            && self.from_rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

/// The legal moves that a text in algebraic notation matches: one, none if it is illegal, or several if it is ambiguous.
/// `None` if the text is not in this notation.
///
/// `C4e2` is a cannon on rank 4 if there is such a move, else coordinates; `C4E2` and `c4e2` are coordinates.
pub(super) fn read(position: &Position, text: &str, ranks: Ranks) -> Option<Vec<Move>> {
    let text_without_check = text.trim_end_matches(['+', '#']);
    let readings = [san, sideways_pawn, coordinates];
    let patterns: Vec<Pattern> = readings.iter().filter_map(|read| read(text_without_check, ranks)).collect();
    let moves = position.legal_moves();
    let matching = |pattern: &Pattern| moves.iter().filter(|&mv| pattern.matches(position, mv)).collect::<Vec<_>>();
    let found = patterns.iter().map(matching).find(|moves| !moves.is_empty());
    found.or((!patterns.is_empty()).then(Vec::new))
}

/// Whether both upper and lower case letters occur.
pub(super) fn is_mixed_case(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// Parses SAN without the sign of a check.
fn san(text: &str, ranks: Ranks) -> Option<Pattern> {
    let first = *text.as_bytes().first()?;
    let letter = Piece::from_letter(first).filter(|_| first.is_ascii_uppercase());
    let (kind, rest) = letter.map_or((PieceType::Pawn, text), |piece| (piece.piece_type(), &text[1..]));
    let target = rest.rfind(|letter: char| !letter.is_ascii_digit())?;
    let (from, to) = rest.split_at(target);
    let to = square(to, ranks).filter(|_| to.as_bytes()[0].is_ascii_lowercase())?;
    let is_capture = from.ends_with('x');
    let from = from.strip_suffix(['x', '-']).unwrap_or(from);
    let is_file = |letter: u8| (b'a'..=b'i').contains(&letter);
    let (from_file, from_rank) = match (from.as_bytes(), kind) {
        // Without its file a pawn moves straight on.
        ([], _) if letter.is_none() && !is_capture => (Some(to.file()), None),
        ([], _) => (None, None),
        (&[letter], _) if is_file(letter) => (Some(letter - b'a'), None),
        (&[letter, ..], _) if is_file(letter) => {
            let from = square(from, ranks)?;
            (Some(from.file()), Some(from.rank()))
        }
        _ if letter.is_none() => return None,
        _ => (None, Some(rank(from, ranks)?)),
    };
    Some(Pattern { kind: Some(kind), from_file, from_rank, to })
}

/// Parses the square that a pawn moves sideways to.
fn sideways_pawn(text: &str, ranks: Ranks) -> Option<Pattern> {
    let to = square(text, ranks).filter(|_| text.as_bytes()[0].is_ascii_lowercase())?;
    Some(Pattern { kind: Some(PieceType::Pawn), from_file: None, from_rank: Some(to.rank()), to })
}

/// Whether a text is a move in SAN, of whatever position, ranks from 0 or from 1.
pub(super) fn is_san(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#']);
    [Ranks::FromZero, Ranks::FromOne].iter().any(|&ranks| san(text, ranks).is_some())
}

/// Whether a text is two squares, of whatever position.
pub(super) fn is_coordinates(text: &str) -> bool {
    [Ranks::FromZero, Ranks::FromOne].iter().any(|&ranks| coordinates(text, ranks).is_some())
}

/// Parses two squares, with or without a hyphen or an `x` between them.
fn coordinates(text: &str, ranks: Ranks) -> Option<Pattern> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let end = 1 + text.as_bytes().iter().skip(1).take_while(|byte| is_digit(byte)).count();
    let (from, to) = text.split_at_checked(end)?;
    let (from, to) = (square(from, ranks)?, square(to.strip_prefix(['-', 'x']).unwrap_or(to), ranks)?);
    Some(Pattern { kind: None, from_file: Some(from.file()), from_rank: Some(from.rank()), to })
}

/// Reads a square such as `h2`, in either case.
fn square(text: &str, ranks: Ranks) -> Option<Square> {
    let (file, number) = text.split_at_checked(1)?;
    let file = file.as_bytes()[0].to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < Square::FILES)?;
    Some(Square::new(file, rank(number, ranks)?))
}

/// Reads a rank: 0 to 9.
fn rank(text: &str, ranks: Ranks) -> Option<u8> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    let number: u8 = text.parse().ok().filter(|_| is_plain)?;
    let rank = match ranks {
        Ranks::FromZero => number,
        Ranks::FromOne => number.checked_sub(1)?,
    };
    (rank < Square::RANKS).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, text: &str, ranks: Ranks) -> String {
        let moves = read(&Position::from_fen(fen).unwrap(), text, ranks);
        moves.map_or("none".to_string(), |moves| match moves[..] {
            [mv] => mv.to_string(),
            [] => "illegal".to_string(),
            _ => "ambiguous".to_string(),
        })
    }

    #[test]
    fn san_is_read() {
        // Pawns on c5, c6 and d6 of Red; rooks on a0 and a4; cannons on e3 and h3.
        let fen = "3k5/9/9/2PP5/2P6/R8/4C2C1/9/9/R3K4 w - - 0 1";
        for (text, mv) in [
            ("Rd4", "a4d4"),
            ("R4a3", "a4a3"),
            ("R0a3", "a0a3"),
            ("Ra3", "ambiguous"),
            ("Raa3", "ambiguous"),
            ("Ra4a3", "a4a3"),
            ("Cef3", "e3f3"),
            ("Chg3", "h3g3"),
            ("Kf0", "e0f0"),
            ("Kf0+", "e0f0"),
            ("d7", "d6d7"),
            ("c7", "c6c7"),
            ("de6", "d6e6"),
            ("d6-e6", "d6e6"),
            ("Pe6", "d6e6"),
            ("e6", "d6e6"),
            ("e5", "illegal"),
            ("a4d4", "a4d4"),
            ("A4-D4", "a4d4"),
            ("A4d4", "a4d4"),
            ("c6C7", "c6c7"),
            ("A4d5", "illegal"),
            ("Na3", "illegal"),
            ("", "none"),
            ("R", "none"),
            ("R4", "none"),
            ("Rj4", "none"),
            ("Rd04", "none"),
            ("Rd10", "none"),
            ("RD4", "none"),
            ("rd4", "none"),
            ("Rd4d", "none"),
            ("车d4", "none"),
            ("4", "none"),
            ("6e6", "none"),
            ("R99", "none"),
            ("R.+9", "none"),
        ] {
            assert_eq!(found(fen, text, Ranks::FromZero), mv, "{text}");
        }
    }

    #[test]
    fn piece_letters_that_are_files_are_pieces_in_mixed_case() {
        // Cannons on e2 and e4, which both reach e3, and a rook on c4.
        let fen = "3k5/9/9/9/9/2R1C4/9/4C4/9/4K4 w - - 0 1";
        for (text, mv) in [("C4e3", "e4e3"), ("C2e3", "e2e3"), ("C4c3", "c4c3"), ("c4c3", "c4c3"), ("C4C3", "c4c3")] {
            assert_eq!(found(fen, text, Ranks::FromZero), mv, "{text}");
            assert_eq!(crate::notation::read(&Position::from_fen(fen).unwrap(), text).unwrap().to_string(), mv);
        }
    }

    #[test]
    fn ranks_are_numbered_from_zero_or_one() {
        let start = crate::position::START_FEN;
        for (zero, one) in [("h2e2", "h3e3"), ("Hc2", "Hc3"), ("a4", "a5"), ("Che2", "Che3"), ("Cxb9", "Cxb10")] {
            let expected = found(start, zero, Ranks::FromZero);
            assert!(expected.len() == 4, "{zero}: {expected}");
            assert_eq!(found(start, one, Ranks::FromOne), expected, "{one}");
        }
        let black = "3k5/9/9/9/9/9/9/9/4K4/r8 b - - 0 1";
        assert_eq!(found(black, "Ra10", Ranks::FromOne), "a0a9");
        assert_eq!(found(black, "a1-a10", Ranks::FromOne), "a0a9");
        assert_eq!(found(black, "a1a0", Ranks::FromOne), "none");
        assert_eq!(found(black, "a0a10", Ranks::FromZero), "none");
    }
}
