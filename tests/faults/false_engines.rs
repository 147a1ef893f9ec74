//! `chuhe match` against fake engines that misbehave in every way of `tests/common/fake_engine.sh`: matches put together at
//! random, some of them interrupted and continued.
//!
//! What must hold of each match:
//!
//! - It ends in time, with status 0, or with 2 and a message; nothing panics. So does one that gets SIGTERM.
//! - It leaves no process behind.
//! - Its file of games is whole: a line of JSON for each game. An engine that does what it should is never charged with a
//!   failure, and one that fails for certain loses that game.
//!
//! `FALSE_ENGINE_SECONDS` is the length (1,200), `FALSE_ENGINE_SEED` the first seed; the seed of a failure with
//! `FALSE_ENGINE_SECONDS=0` repeats its match.
#![cfg(target_os = "linux")]

use crate::common;

use common::Client;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What an engine that does it at a move loses by for certain.
const FAILURES: [&str; 20] = [
    "crash", "kill", "hang", "stopped", "stubborn", "flood", "pipe", "mute", "deaf", "illegal", "nonsense", "chinese",
    "null", "empty", "nothing", "half", "child", "silent", "closed", "unready",
];
/// What is no failure, or one only sometimes.
const ODDITIES: [&str; 16] = [
    "-", "resign", "draw", "hit", "miss", "twice", "bytes", "binary", "line", "lines", "blanks", "numbers", "cut",
    "daemon", "option", "stays",
];
/// Those that end a match before its first game, or may.
const AT_START: [&str; 6] = ["silent", "closed", "unready", "endless", "early", "gone"];

/// Time in which a process that was killed ends, on a busy machine too.
const TIME_TO_END: Duration = Duration::from_secs(10);

/// A match by its seed.
struct Match {
    /// What each of the engines `a` and `b` does.
    kinds: [&'static str; 2],
    words: String,
    /// When it gets SIGTERM; then it is continued.
    interruption: Option<Duration>,
}

fn random_match(seed: u64) -> Match {
    let random = &mut StdRng::seed_from_u64(seed);
    let all = [&FAILURES[..], &ODDITIES[..], &AT_START[..]].concat();
    let mut kinds = ["-", all.choose(random).unwrap()];
    if random.random_ratio(1, 5) {
        kinds[0] = all.choose(random).unwrap();
    }
    let mut words = String::new();
    for (name, kind) in ["a", "b"].iter().zip(kinds) {
        words += &format!("-engine name={name} cmd=./fake arg={kind} arg={} ", random.random_range(1..4));
        // An engine that does what it should has time.
        let limits = if FAILURES.contains(&kind) {
            &["nodes=5", "depth=3", "st=0.3", "tc=0.3+0.01"][..]
        } else {
            &["tc=600+1", "st=100"]
        };
        words += limits.choose(random).unwrap();
        words += [" ranks=0 ", " ranks=0 proto=ucci ", " "].choose(random).unwrap();
        words += ["", "ponder=on ", "restart=on "].choose(random).unwrap();
    }
    words += &format!(
        "-hang 0.5 -startup 3 -games {} -concurrency {} ",
        random.random_range(1..5),
        random.random_range(1..4)
    );
    words += ["", "-log log ", "-check-pv ", "-pgnout games.pgn "].choose(random).unwrap();
    words += "-output games ";
    let interruption = random.random_ratio(1, 4).then(|| Duration::from_millis(random.random_range(0..3_000)));
    Match { kinds, words, interruption }
}

/// The processes that still run in a folder when those that were killed have had time to end.
fn processes_left(folder: &Path) -> Vec<String> {
    let start = Instant::now();
    while !processes_in(folder).is_empty() && start.elapsed() < TIME_TO_END {
        std::thread::yield_now();
    }
    processes_in(folder)
}

/// The processes that run in a folder.
fn processes_in(folder: &Path) -> Vec<String> {
    let is_there = |pid: &String| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|path| path == folder);
    let names = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(is_there).collect()
}

/// Runs a match with the words in the folder: its status and errors.
fn run(folder: &Path, words: &str, interruption: Option<Duration>) -> (Option<i32>, String) {
    // 8 GB of addresses: threads have stacks.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 8000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_chuhe"), "match"]);
    command.args(words.split_whitespace()).current_dir(folder).env_remove("RUST_LOG").env("LC_ALL", "C");
    let mut client = Client::spawn(command);
    if let Some(time) = interruption {
        std::thread::sleep(time);
        Command::new("kill").arg(client.pid().to_string()).status().expect("kill is there");
    }
    let finished = client.wait();
    (finished.status.code(), finished.errors)
}

/// Plays a match, and checks what it leaves.
fn check(seed: u64, folder: &Path) {
    let Match { kinds, words, interruption } = random_match(seed);
    let (mut status, mut errors) = run(folder, &words, interruption);
    if interruption.is_some() {
        assert!(matches!(status, Some(0 | 2)) || status.is_none() && errors.is_empty(), "{status:?} {errors}");
        assert_eq!(processes_left(folder), [""; 0], "processes are left after an interruption");
        let _ = fs::remove_file(folder.join("gone"));
        (status, errors) = run(folder, &(words + "-resume"), None);
    }
    assert!(matches!(status, Some(0 | 2)) && !errors.contains("panicked"), "status {status:?}: {errors}");
    assert_eq!(processes_left(folder), [""; 0], "processes are left");
    // Any may fail when it is asked for the numbering of ranks.
    assert!(status == Some(0) || kinds != ["-"; 2] && errors.contains("error: engine "), "{errors}");
    let text = fs::read_to_string(folder.join("games")).unwrap_or_default();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    for game in lines.iter().filter(|line| line.get("termination").is_some()) {
        let termination = game["termination"].as_str().unwrap();
        let has_failed = ["crash", "hang", "time-forfeit", "illegal-move", "no-move"].contains(&termination);
        let loser = match game["result"].as_str().unwrap() {
            "1-0" => game["black"].as_str(),
            "0-1" => game["red"].as_str(),
            _ => None,
        };
        let kind = loser.map(|name| kinds[usize::from(name == "b")]);
        assert!(!has_failed || kind.is_some_and(|kind| kind != "-"), "charged with a failure: {game}");
        let fails = kinds.iter().filter(|kind| FAILURES.contains(kind)).count();
        // By the rules the game ends before the fourth move of an engine only through the other.
        assert!(
            has_failed || fails == 0 || termination == "resignation" || kinds.contains(&"draw"),
            "no failure: {game}"
        );
    }
}

#[test]
#[ignore = "takes 20 minutes: cargo test --test faults -- --ignored --nocapture false_engines"]
fn matches_survive_false_engines() {
    let (start, first) = (Instant::now(), common::number("FALSE_ENGINE_SEED", 1));
    let length = Duration::from_secs(common::number("FALSE_ENGINE_SECONDS", 1_200));
    let (mut failures, mut seed) = (Vec::new(), first);
    while seed == first || start.elapsed() < length && failures.len() < 20 {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("fake");
        fs::write(&program, common::FAKE_ENGINE).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = folder.path().canonicalize().unwrap();
        if let Some(why) = common::panic_of(|| check(seed, &path)) {
            let interruption =
                random_match(seed).interruption.map(|time| format!("\n  with SIGTERM after {time:?}, then -resume"));
            let words = random_match(seed).words;
            let failure = format!(
                "FALSE_ENGINE_SEED={seed}: {why}\n  chuhe match {words}{}\n  in a folder where `fake` is tests/common/fake_engine.sh",
                interruption.unwrap_or_default()
            );
            println!("{failure}");
            failures.push(failure);
        }
        for pid in processes_in(&path) {
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        }
        seed += 1;
    }
    println!("{} matches", seed - first);
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
