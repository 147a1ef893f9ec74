//! Times by the wall clock, on a quiet machine: clocks, ponder hits and `idle` of the program.
//!
//! `cargo test --release --test long -- --ignored --test-threads 1 timing`

use crate::common::Client;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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
#[ignore = "measures time"]
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
#[ignore = "measures time"]
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
#[ignore = "measures time"]
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
#[ignore = "measures time"]
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

/// In a new process, without `isready`: the first search must not pay much for the memory of the hash table. Sizes beyond
/// the memory of the machine are refused and so measure the default size.
#[test]
#[ignore = "measures time"]
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

/// Ends busy threads, also when a test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls `work` beside this many busy threads.
fn beside_busy_threads(count: usize, work: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&is_over);
        for _ in 0..count {
            scope.spawn(|| while !is_over.load(Ordering::Relaxed) {});
        }
        work();
    });
}

/// New processes, one after another, without `isready`, as VinXiangQi, UCCILEAG and TChess play: the first answer is as
/// punctual as the second. `--nocapture` shows the share of the answers above the limit, and the times.
#[test]
#[ignore = "measures time"]
fn measured_first_answers() {
    const PROCESSES: usize = 20;
    const LIMIT: Duration = Duration::from_millis(110);
    for busy in [0, 1, 4] {
        beside_busy_threads(busy, || {
            for options in ["", "setoption name Hash value 16\n", "setoption name Hash value 1024\n"] {
                let mut times: [Vec<Duration>; 2] = Default::default();
                for _ in 0..PROCESSES {
                    let mut client = Client::start_with(&[]);
                    client.send("uci");
                    client.expect("uciok");
                    client.send_bytes(options.as_bytes());
                    for times in &mut times {
                        client.send("position startpos\ngo movetime 100");
                        times.push(until_answer(&mut client));
                    }
                }
                let [first, second] = times.map(|mut times| {
                    times.sort_unstable();
                    let late = times.iter().filter(|&&time| time > LIMIT).count();
                    (late, times[0], times[PROCESSES / 2], times[PROCESSES - 1])
                });
                eprintln!(
                    "{busy} busy, {options:?}: of {PROCESSES} above {LIMIT:?}, least, median, most: first {first:.0?}, \
                     second {second:.0?}"
                );
                assert!(first.0 <= second.0 + PROCESSES / 4, "{busy} busy, {options:?}");
            }
        });
    }
}
