//! Perft against counts that two other engines agree on (`tests/data/perft.txt`).

use crate::data;

use chuhe::position::Position;
use chuhe::position::perft::perft;
use chuhe::position::perft_suite::{self, Case, PerftLimits};
use std::sync::atomic::{AtomicUsize, Ordering};

fn cases() -> Vec<Case> {
    let cases = perft_suite::parse(data::PERFT).unwrap();
    assert_eq!(cases.len(), 300, "the file is complete");
    assert_eq!(cases.iter().map(|case| case.counts.len()).sum::<usize>(), COUNTS, "every count is read");
    cases
}

/// Number of counts in the file.
const COUNTS: usize = 1_343;

/// Checks every count of at most `max_leaves`, on all cores.
fn check(max_leaves: u64) {
    let cases = cases();
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = case.check(PerftLimits { depth: usize::MAX, leaves: max_leaves });
                    assert_eq!(result.differences, [], "{}: {}", case.name, case.position.to_fen());
                    checked.fetch_add(result.checked, Ordering::Relaxed);
                }
            });
        }
    });
    let expected = cases.iter().flat_map(|case| &case.counts).filter(|(_, leaves)| *leaves <= max_leaves).count();
    assert_eq!(checked.into_inner(), expected);
}

#[test]
fn counts_up_to_ten_million_match() {
    check(10_000_000);
}

/// Three billion leaves: `cargo test --release --test library -- --ignored perft`
#[test]
#[ignore = "long: half a minute in a release build"]
fn all_counts_match() {
    check(u64::MAX);
}

/// `cargo test --release --test library -- --ignored perft`
#[test]
#[ignore = "long: half a minute in a release build"]
fn start_position_at_depth_six_matches() {
    assert_eq!(perft(&mut Position::start(), 6), 5_392_831_844);
}
