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
//! | block checksums | 4 × blocks | CRC-32 of each block in the data; not in version 2 |
//! | header checksum | 4 | CRC-32 of all before it |
//! | data | | the blocks: 4,096 positions each (the last of a side fewer), compressed by LZ4 |
//!
//! Numbers are little endian. A byte of a block is the value of a position: see [`super::value`]. Impossible positions
//! have the value of the position before them, which compresses better.
//!
//! The header is read when a table is opened. A block is read when it is needed, and used only if its checksum is right.
//! A file of version 2 has none: when the first block is needed, all data are read and checked as a whole.

use super::block_cache::BlockCache;
use super::generate::Values;
use super::index::Indexer;
use super::material::{Material, MaterialError};
use super::source::Source;
use super::statistics::Statistics;
use super::value::{DRAW, EndgameValue, IMPOSSIBLE};
use crate::files::FileError;
use crate::types::Color;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use thiserror::Error;

/// The version of the format.
pub const VERSION: u32 = 3;
/// An older version, without checksums of blocks, which can still be read.
const WITHOUT_BLOCK_CHECKSUMS: u32 = 2;
/// The file name extension.
pub const EXTENSION: &str = "egtb";

const MAGIC: &[u8; 8] = b"CHUHEGTB";
/// Positions in a block.
const BLOCK: usize = 4096;
/// Greatest length of a compressed block: of one that cannot be compressed, by the format of LZ4.
const MAX_COMPRESSED: usize = BLOCK + BLOCK / 255 + 16;
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
        found: u64,
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
    /// The checksum of a block is wrong: some of its bytes have changed.
    #[error("the checksum of block {0} is wrong")]
    BlockChecksum(usize),
    /// A block cannot be decompressed.
    #[error("block {0} cannot be decompressed")]
    Block(usize),
}

/// A table in a file.
pub struct TableFile {
    material: Material,
    indexer: Indexer,
    first_by_rule: u8,
    statistics: [Statistics; 2],
    source: Source,
    /// Blocks of each side.
    blocks: usize,
    /// Where the data begin.
    data: usize,
    data_checksum: u32,
    /// The end of each block in the data.
    ends: Box<[u64]>,
    /// The CRC-32 of each block; of a file of version 2 found when the first block is needed, empty if the data are
    /// damaged.
    checksums: OnceLock<Box<[u32]>>,
    /// Whether a block could not be used. Then none is used any more.
    is_damaged: AtomicBool,
    /// Why, until [`TableFile::take_damage`].
    damage: Mutex<Option<TableError>>,
}

impl TableFile {
    /// Opens a file and reads its header; [`TableFile::check`] reads the rest.
    ///
    /// # Errors
    /// When it is not a table.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let metadata = path.metadata()?;
        if !metadata.is_file() {
            return Err(TableError::Read(FileError::NotAFile.into()));
        }
        let (mut table, _) = TableFile::read(Source::file(path), metadata.len(), 0)?;
        table.source.close();
        Ok(table)
    }

    /// A table in memory.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<TableFile, TableError> {
        let source = Source::Memory(Cow::Owned(bytes.to_vec()));
        TableFile::read(source, bytes.len() as u64, 0).map(|(table, _)| table)
    }

    /// The tables in an archive: files one after the other.
    ///
    /// # Errors
    /// When one is not a table.
    pub fn read_archive(bytes: &'static [u8]) -> Result<Vec<TableFile>, TableError> {
        let mut tables = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = rest.len() as u64;
            let (table, length) = TableFile::read(Source::Memory(Cow::Borrowed(rest)), length, length)?;
            tables.push(table);
            rest = &rest[length..];
        }
        Ok(tables)
    }

    /// Reads the header of a table with at most `spare` bytes behind it in a source of `found` bytes. Returns the table
    /// and its length.
    fn read(source: Source, found: u64, spare: u64) -> Result<(TableFile, usize), TableError> {
        let mut fixed = [0; FIXED];
        let first = &mut fixed[..found.min(FIXED as u64) as usize];
        source.read(0, first)?;
        let mut reader = Reader { rest: first };
        if reader.take(MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::Magic);
        }
        let short = || TableError::Length { found, expected: FIXED as u64 };
        let version = reader.u32().ok_or_else(short)?;
        if !(WITHOUT_BLOCK_CHECKSUMS..=VERSION).contains(&version) {
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
        let has_checksums = version > WITHOUT_BLOCK_CHECKSUMS;
        let data = FIXED + 2 * blocks * if has_checksums { 12 } else { 8 } + 4;
        if found < data as u64 {
            return Err(TableError::Length { found, expected: data as u64 });
        }
        let mut header = vec![0; data];
        source.read(0, &mut header)?;
        let mut reader = Reader { rest: &header[FIXED..] };
        let ends: Box<[u64]> = (0..2 * blocks).map_while(|_| reader.u64()).collect();
        let checksums: Box<[u32]> =
            (0..if has_checksums { 2 * blocks } else { 0 }).map_while(|_| reader.u32()).collect();
        if reader.u32() != Some(crc32fast::hash(&header[..data - 4])) {
            return Err(TableError::Checksum("header"));
        }
        let expected = ends.last().map_or(0, |end| end.saturating_add(data as u64));
        if found < expected || found > expected.saturating_add(spare) {
            return Err(TableError::Length { found, expected });
        }
        // Only now, when the file has proved to be as large as its class: some indexers take much memory.
        let indexer = Indexer::new(&material).ok_or(TableError::Class(name))?;
        let table = TableFile {
            material,
            indexer,
            first_by_rule,
            statistics,
            source,
            blocks,
            data,
            data_checksum,
            ends,
            checksums: if has_checksums { checksums.into() } else { OnceLock::new() },
            is_damaged: AtomicBool::new(false),
            damage: Mutex::new(None),
        };
        Ok((table, expected as usize))
    }

    /// The path of its file, unless it is in memory.
    pub fn path(&self) -> Option<&Path> {
        self.source.path()
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
        self.data + self.ends.last().map_or(0, |&end| end as usize)
    }

    /// The value of a possible position with `side` to move; `None` if the table is damaged: see
    /// [`TableFile::take_damage`].
    pub fn value(&self, index: usize, side: Color) -> Option<EndgameValue> {
        let mut block = Vec::new();
        self.read_block(self.block_of(index, side), &mut block)?;
        EndgameValue::of(*block.get(index % BLOCK)?, self.first_by_rule)
    }

    /// As [`TableFile::value`], through a cache in which this is the table with `number`.
    pub fn cached_value(&self, index: usize, side: Color, cache: &BlockCache, number: usize) -> Option<EndgameValue> {
        if self.is_damaged.load(Relaxed) {
            return None;
        }
        let block = self.block_of(index, side);
        let byte = cache.byte((number, block), index % BLOCK, |bytes| self.read_block(block, bytes))?;
        EndgameValue::of(byte, self.first_by_rule)
    }

    /// The number of the block that has the value of a position.
    fn block_of(&self, index: usize, side: Color) -> usize {
        side.index() * self.blocks + index / BLOCK
    }

    /// What made the table unusable after it was opened, the first time that this is called.
    pub fn take_damage(&self) -> Option<TableError> {
        // The usual case takes no lock.
        if !self.is_damaged.load(Relaxed) {
            return None;
        }
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// All values, in memory; impossible positions have that of another.
    ///
    /// # Errors
    /// When a checksum is wrong or a block is damaged.
    pub fn check(&self) -> Result<[Vec<u8>; 2], TableError> {
        self.sum_blocks()?;
        let mut sides = [Vec::new(), Vec::new()];
        let mut block = Vec::new();
        for number in 0..2 * self.blocks {
            self.block(number, &mut block)?;
            sides[number / self.blocks].extend_from_slice(&block);
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

    /// Reads a block, unless the table is damaged. An error makes it so.
    fn read_block(&self, number: usize, block: &mut Vec<u8>) -> Option<()> {
        if self.is_damaged.load(Relaxed) {
            return None;
        }
        self.block(number, block).map_err(|error| self.set_damage(error)).ok()
    }

    fn set_damage(&self, error: TableError) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_damaged.swap(true, Relaxed) {
            *damage = Some(error);
        }
    }

    /// Reads, checks and decompresses a block.
    fn block(&self, number: usize, block: &mut Vec<u8>) -> Result<(), TableError> {
        let checksums = self.checksums.get_or_init(|| {
            self.sum_blocks().unwrap_or_else(|error| {
                self.set_damage(error);
                Box::default()
            })
        });
        let mut buffer = [0; MAX_COMPRESSED];
        let data = self.compressed_block(number, &mut buffer)?;
        if checksums.get(number) != Some(&crc32fast::hash(data)) {
            return Err(TableError::BlockChecksum(number));
        }
        block.resize(BLOCK, 0);
        let length = lz4_flex::block::decompress_into(data, block).map_err(|_| TableError::Block(number))?;
        block.truncate(length);
        let expected = BLOCK.min(self.indexer.size() - (number % self.blocks) * BLOCK);
        if length == expected { Ok(()) } else { Err(TableError::Block(number)) }
    }

    /// The checksum of each block, of data whose own is right.
    fn sum_blocks(&self) -> Result<Box<[u32]>, TableError> {
        let mut whole = crc32fast::Hasher::new();
        let mut buffer = [0; MAX_COMPRESSED];
        let sum = |number| {
            let data = self.compressed_block(number, &mut buffer)?;
            whole.update(data);
            Ok(crc32fast::hash(data))
        };
        let sums = (0..2 * self.blocks).map(sum).collect::<Result<Box<[u32]>, TableError>>()?;
        if whole.finalize() == self.data_checksum { Ok(sums) } else { Err(TableError::Checksum("data")) }
    }

    /// Reads a block as it is in the file.
    fn compressed_block<'a>(
        &self,
        number: usize,
        buffer: &'a mut [u8; MAX_COMPRESSED],
    ) -> Result<&'a [u8], TableError> {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        let length = self.ends[number].checked_sub(start).and_then(|length| usize::try_from(length).ok());
        let data = length.and_then(|length| buffer.get_mut(..length)).ok_or(TableError::Block(number))?;
        self.source.read(start.saturating_add(self.data as u64), data)?;
        Ok(data)
    }
}

/// The content of the file of a class.
pub fn write(values: &Values) -> Vec<u8> {
    let (mut offsets, mut checksums) = (Vec::new(), Vec::new());
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
            let block = lz4_flex::block::compress(block);
            checksums.extend_from_slice(&crc32fast::hash(&block).to_le_bytes());
            data.extend_from_slice(&block);
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
    file.extend_from_slice(&checksums);
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
