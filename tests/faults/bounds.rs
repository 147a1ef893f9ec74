//! Hostile files cost bounded time and memory: every command runs with a limit of its address space.

#![cfg(all(feature = "play", target_os = "linux"))]

use crate::common;

use common::Client;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the binary with at most `megabytes` of address space, with a device as its input.
fn run_limited(arguments: &[&str], input: &str, megabytes: usize) -> (Output, String) {
    let mut command = Command::new("sh");
    let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
    command.args(["-c", &limit, env!("CARGO_BIN_EXE_chuhe")]).args(arguments).env("LC_ALL", "C");
    // Each arena of the allocator takes 64 MB of address space.
    command.env("MALLOC_ARENA_MAX", "1");
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
    let endless_xqf = folder.path().join("endless.xqf");
    fs::write(&endless_xqf, [&b"XQ"[..], &vec![0; 5 << 20]].concat()).unwrap();
    let endless_xqf = endless_xqf.to_str().unwrap().to_string();
    for (arguments, message) in [
        (&["judge", "/dev/zero"][..], "a NUL byte"),
        (&["judge", "-"], "a NUL byte"),
        (&["analyse", "/dev/zero", "--depth", "1"], "a NUL byte"),
        (&["analyse", "-", "--depth", "1"], "a NUL byte"),
        (&["board", "--svg", "-", "/dev/zero"], "a NUL byte"),
        (&["review", "/dev/zero", "--nodes", "1"], "a NUL byte"),
        (&["judge", &endless_xqf], "more than 4 MiB of memory"),
        (&["perft", "1", "--suite", "/dev/zero"], "larger than 256 MB"),
        (&["book", "build", "/dev/zero", "--output", new], "a NUL byte"),
        (&["book", "import", "/dev/zero", "--output", new], "larger than 256 MB"),
        (&["book", "show", "startpos", "--book", "/dev/zero"], "not a regular file"),
        (&["net", "verify", "/dev/zero"], "not a file of games"),
    ] {
        let (output, errors) = run_limited(arguments, "/dev/zero", 2_000);
        assert!(output.status.code().is_some_and(|code| code != 0), "{arguments:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout) + errors.as_str();
        assert!(said.contains(message), "{arguments:?}: {said:?}");
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
    assert!(lines.iter().any(|line| line.contains("pipe.egtb: cannot be read: it is not a regular file")), "{lines:?}");
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
    assert!(errors.contains("line 1: longer than 1 MiB"), "{errors}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().nth(1), Some("ongoing"));
}

/// A text of four comments of 900,000 characters.
fn comments() -> String {
    format!("{{{}}}\n", "<".repeat(900_000)).repeat(4)
}

/// So many legal moves from the start position.
fn moves(count: usize) -> String {
    ["a0a1", "a9a8", "a1a0", "a8a9"].into_iter().cycle().take(count).collect::<Vec<_>>().join(" ")
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Runs a command with so much memory, which must end with this status; the number of lines that it prints.
fn lines_of(arguments: &[&str], megabytes: usize, status: i32) -> usize {
    let (output, errors) = run_limited(arguments, "/dev/null", megabytes);
    let beginning: String = errors.chars().take(300).collect();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {beginning}");
    String::from_utf8(output.stdout).unwrap().lines().count()
}

/// `judge`, `cloud` without a server and `book build` with little memory on a file of so many games: their exit statuses.
fn games_cost_bounded_memory(bytes: Vec<u8>, games: usize, [judged, asked, built]: [i32; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let file = path("games");
    fs::write(&file, bytes).unwrap();
    assert_eq!(lines_of(&["judge", &file], 100, judged), games);
    lines_of(&["cloud", "--address", "http://127.0.0.1:9/", &file], 100, asked);
    lines_of(&["book", "build", &file, "--games", "1", "--output", &path("book.dat")], 100, built);
}

/// The commands for games take them one after the other, whatever the file: many small ones, in any encoding, and a game
/// of the greatest length.
#[test]
fn many_games_cost_bounded_memory() {
    let games = "[Red \"最\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n\n".repeat(20_000);
    games_cost_bounded_memory(utf_16(&games), 20_000, [0, 2, 0]);
    games_cost_bounded_memory(games.into_bytes(), 20_000, [0, 2, 0]);
    games_cost_bounded_memory(moves(5_000).into_bytes(), 1, [0, 2, 0]);
}

#[test]
fn games_that_are_too_long_cost_bounded_memory() {
    let positions = format!("startpos moves {}\nstartpos\n", moves(200_000));
    games_cost_bounded_memory(positions.into_bytes(), 2, [1, 2, 2]);
    games_cost_bounded_memory(format!("{}h2e2 *\n", comments()).into_bytes(), 1, [0, 2, 0]);
    let no_end = format!("[Red \"a\"]\n{}", "{x\n".repeat(10_000_000));
    games_cost_bounded_memory(no_end.into_bytes(), 1, [1, 1, 2]);
    let lines = format!("炮二平五\n{}", "马8进7 马二进三\n".repeat(1_000_000));
    games_cost_bounded_memory(utf_16(&lines), 1, [1, 1, 2]);
}

#[test]
fn reviews_and_analyses_cost_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (text, games) in [
        ("startpos\n".repeat(500), 500),
        (format!("startpos moves {}\nstartpos\n", moves(1_500)), 2),
        (format!("{}h2e2 *\n", comments()), 1),
    ] {
        let (file, html, pgn) = (path("games"), path("new.html"), path("new.pgn"));
        fs::write(&file, text).unwrap();
        let arguments = ["review", "--nodes", "1", "--json", "--html", &html, "--pgn", &pgn, &file];
        assert_eq!(lines_of(&arguments, 250, 0), games);
        lines_of(&["analyse", "--nodes", "1", "--json", &file], 250, 0);
    }
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
    let lines = output.stdout.split(|&byte| byte == b'\n');
    assert_eq!(lines.filter(|line| line.ends_with(b": ongoing")).count(), GAMES);
}
