//! What options and words do to the time a search takes, as ratios.

mod common;

use common::Client;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// These tests take turns: times mean nothing while others work on the same processors.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now until the answer to a search that runs.
fn until_answer(client: &mut Client) -> Duration {
    let start = Instant::now();
    client.expect("bestmove");
    start.elapsed()
}

/// Lets time pass while the engine thinks, and sees that it does not answer.
fn ponder_for(client: &mut Client, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        let lines = client.ask("");
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
    }
}

const GAME: &str = "position startpos moves h2e2 h9g7 h0g2 i9h9";

#[test]
fn time_spent_pondering_is_time_won() {
    let _alone = alone();
    let mut client = Client::start();
    client.send(&format!("setoption hashsize 16\n{GAME}\ngo time 16000 increment 0"));
    let plain = until_answer(&mut client);
    // The opponent thinks for longer than we would: after the ponder hit there is little left to do.
    client.send(&format!("setoption newgame\n{GAME}\ngo ponder time 16000 increment 0"));
    ponder_for(&mut client, 3 * plain);
    client.send("ponderhit");
    let hit = until_answer(&mut client);
    assert!(hit < plain / 2, "{hit:?} after pondering, {plain:?} without");
    // The opponent plays something else: the answer comes at once, however much time there is.
    client.send("go ponder time 1600000 increment 0");
    ponder_for(&mut client, plain / 4);
    client.send("stop");
    let stopped = until_answer(&mut client);
    assert!(stopped < plain / 2, "{stopped:?} to stop, {plain:?} for a move");
}

#[test]
fn the_clock_starts_at_the_ponder_hit() {
    let _alone = alone();
    let mut client = Client::start();
    client.send(&format!("{GAME}\ngo time 300"));
    let plain = until_answer(&mut client);
    client.send(&format!("setoption newgame\n{GAME}\ngo ponder time 100000 increment 0\nponderhit"));
    let hit = until_answer(&mut client);
    assert!(hit > 2 * plain, "{hit:?} with a long clock, {plain:?} with a short one");
}

#[test]
fn a_time_for_one_move_is_used() {
    let _alone = alone();
    let mut client = Client::start();
    client.send("setoption moveoverhead 0\ngo movetime 300");
    let short = until_answer(&mut client);
    client.send("setoption newgame\ngo movetime 1200");
    let long = until_answer(&mut client);
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    assert!((3.0..5.0).contains(&ratio), "{long:?} for 1200 ms, {short:?} for 300 ms");
}

/// Processor time the process has used, in ticks.
#[cfg(target_os = "linux")]
fn ticks(client: &Client) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.pid())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_ascii_whitespace().collect();
    fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_engine_leaves_the_processor_to_others() {
    let _alone = alone();
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
