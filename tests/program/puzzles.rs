//! `chuhe puzzles`, through the real binary.

use crate::common;

use chuhe::Position;
use serde_json::Value;

/// Black's rook goes where it is taken for nothing.
const HANGING: &str = "3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b - - 0 1 moves c5a5";
/// Black's rook does not capture the one that mates.
const MATE: &str = "4ka3/4a4/4b4/9/9/3r5/3R5/4C4/4Ap3/2BK1A3 b - - 0 1 moves d4c4";

fn run(arguments: &[&str]) -> (i32, String, String) {
    common::run(&[&["puzzles"], arguments].concat())
}

fn puzzles(out: &str) -> Vec<Value> {
    let answers = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    answers.flat_map(|answer| answer["puzzles"].as_array().unwrap().clone()).collect()
}

/// What follows from each puzzle itself: its moves are legal, the first is the mistake, and the last is the solver's.
#[test]
fn puzzles_of_games_are_found_alike_on_any_number_of_threads() {
    let run = |arguments: &[&str]| {
        let (status, out, errors) = run(&[&["--json", "--nodes", "300", "tests/data/games.pgn"], arguments].concat());
        assert_eq!(status, 0, "{errors}");
        out
    };
    let out = run(&["--max", "4"]);
    assert_eq!(out, run(&["--max", "4", "--threads", "2"]));
    let found = puzzles(&out);
    assert_eq!(found.len(), 4, "{out}");
    let mut seen = std::collections::BTreeSet::new();
    for puzzle in &found {
        let fen = |key: &str| puzzle[key].as_str().unwrap();
        let mut position = Position::from_fen(fen("before")).unwrap();
        position.try_make(fen("mistake").parse().unwrap()).unwrap();
        assert_eq!(position.to_fen(), fen("fen"));
        let solution = puzzle["solution"].as_array().unwrap();
        assert_eq!(solution.len() % 2, 1, "{puzzle}");
        solution.iter().for_each(|mv| position.try_make(mv.as_str().unwrap().parse().unwrap()).unwrap());
        assert!(seen.insert(fen("fen").split(' ').next().unwrap().to_string()), "twice: {puzzle}");
    }
    let kind = found[0]["kind"].as_str().unwrap();
    assert_eq!(puzzles(&run(&["--kind", kind, "--max", "1"])), found[..1]);
}

/// As PGN, which is read back with all defences of the mate; and on the page.
#[test]
fn puzzles_are_written_as_pgn_and_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (pgn, page) = (path("p.pgn"), path("p.html"));
    let (status, _, errors) = run(&["--nodes", "1000", "--output", &pgn, MATE]);
    assert_eq!(status, 0, "{errors}");
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("[FEN \"4ka3/4a4/4b4/9/9/3r5/"), "{text}");
    assert!(text.contains("1... d4c4 $4 2. d3d9 *"), "{text}");
    run(&["--nodes", "1000", "--output", &page, MATE]);
    assert!(std::fs::read_to_string(&page).unwrap().contains("\"puzzle\":{\"en\":"));
    let (status, _, errors) = run(&["--resume", "--output", &page, MATE]);
    assert!(status == 2 && errors.contains("--resume continues"), "{errors}");
    for refused in [["--kind", "forks"], ["--max", "0"]] {
        let (status, _, errors) = run(&[&refused[..], &[MATE]].concat());
        assert!(status == 2 && errors.contains(refused[1]), "{errors}");
    }
}

#[test]
fn an_interrupted_file_of_puzzles_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.json");
    let arguments = ["--nodes", "1000", "--resume", "--output", file.to_str().unwrap(), MATE, MATE, HANGING, MATE];
    run(&arguments);
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    // The same exercise comes once, before the interruption or after it.
    assert_eq!(puzzles(&whole).len(), 2, "{whole}");
    run(&arguments);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
}
