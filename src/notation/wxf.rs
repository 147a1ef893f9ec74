//! WXF notation (World Xiangqi Federation): `C2.5`, `H8+7`, `R+.9`.
//!
//! Several pawns on a file are `P+`, `P3` (the middle one, by its file) and `P-`; of four or five, the front and rear
//! ones are `++` and `--`. With several pawns on two files, the file replaces the letter: `3+`, `33`, `3-` ("Official
//! xiangqi piece names and notation", Asian Xiangqi Federation, 1982). Also read: letters that number the pawns (`Pa`,
//! `Pb`, …), as in ElephantEye's documents, and `P.` for the middle one.

use super::move_description::{Direction, MoveDescription, MovePattern, PieceSelector};
use crate::types::{Piece, PieceType};

const LETTERS: [char; PieceType::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

/// The text of a move; `None` if the notation cannot express it.
pub fn write(description: &MoveDescription) -> Option<String> {
    let origin = description.origin;
    let direction = match description.direction {
        Direction::Across => '.',
        Direction::Forward => '+',
        Direction::Back => '-',
    };
    let letter = LETTERS[description.kind.index()];
    let file = (b'0' + origin.file) as char;
    let behind = origin.count - 1 - origin.before;
    let needs_no_selector = origin.count == 1 || matches!(description.kind, PieceType::Advisor | PieceType::Bishop);
    let sign = match (origin.before, behind) {
        _ if needs_no_selector || origin.is_middle() => file,
        (before, behind) if before < behind => '+',
        _ => '-',
    };
    let piece = if needs_no_selector {
        [letter, file]
    } else if origin.shared_files > 1 {
        [file, sign]
    } else if origin.count > 3 && origin.before.min(behind) == 0 {
        [sign, sign]
    } else {
        [letter, sign]
    };
    Some(format!("{}{}{direction}{}", piece[0], piece[1], description.number))
}

/// The pattern of a text; `None` if it is not in this notation.
pub fn read(text: &str) -> Option<MovePattern> {
    let &[one, two, direction, number] = text.as_bytes() else { return None };
    let direction = match direction {
        b'.' | b'=' => Direction::Across,
        b'+' => Direction::Forward,
        b'-' => Direction::Back,
        _ => return None,
    };
    let number = digit(number)?;
    let pawn = |selector| Some((PieceType::Pawn, selector));
    let letter = |letter: u8| Piece::from_letter(letter).map(|piece| piece.piece_type());
    let (kind, selector) = match (one, two) {
        (b'+', b'+') => pawn(PieceSelector::First),
        (b'-', b'-') => pawn(PieceSelector::Last),
        (file, sign) if digit(file).is_some() => {
            let file = digit(file)?;
            match sign {
                b'+' => pawn(PieceSelector::FirstOn(file)),
                b'-' => pawn(PieceSelector::LastOn(file)),
                _ if digit(sign) == Some(file) => pawn(PieceSelector::MiddleOn(file)),
                _ => None,
            }
        }
        (b'+' | b'-', piece) => Some((letter(piece)?, sign(one)?)),
        (piece, two) => Some((letter(piece)?, digit(two).map(PieceSelector::File).or_else(|| sign(two))?)),
    }?;
    Some(MovePattern { kind, selector, direction, number })
}

fn sign(sign: u8) -> Option<PieceSelector> {
    match sign {
        b'+' => Some(PieceSelector::Ahead),
        b'-' => Some(PieceSelector::Behind),
        b'.' => Some(PieceSelector::Middle),
        b'a'..=b'e' => Some(PieceSelector::Index(sign - b'a')),
        _ => None,
    }
}

fn digit(digit: u8) -> Option<u8> {
    matches!(digit, b'1'..=b'9').then(|| digit - b'0')
}
