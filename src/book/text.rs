//! Books as text, for reading, editing and comparing: a line `move weight FEN` for each move, the format of
//! ElephantEye's books before version 2.
//!
//! A book stores only the locks of its positions (see [`super::dat`]). Positions that the book's moves reach from the
//! start position are written with their FEN; the others with `@` and the lock in hexadecimal.

use super::dat::{BookEntry, OpeningBook, entry_of, locks};
use crate::position::Position;
use crate::types::Move;
use std::collections::HashMap;
use std::fmt::Write;
use thiserror::Error;

/// Why a text cannot be read as a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem} {text:?}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: &'static str,
    /// The beginning of the text that cannot be read.
    pub text: String,
}

/// Writes a book as text.
pub fn write(book: &OpeningBook) -> String {
    let fens = fens(book);
    let mut text = String::new();
    for entries in book.entries().chunk_by(|one, next| one.lock == next.lock) {
        let known = fens.get(&entries[0].lock).and_then(|fen| Some((Position::from_fen(fen).ok()?, fen)));
        for entry in entries {
            let Some(mv) = entry.mv() else { continue };
            // An entry that would be read back as another one, or not at all, is written with its lock.
            let known = known
                .as_ref()
                .filter(|(position, _)| position.is_legal(mv) && entry_of(position, mv, entry.weight) == *entry);
            let _ = match known {
                Some((_, fen)) => writeln!(text, "{mv} {} {fen}", entry.weight),
                None => writeln!(text, "{mv} {} @{:08x}", entry.weight, entry.lock),
            };
        }
    }
    text
}

/// The FENs (board and side) of the positions that the book's moves reach from the start position, and of their mirror
/// images, by lock.
fn fens(book: &OpeningBook) -> HashMap<u32, String> {
    let mut fens = HashMap::new();
    book.walk(|position, _| {
        let [own, image] = locks(position);
        fens.insert(image, board_and_side(&position.mirrored()));
        fens.insert(own, board_and_side(position));
    });
    fens
}

/// The first two fields of the FEN.
fn board_and_side(position: &Position) -> String {
    position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The first word and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Reads the output of [`write()`], or such lines in any order and of either mirror image. In a position that equals
/// its mirror image, the mirror image of a move needs a line of its own. Blank lines and lines that begin with `#` are
/// skipped.
///
/// # Errors
/// The first line that cannot be read.
pub fn read(text: &str) -> Result<OpeningBook, TextError> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let error = |problem, text: &str| TextError { line: number, problem, text: text.chars().take(32).collect() };
        let (mv, rest) = split(line);
        let (weight, position) = split(rest);
        let mv: Move = mv.parse().map_err(|_| error("not a move:", mv))?;
        let weight: u16 = weight.parse().map_err(|_| error("not a weight:", weight))?;
        if let Some(lock) = position.strip_prefix('@') {
            let lock = u32::from_str_radix(lock, 16).map_err(|_| error("not a lock:", position))?;
            let entry = BookEntry { lock, mv: mv.bits(), weight };
            if entry.mv().is_none() {
                return Err(error("not a move:", &mv.to_string()));
            }
            entries.push(entry);
        } else {
            let position = Position::from_fen(position).map_err(|_| error("not a FEN:", position))?;
            if !position.is_legal(mv) {
                return Err(error("illegal move:", &mv.to_string()));
            }
            entries.push(entry_of(&position, mv, weight));
        }
    }
    Ok(OpeningBook::from_entries(entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::dat::entries_of;
    use crate::position::START_FEN;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap()));
        position
    }

    #[test]
    fn written_book_is_read_back() {
        let lines: [(&[&str], &str, u16); 4] =
            [(&[], "h2e2", 700), (&["h2e2"], "h9g7", 9), (&["h2e2", "h9g7"], "h0g2", 3), (&["a3a4"], "a6a5", 5)];
        let entries =
            lines.iter().flat_map(|(moves, mv, weight)| entries_of(&after(moves), mv.parse().unwrap(), *weight));
        let book = OpeningBook::from_entries(entries);
        let text = write(&book);
        assert_eq!(read(&text), Ok(book), "{text}");
        assert_eq!(text.lines().count(), 5);
        assert!(text.contains(&format!("h2e2 700 {}\n", &START_FEN[..START_FEN.len() - 8])), "{text}");
        assert!(text.contains("b9c7 9 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b\n"), "{text}");
        assert_eq!(text.matches('@').count(), 1, "no move of the book leads there:\n{text}");
    }

    /// Entries that are illegal in the position of their lock, or stored under the greater of the two locks.
    #[test]
    fn entries_that_a_fen_cannot_express_are_written_with_the_lock() {
        let entry = |position: &Position, mv: &str| {
            let lock = locks(position).into_iter().max().unwrap();
            BookEntry { lock, mv: mv.parse::<Move>().unwrap().bits(), weight: 4 }
        };
        let start = Position::start();
        let book =
            OpeningBook::from_entries([entry(&start, "h2e2"), entry(&start, "a0a9"), entry(&after(&["h2e2"]), "h9g7")]);
        let text = write(&book);
        assert_eq!(read(&text), Ok(book), "{text}");
        assert_eq!(text.matches('@').count(), 2, "{text}");
    }

    #[test]
    fn either_mirror_image_is_read() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
        let book = read(&format!("# after the central cannon\n\nh9g7\t9  {fen}\n")).unwrap();
        assert_eq!(book.find(&after(&["b2e2"]))[0].mv.to_string(), "b9c7");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("\nx2e2 3 @00000001"), "line 2: not a move: \"x2e2\"");
        assert_eq!(error("e2e2 3 @00000001"), "line 1: not a move: \"e2e2\"");
        assert_eq!(error("h2e2 70000 @00000001"), "line 1: not a weight: \"70000\"");
        assert_eq!(error("h2e2 3 @nowhere"), "line 1: not a lock: \"@nowhere\"");
        assert_eq!(error("h2e2 3"), "line 1: not a FEN: \"\"");
        assert_eq!(error(&format!("h2h9 3 {START_FEN}\nh2h7 3 {START_FEN}")), "line 2: illegal move: \"h2h7\"");
    }
}
