//! The Xiangqi Cloud Database through the real binary, with a server in this process: as a book of the engine, and
//! `chuhe cloud`.

use crate::common;
use crate::server;

use common::Client;
use server::Server;

const ANSWER: &str = "move:h2e2,score:3,rank:2,note:! (44-02),winrate:50.08|move:b2e2,score:3,rank:2,note:! (44-02)|\
                      move:a0a1,score:99,rank:2|move:a3a4,score:-8,rank:0\0";

/// A position that the built-in book does not know.
const UNKNOWN: &str = "rnbakabnr/9/1c5c1/p1p1p3p/9/9/P1P1P3P/1C5C1/9/RNBAKABNR w - - 0 1";

/// An engine that uses this server as its cloud book, set to that position.
fn engine(dialect: &str, server: &Server) -> Client {
    let mut client = Client::start();
    client.send(dialect);
    client.until(&format!("{dialect}ok"));
    client.send("setoption usebook true\nsetoption cloudtimeout 30000");
    client.send(&format!("position fen {UNKNOWN}"));
    client.send(&format!("setoption cloudaddress {}", server.address));
    client.send("setoption cloudbook true");
    client
}

/// The answer to a `go`, up to `bestmove`.
fn go(client: &mut Client, go: &str) -> Vec<String> {
    client.send(go);
    client.until("bestmove")
}

#[test]
fn cloud_book_answers_when_no_book_file_does() {
    let server = Server::answering(ANSWER);
    let mut client = engine("ucci", &server);
    client.send("setoption bookchoice best");
    client.send("banmoves a0a1");
    let answer = go(&mut client, "go time 100000000 increment 0");
    let lines = ["h2e2 score 3", "b2e2 score 3", "a3a4 score -8"];
    assert_eq!(answer[..3], lines.map(|line| format!("info message cloud book {line}")));
    assert!(["bestmove h2e2", "bestmove b2e2"].contains(&answer[4].as_str()), "{answer:?}");
    assert_eq!(answer[3], answer[4].replace("bestmove", "info depth 0 score 3 pv"));
    assert!(server.requests.recv().unwrap().contains("&ban=move%3Aa0a1 "));

    let server = Server::answering(ANSWER);
    let mut client = engine("uci", &server);
    client.send("setoption name Book Choice value best");
    let answer = go(&mut client, "go depth 3");
    assert_eq!(answer[0], "info string cloud book a0a1 score 99");
    let line = &answer[answer.len() - 2];
    assert!(line.contains(" score cp 99 ") && line.ends_with(" pv a0a1"), "{line}");
    assert_eq!(answer.last().unwrap(), "bestmove a0a1");
}

#[test]
fn cloud_book_is_asked_only_with_enough_time_and_for_one_move() {
    let server = Server::answering(ANSWER);
    let mut client = engine("ucci", &server);
    let mut is_asked = |settings: &str, command: &str| {
        let before = server.request_count();
        client.send(settings);
        go(&mut client, command);
        client.send("setoption newgame");
        server.request_count() > before
    };
    for (settings, word) in [
        ("", "go time 1000 increment 10"),
        ("", "go movetime 90"),
        ("", "go infinite\nstop"),
        ("", "go ponder depth 1\nponderhit"),
        ("", "go mate 1"),
        ("setoption multipv 2", "go depth 1"),
        ("setoption multipv 1\nsetoption cloudbook false", "go depth 1"),
        ("setoption cloudbook true\nsetoption usebook false", "go depth 1"),
        ("setoption usebook true\nsetoption bookdepth 0", "go depth 1"),
        ("setoption bookdepth 2\nsetoption promotion true", "go depth 1"),
        ("setoption promotion false\nsetoption bookfiles tests/data/small.dat\nposition startpos", "go depth 1"),
    ] {
        assert!(!is_asked(settings, word), "{settings:?}, {word}");
    }
    assert!(is_asked("position startpos moves a3a4", "go depth 1 searchmoves a6a5"));
}

#[test]
fn cloud_moves_outside_searchmoves_are_not_played() {
    let server = Server::answering(ANSWER);
    let mut client = engine("ucci", &server);
    client.send("setoption bookchoice best");
    assert_eq!(go(&mut client, "go depth 1 searchmoves a3a4").last().unwrap(), "bestmove a3a4");
}

#[test]
fn search_follows_when_the_cloud_has_no_usable_answer() {
    for (text, complaint) in [
        ("unknown\0", None),
        ("move:h2e2,score:-51,rank:2", None),
        ("rate limit exceeded\0", Some("rate limit exceeded")),
        ("<html>\0", Some("unexpected answer: \"<html>\"")),
    ] {
        let server = Server::answering(text);
        let mut client = engine("ucci", &server);
        let answer = go(&mut client, "go depth 3");
        assert!(answer.last().unwrap().starts_with("bestmove "), "{answer:?}");
        assert!(answer.iter().any(|line| line.starts_with("info depth 3 ")), "{answer:?}");
        let messages = common::messages(&answer);
        match complaint {
            None => assert!(messages.is_empty(), "{messages:?}"),
            Some(why) => assert!(messages[0].starts_with("cloud book: http://127") && messages[0].ends_with(why)),
        }
        assert_eq!(server.request_count(), 1);
    }
}

/// A server that never answers and keeps its connections open.
fn silent() -> Server {
    Server::start(|stream| std::mem::forget(stream.try_clone()))
}

#[test]
fn waiting_for_the_cloud_ends_at_the_timeout() {
    let server = silent();
    let mut client = engine("ucci", &server);
    client.send("setoption cloudtimeout 50");
    let answer = go(&mut client, "go depth 1");
    assert!(common::messages(&answer)[0].ends_with(" within 50 ms"), "{answer:?}");
    // At most half of the time of the move. (A new engine: in this one the first request may still be pending.)
    let mut client = engine("ucci", &server);
    let answer = go(&mut client, "go movetime 1000");
    let waited: u64 = common::messages(&answer)[0].split(' ').rev().nth(1).unwrap().parse().unwrap();
    assert!(waited < 500, "{waited}");
}

#[test]
fn stop_and_quit_end_waiting_for_the_cloud() {
    let server = silent();
    let mut client = engine("ucci", &server);
    client.send("go depth 30");
    server.requests.recv().unwrap();
    client.send("isready");
    client.until("readyok");
    client.send("stop");
    let answer = client.until("bestmove");
    assert_eq!(common::messages(&answer), [""; 0], "no timeout is reported");
    // A new address creates a new client.
    client.send(&format!("setoption cloudaddress {}?", server.address));
    client.send("go depth 30");
    server.requests.recv().unwrap();
    client.send("quit");
    let finished = client.wait();
    assert!(finished.status.success() && common::messages(&finished.lines).is_empty(), "{finished:?}");
}

/// A rook and a pawn against two advisors, late in a game: not in the built-in tables.
const ENDING: &str = "3ak4/4a4/9/9/9/9/4P4/9/R8/4K4 w - - 0 90";

/// The answer to a `go depth 3` in the ending, and whether the server was asked.
fn go_in_ending(dialect: &str, answer: &'static str) -> (Vec<String>, bool) {
    let server = Server::answering(answer);
    let mut client = engine(dialect, &server);
    client.send(&format!("position fen {ENDING}"));
    let lines = go(&mut client, "go depth 3");
    (lines, server.request_count() > 0)
}

#[test]
fn endgame_tables_of_the_cloud_decide_beyond_the_depth_of_the_book() {
    let win = "move:a1a8,score:29985,rank:2,note:! (W-M-0015)|move:a1b1,score:0,rank:0,note:? (D-M-0000)\0";
    let (lines, _) = go_in_ending("ucci", win);
    assert_eq!(lines[2..], ["info depth 0 score 9985 pv a1a8", "bestmove a1a8"]);
    let (lines, _) = go_in_ending("uci", win);
    assert!(lines[2].contains(" score mate 8 ") && lines[3] == "bestmove a1a8", "{lines:?}");

    // A draw: the engine searches, without the moves that lose.
    let draw = "move:a1b1,score:0,rank:2,note:! (D-M-0000)|move:a1a8,score:-29990,rank:0,note:? (L-M-0010)|\
                move:a1a9,score:-29990,rank:0,note:? (L-M-0010)\0";
    let server = Server::answering(draw);
    let mut client = engine("ucci", &server);
    client.send(&format!("position fen {ENDING}"));
    let best = |client: &mut Client, words: &str| go(client, words).pop().unwrap();
    let restricted = best(&mut client, "go depth 3 searchmoves a1a8 a1a9 a1b1");
    assert!(restricted.starts_with("bestmove a1b1"), "{restricted}");
    client.send("setoption cloudbook false");
    let without = best(&mut client, "go depth 3 searchmoves a1a8 a1a9 a1b1");
    assert!(!without.starts_with("bestmove a1b1"), "the search alone plays another: {without}");

    // A loss, or an answer that is from no table: a search of all moves.
    for answer in ["move:a1a8,score:-29990,rank:2,note:! (L-M-0010)\0", "move:a1b1,score:50,rank:2,note:! (10-02)\0"] {
        let (lines, is_asked) = go_in_ending("ucci", answer);
        assert!(is_asked && lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
    }
    // Many pieces late in a game: neither book nor tables.
    let server = Server::answering(win);
    let mut client = engine("ucci", &server);
    client.send(&format!("position fen {}", UNKNOWN.replace("- - 0 1", "- - 0 90")));
    go(&mut client, "go depth 3");
    assert_eq!(server.request_count(), 0);
}

/// Output, standard error and exit status of `chuhe cloud` with this server.
fn cloud(server: &Server, arguments: &[&str]) -> (String, String, i32) {
    let output = common::chuhe(&["cloud", "--address", &server.address]).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

const ANSWERS: &[(&str, &str)] = &[
    ("queryall", ANSWER),
    ("queryscore", "eval:3\0"),
    ("querypv", "score:3,depth:2,pv:h2e2|h9g7\0"),
    ("querybest", "egtb:h2e2\0"),
    ("querysearch", "search:h2e2|search:b2e2\0"),
    ("action=query&", "move:h2e2\0"),
    ("queue", "ok\0"),
];

fn answering_each() -> Server {
    Server::answering_each(ANSWERS.iter().map(|(word, body)| (word.to_string(), body.to_string())).collect())
}

#[test]
fn cloud_command_shows_moves_score_and_line() {
    let server = answering_each();
    let (text, errors, status) = cloud(&server, &["startpos"]);
    assert_eq!((errors.as_str(), status), ("", 0));
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1][1], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
    assert_eq!(lines[3], ["+3", "best", "50.08", "!", "(44-02)", "h2e2"]);
    assert_eq!(lines[6], ["-8", "bad", "a3a4"]);
    assert_eq!(lines[7], ["score:", "+3"]);
    assert_eq!(text.lines().last().unwrap(), "  line: h2e2 h9g7 (score +3, depth 2)");
    assert_eq!(server.request_count(), 3);
}

#[test]
fn answers_of_the_server_do_not_command_the_terminal() {
    for (answer, text) in [
        ("move:h2e2,score:3,rank:2,note:a\u{202e}b\u{1b}[2J\u{9b}c\0", " ab[2Jc "),
        ("x\u{202e}y\u{1b}[2J\0", "x\\u{202e}y\\u{1b}[2J"),
    ] {
        let arguments = ["startpos", "--action", "queryall"];
        let (shown, errors, _) = cloud(&Server::answering(answer), &arguments);
        assert!(shown.contains(text) && errors.is_empty(), "{shown:?} {errors:?}");
        let (json, ..) = cloud(&Server::answering(answer), &[&arguments[..], &["--json"]].concat());
        for text in [shown, json] {
            assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{9b}']), "{text:?}");
        }
    }
}

#[test]
fn cloud_command_has_every_action_and_parameter() {
    let server = answering_each();
    let actions = ["querybest", "query", "querysearch", "queue"].map(|action| ["--action", action]).concat();
    let parameters = ["--endgame", "--metric", "dtc", "--ban", "炮二平五", "--no-learn", "--notation", "chinese"];
    let (text, errors, status) = cloud(&server, &[&["startpos"], &actions[..], &parameters[..]].concat());
    assert_eq!((errors.as_str(), status), ("", 0));
    let lines: Vec<&str> = text.lines().skip(2).collect();
    let expected = [
        "  querybest: 炮二平五 (endgame table)",
        "  query: 炮二平五 (database)",
        "  querysearch: 炮二平五 炮八平五 (search these)",
        "  queued for analysis",
    ];
    assert_eq!(lines, expected);
    let request = server.requests.recv().unwrap();
    assert!(request.contains("%20w&ban=move%3Ah2e2&endgame=1&egtbmetric=dtc&learn=0 "), "{request}");
}

#[test]
fn cloud_command_writes_json_and_every_position_of_a_game() {
    let server = answering_each();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    std::fs::write(&file, "h2e2 h9g7 1-0\n").unwrap();
    let arguments = [file.to_str().unwrap(), "--json", "--action", "queryall", "--action", "querypv"];
    let (text, errors, status) = cloud(&server, &arguments);
    assert_eq!((errors.as_str(), status), ("", 0));
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["played"], &lines[2]["played"]), (&"h2e2".into(), &serde_json::Value::Null));
    let first = &lines[0]["queryall"]["moves"][0];
    assert_eq!((&first["move"], &first["score"], &first["winrate"]), (&"h2e2".into(), &3.into(), &50.08.into()));
    assert_eq!(lines[0]["querypv"]["pv"], serde_json::json!(["h2e2", "h9g7"]));
}

/// Positions are asked about as they are read, by the one reader of games.
#[test]
fn cloud_command_reads_as_the_others() {
    let server = answering_each();
    for (name, queries, expected) in [("fen_in_comment.pgn", 5, 0), ("lost_game.pgn", 5, 1), ("small.obk", 0, 1)] {
        let file = format!("{}/tests/data/formats/{name}", env!("CARGO_MANIFEST_DIR"));
        let before = server.request_count();
        let (text, errors, status) = cloud(&server, &[&file, "--json", "--action", "queryscore"]);
        assert_eq!((text.lines().count(), server.request_count() - before), (queries, queries), "{name}");
        assert_eq!((status, errors.lines().count()), (expected, expected as usize), "{name}: {errors}");
    }
}

#[test]
fn cloud_command_tells_answers_without_moves_apart() {
    for (answer, message, expected) in [
        ("unknown\0", "queryall: unknown position", 0),
        ("invalid board\0", "queryall: invalid board", 1),
        ("checkmate\0", "queryall: checkmate", 0),
        ("stalemate\0", "queryall: stalemate", 0),
        ("rate limit exceeded\0", "queryall: rate limit exceeded", 1),
        ("move:a1a8,score:29985,rank:2,note:! (W-M-0015)\0", "win in 15", 0),
        ("move:a1a8,score:0,rank:2,note:! (D-M-0000)\0", "best            draw ", 0),
    ] {
        let server = Server::answering(answer);
        let (text, _, status) = cloud(&server, &[ENDING, "--action", "queryall"]);
        assert!(text.contains(message) && status == expected, "{text}");
    }
    // One answer that is no refusal is enough.
    let server = Server::answering_each(vec![
        ("queryall".to_string(), "invalid board\0".to_string()),
        ("queue".to_string(), "ok\0".to_string()),
    ]);
    assert_eq!(cloud(&server, &[ENDING, "--action", "queryall", "--action", "queue"]).2, 0);
    let server = silent();
    let (_, errors, status) = cloud(&server, &["startpos", "--timeout", "50"]);
    assert!(errors.ends_with(" within 50 ms\n") && status == 2, "{errors}");
    let (_, errors, status) = cloud(&server, &["startpos", "--ban", "a0a9"]);
    assert!(errors.starts_with("error: a0a9: ") && status == 2, "{errors}");
}
