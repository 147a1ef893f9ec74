//! Writing PGN (Portable Game Notation) as xiangqi programs read it.

use super::loss::FORMAT_TAGS;
use super::record::GameRecord;
use super::tree::{MoveTree, NodeId, TreeCursor};
use crate::notation::Notation;
use crate::position::START_FEN;
use crate::types::Color;
use std::fmt::Write;

/// Maximum width of a line of moves, in bytes.
const WIDTH: usize = 100;

/// A game as PGN, with its variations and comments. Quotes in tags become apostrophes, and braces in comments round brackets.
pub fn write(record: &GameRecord, notation: Notation) -> String {
    let mut text = tags(record, notation);
    let mut writer = MoveWriter::new(record, notation);
    writer.comment(MoveTree::ROOT);
    for step in steps(&record.tree) {
        match step {
            Step::Move(node) => writer.mv(node),
            Step::Open => writer.open(),
            Step::Close => writer.close(),
        }
    }
    text.push_str(&writer.finish(record.result.text()));
    text
}

/// The tags, and the empty line after them.
fn tags(record: &GameRecord, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Quotes become apostrophes and backslashes slashes, since not every program knows escapes.
        let value = value.replace('"', "'").replace('\\', "/").replace(['\n', '\r'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    for (name, value) in &record.tags {
        if is_name(name) && !FORMAT_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            tag(name, value);
        }
    }
    tag("Result", record.result.text());
    tag("Format", format_name(notation));
    let fen = record.start.to_fen();
    if fen != START_FEN {
        tag("FEN", &fen);
    }
    text + "\n"
}

/// Whether a text can be the name of a tag.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The value of the tag `Format`.
fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Iccs => "ICCS",
        Notation::Wxf => "WXF",
        Notation::Chinese(_) => "Chinese",
    }
}

/// The number of a move with its dots: `18.` of Red's, `18...` of Black's. `ply`: 0 for Red's first move.
pub fn move_number(ply: usize) -> String {
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}

/// A step of writing a tree: a variation comes after the move to which it is an alternative.
enum Step {
    /// A move.
    Move(NodeId),
    /// A variation begins.
    Open,
    /// It ends.
    Close,
}

/// The steps of writing a tree.
fn steps(tree: &MoveTree) -> impl Iterator<Item = Step> + '_ {
    // What is to come, the next at the end.
    let mut stack: Vec<Step> = tree.first_child(MoveTree::ROOT).map(Step::Move).into_iter().collect();
    std::iter::from_fn(move || {
        let step = stack.pop()?;
        if let Step::Move(node) = step {
            stack.extend(tree.first_child(node).map(Step::Move));
            let parent = tree.parent(node).unwrap_or(MoveTree::ROOT);
            if tree.first_child(parent) == Some(node) {
                let variations: Vec<NodeId> = tree.children(parent).skip(1).collect();
                for &variation in variations.iter().rev() {
                    stack.extend([Step::Close, Step::Move(variation), Step::Open]);
                }
            }
        }
        Some(step)
    })
}

/// Writes moves, comments and variations as words.
struct MoveWriter {
    notation: Notation,
    cursor: TreeCursor,
    words: Vec<String>,
    /// Whether the next move has its number in front even if it is Black's.
    needs_number: bool,
    opens: bool,
}

impl MoveWriter {
    /// At the start of the game.
    fn new(record: &GameRecord, notation: Notation) -> MoveWriter {
        let cursor = TreeCursor::new(record.tree.clone(), record.start.clone());
        MoveWriter { notation, cursor, words: Vec::new(), needs_number: true, opens: false }
    }

    /// The move that leads to `node`, the next of [`steps`], its glyph and comment.
    fn mv(&mut self, node: NodeId) {
        let tree = self.cursor.tree();
        let (parent, mv) = (tree.parent(node).unwrap_or(MoveTree::ROOT), tree.mv(node));
        self.cursor.go_to(parent);
        let position = self.cursor.position();
        let first = (position.side().index() + position.plies()) % 2;
        let ply = first + position.plies();
        if position.side() == Color::Red || self.needs_number {
            self.push(move_number(ply));
        }
        let text = mv.map(|mv| self.notation.write(self.cursor.position(), mv));
        text.into_iter().for_each(|text| self.push(text));
        self.cursor.go_to(node);
        self.needs_number = false;
        let glyph = self.cursor.tree().glyph(node);
        if glyph != 0 {
            self.push(format!("${glyph}"));
        }
        self.comment(node);
    }

    /// The comment of a node; nothing without one.
    fn comment(&mut self, node: NodeId) {
        let text = self.cursor.tree().comment(node).replace('{', "(").replace('}', ")");
        if text.is_empty() {
            return;
        }
        let text = format!("{{{text}}}");
        text.split_whitespace().for_each(|word| self.push(word.to_string()));
        self.needs_number = true;
    }

    /// Begins a variation.
    fn open(&mut self) {
        (self.opens, self.needs_number) = (true, true);
    }

    /// Ends it.
    fn close(&mut self) {
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
        self.needs_number = true;
    }

    fn push(&mut self, word: String) {
        self.words.push(if std::mem::take(&mut self.opens) { format!("({word}") } else { word });
    }

    /// The lines, with the result at the end.
    fn finish(mut self, result: &str) -> String {
        self.push(result.to_string());
        let mut text = String::new();
        write_words(&mut text, &self.words);
        text
    }
}

/// Appends the words in lines of limited width.
fn write_words(text: &mut String, words: &[String]) {
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
    use crate::games::record::GameResult;
    use crate::position::Position;
    use crate::types::Move;

    fn moves<const N: usize>(texts: [&str; N]) -> [Move; N] {
        texts.map(|mv| mv.parse().unwrap())
    }

    #[test]
    fn moves_have_numbers_and_games_a_format() {
        let start = Position::from_fen("3k5/9/9/9/p8/9/9/9/4R4/4K4 b - - 3 7").unwrap();
        let mut record = GameRecord::new(start);
        record.tree = MoveTree::of_line(&moves(["a5a4", "e1e2", "a4a3"]));
        record.result = GameResult::Drawn;
        let formats = [
            (Notation::Iccs, "ICCS", "1... a5a4 2. e1e2 a4a3"),
            (Notation::Wxf, "WXF", "1... P1+1 2. R5+1 P1+1"),
            (Notation::Chinese(crate::notation::Script::Simplified), "Chinese", "1... 卒１进１ 2. 车五进一 卒１进１"),
        ];
        for (notation, format, movetext) in formats {
            let expected = format!(
                "[Game \"Chinese Chess\"]\n[Result \"1/2-1/2\"]\n[Format \"{format}\"]\n[FEN \"{}\"]\n\n{movetext} 1/2-1/2\n",
                record.start.to_fen()
            );
            assert_eq!(write(&record, notation), expected);
        }
    }

    #[test]
    fn variations_follow_what_they_replace() {
        let [a, b, c, d, e, f, g] = moves(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2", "a0a1", "g6g5"]);
        let mut tree = MoveTree::of_line(&[a, b, c]);
        let first = tree.main_line().next().unwrap();
        let variation = tree.add(first, d);
        tree.add(variation, e);
        let inner = tree.add(variation, f);
        tree.add(first, g);
        tree.add_comment(inner, "a {b}");
        tree.add_comment(MoveTree::ROOT, "first");
        tree.set_glyph(first, 1);
        let record = GameRecord { tree, ..GameRecord::new(Position::start()) };
        let text = write(&record, Notation::Iccs);
        let expected = "{first} 1. h2e2 $1 h9g7 (1... b9c7 2. b0c2 (2. a0a1 {a (b)})) (1... g6g5) 2. h0g2 *";
        assert_eq!(text.lines().last(), Some(expected), "{text}");
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
