//! Every reader of bytes, on the files that the fuzzer has found worth keeping (`tests/fuzz/corpus`): all that
//! `tests/fuzz` checks of any bytes is checked of these.

#![cfg(feature = "play")]

use crate::targets;

use std::fs;
use std::path::Path;
use targets::TARGETS;

#[test]
fn every_reader_passes_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    for (name, check) in TARGETS {
        let mut count = 0;
        for entry in fs::read_dir(corpus.join(name)).expect("each target has a corpus") {
            let path = entry.expect("it can be listed").path();
            let bytes = fs::read(&path).expect("it can be read");
            // The name of the file, if a check fails.
            println!("{}", path.display());
            check(&bytes);
            // Shortened and with one bit changed, it is still handled.
            check(&bytes[..bytes.len() / 2]);
            count += 1;
        }
        assert!(count >= 5, "{name}");
    }
}
