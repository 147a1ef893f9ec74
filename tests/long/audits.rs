//! Audits of what `review` and `puzzles` say, by searches of a hundred times the nodes.
//!
//! | variable | meaning, default |
//! |---|---|
//! | `AUDIT_GAMES` | file of games, tests/data/games.pgn |
//! | `AUDIT_NODES` | nodes of the command, 20,000 |
//! | `AUDIT_MAX` | reasons or moves of solutions, 200 |
//!
//! ```sh
//! AUDIT_GAMES=games.pgn cargo test --release --test long -- --ignored --nocapture audits
//! ```

use crate::common;

use common::number;
use serde_json::Value;
use std::io::Write;

/// Expected points that an inaccuracy loses.
const INACCURACY: f64 = 0.05;
/// Expected points that every other move of an exercise loses.
const MARGIN: f64 = 0.2;

fn lines(arguments: &[&str]) -> Vec<Value> {
    let (_, out, errors) = common::run(arguments);
    assert!(!out.is_empty(), "{errors}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn games() -> String {
    std::env::var("AUDIT_GAMES").unwrap_or("tests/data/games.pgn".to_string())
}

fn nodes() -> u64 {
    number("AUDIT_NODES", 20_000)
}

/// The two best lines of each position as expected points of the side to move, after a hundred times the nodes; the second
/// one is 0 where there is one legal move.
fn searched(positions: &[String]) -> Vec<[f64; 2]> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    positions.iter().for_each(|position| writeln!(file, "{position}").unwrap());
    let nodes = (100 * nodes()).to_string();
    let arguments = ["analyse", "--json", "--multipv", "2", "--threads", "0", "--nodes", &nodes];
    let answers = lines(&[&arguments[..], &[file.path().to_str().unwrap()]].concat());
    assert_eq!(answers.len(), positions.len());
    let expected = |line: &Value| {
        let wdl = |index: usize| line["wdl"][index].as_f64().unwrap();
        (wdl(0) + wdl(1) / 2.0) / 1000.0
    };
    let both = |answer: &Value| {
        let lines = answer["lines"].as_array().unwrap();
        [0, 1].map(|index| lines.get(index).map_or(0.0, expected))
    };
    answers.iter().map(both).collect()
}

fn texts(moves: &Value) -> Vec<&str> {
    moves.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect()
}

/// A reason is refuted if its move is not even an inaccuracy, in a game that is not decided anyway.
#[test]
#[ignore = "takes minutes"]
fn audits_reasons() {
    let (mut positions, mut told, mut bad) = (Vec::new(), Vec::new(), [0, 0]);
    let reviewed = lines(&["review", "--json", "--threads", "0", "--nodes", &nodes().to_string(), &games()]);
    for game in reviewed {
        let plies = game["plies"].as_array().unwrap();
        let mut moves = String::new();
        for ply in plies.iter().filter(|ply| ply["move"].is_object()) {
            let (mv, fen) = (&ply["move"], plies[0]["fen"].as_str().unwrap());
            let after = format!("{moves} {}", mv["iccs"].as_str().unwrap());
            let is_mistake = ["mistake", "blunder"].contains(&mv["class"].as_str().unwrap());
            bad[usize::from(mv["reason"].is_object())] += usize::from(is_mistake);
            if mv["reason"].is_object() && told.len() < number("AUDIT_MAX", 200) as usize {
                positions.extend([&moves, &after].map(|moves| match moves.is_empty() {
                    true => fen.to_string(),
                    false => format!("{fen} moves{moves}"),
                }));
                told.push(format!("{}: {fen} moves{after}: {}", game["source"], mv["reason"]["en"]));
            }
            moves = after;
        }
    }
    println!("of {} mistakes and blunders {} have a reason", bad[0] + bad[1], bad[1]);
    let is_refuted = |pair: &[[f64; 2]]| {
        let (before, after) = (pair[0][0], 1.0 - pair[1][0]);
        before - after < INACCURACY && before > INACCURACY && after < 1.0 - INACCURACY
    };
    let found = searched(&positions);
    let refuted: Vec<_> = told.iter().zip(found.chunks(2)).filter(|(_, pair)| is_refuted(pair)).collect();
    println!("{} reasons, {} refuted", told.len(), refuted.len());
    refuted.iter().for_each(|(text, pair)| println!("{text} {:.2} {:.2}", pair[0][0], 1.0 - pair[1][0]));
    assert!(refuted.len() * 20 <= told.len().max(100), "more than 5 %");
}

/// A solution is refuted if another move of the solver loses less than half of the margin.
#[test]
#[ignore = "takes minutes"]
fn audits_puzzles() {
    let (mut positions, mut told) = (Vec::new(), Vec::new());
    let nodes = (nodes() / 2).to_string();
    let answers = lines(&["puzzles", "--json", "--threads", "0", "--nodes", &nodes, &games()]);
    for puzzle in answers.iter().flat_map(|answer| answer["puzzles"].as_array().into_iter().flatten()) {
        let solution = texts(&puzzle["solution"]);
        for ply in (0..solution.len()).step_by(2) {
            let fen = puzzle["fen"].as_str().unwrap();
            let moves = if ply == 0 { String::new() } else { format!(" moves {}", solution[..ply].join(" ")) };
            positions.push(format!("{fen}{moves}"));
            told.push(format!("{fen}{moves}: {} ({})", solution[ply], puzzle["kind"]));
        }
    }
    let max = number("AUDIT_MAX", 200) as usize;
    positions.truncate(max);
    let found = searched(&positions);
    let refuted: Vec<_> = told.iter().zip(&found).filter(|(_, both)| both[0] - both[1] < MARGIN / 2.0).collect();
    println!("{} puzzles, {} moves, {} refuted", told.len(), found.len(), refuted.len());
    refuted.iter().for_each(|(text, both)| println!("{text} {both:?}"));
    assert!(refuted.len() * 100 <= found.len().max(100) * 2, "more than 2 %");
}
