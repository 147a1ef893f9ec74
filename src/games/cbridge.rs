//! CBR, CBL and CBF: the formats of 象棋桥 (CCBridge). A CBR file is one game, a CBL file a library of them, a CBF file one
//! game as XML.
//!
//! The formats have no official description. CBR is little-endian, its texts are UTF-16LE up to a zero unit:
//!
//! | byte | content |
//! |---|---|
//! | 0 | `CCBridge Record`, a zero |
//! | 180, 692, 1076, 1300 | title, event, Red, Black: 128, 64, 64, 64 bytes |
//! | 2076 | result: 1 Red won, 2 Black won, 3 and 4 drawn |
//! | 2112, 2116 | number of plies; side to move: 1 Red |
//! | 2120 | the board, rank 9 first, from a to i: 0x11–0x17 Red's R N B A K C P, 0x21–0x27 Black's |
//! | 2214 | 32 bits: 0, or length and text of the comment on the game follow |
//!
//! Moves follow, depth first, what follows a move before the alternatives to it: flags, a zero, from, to (squares 0–89, rank
//! 9 first), and optionally length and text of a comment. Flags: 1 last of its line, 2 an alternative follows, 4 a comment.
//! Four zeros end them.
//!
//! A CBL file begins with `CCBridgeLibrary`; its records begin at byte 101,952 or later, one after the other, with some
//! bytes between them.

use super::error::{ReadError, ReadErrorKind};
use super::loss::{Loss, other_tags};
use super::record::{GameRecord, GameResult};
use super::tree::{self, MoveTree, StoredMove};
use super::turn;
use super::visible::visible;
use crate::position::PositionBuilder;
use crate::types::{Color, Move, Piece, PieceType, Square};
use encoding_rs::UTF_16LE;

/// The first bytes of a CBR file, and of a record in a library.
pub(super) const CBR_MAGIC: &[u8] = b"CCBridge Record\0";
/// The first bytes of a CBL file.
pub(super) const CBL_MAGIC: &[u8] = b"CCBridgeLibrary\0";
/// The texts of a CBR file: the tag of PGN, the offset, the size.
const FIELDS: [(&str, usize, usize); 4] =
    [("Title", 180, 128), ("Event", 692, 64), ("Red", 1076, 64), ("Black", 1300, 64)];
const RESULT: usize = 2076;
const PLIES: usize = 2112;
const SIDE: usize = 2116;
const BOARD: usize = 2120;
const COMMENT: usize = 2214;
/// The pieces of each side in the order of their numbers.
const PIECES: [PieceType; 7] = [
    PieceType::Rook,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Advisor,
    PieceType::King,
    PieceType::Cannon,
    PieceType::Pawn,
];
/// Flags of a move.
const LAST: u8 = 1;
const ALTERNATIVE: u8 = 2;
const HAS_COMMENT: u8 = 4;

/// The square with the number of a CBR file, from the back rank of Black on.
fn square(number: u8) -> Option<Square> {
    (number < 90).then(|| Square::new(number % 9, 9 - number / 9))
}

fn number(square: Square) -> u8 {
    (9 - square.rank()) * 9 + square.file()
}

/// Whether a record of a library is a heading between the games: it has an empty board.
pub(super) fn is_heading(record: &[u8]) -> bool {
    record.get(BOARD..BOARD + 90).is_some_and(|board| board.iter().all(|&code| code == 0))
}

/// Reads a CBR file.
///
/// # Errors
/// When it is none or its start position is invalid. An error in the moves is stored in the record.
pub fn read(bytes: &[u8]) -> Result<GameRecord, ReadError> {
    if !bytes.starts_with(CBR_MAGIC) {
        return Err(ReadError::at_byte(0, ReadErrorKind::NotFormat("a CBR file")));
    }
    let end = || ReadError::at_byte(bytes.len(), ReadErrorKind::UnexpectedEnd);
    let header: &[u8; COMMENT] = bytes.first_chunk().ok_or_else(end)?;
    let mut builder = PositionBuilder::new();
    for (number, &code) in (0..).zip(&header[BOARD..BOARD + 90]) {
        let kind = usize::from(code & 0xf).checked_sub(1).and_then(|index| PIECES.get(index));
        if let (Some(&kind), Some(square)) = (kind, square(number)) {
            let color = if code >> 4 == 1 { Color::Red } else { Color::Black };
            builder.set(square, Some(Piece::new(color, kind)));
        }
    }
    let mut reader = CbrReader { bytes, offset: COMMENT };
    let comment = match reader.number() {
        Some(0) => Some(String::new()),
        Some(_) => reader.text(),
        None => None,
    };
    let first = reader.clone().next().and_then(|first| first.mv);
    let said = if header[SIDE] == 2 { Color::Black } else { Color::Red };
    let mover = first.and_then(|mv| builder.piece_at(mv.from())).map(Piece::color);
    let start = turn::start(&mut builder, said, mover).map_err(|kind| ReadError::at_byte(BOARD, kind));
    let (start, note) = start?;
    let mut record = GameRecord { note, ..GameRecord::new(start) };
    for (name, offset, size) in FIELDS {
        let value = text(&header[offset..offset + size]);
        if !value.is_empty() {
            record.tags.push((name.to_string(), value));
        }
    }
    record.result = GameResult::of_number(header[RESULT]);
    let has_move = reader.bytes.get(reader.offset..).is_some_and(|rest| rest.len() >= 4 && rest[2] != rest[3]);
    let (tree, error) = tree::read_stored(&record.start, has_move, || reader.next().ok_or_else(end));
    record.tree = tree;
    let at = reader.offset;
    let more = || match reader.number() {
        Some(0) => None,
        Some(_) => Some(ReadError::at_byte(at, ReadErrorKind::AfterTheEnd)),
        None => Some(end()),
    };
    record.error = if comment.is_some() { error.or_else(more) } else { Some(end()) };
    record.tree.add_comment(MoveTree::ROOT, &comment.unwrap_or_default());
    Ok(record)
}

/// A text up to a zero unit, without blanks around it.
fn text(bytes: &[u8]) -> String {
    let end = bytes.chunks_exact(2).position(|unit| unit == [0, 0]).map_or(bytes.len(), |units| 2 * units);
    visible(&UTF_16LE.decode_without_bom_handling(&bytes[..end]).0).trim().to_string()
}

/// Reads what follows the header.
#[derive(Clone)]
struct CbrReader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl CbrReader<'_> {
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.offset.checked_add(length)?;
        let taken = self.bytes.get(self.offset..end)?;
        self.offset = end;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.take(4)?.first_chunk()?))
    }

    /// Length and text.
    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        self.take(length as usize).map(text)
    }

    fn next(&mut self) -> Option<StoredMove> {
        let offset = self.offset;
        let &[flags, _, from, to] = self.take(4)?.first_chunk()?;
        let comment = if flags & HAS_COMMENT != 0 { self.text()? } else { String::new() };
        let mv = square(from).zip(square(to)).filter(|(from, to)| from != to).map(|(from, to)| Move::new(from, to));
        let (has_next, has_alternative) = (flags & LAST == 0, flags & ALTERNATIVE != 0);
        Some(StoredMove { offset, mv, has_next, has_alternative, comment })
    }
}

/// A game as a CBR file, and what of it is not there.
pub fn write(record: &GameRecord) -> (Vec<u8>, Vec<Loss>) {
    let mut bytes = vec![0; COMMENT];
    bytes[..CBR_MAGIC.len()].copy_from_slice(CBR_MAGIC);
    let mut lost = other_tags(record, &FIELDS.map(|(name, ..)| name));
    for (name, offset, size) in FIELDS {
        let value = utf_16(record.field(name).unwrap_or_default());
        // The last unit stays zero.
        let length = value.len().min(size - 2);
        bytes[offset..offset + length].copy_from_slice(&value[..length]);
        if length < value.len() {
            lost.push(Loss::EndOfTag(name.to_string()));
        }
    }
    bytes[RESULT] = record.result.number();
    bytes[PLIES] = record.tree.main_line().count().min(0xff) as u8;
    bytes[SIDE] = 1 + record.start.side().index() as u8;
    for (piece, square) in record.start.pieces() {
        let kind = PIECES.iter().position(|&kind| kind == piece.piece_type()).expect("invariant: all types are listed");
        bytes[BOARD + usize::from(number(square))] = 0x11 + 0x10 * piece.color().index() as u8 + kind as u8;
    }
    let tree = &record.tree;
    let comment = tree.comment(MoveTree::ROOT);
    bytes.extend(u32::from(!comment.is_empty()).to_le_bytes());
    put_text(&mut bytes, comment);
    for node in tree.nodes() {
        let Some(mv) = tree.mv(node) else { continue };
        let comment = tree.comment(node);
        let last = tree.first_child(node).map_or(LAST, |_| 0);
        let alternative = tree.next_sibling(node).map_or(0, |_| ALTERNATIVE);
        let commented = if comment.is_empty() { 0 } else { HAS_COMMENT };
        bytes.extend([last | alternative | commented, 0, number(mv.from()), number(mv.to())]);
        put_text(&mut bytes, comment);
    }
    bytes.extend([0; 4]);
    (bytes, lost)
}

/// Appends the length of a text and the text with its end, or nothing if it is empty.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    if !text.is_empty() {
        let mut text = utf_16(text);
        text.extend([0, 0]);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
    }
}

/// A text in UTF-16LE, of whole characters.
fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
