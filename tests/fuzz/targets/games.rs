//! Files of training games: writing what was read gives the same bytes; files that merge give all their games.

use chuhe::internals::shard::{self, Part};
use chuhe::internals::training_games::{Reader, TrainingGame};

/// Checks the bytes as a file, as a record with the right length and checksum, and as two files to merge.
pub fn check(data: &[u8]) {
    if let Ok(mut reader) = Reader::new(data) {
        let header = reader.bytes() as usize;
        let games: Vec<TrainingGame> = reader.by_ref().map_while(Result::ok).collect();
        let mut written = Vec::new();
        games.iter().for_each(|game| game.record(&mut written));
        assert_eq!(written, data[header..reader.bytes() as usize]);
    }
    let Some(&[_, start, low, high]) = data.first_chunk() else { return };
    let Some(record) = data.get(..4 + start as usize + 4 * u16::from_le_bytes([low, high]) as usize) else { return };
    let sum = crc32fast::hash(record).to_le_bytes();
    let file = [b"ChuHe games 1: fuzz\n", record, &sum].concat();
    let Some(Ok(game)) = Reader::new(&file[..]).expect("its header is right").next() else { return };
    let mut written = Vec::new();
    game.record(&mut written);
    assert_eq!(written, [record, &sum].concat());
    if game.verify().is_ok() {
        game.replay(&mut |position, ply| assert!(position.is_legal(ply.mv))).expect("it was verified");
    }
    // The rest of the data names the ranges of two files with this game each.
    let rest = String::from_utf8_lossy(&data[record.len()..]);
    let mut names = rest.split('\n').chain([""; 2]);
    let files = [0; 2].map(|_| {
        let name = names.next().unwrap_or_default();
        [format!("ChuHe games 1: fuzz, games {name}\n").as_bytes(), &written].concat()
    });
    let readers = files.iter().map(|file| Some(Part { name: "part".into(), reader: Reader::new(&file[..]).ok()? }));
    let Some(parts) = readers.collect() else { return };
    let mut merged = Vec::new();
    match shard::merge(parts, &mut merged) {
        Ok(count) => assert_eq!((count, Reader::new(&merged[..]).expect("it was written").count()), (2, 2)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
