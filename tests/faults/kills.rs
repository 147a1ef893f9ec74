//! Commands that are killed (SIGKILL) at random moments: the next run goes on or starts anew, no half-written file has its
//! final name, and the result is that of a run that was not interrupted.
//!
//! `cargo test --test faults -- --ignored --nocapture kills` kills each command 100 times, or `CHUHE_KILLS` times.

use crate::common;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command, and the commands that check what a killed run has left; `@` stands for each file left.
struct Killed {
    name: &'static str,
    arguments: &'static str,
    /// Added to the arguments of every run but the first.
    resume: &'static str,
    /// Checks a file under its final name, which exits with status 0; empty: the file is continued, so that only its
    /// beginning must be right.
    check: &'static str,
}

/// What a folder holds besides temporary files, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if !name.ends_with(".new") && !name.ends_with(".lock") {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

fn temporary_files(folder: &Path) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .filter(
            |entry| matches!(entry.as_ref().unwrap().path().extension(), Some(end) if end == "new" || end == "lock"),
        )
        .count()
}

/// The command in `folder`, of which `out` is empty at first.
fn command(folder: &Path, arguments: &str) -> Command {
    let words: Vec<&str> = arguments.split(' ').filter(|word| !word.is_empty()).collect();
    let mut command = common::chuhe(&words);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs it to its end.
fn run(folder: &Path, arguments: &str) {
    let output = command(folder, arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
}

/// Inputs of the commands: games, openings, positions.
fn inputs(folder: &Path) {
    run(folder, "net datagen games --games 60 --nodes 100 --threads 2");
    run(folder, "book grow --positions 300 --nodes 100 --output book.dat");
    let game = |moves: &str, times: usize| format!("1. {moves} 1-0\n\n").repeat(times);
    let games = [game("h2e2 h9g7 h0g2 i9h9", 4_000), game("b2e2 b9c7 b0c2 a9b9", 4_000)].concat();
    fs::write(folder.join("games.pgn"), games).unwrap();
    let moves = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2", "a9b9", "c3c4", "g6g5"];
    let lines = (0..40).map(|number| format!("startpos moves {}\n", moves[..number % moves.len() + 1].join(" ")));
    fs::write(folder.join("positions"), lines.collect::<String>()).unwrap();
}

fn kill(killed: &Killed, times: usize) {
    let base = tempfile::tempdir().unwrap();
    inputs(base.path());
    let out = base.path().join("out");
    let empty = || {
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
    };
    empty();
    let start = Instant::now();
    run(base.path(), killed.arguments);
    let time = start.elapsed();
    let whole = files(&out);
    assert!(!whole.is_empty());
    let mut random = StdRng::seed_from_u64(33);
    let (mut done, mut ended, mut left, mut completed, mut temporary, mut first) = (0, 0, 0, 0, 0, true);
    empty();
    while done < times {
        let arguments = format!("{}{}", killed.arguments, if first { "" } else { killed.resume });
        let mut child = command(base.path(), &arguments).spawn().unwrap();
        std::thread::sleep(random.random_range(Duration::ZERO..time));
        let had_ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if had_ended {
            // A continued run has less to do; it does not count.
            assert!(output.status.success(), "{}: {}", killed.name, String::from_utf8_lossy(&output.stderr));
            ended += 1;
        } else {
            done += 1;
        }
        first = false;
        for (name, bytes) in files(&out) {
            left += 1;
            if killed.check.is_empty() {
                assert!(whole[&name].starts_with(&bytes), "{}: {name}", killed.name);
            } else {
                run(base.path(), &killed.check.replace('@', &format!("out/{name}")));
            }
        }
        temporary = temporary.max(temporary_files(&out));
        // Sometimes one run is killed after another without a whole one between.
        if had_ended || random.random_range(0..2) == 0 {
            run(base.path(), &format!("{}{}", killed.arguments, killed.resume));
            assert!(files(&out) == whole, "{}: another result after a kill", killed.name);
            assert_eq!(temporary_files(&out), 0, "{}: what was killed has left files", killed.name);
            completed += 1;
            first = true;
            empty();
        }
    }
    eprintln!(
        "{}: {done} kills within {:.2} s, {ended} had ended, {left} files left valid, {completed} completions equal, \
         at most {temporary} temporary files",
        killed.name,
        time.as_secs_f64()
    );
}

#[test]
#[ignore = "takes minutes: cargo test --test faults -- --ignored --nocapture kills"]
fn killed_commands_leave_nothing_broken() {
    let times = std::env::var("CHUHE_KILLS").map_or(100, |text| text.parse().expect("CHUHE_KILLS is a number"));
    for killed in [
        Killed {
            name: "book build",
            arguments: "book build games.pgn --output out/book.dat",
            resume: "",
            check: "book verify @",
        },
        Killed {
            name: "book grow",
            arguments: "book grow --lines games.pgn --positions 200 --nodes 300 --output out/book.dat",
            resume: "",
            check: "book verify @",
        },
        Killed {
            name: "book merge",
            arguments: "book merge book.dat book.dat --output out/book.dat",
            resume: "",
            check: "book verify @",
        },
        Killed {
            name: "net datagen",
            arguments: "net datagen out/games --games 40 --nodes 100 --threads 2",
            resume: "",
            check: "",
        },
        Killed {
            name: "net train",
            arguments: "net train games --epochs 3 --batch 1024 --threads 1 --output out/net --state out/state",
            resume: "",
            check: "net info out/net",
        },
        Killed {
            name: "egtb build",
            arguments: "egtb build KRkaa --threads 2 --folder out",
            resume: "",
            check: "egtb info --folder out",
        },
        Killed {
            name: "analyse",
            arguments: "analyse positions --nodes 3000 --threads 2 --output out/answers",
            resume: " --resume",
            check: "",
        },
    ] {
        kill(&killed, times);
    }
}
