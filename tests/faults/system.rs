//! Faults of the system around the real binary: closed descriptors, signals, a client that does not read, missing
//! folders, full disks, and limits of memory and threads. Each gives a message and an exit status, and what can still be
//! done is done.

#![cfg(target_os = "linux")]

use crate::common;

use common::{Client, PATIENCE};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A script of the protocol that ends with a search.
const SCRIPT: &str = "uci\nsetoption name OwnBook value false\nisready\ngo depth 5\n";

/// Runs a shell script, in which `$CHUHE` is the binary, with this input: exit status (128 and the signal after one),
/// output, errors.
fn shell(folder: &Path, script: &str, input: &str) -> (i32, String, String) {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", &PATIENCE.as_secs().to_string(), "sh", "-c", script]).current_dir(folder);
    command.env("CHUHE", env!("CARGO_BIN_EXE_chuhe")).env("LC_ALL", "C").env_remove("RUST_LOG");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut input_end = child.stdin.take().expect("piped");
    // The program may end without reading it.
    let _ = input_end.write_all(input.as_bytes());
    drop(input_end);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    (status, text(output.stdout), text(output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Waits for the end of a process, which is killed after [`PATIENCE`].
fn wait(child: &mut Child) -> std::process::ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("can be waited for") {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().expect("can be killed");
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

// ── Descriptors ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// A closed descriptor is as /dev/null: the standard library opens that in its place.
#[test]
fn closed_descriptors_in_every_combination() {
    let folder = folder();
    for closed in 0..8 {
        let redirections: Vec<&str> = ["<&-", ">&-", "2>&-"]
            .into_iter()
            .enumerate()
            .filter_map(|(number, redirection)| (closed >> number & 1 == 1).then_some(redirection))
            .collect();
        for (arguments, last) in [
            ("", "bestmove "),
            ("perft 3", "Nodes searched: 79666"),
            ("bench 2", " nps"),
            ("analyse startpos --depth 2", "/"),
        ] {
            let script = format!("exec \"$CHUHE\" {arguments} {}", redirections.join(" "));
            let (status, output, errors) = shell(folder.path(), &script, SCRIPT);
            assert_eq!((status, errors.as_str()), (0, ""), "{script}");
            let is_heard = closed & 2 == 0 && (closed & 1 == 0 || !arguments.is_empty());
            let found = output.lines().last().is_some_and(|line| line.contains(last));
            assert_eq!(found, is_heard, "{script}: {output}");
        }
    }
}

/// What takes long ends when nobody can read its result: a count in the protocol when the input has ended too.
#[test]
fn closed_reader_ends_what_takes_long() {
    for (arguments, input) in [
        (&[][..], "perft 12\n"),
        (&[], "bench 60\n"),
        (&[], "go depth 100\n"),
        (&["perft", "12"], ""),
        (&["perft", "12", "--divide"], ""),
        (&["bench", "60"], ""),
        (&["analyse", "startpos", "--depth", "100"], ""),
    ] {
        let mut child = common::chuhe(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        drop(child.stdout.take());
        assert_eq!(wait(&mut child).code(), Some(0), "{arguments:?} {input:?}");
    }
}

#[test]
fn count_of_a_script_is_completed_though_the_input_has_ended() {
    let (status, output, _) = shell(folder().path(), "\"$CHUHE\"", "perft 4\n");
    assert!(status == 0 && output.ends_with("Nodes searched: 3290240\n"), "{output}");
}

/// An engine of which nobody reads the output. Its input is written by a thread, since the engine may not read it.
fn unread(input: String) -> Child {
    let mut child =
        common::chuhe(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    child
}

/// Greatest memory of a process so far, in kilobytes.
fn peak_kilobytes(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn client_that_never_reads_cannot_block_quit_nor_fill_the_memory() {
    let hostile =
        "position fen rnbakabnr/9/1c5c1 moves h2e2 nonsense\nd\nisready\nsetoption hashsize -1\n".repeat(50_000);
    let mut child = unread(format!("go infinite\n{hostile}quit\n"));
    let mut peak = 0;
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it does not end");
        peak = peak.max(peak_kilobytes(&child).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(2), "error: cannot write: nobody reads it\n"));
    assert!(peak < 400_000, "{peak} kB");
}

#[test]
fn reader_that_comes_back_gets_every_line() {
    const BOARDS: usize = 4_000;
    let mut child = unread(format!("setoption usebook false\n{}go depth 4\n", "d\n".repeat(BOARDS)));
    // Until the pipe is full, the engine has filled its queue, and waits.
    let ticks = |child: &Child| fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let state = |stat: &str| stat.rsplit(')').next().unwrap().split(' ').nth(1).unwrap().to_string();
    let (mut last, mut same) = (String::new(), 0);
    while same < 50 {
        std::thread::sleep(Duration::from_millis(5));
        let stat = ticks(&child);
        same = if stat == last && state(&stat) == "S" { same + 1 } else { 0 };
        last = stat;
    }
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(wait(&mut child).success());
    assert_eq!(output.lines().filter(|line| line.contains("a b c d e f g h i")).count(), BOARDS);
    assert!(output.lines().last().unwrap().starts_with("bestmove "));
}

// ── Signals ─────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn signals_end_a_search() {
    for signal in [2, 15] {
        // Jobs in the background of a shell ignore SIGINT.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_chuhe")]);
        let mut client = Client::spawn(command);
        client.send("setoption usebook false");
        client.send("go infinite");
        client.expect("info");
        let status = Command::new("kill").args([format!("-{signal}"), client.pid().to_string()]).status().unwrap();
        assert!(status.success());
        assert_eq!(client.wait().status.signal(), Some(signal));
    }
}

#[test]
fn closed_pipe_ends_a_search_with_status_zero() {
    let status = Client::close_output_and_wait(common::chuhe(&[]), "setoption usebook false\ngo infinite\n");
    assert_eq!(status.code(), Some(0));
}

// ── Folders and disks ───────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn neither_home_nor_temporary_folder_is_needed() {
    let folder = folder();
    let script = "export TMPDIR=/none; unset HOME XDG_DATA_HOME; cd /; \"$CHUHE\"";
    let (status, output, errors) = shell(folder.path(), script, SCRIPT);
    assert!(status == 0 && errors.is_empty() && output.contains("bestmove "), "{errors}");
    let script = "out=$PWD/out; export TMPDIR=/none; unset HOME; cd /; \
                  \"$CHUHE\" analyse startpos --depth 3 --output \"$out\" && \"$CHUHE\" board startpos --svg \"$out.svg\" && \
                  \"$CHUHE\" play < /dev/null";
    let (status, _, errors) = shell(folder.path(), script, "");
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(folder.path().join("out").exists() && folder.path().join("out.svg").exists());
}

/// Writes games, a book and training games to a folder.
fn inputs(folder: &Path) {
    fs::write(folder.join("games.pgn"), "1. h2e2 h9g7 1-0\n\n1. h2e2 h9g7 1-0\n").unwrap();
    let script = "\"$CHUHE\" book build games.pgn --output book.dat && \
                  \"$CHUHE\" net datagen games --games 2 --nodes 100 && \
                  \"$CHUHE\" net datagen part --games 2 --nodes 100 --shard 1/1";
    let (status, _, errors) = shell(folder, script, "");
    assert_eq!(status, 0, "{errors}");
}

/// Every command that writes a file, with `@` for its name.
const WRITERS: [&str; 12] = [
    "book build games.pgn --output @",
    "book grow --positions 1 --nodes 100 --output @",
    "book merge book.dat --output @",
    "net datagen @ --games 2 --nodes 100",
    "net shuffle games --output @",
    "net merge part --output @",
    "net train games --epochs 1 --output @",
    "net train games --epochs 1 --output net --state @",
    "analyse startpos --depth 3 --output @",
    "review games.pgn --depth 2 --html @",
    "review games.pgn --depth 2 --pgn @",
    "board startpos --svg @",
];

#[test]
fn full_disk_is_status_two_for_every_writer_and_a_device_stays_one() {
    let folder = folder();
    inputs(folder.path());
    for writer in WRITERS {
        let command = writer.replace('@', "/dev/full");
        let (status, _, errors) = shell(folder.path(), &format!("exec \"$CHUHE\" {command}"), "");
        assert_eq!(status, 2, "{command}: {errors}");
        assert!(errors.contains("/dev/full") && errors.contains("No space left on device"), "{command}: {errors}");
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device(), "{command}");
    }
    let script = "save /dev/full\nexport_net /dev/full\nuci\n";
    let (status, output, _) = shell(folder.path(), "\"$CHUHE\"", script);
    assert_eq!((status, output.matches("cannot write /dev/full: No space left").count()), (0, 2), "{output}");
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
}

#[test]
fn folder_that_cannot_be_written_to_is_named() {
    let folder = folder();
    inputs(folder.path());
    // Not even the superuser makes files there.
    let unwritable = "/sys/out";
    for writer in WRITERS.into_iter().chain(["egtb build KPk --folder @", "manual @"]) {
        let command = writer.replace('@', unwritable);
        let (status, _, errors) = shell(folder.path(), &format!("exec \"$CHUHE\" {command}"), "");
        assert!(status == 2 && errors.starts_with("error: ") && errors.contains(unwritable), "{command}: {errors}");
    }
    let (status, output, _) = shell(folder.path(), "\"$CHUHE\"", "save /sys/out\ngo depth 2\n");
    assert!(status == 0 && output.contains("cannot write /sys/out: ") && output.contains("bestmove"), "{output}");
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Files may have a kilobyte: nothing larger is written, and what was there stays. Only games and answers, which are
/// appended, keep what fitted.
#[test]
fn full_disk_leaves_neither_half_files_nor_temporary_ones() {
    let folder = folder();
    inputs(folder.path());
    // With what an older file of its kind begins.
    for (writer, old) in [
        ("net shuffle games games games games games games games games --output @", Some("ChuHe games 1: old\n")),
        ("net train games --epochs 1 --output @", Some("ChuHeNet")),
        ("review games.pgn --depth 2 --html @", Some("<!doctype html>")),
        ("board startpos --svg @", Some("<svg>")),
        ("net datagen @ --games 9 --nodes 100 --seed 1", None),
    ] {
        let out = folder.path().join("out");
        let replaced = old.is_some();
        for old in [None, old].into_iter().take(1 + replaced as usize) {
            let _ = fs::remove_file(&out);
            old.into_iter().for_each(|old| fs::write(&out, old).unwrap());
            let before = names(folder.path());
            let script = format!("ulimit -f 2; exec \"$CHUHE\" {}", writer.replace('@', "out"));
            let (status, _, errors) = shell(folder.path(), &script, "");
            assert!(status == 2 && errors.contains("out: File too large"), "{writer}: {status} {errors}");
            if replaced {
                assert_eq!(names(folder.path()), before, "{writer}");
                assert_eq!(fs::read_to_string(&out).ok().as_deref(), old, "{writer}");
            }
        }
    }
    // With room, the games are continued.
    let generate = "\"$CHUHE\" net datagen out --games 9 --nodes 100 --seed 1 && \
                    \"$CHUHE\" net datagen whole --games 9 --nodes 100 --seed 1 && cmp out whole";
    assert_eq!(shell(folder.path(), generate, "").0, 0);
    let (_, output, _) = shell(folder.path(), "trap '' XFSZ; ulimit -f 2; \"$CHUHE\"", "export_net net\n");
    assert!(output.contains("cannot write net: File too large") && !folder.path().join("net").exists(), "{output}");
}

/// A run that was interrupted before the whole header was written starts anew.
#[test]
fn games_with_a_part_of_the_header_are_begun_again() {
    let folder = folder();
    inputs(folder.path());
    let whole = fs::read(folder.path().join("games")).unwrap();
    for length in [1, 10, 20] {
        fs::write(folder.path().join("torn"), &whole[..length]).unwrap();
        let (status, _, errors) = shell(folder.path(), "\"$CHUHE\" net datagen torn --games 2 --nodes 100", "");
        assert_eq!((status, errors.as_str()), (0, ""), "{length}");
        assert!(fs::read(folder.path().join("torn")).unwrap() == whole, "{length}");
    }
    fs::write(folder.path().join("torn"), "ChuHe gamez").unwrap();
    assert_eq!(shell(folder.path(), "\"$CHUHE\" net datagen torn --games 2 --nodes 100", "").0, 2);
}

/// A pipe gets the whole book, once, and stays a pipe; a link to no file is followed.
#[test]
fn grown_book_goes_through_pipes_and_links() {
    let folder = folder();
    let grow = "\"$CHUHE\" book grow --positions 40 --nodes 100 --output";
    let script = format!(
        "{grow} whole && mkfifo pipe && (cat pipe > copy &) && {grow} pipe && ln -s target link && {grow} link"
    );
    let (status, _, errors) = shell(folder.path(), &script, "");
    assert_eq!(status, 0, "{errors}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let whole = read("whole");
    assert!(!whole.is_empty() && read("target") == whole);
    assert!(fs::symlink_metadata(folder.path().join("link")).unwrap().is_symlink());
    assert!(fs::metadata(folder.path().join("pipe")).unwrap().file_type().is_fifo());
    // `cat` may still be writing.
    let deadline = Instant::now() + PATIENCE;
    while read("copy") != whole {
        assert!(Instant::now() < deadline, "the pipe got something else");
        std::thread::yield_now();
    }
}

/// Nothing is read or searched for an output that cannot be written: the input is not even missed.
#[test]
fn output_that_cannot_be_written_is_found_before_the_work() {
    let folder = folder();
    for writer in [
        "book build missing --output @",
        "book grow --lines missing --output @",
        "book merge missing --output @",
        "book import missing --output @",
        "net shuffle missing --output @",
        "net merge missing --output @",
        "net train missing --output @",
        "net train missing --output net --state @",
        "review missing --html @",
        "review missing --pgn @",
        "review missing --html page --pgn @",
        "board missing --svg @",
        "board missing --png @",
        "board missing --svg picture --png @",
    ] {
        let command = writer.replace('@', "/sys/out");
        let (status, output, errors) = shell(folder.path(), &format!("exec \"$CHUHE\" {command}"), "");
        assert_eq!((status, output.as_str()), (2, ""), "{command}: {errors}");
        assert!(errors.starts_with("error: cannot write /sys/out: "), "{command}: {errors}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// A file is on the disk before it gets its name, and the name before the program says so. Passed over where no process
/// can be traced.
#[test]
fn saved_files_reach_the_disk() {
    let folder = folder();
    let trace = "strace -f -qq -e trace=openat,fsync,/rename,write -o trace \"$CHUHE\" board startpos --svg picture";
    if shell(folder.path(), "strace -o /dev/null true", "").0 != 0 {
        eprintln!("passed over: there is no strace");
        return;
    }
    assert_eq!(shell(folder.path(), trace, "").0, 0);
    let trace = fs::read_to_string(folder.path().join("trace")).unwrap();
    let calls: Vec<&str> = trace.lines().filter_map(|line| line.split_once(' ')).map(|(_, call)| call.trim()).collect();
    let place = |start: usize, call: &str| {
        let found = calls[start..].iter().position(|line| line.starts_with(call));
        start + found.unwrap_or_else(|| panic!("no {call}: {trace}"))
    };
    let renamed = place(0, "rename");
    let synced = calls[..renamed].iter().rposition(|call| call.starts_with("fsync(")).expect(&trace);
    assert!(calls[..synced].iter().any(|call| call.starts_with("write(") && call.contains("svg")), "{trace}");
    place(place(renamed, "openat("), "fsync(");
}

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Another program cuts a table short or writes over it: the engine answers, and says once that it does
/// without.
#[test]
fn table_that_changes_while_it_is_open_ends_nothing() {
    let folder = folder();
    let script = "\"$CHUHE\" egtb build KRka --folder tables > /dev/null && cp tables/KRka.egtb good";
    assert_eq!(shell(folder.path(), script, "").0, 0);
    let fens = ["3ak4/9/9/9/9/9/9/9/9/R2K5 w", "4k4/4a4/9/9/9/9/9/8R/9/3K5 b", "5k3/9/5a3/9/R8/9/9/9/9/4K4 w"];
    let searches = |client: &mut Client, fens: &[&str]| {
        let mut lines = Vec::new();
        for fen in fens {
            client.send(&format!("position fen {fen} - - 0 1\ngo depth 3"));
            lines.extend(client.until("bestmove"));
        }
        let said = |line: &&String| line.contains("info string") && line.contains("KRka.egtb: ");
        let is_move = |line: &&String| line.starts_with("bestmove ") && !line.contains("(none)");
        (lines.iter().filter(is_move).count(), lines.iter().filter(said).count())
    };
    for change in ["truncate -s 400 tables/KRka.egtb", "cat good good good | tail -c +1000 > tables/KRka.egtb"] {
        for is_read_before in [false, true] {
            assert_eq!(shell(folder.path(), "cp good tables/KRka.egtb", "").0, 0);
            let mut client = Client::start_with(&["uci"]);
            client.expect("uciok");
            client.ask(&format!("setoption name EGTB Paths value {}/tables", folder.path().display()));
            if is_read_before {
                // One block.
                let shown = client.ask(&format!("position fen {} - - 0 1\nd", fens[0]));
                assert!(shown.iter().any(|line| line.contains("red wins in")), "{shown:?}");
            }
            assert_eq!(shell(folder.path(), change, "").0, 0);
            assert_eq!(searches(&mut client, &fens[1..]), (2, 1), "{change}");
            assert_eq!(searches(&mut client, &fens), (3, 0), "{change}");
            client.send("quit");
            assert_eq!(client.wait().status.code(), Some(0));
        }
    }
}

// ── Memory and threads ──────────────────────────────────────────────────────────────────────────────────────────────

/// The messages and the last line of an engine under `limit` that is asked for more than it can have.
fn limited(limit: &str, settings: &str) -> (Vec<String>, String) {
    let input = format!("setoption usebook false\n{settings}isready\ngo depth 5\n");
    let (status, output, errors) = shell(folder().path(), &format!("{limit}exec \"$CHUHE\""), &input);
    assert_eq!((status, errors.as_str()), (0, ""), "{output}");
    let lines: Vec<String> = output.lines().map(String::from).collect();
    (common::messages(&lines).into_iter().map(String::from).collect(), lines.last().cloned().unwrap_or_default())
}

#[test]
fn engine_plays_with_the_address_space_it_has() {
    for megabytes in [200, 300, 500, 1000] {
        let limit = format!("ulimit -v {}; ", megabytes << 10);
        let (messages, last) = limited(&limit, "setoption threads 1\n");
        assert!(messages.is_empty() && last.starts_with("bestmove "), "{messages:?}");
        let (messages, last) = limited(&limit, "setoption threads 256\nsetoption hashsize 4000\n");
        assert!(last.starts_with("bestmove "), "{megabytes}: {last}");
        let has = |text: &str| messages.iter().any(|message| message.contains(text));
        assert!(has("no memory for a hash table of 4000 MB, keeping "), "{messages:?}");
        assert!(has("256 search threads cannot be had, using "), "{messages:?}");
    }
}

#[test]
fn command_without_memory_for_its_tables_says_so() {
    for command in ["analyse startpos --depth 2 --hash 2000", "analyse startpos --depth 2 --hash 100 --threads 8"] {
        let script = format!("ulimit -v 300000; exec \"$CHUHE\" {command}");
        let (status, _, errors) = shell(folder().path(), &script, "");
        assert!(status == 2 && errors.starts_with("error: no memory for "), "{command}: {status} {errors}");
    }
}

/// Limits of threads hold for other users than the superuser: another user runs a copy of the binary.
#[test]
fn engine_plays_with_the_threads_it_can_start() {
    let folder = folder();
    let script = "[ \"$(id -u)\" = 0 ] && command -v setpriv bash && cp \"$CHUHE\" chuhe && chmod 755 . chuhe";
    if shell(folder.path(), script, "").0 != 0 {
        eprintln!("passed over: not the superuser, or there is no setpriv");
        return;
    }
    let run = |threads: usize, arguments: &str, input: &str| {
        // A user of its own, whose threads no other run of this test adds to.
        let id = 20_000 + std::process::id() % 40_000;
        let user = format!("setpriv --reuid {id} --regid {id} --clear-groups");
        let script = format!("exec {user} bash -c 'ulimit -u {threads}; exec ./chuhe {arguments}'");
        shell(folder.path(), &script, input)
    };
    let (status, _, errors) = run(1, "", SCRIPT);
    assert!(status == 2 && errors.starts_with("error: cannot start a thread: "), "{errors}");
    let input = "setoption usebook false\nsetoption threads 8\nisready\ngo depth 5\n";
    for limit in [4, 6] {
        let (status, output, errors) = run(limit, "", input);
        assert_eq!((status, errors.as_str()), (0, ""));
        assert!(output.contains("8 search threads cannot be had, using "), "{output}");
        assert!(output.lines().last().unwrap().starts_with("bestmove "), "{output}");
    }
    for (limit, arguments) in [
        (1, "analyse startpos --depth 3 --threads 4"),
        (2, "analyse startpos --depth 3 --threads 4"),
        (3, "analyse startpos --depth 3 --threads 4"),
        (1, "bench 2"),
        (1, "perft 3"),
        (1, "egtb build KPk --threads 4 --folder /tmp/none/../../proc/self/cwd/tables"),
    ] {
        let _ = fs::create_dir(folder.path().join("tables"));
        fs::set_permissions(folder.path().join("tables"), fs::Permissions::from_mode(0o777)).unwrap();
        let arguments = arguments.replace("/tmp/none/../../proc/self/cwd/", "");
        let (status, output, errors) = run(limit, &arguments, "");
        assert!(status == 0 && errors.is_empty() && !output.is_empty(), "{limit} {arguments}: {status} {errors}");
    }
}

// ── No one gets in ──────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn paths_in_options_and_commands_are_never_executed() {
    let folder = folder();
    let hostile =
        ["; touch x", "$(touch x)", "`touch x`", "| touch x", "|touch x", "&& touch x", "a;touch x;", "-x", "--help"];
    let mut input = String::new();
    for path in hostile {
        for option in
            ["bookfiles", "evalapi", "egtbpath", "cloudaddress", "name EvalFile value", "name Book File value"]
        {
            input += &format!("setoption {option} {path}\n");
        }
        input += &format!("load {path}\n");
    }
    input += "isready\ngo depth 3\n";
    let (status, output, errors) = shell(folder.path(), "\"$CHUHE\"", &input);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(output.lines().any(|line| line.starts_with("bestmove ")), "{output}");
    assert_eq!(names(folder.path()), [""; 0]);
    // What is written has the name that was given, whatever it is.
    let (_, output, _) = shell(folder.path(), "\"$CHUHE\"", "save $(touch x)\nexport_net ; touch x\n");
    assert_eq!(names(folder.path()), ["$(touch x)", "; touch x"], "{output}");
}

#[test]
fn normal_game_opens_no_socket_and_no_file() {
    for dialect in ["ucci", "uci"] {
        let mut client = Client::start_with(&[dialect]);
        client.expect(&format!("{dialect}ok"));
        let open = |client: &Client| {
            let open = fs::read_dir(format!("/proc/{}/fd", client.pid())).unwrap();
            let target = |entry: std::io::Result<fs::DirEntry>| fs::read_link(entry.unwrap().path()).unwrap();
            open.map(target).collect::<Vec<_>>()
        };
        let inherited = open(&client);
        client.ask("setoption newgame");
        let mut moves = String::from("position startpos moves");
        for _ in 0..6 {
            client.send(&format!("{moves}\ngo depth 6"));
            let answer = client.expect("bestmove");
            moves = format!("{moves} {}", answer.split(' ').nth(1).unwrap());
        }
        client.send("go infinite");
        client.ask("");
        assert_eq!(open(&client), inherited);
        client.send("stop\nquit");
        assert!(client.wait().status.success());
    }
}
