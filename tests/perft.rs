//! Counts of legal lines against those that two other engines agree on (`tests/data/perft.txt`).

use chuhe::position::Position;
use chuhe::tools::perft::perft;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Case {
    fen: String,
    /// Depth and leaves, shallowest first.
    counts: Vec<(usize, u64)>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for line in include_str!("data/perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let line = line.split('|').next().unwrap();
        let mut fields = line.split(';');
        let fen = fields.next().unwrap().trim().to_string();
        let counts = fields.map(|field| {
            let (depth, leaves) = field.trim().strip_prefix('D').unwrap().split_once(' ').unwrap();
            (depth.parse().unwrap(), leaves.parse().unwrap())
        });
        cases.push(Case { fen, counts: counts.collect() });
    }
    assert_eq!(cases.len(), 300, "the file is whole");
    cases
}

/// Counts every case at every depth with at most `most` leaves, on all cores.
fn check(cases: &[Case], most: u64) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut position = Position::from_fen(&case.fen).unwrap();
                    for &(depth, leaves) in case.counts.iter().filter(|&&(_, leaves)| leaves <= most) {
                        assert_eq!(perft(&mut position, depth), leaves, "{} depth {depth}", case.fen);
                        assert_eq!(position.to_fen(), Position::from_fen(&case.fen).unwrap().to_fen());
                    }
                }
            });
        }
    });
}

#[test]
fn every_count_up_to_ten_million() {
    check(&cases(), 10_000_000);
}

/// Three billion leaves. `cargo test --release --test perft -- --ignored`
#[test]
#[ignore = "long: half a minute in a release build"]
fn every_count() {
    check(&cases(), u64::MAX);
}

/// `cargo test --release --test perft -- --ignored`
#[test]
#[ignore = "long: half a minute in a release build"]
fn start_position_to_depth_six() {
    check(&[Case { fen: chuhe::position::START_FEN.into(), counts: vec![(6, 5_392_831_844)] }], u64::MAX);
}
