//! Reading a file of games, a network or an endgame table never panics, and writing a game gives the same bytes.

#![no_main]

use chuhe::Color;
use chuhe::egtb::file::TableFile;
use chuhe::eval::network::Network;
use chuhe::learning::games::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = Network::read(data);
    read_table(data);
    if let Ok(reader) = Reader::new(data) {
        reader.for_each(drop);
    }
    // A record of the right length and with the right checksum, to reach the code that reads its content.
    let Some(&[_, start, low, high]) = data.first_chunk() else { return };
    let Some(record) = data.get(..4 + start as usize + 4 * u16::from_le_bytes([low, high]) as usize) else { return };
    let sum = crc32fast::hash(record).to_le_bytes();
    let file = [b"ChuHe games 1: fuzz\n", record, &sum].concat();
    let Some(Ok(game)) = Reader::new(&file[..]).expect("invariant: its header is right").next() else { return };
    let mut written = Vec::new();
    game.record(&mut written);
    assert_eq!(written, [record, &sum].concat());
    let _ = game.verify();
});

/// Reads endgame tables: the bytes themselves, and the same with the right beginning and checksums for the class KRk, to
/// reach the code that reads the blocks.
fn read_table(data: &[u8]) {
    /// Length of the header up to the offsets, and with those of the four blocks and the checksum.
    const FIXED: usize = 204;
    const HEADER: usize = FIXED + 4 * 8 + 4;
    let read = |bytes: &[u8]| {
        let Ok(table) = TableFile::from_bytes(bytes) else { return };
        let _ = table.check();
        for index in (0..table.indexer().size()).step_by(1_000) {
            let _ = (table.value(index, Color::Red), table.value(index, Color::Black));
        }
    };
    read(data);
    if data.len() < HEADER {
        return;
    }
    let mut file = data.to_vec();
    file[..12].copy_from_slice(b"CHUHEGTB\x02\0\0\0");
    file[12..44].fill(0);
    file[12..15].copy_from_slice(b"KRk");
    file[44..52].copy_from_slice(&4_860_u64.to_le_bytes());
    // No statistics; a byte of the data says where results by rule begin.
    file[52] &= 0xfe;
    file[53..FIXED - 4].fill(0);
    let sum = crc32fast::hash(&file[HEADER..]);
    file[FIXED - 4..FIXED].copy_from_slice(&sum.to_le_bytes());
    let end = (data.len() - HEADER) as u64;
    file[FIXED + 24..FIXED + 32].copy_from_slice(&end.to_le_bytes());
    let sum = crc32fast::hash(&file[..HEADER - 4]);
    file[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
    read(&file);
}
