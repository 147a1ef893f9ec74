//! The cloud book through the real binary, with a server in this process.

mod common;
#[path = "common/server.rs"]
mod server;

use common::Client;
use server::Server;

const ANSWER: &str = "move:h2e2,score:3,rank:2,note:! (44-02),winrate:50.08|move:b2e2,score:3,rank:2,note:! (44-02)|\
                      move:a0a1,score:99,rank:2|move:a3a4,score:-8,rank:0\0";

/// An engine that asks this server.
fn engine(dialect: &str, server: &Server) -> Client {
    let mut client = Client::start();
    client.send(dialect);
    client.until(&format!("{dialect}ok"));
    client.send("setoption usebook true");
    client.send(&format!("setoption cloudaddress {}", server.address));
    client.send("setoption cloudbook true");
    client
}

/// All that is said to a `go`.
fn go(client: &mut Client, go: &str) -> Vec<String> {
    client.send(go);
    client.until("bestmove")
}

#[test]
fn the_cloud_answers_where_no_book_does() {
    let server = Server::saying(ANSWER);
    let mut client = engine("ucci", &server);
    client.send("setoption bookchoice best");
    client.send("banmoves a0a1");
    let said = go(&mut client, "go time 100000 increment 0");
    let lines = ["info depth 0 score 3 pv h2e2", "info depth 0 score 3 pv b2e2", "info depth 0 score -8 pv a3a4"];
    assert_eq!(said[..3], lines);
    assert!(["bestmove h2e2", "bestmove b2e2"].contains(&said[3].as_str()), "{said:?}");
    assert!(server.questions.recv().unwrap().contains("&ban=move%3Aa0a1 "));

    let server = Server::saying(ANSWER);
    let mut client = engine("uci", &server);
    client.send("setoption name Book Choice value best");
    let said = go(&mut client, "go depth 3");
    assert_eq!(said[0], "info string cloud book a0a1 score 99");
    assert_eq!(said.last().unwrap(), "bestmove a0a1");
}

#[test]
fn it_is_asked_only_when_there_is_time_and_need() {
    let server = Server::saying(ANSWER);
    let mut client = engine("ucci", &server);
    let not_asked = [
        "go time 1000 increment 10",
        "go movetime 90",
        "go infinite\nstop",
        "go ponder time 1000 increment 0\nponderhit",
        "go mate 1",
        "go depth 1 searchmoves a3a4",
    ];
    client.send("setoption cloudbook false");
    go(&mut client, "go depth 1");
    assert_eq!(server.asked(), 0);
    client.send("setoption cloudbook true");
    for word in &not_asked[..5] {
        go(&mut client, word);
        assert_eq!(server.asked(), 0, "{word}");
    }
    client.send("setoption bookdepth 0");
    go(&mut client, "go depth 1");
    client.send("setoption bookdepth 2\nsetoption usebook false");
    go(&mut client, "go depth 1");
    assert_eq!(server.asked(), 0);
    client.send("setoption usebook true");
    client.send("setoption bookchoice best");
    // The cloud is asked for what is wanted, and nothing else is played.
    assert_eq!(go(&mut client, not_asked[5]).last().unwrap(), "bestmove a3a4");
    assert_eq!(server.asked(), 1);
}

#[test]
fn a_server_without_an_answer_costs_the_attempt() {
    for (text, complaint) in [
        ("unknown\0", None),
        ("move:h2e2,score:-51,rank:2", None),
        ("rate limit exceeded\0", Some("it was asked too often")),
        ("<html>\0", Some("it answers \"<html>\"")),
    ] {
        let server = Server::saying(text);
        let mut client = engine("ucci", &server);
        let said = go(&mut client, "go depth 3");
        assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("info depth 3 ")), "{said:?}");
        let messages = common::messages(&said);
        match complaint {
            None => assert!(messages.is_empty(), "{messages:?}"),
            Some(why) => assert!(messages[0].starts_with("cloud book: http://127") && messages[0].ends_with(why)),
        }
        assert_eq!(server.asked(), 1);
    }
}

#[test]
fn who_waits_for_the_cloud_hears_stop_and_quit() {
    // It says nothing and keeps its connections open.
    let server = Server::start(|stream| std::mem::forget(stream.try_clone()));
    let mut client = engine("ucci", &server);
    client.send("setoption cloudtimeout 30000");
    client.send("go depth 30");
    server.questions.recv().unwrap();
    client.send("isready");
    client.until("readyok");
    client.send("stop");
    client.until("bestmove");
    client.send("setoption cloudaddress");
    client.send(&format!("setoption cloudaddress {}", server.address));
    client.send("go depth 30");
    server.questions.recv().unwrap();
    client.send("quit");
    assert!(client.wait().status.success());
}
