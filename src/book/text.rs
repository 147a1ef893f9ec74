//! Books as text, to be read, edited and compared: a line `move weight FEN` for each move, as ElephantEye's books were
//! written before version 2.
//!
//! A book knows its positions by their locks only. Those that are reached from the start position by moves of the book are
//! written with their FEN; of the others there is nothing but the lock, and that is written after an `@`.

use super::dat::{BookEntry, OpeningBook, entry_of, locks};
use crate::position::Position;
use crate::types::Move;
use std::collections::HashMap;
use std::fmt::Write;
use thiserror::Error;

/// Why a text is no book, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what} {text:?}")]
pub struct TextError {
    /// The line.
    pub line: usize,
    /// What cannot be read.
    pub what: &'static str,
    /// Its text, cut short.
    pub text: String,
}

/// The text of a book.
pub fn write(book: &OpeningBook) -> String {
    let names = names(book);
    let mut text = String::new();
    for entries in book.entries().chunk_by(|one, next| one.lock == next.lock) {
        let named = names.get(&entries[0].lock).and_then(|fen| Some((Position::from_fen(fen).ok()?, fen)));
        for entry in entries {
            let Some(mv) = entry.mv() else { continue };
            // What would be read as another record, or not at all, has its lock.
            let named = named
                .as_ref()
                .filter(|(position, _)| position.is_legal(mv) && entry_of(position, mv, entry.weight) == *entry);
            let _ = match named {
                Some((_, fen)) => writeln!(text, "{mv} {} {fen}", entry.weight),
                None => writeln!(text, "{mv} {} @{:08x}", entry.weight, entry.lock),
            };
        }
    }
    text
}

/// The FENs of the positions that moves of the book lead to from the start position, by lock.
fn names(book: &OpeningBook) -> HashMap<u32, String> {
    let mut names = HashMap::new();
    book.walk(|position, _| {
        let [own, image] = locks(position);
        let fen = position.to_fen();
        let mut words = fen.split(' ');
        let (board, side) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mirrored: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
        names.insert(image, format!("{} {side}", mirrored.join("/")));
        names.insert(own, format!("{board} {side}"));
    });
    names
}

/// The first word, and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Reads [`write()`], and `move weight FEN` lines in any order, of either mirror image. In a position that is its own image a
/// move stands for itself only. Blank lines and lines that begin with `#` are passed over.
///
/// # Errors
/// The first line that cannot be read.
pub fn read(text: &str) -> Result<OpeningBook, TextError> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let error = |what, text: &str| TextError { line: number, what, text: text.chars().take(32).collect() };
        let (mv, rest) = split(line);
        let (weight, place) = split(rest);
        let mv: Move = mv.parse().map_err(|_| error("not a move:", mv))?;
        let weight: u16 = weight.parse().map_err(|_| error("not a weight:", weight))?;
        if let Some(lock) = place.strip_prefix('@') {
            let lock = u32::from_str_radix(lock, 16).map_err(|_| error("not a lock:", place))?;
            let entry = BookEntry { lock, mv: mv.bits(), weight };
            if entry.mv().is_none() {
                return Err(error("not a move:", &mv.to_string()));
            }
            entries.push(entry);
        } else {
            let position = Position::from_fen(place).map_err(|_| error("not a FEN:", place))?;
            if !position.is_legal(mv) {
                return Err(error("not legal here:", &mv.to_string()));
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
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap(), &mut ()));
        position
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
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
        assert_eq!(text.matches('@').count(), 1, "nothing leads there:\n{text}");
    }

    /// A record that does not belong where its lock says, and one under the greater of its two locks.
    #[test]
    fn what_a_fen_cannot_say_is_said_by_the_lock() {
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
    fn either_mirror_image_may_be_written() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
        let book = read(&format!("# after the central cannon\n\nh9g7\t9  {fen}\n")).unwrap();
        assert_eq!(book.find(&after(&["b2e2"]))[0].mv.to_string(), "b9c7");
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("\nx2e2 3 @00000001"), "line 2: not a move: \"x2e2\"");
        assert_eq!(error("e2e2 3 @00000001"), "line 1: not a move: \"e2e2\"");
        assert_eq!(error("h2e2 70000 @00000001"), "line 1: not a weight: \"70000\"");
        assert_eq!(error("h2e2 3 @nowhere"), "line 1: not a lock: \"@nowhere\"");
        assert_eq!(error("h2e2 3"), "line 1: not a FEN: \"\"");
        assert_eq!(error(&format!("h2h9 3 {START_FEN}\nh2h7 3 {START_FEN}")), "line 2: not legal here: \"h2h7\"");
    }
}
