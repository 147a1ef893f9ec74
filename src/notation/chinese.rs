//! Chinese notation: 炮二平五, 前车进三.
//!
//! Of two pieces of a type on a file one is 前 (front), the other 后 (rear); of three, one is 中 (middle). More than three
//! pawns on a file, or pawns on two files, are numbered from the player's right and on each file from the front: 三兵平四.
//! Red's numbers are Chinese numerals, Black's are full-width digits.

use super::move_description::{Direction, MoveDescription, MovePattern, PieceSelector};
use crate::types::PieceType;

/// Simplified or traditional characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// 车马进后
    Simplified,
    /// 車馬進後
    Traditional,
}

const NUMBERS: [[char; 9]; 2] =
    [['一', '二', '三', '四', '五', '六', '七', '八', '九'], ['１', '２', '３', '４', '５', '６', '７', '８', '９']];

/// Characters of the pieces, by side and type.
const SIMPLIFIED: [[char; PieceType::COUNT]; 2] =
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
const TRADITIONAL: [[char; PieceType::COUNT]; 2] =
    [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];

/// The text of a move; `None` if the notation cannot express it.
pub fn write(description: &MoveDescription, script: Script) -> Option<String> {
    let origin = description.origin;
    let (pieces, [front, rear, forward]) = match script {
        Script::Simplified => (SIMPLIFIED, ['前', '后', '进']),
        Script::Traditional => (TRADITIONAL, ['前', '後', '進']),
    };
    let number = |number: u8| NUMBERS[description.color.index()].get(usize::from(number).checked_sub(1)?).copied();
    let piece = pieces[description.color.index()][description.kind.index()];
    let needs_no_selector = origin.count == 1 || matches!(description.kind, PieceType::Advisor | PieceType::Bishop);
    let [one, two] = if needs_no_selector {
        [piece, number(origin.file)?]
    } else if origin.shared_files > 1 || origin.count > 3 {
        [number(origin.index + 1)?, piece]
    } else if origin.is_middle() {
        ['中', piece]
    } else {
        [if origin.before == 0 { front } else { rear }, piece]
    };
    let direction = match description.direction {
        Direction::Across => '平',
        Direction::Forward => forward,
        Direction::Back => '退',
    };
    Some([one, two, direction, number(description.number)?].iter().collect())
}

/// The pattern of a text; `None` if it is not in this notation.
pub fn read(text: &str) -> Option<MovePattern> {
    let mut chars = text.chars();
    let [one, two, direction, number] = [(); 4].map(|()| chars.next());
    if chars.next().is_some() {
        return None;
    }
    let direction = match direction? {
        '平' => Direction::Across,
        '进' | '進' => Direction::Forward,
        '退' => Direction::Back,
        _ => return None,
    };
    let (kind, selector) = match (kind(one?), kind(two?)) {
        (Some(kind), None) => (kind, digit(two?).map(PieceSelector::File).or_else(|| self::selector(two?))?),
        (None, Some(kind)) => {
            (kind, digit(one?).map(|number| PieceSelector::Index(number - 1)).or_else(|| self::selector(one?))?)
        }
        _ => return None,
    };
    Some(MovePattern { kind, selector, direction, number: digit(number?)? })
}

/// Whether a word of four characters is like a move, right or wrong: a piece or selector first, a direction third.
pub fn is_like_move(word: &str) -> bool {
    let mut letters = word.chars();
    let [one, _, direction, last] = [letters.next(), letters.next(), letters.next(), letters.next()];
    one.is_some_and(|letter| kind(letter).is_some() || selector(letter).is_some())
        && matches!(direction, Some('平' | '进' | '進' | '退'))
        && last.is_some()
        && letters.next().is_none()
}

/// The piece type of a character of either side.
fn kind(character: char) -> Option<PieceType> {
    Some(match character {
        '帅' | '帥' | '将' | '將' => PieceType::King,
        '仕' | '士' => PieceType::Advisor,
        '相' | '象' => PieceType::Bishop,
        '马' | '馬' | '傌' => PieceType::Knight,
        '车' | '車' | '俥' => PieceType::Rook,
        '炮' | '砲' | '包' => PieceType::Cannon,
        '兵' | '卒' => PieceType::Pawn,
        _ => return None,
    })
}

/// The selector of a character.
fn selector(character: char) -> Option<PieceSelector> {
    Some(match character {
        '前' => PieceSelector::First,
        '中' => PieceSelector::Middle,
        '后' | '後' => PieceSelector::Last,
        _ => return None,
    })
}

/// A digit 1 to 9: Chinese, full-width or ASCII.
fn digit(character: char) -> Option<u8> {
    let ascii = character.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8);
    let index = || NUMBERS.iter().find_map(|digits| digits.iter().position(|&digit| digit == character));
    ascii.or_else(|| Some(index()? as u8 + 1))
}
