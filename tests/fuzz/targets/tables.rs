//! Endgame tables: a table that passes its check is written with the same values, and every value can be looked up.

use chuhe::egtb::file::{self, TableFile};
use chuhe::egtb::tables::Tables;
use chuhe::position::Position;
use chuhe::types::Color;

/// Length of the header up to the offsets.
const FIXED: usize = 204;
/// Number of blocks of the class KRk.
const BLOCKS: usize = 4;
/// The byte of an impossible position.
const IMPOSSIBLE: u8 = 255;

/// Checks the bytes, and the same with the right beginning and checksums for the class KRk in both versions of the format,
/// to reach the code that reads the blocks.
pub fn check(data: &[u8]) {
    check_file(data);
    check_table(data, 2);
    check_table(data, 3);
}

fn check_table(data: &[u8], version: u8) {
    let header = FIXED + BLOCKS * if version == 2 { 8 } else { 12 } + 4;
    if data.len() < header {
        return;
    }
    let mut bytes = data.to_vec();
    bytes[..12].copy_from_slice(b"CHUHEGTB\0\0\0\0");
    bytes[8] = version;
    bytes[12..44].fill(0);
    bytes[12..15].copy_from_slice(b"KRk");
    bytes[44..52].copy_from_slice(&4_860_u64.to_le_bytes());
    // No statistics; a byte of the data says where results by rule begin.
    bytes[52] &= 0xfe;
    bytes[53..FIXED - 4].fill(0);
    let sum = crc32fast::hash(&bytes[header..]);
    bytes[FIXED - 4..FIXED].copy_from_slice(&sum.to_le_bytes());
    let length = data.len() - header;
    let ends = FIXED + BLOCKS * 8;
    bytes[ends - 8..ends].copy_from_slice(&(length as u64).to_le_bytes());
    if version == 3 {
        let mut start = 0;
        for block in 0..BLOCKS {
            let place = FIXED + block * 8;
            let end = u64::from_le_bytes(bytes[place..place + 8].try_into().expect("eight bytes")).min(length as u64)
                as usize;
            let sum = crc32fast::hash(bytes[header..].get(start..end).unwrap_or_default());
            bytes[ends + block * 4..][..4].copy_from_slice(&sum.to_le_bytes());
            start = end;
        }
    }
    let sum = crc32fast::hash(&bytes[..header - 4]);
    bytes[header - 4..header].copy_from_slice(&sum.to_le_bytes());
    check_file(&bytes);
}

fn check_file(bytes: &[u8]) {
    let Ok(table) = TableFile::from_bytes(bytes) else { return };
    assert_eq!(table.length(), bytes.len());
    for index in (0..table.indexer().size()).step_by(1_000) {
        let _ = (table.value(index, Color::Red), table.value(index, Color::Black));
    }
    if table.check().is_ok() && table.indexer().size() < 100_000 {
        let values = TableFile::from_bytes(bytes).expect("it was read").into_values().expect("it was checked");
        let again = TableFile::from_bytes(&file::write(&values)).expect("its own file can be read");
        let again = again.check().expect("its own file is right");
        // What is impossible is written as the value before it.
        let is_same = |(read, written): (&u8, &u8)| read == written || *read == IMPOSSIBLE;
        assert!((0..2).all(|side| values.bytes[side].iter().zip(&again[side]).all(is_same)));
    }
    let mut tables = Tables::default();
    tables.add(table);
    for fen in ["3k5/9/9/9/9/9/9/9/4R4/4K4 w", "3k5/9/9/4r4/9/9/9/9/9/4K4 w"] {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let legal = position.count_legal();
        assert!(tables.probe_moves(&position).is_none_or(|moves| moves.len() == legal));
    }
}
