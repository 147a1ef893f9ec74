//! CBF: the XML of 象棋桥 (CCBridge), one game.
//!
//! `ChineseChessRecord` has a `Head` with elements such as `Name`, `RecordResult` and `FEN`, and a `MoveList` of
//! `<Move value="77-47">`: two squares, each the file from the left and the rank from the top. The first one, `00-00`, is
//! for the comment on the game, the text within it.

use super::dhtmlxq;
use super::error::{ReadError, ReadErrorKind};
use super::record::{GameRecord, GameResult};
use super::tree::{MoveTree, TreeCursor};
use super::turn;
use super::visible::single_line;
use crate::notation::NotationError;
use crate::position::{FenError, Position, PositionBuilder};
use crate::types::{Move, Piece};
use roxmltree::{Document, Node};

/// Elements of the head and tags of PGN.
const FIELDS: [(&str, &str); 6] =
    [("Name", "Title"), ("Event", "Event"), ("Date", "Date"), ("Place", "Site"), ("Red", "Red"), ("Black", "Black")];

/// Greatest number of characters of an element's name in an error.
const MAX_NAME: usize = 32;
/// The value of the first move, which is none.
const NO_MOVE: &str = "00-00";

/// Reads a game.
///
/// # Errors
/// When it is no XML of this kind or its start position is invalid. An error in the moves is stored in the record.
pub(super) fn read(text: &str) -> Result<GameRecord, ReadError> {
    let no_cbf = || ReadErrorKind::NotFormat("a CBF file");
    let document = Document::parse(text).map_err(|_| no_cbf())?;
    let root = document.root_element();
    if root.tag_name().name() != "ChineseChessRecord" {
        let name = root.tag_name().name().chars().take(MAX_NAME).collect();
        return Err(ReadError::in_line(1, ReadErrorKind::OtherXml(name)));
    }
    let at = |node: &Node| document.text_pos_at(node.range().start).row as usize;
    let named = |name: &'static str| root.descendants().find(move |node| node.has_tag_name(name));
    let mut record = GameRecord::new(Position::start());
    let moves = root.descendants().filter(|node| node.has_tag_name("Move"));
    if let Some((node, fen)) = named("FEN").and_then(|node| Some((node, node.text()?))) {
        let wrong = |error: FenError| ReadError::in_line(at(&node), error);
        let mut builder = PositionBuilder::from_fen(fen.trim()).map_err(wrong)?;
        let first = moves.clone().filter_map(|node| node.attribute("value")).find(|value| *value != NO_MOVE);
        let mover = first.and_then(squares).and_then(|mv| builder.piece_at(mv.from())).map(Piece::color);
        let said = builder.side();
        (record.start, record.note) = turn::start(&mut builder, said, mover).map_err(|error| wrong(error.into()))?;
    }
    for (name, tag) in FIELDS {
        let value = named(name).map_or(String::new(), |node| content(&node));
        if !value.is_empty() {
            record.tags.push((tag.to_string(), value));
        }
    }
    let number = named("RecordResult").and_then(|node| node.text()?.trim().parse().ok());
    record.result = GameResult::of_number(number.unwrap_or(0));
    let mut cursor = TreeCursor::new(MoveTree::new(), record.start.clone());
    for node in moves {
        let value = node.attribute("value").unwrap_or_default();
        let added = match value {
            NO_MOVE => Ok(()),
            _ => squares(value).ok_or_else(|| NotationError::not_a_move(value).into()).and_then(|mv| cursor.add(mv)),
        };
        if let Err(kind) = added {
            record.error = Some(ReadError::in_line(at(&node), kind));
            break;
        }
        let at = cursor.node();
        cursor.tree().add_comment(at, &content(&node));
    }
    record.tree = cursor.into_tree();
    Ok(record)
}

/// The text of a node and of those in it.
fn content(node: &Node) -> String {
    let text: String = node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
    single_line(&text)
}

/// The move of two squares.
fn squares(value: &str) -> Option<Move> {
    let (from, to) = value.split_once('-')?;
    Some(Move::new(dhtmlxq::square(from).ok()?, dhtmlxq::square(to).ok()?))
}
