//! Writing PGN (Portable Game Notation) as xiangqi programs read it.

use super::record::GameResult;
use crate::notation::Notation;
use crate::position::{Position, START_FEN};
use crate::types::{Color, Move};
use std::fmt::Write;

/// Maximum width of a line of moves, in bytes.
const WIDTH: usize = 100;

/// A game as PGN: the `tags` (name and value), the start position if it is not the usual one, the moves, and the
/// `result`.
pub fn write(
    tags: &[(&str, &str)],
    start: &Position,
    moves: &[Move],
    result: GameResult,
    notation: Notation,
) -> String {
    let mut text = String::new();
    write_tag(&mut text, "Game", "Chinese Chess");
    tags.iter().for_each(|(name, value)| write_tag(&mut text, name, value));
    write_tag(&mut text, "Result", result.text());
    write_tag(&mut text, "Format", format_name(notation));
    let fen = start.to_fen();
    if fen != START_FEN {
        write_tag(&mut text, "FEN", &fen);
    }
    text.push('\n');
    let mut words = Vec::new();
    for (ply, mv) in (start.side().index()..).zip(notation.write_line(start, moves)) {
        if ply % 2 == Color::Red.index() || words.is_empty() {
            words.push(move_number(ply));
        }
        words.push(mv);
    }
    words.push(result.text().to_string());
    write_words(&mut text, &words);
    text
}

/// The number of a move with its dots: `18.` of Red's, `18...` of Black's. `ply`: 0 for Red's first move.
pub fn move_number(ply: usize) -> String {
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}

/// Appends a tag. Of the value, quotes become apostrophes and backslashes slashes, since not every program knows escapes.
pub fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('"', "'").replace('\\', "/").replace(['\n', '\r'], " ");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// The value of the tag `Format`.
pub fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Iccs => "ICCS",
        Notation::Wxf => "WXF",
        Notation::Chinese(_) => "Chinese",
    }
}

/// Appends the words in lines of limited width.
pub fn write_words(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pgn;
    use crate::notation::Script;

    #[test]
    fn written_games_are_read_back() {
        let endgame = Position::from_fen("3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7").unwrap();
        for start in [Position::start(), endgame] {
            let mut position = start.clone();
            let mut moves = Vec::new();
            for number in 0..120 {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(number * 7 % legal.iter().count().max(1)) else { break };
                position.make(mv);
                moves.push(mv);
            }
            for notation in [Notation::Iccs, Notation::Wxf, Notation::Chinese(Script::Traditional)] {
                let text = write(&[("Red", "A \"b\\\nc")], &start, &moves, GameResult::Drawn, notation);
                let games: Vec<_> = pgn::games(&text).collect();
                assert!(games.len() == 1 && games[0].error.is_none(), "{text}");
                assert_eq!((games[0].start.to_fen(), &games[0].moves), (start.to_fen(), &moves), "{text}");
                assert!(text.contains("[Red \"A 'b/ c\"]\n") && text.lines().all(|line| line.len() <= WIDTH), "{text}");
            }
        }
    }

    #[test]
    fn moves_have_numbers_and_games_a_format() {
        let start = Position::from_fen("3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7").unwrap();
        let moves = ["a5a4", "e1e2", "a4a3"].map(|mv| mv.parse().unwrap());
        let formats = [
            (Notation::Iccs, "ICCS", "1... a5a4 2. e1e2 a4a3"),
            (Notation::Wxf, "WXF", "1... P1+1 2. R5+1 P1+1"),
            (Notation::Chinese(Script::Simplified), "Chinese", "1... 卒１进１ 2. 车五进一 卒１进１"),
        ];
        for (notation, format, movetext) in formats {
            let expected = format!(
                "[Game \"Chinese Chess\"]\n[Result \"1/2-1/2\"]\n[Format \"{format}\"]\n[FEN \"{}\"]\n\n{movetext} 1/2-1/2\n",
                start.to_fen()
            );
            assert_eq!(write(&[], &start, &moves, GameResult::Drawn, notation), expected);
        }
    }

    #[test]
    fn lines_are_filled() {
        for (lengths, expected) in
            [(vec![49, 50, 1], vec![100, 1]), (vec![50, 50], vec![50, 50]), (vec![101, 1], vec![101, 1])]
        {
            let mut text = String::new();
            write_words(&mut text, &lengths.iter().map(|&length| "x".repeat(length)).collect::<Vec<_>>());
            assert_eq!(text.lines().map(str::len).collect::<Vec<_>>(), expected);
        }
    }
}
