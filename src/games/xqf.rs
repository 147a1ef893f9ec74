//! XQF, the file format of XQStudio, a widely used Chinese game editor.
//!
//! The format has no official description; this one follows several open-source readers. A header of 1,024 bytes, of
//! which these fields are read:
//!
//! | byte | content |
//! |---|---|
//! | 0 | `XQ` |
//! | 2 | version; above 10 squares, moves and comments are encrypted |
//! | 3, 8–11, 12–15 | encryption: a mask, bits to set, and the keys |
//! | 16–47 | squares of the pieces: Red's, then Black's, each in the order `RNBAKABNRCCPPPPP`; 10 × file + rank, above 89: captured |
//! | 50 | side to move: 1 is Black |
//! | 51 | result: 1 Red won, 2 Black won, 3 drawn |
//! | 80, 208, 272, 288, 304, 320 | title, event, date, place, Red, Black: length, then a text |
//!
//! A tree of moves follows, depth first, what follows a move before the alternatives to it. A node has 4 bytes (from + 24,
//! to + 32, flags, unused) and optionally a comment preceded by its length. Flags: a move follows (0x80; up to version 10
//! 0xf0), an alternative (0x40; 0x0f), a comment (0x20; always). The root has no move.

use super::encoding;
use super::error::{ReadError, ReadErrorKind};
use super::record::{GameRecord, GameResult, Note};
use super::tree::{self, MoveTree, StoredMove};
use super::turn;
use super::visible::visible;
use crate::position::{Position, PositionBuilder, SetupError};
use crate::types::{Color, Move, Piece, Square};

/// The first bytes of a file.
pub(super) const MAGIC: &[u8] = b"XQ";
/// Size of the header in bytes.
pub(super) const HEADER: usize = 1024;
/// The last version without encryption.
pub(super) const PLAIN: u8 = 10;
/// The first version that shuffles the squares of the pieces.
const SHUFFLED: u8 = 12;
/// The text that the key stream is derived from.
const STREAM: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
/// The pieces in the order of their squares in the header.
pub(super) const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// The texts of the header: the tag of PGN, the offset, the size with the length in front.
pub(super) const FIELDS: [(&str, usize, usize); 6] =
    [("Title", 80, 64), ("Event", 208, 64), ("Date", 272, 16), ("Site", 288, 16), ("Red", 304, 16), ("Black", 320, 16)];

/// The squares of the pieces of a position in that order; `None` if there are more of a type than in the usual set.
pub(super) fn places(position: &Position) -> Option<[Option<Square>; 32]> {
    let mut places = [None; 32];
    for (piece, square) in position.pieces() {
        let free = (0..32).find(|&n| char::from(PIECES[n]) == piece.letter() && places[n].is_none())?;
        places[free] = Some(square);
    }
    Some(places)
}

/// Decryption keys; zeros for versions without encryption.
#[derive(Clone, Copy, Default)]
struct Keys {
    pieces: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    fn of(header: &[u8; HEADER]) -> Keys {
        if header[2] <= PLAIN {
            return Keys::default();
        }
        let [sum, pieces, from, to] = [12, 13, 14, 15].map(|offset| header[offset]);
        // XQStudio's function: 54 x² + 221, times the previous key.
        let scramble = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let pieces_key = scramble(pieces).wrapping_mul(pieces);
        let from_key = scramble(from).wrapping_mul(pieces_key);
        let to_key = scramble(to).wrapping_mul(from_key);
        let comment = (u32::from(sum) * 256 + u32::from(pieces)) % 32_000 + 767;
        let set = [8, 9, 10, 11].map(|offset| header[offset]);
        let bytes: [u8; 4] = std::array::from_fn(|n| [sum, pieces, from, to][n] & header[3] | set[n]);
        let stream = std::array::from_fn(|n| STREAM[n] & bytes[n % 4]);
        Keys { pieces: pieces_key, from: from_key, to: to_key, comment, stream }
    }
}

/// The square with the number 10 × file + rank; `None` above 89.
fn square(number: u8) -> Option<Square> {
    (number < 90).then(|| Square::new(number / 10, number % 10))
}

/// Reads a game.
///
/// # Errors
/// When it is not an XQF file or its start position is invalid. An error in the moves is stored in the record.
pub fn read(bytes: &[u8]) -> Result<GameRecord, ReadError> {
    let end = || ReadError::at_byte(bytes.len(), ReadErrorKind::UnexpectedEnd);
    let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(end)?;
    if !bytes.starts_with(MAGIC) {
        return Err(ReadError::at_byte(0, ReadErrorKind::NotFormat("an XQF file")));
    }
    let keys = Keys::of(header);
    let mut reader = XqfReader { bytes, keys, version: header[2], offset: HEADER };
    let root = reader.next();
    let first = root.as_ref().filter(|root| root.has_next).and_then(|_| reader.clone().next()?.mv);
    let (start, note) = start(header, &keys, first).map_err(|kind| ReadError::at_byte(16, kind))?;
    let mut record = GameRecord { note, ..GameRecord::new(start) };
    record.tags = tags(header);
    record.result = GameResult::of_number(header[51]);
    let Some(root) = root else {
        record.error = Some(end());
        return Ok(record);
    };
    let (tree, error) = tree::read_stored(&record.start, root.has_next, || reader.next().ok_or_else(end));
    // Zeros fill up what is stored in blocks.
    let is_more = bytes[reader.offset..].iter().any(|&byte| byte != 0);
    let more = is_more.then(|| ReadError::at_byte(reader.offset, ReadErrorKind::AfterTheEnd));
    (record.tree, record.error) = (tree, error.or(more));
    record.tree.add_comment(MoveTree::ROOT, &root.comment);
    Ok(record)
}

/// A text without blanks and zeros around it.
fn text(bytes: &[u8]) -> String {
    let text = encoding::decode_part(bytes);
    visible(text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0'))
}

/// The texts of the header that are not empty, with the names of the tags of PGN.
fn tags(header: &[u8; HEADER]) -> Vec<(String, String)> {
    let tag = |(name, offset, size): (&str, usize, usize)| {
        let length = usize::from(header[offset]).min(size - 1);
        let text = text(&header[offset + 1..offset + 1 + length]);
        (!text.is_empty()).then(|| (name.to_string(), text))
    };
    FIELDS.into_iter().filter_map(tag).collect()
}

/// The start position of the game, whose first move is known.
fn start(header: &[u8; HEADER], keys: &Keys, first: Option<Move>) -> Result<(Position, Option<Note>), SetupError> {
    let stored = &header[16..48];
    let mut builder = PositionBuilder::new();
    for (index, &letter) in PIECES.iter().enumerate() {
        let shift = if header[2] >= SHUFFLED { 32 + index - usize::from(keys.pieces) % 32 - 1 } else { index };
        let number = stored[shift % 32].wrapping_sub(keys.pieces);
        if let Some(square) = square(number) {
            builder.set(square, Piece::from_letter(letter));
        }
    }
    let mover = first.and_then(|mv| builder.piece_at(mv.from())).map(Piece::color);
    turn::start(&mut builder, if header[50] == 1 { Color::Black } else { Color::Red }, mover)
}

/// Reads the nodes, the root first.
#[derive(Clone)]
struct XqfReader<'a> {
    bytes: &'a [u8],
    keys: Keys,
    version: u8,
    offset: usize,
}

impl XqfReader<'_> {
    /// The next bytes, decrypted.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes: [u8; N] = *self.bytes.get(self.offset..)?.first_chunk()?;
        let first = self.offset;
        self.offset += N;
        Some(std::array::from_fn(|n| bytes[n].wrapping_sub(self.keys.stream[(first + n) % 32])))
    }

    fn next(&mut self) -> Option<StoredMove> {
        let offset = self.offset;
        let [from, to, flags, _] = self.take()?;
        let from = square(from.wrapping_sub(24).wrapping_sub(self.keys.from));
        let to = square(to.wrapping_sub(32).wrapping_sub(self.keys.to));
        let is = |mask| flags & mask != 0;
        let (has_comment, has_next, has_alternative) =
            if self.version <= PLAIN { (true, is(0xf0), is(0x0f)) } else { (is(0x20), is(0x80), is(0x40)) };
        let comment = if has_comment { self.comment()? } else { String::new() };
        let mv = from.zip(to).filter(|(from, to)| from != to).map(|(from, to)| Move::new(from, to));
        Some(StoredMove { offset, mv, has_next, has_alternative, comment })
    }

    /// The next comment, decrypted.
    fn comment(&mut self) -> Option<String> {
        let length = u32::from_le_bytes(self.take()?).wrapping_sub(self.keys.comment);
        let first = self.offset;
        self.offset = first.checked_add(length as usize).filter(|&offset| offset <= self.bytes.len())?;
        let bytes = self.bytes[first..self.offset].iter().zip(first..);
        let bytes: Vec<u8> = bytes.map(|(byte, offset)| byte.wrapping_sub(self.keys.stream[offset % 32])).collect();
        Some(text(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a game as XQStudio does: a header with these keys, the pieces, a root with a comment, the moves.
    fn write(version: u8, keys: [u8; 9], start: &Position, moves: &[&str], result: u8) -> Vec<u8> {
        let mut header = [0; HEADER];
        header[..3].copy_from_slice(&[b'X', b'Q', version]);
        header[3] = keys[0];
        header[8..16].copy_from_slice(&keys[1..]);
        header[50] = (start.side() == Color::Black) as u8;
        header[51] = result;
        let keys = Keys::of(&header);
        let mut squares = [0xff; 32];
        for (piece, at) in start.pieces() {
            let free = (0..32).find(|&n| PIECES[n] as char == piece.letter() && squares[n] == 0xff).unwrap();
            squares[free] = at.file() * 10 + at.rank();
        }
        let shift = if version >= SHUFFLED { usize::from(keys.pieces) + 1 } else { 0 };
        for index in 0..32 {
            header[16 + index] = squares[(index + shift) % 32].wrapping_add(keys.pieces);
        }
        let mut bytes = header.to_vec();
        let mut put = |plain: &[u8]| {
            for &byte in plain {
                let offset = bytes.len();
                bytes.push(byte.wrapping_add(keys.stream[offset % 32]));
            }
        };
        let number = |text: &str| (text.as_bytes()[0] - b'a') * 10 + text.as_bytes()[1] - b'0';
        let is_plain = version <= PLAIN;
        let comment = "开局".as_bytes();
        let length = (comment.len() as u32).wrapping_add(keys.comment).to_le_bytes();
        put(&[0, 0, if is_plain { 0xf0 } else { 0xa0 }, 0]);
        put(&length);
        put(comment);
        for (index, mv) in moves.iter().enumerate() {
            let is_last = index + 1 == moves.len();
            let flags = match (is_plain, is_last) {
                (_, true) => 0,
                (true, false) => 0xf0,
                (false, false) => 0x80,
            };
            let from = number(&mv[..2]).wrapping_add(24).wrapping_add(keys.from);
            let to = number(&mv[2..]).wrapping_add(32).wrapping_add(keys.to);
            put(&[from, to, flags, 0]);
            if is_plain {
                put(&[0; 4]);
            }
        }
        bytes
    }

    const KEYS: [u8; 9] = [0x5a, 0x03, 0x81, 0x14, 0x60, 0x77, 0x9d, 0x21, 0xc8];

    /// The expected keys were computed by hand.
    #[test]
    fn keys_match_the_description() {
        let mut header = [0; HEADER];
        header[2..4].copy_from_slice(&[18, KEYS[0]]);
        header[8..16].copy_from_slice(&KEYS[1..]);
        let keys = Keys::of(&header);
        assert_eq!((keys.pieces, keys.from, keys.to, keys.comment), (23, 53, 65, 31_388));
        let masks = [0x53, 0x99, 0x14, 0x68];
        let stream: Vec<u8> = b"[(C)".iter().zip(masks).map(|(byte, mask)| byte & mask).collect();
        assert_eq!(keys.stream[..4], stream);
        assert_eq!(keys.stream[31], b']' & 0x68);
    }

    #[test]
    fn every_version_is_read() {
        let start = Position::start();
        let moves = ["h2e2", "h9g7", "h0g2", "i9h9"];
        for version in [2, 10, 11, 12, 18] {
            let record = read(&write(version, KEYS, &start, &moves, 3)).unwrap();
            assert_eq!(record.error, None, "{version}");
            assert_eq!(record.start.to_fen(), start.to_fen());
            assert_eq!(record.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), moves);
            assert_eq!(record.result, GameResult::Drawn);
            assert_eq!(record.tree.comment(MoveTree::ROOT), "开局");
        }
        let result = Position::from_fen("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 1").unwrap();
        let record = read(&write(18, KEYS, &result, &[], 2)).unwrap();
        assert_eq!((record.start.to_fen(), record.moves().len()), (result.to_fen(), 0));
        assert_eq!(record.result, GameResult::Won(Color::Black));
    }

    #[test]
    fn header_texts_are_tags() {
        let mut bytes = write(18, KEYS, &Position::start(), &[], 0);
        // 胡荣华 in GBK; lengths beyond the fields, of a full one and one of blanks.
        bytes[304..311].copy_from_slice(b"\x06\xba\xfa\xc8\xd9\xbb\xaa");
        bytes[208] = 0xff;
        bytes[209..272].fill(b'x');
        bytes[272..275].copy_from_slice(b"A  ");
        let tags = read(&bytes).unwrap().tags;
        let event = "x".repeat(63);
        let expected = [("Event", event.as_str()), ("Red", "胡荣华")];
        assert_eq!(tags, expected.map(|(name, value)| (name.to_string(), value.to_string())));
    }

    #[test]
    fn errors_name_the_byte() {
        let good = write(18, KEYS, &Position::start(), &["h2e2", "h9g7"], 1);
        let error = |bytes: &[u8]| {
            read(bytes).map_or_else(|error| error.to_string(), |record| record.error.unwrap().to_string())
        };
        assert_eq!(error(b"XQ"), "byte 2: unexpected end of file");
        assert_eq!(error(&[0; 2000]), "byte 0: not an XQF file");
        assert_eq!(error(&good[..HEADER + 2]), format!("byte {}: unexpected end of file", HEADER + 2));
        let cut = read(&good[..good.len() - 1]).unwrap();
        assert_eq!((cut.moves().len(), cut.error.is_some()), (1, true));
        let mut bad = good.clone();
        let last = good.len() - 4;
        bad[last] = bad[last].wrapping_add(1);
        assert_eq!(error(&bad), format!("byte {last}: i0g7 is illegal"));
        let no_king = Position::from_fen("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1").unwrap();
        let mut bytes = write(10, KEYS, &no_king, &[], 0);
        bytes[16 + 4] = 0xff;
        assert!(error(&bytes).starts_with("byte 16: "), "{}", error(&bytes));
    }

    /// Random changes never cause a panic or an illegal move.
    #[test]
    fn corrupted_files_give_only_legal_moves() {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let good = [2, 18].map(|version| write(version, KEYS, &Position::start(), &["h2e2", "h9g7", "h0g2"], 1));
        let mut read_moves = 0;
        for round in 0..5_000 {
            let mut bytes = good[round % 2].clone();
            for _ in 0..rng.random_range(0..5) {
                let offset = if rng.random() { rng.random_range(0..60) } else { rng.random_range(HEADER..bytes.len()) };
                bytes[offset] = rng.random();
            }
            let Ok(record) = read(&bytes) else { continue };
            let mut position = record.start.clone();
            for mv in record.moves() {
                assert!(position.is_legal(mv));
                position.make(mv);
                read_moves += 1;
            }
        }
        assert!(read_moves > 1_000, "{read_moves}");
    }
}
