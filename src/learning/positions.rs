//! Files of labelled positions, for training.
//!
//! A file begins with one line of text, `ChuHe positions 1: ` and a description of how the positions were made. Then follow
//! blocks, one for each game (little-endian):
//!
//! | bytes | content |
//! |---|---|
//! | 2 | number of positions |
//! | 31 per position | the board ([`PackedPosition`](crate::position::PackedPosition)), the score for the side to move, undamped (2), the outcome for it: 0 loss, 1 draw, 2 win, 3 not played (1) |
//! | 4 | CRC-32 of the block |
//!
//! Blocks can be appended to a file; an interrupted write leaves an incomplete block at its end.

use super::samples::Sample;
use std::io::{self, BufRead, Read, Write};
use thiserror::Error;

/// The beginning of every file.
pub const MAGIC: &str = "ChuHe positions 1: ";
/// Greatest length of the header, in bytes.
const MAX_HEADER_BYTES: u64 = 4096;

/// Why a file of positions cannot be read.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The header is missing.
    #[error("not a file of positions: it begins with {0:?}")]
    Header(String),
    /// The file ends within a block.
    #[error("the file ends within block {0}")]
    Torn(u64),
    /// The checksum of a block is wrong.
    #[error("block {0} is damaged: its checksum is wrong")]
    Checksum(u64),
    /// A block with a correct checksum has something that is no position.
    #[error("block {0}: position {1} is not valid")]
    Content(u64, usize),
}

/// Writes the header of a file; `description` tells how its positions are made, in one line.
///
/// # Errors
/// When writing fails.
pub fn write_header(out: &mut dyn Write, description: &str) -> io::Result<()> {
    writeln!(out, "{MAGIC}{description}")
}

/// Appends the block of these positions, of which there may be up to 65,535, to `bytes`.
///
/// # Panics
/// If there are more.
pub fn write_block(samples: &[Sample], bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    let count = u16::try_from(samples.len()).expect("invariant: a game has few positions");
    bytes.extend(count.to_le_bytes());
    samples.iter().for_each(|sample| bytes.extend(sample.to_bytes()));
    let sum = crc32fast::hash(&bytes[begin..]);
    bytes.extend(sum.to_le_bytes());
}

/// Reads a file of positions, block by block.
pub struct Reader<R> {
    input: R,
    description: String,
    /// Number of blocks read.
    blocks: u64,
    /// Bytes of the header and the blocks read.
    bytes: u64,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When reading fails or the header is not that of a file of positions.
    pub fn new(mut input: R) -> Result<Reader<R>, PositionsError> {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        let refuse = || PositionsError::Header(String::from_utf8_lossy(&line).chars().take(32).collect());
        let text = str::from_utf8(&line).ok().and_then(|text| text.strip_prefix(MAGIC));
        let description = text.and_then(|text| text.strip_suffix('\n')).ok_or_else(refuse)?.to_string();
        Ok(Reader { input, description, blocks: 0, bytes: line.len() as u64, failed: false })
    }

    /// How the positions were made, from the header.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Position in the file after the last block read, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next block; `None` at the end of the file.
    fn read(&mut self) -> Result<Option<Vec<Sample>>, PositionsError> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let number = self.blocks + 1;
        let mut block = vec![0; 2];
        self.fill(&mut block)?;
        block.resize(2 + Sample::BYTES * usize::from(u16::from_le_bytes([block[0], block[1]])), 0);
        self.fill(&mut block[2..])?;
        let mut sum = [0; 4];
        self.fill(&mut sum)?;
        if u32::from_le_bytes(sum) != crc32fast::hash(&block) {
            return Err(PositionsError::Checksum(number));
        }
        let (records, _) = block[2..].as_chunks();
        let samples = (1..)
            .zip(records)
            .map(|(at, record)| Sample::from_bytes(record).ok_or(PositionsError::Content(number, at)))
            .collect::<Result<_, _>>()?;
        self.blocks = number;
        self.bytes += (block.len() + sum.len()) as u64;
        Ok(Some(samples))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), PositionsError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => PositionsError::Torn(self.blocks + 1),
            _ => PositionsError::Io(error),
        })
    }
}

/// The blocks up to the end or the first error.
impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Vec<Sample>, PositionsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::outcome::GameOutcome;
    use crate::position::Position;

    fn file() -> (Vec<Vec<Sample>>, Vec<u8>) {
        let position = Position::start();
        let sample = |score| Sample::new(&position, score, (score > 0).then_some(GameOutcome::Draw));
        let blocks = vec![vec![sample(3), sample(-70)], Vec::new(), vec![sample(0)]];
        let mut bytes = Vec::new();
        write_header(&mut bytes, "a test").unwrap();
        blocks.iter().for_each(|block| write_block(block, &mut bytes));
        (blocks, bytes)
    }

    fn read(bytes: &[u8]) -> (Vec<Vec<Sample>>, Option<String>) {
        let (good, bad): (Vec<_>, Vec<_>) = Reader::new(bytes).unwrap().partition(Result::is_ok);
        let error = bad.into_iter().next().map(|error| error.unwrap_err().to_string());
        (good.into_iter().map(Result::unwrap).collect(), error)
    }

    #[test]
    fn blocks_round_trip() {
        let (blocks, bytes) = file();
        let mut reader = Reader::new(&bytes[..]).unwrap();
        assert_eq!(reader.description(), "a test");
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), blocks);
        assert_eq!(reader.bytes(), bytes.len() as u64);
    }

    #[test]
    fn truncation_and_damage_are_detected() {
        let (blocks, bytes) = file();
        let header = MAGIC.len() + "a test\n".len();
        let ends: Vec<usize> = [2, 0, 1]
            .iter()
            .scan(header, |end, positions| {
                *end += 2 + 31 * positions + 4;
                Some(*end)
            })
            .collect();
        for cut in header..bytes.len() {
            let complete = ends.iter().filter(|&&end| end <= cut).count();
            let is_between = cut == header || ends.contains(&cut);
            let torn = format!("the file ends within block {}", complete + 1);
            assert_eq!(read(&bytes[..cut]), (blocks[..complete].to_vec(), (!is_between).then_some(torn)), "{cut}");
        }
        for index in header..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 4;
            assert!(read(&changed).1.is_some(), "{index}");
        }
        assert!(matches!(Reader::new(&bytes[1..]), Err(PositionsError::Header(_))));
    }

    #[test]
    fn invalid_positions_are_refused() {
        let (_, mut bytes) = file();
        bytes.truncate(MAGIC.len() + "a test\n".len());
        let begin = bytes.len();
        bytes.extend([1, 0]);
        bytes.extend([0; Sample::BYTES]);
        let sum = crc32fast::hash(&bytes[begin..]);
        bytes.extend(sum.to_le_bytes());
        assert_eq!(read(&bytes).1.unwrap(), "block 1: position 1 is not valid");
    }
}
