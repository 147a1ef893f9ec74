//! Reading a file of games or a network never panics, and writing a game gives the same bytes.

#![no_main]

use chuhe::eval::network::Network;
use chuhe::learning::games::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = Network::read(data);
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
