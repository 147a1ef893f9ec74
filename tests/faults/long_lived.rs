//! A server's engine: one process with many short searches, options changed between them at random, new games and
//! resizes of the hash table. Every answer must be that of a fresh process with the same options.
//!
//! `cargo test --release --test faults -- --ignored long_lived` makes 10,000 searches.

use crate::common;

use chuhe::Position;
use common::Client;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;

/// Options and the values they take.
const OPTIONS: [(&str, &[&str]); 19] = [
    ("hashsize", &["1", "2", "5", "16", "40"]),
    ("threads", &["1", "3", "0"]),
    ("multipv", &["1", "1", "2", "4"]),
    ("pruning", &["none", "small", "medium", "large"]),
    ("knowledge", &["none", "small", "medium", "large", "large"]),
    ("style", &["normal", "solid", "risky"]),
    ("repetition", &["asian", "league", "plain"]),
    ("movelimit", &["20", "60", "120", "1000"]),
    ("checkscount", &["true", "false"]),
    ("promotion", &["false", "false", "true"]),
    ("usebook", &["true", "false"]),
    ("bookchoice", &["best", "weighted"]),
    ("bookdepth", &["0", "4", "60"]),
    ("useegtb", &["true", "false"]),
    ("showwdl", &["true", "false"]),
    ("level", &["20", "20", "20", "3", "12"]),
    ("randomness", &["none", "none", "tiny", "huge"]),
    ("evalapi", &["default", "/nonexistent.net"]),
    ("ponder", &["true", "false"]),
];

/// Set in every process: random numbers are repeated in every new game, and no answer depends on the clock.
const ALWAYS: [&str; 3] = ["setoption randomseed 7", "setoption resign false", "setoption draws false"];

/// A position after random moves, as a command.
fn random_position(rng: &mut StdRng) -> String {
    let mut position = Position::start();
    let mut command = "position startpos moves".to_owned();
    for _ in 0..rng.random_range(0..60) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves.get(rng.random_range(0..moves.len())).expect("in the list");
        position.try_make(mv).expect("legal");
        command += &format!(" {mv}");
    }
    command
}

/// The answer to a search and the line before it, without what depends on the clock.
fn answer(client: &mut Client, position: &str, go: &str) -> Vec<String> {
    client.send(&format!("{position}\n{go}"));
    let lines = client.until_like(|line| line.starts_with("bestmove") || line.starts_with("nobestmove"));
    let timeless = |line: &String| {
        let mut words = Vec::new();
        let mut all = line.split_whitespace();
        while let Some(word) = all.next() {
            match word {
                "time" | "nps" => drop(all.next()),
                word => words.push(word),
            }
        }
        words.join(" ")
    };
    // How many lines are shown on the way depends on the clock, too.
    lines[lines.len().saturating_sub(2)..].iter().map(timeless).collect()
}

/// Makes this many searches. `seed`: of everything random.
fn compare_with_fresh_processes(searches: usize, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut options: BTreeMap<&str, &str> = BTreeMap::new();
    let mut server = Client::start_with(&[]);
    server.send("ucci");
    ALWAYS.iter().for_each(|line| server.send(line));
    for number in 0..searches {
        for _ in 0..rng.random_range(0..4) {
            let (name, values) = OPTIONS.choose(&mut rng).expect("not empty");
            let value = values.choose(&mut rng).expect("not empty");
            server.send(&format!("setoption {name} {value}"));
            options.insert(name, value);
        }
        // Several threads give another answer each time. The search before may have had them.
        if options.get("threads").is_some_and(|&threads| threads != "1") {
            server.send(&random_position(&mut rng));
            server.send("go nodes 3000");
            server.until_like(|line| line.contains("bestmove"));
            server.send("setoption threads 1");
            options.insert("threads", "1");
        }
        server.send("setoption newgame");
        let (position, go) = (random_position(&mut rng), ["go depth 4", "go depth 6", "go nodes 2000"]);
        let go = go.choose(&mut rng).expect("not empty");
        server.ask("");
        let given = answer(&mut server, &position, go);

        let mut fresh = Client::start_with(&[]);
        fresh.send("ucci");
        ALWAYS.iter().for_each(|line| fresh.send(line));
        options.iter().for_each(|(name, value)| fresh.send(&format!("setoption {name} {value}")));
        fresh.ask("");
        let expected = answer(&mut fresh, &position, go);
        assert_eq!(given, expected, "search {number} of seed {seed}: {position}, {go}, {options:?}");
    }
    assert!(server.finish().status.success());
}

#[test]
fn answers_are_those_of_fresh_processes() {
    compare_with_fresh_processes(60, 5);
}

#[test]
#[ignore = "ten minutes"]
fn ten_thousand_answers_are_those_of_fresh_processes() {
    compare_with_fresh_processes(10_000, 6);
}
