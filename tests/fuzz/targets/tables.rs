//! Endgame tables: a table that passes its check is written with the same values, and every value can be looked up.

use chuhe::egtb::file::{self, TableFile};
use chuhe::egtb::tables::Tables;
use chuhe::position::Position;
use chuhe::types::Color;

/// Length of the header up to the offsets, and with those of the four blocks and the checksum.
const FIXED: usize = 204;
const HEADER: usize = FIXED + 4 * 8 + 4;
/// The byte of an impossible position.
const IMPOSSIBLE: u8 = 255;

/// Checks the bytes, and the same with the right beginning and checksums for the class KRk, to reach the code that reads
/// the blocks.
pub fn check(data: &[u8]) {
    check_file(data);
    if data.len() < HEADER {
        return;
    }
    let mut bytes = data.to_vec();
    bytes[..12].copy_from_slice(b"CHUHEGTB\x02\0\0\0");
    bytes[12..44].fill(0);
    bytes[12..15].copy_from_slice(b"KRk");
    bytes[44..52].copy_from_slice(&4_860_u64.to_le_bytes());
    // No statistics; a byte of the data says where results by rule begin.
    bytes[52] &= 0xfe;
    bytes[53..FIXED - 4].fill(0);
    let sum = crc32fast::hash(&bytes[HEADER..]);
    bytes[FIXED - 4..FIXED].copy_from_slice(&sum.to_le_bytes());
    let end = (data.len() - HEADER) as u64;
    bytes[FIXED + 24..FIXED + 32].copy_from_slice(&end.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..HEADER - 4]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
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
