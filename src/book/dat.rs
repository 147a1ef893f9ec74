//! ElephantEye's opening book, `BOOK.DAT`.
//!
//! Entries of eight bytes without a header, little endian: `u32` lock, `u16` move (origin square in the low byte,
//! target in the high byte, squares of the 16×16 board), `u16` weight, in ascending order of locks, then of moves. The
//! lock is ElephantEye's word for the part of a position's Zobrist key that is stored to identify it ([`book_lock`]).
//!
//! A position and its mirror image share their entries, stored under the smaller of the two locks. A position that
//! equals its mirror image has both each move and its mirror image.

use super::obk::ObkError;
use super::{BookMove, walk};
use crate::files;
use crate::position::Position;
use crate::tables::zobrist::{self, book_lock};
use crate::types::{Color, Move, Square};
use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use thiserror::Error;

/// Size of an entry in bytes.
const ENTRY_BYTES: usize = 8;
/// Maximum number of entries read per lock: far more than a position has moves, and a limit on the time of a lookup in
/// a malformed book.
const MAX_ENTRIES_PER_LOCK: usize = 1_000;

/// A move of a position, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookEntry {
    /// Identifies the position or its mirror image.
    pub lock: u32,
    /// [`Move::bits`].
    pub mv: u16,
    /// How often to play the move, relative to the others of the position; at least 1.
    pub weight: u16,
}

impl BookEntry {
    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> BookEntry {
        let [a, b, c, d, e, f, g, h] = bytes;
        BookEntry {
            lock: u32::from_le_bytes([a, b, c, d]),
            mv: u16::from_le_bytes([e, f]),
            weight: u16::from_le_bytes([g, h]),
        }
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let ([a, b, c, d], [e, f], [g, h]) =
            (self.lock.to_le_bytes(), self.mv.to_le_bytes(), self.weight.to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }

    /// The move; `None` unless it goes from one square of the board to another.
    pub fn mv(self) -> Option<Move> {
        let is_on_board = |byte: u16| Square::from_raw(byte as u8).is_on_board();
        Move::from_bits(self.mv).filter(|mv| is_on_board(self.mv) && is_on_board(self.mv >> 8) && mv.from() != mv.to())
    }
}

/// Why a file is not a book.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a text.
    #[error("it is a text, not a book in ElephantEye's format; chuhe book build makes one of games")]
    Text,
    /// It has no entries.
    #[error("it is empty")]
    Empty,
    /// It ends within an entry.
    #[error("it ends within the entry at byte {0}")]
    Truncated(u64),
    /// An entry has a smaller lock than the previous one.
    #[error("the entry at byte {0} is out of order")]
    Order(u64),
    /// The move of an entry is invalid.
    #[error("the entry at byte {0} has an invalid move: {1:#06x}")]
    Move(u64, u16),
    /// The weight of an entry is 0.
    #[error("the entry at byte {0} has weight 0")]
    Weight(u64),
    /// It is a database, and not an opening book.
    #[error(transparent)]
    Obk(#[from] ObkError),
}

/// A book in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningBook {
    /// In ascending order of locks.
    entries: Vec<BookEntry>,
}

impl OpeningBook {
    /// The built-in book, made from the engine's own searches of common openings (docs/training.md).
    pub fn built_in() -> OpeningBook {
        OpeningBook::read(include_bytes!("chuhe.dat")).expect("invariant: the built-in book is valid")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a book.
    pub fn open(path: &Path) -> Result<OpeningBook, BookError> {
        OpeningBook::read(&files::read(path, files::MAX_FILE_BYTES)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are not a book.
    pub fn read(bytes: &[u8]) -> Result<OpeningBook, BookError> {
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..);
        OpeningBook::read_entries(bytes).map_err(|error| match error {
            BookError::Truncated(_) | BookError::Order(_) | BookError::Move(..) if bytes.iter().all(is_text) => {
                BookError::Text
            }
            error => error,
        })
    }

    fn read_entries(bytes: &[u8]) -> Result<OpeningBook, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::Truncated((bytes.len() - rest.len()) as u64));
        }
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        let entries: Vec<BookEntry> = entries.iter().map(|&bytes| BookEntry::from_bytes(bytes)).collect();
        let mut last = 0;
        for (offset, entry) in (0..).step_by(ENTRY_BYTES).zip(&entries) {
            if entry.lock < last {
                return Err(BookError::Order(offset));
            }
            if entry.mv().is_none() {
                return Err(BookError::Move(offset, entry.mv));
            }
            if entry.weight == 0 {
                return Err(BookError::Weight(offset));
            }
            last = entry.lock;
        }
        Ok(OpeningBook { entries })
    }

    /// A book of these locks, moves and weights, in any order. Weights of the same move of the same position are added
    /// up; if one exceeds the format's maximum, all weights of the position are scaled down. Entries of weight 0 are
    /// dropped.
    pub fn of(entries: impl IntoIterator<Item = (u32, u16, u64)>) -> OpeningBook {
        let mut sums: Vec<(u32, u16, u64)> = entries.into_iter().filter(|&(_, _, weight)| weight > 0).collect();
        sums.sort_unstable();
        sums.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 = kept.2.saturating_add(next.2);
            }
            is_same
        });
        let mut entries = Vec::with_capacity(sums.len());
        for moves in sums.chunk_by(|one, next| one.0 == next.0) {
            let max = moves.iter().map(|&(_, _, weight)| weight).max().unwrap_or(0);
            let divisor = max.div_ceil(u64::from(u16::MAX)).max(1);
            // A rare move keeps weight 1.
            let weight = |weight: u64| (weight / divisor).max(1) as u16;
            entries.extend(moves.iter().map(|&(lock, mv, sum)| BookEntry { lock, mv, weight: weight(sum) }));
        }
        OpeningBook { entries }
    }

    /// A book of these entries, by the rules of [`OpeningBook::of`].
    pub fn from_entries(entries: impl IntoIterator<Item = BookEntry>) -> OpeningBook {
        OpeningBook::of(entries.into_iter().map(|BookEntry { lock, mv, weight }| (lock, mv, u64::from(weight))))
    }

    /// Writes the book in the file format.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.entries.iter().try_for_each(|entry| out.write_all(&entry.to_bytes()))
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// Number of positions; mirror images count once.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, next| one.lock == next.lock).count()
    }

    /// The legal moves of the book for `position`, in descending order of weight, then in the order of the book.
    ///
    /// Locks have 32 bits, so two positions can have the same one: illegal moves are dropped, but legal moves of
    /// another position cannot be detected.
    pub fn find(&self, position: &Position) -> Vec<BookMove> {
        let [own, image] = locks(position);
        let (entries, is_mirrored) = match self.with_lock(own) {
            [] => (self.with_lock(image), true),
            found => (found, false),
        };
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in entries {
            let mv = entry.mv().map(|mv| if is_mirrored { mv.mirrored() } else { mv });
            // A file can contain a move twice.
            if let Some(mv) = mv.filter(|&mv| moves.iter().all(|known| known.mv != mv) && position.is_legal(mv)) {
                moves.push(BookMove { mv, weight: entry.weight });
            }
        }
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        moves
    }

    /// Calls `visit` for each position of the book that its moves reach from the start position, breadth first, without
    /// history and with the number of plies; of two mirror images, for the one reached first.
    pub fn walk(&self, mut visit: impl FnMut(&Position, usize)) {
        let key = |position: &Position| locks(position).into_iter().min();
        let find = |position: &Position| Ok::<_, Infallible>(self.find(position));
        let Ok(()) = walk(key, find, |position, plies, _| visit(position, plies));
    }

    /// The entries of a lock, at most [`MAX_ENTRIES_PER_LOCK`].
    fn with_lock(&self, lock: u32) -> &[BookEntry] {
        let from = self.entries.partition_point(|entry| entry.lock < lock);
        let rest = &self.entries[from..];
        let entries = &rest[..rest.partition_point(|entry| entry.lock == lock)];
        &entries[..entries.len().min(MAX_ENTRIES_PER_LOCK)]
    }
}

/// The locks of a position and of its mirror image.
pub fn locks(position: &Position) -> [u32; 2] {
    let side = if position.side() == Color::Black { zobrist::side() } else { 0 };
    let pieces = position.pieces().map(|(piece, square)| zobrist::piece(piece, square.mirrored()));
    [position.key(), pieces.fold(side, |key, piece| key ^ piece)].map(book_lock)
}

/// The entry for `mv` in `position`, under the smaller of the two locks.
pub fn entry_of(position: &Position, mv: Move, weight: u16) -> BookEntry {
    let [own, image] = locks(position);
    let (lock, mv) = if image < own { (image, mv.mirrored()) } else { (own, mv) };
    BookEntry { lock, mv: mv.bits(), weight }
}

/// The entries for `mv` in `position`: two if the position equals its mirror image and the move does not.
pub fn entries_of(position: &Position, mv: Move, weight: u16) -> impl Iterator<Item = BookEntry> + use<> {
    let [own, image] = locks(position);
    let is_symmetric = own == image && mv.mirrored() != mv;
    let second = is_symmetric.then(|| entry_of(position, mv.mirrored(), weight));
    std::iter::once(entry_of(position, mv, weight)).chain(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of the book of ElephantEye 3.3: for the start position, and for the position after h2e2, which it has
    /// only as its mirror image.
    const START: &[(&str, u16)] = &[
        ("b2e2", 1473),
        ("h2e2", 1473),
        ("c3c4", 546),
        ("g3g4", 546),
        ("c0e2", 311),
        ("g0e2", 311),
        ("b0c2", 89),
        ("h0g2", 89),
        ("h2d2", 42),
        ("b2f2", 42),
        ("b2d2", 37),
        ("h2f2", 37),
        ("b0a2", 18),
        ("h0i2", 18),
        ("h2c2", 2),
        ("b2g2", 2),
    ];
    const AFTER_B2E2: &[(&str, u16)] = &[("b9c7", 761), ("h9g7", 172), ("b7e7", 97), ("h7e7", 1)];

    /// A book of these entries, with ElephantEye's locks.
    fn golden() -> OpeningBook {
        let entry =
            |lock, &(mv, weight): &(&str, u16)| BookEntry { lock, mv: mv.parse::<Move>().unwrap().bits(), weight };
        let start = START.iter().map(|line| entry(0x0526_56d5, line));
        let reply = AFTER_B2E2.iter().map(|line| entry(0x5396_644f, line));
        let mut entries: Vec<BookEntry> = start.chain(reply).collect();
        entries.sort();
        OpeningBook { entries }
    }

    fn bytes(book: &OpeningBook) -> Vec<u8> {
        let mut bytes = Vec::new();
        book.write(&mut bytes).unwrap();
        bytes
    }

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap()));
        position
    }

    fn found(book: &OpeningBook, position: &Position) -> Vec<(String, u16)> {
        book.find(position).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    #[test]
    fn elephanteye_entries_are_found() {
        let book = OpeningBook::read(&bytes(&golden())).unwrap();
        let start = found(&book, &Position::start());
        assert_eq!(start.len(), START.len());
        assert!(START.iter().all(|&(mv, weight)| start.contains(&(mv.to_string(), weight))));
        assert!(start.is_sorted_by_key(|(_, weight)| std::cmp::Reverse(*weight)));
        let own = |entries: &[(&str, u16)]| entries.iter().map(|&(mv, n)| (mv.to_string(), n)).collect::<Vec<_>>();
        assert_eq!(found(&book, &after(&["b2e2"])), own(AFTER_B2E2));
        assert_eq!(
            found(&book, &after(&["h2e2"])),
            own(&[("h9g7", 761), ("b9c7", 172), ("h7e7", 97), ("b7e7", 1)]),
            "mirrored"
        );
        assert_eq!(found(&book, &after(&["a0a1"])), []);
    }

    #[test]
    fn entry_has_the_bytes_of_the_format() {
        // b9c7 after b2e2: lock 5396644f, from b9 (0x34) to c7 (0x55), weight 761.
        let [entry] = &entries_of(&after(&["b2e2"]), "b9c7".parse().unwrap(), 761).collect::<Vec<_>>()[..] else {
            panic!()
        };
        assert_eq!(entry.to_bytes(), [0x4f, 0x64, 0x96, 0x53, 0x34, 0x55, 0xf9, 0x02]);
    }

    #[test]
    fn mirror_images_share_an_entry() {
        let of = |moves: &[&str], mv: &str| {
            entries_of(&after(moves), mv.parse().unwrap(), 3).map(|entry| (entry.lock, entry.mv().unwrap().to_string()))
        };
        let lock = 0x5396_644f;
        let expected = [(lock, "b9c7".to_string())];
        assert_eq!(of(&["b2e2"], "b9c7").collect::<Vec<_>>(), expected);
        assert_eq!(of(&["h2e2"], "h9g7").collect::<Vec<_>>(), expected);
        assert_eq!(of(&[], "b2e2").map(|(_, mv)| mv).collect::<Vec<_>>(), ["b2e2", "h2e2"]);
        assert_eq!(of(&[], "e0e1").map(|(_, mv)| mv).collect::<Vec<_>>(), ["e0e1"]);
    }

    #[test]
    fn weights_are_added_up_and_scaled_down() {
        let [one, other] = ["b2e2", "h2e2"].map(|mv| mv.parse::<Move>().unwrap().bits());
        let entries = [(7, one, 2), (9, one, 60_000), (9, other, 30_000), (7, one, 3), (8, one, 0), (9, one, 60_000)];
        let book = OpeningBook::of(entries.into_iter().chain([(9, other, 30_000)]));
        let weights: Vec<(u32, u16)> = book.entries().iter().map(|entry| (entry.lock, entry.weight)).collect();
        assert_eq!(weights, [(7, 5), (9, 60_000), (9, 30_000)]);
        assert_eq!(OpeningBook::of([(1, one, u64::MAX), (1, other, 1)]).entries()[1].weight, 1);
    }

    #[test]
    fn second_lock_is_that_of_the_mirror_image() {
        for moves in [&[][..], &["h2e2"], &["h2e2", "h9g7"], &["a0a1", "a9a8", "a1f1"]] {
            let position = after(moves);
            let [own, image] = locks(&position);
            assert_eq!(locks(&position.mirrored()), [image, own], "{}", position.to_fen());
        }
    }

    #[test]
    fn walk_visits_each_position_once_with_its_plies() {
        let lines: [&[&str]; 4] =
            [&["h2e2", "h9g7", "h0g2"], &["b2e2", "b9c7", "b0c2"], &["h2e2", "b9c7"], &["h0g2", "h9g7", "b2e2"]];
        let entries = lines.iter().flat_map(|line| {
            (0..line.len()).flat_map(|ply| entries_of(&after(&line[..ply]), line[ply].parse().unwrap(), 1))
        });
        let book = OpeningBook::from_entries(entries.collect::<Vec<_>>());
        let (mut all, mut lengths) = (Vec::new(), Vec::new());
        book.walk(|position, plies| {
            all.push(position.to_fen());
            lengths.push(plies);
        });
        // The start position; after h2e2 and h0g2; after h2e2 h9g7 and h2e2 b9c7. The rest are mirror images or out of
        // the book.
        assert_eq!(lengths, [0, 1, 1, 2, 2], "{all:?}");
        OpeningBook::default().walk(|position, _| panic!("{}", position.to_fen()));
    }

    #[test]
    fn devices_and_directories_are_refused() {
        for path in ["/dev/zero", "src"] {
            assert!(matches!(OpeningBook::open(Path::new(path)), Err(BookError::Io(_))), "{path}");
        }
    }

    #[test]
    fn files_that_are_too_large_are_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(files::MAX_FILE_BYTES + 1).unwrap();
        assert!(matches!(OpeningBook::open(file.path()), Err(BookError::Io(_))));
    }

    #[test]
    fn entries_read_per_lock_are_limited() {
        let entry = |mv: &str, weight| BookEntry { lock: 0x0526_56d5, mv: mv.parse::<Move>().unwrap().bits(), weight };
        let mut entries = vec![entry("h2e2", 2)];
        entries.resize(MAX_ENTRIES_PER_LOCK, entry("a0a9", 9));
        entries.push(entry("b2e2", 3));
        assert_eq!(found(&OpeningBook { entries }, &Position::start()), [("h2e2".to_string(), 2)]);
    }

    #[test]
    fn duplicate_moves_are_returned_once() {
        let [entry] = entries_of(&after(&["b2e2"]), "b9c7".parse().unwrap(), 3).collect::<Vec<_>>()[..] else {
            panic!()
        };
        let book = OpeningBook::read(&[entry.to_bytes(), entry.to_bytes()].concat()).unwrap();
        assert_eq!(found(&book, &after(&["h2e2"])), [("h9g7".to_string(), 3)]);
    }

    #[test]
    fn errors_name_the_byte() {
        let good = bytes(&golden());
        let error = |bytes: &[u8]| OpeningBook::read(bytes).unwrap_err().to_string();
        assert_eq!(error(&[]), "it is empty");
        assert_eq!(error(&good[..good.len() - 3]), format!("it ends within the entry at byte {}", good.len() - 8));
        let with = |offset: usize, value: &[u8]| {
            let mut bytes = good.clone();
            bytes[offset..offset + value.len()].copy_from_slice(value);
            error(&bytes)
        };
        assert_eq!(with(32, &[0, 0, 0, 0]), "the entry at byte 32 is out of order");
        assert_eq!(with(44, &[0x10, 0x34]), "the entry at byte 40 has an invalid move: 0x3410");
        assert_eq!(with(44, &[0x34, 0x34]), "the entry at byte 40 has an invalid move: 0x3434");
        assert_eq!(with(22, &[0, 0]), "the entry at byte 16 has weight 0");
        assert!(OpeningBook::open(Path::new("no such file")).is_err());
        #[cfg(unix)]
        assert!(OpeningBook::open(Path::new("/")).is_err());
    }

    /// Random changes never cause a panic or an illegal move.
    #[test]
    fn corrupted_books_give_only_legal_moves() {
        use rand::{RngExt, SeedableRng};
        let good = bytes(&golden());
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let (mut refused, mut read) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..rng.random_range(1..4) {
                let offset = rng.random_range(0..bytes.len());
                bytes[offset] = rng.random();
            }
            if rng.random_ratio(1, 4) {
                bytes.truncate(rng.random_range(bytes.len() - 9..=bytes.len()));
            }
            let Ok(book) = OpeningBook::read(&bytes) else {
                refused += 1;
                continue;
            };
            read += 1;
            for position in [Position::start(), after(&["b2e2"]), after(&["h2e2"])] {
                assert!(book.find(&position).iter().all(|found| position.is_legal(found.mv)));
            }
        }
        assert!(refused > 1_000 && read > 1_000, "{refused} {read}");
    }
}
