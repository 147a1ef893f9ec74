//! Texts in columns of a fixed width. Latin letters are one column wide, Chinese characters two.

/// The text with blanks behind it, up to `columns` columns.
pub(crate) fn left_aligned(text: &str, columns: usize) -> String {
    text.to_string() + &blanks(text, columns)
}

/// The text with blanks before it, up to `columns` columns.
pub(crate) fn right_aligned(text: &str, columns: usize) -> String {
    blanks(text, columns) + text
}

/// Whether a character is two columns wide.
pub(crate) const fn is_wide(letter: char) -> bool {
    letter >= '\u{2e80}'
}

/// Number of columns of a text.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|letter| 1 + usize::from(is_wide(letter))).sum()
}

fn blanks(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}
