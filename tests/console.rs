//! The console's words through the real binary.

mod common;

use common::{Client, messages};

#[test]
fn the_position_is_shown() {
    let mut client = Client::start();
    for word in ["d", "pos"] {
        let lines = client.ask(&format!("position startpos moves h2e2\n{word}"));
        assert_eq!(lines[0], "9 r n b a k a b n r");
        assert_eq!(lines[10], "  a b c d e f g h i");
        let text = lines.join("\n");
        assert!(text.contains("Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"));
        assert!(text.contains("Key: ") && text.contains("Side to move: black") && text.contains("State: not in check"));
    }
}

#[test]
fn moves_are_listed_made_and_taken_back() {
    let mut client = Client::start();
    let lines = client.ask("moves");
    assert!(lines.len() == 1 && lines[0].starts_with("44 legal moves: ") && lines[0].contains(" h2e2"));
    assert!(client.ask("do h2e2 h9g7\nfen")[0].ends_with(" w - - 2 2"));
    assert!(client.ask("undo\nfen")[0].ends_with(" b - - 1 1"));
    assert_eq!(messages(&client.ask("do a0a1")), ["move 1 (a0a1) is illegal"]);
    let lines = client.ask("undo 5\nfen");
    assert_eq!(messages(&lines), ["1 moves taken back, there were no more"]);
    assert!(lines[1].ends_with(" w - - 0 1"));
}

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
fn the_evaluation_is_explained_and_help_given() {
    let mut client = Client::start();
    assert!(!client.ask("eval").is_empty());
    let help = client.ask("help").join("\n");
    for word in ["ucci", "position", "go", "perft", "undo", "quit"] {
        assert!(help.contains(word), "{word}");
    }
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
fn while_thinking_the_words_wait() {
    let mut client = Client::start();
    client.send("go infinite\nfen\nperft 1\nstop");
    let lines = client.until("Nodes");
    let best = lines.iter().position(|line| line.starts_with("bestmove ")).unwrap();
    let fen = lines.iter().position(|line| line.starts_with("rnbakabnr/")).unwrap();
    assert!(best < fen);
}
