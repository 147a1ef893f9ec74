//! The tokens of a text of games, line by line: PGN, and lists of moves as people write and paste them.

use super::record::GameResult;
use super::visible::{single_line, visible};
use crate::notation::{chinese_prefix, is_like_chinese_move};

/// A token of a line. Escaped lines (`%`, `#`) and separators have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[name "value"]`
    Tag(String, String),
    /// A move number: its value, and whether it is of Black's move (`1...`).
    Number(u32, bool),
    /// A result, and whether it is in Chinese, where it may be a part of a sentence.
    Result(GameResult, bool),
    /// A move, or what is none, in half-width characters.
    Word(String),
    /// What is no move, glued to the Chinese move before it: 炮二平五局.
    Tail(String),
    /// `{text}`, 【text】, or what follows `;`
    Comment(String),
    /// `!?` as a numeric annotation glyph, or `$5`
    Glyph(u8),
    /// A variation begins.
    Open,
    /// It ends.
    Close,
    /// The text of a variation as it is written, since the last bracket or comment.
    Source(String),
    /// An opening bracket whose closing bracket is missing.
    Unclosed(char),
    /// What stands in square brackets and is no tag.
    NoTag(String),
}

/// What the lines before leave open.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexer {
    /// The comment that is open: what closes it, and its text so far.
    comment: Option<(char, String)>,
    /// Number of open variations.
    depth: usize,
}

impl Lexer {
    /// Whether neither a comment nor a variation is open.
    pub(super) fn is_outside(&self) -> bool {
        self.comment.is_none() && self.depth == 0
    }

    /// The size of the comment that is open, in bytes, with its brackets; 0 if none is.
    pub(super) fn open_bytes(&self) -> usize {
        self.comment.as_ref().map_or(0, |(_, text)| text.len() + 2)
    }

    /// Drops the text of the comment that is open.
    pub(super) fn forget(&mut self) {
        if let Some((_, text)) = &mut self.comment {
            *text = String::new();
        }
    }

    /// Ends what is open, as tokens.
    pub(super) fn finish(&mut self) -> Option<Token> {
        let open = std::mem::take(self);
        match open.comment {
            Some((closing, _)) => Some(Token::Unclosed(if closing == '】' { '【' } else { '{' })),
            None => (open.depth > 0).then_some(Token::Unclosed('(')),
        }
    }

    /// The tokens of the next line. A tag with a quoted value at its beginning ends open comments and variations.
    pub(super) fn line(&mut self, line: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        if !self.is_outside() && begins_with_tag(line) {
            tokens.extend(self.finish());
        }
        let mut rest = line;
        // Where the source of a variation begins that no token has yet.
        let mut source = rest;
        // Length of the text behind the last Chinese move.
        let mut move_end = usize::MAX;
        let is_chinese_move = |word: &str| chinese_prefix(word).is_some_and(|(length, _)| length == word.len());
        let up_to = |source: &str, rest: &str| source[..source.len() - rest.len()].to_string();
        loop {
            if let Some((closing, text)) = &mut self.comment {
                let end = rest.find(|letter| folded(letter) == *closing);
                text.push_str(&rest[..end.unwrap_or(rest.len())]);
                let Some(end) = end else {
                    text.push(' ');
                    break;
                };
                tokens.push(Token::Comment(comment(text)));
                self.comment = None;
                rest = after_first(&rest[end..]);
                source = rest;
            }
            rest = rest.trim_start_matches(is_separator);
            let Some(first) = rest.chars().next() else { break };
            let sign = folded(first);
            if self.depth > 0 && matches!(sign, '{' | '【' | '(' | ')' | '%' | '#' | ';') {
                tokens.push(Token::Source(up_to(source, rest)));
                source = after_first(rest);
            }
            match sign {
                '[' if self.depth == 0 => match tag_length(rest) {
                    Some(length) => {
                        tokens.push(match name_and_value(&rest[..length]) {
                            Some((name, value)) => Token::Tag(name.to_string(), value.to_string()),
                            None => Token::NoTag(rest[..length].to_string()),
                        });
                        rest = &rest[length..];
                    }
                    None => {
                        tokens.push(Token::Unclosed('['));
                        break;
                    }
                },
                '{' => {
                    self.comment = Some(('}', String::new()));
                    rest = after_first(rest);
                }
                '【' => {
                    self.comment = Some(('】', String::new()));
                    rest = after_first(rest);
                }
                '(' => {
                    self.depth += 1;
                    tokens.push(Token::Open);
                    rest = after_first(rest);
                    source = rest;
                }
                ')' => {
                    if self.depth > 0 {
                        self.depth -= 1;
                        tokens.push(Token::Close);
                    }
                    rest = after_first(rest);
                }
                '%' | '#' => return tokens,
                ';' => {
                    tokens.push(Token::Comment(comment(after_first(rest))));
                    return tokens;
                }
                '[' | ']' | '}' | '】' => rest = after_first(rest),
                '$' => {
                    let number = after_first(rest);
                    rest = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
                    tokens.extend(up_to(number, rest).parse().ok().map(Token::Glyph));
                }
                '!' | '?' => {
                    let marks: String = rest.chars().map(folded).take_while(|mark| matches!(mark, '!' | '?')).collect();
                    tokens.extend(glyph(&marks).map(Token::Glyph));
                    rest = rest.trim_start_matches(|letter| matches!(folded(letter), '!' | '?'));
                }
                _ => {
                    let (token, length) = word(rest);
                    tokens.push(match token {
                        Some(Token::Word(word)) if move_end == rest.len() && !is_chinese_move(&word) => {
                            Token::Tail(word)
                        }
                        Some(token) => token,
                        None => {
                            rest = &rest[length..];
                            continue;
                        }
                    });
                    rest = &rest[length..];
                    if matches!(tokens.last(), Some(Token::Word(word)) if is_chinese_move(word)) {
                        move_end = rest.len();
                    }
                }
            }
        }
        if self.depth > 0 && self.comment.is_none() {
            tokens.push(Token::Source(source.to_string() + " "));
        }
        tokens
    }
}

/// The text after its first character.
fn after_first(text: &str) -> &str {
    let mut letters = text.chars();
    letters.next();
    letters.as_str()
}

/// A full-width character of ASCII as a half-width one.
pub(super) fn folded(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        '\u{3000}' | '\u{a0}' => ' ',
        '–' | '—' | '−' | '─' => '-',
        letter => letter,
    }
}

/// Whether a letter is a Chinese character.
pub(super) fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}')
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | '，' | '、' | '。' | '；' | '：' | '|' | '\u{feff}')
}

/// Whether a word ends before this character.
fn ends_word(letter: char) -> bool {
    is_separator(letter) || matches!(folded(letter), '{' | '}' | '(' | ')' | '[' | ';' | '【' | '】' | '!' | '?' | '$')
}

/// The glyph of marks behind a move.
fn glyph(marks: &str) -> Option<u8> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

/// The token of a word at the beginning of the text, if it is one, and its length in bytes.
fn word(text: &str) -> (Option<Token>, usize) {
    let length = text.find(ends_word).unwrap_or(text.len()).max(text.chars().next().map_or(0, char::len_utf8));
    let whole: String = text[..length].chars().map(folded).collect();
    if let Some(result) = GameResult::read(&whole.replace('½', "1/2")) {
        return (Some(Token::Result(result, false)), length);
    }
    if let Some((token, length)) = number(text, &whole) {
        return (Some(token), length);
    }
    if let Some((length, mv)) = chinese_prefix(text) {
        return (Some(Token::Word(mv)), length);
    }
    if let Some(result) = GameResult::read_chinese(&whole) {
        return (Some(Token::Result(result, true)), length);
    }
    // 第3回合, and a move that is left out because Black begins.
    let is_round = whole.starts_with('第') && whole.ends_with("回合");
    let is_blank = whole.chars().count() > 1 && whole.chars().all(|letter| matches!(letter, '-' | '.' | '…' | '='));
    ((!is_round && !is_blank).then_some(Token::Word(whole)), length)
}

/// A move number at the beginning of the text, and its length. `33.4` is a move of a pawn in WXF notation, a year no number.
fn number(text: &str, word: &str) -> Option<(Token, usize)> {
    let is_pawn =
        |word: &[u8]| matches!(*word, [a, b, b'.' | b'=' | b'+' | b'-', c] if [a, b, c].iter().all(u8::is_ascii_digit));
    if is_pawn(word.as_bytes()) {
        return None;
    }
    let (mut digits, mut dots, mut length) = (String::new(), 0, 0);
    for (offset, letter) in text.char_indices() {
        match folded(letter) {
            digit @ '0'..='9' if dots == 0 && digits.len() < 4 => digits.push(digit),
            '①'..='⑳' if length == 0 => digits = (letter as u32 - '①' as u32 + 1).to_string(),
            '⑴'..='⒇' if length == 0 => digits = (letter as u32 - '⑴' as u32 + 1).to_string(),
            '⒈'..='⒛' if length == 0 => {
                digits = (letter as u32 - '⒈' as u32 + 1).to_string();
                dots = 1;
            }
            '.' | '。' | '、' if !digits.is_empty() => dots += 1,
            '…' if !digits.is_empty() => dots += 3,
            _ => break,
        }
        length = offset + letter.len_utf8();
    }
    let next = text[length..].chars().next();
    // What follows digits without a dot is a word with them in front, unless it is a Chinese move.
    let is_number = dots > 0 || next.is_none_or(|next| ends_word(next) || !next.is_ascii() && folded(next) == next);
    let number: u32 = digits.parse().ok().filter(|_| digits.len() <= 3 && is_number)?;
    // A piece's number in front, as in 一兵平四 with digits: 1兵平4.
    let is_piece = || is_like_chinese_move(word) && chinese_prefix(&text[length..]).is_none();
    if dots == 0 && (chinese_prefix(text).is_some() || is_piece()) {
        return None;
    }
    let blank = blank_length(&text[length..]);
    Some((Token::Number(number, dots > 1 || blank > 0), length + blank))
}

/// The length in bytes of dots or dashes, with the blanks before them, that stand for Red's move behind a number: `1. ... c5`.
fn blank_length(text: &str) -> usize {
    let rest = text.trim_start();
    let marks = rest.chars().take_while(|&letter| matches!(folded(letter), '-' | '.' | '…' | '='));
    let (count, bytes) = marks.fold((0, 0), |(count, bytes), mark| (count + 1, bytes + mark.len_utf8()));
    let is_whole = rest[bytes..].chars().next().is_none_or(|next| ends_word(next) || !next.is_ascii());
    if is_whole && (count > 1 || rest.starts_with('…')) { text.len() - rest.len() + bytes } else { 0 }
}

/// A comment without the commands of programs in it (`[%eval 0.2]`), its blanks as single ones.
fn comment(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        kept.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    single_line(&kept)
}

/// Length in bytes of the tag that `text` begins with. It ends on the same line with the bracket after the quoted value,
/// which may contain brackets itself.
fn tag_length(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (offset, letter) in text.char_indices() {
        match letter {
            '"' => is_quoted = true,
            ']' if !is_quoted || text[..offset].trim_end().ends_with('"') => return Some(offset + 1),
            _ => {}
        }
    }
    None
}

/// Name and value of a tag; `None` for what is none: only `[Name "value"]` is one.
fn name_and_value(tag: &str) -> Option<(&str, &str)> {
    let (name, value) = tag.strip_prefix('[')?.strip_suffix(']')?.trim().split_once('"')?;
    let (name, value) = (name.trim(), value.strip_suffix('"')?);
    let is_name =
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'));
    is_name.then_some((name, value))
}

/// Whether a tag begins the text.
fn begins_with_tag(text: &str) -> bool {
    text.starts_with('[') && tag_length(text).is_some_and(|length| name_and_value(&text[..length]).is_some())
}

/// The value of a tag without the backslashes before quotes and backslashes.
pub(super) fn tag_value(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = (letter == '\\').then(|| letters.next_if(|&next| matches!(next, '"' | '\\'))).flatten();
        text.push(escaped.unwrap_or(letter));
    }
    visible(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut lexer = Lexer::default();
        let mut tokens: Vec<Token> = text.lines().flat_map(|line| lexer.line(line)).collect();
        tokens.extend(lexer.finish());
        tokens
    }

    fn words(text: &str) -> String {
        let is_seen = |token: &Token| !matches!(token, Token::Source(_));
        let word = |token| match token {
            Token::Word(word) => word,
            Token::Number(number, false) => format!("{number}."),
            Token::Number(number, true) => format!("{number}..."),
            Token::Result(result, _) => result.text().to_string(),
            Token::Comment(text) => format!("{{{text}}}"),
            Token::Glyph(glyph) => format!("${glyph}"),
            Token::Open => "(".to_string(),
            Token::Close => ")".to_string(),
            token => format!("{token:?}"),
        };
        tokens(text).into_iter().filter(is_seen).map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_are_separated_in_every_way() {
        for text in [
            "1. 炮二平五 马8进7 2. 马二进三 车9平8",
            "1.炮二平五马8进7 2.马二进三车9平8",
            "1、炮二平五，马8进7。2、马二进三，车9平8。",
            "１．炮二平五　马8进7 ２．马二进三　车9平8",
            "⒈炮二平五 马8进7 ⒉ 马二进三 车9平8",
            "① 炮 二 平 五 马 8 进 7 ② 马二进三 车9平8",
            "1炮二平五 马8进7\n2马二进三 车9平8",
        ] {
            assert_eq!(words(text), "1. 炮二平五 马8进7 2. 马二进三 车9平8", "{text}");
        }
        assert_eq!(words("第1回合 炮二平五！马8进7？！ 红胜"), "炮二平五 $1 马8进7 $6 1-0");
        assert_eq!(words("1. ---- 炮8平5 1－0 ½-½ 1/2-1/2"), "1... 炮8平5 1-0 1/2-1/2 1/2-1/2");
        for text in ["1. …… 炮8平5", "1. … 炮8平5", "1 ... 炮8平5", "1．……炮8平5", "1. ...炮8平5"]
        {
            assert_eq!(words(text), "1... 炮8平5", "{text}");
        }
        assert_eq!(words("1. Ｃ２＝５ Ｈ８＋７ 33.4 13=4 1... c5 $3"), "1. C2=5 H8+7 33.4 13=4 1... c5 $3");
        assert_eq!(words("2024 3+.4 前炮-2 前兵七平六"), "2024 3+.4 前炮-2 前兵七平六");
    }

    #[test]
    fn brackets_go_over_lines() {
        assert_eq!(words("h2e2 {a\n[b] } (1... c5 {x) }\n) ; y"), "h2e2 {a [b]} ( 1... c5 {x)} ) {y}");
        assert_eq!(words("（如改走炮8平5）【好 棋】"), "( 如改走炮8平5 ) {好 棋}");
        let source = |token| match token {
            Token::Source(text) => Some(text),
            _ => None,
        };
        let written: String = tokens("h2e2 (a!，  b {c} d\n) (e)").into_iter().filter_map(source).collect();
        assert_eq!(written, "a!，  b  d e");
        let mut cut = tokens("h2e2 {a\n[Red \"x\"]\n(");
        cut.retain(|token| !matches!(token, Token::Source(_)));
        assert_eq!(
            cut[1..],
            [Token::Unclosed('{'), Token::Tag("Red".into(), "x".into()), Token::Open, Token::Unclosed('(')]
        );
        assert_eq!(tokens("[Red \"a [b] c\"] [x"), [Token::Tag("Red".into(), "a [b] c".into()), Token::Unclosed('[')]);
        assert_eq!(words("h2e2 {[%eval 0.2] good [%clk 1]} %x"), "h2e2 {good}");
    }
}
