//! Time: effects of clocks, ponder hits and `idle` on a search.
//!
//! Tests of the default suite pass on a machine of any speed and load: elapsed time is an input
//! ([`Signals::started_at`]), and the time limits are longer than any search takes. The ignored tests at the end
//! measure wall-clock time, on a quiet machine: `cargo test --release --test timing -- --ignored --test-threads 1`

#![cfg(feature = "cli")]

mod common;

use chuhe::position::Position;
use chuhe::search::Searcher;
use chuhe::search::limits::{Clock, Limits};
use chuhe::search::report::{Report, SearchResult, StopReason};
use chuhe::search::settings::{Idle, SearchSettings};
use chuhe::search::signals::Signals;
use chuhe::search::time_management::TimeBudget;
use chuhe::search::transposition::TranspositionTable;
use common::{Client, PATIENCE};
use cpu_time::ThreadTime;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

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

// ── Measured by the wall clock ──────────────────────────────────────────────────────────────────────────────────────

/// Time until the answer to the running search.
fn until_answer(client: &mut Client) -> Duration {
    let start = Instant::now();
    client.expect("bestmove");
    start.elapsed()
}

/// Lets a ponder search run for this time; it must not answer.
fn ponder_for(client: &mut Client, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        let lines = client.ask("");
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
    }
}

const GAME: &str = "position startpos moves h2e2 h9g7 h0g2 i9h9";

#[test]
#[ignore = "measures time: cargo test --release --test timing -- --ignored --test-threads 1"]
fn measured_greeting() {
    let times = (0..10).map(|_| {
        let start = Instant::now();
        let mut client = Client::start();
        client.send("ucci");
        client.expect("ucciok");
        start.elapsed()
    });
    let best = times.min().unwrap();
    assert!(best < Duration::from_millis(20), "{best:?}");
}

#[test]
#[ignore = "measures time: cargo test --release --test timing -- --ignored --test-threads 1"]
fn measured_pondering() {
    let mut client = Client::start();
    client.send(&format!("setoption hashsize 16\n{GAME}\ngo time 16000 increment 0"));
    let plain = until_answer(&mut client);
    client.send(&format!("setoption newgame\n{GAME}\ngo ponder time 16000 increment 0"));
    ponder_for(&mut client, 3 * plain);
    client.send("ponderhit");
    let hit = until_answer(&mut client);
    assert!(hit < plain / 2, "{hit:?} after pondering, {plain:?} without");
    client.send("go ponder time 1600000 increment 0");
    ponder_for(&mut client, plain / 4);
    client.send("stop");
    let stopped = until_answer(&mut client);
    assert!(stopped < plain / 2, "{stopped:?} to stop, {plain:?} for a move");
}

#[test]
#[ignore = "measures time: cargo test --release --test timing -- --ignored --test-threads 1"]
fn measured_move_time() {
    let mut client = Client::start();
    client.send("setoption moveoverhead 0\ngo movetime 300");
    let short = until_answer(&mut client);
    client.send("setoption newgame\ngo movetime 1200");
    let long = until_answer(&mut client);
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    assert!((2.0..8.0).contains(&ratio), "{long:?} for 1200 ms, {short:?} for 300 ms");
}

/// Processor time the process has used, in clock ticks.
#[cfg(target_os = "linux")]
fn ticks(client: &Client) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.pid())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_ascii_whitespace().collect();
    fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures time: cargo test --release --test timing -- --ignored --test-threads 1"]
fn measured_idle() {
    let mut client = Client::start();
    let mut used = |idle: &str| {
        client.send(&format!("setoption idle {idle}\nsetoption newgame"));
        client.ask("");
        let before = ticks(&client);
        client.send("go movetime 1500");
        client.expect("bestmove");
        ticks(&client) - before
    };
    let all = used("none");
    for (idle, share) in [("small", 0.75), ("medium", 0.5), ("large", 0.25)] {
        let measured = used(idle) / all;
        assert!((measured - share).abs() < 0.12, "{idle}: {measured:.2} of the processor instead of {share}");
    }
}

/// The depth of the search that answers next, and its move.
fn depth_and_move(client: &mut Client) -> (u32, String) {
    let lines = client.until("bestmove");
    let mut depths = lines.iter().filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
    let answer = lines.last().and_then(|line| line.split(' ').nth(1)).unwrap();
    (depths.next_back().unwrap_or(0), answer.to_owned())
}

/// In a new process, without `isready`: the first search must not pay for the memory of the hash table. Sizes beyond
/// the memory of the machine are refused and so measure the default size.
#[test]
#[ignore = "measures time: cargo test --release --test timing -- --ignored --test-threads 1"]
fn measured_depth_of_the_first_move() {
    const GAMES: usize = 20;
    for size in [
        "",
        "setoption hashsize 16\n",
        "setoption hashsize 256\n",
        "setoption hashsize 1024\n",
        "setoption hashsize 4096\n",
    ] {
        let mut depths: [Vec<u32>; 2] = Default::default();
        for _ in 0..GAMES {
            let mut client = Client::start();
            client.send(&format!(
                "ucci\n{size}setoption usebook false\nsetoption newgame\nposition startpos\ngo time 5000 increment 0"
            ));
            let start = Instant::now();
            let (first, mv) = depth_and_move(&mut client);
            let rest = Duration::from_secs(5).saturating_sub(start.elapsed()).as_millis();
            // A reply that is legal after any first move.
            client.send(&format!("position startpos moves {mv} a6a5\ngo time {rest} increment 0"));
            depths[0].push(first);
            depths[1].push(depth_and_move(&mut client).0);
        }
        let [first, second] = depths.map(|mut depths| {
            depths.sort_unstable();
            depths[GAMES / 2]
        });
        eprintln!("{size:?}: median depth {first} of the first move, {second} of the second");
        assert!(3 * first >= 2 * second, "{size:?}: depth {first}, then {second}");
    }
}
