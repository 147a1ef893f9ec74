//! Writing XQF files: version 10, without encryption, which every reader knows. See [`xqf`] for the format.

use super::loss::{Loss, other_tags};
use super::record::GameRecord;
use super::tree::MoveTree;
use super::xqf::{self, FIELDS, HEADER, MAGIC, PLAIN};
use crate::types::{Color, Square};
use encoding_rs::GB18030;

/// The number of a captured piece's square.
const CAPTURED: u8 = 0xff;
/// The flags of a node that another follows, and to which there is an alternative.
const HAS_NEXT: u8 = 0xf0;
const HAS_ALTERNATIVE: u8 = 0x0f;

/// A game as an XQF file, and what of it is not there; texts are in GB 18030. `None` for a position that the format cannot
/// store: it has a place for each piece of the usual set.
pub(crate) fn write(record: &GameRecord) -> Option<(Vec<u8>, Vec<Loss>)> {
    let mut header = [0; HEADER];
    header[..2].copy_from_slice(MAGIC);
    header[2] = PLAIN;
    header[50] = (record.start.side() == Color::Black) as u8;
    header[51] = record.result.number();
    let number = |square: Square| square.file() * 10 + square.rank();
    header[16..48].copy_from_slice(&xqf::places(&record.start)?.map(|square| square.map_or(CAPTURED, number)));
    let mut lost = other_tags(record, &FIELDS.map(|(name, ..)| name));
    for (name, offset, size) in FIELDS {
        if record.field(name).is_some_and(|value| !put_text(&mut header[offset..offset + size], value)) {
            lost.push(Loss::EndOfTag(name.to_string()));
        }
    }
    let (mut bytes, tree) = (header.to_vec(), &record.tree);
    for node in tree.nodes() {
        // The root has squares that are no move.
        let [from, to] =
            tree.mv(node).map_or([0, 0], |mv| [mv.from(), mv.to()].map(|square| square.file() * 10 + square.rank()));
        let next = tree.first_child(node).map_or(0, |_| HAS_NEXT);
        let alternative = tree.next_sibling(node).filter(|_| node != MoveTree::ROOT).map_or(0, |_| HAS_ALTERNATIVE);
        let comment = GB18030.encode(tree.comment(node)).0;
        bytes.extend([from + 24, to + 32, next | alternative, 0]);
        bytes.extend((comment.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&comment);
    }
    Some((bytes, lost))
}

/// Writes the length of a text and as much of it as the field holds. Returns whether that is all.
fn put_text(field: &mut [u8], text: &str) -> bool {
    let mut length = 0;
    let mut is_whole = true;
    for letter in text.chars() {
        let mut buffer = [0; 4];
        let bytes = GB18030.encode(letter.encode_utf8(&mut buffer)).0;
        if length + bytes.len() >= field.len() {
            is_whole = false;
            break;
        }
        field[1 + length..1 + length + bytes.len()].copy_from_slice(&bytes);
        length += bytes.len();
    }
    field[0] = length as u8;
    is_whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::GameResult;
    use crate::position::Position;

    #[test]
    fn long_names_are_cut() {
        let mut record = GameRecord::new(Position::start());
        record.tree = MoveTree::of_line(&["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()));
        record.result = GameResult::Won(Color::Red);
        record.tags = [("Red", "红方一个很长的名字"), ("Black", "ChuHe"), ("ECCO", "C20")]
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .to_vec();
        let (bytes, lost) = write(&record).unwrap();
        assert_eq!(lost, [Loss::Tag("ECCO".to_string()), Loss::EndOfTag("Red".to_string())]);
        let game = xqf::read(&bytes).unwrap();
        assert_eq!((game.start.to_fen(), game.tree, game.result), (record.start.to_fen(), record.tree, record.result));
        assert!(game.error.is_none());
        assert_eq!((bytes[304], bytes[320], &bytes[321..326]), (14, 5, &b"ChuHe"[..]));
    }

    #[test]
    fn three_rooks_cannot_be_stored() {
        let three = Position::from_fen("4k4/4a4/9/9/9/9/R3R4/9/4R4/3K5 w - - 0 1").unwrap();
        assert!(write(&GameRecord::new(three)).is_none());
    }
}
