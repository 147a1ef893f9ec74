//! Texts in columns of a fixed width. Latin letters are one column wide, Chinese characters two.

/// The text with blanks behind it, up to `columns` columns.
pub fn left_aligned(text: &str, columns: usize) -> String {
    text.to_string() + &blanks(text, columns)
}

/// The text with blanks before it, up to `columns` columns.
pub fn right_aligned(text: &str, columns: usize) -> String {
    blanks(text, columns) + text
}

fn blanks(text: &str, columns: usize) -> String {
    let width: usize = text.chars().map(|char| if char.is_ascii() { 1 } else { 2 }).sum();
    " ".repeat(columns.saturating_sub(width))
}
