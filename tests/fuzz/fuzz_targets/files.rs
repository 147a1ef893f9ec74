//! Whatever a file of games or a network holds, reading it does not panic, and what is read is written the same.

#![no_main]

use chuhe::eval::network::Network;
use chuhe::learning::games::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = Network::read(data);
    if let Ok(reader) = Reader::new(data) {
        reader.for_each(drop);
    }
    // A record whose length and checksum are right, or nothing could be found behind them.
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
