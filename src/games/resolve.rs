//! The moves of a game as it is written, made legal moves of a tree.

use super::error::ReadError;
use super::lexer::is_chinese;
use super::tree::{MoveTree, NodeId, TreeCursor};
use super::visible::single_line;
use crate::notation::{Letters, Pawns, Ranks, Reading, is_like_chinese_move, may_be_move, read_as};
use crate::position::Position;

/// A part of a game as it is written, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub line: usize,
    pub part: Part,
}

/// See [`Item`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A move, or what is none.
    Word(String),
    /// A comment.
    Comment(String),
    /// A numeric annotation glyph of the last move.
    Glyph(u8),
    /// A variation begins.
    Open,
    /// It ends.
    Close,
    /// The text of a variation as it is written, since the last bracket or comment.
    Source(String),
}

/// The tree of the moves from `start`, and the first error. A variation that begins with no legal move is a comment, and so
/// is what is written in Chinese between moves and looks like none.
///
/// Where texts leave open what they mean (how ranks are numbered, whose letters and which standard for pawns WXF notation
/// follows), the reading under which the main line is legal to its end is taken: the usual one if that is. If there is
/// none, or two mean different moves, the error is that of the reading that goes farthest.
pub(super) fn tree(start: &Position, items: &[Item]) -> (MoveTree, Option<ReadError>) {
    let usual = read(start, items, Reading::default());
    if usual.main_error.is_none() {
        return (usual.tree, usual.error);
    }
    let mut best = usual;
    for letters in [Letters::English, Letters::Vietnamese] {
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            let with = |pawns| read(start, items, Reading { ranks, letters, pawns });
            let plain = with(None);
            let legal = if plain.main_error.is_none() {
                Some(plain)
            } else {
                let both = [Pawns::ByFile, Pawns::Numbered].map(|pawns| with(Some(pawns)));
                best = farther(best, plain);
                match both.map(|game| Some(game).filter(|game| game.main_error.is_none())) {
                    [Some(one), Some(other)] => Some(one).filter(|one| one.tree == other.tree),
                    [one, other] => one.or(other),
                }
            };
            if let Some(game) = legal {
                return (game.tree, game.error);
            }
        }
    }
    (best.tree, best.error)
}

/// What a reading gives.
struct Game {
    tree: MoveTree,
    /// The first error.
    error: Option<ReadError>,
    /// Number of moves before the first error of the main line, if it has one.
    main_error: Option<usize>,
}

/// The one that has more of the main line, the first if they have the same.
fn farther(one: Game, other: Game) -> Game {
    if other.main_error > one.main_error { other } else { one }
}

/// An open variation.
struct Open {
    /// The item that begins it.
    item: usize,
    /// The node to go back to.
    back: NodeId,
    /// Whether it has a move.
    has_move: bool,
    /// Comments and words before its first move.
    remarks: Vec<String>,
}

/// Adds a comment to the move before it, or where a variation has no move yet, to its first.
fn add_comment(cursor: &mut TreeCursor, open: &mut [Open], text: &str) {
    match open.last_mut().filter(|variation| !variation.has_move) {
        Some(variation) => variation.remarks.push(text.to_string()),
        None => {
            let node = cursor.node();
            cursor.tree().add_comment(node, text);
        }
    }
}

fn read(start: &Position, items: &[Item], reading: Reading) -> Game {
    let mut cursor = TreeCursor::new(MoveTree::new(), start.clone());
    let mut game = Game { tree: MoveTree::new(), error: None, main_error: None };
    let mut open: Vec<Open> = Vec::new();
    // Number of variations open within one that is passed over.
    let mut passed = None;
    for (index, Item { line, part }) in items.iter().enumerate() {
        if let Some(depth) = &mut passed {
            match part {
                Part::Open => *depth += 1,
                Part::Close if *depth > 0 => *depth -= 1,
                Part::Close => passed = None,
                _ => {}
            }
            if passed.is_some() {
                continue;
            }
        }
        match part {
            Part::Comment(text) => add_comment(&mut cursor, &mut open, text),
            Part::Source(_) => {}
            Part::Glyph(glyph) => {
                let node = cursor.node();
                if node != MoveTree::ROOT && open.last().is_none_or(|variation| variation.has_move) {
                    cursor.tree().set_glyph(node, *glyph);
                }
            }
            Part::Open => {
                let node = cursor.node();
                open.push(Open { item: index, back: node, has_move: false, remarks: Vec::new() });
                let before = cursor.tree().parent(node).unwrap_or(MoveTree::ROOT);
                cursor.go_to(before);
            }
            Part::Close => {
                let Some(variation) = open.pop() else { continue };
                cursor.go_to(variation.back);
                if !variation.has_move {
                    let text = text_of(&items[variation.item + 1..index]);
                    add_comment(&mut cursor, &mut open, &text);
                }
            }
            Part::Word(word) => {
                let added = read_as(cursor.position(), word, reading).map_err(Into::into).and_then(|mv| cursor.add(mv));
                let has_move = open.last().is_none_or(|variation| variation.has_move);
                match added {
                    Ok(()) => {
                        if let Some(variation) = open.last_mut() {
                            variation.has_move = true;
                            let node = cursor.node();
                            for remark in variation.remarks.drain(..) {
                                cursor.tree().add_comment(node, &remark);
                            }
                        }
                    }
                    Err(_) if !may_be_move(word) && is_remark(word) => add_comment(&mut cursor, &mut open, word),
                    // Its words become a comment at its end.
                    Err(_) if !has_move => passed = Some(0),
                    Err(kind) => {
                        game.error.get_or_insert(ReadError::in_line(*line, kind));
                        if open.is_empty() {
                            game.main_error = Some(cursor.position().plies());
                            break;
                        }
                        passed = Some(0);
                    }
                }
            }
        }
    }
    game.tree = cursor.into_tree();
    game
}

/// Whether a word is of a remark in Chinese, not a move that is written wrongly.
fn is_remark(word: &str) -> bool {
    word.starts_with(|letter| is_chinese(letter) || matches!(letter, '“' | '”' | '《' | '》' | '…'))
        && !is_like_chinese_move(word)
}

/// A variation as the text that it is.
fn text_of(items: &[Item]) -> String {
    let text: String = items
        .iter()
        .map(|item| match &item.part {
            Part::Source(text) | Part::Comment(text) => text,
            Part::Open => "(",
            Part::Close => ")",
            Part::Word(_) | Part::Glyph(_) => "",
        })
        .collect();
    single_line(&text)
}
