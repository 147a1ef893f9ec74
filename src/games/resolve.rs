//! The moves of a game as it is written, made legal moves of a tree.

use super::error::{ReadError, ReadErrorKind};
use super::lexer::is_chinese;
use super::tree::{MoveTree, NodeId, TreeCursor};
use super::visible::single_line;
use crate::notation::{self, Letters, NotationError, Pawns, Ranks, Reading};
use crate::notation::{is_like_chinese_move, may_be_move, sides_of_chinese};
use crate::position::{Position, PositionBuilder};
use crate::types::{Color, Move};

/// Greatest number of lines that are followed at once behind an ambiguous move, and of moves read there in a game.
const MAX_LINES: usize = 16;
const MAX_AHEAD: usize = 20_000;

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
/// none, or two mean different moves, the error is that of the reading that goes farthest. An ambiguous move is the one with
/// which its line goes on. A move of the other side's by its characters ends the main line.
pub(super) fn tree(start: &Position, items: &[Item]) -> (MoveTree, Option<ReadError>) {
    let out_of_turn = out_of_turn(start.side(), items);
    let game = game(start, &items[..out_of_turn.as_ref().map_or(items.len(), |&(index, _)| index)]);
    (game.tree, game.error.or(out_of_turn.map(|(_, error)| error)))
}

/// Whether the first move is one from `other`, the position of `start` with the other side to move: if it is legal only
/// there; and if it is legal in both, when its characters (将5平4) or its number (`1...`) say so, or when the main line is
/// legal to its end only there.
pub(super) fn is_of_other_side(start: &Position, other: &Position, is_numbered_black: bool, items: &[Item]) -> bool {
    let Some((_, _, first)) = words(items).next() else { return false };
    let is_legal = |position: &Position| {
        [Letters::English, Letters::Vietnamese].iter().any(|&letters| {
            [Ranks::FromZero, Ranks::FromOne]
                .iter()
                .any(|&ranks| notation::candidates(position, first, Reading { ranks, letters, pawns: None }).is_ok())
        })
    };
    if !is_legal(other) {
        return false;
    }
    let says = match sides_of_chinese(first) {
        [Some((_, one)), Some((_, two))] => Some(one).filter(|_| one == two),
        _ => Some(Color::Black).filter(|_| is_numbered_black),
    };
    let is_whole = |position: &Position| {
        out_of_turn(position.side(), items).is_none() && game(position, items).main_error.is_none()
    };
    !is_legal(start) || says == Some(other.side()) || says.is_none() && !is_whole(start) && is_whole(other)
}

/// The best reading.
fn game(start: &Position, items: &[Item]) -> Game {
    let usual = read(start, items, Reading::default());
    if usual.main_error.is_none() {
        return usual;
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
                return game;
            }
        }
    }
    best
}

/// The words of a line of play that are moves or are to be some, with their items: those up to the bracket that ends it,
/// outside of variations.
fn words(items: &[Item]) -> impl Iterator<Item = (usize, &Item, &str)> {
    let mut depth = 0i32;
    let line = items.iter().enumerate().take_while(move |(_, item)| {
        depth += match item.part {
            Part::Open => 1,
            Part::Close => -1,
            _ => 0,
        };
        depth >= 0
    });
    let mut depth = 0;
    line.filter_map(move |(index, item)| {
        match &item.part {
            Part::Open => depth += 1,
            Part::Close => depth -= 1,
            Part::Word(word) if depth == 0 && !is_remark(word) => return Some((index, item, word.as_str())),
            _ => {}
        }
        None
    })
}

/// The first move of the main line that is the other side's by its characters, if the game distinguishes those, and if the
/// next move that tells is the other side's too: then one was left out, or lost. One alone is a slip.
fn out_of_turn(first: Color, items: &[Item]) -> Option<(usize, ReadError)> {
    let words: Vec<_> = words(items).map(|(index, item, word)| (index, item, word, sides_of_chinese(word))).collect();
    let marks = || words.iter().flat_map(|(.., sides)| sides).flatten();
    let is_distinguished = |kind| Color::ALL.iter().all(|&side| marks().any(|&mark| mark == (kind, side)));
    let mut distinguished = Vec::new();
    for &(kind, _) in marks() {
        if !distinguished.contains(&(kind, true)) && !distinguished.contains(&(kind, false)) {
            distinguished.push((kind, is_distinguished(kind)));
        }
    }
    // Number of the move, the side that it is of, and whether that is not to move.
    let told = words.iter().enumerate().filter_map(|(number, (.., sides))| {
        let mut sides = sides.iter().flatten().filter(|(kind, _)| distinguished.contains(&(*kind, true)));
        let (_, side) = sides.next()?;
        let turn = if number % 2 == 0 { first } else { !first };
        sides.all(|(_, other)| other == side).then_some((number, *side, *side != turn))
    });
    let told: Vec<(usize, Color, bool)> = told.collect();
    let wrong = told.iter().enumerate().find(|&(at, &(_, side, is_wrong))| {
        // At the end the side must have told before.
        let next = told.get(at + 1).map(|&(_, _, is_wrong)| is_wrong);
        let before = told[..at].iter().rev().find(|(_, other, _)| *other == side);
        is_wrong && next.unwrap_or(before.is_some_and(|&(_, _, is_wrong)| !is_wrong))
    });
    let &(number, side, _) = wrong?.1;
    let (index, item, word, _) = &words[number];
    let kind = ReadErrorKind::OutOfTurn(word.chars().take(8).collect(), side);
    Some((*index, ReadError::in_line(item.line, kind)))
}

/// The move that a word means; of several the one that its line, the items after it, goes on with.
fn choose(
    position: &Position,
    word: &str,
    after: &[Item],
    reading: Reading,
    ahead: &mut usize,
) -> Result<Move, NotationError> {
    let found = notation::candidates(position, word, reading)?;
    let [first, _, ..] = found[..] else { return notation::read_as(position, word, reading) };
    // The lines that are legal so far: the move, and the position at their ends, without the history.
    let at = |mv| {
        let mut position = PositionBuilder::from(position).build().ok()?;
        position.make(mv);
        Some((mv, position))
    };
    let mut lines: Vec<(Move, Position)> = found.iter().filter_map(|&mv| at(mv)).collect();
    let is_decided = |lines: &[(Move, Position)]| lines.iter().all(|(mv, _)| *mv == lines[0].0);
    for (_, _, word) in words(after) {
        if is_decided(&lines) || lines.len() > MAX_LINES || *ahead < lines.len() {
            break;
        }
        *ahead -= lines.len();
        let mut longer = Vec::new();
        for (mv, position) in &lines {
            for next in notation::candidates(position, word, reading).unwrap_or_default() {
                let mut position = position.clone();
                position.make(next);
                longer.push((*mv, position));
            }
        }
        if longer.is_empty() {
            break;
        }
        lines = longer;
    }
    let one = lines.first().map_or(first, |(mv, _)| *mv);
    match lines.iter().find(|(mv, _)| *mv != one) {
        None => Ok(one),
        Some((other, _)) => Err(NotationError::Ambiguous(word.to_string(), one, *other)),
    }
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
    let mut ahead = MAX_AHEAD;
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
                let mv = choose(cursor.position(), word, &items[index + 1..], reading, &mut ahead);
                let added = mv.map_err(Into::into).and_then(|mv| cursor.add(mv));
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
                    Err(_) if is_remark(word) => add_comment(&mut cursor, &mut open, word),
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
        && !may_be_move(word)
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
