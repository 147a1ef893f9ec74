//! Opening books, through the binary.

use crate::common;

use chuhe::book::dat::{BookEntry, OpeningBook, entries_of, locks};
use chuhe::games::games;
use chuhe::position::Position;
use chuhe::types::Move;
use common::Client;
use std::collections::HashSet;
use std::path::PathBuf;

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A position after moves from `fen`.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    moves.split_whitespace().for_each(|text| position.make(mv(text)));
    position
}

const START: &str = chuhe::position::START_FEN;
/// A rook checks a bare king.
const CHECKED: &str = "4k4/9/9/9/9/9/9/9/R8/3K5 b - - 0 1";
const CHECKS: &str = "e9f9 a1a9 f9f8 a9a8 f8f9 a8a9 f9f8 a9a8 f8f9";

/// A temporary directory with books.
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

    /// Writes a book of entries: FEN, moves from there, book move, weight.
    fn write(&self, name: &str, entries: &[(&str, &str, &str, u16)]) -> String {
        let list: Vec<BookEntry> = entries
            .iter()
            .flat_map(|&(fen, moves, text, weight)| entries_of(&after(fen, moves), mv(text), weight))
            .collect();
        let mut bytes = Vec::new();
        OpeningBook::from_entries(list).write(&mut bytes).unwrap();
        self.write_bytes(name, &bytes)
    }

    fn write_bytes(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name).to_str().unwrap().to_string()
    }
}

/// An engine with these book files.
fn engine(dialect: &str, files: &str) -> Client {
    let mut client = Client::start_with(&[]);
    client.send(dialect);
    client.until(&format!("{dialect}ok"));
    client.send("setoption randomseed 1");
    client.send("setoption usebook true");
    client.send(&format!("setoption bookfiles {files}"));
    client
}

/// The answer to a `go`, up to `bestmove`.
fn go(client: &mut Client, position: &str, go: &str) -> Vec<String> {
    client.send(&format!("position {position}"));
    client.send(go);
    client.until("bestmove")
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info message book ") || line.starts_with("info string book "))
}

#[test]
fn book_answers_with_all_its_moves() {
    let books = Books::new();
    let file = books.write(
        "one.dat",
        &[(START, "", "h2e2", 700), (START, "", "g3g4", 20), (START, "h2e2", "h9g7", 9), (START, "h2e2", "h7e7", 2)],
    );
    let mut client = engine("ucci", &file);
    client.send("setoption bookchoice best");
    let answer = go(&mut client, "startpos", "go depth 3");
    assert_eq!(
        answer[..4],
        [
            "info message book b2e2 weight 700",
            "info message book h2e2 weight 700",
            "info message book c3c4 weight 20",
            "info message book g3g4 weight 20"
        ]
    );
    let replies = ["bestmove h2e2 ponder h9g7", "bestmove b2e2 ponder b9c7"];
    assert!(answer.len() == 6 && replies.contains(&answer[5].as_str()), "{answer:?}");
    // A line of the usual form, with the static evaluation: a weight is no score.
    client.send("go depth 0");
    let evaluation = client.until("nobestmove").remove(0);
    let pv = answer[5]["bestmove ".len()..].replace("ponder ", "");
    assert_eq!(answer[4], format!("{evaluation} pv {pv}"));
    // Entries of a position also serve its mirror image.
    let answer = go(&mut client, "startpos moves b2e2", "go time 100000 increment 0");
    assert_eq!(answer[..2], ["info message book b9c7 weight 9", "info message book b7e7 weight 2"]);
    assert!(answer[2].starts_with("info depth 0 score ") && answer[2].ends_with(" pv b9c7"), "{answer:?}");
    assert_eq!(answer[3..], ["bestmove b9c7"]);
    client.send("banmoves b9c7");
    client.send("go depth 1");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove b7e7");
    // It searches positions that are not in the book.
    assert!(!is_from_book(&go(&mut client, "startpos moves a3a4", "go depth 1")));

    let mut client = engine("uci", &file);
    client.send("setoption name Book Choice value best");
    let answer = go(&mut client, "startpos moves h2e2", "go movetime 1000");
    assert_eq!(answer[..2], ["info string book h9g7 weight 9", "info string book h7e7 weight 2"]);
    let line = &answer[2];
    assert!(line.starts_with("info depth 1 seldepth 1 multipv 1 score cp ") && line.ends_with(" pv h9g7"), "{line}");
    assert_eq!(answer[3..], ["bestmove h9g7"]);
    client.send("setoption name OwnBook value false");
    assert!(!is_from_book(&go(&mut client, "startpos moves h2e2", "go depth 1")));
}

#[test]
fn book_not_asked_for_answers_the_clock_only_and_never_in_uci() {
    let mut client = Client::start_with(&["ucci"]);
    assert!(is_from_book(&go(&mut client, "startpos", "go time 100000 increment 0")));
    for command in ["go depth 1", "go nodes 10", "go movetime 10"] {
        assert!(!is_from_book(&go(&mut client, "startpos", command)), "{command}");
    }
    client.send("uci");
    assert!(!is_from_book(&go(&mut client, "startpos", "go wtime 1000 btime 1000")));
    client.send("setoption name OwnBook value true");
    assert!(is_from_book(&go(&mut client, "startpos", "go wtime 1000 btime 1000")));
    assert!(is_from_book(&go(&mut client, "startpos", "go depth 1")));
}

#[test]
fn paths_in_gbk_are_found() {
    let books = Books::new();
    let file = books.write("棋谱.dat", &[(START, "", "a3a4", 1)]);
    let mut client = Client::start_with(&["ucci"]);
    client.send("setoption usebook true");
    let folder = file.strip_suffix("棋谱.dat").unwrap();
    client.send_bytes(&[b"setoption bookfiles ", folder.as_bytes(), b"\xc6\xe5\xc6\xd7.dat\n"].concat());
    let answer = go(&mut client, "startpos", "go depth 1");
    assert!(answer.iter().any(|line| line.starts_with("info message book a3a4 ")), "{answer:?}");
}

#[test]
fn book_is_used_only_for_a_move_to_play() {
    let books = Books::new();
    let file = books.write("one.dat", &[(START, "", "h2e2", 7), (START, "h2e2 h9g7", "h0g2", 7)]);
    let mut client = engine("ucci", &file);
    let from_book = |client: &mut Client, position: &str, command: &str| is_from_book(&go(client, position, command));
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
fn first_book_with_the_position_answers() {
    let books = Books::new();
    let one = books.write("one.dat", &[(START, "", "h2e2", 7)]);
    let two = books.write("two.dat", &[(START, "", "g3g4", 700), (START, "a3a4", "a6a5", 1)]);
    let mut client = engine("ucci", &format!("{one}; {two}"));
    assert_eq!(go(&mut client, "startpos", "go depth 1").len(), 4, "h2e2 and its mirror image");
    let answer = go(&mut client, "startpos moves a3a4", "go depth 1");
    assert_eq!(answer[0], "info message book a6a5 weight 1");
    assert_eq!(answer[2], "bestmove a6a5");
    // Without files the built-in book answers.
    client.send("setoption bookfiles");
    let answer = go(&mut client, "startpos moves h2e2", "go depth 30");
    assert!(is_from_book(&answer) && answer.iter().any(|line| line.contains("book h9g7 ")), "{answer:?}");
}

#[test]
fn book_moves_that_lose_by_repetition_are_not_played() {
    let books = Books::new();
    let file = books.write("one.dat", &[(CHECKED, CHECKS, "a8a9", 7), (CHECKED, "e9f9", "a1a9", 7)]);
    let mut client = engine("ucci", &file);
    // Endgame tables come before books.
    client.send("setoption useegtb false");
    let game = format!("fen {CHECKED} moves {CHECKS}");
    let answer = go(&mut client, &game, "go depth 2");
    assert!(!is_from_book(&answer) && !answer.last().unwrap().starts_with("bestmove a8a9"), "{answer:?}");
    assert!(
        is_from_book(&go(&mut client, &format!("fen {CHECKED} moves e9f9"), "go depth 2")),
        "the first check is not a repetition"
    );
}

#[test]
fn invalid_books_are_reported_and_ignored() {
    let books = Books::new();
    let good = books.write("good.dat", &[(START, "", "h2e2", 7)]);
    let empty = books.write_bytes("empty.dat", b"");
    let cut = books.write_bytes("cut.dat", &std::fs::read(&good).unwrap()[..15]);
    let missing = books.path("missing.dat").to_str().unwrap().to_string();
    let mut client = engine("ucci", &format!("{empty};{missing};{good};{cut}"));
    let answer = go(&mut client, "startpos", "go depth 1");
    let complaint = &answer[0];
    for part in ["empty.dat: it is empty; ignored", "missing.dat: ", "cut.dat: it ends within the entry at byte 8"] {
        assert!(complaint.starts_with("info message ") && complaint.contains(part), "{complaint}");
    }
    assert!(is_from_book(&answer), "{answer:?}");
}

/// Runs `chuhe book …`: exit status, output, errors.
fn book(arguments: &[&str]) -> (i32, String, String) {
    let done = common::chuhe(&[&["book"], arguments].concat()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (done.status.code().unwrap(), text(&done.stdout), text(&done.stderr))
}

const GAMES: &str = "[Result \"1-0\"]\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n\n\
                     [Result \"0-1\"]\n1. C2.5 H8+7 2. P3+1 R9.8 0-1\n\n\
                     [Result \"1/2-1/2\"]\n1. H2-E2 H9-G7 2. H0-G2 G6-G5 1/2-1/2\n";

#[test]
fn other_files_are_not_replaced_by_books() {
    let books = Books::new();
    let games = books.write_bytes("games.pgn", GAMES.as_bytes());
    let text = books.write_bytes("ov.obk", b"x\n");
    for arguments in [
        &["build", &games, "--games", "1", "--output", &text][..],
        &["grow", "--positions", "1", "--nodes", "1", "--output", &text],
        &["import", &games, "--output", &text],
    ] {
        let (status, _, errors) = book(arguments);
        assert!(
            status == 2 && errors.ends_with(" exists and is no book; it is not replaced\n"),
            "{arguments:?}: {errors}"
        );
    }
    let book_file = "tests/data/small.dat";
    let linked = books.path("linked.dat").to_str().unwrap().to_string();
    std::fs::copy(book_file, &linked).unwrap();
    for arguments in [
        &["build", &games, "--games", "1", "--output", &games][..],
        &["grow", "--lines", &games, "--output", &games],
        &["import", &text, "--output", &text],
        &["merge", book_file, &linked, "--output", &linked],
    ] {
        let (status, _, errors) = book(arguments);
        assert!(status == 2 && errors.ends_with(" is read, and would be replaced\n"), "{arguments:?}: {errors}");
    }
    assert_eq!([&games, &text].map(|path| std::fs::read(path).unwrap()), [GAMES.as_bytes(), b"x\n"]);
    let new = books.path("new.dat").to_str().unwrap().to_string();
    for least in ["1", "2"] {
        assert_eq!(book(&["build", &games, "--games", least, "--output", &new]).0, 0);
    }
}

#[test]
fn book_is_built_from_games_and_shown() {
    let books = Books::new();
    let games = books.write_bytes("games.pgn", GAMES.as_bytes());
    let output = books.path("book.dat").to_str().unwrap().to_string();
    let (code, out, errors) = book(&["build", &games, "--output", &output, "--games", "1"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.starts_with("3 games, 12 moves, 0 errors\n") && out.ends_with(" 6 moves of 5 positions\n"), "{out}");
    let (code, out, _) = book(&["show", "startpos moves h2e2 h9g7", "--book", &output]);
    assert_eq!(code, 0);
    assert!(out.contains("h0g2  H2+3  马二进三       3  100.0%  g6g5\n"), "{out}");
    let (code, out, _) = book(&["show", "startpos moves a0a1", "--book", &output]);
    assert!(code == 1 && out.ends_with("not in the book\n"), "{out}");
    let (_, out, _) = book(&["stats", &output]);
    assert!(out.contains("6 moves of 5 positions, weights 1 to 3") && out.ends_with("by ply: 1 1 1 1\n"), "{out}");
    let (code, out, _) = book(&["verify", &output, &games]);
    assert!(code == 1 && out.contains("book.dat: valid, 6 moves\n") && out.contains("games.pgn: "), "{out}");
    assert_eq!(book(&["show", "nowhere", "--book", &output]).0, 2);
    let (code, out, errors) = book(&["verify", &output, "nowhere.dat"]);
    assert!(code == 2 && out.is_empty() && errors.contains("cannot read nowhere.dat"), "{out}{errors}");
    assert_eq!(book(&["show", "startpos", "--book", env!("CARGO_MANIFEST_DIR")]).0, 2, "a folder");
    // The games themselves, and a database made of them, have results.
    let database = books.path("book.obk").to_str().unwrap().to_string();
    assert_eq!(book(&["build", &games, "--output", &database, "--games", "1"]).0, 0);
    for file in [&games, &database] {
        let (code, out, _) = book(&["show", file, "startpos", "moves", "h2e2", "h9g7"]);
        assert!(code == 0 && out.contains("  share  games     +     =     -  score  replies\n"), "{out}");
        assert!(out.contains("\nh0g2  H2+3  马二进三       3  100.0%      2     1     1     0  75.0%  "), "{out}");
        assert_eq!(book(&["show", "--book", file, "startpos", "moves", "h2e2", "h9g7"]).1, out);
    }
    // Games in lines too, where a position is asked for.
    let lines = books.path("lines.txt").to_str().unwrap().to_string();
    std::fs::write(&lines, "startpos moves h2e2 h9g7\nstartpos moves h2e2 b9c7\n").unwrap();
    let (_, out, _) = book(&["show", &lines, "startpos", "moves", "h2e2"]);
    assert_eq!(out.matches("  50.0%      1     0     0     0      –").count(), 2, "{out}");
    let (code, out, _) = book(&["show", &lines, "startpos", "moves", "a0a1"]);
    assert!(code == 1 && out.ends_with("\nno game has the position\n"), "{out}");
    // Games count only from the position on, with its mirror image.
    let (_, tree, _) = book(&["show", &games, "startpos", "moves", "b2e2", "--plies", "2"]);
    let moves: Vec<_> = tree.lines().skip(2).map(|line| line.split("%  ").collect::<Vec<_>>()).collect();
    assert_eq!(moves[0][1], "    3     1     1     1  50.0%", "{tree}");
    assert_eq!(moves[1][..2], ["  b0c2  H8+7  马八进七       3  100.0", "    2     1     1     0  75.0"], "{tree}");
    assert_eq!((moves[2][1], moves.len()), ("    1     0     0     1   0.0", 3), "{tree}");
    assert_eq!(book(&["build", "no such file", "--output", &output]).0, 2);
}

#[test]
fn moves_of_a_book_are_walked_added_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old.dat", "new.obk"].map(|name| folder.path().join(name).display().to_string());
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/small.dat"), &old).unwrap();
    let (_, tree, _) = book(&["show", &old, "--plies", "2"]);
    assert!(tree.contains("\nh2e2  C2.5  炮二平五     700  50.0%\n  h9g7  H8+7"), "{tree}");
    let changes = ["--set", "C2=5=500", "--set", "e0e1=0", "--set", "兵七进一=9", "--output", &new];
    assert_eq!(book(&[&["edit", &old, "startpos"], &changes[..]].concat()).0, 0);
    let weights = |file: &str| {
        let shown = book(&["show", file, "startpos"]).1;
        let weight = |line: &str| Some((line.get(..4)?.to_string(), line.split_whitespace().nth(3)?.to_string()));
        shown.lines().skip(2).filter_map(weight).collect::<Vec<_>>()
    };
    let expected = [("b2e2", "500"), ("h2e2", "500"), ("c3c4", "9"), ("g3g4", "9")];
    let expected = expected.map(|(mv, weight)| (mv.to_string(), weight.to_string()));
    assert_eq!(weights(&new), expected, "the mirror image too");
    assert_eq!(weights(&old)[2].0, "e0e1", "the old book stays");
    for (change, error) in [("C2.5", "no weight"), ("C2.5=65536", "no weight"), ("a0a9=1", "illegal")] {
        let (code, _, errors) = book(&["edit", &old, "startpos", "--set", change]);
        assert!(code == 2 && errors.contains(error), "{errors}");
    }
}

#[test]
fn books_are_merged_and_exported() {
    let books = Books::new();
    let one = books.write("one.dat", &[(START, "", "h2e2", 7), (START, "h2e2", "h9g7", 3)]);
    let two = books.write("two.dat", &[(START, "h2e2", "h9g7", 4), (START, "a3a4", "a6a5", 1)]);
    let path = |name: &str| books.path(name).to_str().unwrap().to_string();
    assert_eq!(book(&["merge", &one, &two, "--output", &path("both.dat")]).0, 0);
    let (code, text, _) = book(&["export", &path("both.dat")]);
    assert_eq!((code, text.lines().count()), (0, 4));
    assert!(text.lines().any(|line| line.starts_with("b9c7 7 ")), "{text}");
    let file = books.write_bytes("both.txt", text.as_bytes());
    assert_eq!(book(&["import", &file, "--output", &path("again.dat")]).0, 0);
    assert_eq!(std::fs::read(path("again.dat")).unwrap(), std::fs::read(path("both.dat")).unwrap());
    let bad = books.write_bytes("bad.txt", b"h2e2 7 9/9 w\n");
    let (code, _, errors) = book(&["import", &bad, "--output", &path("bad.dat")]);
    assert!(code == 2 && errors.contains("bad.txt: line 1: not a FEN: "), "{errors}");
}

#[test]
fn databases_are_merged_into_other_formats_and_from_them() {
    let books = Books::new();
    let path = |name: &str| books.path(name).to_str().unwrap().to_string();
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/small.obk");
    let dat = books.write("a.dat", &[(START, "", "h2e2", 7), (START, "h2e2", "h9g7", 3), (START, "a3a4", "a6a5", 1)]);
    let left = "1 move left out: illegal, repeated, or of positions that no moves of the book lead to\n";
    for name in ["both.obk", "both.pfBook"] {
        let (code, out, errors) = book(&["merge", small, &dat, "--output", &path(name)]);
        assert_eq!((code, errors), (0, format!("{dat}: {left}")));
        assert!(out.ends_with(": 4 moves of 2 positions\n"), "{out}");
        assert!(std::fs::read(path(name)).unwrap().starts_with(b"SQLite format 3\0"));
        let (code, _, errors) = book(&["merge", &path(name), "--output", &path("again.dat")]);
        assert_eq!((code, errors.as_str()), (0, ""));
        let (_, text, _) = book(&["export", &path(name)]);
        assert_eq!(text, book(&["export", &path("again.dat")]).1);
        // The sample has only one of two mirror images.
        let lines: Vec<&str> = text.lines().filter_map(|line| line.split(" rnbakabnr/").next()).collect();
        assert_eq!(lines, ["g3g4 20", "b2e2 7", "h2e2 37", "b9c7 13"], "{text}");
        assert_eq!(book(&["verify", &path(name)]).1, format!("{}: valid, 4 moves\n", path(name)));
        let (_, text, _) = book(&["stats", &path(name)]);
        assert!(text.contains("4 moves of 2 positions, weights 7 to 37\n"), "{text}");
        assert!(
            book(&["show", START, "moves", "b2e2", "--book", &path(name)]).1.contains("b9c7  H2+3  马２进３      13")
        );
    }
    // Its position is reached by the database's move.
    let after = books.write("c.dat", &[(START, "g3g4", "g6g5", 4)]);
    let (_, out, errors) = book(&["merge", &after, small, "--output", &path("c.obk")]);
    assert!(errors.is_empty() && out.ends_with(": 4 moves of 3 positions\n"), "{out}{errors}");
    let unreached = books.write("b.dat", &[(START, "a3a4", "a6a5", 1)]);
    let (code, _, errors) = book(&["merge", &unreached, "--output", &path("none.obk")]);
    assert!(code == 2 && errors.contains("the book would be empty") && !books.path("none.obk").exists(), "{errors}");
}

/// Each move's weight and, behind them, its games, as `book show` has them.
fn shown(file: &str, position: &[&str]) -> Vec<(String, String, String)> {
    let (_, text, _) = book(&[&["show", file], position].concat());
    let columns = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        (words[0].clone(), words[3].clone(), words[5..9].join(" "))
    };
    text.lines().skip(2).map(columns).collect()
}

/// What is changed in a database, or merged from databases, keeps the games and the rows that the change does not name.
#[test]
fn databases_keep_what_is_not_changed() {
    let books = Books::new();
    let path = |name: &str| books.path(name).to_str().unwrap().to_string();
    let (games, own) = (concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.pgn"), path("own.obk"));
    let (_, built, _) = book(&["build", games, "--output", &own, "--games", "1"]);
    let size = built.lines().last().unwrap().split_once(": ").unwrap().1.to_string();
    let moves: usize = size.split(' ').next().unwrap().parse().unwrap();
    let start = ["startpos"];
    let before = shown(&own, &start);
    let after_first = ["startpos", "moves", before[0].0.as_str()];
    let (first, deeper) = (before[0].clone(), shown(&own, &after_first));
    assert!(before.len() > 2 && !deeper.is_empty() && first.2 != "0 0 0 0", "{before:?}");
    assert!(book(&["stats", &own]).1.contains(&size), "{size}");
    // Another weight, and nothing else.
    let weight = |weight: &str| format!("{}={weight}", first.0);
    assert_eq!(book(&["edit", &own, "startpos", "--set", &weight("60000")]).0, 0);
    let mut expected = before.clone();
    expected[0].1 = "60000".to_string();
    assert_eq!((shown(&own, &start), shown(&own, &after_first)), (expected, deeper.clone()));
    assert!(book(&["stats", &own]).1.contains(&size), "{size}");
    // Two copies have twice the games; the weights of the sum are added up.
    assert_eq!(book(&["merge", &own, &own, "--output", &path("twice.pfBook")]).0, 0);
    let twice = |number: &str| (2 * number.parse::<u64>().unwrap()).to_string();
    for (one, two) in deeper.iter().zip(shown(&path("twice.pfBook"), &after_first)) {
        let games: Vec<String> = one.2.split(' ').map(twice).collect();
        assert_eq!(two, (one.0.clone(), twice(&one.1), games.join(" ")));
    }
    // A move that is removed, with its mirror image's row or without, leaves those that follow it.
    let (_, out, _) = book(&["edit", &own, "startpos", "--set", &weight("0")]);
    let left: usize = out.rsplit_once(": ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!((1..=2).contains(&(moves - left)), "{size}, then {out}");
    assert_eq!((shown(&own, &start), shown(&own, &after_first)), (before[1..].to_vec(), deeper));
}

#[test]
fn database_that_proves_damaged_is_not_used_any_more() {
    let books = Books::new();
    let path = |name: &str| books.path(name).to_str().unwrap().to_string();
    let dat = books.write("a.dat", &[(START, "", "h2e2", 7), (START, "", "b2e2", 7)]);
    assert_eq!(book(&["merge", &dat, "--output", &path("a.obk")]).0, 0);
    let mut bytes = std::fs::read(path("a.obk")).unwrap();
    // The first page of the index.
    bytes[2 * 4096] = 0xff;
    let bad = books.write_bytes("bad.obk", &bytes);
    let mut client = engine("ucci", &format!("{bad};{dat}"));
    let answer = go(&mut client, "startpos", "go depth 1");
    assert_eq!(
        answer[0],
        format!(
            "info message {bad}: page 3 is damaged: it is not a page of the table or index that leads to it; ignored"
        )
    );
    assert!(!is_from_book(&answer), "{answer:?}");
    assert!(is_from_book(&go(&mut client, "startpos", "go depth 1")));
    assert_eq!(book(&["show", START, "--book", &bad]).0, 2);
}

#[test]
fn games_with_errors_give_the_moves_before_them() {
    let books = Books::new();
    let games = books.write_bytes("games.pgn", format!("{GAMES}\n1. C2.5 H8+5 1-0\n").as_bytes());
    let bad = books.write_bytes("bad.xqf", b"XQ");
    let output = books.path("book.dat").to_str().unwrap().to_string();
    let (code, out, errors) = book(&["build", &games, &bad, "--output", &output]);
    assert_eq!(code, 1, "there are errors");
    assert_eq!(book(&["verify", &output]).0, 0);
    assert!(out.starts_with("4 games, 13 moves, 2 errors\n"), "{out}");
    assert!(errors.contains("games.pgn: line 10: H8+5 is illegal\n"), "{errors}");
    assert!(errors.contains("bad.xqf: byte 2: unexpected end of file\n"), "{errors}");
    let none = books.path("none.dat");
    let (code, _, errors) = book(&["build", &bad, "--output", none.to_str().unwrap()]);
    assert!(code == 2 && errors.contains("error: the book would be empty") && !none.exists(), "{errors}");
}

/// Twelve games of a tournament of 1989, four each in Chinese (as the library cchess writes it), WXF (as pyffish does)
/// and ICCS.
#[test]
fn master_games_are_read() {
    let books = Books::new();
    let output = books.path("book.dat").to_str().unwrap().to_string();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.pgn");
    let (code, out, errors) = book(&["build", games, "--output", &output, "--plies", "1000"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.starts_with("12 games, 1199 moves, 0 errors\n"), "{out}");
}

#[test]
fn built_in_book_is_valid_and_connected() {
    let (code, text, errors) = book(&["show", "startpos"]);
    assert!(code == 0 && errors.is_empty() && text.contains("炮二平五"), "{text}{errors}");
    let built_in = OpeningBook::built_in();
    assert_eq!(OpeningBook::from_entries(built_in.entries().iter().copied()), built_in);
    // The book's moves reach each of its positions from the start position or from the opening lines.
    let mut queue = vec![Position::start()];
    for game in games(include_str!("../../src/book/openings.txt")).map(Result::unwrap) {
        assert_eq!(game.error, None);
        let mut position = game.start.clone();
        for mv in game.moves() {
            position.make(mv);
            queue.push(position.with_side_to_move(position.side()));
        }
    }
    let mut reached = HashSet::new();
    while let Some(position) = queue.pop() {
        let [own, image] = locks(&position);
        let known = built_in.find(&position);
        if known.is_empty() || !reached.insert(own.min(image)) {
            continue;
        }
        for found in known {
            let mut after = position.with_side_to_move(position.side());
            after.make(found.mv);
            queue.push(after);
        }
    }
    assert!(built_in.entries().iter().all(|entry| reached.contains(&entry.lock)));
    assert_eq!(reached.len(), built_in.positions());
}

#[test]
fn book_is_grown_by_searching() {
    let books = Books::new();
    let lines = books.write_bytes("lines.txt", b"# two openings\ng0e2 c9e7 * ; A12\nc3c4 *\n");
    let output = books.path("book.dat").to_str().unwrap().to_string();
    let arguments =
        ["grow", "--output", &output, "--lines", &lines, "--positions", "20", "--nodes", "500", "--threads", "2"];
    let (code, out, errors) = book(&arguments);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.ends_with(" moves of 20 positions\n"), "{out}");
    assert_eq!(book(&["show", "startpos moves g0e2 c9e7", "--book", &output]).0, 0);
    let mut client = engine("ucci", &output);
    assert!(is_from_book(&go(&mut client, "startpos moves c3c4", "go depth 1")));
    let none = books.path("none.dat");
    let (code, _, errors) = book(&["grow", "--output", none.to_str().unwrap(), "--positions", "1", "--nodes", "1"]);
    assert_eq!((code, errors.as_str()), (2, "error: the book would be empty\n"));
    assert!(!none.exists());
    let nowhere = books.path("nowhere/book.dat").to_str().unwrap().to_string();
    let (code, _, errors) = book(&["grow", "--output", &nowhere]);
    assert!(code == 2 && errors.contains(&nowhere), "reported before the search: {errors}");
}

#[test]
fn commands_without_a_file_take_the_built_in_book() {
    let (code, out, _) = book(&["stats"]);
    assert!(code == 0 && out.starts_with("built-in book: "), "{out}");
    let (code, out, _) = book(&["verify"]);
    assert!(code == 0 && out.starts_with("built-in book: valid, "), "{out}");
    let (code, out, _) = book(&["export"]);
    assert!(code == 0 && out.lines().any(|line| line.starts_with("h2e2 ")), "{out}");
}

#[test]
fn growing_from_what_is_no_opening_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (bytes, reason) in [
        (&b"\x7fELF\x02\x01\x01\0\0\xfe\x93 \x80\n"[..], "line 1: "),
        (b"h2e2 *\n\nnot a game\n", "line 3: \"not\" is not a move"),
        (b"h2e2 *\nh2h7 *\n", "line 2: h2h7 is illegal"),
        (b"# nothing\n", "neither a position nor a game is in it"),
        (b"XQ\x0a", "byte 3: "),
    ] {
        let (lines, output) = (path("lines"), path("grown.dat"));
        std::fs::write(&lines, bytes).unwrap();
        let (code, out, errors) = book(&["grow", "--output", &output, "--lines", &lines, "--positions", "1"]);
        assert!(code == 2 && out.is_empty() && errors.contains(&format!("{lines}: {reason}")), "{errors}");
        assert!(!std::path::Path::new(&output).exists());
    }
}
