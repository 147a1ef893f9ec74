//! Exit statuses, and commands without a file of their own here.

use crate::common::{self, run as chuhe};

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn wrong_usage_exits_with_status_two() {
    for arguments in [
        &["juggle"][..],
        &["perft"],
        &["perft", "many"],
        &["perft", "3", "--fen", "9/9 w"],
        &["perft", "3", "--suite", "/nonexistent"],
        &["perft", "3", "--max-leaves", "3"],
        &["bench", "0"],
    ] {
        let (code, out, errors) = chuhe(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!errors.is_empty());
    }
}

#[test]
fn limits_of_nothing_and_two_outputs_in_one_file_are_refused() {
    for limit in ["--nodes", "--time", "--depth"] {
        let (code, out, errors) = chuhe(&["analyse", limit, "0", "startpos"]);
        assert!(code == 2 && out.is_empty() && errors.contains(limit), "{out}{errors}");
    }
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["x", "./x"].map(|name| folder.path().join(name).display().to_string());
    let (code, _, errors) = chuhe(&["review", "--nodes", "1", "--html", &one, "--pgn", &other, "startpos"]);
    assert!(code == 2 && errors.contains("two outputs cannot be the same file"), "{errors}");
}

#[test]
fn perft_prints_the_known_counts() {
    let (code, out, _) = chuhe(&["perft", "3"]);
    assert_eq!((code, last_line(&out)), (0, "Nodes searched: 79666"));
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    let (_, out, _) = chuhe(&["perft", "2", "--fen", fen]);
    assert_eq!(last_line(&out), "Nodes searched: 1128");
    let (_, out, _) = chuhe(&["perft", "2", "--divide"]);
    assert_eq!(out.lines().filter(|line| line.as_bytes().get(4) == Some(&b':')).count(), 44);
    assert_eq!(last_line(&out), "Nodes searched: 1920");
}

#[test]
fn wrong_suite_exits_with_status_one() {
    let file = std::env::temp_dir().join(format!("chuhe-suite-{}.txt", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    std::fs::write(&file, format!("# a comment\n{fen} ;D1 44 ;D2 1920 ;D3 79667 | start\n")).unwrap();
    let (good, bad, capped) = (
        chuhe(&["perft", "2", "--suite", path]),
        chuhe(&["perft", "3", "--suite", path]),
        chuhe(&["perft", "3", "--suite", path, "--max-leaves", "5000"]),
    );
    std::fs::write(&file, "not a position ;D1 4\n").unwrap();
    let unreadable = chuhe(&["perft", "3", "--suite", path]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((good.0, last_line(&good.1)), (0, "1 position, 2 counts, 0 wrong, 1964 leaves"));
    assert_eq!((bad.0, last_line(&bad.1)), (1, "1 position, 3 counts, 1 wrong, 81630 leaves"));
    assert!(bad.1.contains("depth 3: 79666, expected 79667"));
    assert_eq!((capped.0, last_line(&capped.1)), (0, "1 position, 2 counts, 0 wrong, 1964 leaves"));
    assert_eq!(unreadable.0, 2);
}

#[test]
fn bench_signature_is_reproducible() {
    let nodes = |arguments: &[&str]| {
        let (code, out, _) = chuhe(arguments);
        assert_eq!(code, 0);
        let words: Vec<String> = last_line(&out).split(' ').map(String::from).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"), "{words:?}");
        words[0].parse::<u64>().unwrap()
    };
    let first = nodes(&["bench", "3"]);
    assert!(first > 0);
    assert_eq!(first, nodes(&["bench", "3"]));
    assert_ne!(first, nodes(&["bench", "4"]));
}

#[test]
fn closed_output_is_not_an_error() {
    for arguments in [&["bench", "1"][..], &["perft", "2", "--divide"]] {
        let status = common::Client::close_output_and_wait(common::chuhe(arguments), "");
        assert!(status.success(), "{arguments:?}: {status}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_to_a_full_disk_is_status_two() {
    for arguments in [&["bench", "1"][..], &["perft", "2", "--divide"], &["judge", "startpos"]] {
        let (status, errors) = common::run_with_full_disk(common::chuhe(arguments), "");
        assert_eq!(status.code(), Some(2), "{arguments:?}: {status}");
        assert!(errors.starts_with("error: cannot write: "), "{errors}");
    }
}
