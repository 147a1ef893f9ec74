//! Network files: writing what was read gives the same bytes, and no network that is read can overflow.

use chuhe::eval::network::Network;
use chuhe::{Evaluator, Knowledge, Position, Rules};
use std::sync::{Arc, LazyLock};

/// Bytes before the description: the checksum of what follows is in the four bytes from 28 on.
const HEAD: usize = 36;

/// Checks the bytes, and those of the built-in network with some replaced: each five bytes of the data are an offset
/// (three bytes) and two bytes of a weight.
pub fn check(data: &[u8]) {
    static BUILT_IN: LazyLock<Vec<u8>> = LazyLock::new(|| Network::built_in().to_bytes());
    check_file(data);
    let mut file = BUILT_IN.clone();
    let (patches, _) = data.as_chunks::<5>();
    for &[a, b, c, low, high] in patches {
        let offset = u32::from_le_bytes([a, b, c, 0]) as usize % (file.len() - 1);
        (file[offset], file[offset + 1]) = (low, high);
    }
    let sum = crc32fast::hash(&file[HEAD - 4..]);
    file[HEAD - 8..HEAD - 4].copy_from_slice(&sum.to_le_bytes());
    check_file(&file);
}

fn check_file(bytes: &[u8]) {
    let Ok(network) = Network::read(bytes) else { return };
    assert_eq!(network.to_bytes(), bytes);
    let (network, mut position) = (Arc::new(network), Position::start());
    let mut evaluator = Evaluator::new(Knowledge::Large, &network, &Rules::default());
    for mv in ["h2e2", "h9g7", "e2e6"] {
        assert!(evaluator.evaluate(&position).abs() < 32_000);
        position.make(mv.parse().expect("a move"));
        evaluator = Evaluator::new(Knowledge::Large, &network, &Rules::default());
    }
}
