//! `--log-file` and `--option`.

use crate::common::{self, run as chuhe};

#[test]
fn log_file_has_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.txt");
    let mut client = common::Client::start_with(&["--log-file", file.to_str().unwrap()]);
    client.send_bytes(b"isready\r\ngo depth 1\nna\xefve\nquit\n");
    let finished = client.finish();
    assert_eq!(finished.errors, "");
    let log = std::fs::read_to_string(&file).unwrap();
    for line in ["< isready\n", "> readyok\n", "< go depth 1\n", "> bestmove ", "< na飗e\n", "> bye\n"] {
        assert!(log.contains(line), "{line:?} in {log}");
    }
    let has_time = |line: &str| line.strip_prefix('[')?.split_once(" ms ")?.0.trim().parse::<u32>().ok();
    assert!(log.lines().all(|line| has_time(line).is_some()), "with milliseconds: {log}");
    assert_eq!(chuhe(&["--log-file", "/no/such/folder/log"]).0, 2);
}

#[test]
fn options_are_set_from_the_command_line() {
    let mut client = common::Client::start_with(&["--option", "batch=true", "--option", "Book Files=no/such/book"]);
    client.send("setoption debug true\ngo depth 3\nstop");
    let finished = client.finish();
    assert!(finished.lines[0].starts_with("info message no/such/book: "), "{finished:?}");
    assert_eq!(finished.lines.last().unwrap(), "nobestmove", "in batch mode stop is read after the search");
    for bad in ["batch", "batch=maybe", "no such option=1"] {
        let (code, _, errors) = chuhe(&["--option", bad]);
        assert!(code == 2 && errors.contains("--option"), "{bad}: {errors}");
    }
    assert_eq!(chuhe(&["--option", "batch=true", "bench", "1"]).0, 2);
    // A value is no part of a line: it keeps its blanks, and is no other command.
    let finished =
        common::Client::start_with(&["--option", "bookfiles=my  book.dat", "--option", "evalapi=a\nfen"]).finish();
    assert!(finished.lines.len() == 2 && finished.lines[0].starts_with("info message my  book.dat: "), "{finished:?}");
}

#[test]
fn log_is_refused_where_nothing_is_logged_and_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.txt");
    for arguments in [&["perft", "1"][..], &["analyse", "--depth", "1", "startpos"], &["bench", "1"]] {
        let (code, out, errors) = chuhe(&[&["--log-file", log.to_str().unwrap()], arguments].concat());
        assert!(code == 2 && out.is_empty() && errors.contains("--log-file"), "{arguments:?}: {errors}");
        assert!(!log.exists());
    }
    let mut client = common::Client::start_with(&["uci", "--log-file", log.to_str().unwrap()]);
    client.send("quit");
    client.finish();
    assert!(std::fs::read_to_string(&log).unwrap().contains("> uciok"));
    // Nothing is appended to a network or a book.
    let book = folder.path().join("book.dat");
    std::fs::copy("tests/data/small.dat", &book).unwrap();
    let (code, _, errors) = chuhe(&["uci", "--log-file", book.to_str().unwrap()]);
    assert!(code == 2 && errors.ends_with("book.dat exists and is no text; it is not replaced\n"), "{errors}");
    assert_eq!(std::fs::read(&book).unwrap(), std::fs::read("tests/data/small.dat").unwrap());
    if cfg!(target_os = "linux") {
        let (code, _, errors) = chuhe(&["--log-file", "/dev/full"]);
        assert!(code == 2 && errors.starts_with("error: cannot log to /dev/full: "), "{errors}");
    }
}

/// A log file that becomes unwritable is reported once; the engine goes on.
#[test]
#[cfg(unix)]
fn failure_of_the_log_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut std::io::BufReader::new(std::fs::File::open(pipe).unwrap()), &mut line)
                .unwrap();
            line
        }
    });
    let mut client = common::Client::start_with(&["--log-file", pipe.to_str().unwrap()]);
    assert!(reader.join().unwrap().contains("chuhe"), "the pipe is closed now");
    client.send("isready\nisready\nisready\nquit");
    let finished = client.finish();
    assert_eq!(finished.lines, ["readyok", "readyok", "readyok", "bye"]);
    assert_eq!(finished.errors.lines().count(), 1, "{}", finished.errors);
    assert!(finished.errors.starts_with("error: cannot log to "));
}
