//! The cloud book through the real binary, with a server in this process.

#![cfg(feature = "cli")]

mod common;
#[path = "common/server.rs"]
mod server;

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
    let answer = go(&mut client, "go movetime 4000");
    let waited: u64 = common::messages(&answer)[0].split(' ').rev().nth(1).unwrap().parse().unwrap();
    assert!(waited < 2_000, "{waited}");
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
