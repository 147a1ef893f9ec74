//! WXF notation (World Xiangqi Federation): `C2.5`, `H8+7`, `R+.9`.
//!
//! Several pawns on a file are `P+`, `P3` (the middle one, by its file) and `P-`; of four or five, the front and rear
//! ones are `++` and `--`. With several pawns on two files, the file replaces the letter: `3+`, `33`, `3-` ("Official
//! xiangqi piece names and notation", Asian Xiangqi Federation, 1982). The rules of 2018 number them from the front, the
//! number before the file: `13`, `23`, `33`; so are pawns between others written here, and where the two standards
//! mean different pawns, the text is ambiguous unless [`Pawns`] says which it follows. Also read: letters that number the
//! pawns (`Pa`, `Pb`, …), as in ElephantEye's documents, `P.` for the middle one, and the sign before the file (`+6`).
//!
//! Vietnamese programs write the same with other letters and signs: `P2-5 M8.7` is `C2.5 H8+7`, see [`Letters`].

use super::move_description::{Direction, MoveDescription, MovePattern, PieceSelector};
use crate::types::{Piece, PieceType};

/// Whose letters and signs a text in WXF notation has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// K A E H R C P (B for E, N for H); `.` or `=` across, `+` forward, `-` back.
    #[default]
    English,
    /// Tg S T M X P B; `-` across, `.` forward, `/` back.
    Vietnamese,
}

/// What two digits in front of a move in WXF notation mean, as in `33.4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pawns {
    /// The middle pawn of the file written twice ("Official xiangqi piece names and notation", 1982).
    ByFile,
    /// The number of the pawn, from the front, and its file (rules of the World Xiangqi Federation, 2018).
    Numbered,
}

const LETTERS: [char; PieceType::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

/// The text of a move; `None` if the notation cannot express it.
pub(super) fn write(description: &MoveDescription) -> Option<String> {
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
        match (origin.before, behind) {
            (0, _) => [file, '+'],
            (_, 0) => [file, '-'],
            // Where two digits are the same, both standards mean this pawn.
            (before, _) => [(b'1' + before) as char, file],
        }
    } else if origin.count > 3 && origin.before.min(behind) == 0 {
        [sign, sign]
    } else {
        [letter, sign]
    };
    Some(format!("{}{}{direction}{}", piece[0], piece[1], description.number))
}

/// The patterns of a text, several where its readings differ; none if it is not in this notation.
pub(super) fn read(text: &str, letters: Letters, pawns: Option<Pawns>) -> Vec<MovePattern> {
    let (bytes, piece) = match letters {
        Letters::English => (text.as_bytes(), english as fn(u8) -> Option<PieceType>),
        Letters::Vietnamese => {
            (text.strip_prefix("Tg").map_or(text.as_bytes(), |_| &text.as_bytes()[1..]), vietnamese as _)
        }
    };
    let Some((start, &[direction, number])) = bytes.split_last_chunk() else { return Vec::new() };
    let direction = match (direction, letters) {
        (b'.' | b'=', Letters::English) | (b'-', Letters::Vietnamese) => Direction::Across,
        (b'+', Letters::English) | (b'.', Letters::Vietnamese) => Direction::Forward,
        (b'-', Letters::English) | (b'/', Letters::Vietnamese) => Direction::Back,
        _ => return Vec::new(),
    };
    let Some(number) = digit(number) else { return Vec::new() };
    let sign = |letter| sign(letter, letters);
    let pawn = |selector| vec![(PieceType::Pawn, selector)];
    let one = |kind: Option<PieceType>, selector: Option<PieceSelector>| kind.zip(selector).into_iter().collect();
    let found: Vec<(PieceType, PieceSelector)> = match *start {
        [b'+', b'+'] => pawn(PieceSelector::First),
        [b'-', b'-'] => pawn(PieceSelector::Last),
        [file, b'+'] if digit(file).is_some() => pawn(PieceSelector::FirstOn(file - b'0')),
        [file, b'-'] if digit(file).is_some() => pawn(PieceSelector::LastOn(file - b'0')),
        [one, two] if digit(one).is_some() && digit(two).is_some() => {
            let (one, two) = (one - b'0', two - b'0');
            let old = (one == two).then_some(PieceSelector::MiddleOn(one)).filter(|_| pawns != Some(Pawns::Numbered));
            let new = Some(PieceSelector::NumberOn(one - 1, two)).filter(|_| one <= 5 && pawns != Some(Pawns::ByFile));
            old.into_iter().chain(new).map(|selector| (PieceType::Pawn, selector)).collect()
        }
        // The front or rear pawn of a file, without a letter: `+6=5`.
        [b'+', file] if digit(file).is_some() => pawn(PieceSelector::FirstOn(file - b'0')),
        [b'-', file] if digit(file).is_some() => pawn(PieceSelector::LastOn(file - b'0')),
        [mark @ (b'+' | b'-'), letter] => one(piece(letter), sign(mark)),
        [letter, two] => one(piece(letter), digit(two).map(PieceSelector::File).or_else(|| sign(two))),
        // The file and which of its pieces: `C5+-2`.
        [letter, file, mark @ (b'+' | b'-')] => {
            let on = if mark == b'+' { PieceSelector::FirstOn } else { PieceSelector::LastOn };
            one(piece(letter), digit(file).map(on))
        }
        _ => Vec::new(),
    };
    found.into_iter().map(|(kind, selector)| MovePattern { kind, selector, direction, number }).collect()
}

fn english(letter: u8) -> Option<PieceType> {
    Piece::from_letter(letter).map(Piece::piece_type)
}

/// The letter of tướng (here its second one), sĩ, tượng, xe, pháo, mã, binh.
fn vietnamese(letter: u8) -> Option<PieceType> {
    Some(match letter {
        b'g' => PieceType::King,
        b'S' => PieceType::Advisor,
        b'T' => PieceType::Bishop,
        b'X' => PieceType::Rook,
        b'P' => PieceType::Cannon,
        b'M' => PieceType::Knight,
        b'B' => PieceType::Pawn,
        _ => return None,
    })
}

/// What stands for a file: a sign, a letter that numbers the pawns, or that of trước, giữa, sau.
fn sign(sign: u8, letters: Letters) -> Option<PieceSelector> {
    match (sign, letters) {
        (b'+', Letters::English) => Some(PieceSelector::Ahead),
        (b'-', Letters::English) => Some(PieceSelector::Behind),
        (b'.', Letters::English) => Some(PieceSelector::Middle),
        (b'a'..=b'e', Letters::English) => Some(PieceSelector::Index(sign - b'a')),
        (b't', Letters::Vietnamese) => Some(PieceSelector::First),
        (b'g', Letters::Vietnamese) => Some(PieceSelector::Middle),
        (b's', Letters::Vietnamese) => Some(PieceSelector::Last),
        _ => None,
    }
}

fn digit(digit: u8) -> Option<u8> {
    matches!(digit, b'1'..=b'9').then(|| digit - b'0')
}
