//! Counts of legal lines against those that two other engines agree on (`tests/data/perft.txt`).

#[path = "common/data.rs"]
mod data;

use chuhe::position::Position;
use chuhe::tools::perft::perft;
use chuhe::tools::perft_suite::{self, Case, PerftLimits};
use std::sync::atomic::{AtomicUsize, Ordering};

fn cases() -> Vec<Case> {
    let cases = perft_suite::parse(data::PERFT).unwrap();
    assert_eq!(cases.len(), 300, "the file is whole");
    assert_eq!(cases.iter().map(|case| case.counts.len()).sum::<usize>(), COUNTS, "and every line of it is read");
    cases
}

/// How many counts the file has.
const COUNTS: usize = 1_343;

/// Checks every count of at most `most` leaves, on all cores.
fn check(most: u64) {
    let cases = cases();
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = case.check(PerftLimits { depth: usize::MAX, leaves: most });
                    assert_eq!(result.differences, [], "{}: {}", case.name, case.position.to_fen());
                    checked.fetch_add(result.checked, Ordering::Relaxed);
                }
            });
        }
    });
    let expected = cases.iter().flat_map(|case| &case.counts).filter(|(_, leaves)| *leaves <= most).count();
    assert_eq!(checked.into_inner(), expected);
}

#[test]
fn every_count_up_to_ten_million() {
    check(10_000_000);
}

/// Three billion leaves. `cargo test --release --test perft -- --ignored`
#[test]
#[ignore = "long: half a minute in a release build"]
fn every_count() {
    check(u64::MAX);
}

/// `cargo test --release --test perft -- --ignored`
#[test]
#[ignore = "long: half a minute in a release build"]
fn start_position_to_depth_six() {
    assert_eq!(perft(&mut Position::start(), 6), 5_392_831_844);
}
