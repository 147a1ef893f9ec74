//! Hostile files cost bounded time and memory: every command runs with a limit of its address space.

#![cfg(all(feature = "play", target_os = "linux"))]

mod common;

use common::Client;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the binary with at most `megabytes` of address space, with a device as its input.
fn run_limited(arguments: &[&str], input: &str, megabytes: usize) -> (Output, String) {
    let mut command = Command::new("sh");
    let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
    command.args(["-c", &limit, env!("CARGO_BIN_EXE_chuhe")]).args(arguments).env("LC_ALL", "C");
    let output = command.stdin(fs::File::open(input).unwrap()).stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    (output, errors)
}

/// What never ends is refused where it is read whole.
#[test]
fn endless_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    let new = new.to_str().unwrap();
    for (arguments, message) in [
        (&["judge", "/dev/zero"][..], "larger than 64 MB"),
        (&["judge", "-"], "larger than 64 MB"),
        (&["analyse", "/dev/zero", "--depth", "1"], "larger than 64 MB"),
        (&["analyse", "-", "--depth", "1"], "larger than 64 MB"),
        (&["board", "--svg", "-", "/dev/zero"], "larger than 64 MB"),
        (&["review", "/dev/zero", "--nodes", "1"], "larger than 64 MB"),
        (&["perft", "1", "--suite", "/dev/zero"], "larger than 256 MB"),
        (&["book", "build", "/dev/zero", "--output", new], "larger than 256 MB"),
        (&["book", "import", "/dev/zero", "--output", new], "larger than 256 MB"),
        (&["book", "show", "startpos", "--book", "/dev/zero"], "not a regular file"),
        (&["net", "verify", "/dev/zero"], "not a file of games"),
    ] {
        let (output, errors) = run_limited(arguments, "/dev/zero", 2_000);
        assert!(output.status.code().is_some_and(|code| code != 0), "{arguments:?}: {output:?}");
        assert!(errors.contains(message), "{arguments:?}: {errors:?}");
    }
    assert!(!Path::new(new).exists());
}

/// A client that names a device or a pipe gets an answer, and the engine goes on.
#[test]
fn devices_and_pipes_are_no_files_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.egtb");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap().to_string();
    let mut client = Client::start();
    for name in ["/dev/zero", "/dev/stdin", folder.path().to_str().unwrap(), &pipe] {
        for command in ["load ", "setoption bookfiles ", "setoption evalapi "] {
            let lines = client.ask(&format!("{command}{name}"));
            assert!(lines.iter().any(|line| line.contains("file")), "{command}{name}: {lines:?}");
        }
    }
    let folder = folder.path().display();
    let lines = client.ask(&format!("setoption egtbpaths {folder}"));
    assert!(lines.iter().any(|line| line.contains("pipe.egtb: not a file")), "{lines:?}");
    assert!(client.finish().status.success());
}

/// A line of answers, of positions or of a game that is longer than any can be.
#[test]
fn long_lines_cost_no_more_than_short_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (positions, answers) = (path("positions"), path("answers"));
    fs::write(&positions, "startpos\n").unwrap();
    fs::write(&answers, [&b"{\"source\":"[..], &vec![b'['; 200 << 20], b"\n"].concat()).unwrap();
    let arguments = ["analyse", &positions, "--depth", "1", "--output", &answers, "--resume"];
    let (output, errors) = run_limited(&arguments, "/dev/null", 1_500);
    assert!(!output.status.success() && errors.contains("line 1 is not an answer"), "{errors}");
    let long = path("long");
    fs::write(&long, [vec![b'a'; 300 << 20], b"\nstartpos\n".to_vec()].concat()).unwrap();
    let (output, errors) = run_limited(&["judge"], &long, 500);
    assert!(errors.contains("line 1 is longer than 1 MiB"), "{errors}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().nth(1), Some("ongoing"));
}

/// Games are judged one after the other: many small ones take no more memory than one.
#[test]
fn many_small_games_cost_no_more_than_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    const GAMES: usize = 300_000;
    fs::write(&path, "h2e2 *\n".repeat(GAMES)).unwrap();
    let (output, errors) = run_limited(&["judge", path.to_str().unwrap()], "/dev/null", 150);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    assert_eq!(output.stdout, "ongoing\n".repeat(GAMES).into_bytes());
}
