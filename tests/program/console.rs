//! The console through the real binary: checks that the conversations in `tests/conversations` cannot express.

use crate::common;

use common::{Client, messages};

#[test]
fn perft_ends_with_its_count() {
    let mut client = Client::start();
    for command in ["perft 3", "go perft 3"] {
        let lines = client.ask(command);
        assert_eq!(lines.last().unwrap(), "Nodes searched: 79666");
        let counts = lines.iter().filter_map(|line| line.split_once(": "));
        let sum: u64 = counts.filter(|(name, _)| name.len() == 4).map(|(_, count)| count.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, 79_666);
    }
    assert_eq!(client.ask("perft 0"), ["", "Nodes searched: 1"]);
    assert_eq!(messages(&client.ask("perft\nperft x\nperft 99999999999")).len(), 3);
}

#[test]
fn unknown_words_get_one_clean_short_line() {
    let mut client = Client::start();
    assert_eq!(client.ask("xyzzy and more"), ["info message unknown command \"xyzzy\", try help"]);
    client.send_bytes(b"\x1b[31m\xff\xfe\x07\n");
    let line = client.line();
    assert!(line.starts_with("info message unknown command "), "{line}");
    assert!(!line.contains('\x1b') && !line.contains('\x07'), "{line:?}");
    assert!(client.ask(&"long".repeat(1_000))[0].len() < 100);
}

#[test]
fn load_says_that_a_file_names_the_wrong_side_to_move() {
    let path = "tests/data/formats/pgn_black_first_fen_w.pgn";
    let lines = Client::start().ask(&format!("load {path}"));
    assert_eq!(messages(&lines), [format!("{path}: black moves first, though the file says that the other side does")]);
}
