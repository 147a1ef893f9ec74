//! The World Xiangqi Federation's notation: `C2.5`, `H8+7`, `R+.9`.
//!
//! Several pawns on a file: `P+`, `P3` (the middle one, by its file), `P-`; of four or five the outermost are `++` and
//! `--`. On two files: the file instead of the letter, `3+`, `33`, `3-` ("Official xiangqi piece names and notation",
//! Asian Xiangqi Federation, 1982). Read as well: letters that count pawns (`Pa`, `Pb`, …), as ElephantEye's documents have
//! them, and `P.` for the middle one.

use super::description::{Description, Wanted, Way, Which};
use crate::types::{Kind, Piece};

const LETTERS: [char; Kind::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

/// The text of a move; `None` if there are no words for it.
pub fn write(told: &Description) -> Option<String> {
    let spot = told.spot;
    let way = match told.way {
        Way::Across => '.',
        Way::Forward => '+',
        Way::Back => '-',
    };
    let letter = LETTERS[told.kind.index()];
    let file = (b'0' + spot.file) as char;
    let behind = spot.count - 1 - spot.before;
    let is_told_by_file = spot.count == 1 || matches!(told.kind, Kind::Advisor | Kind::Bishop);
    let sign = match (spot.before, behind) {
        _ if is_told_by_file || spot.is_middle() => file,
        (before, behind) if before < behind => '+',
        _ => '-',
    };
    let man = if is_told_by_file {
        [letter, file]
    } else if spot.crowded > 1 {
        [file, sign]
    } else if spot.count > 3 && spot.before.min(behind) == 0 {
        [sign, sign]
    } else {
        [letter, sign]
    };
    Some(format!("{}{}{way}{}", man[0], man[1], told.number))
}

/// What a text asks for; `None` if it is not of this notation.
pub fn read(text: &str) -> Option<Wanted> {
    let &[one, two, way, number] = text.as_bytes() else { return None };
    let way = match way {
        b'.' | b'=' => Way::Across,
        b'+' => Way::Forward,
        b'-' => Way::Back,
        _ => return None,
    };
    let number = digit(number)?;
    let pawn = |which| Some((Kind::Pawn, which));
    let letter = |letter: u8| Piece::from_letter(letter).map(|man| man.kind());
    let (kind, which) = match (one, two) {
        (b'+', b'+') => pawn(Which::First),
        (b'-', b'-') => pawn(Which::Last),
        (file, sign) if digit(file).is_some() => {
            let file = digit(file)?;
            match sign {
                b'+' => pawn(Which::FirstOn(file)),
                b'-' => pawn(Which::LastOn(file)),
                _ if digit(sign) == Some(file) => pawn(Which::MiddleOn(file)),
                _ => None,
            }
        }
        (b'+' | b'-', man) => Some((letter(man)?, sign(one)?)),
        (man, two) => Some((letter(man)?, digit(two).map(Which::File).or_else(|| sign(two))?)),
    }?;
    Some(Wanted { kind, which, way, number })
}

fn sign(sign: u8) -> Option<Which> {
    match sign {
        b'+' => Some(Which::Ahead),
        b'-' => Some(Which::Behind),
        b'.' => Some(Which::Middle),
        b'a'..=b'e' => Some(Which::After(sign - b'a')),
        _ => None,
    }
}

fn digit(digit: u8) -> Option<u8> {
    matches!(digit, b'1'..=b'9').then(|| digit - b'0')
}
