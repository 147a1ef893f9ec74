//! Moves in Chinese: 炮二平五, 前车进三.
//!
//! Of two men on a file one is 前 (front), the other 后 (rear), of three one is 中 (middle). More pawns than that, or pawns
//! on two files, are counted from their player's right and on a file from the front: 三兵平四. Red's numbers are Chinese,
//! Black's full-width digits.

use super::description::{Description, Wanted, Way, Which};
use crate::types::Kind;

/// Which characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// 车马进后
    Simplified,
    /// 車馬進後
    Traditional,
}

const NUMBERS: [[char; 9]; 2] =
    [['一', '二', '三', '四', '五', '六', '七', '八', '九'], ['１', '２', '３', '４', '５', '６', '７', '８', '９']];

/// By side and kind.
const SIMPLIFIED: [[char; Kind::COUNT]; 2] =
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
const TRADITIONAL: [[char; Kind::COUNT]; 2] =
    [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];

/// The text of a move; `None` if there are no words for it.
pub fn write(told: &Description, script: Script) -> Option<String> {
    let spot = told.spot;
    let (men, [front, rear, forward]) = match script {
        Script::Simplified => (SIMPLIFIED, ['前', '后', '进']),
        Script::Traditional => (TRADITIONAL, ['前', '後', '進']),
    };
    let number = |number: u8| NUMBERS[told.color.index()].get(usize::from(number).checked_sub(1)?).copied();
    let man = men[told.color.index()][told.kind.index()];
    let is_told_by_file = spot.count == 1 || matches!(told.kind, Kind::Advisor | Kind::Bishop);
    let [one, two] = if is_told_by_file {
        [man, number(spot.file)?]
    } else if spot.crowded > 1 || spot.count > 3 {
        [number(spot.place + 1)?, man]
    } else if spot.is_middle() {
        ['中', man]
    } else {
        [if spot.before == 0 { front } else { rear }, man]
    };
    let way = match told.way {
        Way::Across => '平',
        Way::Forward => forward,
        Way::Back => '退',
    };
    Some([one, two, way, number(told.number)?].iter().collect())
}

/// What a text asks for; `None` if it is not of this notation.
pub fn read(text: &str) -> Option<Wanted> {
    let mut chars = text.chars();
    let [one, two, way, number] = [(); 4].map(|()| chars.next());
    if chars.next().is_some() {
        return None;
    }
    let way = match way? {
        '平' => Way::Across,
        '进' | '進' => Way::Forward,
        '退' => Way::Back,
        _ => return None,
    };
    let (kind, which) = match (kind(one?), kind(two?)) {
        (Some(kind), None) => (kind, digit(two?).map(Which::File).or_else(|| place(two?))?),
        (None, Some(kind)) => (kind, digit(one?).map(|nth| Which::After(nth - 1)).or_else(|| place(one?))?),
        _ => return None,
    };
    Some(Wanted { kind, which, way, number: digit(number?)? })
}

/// The kind of man that a character stands for, on either side.
fn kind(character: char) -> Option<Kind> {
    Some(match character {
        '帅' | '帥' | '将' | '將' => Kind::King,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Bishop,
        '马' | '馬' | '傌' => Kind::Knight,
        '车' | '車' | '俥' => Kind::Rook,
        '炮' | '砲' | '包' => Kind::Cannon,
        '兵' | '卒' => Kind::Pawn,
        _ => return None,
    })
}

/// Which of the men on a file a character means.
fn place(character: char) -> Option<Which> {
    Some(match character {
        '前' => Which::First,
        '中' => Which::Middle,
        '后' | '後' => Which::Last,
        _ => return None,
    })
}

/// 1 to 9, in Chinese, full-width or ASCII.
fn digit(character: char) -> Option<u8> {
    let ascii = character.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8);
    let listed = || NUMBERS.iter().find_map(|digits| digits.iter().position(|&digit| digit == character));
    ascii.or_else(|| Some(listed()? as u8 + 1))
}
