//! Opening books through the real binary.

mod common;

use chuhe::book::dat::{Dat, Record, records_of};
use chuhe::position::Position;
use chuhe::types::Move;
use common::Client;
use std::path::PathBuf;

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A position after moves from `fen`.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    moves.split_whitespace().for_each(|text| position.make(mv(text), &mut ()));
    position
}

const START: &str = chuhe::position::START_FEN;
/// Black runs from a rook that checks.
const CHECKED: &str = "4k4/9/9/9/9/9/9/9/R8/3K5 b - - 0 1";
const CHECKS: &str = "e9f9 a1a9 f9f8 a9a8 f8f9 a8a9 f9f8 a9a8 f8f9";

/// A folder with books.
struct Books {
    folder: tempfile::TempDir,
}

impl Books {
    fn new() -> Books {
        Books { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a book of lines `FEN`, moves, move, weight.
    fn write(&self, name: &str, entries: &[(&str, &str, &str, u16)]) -> String {
        let records: Vec<Record> = entries
            .iter()
            .flat_map(|&(fen, moves, text, weight)| records_of(&after(fen, moves), mv(text), weight))
            .collect();
        let mut bytes = Vec::new();
        Dat::of(records).write(&mut bytes).unwrap();
        self.write_bytes(name, &bytes)
    }

    fn write_bytes(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name).to_str().unwrap().to_string()
    }
}

/// An engine with these books.
fn engine(dialect: &str, files: &str) -> Client {
    let mut client = Client::start();
    client.send(dialect);
    client.until(&format!("{dialect}ok"));
    client.send("setoption randomseed 1");
    client.send(&format!("setoption bookfiles {files}"));
    client
}

/// All that is said to a `go`.
fn go(client: &mut Client, position: &str, go: &str) -> Vec<String> {
    client.send(&format!("position {position}"));
    client.send(go);
    client.until("bestmove")
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info depth 0 ") || line.starts_with("info string book "))
}

#[test]
fn a_book_answers_with_all_it_knows() {
    let books = Books::new();
    let file = books.write(
        "one.dat",
        &[(START, "", "h2e2", 700), (START, "", "g3g4", 20), (START, "h2e2", "h9g7", 9), (START, "h2e2", "h7e7", 2)],
    );
    let mut client = engine("ucci", &file);
    client.send("setoption bookchoice best");
    let said = go(&mut client, "startpos", "go depth 3");
    assert_eq!(
        said[..4],
        [
            "info depth 0 score 700 pv b2e2",
            "info depth 0 score 700 pv h2e2",
            "info depth 0 score 20 pv c3c4",
            "info depth 0 score 20 pv g3g4"
        ]
    );
    let replies = ["bestmove h2e2 ponder h9g7", "bestmove b2e2 ponder b9c7"];
    assert!(said.len() == 5 && replies.contains(&said[4].as_str()), "{said:?}");
    // What it has of the mirror image it has of the image.
    let said = go(&mut client, "startpos moves b2e2", "go time 100000 increment 0");
    assert_eq!(said, ["info depth 0 score 9 pv b9c7", "info depth 0 score 2 pv b7e7", "bestmove b9c7"]);
    client.send("banmoves b9c7");
    client.send("go depth 1");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove b7e7");
    // Out of the book it thinks for itself.
    assert!(!is_from_book(&go(&mut client, "startpos moves a3a4", "go depth 1")));

    let mut client = engine("uci", &file);
    client.send("setoption name Book Choice value best");
    let said = go(&mut client, "startpos moves h2e2", "go movetime 1000");
    assert_eq!(said, ["info string book h9g7 weight 9", "info string book h7e7 weight 2", "bestmove h9g7"]);
    client.send("setoption name OwnBook value false");
    assert!(!is_from_book(&go(&mut client, "startpos moves h2e2", "go depth 1")));
}

#[test]
fn a_book_is_asked_only_for_a_move_to_play() {
    let books = Books::new();
    let file = books.write("one.dat", &[(START, "", "h2e2", 7), (START, "h2e2 h9g7", "h0g2", 7)]);
    let mut client = engine("ucci", &file);
    let from_book = |client: &mut Client, position: &str, word: &str| is_from_book(&go(client, position, word));
    assert!(from_book(&mut client, "startpos", "go depth 1"));
    assert!(from_book(&mut client, "startpos moves h2e2 h9g7", "go nodes 100"));
    assert!(!from_book(&mut client, "startpos", "go depth 1 searchmoves a3a4"));
    assert!(!from_book(&mut client, "startpos", "go infinite\nstop"));
    assert!(!from_book(&mut client, "startpos", "go ponder time 1000\nponderhit"));
    client.send("setoption bookdepth 2");
    assert!(!from_book(&mut client, "startpos moves h2e2 h9g7", "go depth 1"));
    client.send("setoption bookdepth 3");
    assert!(from_book(&mut client, "startpos moves h2e2 h9g7", "go depth 1"));
    client.send("setoption multipv 2");
    assert!(!from_book(&mut client, "startpos", "go depth 1"));
    client.send("setoption multipv 1");
    client.send("setoption usebook false");
    assert!(!from_book(&mut client, "startpos", "go depth 1"));
}

#[test]
fn the_first_book_that_knows_a_position_answers() {
    let books = Books::new();
    let one = books.write("one.dat", &[(START, "", "h2e2", 7)]);
    let two = books.write("two.dat", &[(START, "", "g3g4", 700), (START, "a3a4", "a6a5", 1)]);
    let mut client = engine("ucci", &format!("{one}; {two}"));
    assert_eq!(go(&mut client, "startpos", "go depth 1").len(), 3, "h2e2 and its image");
    let said = go(&mut client, "startpos moves a3a4", "go depth 1");
    assert_eq!(said, ["info depth 0 score 1 pv a6a5", "bestmove a6a5"]);
    client.send("setoption bookfiles");
    assert!(!is_from_book(&go(&mut client, "startpos", "go depth 1")));
}

#[test]
fn a_book_does_not_lose_by_a_repetition() {
    let books = Books::new();
    let file = books.write("one.dat", &[(CHECKED, CHECKS, "a8a9", 7), (CHECKED, "e9f9", "a1a9", 7)]);
    let mut client = engine("ucci", &file);
    let game = format!("fen {CHECKED} moves {CHECKS}");
    let said = go(&mut client, &game, "go depth 2");
    assert!(!is_from_book(&said) && !said.last().unwrap().starts_with("bestmove a8a9"), "{said:?}");
    assert!(
        is_from_book(&go(&mut client, &format!("fen {CHECKED} moves e9f9"), "go depth 2")),
        "the first check is none"
    );
}

#[test]
fn what_is_no_book_is_named_and_passed_over() {
    let books = Books::new();
    let good = books.write("good.dat", &[(START, "", "h2e2", 7)]);
    let empty = books.write_bytes("empty.dat", b"");
    let cut = books.write_bytes("cut.dat", &std::fs::read(&good).unwrap()[..15]);
    let missing = books.path("missing.dat").to_str().unwrap().to_string();
    let mut client = engine("ucci", &format!("{empty};{missing};{good};{cut}"));
    let said = go(&mut client, "startpos", "go depth 1");
    let complaint = &said[0];
    for part in
        ["empty.dat: it is empty; it is passed over", "missing.dat: ", "cut.dat: it ends within the record at byte 8"]
    {
        assert!(complaint.starts_with("info message ") && complaint.contains(part), "{complaint}");
    }
    assert!(is_from_book(&said), "{said:?}");
}
