//! Texts of files and servers without characters that command a terminal.

/// Whether a character commands a terminal or changes the direction of writing: a text from outside must neither do one nor
/// turn around what stands beside it.
pub fn commands_terminal(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without such characters; line ends and tabs become blanks.
pub fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\r' | '\t' => Some(' '),
        _ if commands_terminal(letter) => None,
        _ => Some(letter),
    };
    text.chars().filter_map(shown).collect()
}

/// The same, with single blanks.
pub fn single_line(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn texts_have_no_control_characters() {
        assert_eq!(visible("a\u{1b}[2J\tb\r\n\u{202e}张三\u{7}"), "a[2J b  张三");
    }
}
