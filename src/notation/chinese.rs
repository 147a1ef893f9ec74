//! Chinese notation: 炮二平五, 前车进三.
//!
//! Of two pieces of a type on a file one is 前 (front), the other 后 (rear); of three, one is 中 (middle). More than three
//! pawns on a file, or pawns on two files, are numbered from the player's right and on each file from the front: 三兵平四.
//! Red's numbers are Chinese numerals, Black's are full-width digits.

use super::move_description::{Direction, MoveDescription, MovePattern, PieceSelector};
use crate::types::{Color, PieceType};

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
pub(super) fn write(description: &MoveDescription, script: Script) -> Option<String> {
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
pub(super) fn read(text: &str) -> Option<MovePattern> {
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

/// What a character may be in a move.
mod class {
    pub(super) const PIECE: u8 = 1;
    pub(super) const SELECTOR: u8 = 2;
    pub(super) const DIGIT: u8 = 4;
    pub(super) const DIRECTION: u8 = 8;
}

/// The forms of moves: 炮二平五, 车前平五, 前车平五, 一兵平四, 前七平六, 前兵七平六.
const FORMS: [&[u8]; 6] = {
    use class::*;
    [
        &[PIECE, DIGIT, DIRECTION, DIGIT],
        &[PIECE, SELECTOR, DIRECTION, DIGIT],
        &[SELECTOR, PIECE, DIRECTION, DIGIT],
        &[DIGIT, PIECE, DIRECTION, DIGIT],
        &[SELECTOR, DIGIT, DIRECTION, DIGIT],
        &[SELECTOR, PIECE, DIGIT, DIRECTION, DIGIT],
    ]
};

fn classes(letter: char) -> u8 {
    let piece = if kind(letter).is_some() { class::PIECE } else { 0 };
    let selector = if selector(letter).is_some() { class::SELECTOR } else { 0 };
    let digit = if digit(letter).is_some() { class::DIGIT } else { 0 };
    let direction = if direction(letter).is_some() { class::DIRECTION } else { 0 };
    piece | selector | digit | direction
}

/// Whether a text is or begins like a move, right or wrong: with a piece and its file (车一乎二, also glued to more); or
/// all of it, or all before another move, differs from a move by one character that is wrong, missing, too much or
/// exchanged with the next (前车乎五, 炮平五, 炮二二平五). The first character may be wrong or missing only before a file
/// (跑二平五, 二平五): a word in front is prose (如车平六, 应炮二平五).
pub(crate) fn is_like_move(text: &str) -> bool {
    let letters: Vec<(usize, u8)> = text.char_indices().map(|(at, letter)| (at, classes(letter))).take(6).collect();
    let of: Vec<u8> = letters.iter().map(|&(_, classes)| classes).collect();
    let has_word = text.chars().take(5).any(|letter| kind(letter).is_some() || "平进進退".contains(letter));
    let is_piece_and_file =
        matches!(of[..], [piece, file, ..] if piece & class::PIECE != 0 && file & class::DIGIT != 0);
    is_piece_and_file
        || has_word
            && (3..=of.len().min(5)).any(|count| {
                let is_end = letters.get(count).is_none_or(|&(at, _)| prefix(&text[at..]).is_some());
                is_end && FORMS.iter().any(|form| is_near(&of[..count], form))
            })
}

/// Whether classes of characters differ from a form by at most one character: see [`is_like_move`].
fn is_near(of: &[u8], form: &[u8]) -> bool {
    let fits =
        |of: &[u8], form: &[u8]| of.len() == form.len() && of.iter().zip(form).all(|(of, class)| of & class != 0);
    let same = of.iter().zip(form).take_while(|(of, class)| *of & *class != 0).count();
    if same == form.len() && of.len() == form.len() {
        return true;
    }
    let is_before_file = same > 0 || form[1] == class::DIGIT && form[0] == class::PIECE;
    let (of, form) = (&of[same..], &form[same..]);
    let missing = is_before_file && !form.is_empty() && fits(of, &form[1..]);
    let wrong = is_before_file && !of.is_empty() && !form.is_empty() && fits(&of[1..], &form[1..]);
    let too_much = same > 0 && !of.is_empty() && fits(&of[1..], form);
    let exchanged = matches!((of, form), ([a, b, of @ ..], [c, d, form @ ..])
        if a & d != 0 && b & c != 0 && fits(of, form));
    missing || wrong || too_much || exchanged
}

/// The sides that the characters of a move are of: its numbers (Red's 五, Black's 5), and its piece (兵, 卒), if that is
/// one with a character for each side; none in other notations.
pub(crate) fn sides(text: &str) -> [Option<(Option<PieceType>, Color)>; 2] {
    if read(text).is_none() {
        return [None; 2];
    }
    let digits = |digits: &str| text.chars().any(|letter| digits.contains(letter));
    let numbers = match (digits("一二三四五六七八九"), digits("123456789１２３４５６７８９")) {
        (true, false) => Some(Color::Red),
        (false, true) => Some(Color::Black),
        _ => None,
    };
    let piece = text.chars().find_map(|letter| Some((kind(letter)?, letter))).and_then(|(kind, letter)| match letter {
        '帅' | '帥' | '仕' | '相' | '兵' => Some((Some(kind), Color::Red)),
        '将' | '將' | '士' | '象' | '卒' => Some((Some(kind), Color::Black)),
        _ => None,
    });
    [numbers.map(|side| (None, side)), piece]
}

/// The length in bytes of the move that a text begins with, which may have blanks between its characters; the move
/// without them.
pub(crate) fn prefix(text: &str) -> Option<(usize, String)> {
    let mut mv = String::new();
    let (mut count, mut four) = (0, None);
    for (offset, letter) in text.char_indices().filter(|(_, letter)| !matches!(letter, ' ' | '\u{3000}')) {
        mv.push(letter);
        count += 1;
        let end = offset + letter.len_utf8();
        if count == 1 && kind(letter).is_none() && selector(letter).is_none() && digit(letter).is_none() {
            return None;
        }
        // Of three pieces on a file that are no pawns: 中炮 is the name of an opening.
        if count == 2 && mv.starts_with('中') && kind(letter).is_some_and(|kind| kind != PieceType::Pawn) {
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
