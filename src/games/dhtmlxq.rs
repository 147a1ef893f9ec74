//! DhtmlXQ: games as text, as the pages of 东萍 (dpxq.com) hold and export them.
//!
//! `[DhtmlXQ_NAME]value[/DhtmlXQ_NAME]` in any order, often amid HTML or a script. A square is two digits: the file from
//! the left, and the rank from the top.
//!
//! | name | value |
//! |---|---|
//! | `binit` | squares of the pieces: Red's R N B A K A B N R C C P P P P P, then Black's; 99: none. Empty: the start position |
//! | `movelist` | the main line: two squares a move |
//! | `move_P_N_B` | line B, which leaves line P (0: the main line) at its ply N, from 1: its moves from there on. Also without `move`: `[P_N_B]` |
//! | `commentN`, `commentB_N` | what is written after ply N of the main line, of line B; `\|\|` ends a line |
//! | `title`, `red` … | see `FIELDS` |

use super::error::{ReadError, ReadErrorKind};
use super::loss::{Loss, other_tags};
use super::markup::{escaped, unescaped, without_elements};
use super::record::{GameRecord, GameResult};
use super::tree::{MoveTree, NodeId, TreeCursor};
use super::turn;
use super::visible::single_line;
use super::xqf::{self, PIECES};
use crate::notation::NotationError;
use crate::position::{Position, PositionBuilder};
use crate::types::{Color, Move, Piece, Square};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// What a text in this format holds.
pub(super) const MARK: &str = "DhtmlXQ_";
/// The end of a game, if it is marked.
pub(super) const END: &str = "[/DhtmlXQ]";
/// What a game has once.
pub(super) const ONCE: [&str; 4] = ["[DhtmlXQ]", "[DhtmlXQ_title]", "[DhtmlXQ_binit]", "[DhtmlXQ_movelist]"];
/// The texts: tags of PGN and names.
const FIELDS: [(&str, &str); 13] = [
    ("Title", "title"),
    ("Event", "event"),
    ("Date", "date"),
    ("Site", "place"),
    ("Round", "round"),
    ("Red", "red"),
    ("Red", "redname"),
    ("RedTeam", "redteam"),
    ("Black", "black"),
    ("Black", "blackname"),
    ("BlackTeam", "blackteam"),
    ("Opening", "open"),
    ("Annotator", "author"),
];
/// Greatest number of characters of a name in an error.
const MAX_NAME: usize = 32;
/// The squares of the start position.
const START: &str = "0919293949596979891777062646668600102030405060708012720323436383";

/// Reads the game of a text. A `FEN` is read where there is no board.
///
/// # Errors
/// When the start position is invalid. An error in the moves is stored in the record.
pub fn read(text: &str) -> Result<GameRecord, ReadError> {
    let (fields, broken) = fields(text);
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    let mut moves: BTreeMap<usize, (usize, usize, &str)> = BTreeMap::new();
    for (name, value) in &fields {
        if let [parent, ply, line] = name.trim_start_matches("move_").split('_').collect::<Vec<_>>()[..]
            && let (Ok(parent), Ok(ply), Ok(line)) = (parent.parse(), ply.parse(), line.parse())
        {
            moves.insert(line, (parent, ply, value.as_str()));
        }
    }
    if !field("movelist").is_empty() {
        moves.insert(0, (0, 1, field("movelist")));
    }
    let main = moves.get(&0).map_or("", |&(_, _, moves)| moves);
    let mut record = GameRecord::new(start(field("binit"), main)?);
    for (tag, name) in FIELDS {
        let value = plain(field(name));
        if !value.is_empty() && record.tag(tag).is_none() {
            record.tags.push((tag.to_string(), value));
        }
    }
    record.result = GameResult::read_chinese(field("result").trim())
        .or_else(|| GameResult::read(field("result").trim()))
        .unwrap_or(GameResult::Unknown);
    let comments = |line: usize, ply: usize| {
        let own = fields.get(&format!("comment{line}_{ply}"));
        own.or_else(|| fields.get(&format!("comment{ply}")).filter(|_| line == 0))
            .map_or(String::new(), |text| plain(text))
    };
    let mut cursor = TreeCursor::new(MoveTree::new(), record.start.clone());
    cursor.tree().add_comment(MoveTree::ROOT, &comments(0, 0));
    // The nodes of each line, from the root on.
    let mut lines: HashMap<usize, Vec<NodeId>> = HashMap::new();
    for (&line, &(parent, ply, moves)) in &moves {
        let before = lines.get(&parent).and_then(|nodes| nodes.get(..ply));
        let mut nodes = match before {
            _ if line == 0 => vec![MoveTree::ROOT],
            Some(nodes) => nodes.to_vec(),
            None => {
                let name = NotationError::not_a_move(&format!("move_{parent}_{ply}_{line}"));
                record.error.get_or_insert(name.into());
                continue;
            }
        };
        let Some(&last) = nodes.last() else { continue };
        cursor.go_to(last);
        for mv in squares(moves, 4) {
            let mv = mv.and_then(|mv| Ok(Move::new(square(mv[..2].as_ref())?, square(mv[2..].as_ref())?)));
            if let Err(kind) = mv.and_then(|mv| cursor.add(mv)) {
                record.error.get_or_insert(kind.into());
                break;
            }
            let comment = comments(line, nodes.len());
            let node = cursor.node();
            cursor.tree().add_comment(node, &comment);
            nodes.push(node);
        }
        lines.insert(line, nodes);
    }
    record.tree = cursor.into_tree();
    if let Some(name) = broken {
        record.error = Some(ReadErrorKind::UnclosedField(name).into());
    }
    Ok(record)
}

/// The values by their names, of two with one name the first that is not empty; and the first name that has no value
/// because it is opened and not closed, or closed and not opened.
fn fields(text: &str) -> (HashMap<String, String>, Option<String>) {
    let mut fields = HashMap::new();
    let mut broken: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('[') {
        rest = after;
        // A name whose bracket is missing goes on to the next one.
        let name = &after[..after.find([']', '[', '\n', '\r']).unwrap_or(after.len())];
        let is_line =
            |name: &str| name.split('_').count() == 3 && name.split('_').all(|part| part.parse::<u32>().is_ok());
        let known = |name: &'_ str| {
            name.strip_prefix(MARK).map(str::len).or_else(|| Some(name.len()).filter(|_| is_line(name)))
        };
        let Some(length) = known(name.strip_prefix('/').unwrap_or(name)) else { continue };
        let known = &name[name.len() - length..];
        let inside = after[name.len()..].strip_prefix(']').filter(|_| !name.starts_with('/'));
        match inside.and_then(|inside| inside.split_once(&format!("[/{name}]"))) {
            Some((value, after)) => {
                let kept: &mut String = fields.entry(known.to_string()).or_default();
                if kept.is_empty() {
                    *kept = value.trim().to_string();
                }
                rest = after;
            }
            None => broken.push(known),
        }
    }
    // Scripts name fields that are elsewhere.
    let broken = broken.into_iter().find(|name| !fields.contains_key(*name));
    let broken = broken.map(|name| name.chars().take(MAX_NAME).collect());
    (fields, broken)
}

/// A text as people read it.
fn plain(value: &str) -> String {
    single_line(&unescaped(&without_elements(value).replace("||", " ")))
}

/// The start position. The side to move is that of the first piece moved.
fn start(board: &str, moves: &str) -> Result<Position, ReadErrorKind> {
    let mut builder = PositionBuilder::new();
    for (&letter, at) in PIECES.iter().zip(squares(if board.is_empty() { START } else { board }, 2)) {
        let at = at?;
        if at != "99" {
            builder.set(square(&at)?, Piece::from_letter(letter));
        }
    }
    let first = squares(moves, 4).next().and_then(Result::ok).and_then(|mv| square(&mv[..2]).ok());
    let first = first.and_then(|first| builder.piece_at(first));
    // There is no field for the side to move.
    Ok(turn::start(&mut builder, Color::Red, first.map(Piece::color))?.0)
}

/// The groups of this many digits of a text.
fn squares(text: &str, length: usize) -> impl Iterator<Item = Result<String, ReadErrorKind>> + '_ {
    let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
    std::iter::from_fn(move || {
        let group: String = letters.by_ref().take(length).collect();
        let is_whole = group.len() == length && group.bytes().all(|digit| digit.is_ascii_digit());
        (!group.is_empty()).then(|| if is_whole { Ok(group) } else { Err(NotationError::not_a_move(&group).into()) })
    })
}

/// The square of two digits.
pub(super) fn square(digits: &str) -> Result<Square, ReadErrorKind> {
    match digits.as_bytes() {
        [file @ b'0'..=b'8', rank @ b'0'..=b'9'] => Ok(Square::new(file - b'0', b'9' - rank)),
        _ => Err(NotationError::not_a_move(digits).into()),
    }
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

/// A game in this format, and what of it is not there. `None` for a position that the format cannot store: it has a place
/// for each piece of the usual set.
pub fn write(record: &GameRecord) -> Option<(String, Vec<Loss>)> {
    let squares = xqf::places(&record.start)?.map(|square| square.map_or("99".to_string(), digits));
    let mut text = String::from("[DhtmlXQ]\n");
    let mut put = |name: &str, value: &str| {
        let value = escaped(value, &['[', '|']);
        let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    let mut tags: Vec<&str> = Vec::new();
    for (tag, name) in FIELDS {
        if let Some(value) = record.field(tag).filter(|_| !tags.contains(&tag)) {
            put(name, value);
            tags.push(tag);
        }
    }
    put(
        "result",
        match record.result {
            GameResult::Won(Color::Red) => "红胜",
            GameResult::Won(Color::Black) => "黑胜",
            GameResult::Drawn => "和局",
            GameResult::Unknown => "未知",
        },
    );
    put("binit", &squares.concat());
    let [moves, comments] = lines(&record.tree);
    moves.iter().chain(&comments).for_each(|(name, value)| put(name, value));
    text.push_str(END);
    text.push('\n');
    let mut lost = other_tags(record, &FIELDS.map(|(tag, _)| tag));
    if record.start.side() == Color::Black && record.tree.moves() == 0 {
        lost.push(Loss::SideToMove);
    }
    Some((text, lost))
}

/// A name and its value.
type Field = (String, String);

/// The fields of the lines of a tree, and of its comments.
fn lines(tree: &MoveTree) -> [Vec<Field>; 2] {
    let mut lines = vec![("movelist".to_string(), String::new())];
    let mut comments = Vec::new();
    // Line and ply of each node.
    let mut places = HashMap::new();
    for node in tree.nodes() {
        let (line, ply) = match tree.parent(node) {
            None => (0, 0),
            Some(parent) => {
                let (mut line, ply): (usize, usize) = places[&parent];
                if tree.first_child(parent) != Some(node) {
                    lines.push((format!("move_{line}_{}_{}", ply + 1, lines.len()), String::new()));
                    line = lines.len() - 1;
                }
                (line, ply + 1)
            }
        };
        places.insert(node, (line, ply));
        if let Some(mv) = tree.mv(node) {
            lines[line].1.push_str(&(digits(mv.from()) + &digits(mv.to())));
        }
        if !tree.comment(node).is_empty() {
            let number = if line == 0 { format!("comment{ply}") } else { format!("comment{line}_{ply}") };
            comments.push((number, tree.comment(node).to_string()));
        }
    }
    [lines, comments]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_amid_scripts() {
        let text = "<script>var a='[DhtmlXQ_title]甲 &amp; \\u4e59<br>丙[/DhtmlXQ_title]';\n\
                    [DhtmlXQ_result]和局[/DhtmlXQ_result][DhtmlXQ_binit][/DhtmlXQ_binit]\n\
                    '[0_1_0]7747 7062[/0_1_0][0_2_1]1022[/0_2_1]' [DhtmlXQ_comment1_2]a||b[/DhtmlXQ_comment1_2]";
        let game = read(text).unwrap();
        assert_eq!((game.tag("Title"), game.result), (Some("甲 & 乙 丙"), GameResult::Drawn));
        assert_eq!((game.tree.lines(), &game.error), (2, &None));
        let main: Vec<String> = game.moves().iter().map(Move::to_string).collect();
        assert_eq!(main, ["h2e2", "h9g7"]);
        let last = game.tree.nodes().last().unwrap();
        assert_eq!((game.tree.mv(last).unwrap().to_string().as_str(), game.tree.comment(last)), ("b9c7", "a b"));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |text: &str| match read(text) {
            Ok(game) => game.error.map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        let moves = |moves: &str| error(&format!("[DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]"));
        assert_eq!(moves("7747"), None);
        assert_eq!(moves("774"), Some("\"774\" is not a move".to_string()));
        assert_eq!(moves("77475"), Some("\"5\" is not a move".to_string()));
        assert_eq!(moves("77477747"), Some("h2e2 is illegal".to_string()));
        assert_eq!(error("[2_3_4]7747[/2_3_4]"), Some("\"move_2_3_4\" is not a move".to_string()));
        assert!(error("[DhtmlXQ_binit]99[/DhtmlXQ_binit]").unwrap().contains("no king"));
        assert_eq!(error("[DhtmlXQ_binit]9a[/DhtmlXQ_binit]"), Some("\"9a\" is not a move".to_string()));
    }
}
