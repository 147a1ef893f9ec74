//! Files of endgame tables: one for each class, named by it (`KRkaabb.egtb`).
//!
//! | part | bytes | content |
//! |---|---|---|
//! | magic | 8 | `CHUHEGTB` |
//! | version | 4 | [`VERSION`] |
//! | class | 32 | its name, padded with zeros |
//! | positions | 8 | for each side to move; see [`super::index`] |
//! | first by rule | 4 | the first byte of results by rule; 254 if there are none: see [`super::value`] |
//! | statistics | 2 × 72 | by side to move: wins, wins by rule, draws, losses by rule, losses, longest win, its position, longest loss, its position |
//! | data checksum | 4 | CRC-32 of the data |
//! | offsets | 8 × blocks | end of each block in the data: first those with Red to move, then Black |
//! | header checksum | 4 | CRC-32 of all before it |
//! | data | | the blocks: 4,096 positions each (the last of a side fewer), compressed by LZ4 |
//!
//! Numbers are little endian. A byte of a block is the value of a position: see [`super::value`]. Impossible positions
//! have the value of the position before them, which compresses better.

use super::generate::Values;
use super::index::Indexer;
use super::material::{Material, MaterialError};
use super::statistics::Statistics;
use super::value::{DRAW, EndgameValue, IMPOSSIBLE};
use crate::types::Color;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// The version of the format.
pub const VERSION: u32 = 2;
/// The file name extension.
pub const EXTENSION: &str = "egtb";

const MAGIC: &[u8; 8] = b"CHUHEGTB";
/// Positions in a block.
const BLOCK: usize = 4096;
/// Length of the class name.
const NAME: usize = 32;
/// Length of the statistics of a side.
const STATISTICS: usize = 9 * 8;
/// Length of the header before the offsets.
const FIXED: usize = MAGIC.len() + 4 + NAME + 8 + 4 + 2 * STATISTICS + 4;

/// Why a file is no endgame table.
#[derive(Debug, Error)]
pub enum TableError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is a directory, a device or a pipe.
    #[error("not a file")]
    NoFile,
    /// The magic bytes are missing.
    #[error("not an endgame table")]
    Magic,
    /// Another version of the format.
    #[error("version {0} of the format, this program reads version {VERSION}")]
    Version(u32),
    /// The class is none, or has no tables.
    #[error("unknown class {0:?}")]
    Class(String),
    /// The class is no class.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The number of positions is not that of the class.
    #[error("{found} positions instead of {expected}")]
    Positions {
        /// In the file.
        found: u64,
        /// Of the class.
        expected: usize,
    },
    /// It is shorter or longer than its header says.
    #[error("{found} bytes instead of {expected}")]
    Length {
        /// Length of the file.
        found: usize,
        /// By its header.
        expected: u64,
    },
    /// The first byte of results by rule is odd, or greater than that of a draw.
    #[error("first byte of results by rule {0}: not an even number up to {DRAW}")]
    FirstByRule(u32),
    /// The statistics are missing, or not of this class.
    #[error("the statistics are not those of the class")]
    Statistics,
    /// A checksum is wrong: some bytes have changed.
    #[error("the checksum of the {0} is wrong")]
    Checksum(&'static str),
    /// A block cannot be decompressed.
    #[error("block {0} cannot be decompressed")]
    Block(usize),
}

/// The bytes of a table.
#[derive(Clone)]
enum Bytes {
    Static(&'static [u8]),
    Owned(Arc<[u8]>),
    Mapped(Arc<Mmap>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// A table in a file.
pub struct TableFile {
    material: Material,
    indexer: Indexer,
    first_by_rule: u8,
    statistics: [Statistics; 2],
    bytes: Bytes,
    /// Blocks of each side.
    blocks: usize,
    /// Where the data begin.
    data: usize,
    data_checksum: u32,
}

impl TableFile {
    /// Opens a file and maps it into memory. Reads its header only; [`TableFile::check`] reads the rest.
    ///
    /// The file must not be changed or cut short while it is open. (This program replaces files, but does not change
    /// them.)
    ///
    /// # Errors
    /// When it is not a table.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        // Checked before opening: opening a pipe can block for ever.
        if !path.metadata()?.is_file() {
            return Err(TableError::NoFile);
        }
        let file = File::open(path)?;
        // SAFETY: the mapping is read-only and lives as long as the table. That no program changes or cuts the file
        // meanwhile cannot be ensured here, as for any mapped file: the documentation demands it.
        let map = unsafe { Mmap::map(&file)? };
        TableFile::read(Bytes::Mapped(Arc::new(map)), 0).map(|(table, _)| table)
    }

    /// A table in memory.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<TableFile, TableError> {
        TableFile::read(Bytes::Owned(bytes.into()), 0).map(|(table, _)| table)
    }

    /// The tables in an archive: files one after the other.
    ///
    /// # Errors
    /// When one is not a table.
    pub fn read_archive(bytes: &'static [u8]) -> Result<Vec<TableFile>, TableError> {
        let mut tables = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (table, length) = TableFile::read(Bytes::Static(rest), rest.len())?;
            tables.push(table);
            rest = &rest[length..];
        }
        Ok(tables)
    }

    /// Reads the header of a table with at most `spare` bytes behind it. Returns the table and its length.
    fn read(bytes: Bytes, spare: usize) -> Result<(TableFile, usize), TableError> {
        let all = bytes.get();
        let mut reader = Reader { rest: all };
        if reader.take(MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::Magic);
        }
        let short = || TableError::Length { found: all.len(), expected: FIXED as u64 };
        let version = reader.u32().ok_or_else(short)?;
        if version != VERSION {
            return Err(TableError::Version(version));
        }
        let name = reader.take(NAME).ok_or_else(short)?;
        let name = String::from_utf8_lossy(name).trim_end_matches('\0').to_string();
        let material = Material::read(&name)?;
        let size = Indexer::size_of(&material).ok_or_else(|| TableError::Class(name.clone()))?;
        if material.normalised() != (material, false) || material.to_string() != name {
            return Err(TableError::Class(name));
        }
        let positions = reader.u64().ok_or_else(short)?;
        if positions != size as u64 {
            return Err(TableError::Positions { found: positions, expected: size });
        }
        let number = reader.u32().ok_or_else(short)?;
        let first_by_rule = u8::try_from(number).ok().filter(|&first| first <= DRAW && first.is_multiple_of(2));
        let first_by_rule = first_by_rule.ok_or(TableError::FirstByRule(number))?;
        let mut statistics = [Statistics::default(); 2];
        for side in &mut statistics {
            *side =
                read_statistics(&mut reader).filter(|side| side.are_possible(size)).ok_or(TableError::Statistics)?;
        }
        let data_checksum = reader.u32().ok_or_else(short)?;
        let blocks = size.div_ceil(BLOCK);
        let data = FIXED + 2 * blocks * 8 + 4;
        let offsets = reader.take(2 * blocks * 8).ok_or_else(short)?;
        if reader.u32() != Some(crc32fast::hash(&all[..data - 4])) {
            return Err(TableError::Checksum("header"));
        }
        let end = u64::from_le_bytes(offsets[offsets.len() - 8..].try_into().expect("invariant: eight bytes"));
        let expected = end.saturating_add(data as u64);
        let has_length = all.len() as u64 >= expected && all.len() as u64 <= expected.saturating_add(spare as u64);
        if !has_length {
            return Err(TableError::Length { found: all.len(), expected });
        }
        // Only now, when the file has proved to be as large as its class: some indexers take much memory.
        let indexer = Indexer::new(&material).ok_or(TableError::Class(name))?;
        let table = TableFile { material, indexer, first_by_rule, statistics, bytes, blocks, data, data_checksum };
        Ok((table, expected as usize))
    }

    /// The class.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The order of the positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// The first byte of results by rule; see [`super::value`].
    pub fn first_by_rule(&self) -> u8 {
        self.first_by_rule
    }

    /// Shares of wins, draws and losses, by side to move.
    pub fn statistics(&self) -> &[Statistics; 2] {
        &self.statistics
    }

    /// Length in bytes.
    pub fn length(&self) -> usize {
        self.data + self.data_range(2 * self.blocks - 1).map_or(0, |range| range.end)
    }

    /// The value of a possible position with `side` to move; `None` if the block is damaged.
    pub fn value(&self, index: usize, side: Color) -> Option<EndgameValue> {
        let mut block = [0; BLOCK];
        let bytes = self.block(side.index() * self.blocks + index / BLOCK, &mut block)?;
        EndgameValue::of(*bytes.get(index % BLOCK)?, self.first_by_rule)
    }

    /// All values, in memory; impossible positions have that of another.
    ///
    /// # Errors
    /// When a checksum is wrong or a block is damaged.
    pub fn check(&self) -> Result<[Vec<u8>; 2], TableError> {
        let data = &self.bytes.get()[self.data..self.length()];
        if crc32fast::hash(data) != self.data_checksum {
            return Err(TableError::Checksum("data"));
        }
        let mut sides = [Vec::new(), Vec::new()];
        let mut block = [0; BLOCK];
        for (number, side) in
            (0..2).flat_map(|side| (0..self.blocks).map(move |block| (side * self.blocks + block, side)))
        {
            let length = BLOCK.min(self.indexer.size() - (number % self.blocks) * BLOCK);
            let bytes = self.block(number, &mut block).filter(|bytes| bytes.len() == length);
            sides[side].extend_from_slice(bytes.ok_or(TableError::Block(number))?);
        }
        Ok(sides)
    }

    /// The whole table in memory; impossible positions have the value of another.
    ///
    /// # Errors
    /// When a checksum is wrong or a block is damaged.
    pub fn into_values(self) -> Result<Values, TableError> {
        let bytes = self.check()?;
        Ok(Values { material: self.material, indexer: self.indexer, first_by_rule: self.first_by_rule, bytes })
    }

    /// Decompresses a block.
    fn block<'a>(&self, number: usize, buffer: &'a mut [u8; BLOCK]) -> Option<&'a [u8]> {
        let data = self.bytes.get().get(self.data..)?.get(self.data_range(number)?)?;
        let length = lz4_flex::block::decompress_into(data, buffer).ok()?;
        buffer.get(..length)
    }

    /// Where a block is in the data.
    fn data_range(&self, number: usize) -> Option<std::ops::Range<usize>> {
        let offset = |number: usize| {
            let place = FIXED + number * 8;
            let bytes = self.bytes.get().get(place..place + 8)?.try_into().ok()?;
            usize::try_from(u64::from_le_bytes(bytes)).ok()
        };
        let start = if number == 0 { 0 } else { offset(number - 1)? };
        Some(start..offset(number)?)
    }
}

/// The content of the file of a class.
pub fn write(values: &Values) -> Vec<u8> {
    let mut offsets = Vec::new();
    let mut data = Vec::new();
    for side in &values.bytes {
        let mut last = DRAW;
        let filled: Vec<u8> = side
            .iter()
            .map(|&byte| {
                last = if byte == IMPOSSIBLE { last } else { byte };
                last
            })
            .collect();
        for block in filled.chunks(BLOCK) {
            data.extend_from_slice(&lz4_flex::block::compress(block));
            offsets.extend_from_slice(&(data.len() as u64).to_le_bytes());
        }
    }
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&VERSION.to_le_bytes());
    let mut name = values.material.to_string().into_bytes();
    name.resize(NAME, 0);
    file.extend_from_slice(&name);
    file.extend_from_slice(&(values.indexer.size() as u64).to_le_bytes());
    file.extend_from_slice(&u32::from(values.first_by_rule).to_le_bytes());
    for statistics in Statistics::of(values) {
        let longest = [statistics.longest_win, statistics.longest_loss].map(|longest| match longest {
            Some((plies, index)) => [u64::from(plies), index as u64],
            None => [0, u64::MAX],
        });
        for number in statistics.counts().iter().chain(longest.as_flattened()) {
            file.extend_from_slice(&number.to_le_bytes());
        }
    }
    file.extend_from_slice(&crc32fast::hash(&data).to_le_bytes());
    file.extend_from_slice(&offsets);
    file.extend_from_slice(&crc32fast::hash(&file).to_le_bytes());
    file.extend_from_slice(&data);
    file
}

fn read_statistics(reader: &mut Reader) -> Option<Statistics> {
    let mut counts = [0; 5];
    for count in &mut counts {
        *count = reader.u64()?;
    }
    let [wins, wins_by_rule, draws, losses_by_rule, losses] = counts;
    let mut longest = || -> Option<Option<(u32, usize)>> {
        let (plies, index) = (reader.u64()?, reader.u64()?);
        Some(u32::try_from(plies).ok().zip(usize::try_from(index).ok()).filter(|_| index != u64::MAX))
    };
    let (longest_win, longest_loss) = (longest()?, longest()?);
    Some(Statistics { wins, wins_by_rule, draws, losses_by_rule, losses, longest_win, longest_loss })
}

/// Takes bytes from the front.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }
}
