//! Time: effects of clocks, ponder hits and `idle` on a search.
//!
//! They pass on a machine of any speed and load: elapsed time is an input
//! ([`Signals::started_at`]), and the time limits are longer than any search takes. `tests/long/timing.rs` measures
//! wall-clock time.

#![cfg(feature = "cli")]

use chuhe::internals::search::TimeBudget;
use chuhe::position::Position;
use chuhe::search::Searcher;
use chuhe::search::limits::{Clock, Limits};
use chuhe::search::report::{Report, SearchResult, StopReason};
use chuhe::search::settings::{Idle, SearchSettings};
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use cpu_time::ThreadTime;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);
/// Time after which a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// One legal move.
const ONLY_MOVE: &str = "3k5/9/9/p7p/6R2/9/P7P/9/9/r3K4 w - - 0 1";

/// Signals of a search that started this long ago.
fn running_for(time: Duration) -> Signals {
    Signals::started_at(Instant::now().checked_sub(time).expect("the clock of this system goes back that far"))
}

fn search(position: &Position, limits: &Limits, signals: &Signals) -> SearchResult {
    let table = TranspositionTable::new(1).unwrap();
    Searcher::new().search(position, limits, signals, &table, &mut |_| {})
}

/// A clock of 40 minutes: about one for this move, five at most.
fn clock(depth: u32) -> Limits {
    let clock = Clock { time: 40 * MINUTE, increment: Duration::ZERO, moves_to_go: None, opponent: None };
    let limits = Limits { clock: Some(clock), depth: Some(depth), ..Limits::default() };
    let budget = TimeBudget::of(&limits).unwrap();
    assert!((MINUTE / 2..2 * MINUTE).contains(&budget.soft) && budget.hard <= 5 * MINUTE, "{budget:?}");
    limits
}

#[test]
fn the_clock_ends_a_search_whose_time_is_over() {
    let ended = |signals| search(&Position::start(), &clock(6), &signals);
    assert_eq!(ended(running_for(Duration::ZERO)).stop_reason, StopReason::Depth);
    let late = ended(running_for(10 * MINUTE));
    assert_eq!((late.stop_reason, late.depth), (StopReason::Time, 1));
    assert!(late.best.is_some());
}

#[test]
fn a_time_for_one_move_is_used_in_full() {
    let limits = |time, depth| Limits { move_time: Some(time), depth: Some(depth), ..Limits::default() };
    let overhead = Duration::from_millis(30);
    let budget = TimeBudget::of(&Limits { overhead, ..limits(MINUTE, 1) }).unwrap();
    assert_eq!(budget, TimeBudget { soft: MINUTE - overhead, hard: MINUTE - overhead, is_fixed: true });
    let ended = |time| search(&Position::start(), &limits(time, 6), &running_for(10 * MINUTE)).stop_reason;
    assert_eq!(ended(9 * MINUTE), StopReason::Time);
    assert_eq!(ended(20 * MINUTE), StopReason::Depth);
    // With a clock an only move is played at once; a time per move is used in full.
    let only_move = Position::from_fen(ONLY_MOVE).unwrap();
    assert_eq!(only_move.legal_moves().len(), 1);
    assert_eq!(search(&only_move, &clock(12), &Signals::new()).stop_reason, StopReason::OnlyMove);
    assert_eq!(search(&only_move, &limits(MINUTE, 12), &Signals::new()).stop_reason, StopReason::Depth);
}

#[test]
fn the_clock_starts_at_the_ponder_hit() {
    // Pondered for longer than the clock allows for a move: counted from its start, the search would be over.
    let signals = running_for(10 * MINUTE);
    signals.ponderhit();
    let limits = Limits { ponder: true, ..clock(6) };
    let result = search(&Position::start(), &limits, &signals);
    assert_eq!((result.stop_reason, result.depth), (StopReason::Depth, 6));
}

/// Ponders until the first iterations are complete, then sends the ponder hit and returns the result.
fn ponder_then_hit(limits: &Limits, signals: &Signals) -> SearchResult {
    std::thread::scope(|scope| {
        let ((iteration, iterations), (result, results)) = (mpsc::channel(), mpsc::channel());
        scope.spawn(move || {
            let table = TranspositionTable::new(1).unwrap();
            let mut report = |report| {
                if matches!(report, Report::Iteration(_)) {
                    // The receiver may be gone.
                    let _ = iteration.send(());
                }
            };
            let _ = result.send(Searcher::new().search(&Position::start(), limits, signals, &table, &mut report));
        });
        (0..3).for_each(|_| iterations.recv_timeout(PATIENCE).unwrap());
        assert!(results.try_recv().is_err(), "no answer before the ponder hit");
        signals.ponderhit();
        let result = results.recv_timeout(PATIENCE);
        signals.stop();
        result.expect("the time for this move was spent pondering")
    })
}

#[test]
fn a_search_that_pondered_long_enough_ends_at_the_ponder_hit() {
    // The clock starts only now, with minutes for this move; a move that is good enough is played at once.
    let limits = Limits { ponder: true, depth: None, ..clock(1) };
    let result = ponder_then_hit(&limits, &running_for(10 * MINUTE));
    assert_eq!(result.stop_reason, StopReason::Time);
}

/// The processor time of a search, and how long it lasted.
fn work_and_time(idle: Idle) -> (Duration, Duration) {
    let settings = SearchSettings { idle, ..SearchSettings::default() };
    let limits = Limits { nodes: Some(100_000), settings, ..Limits::default() };
    let (work, start) = (ThreadTime::now(), Instant::now());
    search(&Position::start(), &limits, &Signals::new());
    (work.elapsed(), start.elapsed())
}

#[test]
fn idle_makes_a_search_last_longer() {
    // A lower bound: load makes it last longer still. `Idle::sleep_time` is tested where it is defined.
    let (work, time) = work_and_time(Idle::Large);
    assert!(time > 3 * work, "{time:?} for {work:?} of processor time");
}
