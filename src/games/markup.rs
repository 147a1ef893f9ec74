//! What pages put into the texts that are copied from them: HTML elements and entities.

use std::borrow::Cow;

/// Elements of layout. Others stay: `<` also occurs in comments.
const ELEMENTS: [&str; 10] = ["br", "p", "div", "span", "pre", "td", "tr", "table", "tbody", "font"];

/// Greatest length of an element, in bytes.
const MAX_ELEMENT: usize = 512;

/// The text without elements of layout; a blank stands for each.
pub(super) fn without_elements(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        kept.push_str(before);
        let name = after.strip_prefix('/').unwrap_or(after);
        let name = &name[..name.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let is_layout = ELEMENTS.iter().any(|element| element.eq_ignore_ascii_case(name));
        let end = after.bytes().take(MAX_ELEMENT).position(|byte| byte == b'>').filter(|_| is_layout);
        match end {
            Some(end) => {
                kept.push(' ');
                rest = &after[end + 1..];
            }
            None => {
                kept.push('<');
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The text with characters in place of entities (`&amp;`, `&#65;`) and of escapes as in scripts (`\u4e00`).
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['&', '\\']) {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let (letter, length) = escape(rest).unwrap_or((if rest.starts_with('&') { '&' } else { '\\' }, 1));
        plain.push(letter);
        rest = &rest[length..];
    }
    plain + rest
}

/// The character that an escape at the beginning of the text stands for, and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    if let Some(rest) = text.strip_prefix("\\u") {
        let number = u32::from_str_radix(rest.get(..4)?, 16).ok()?;
        return Some((char::from_u32(number)?, 6));
    }
    let name = text.strip_prefix('&')?.split(';').next().filter(|name| name.len() <= 8)?;
    let letter = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "nbsp" => ' ',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(number) => u32::from_str_radix(number, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    };
    let length = 1 + name.len();
    text[length..].starts_with(';').then_some((letter, length + 1))
}

/// The text with entities for the characters that [`unescaped`] and readers of markup would take for others.
pub(super) fn escaped(text: &str, special: &[char]) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '<' | '\\' => plain.push_str(&format!("&#{};", u32::from(letter))),
            _ if special.contains(&letter) => plain.push_str(&format!("&#{};", u32::from(letter))),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_layout_are_left_out() {
        for (text, plain) in [
            ("<p>[Event \"x\"]<br />", " [Event \"x\"] "),
            ("a < b > c", "a < b > c"),
            ("</script><img x>", "</script><img x>"),
            ("x<BR>y<br", "x y<br"),
        ] {
            assert_eq!(without_elements(text), plain);
        }
    }

    #[test]
    fn escapes_are_read_and_written() {
        assert_eq!(unescaped("a&amp;b&#65;&#x4e00;\\u4e8c&nbsp;&x;&#;\\n&"), "a&bA一二 &x;&#;\\n&");
        let text = "a&b [c] <d> \\u4e8c ||";
        assert_eq!(unescaped(&escaped(text, &['[', '|'])), text);
        assert!(!escaped(text, &['[', '|']).contains(['<', '[', '|', '\\']));
    }
}
