//! Move notations (L3): ICCS coordinates (`h2e2`), WXF (World Xiangqi Federation, `C2.5`) and Chinese (炮二平五), also read
//! standard algebraic notation (SAN, `Che2`).
//!
//! WXF and Chinese notation describe a move from its player's side: the type of the piece and its file, counted from
//! the player's right; the direction; the number of ranks or the target file. Such a move can be read only in a
//! position.

mod algebraic;
mod chinese;
mod move_description;
mod wxf;

pub use algebraic::Ranks;
pub use chinese::Script;
pub(crate) use chinese::{is_like_move as is_like_chinese_move, prefix as chinese_prefix, sides as sides_of_chinese};

use crate::position::Position;
use crate::types::{Move, Piece};
use move_description::{MatchQuality, MoveDescription};
use thiserror::Error;
pub use wxf::{Letters, Pawns};

/// A move notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Coordinates: `h2e2`.
    Iccs,
    /// WXF: `C2.5`.
    Wxf,
    /// Chinese: 炮二平五; Black's numbers are full-width digits: 炮２平５.
    Chinese(Script),
}

/// Why a text is not a legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// It is not a move in any notation.
    #[error("{0:?} is not a move")]
    NotAMove(String),
    /// It is not legal in the position.
    #[error("{0} is illegal")]
    Illegal(String),
    /// Several legal moves match.
    #[error("{0} is ambiguous: {1} or {2}")]
    Ambiguous(String, Move, Move),
}

/// Maximum number of characters of a text in an error.
const MAX_TOKEN: usize = 16;

impl NotationError {
    /// The error for a text that is not a move, with its beginning.
    pub fn not_a_move(text: &str) -> NotationError {
        NotationError::NotAMove(token(text))
    }
}

impl Notation {
    /// All notations with their names.
    pub const NAMES: [(&str, Notation); 4] = [
        ("iccs", Notation::Iccs),
        ("wxf", Notation::Wxf),
        ("chinese", Notation::Chinese(Script::Simplified)),
        ("traditional", Notation::Chinese(Script::Traditional)),
    ];

    /// The notation with this name, in any case.
    pub fn named(name: &str) -> Option<Notation> {
        Notation::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, notation)| notation)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let known = Notation::NAMES.iter().find(|&&(_, notation)| notation == self);
        known.map(|&(name, _)| name).expect("invariant: every notation has a name")
    }

    /// Writes a sequence of legal moves from `position` on.
    pub fn write_line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        let mut position = position.clone();
        let mut write = |&mv| {
            let text = self.write(&position, mv);
            position.make(mv);
            text
        };
        moves.iter().map(&mut write).collect()
    }

    /// Writes a legal move of `position`.
    ///
    /// A move that the notation cannot express (a promotion, six pieces of a type on a file) is written in coordinates.
    pub fn write(self, position: &Position, mv: Move) -> String {
        let text = match (self, MoveDescription::of(position, mv)) {
            (Notation::Wxf, Some(description)) => wxf::write(&description),
            (Notation::Chinese(script), Some(description)) => chinese::write(&description, script),
            _ => None,
        };
        text.filter(|text| read(position, text) == Ok(mv)).unwrap_or_else(|| mv.to_string())
    }
}

/// How the moves of a game are to be read where a text alone leaves it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How coordinates and SAN number the ranks.
    pub ranks: Ranks,
    /// Whose letters WXF notation has.
    pub letters: Letters,
    /// What two digits mean in WXF notation; `None`: an error where the two standards mean different pawns.
    pub pawns: Option<Pawns>,
}

/// Whether `text` is a move in coordinates (ranks from 0 or from 1), WXF or Chinese, of whatever position.
pub fn is_move(text: &str) -> bool {
    algebraic::is_coordinates(text)
        || !wxf::read(text, Letters::English, None).is_empty()
        || chinese::read(text).is_some()
}

/// Whether `text` is like a move in coordinates, WXF or Chinese, right or wrong: as [`is_move`], or a mistyped one (`h0q2`,
/// `C2+0`, 车一乎二).
pub(crate) fn is_like_move(text: &str) -> bool {
    let is_coordinates = |bytes: &[u8]| matches!(bytes, [a, b, c, d] if a.is_ascii_alphabetic() && b.is_ascii_digit() && c.is_ascii_alphabetic() && d.is_ascii_digit());
    let is_wxf = |bytes: &[u8]| matches!(bytes, [letter, b'0'..=b'9' | b'+' | b'-', b'.' | b'=' | b'+' | b'-', b'0'..=b'9'] if Piece::from_letter(*letter).is_some());
    let bytes = text.as_bytes();
    is_move(text) || is_coordinates(bytes) || is_wxf(bytes) || is_like_chinese_move(text)
}

/// Whether `text` may be a move in any notation that is read: as [`is_move`], or in SAN or with Vietnamese letters.
pub fn may_be_move(text: &str) -> bool {
    is_move(text) || algebraic::is_san(text) || !wxf::read(text, Letters::Vietnamese, None).is_empty()
}

/// Reads a legal move of `position` in any notation, ranks numbered 0 to 9.
///
/// Besides the output of [`Notation::write`] it accepts the usual variants: ICCS with a hyphen, `=` for `.`, `N` and
/// `B` for `H` and `E`, the selector before or after the piece (`+R.5`, 车前平五), other characters for the same piece,
/// digits of either side, old names of pawns (前七进一); and SAN as XBoard writes it (`Cbe2`, `Rxe6+`, `c5`).
///
/// # Errors
/// [`NotationError`] with the beginning of the text.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    read_as(position, text, Reading::default())
}

/// As [`read`], with the ranks of coordinates and SAN numbered as told.
///
/// # Errors
/// [`NotationError`] with the beginning of the text.
pub fn read_with_ranks(position: &Position, text: &str, ranks: Ranks) -> Result<Move, NotationError> {
    read_as(position, text, Reading { ranks, ..Reading::default() })
}

/// As [`read`], in the way told.
///
/// # Errors
/// [`NotationError`] with the beginning of the text.
pub fn read_as(position: &Position, text: &str, reading: Reading) -> Result<Move, NotationError> {
    match candidates(position, text, reading)?[..] {
        [mv] => Ok(mv),
        [one, other, ..] => Err(NotationError::Ambiguous(token(text), one, other)),
        [] => Err(NotationError::Illegal(token(text))),
    }
}

/// The legal moves of `position` that a text means, read as [`read_as`] does: several if it is ambiguous.
///
/// # Errors
/// [`NotationError`] with the beginning of the text, if there is none.
pub(crate) fn candidates(position: &Position, text: &str, reading: Reading) -> Result<Vec<Move>, NotationError> {
    let Reading { ranks, letters, pawns } = reading;
    let some = |moves: Vec<Move>| if moves.is_empty() { Err(NotationError::Illegal(token(text))) } else { Ok(moves) };
    if let Ok(mv) = text.parse::<Move>()
        && ranks == Ranks::FromZero
        && !algebraic::is_mixed_case(text)
    {
        return some(Some(mv).filter(|&mv| position.is_legal(mv)).into_iter().collect());
    }
    let mut patterns = wxf::read(text, letters, pawns);
    patterns.extend(chinese::read(text));
    if patterns.is_empty() {
        return some(algebraic::read(position, text, ranks).ok_or_else(|| NotationError::not_a_move(text))?);
    }
    let moves = position.legal_moves();
    // If two pieces are on one file and only one can make the move, old books write the file instead of a selector.
    let matching = |quality| -> Vec<Move> {
        let matches = |&mv: &Move| {
            MoveDescription::of(position, mv).is_some_and(|description| {
                patterns.iter().any(|pattern| pattern.match_quality(&description) >= quality)
            })
        };
        moves.iter().filter(matches).collect()
    };
    let exact = matching(MatchQuality::Exact);
    some(if exact.is_empty() { matching(MatchQuality::Loose) } else { exact })
}

/// The beginning of a text, for an error.
fn token(text: &str) -> String {
    text.chars().take(MAX_TOKEN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn written(position: &Position, mv: &str) -> [String; 4] {
        Notation::NAMES.map(|(_, notation)| notation.write(position, mv.parse().unwrap()))
    }

    #[test]
    fn moves_are_recognised() {
        for text in ["h2e2", "H2-E2", "h10g8", "a9a10", "a9-a10", "C2.5", "炮二平五", "馬８進７", "+R.5"] {
            assert!(is_move(text), "{text}");
        }
        for text in [
            "w", "b", "-", "0", "120", "red", "h2", "h2e", "z2e2", "h100g8", "h2e2x", "-a1b2", "a0a10", "9/9", "c5",
            ";A34.",
        ] {
            assert!(!is_move(text), "{text}");
        }
    }

    #[test]
    fn moves_of_the_start_position() {
        let start = Position::start();
        for (mv, wxf, simplified, traditional) in [
            ("h2e2", "C2.5", "炮二平五", "炮二平五"),
            ("b0c2", "H8+7", "马八进七", "馬八進七"),
            ("g0e2", "E3+5", "相三进五", "相三進五"),
            ("d0e1", "A6+5", "仕六进五", "仕六進五"),
            ("a0a2", "R9+2", "车九进二", "車九進二"),
            ("e0e1", "K5+1", "帅五进一", "帥五進一"),
            ("g3g4", "P3+1", "兵三进一", "兵三進一"),
        ] {
            assert_eq!(written(&start, mv), [mv, wxf, simplified, traditional]);
        }
        let black = start.with_side_to_move(Color::Black);
        for (mv, wxf, simplified, traditional) in [
            ("h9g7", "H8+7", "马８进７", "馬８進７"),
            ("b7e7", "C2.5", "炮２平５", "砲２平５"),
            ("e9e8", "K5+1", "将５进１", "將５進１"),
            ("c9e7", "E3+5", "象３进５", "象３進５"),
            ("d9e8", "A4+5", "士４进５", "士４進５"),
            ("i9i7", "R9+2", "车９进２", "車９進２"),
            ("g6g5", "P7+1", "卒７进１", "卒７進１"),
        ] {
            assert_eq!(written(&black, mv), [mv, wxf, simplified, traditional]);
        }
    }

    #[test]
    fn names_are_read_back() {
        for (name, notation) in Notation::NAMES {
            assert_eq!((notation.name(), Notation::named(&name.to_uppercase())), (name, Some(notation)));
        }
    }

    #[test]
    fn pieces_on_one_file_have_selectors() {
        let two = position("3k5/9/9/4R4/4N4/4R4/4C4/4C4/9/4K4 w - - 0 1");
        for (mv, wxf, chinese) in [
            ("e6a6", "R+.9", "前车平九"),
            ("e4a4", "R-.9", "后车平九"),
            ("e3i3", "C+.1", "前炮平一"),
            ("e2a2", "C-.9", "后炮平九"),
            ("e6e9", "R++3", "前车进三"),
            ("e5c4", "H5-7", "马五退七"),
        ] {
            assert_eq!(written(&two, mv)[1..3], [wxf, chinese], "{mv}");
        }
        // Advisors and bishops on one file are distinguished by the direction.
        let advisors = position("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w - - 0 1");
        for (mv, wxf, chinese) in
            [("d0e1", "A6+5", "仕六进五"), ("d2e1", "A6-5", "仕六退五"), ("c4e2", "E7-5", "相七退五")]
        {
            assert_eq!(written(&advisors, mv)[1..3], [wxf, chinese], "{mv}");
        }
    }

    /// The federation's examples ("Official xiangqi piece names and notation", 1982): three to five pawns on Red's
    /// third file.
    #[test]
    fn pawns_on_one_file_have_selectors() {
        let files = [
            ("3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1", &["P+.4", "P3.4", "P-.4"][..], &["前", "中", "后"][..]),
            ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1", &["++.4", "P+.4", "P-.4", "--.4"], &["一", "二", "三", "四"]),
            (
                "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w - - 0 1",
                &["++.4", "P+.4", "P3.4", "P-.4", "--.4"],
                &["一", "二", "三", "四", "五"],
            ),
        ];
        for (fen, wxf, selectors) in files {
            let position = position(fen);
            let top = 4 + wxf.len();
            for (index, (wxf, selector)) in wxf.iter().zip(selectors).enumerate() {
                let rank = top - index;
                let mv = format!("g{rank}f{rank}");
                assert_eq!(written(&position, &mv)[1..3], [wxf.to_string(), format!("{selector}兵平四")], "{mv}");
            }
        }
    }

    /// The federation's example: three pawns on the third file, two on the seventh. In Chinese they are counted from
    /// the right and from the front.
    #[test]
    fn pawns_on_two_files_have_selectors() {
        let red = position("3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w - - 0 1");
        for (mv, wxf, chinese) in [
            ("g7f7", "3+.4", "一兵平四"),
            ("g6f6", "23.4", "二兵平四"),
            ("g5f5", "3-.4", "三兵平四"),
            ("c6d6", "7+.6", "四兵平六"),
            ("c5d5", "7-.6", "五兵平六"),
            ("c6c7", "7++1", "四兵进一"),
        ] {
            assert_eq!(written(&red, mv)[1..3], [wxf, chinese], "{mv}");
        }
        // Pawns that are alone on their files are not counted.
        let with_lone_pawn = position("3k5/9/6P2/2P3P2/2P3P1P/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(written(&with_lone_pawn, "g6f6")[1..3], ["23.4", "二兵平四"]);
        let two_and_one = position("3k5/9/6P2/6P2/8P/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(written(&two_and_one, "g7f7")[1..3], ["P+.4", "前兵平四"]);
        // Letters count as the Chinese numbers do, and a point is the pawn in the middle.
        for (text, mv) in [("Pa.4", "g7f7"), ("Pe.6", "c5d5"), ("P..4", "g6f6"), ("3-.4", "g5f5")] {
            assert_eq!(read(&red, text), Ok(mv.parse().unwrap()), "{text}");
        }
        // Rules of 1982 and of 2018; the same pawn by both.
        let mv = |text: &str| Ok(text.parse().unwrap());
        let ambiguous = NotationError::Ambiguous("33.4".into(), "g6f6".parse().unwrap(), "g5f5".parse().unwrap());
        assert_eq!(read(&red, "33.4"), Err(ambiguous));
        for (pawns, found) in [(Pawns::ByFile, "g6f6"), (Pawns::Numbered, "g5f5")] {
            assert_eq!(read_as(&red, "33=4", Reading { pawns: Some(pawns), ..Reading::default() }), mv(found));
        }
        for (text, found) in [("13=4", "g7f7"), ("17=6", "c6d6"), ("27=6", "c5d5"), ("C5+-2", "")] {
            let legal = found.parse().ok();
            assert_eq!(read(&red, text).ok(), legal, "{text}");
        }
        let neighbours = position("3k5/9/9/4P1P2/4P1P2/9/9/9/9/4K4 w - - 0 1");
        assert_eq!(read(&neighbours, "3-.4"), Ok("g5f5".parse().unwrap()));
        let black = red.color_flipped();
        assert_eq!(black.side(), Color::Black);
        assert_eq!(written(&black, "g2f2")[1..3], ["7+.6", "３卒平６"].map(String::from), "{}", black.to_fen());
    }

    #[test]
    fn usual_variants_are_read() {
        let start = Position::start();
        for text in ["C2.5", "c2=5", "H2-E2", "炮二平五", "炮2平5", "砲２平５", "包二平五", "h2e2"] {
            assert_eq!(read(&start, text), Ok("h2e2".parse().unwrap()), "{text}");
        }
        for text in ["N8+7", "h8+7", "馬八進七", "傌八进七", "马8进7", "马八上七"] {
            assert_eq!(read(&start, text), Ok("b0c2".parse().unwrap()), "{text}");
        }
        let two = position("3k5/9/9/4R4/9/4R4/4p4/9/9/4K4 w - - 0 1");
        for text in ["R+.9", "+R.9", "前车平九", "车前平九", "前俥平9", "一車平九"] {
            assert_eq!(read(&two, text), Ok("e6a6".parse().unwrap()), "{text}");
        }
        for text in ["R5+.9", "前车=九"] {
            assert_eq!(read(&two, text), Ok("e6a6".parse().unwrap()), "{text}");
        }
        // Vietnamese letters and signs, of which some are English.
        let vietnamese = Reading { letters: Letters::Vietnamese, ..Reading::default() };
        for (text, mv) in [("P2-5", "h2e2"), ("M8.7", "b0c2"), ("Tg5.1", "e0e1"), ("B3.1", "g3g4"), ("P8/1", "b2b1")] {
            assert_eq!(read_as(&start, text, vietnamese), Ok(mv.parse().unwrap()), "{text}");
        }
        // Old names of pawns on two files.
        let pawns = position("4k4/9/9/2P1P4/2P1P4/9/9/9/9/4K4 w");
        for (text, mv) in [("前七平六", "c6d6"), ("前兵七平六", "c6d6"), ("后5平4", "e5f5"), ("后五进一", "")]
        {
            assert_eq!(read(&pawns, text).ok(), mv.parse().ok(), "{text}");
        }
        // Only one of the two rooks can make the move.
        let two = position("3k5/9/9/9/4R4/4R4/4p4/9/9/4K4 w - - 0 1");
        assert_eq!(read(&two, "车五退一"), Ok("e4e3".parse().unwrap()));
    }

    #[test]
    fn invalid_moves_are_errors() {
        let start = Position::start();
        for text in [
            "",
            "C",
            "炮二",
            "炮二平五平",
            "炮平二五",
            "C2.0",
            "炮二平0",
            "65.4",
            "Q2.5",
            "前平平五",
            "兵兵进一",
            "é2.5",
            "C2.５",
        ] {
            assert_eq!(read(&start, text), Err(NotationError::NotAMove(text.into())), "{text}");
        }
        for text in ["C3.5", "h2h7", "炮二平八", "前炮平五", "中炮平五", "马八平七", "P++1", "帅五平五"]
        {
            assert_eq!(read(&start, text), Err(NotationError::Illegal(text.into())), "{text}");
        }
        let two = position("3k5/9/9/9/4R4/9/4R4/9/9/4K4 w - - 0 1");
        assert!(matches!(read(&two, "R5.9"), Err(NotationError::Ambiguous(..))));
    }

    #[test]
    fn every_written_move_is_read_back() {
        let mut expressed = 0;
        for fen in crate::test_data::fens() {
            let position = position(fen);
            for mv in position.legal_moves().iter() {
                let written = Notation::NAMES.map(|(_, notation)| notation.write(&position, mv));
                for text in &written {
                    assert_eq!(read(&position, text), Ok(mv), "{text} in {}", position.to_fen());
                }
                expressed += (written[1] != written[0] && written[2] != written[0]) as usize;
            }
        }
        assert!(expressed > 8_000, "{expressed}");
    }
}
