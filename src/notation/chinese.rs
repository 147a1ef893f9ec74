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
///
/// Besides the usual four characters: the file of pawns on several files in place of the piece (前七进一) or behind it
/// (前兵七进一), 上, 下 and 后 for 进 and 退, and the signs of WXF for the direction (前炮-2).
pub fn read(text: &str) -> Option<MovePattern> {
    let mut letters = [' '; 5];
    let mut length = 0;
    for letter in text.chars() {
        *letters.get_mut(length)? = letter;
        length += 1;
    }
    let ([one, two], &[direction, number]) =
        (letters.first_chunk()?, letters[..length].get(length.checked_sub(2)?..)?.first_chunk()?);
    let direction = self::direction(direction)?;
    let on_file = |front: char, file: char| {
        let file = digit(file)?;
        Some(match selector(front)? {
            PieceSelector::First => PieceSelector::FirstOn(file),
            PieceSelector::Last => PieceSelector::LastOn(file),
            _ => PieceSelector::MiddleOn(file),
        })
    };
    let (kind, selector) = match (length, kind(*one), kind(*two)) {
        (4, Some(kind), None) => (kind, digit(*two).map(PieceSelector::File).or_else(|| self::selector(*two))?),
        (4, None, Some(kind)) => {
            (kind, digit(*one).map(|number| PieceSelector::Index(number - 1)).or_else(|| self::selector(*one))?)
        }
        (4, None, None) => (PieceType::Pawn, on_file(*one, *two)?),
        (5, None, Some(kind)) => (kind, on_file(*one, letters[2])?),
        _ => return None,
    };
    Some(MovePattern { kind, selector, direction, number: digit(number)? })
}

/// Whether a word of four or five characters is like a move, right or wrong: a piece or selector first, a direction last
/// but one.
pub fn is_like_move(word: &str) -> bool {
    let letters: Vec<char> = word.chars().take(6).collect();
    matches!(letters.len(), 4 | 5)
        && (kind(letters[0]).is_some() || selector(letters[0]).is_some())
        && direction(letters[letters.len() - 2]).is_some()
}

/// The length in bytes of the move that a text begins with, which may have blanks between its characters; the move
/// without them.
pub fn prefix(text: &str) -> Option<(usize, String)> {
    let mut mv = String::new();
    let (mut count, mut four) = (0, None);
    for (offset, letter) in text.char_indices().filter(|(_, letter)| !matches!(letter, ' ' | '\u{3000}')) {
        mv.push(letter);
        count += 1;
        let end = offset + letter.len_utf8();
        if count == 1 && kind(letter).is_none() && selector(letter).is_none() && digit(letter).is_none() {
            return None;
        }
        if count == 4 && read(&mv).is_some() {
            four = Some((end, mv.clone()));
        }
        if count == 5 {
            return read(&mv).map(|_| (end, mv)).or(four);
        }
    }
    four
}

/// The direction of a character.
fn direction(letter: char) -> Option<Direction> {
    Some(match letter {
        '平' | '=' | '.' | '＝' | '．' => Direction::Across,
        '进' | '進' | '上' | '+' | '＋' => Direction::Forward,
        '退' | '下' | '后' | '後' | '-' | '－' => Direction::Back,
        _ => return None,
    })
}

/// The piece type of a character of either side.
fn kind(character: char) -> Option<PieceType> {
    Some(match character {
        '帅' | '帥' | '将' | '將' => PieceType::King,
        '仕' | '士' => PieceType::Advisor,
        '相' | '象' => PieceType::Bishop,
        '马' | '馬' | '傌' => PieceType::Knight,
        '车' | '車' | '俥' => PieceType::Rook,
        '炮' | '砲' | '礮' | '包' => PieceType::Cannon,
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

/// A digit 1 to 9: Chinese, full-width, circled or ASCII.
fn digit(character: char) -> Option<u8> {
    let ascii = character.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8);
    let circled = ('①'..='⑨').contains(&character).then(|| (character as u32 - '①' as u32 + 1) as u8);
    let index = || NUMBERS.iter().find_map(|digits| digits.iter().position(|&digit| digit == character));
    ascii.or(circled).or_else(|| Some(index()? as u8 + 1))
}
