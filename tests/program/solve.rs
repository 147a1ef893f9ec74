//! Problems through `chuhe solve`, and test positions through `chuhe analyse --score`.

use crate::common::run as chuhe;

use serde_json::Value;
use std::fs;

const COOKED: &str = "2ca1kb2/2N1a4/2n6/6N1p/1nb1P4/C5c2/1p7/9/4AC3/2B1KAB2 w - - 0 1";
const MATE_IN_EIGHT: &str = "3k5/9/9/2p6/9/4N4/9/9/9/4K4 w - - 0 1";
const NO_MATE: &str = "3ak4/4a4/4b4/9/9/6N2/9/9/9/4K4 w - - 0 1";

fn json(arguments: &[&str]) -> Value {
    let (status, out, errors) = chuhe(&[&["solve", "--json"], arguments].concat());
    assert_eq!((status, errors.as_str()), (0, ""));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn shortest_mates_keys_and_defences_are_printed() {
    let (status, out, _) = chuhe(&["solve", MATE_IN_EIGHT]);
    assert_eq!(status, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..2], [MATE_IN_EIGHT, "mate in 8"], "{out}");
    assert!(lines[2].starts_with(" 1. e4d6 ") && lines[2].contains("  8. ") && lines[2].ends_with('#'), "{out}");
    let cooked = json(&["--mate", "3", "--all", COOKED]);
    let keys: Vec<_> = cooked["keys"].as_array().unwrap().iter().map(|key| (&key["move"], &key["moves"])).collect();
    assert_eq!(keys, [(&"a4f4".into(), &1.into()), (&"g6h8".into(), &2.into()), (&"a4e4".into(), &3.into())]);
    // Every legal reply of the last one has an answer.
    let replies = cooked["keys"][2]["replies"].as_array().unwrap();
    assert!(!replies.is_empty() && replies.iter().all(|reply| reply["answers"][0]["move"].is_string()), "{cooked}");
    let (_, out, _) = chuhe(&["solve", "--mate", "3", "--all", COOKED]);
    assert!(out.contains("\nmate in 1\n") && out.contains("\ncooked: a4f4 g6h8 a4e4\n"), "{out}");
    let (_, out, _) = chuhe(&["solve", "--mate", "3", "--all", COOKED, "--lang", "zh"]);
    assert!(out.contains("1着杀") && out.contains("多解：") && out.contains("炮"), "{out}");
}

#[test]
fn what_is_no_mate_is_said_as_proven_or_not_decided() {
    let none = json(&["--mate", "3", NO_MATE]);
    assert_eq!((&none["mate"], &none["no_mate"]), (&Value::Null, &3.into()));
    assert!(chuhe(&["solve", "--mate", "3", NO_MATE]).1.contains("\nno mate in 3\n"));
    let start = json(&["--nodes", "20000", "startpos"]);
    assert!(start["mate"].is_null() && start["no_mate"].as_u64().unwrap() < 5, "{start}");
    // A knight against a bare king wins by the tables; with so few nodes no mate is found.
    let knight = "3k5/9/9/9/9/4N4/9/9/9/4K4 w";
    let (_, out, _) = chuhe(&["solve", "--nodes", "10", knight]);
    assert!(out.contains(" not decided in ") && out.contains("\nby the endgame tables: "), "{out}");
    assert_eq!(json(&["--nodes", "10", knight])["tables"]["result"], "win");
}

#[test]
fn first_moves_of_problems_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |mv: &str| {
        let file = folder.path().join(format!("{mv}.pgn"));
        fs::write(&file, format!("[FEN \"{COOKED}\"]\n\n1. {mv} *\n")).unwrap();
        file.display().to_string()
    };
    let given = |mv: &str| json(&["--mate", "3", &problem(mv)])["given"].clone();
    assert_eq!(given("a4e4"), serde_json::json!({"mate": 3, "decided": true}));
    assert_eq!(given("c0a2"), serde_json::json!({"mate": null, "decided": true}));
    let (_, out, _) = chuhe(&["solve", "--mate", "3", &problem("c0a2")]);
    assert!(out.contains("\nc0a2, as given: no mate in 3\n"), "{out}");
}

#[test]
fn pages_have_diagrams_and_solutions() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html").display().to_string();
    let (status, out, _) = chuhe(&["solve", "--lang", "en", "--html", &page, MATE_IN_EIGHT, COOKED]);
    let written = fs::read_to_string(&page).unwrap();
    assert!(status == 0 && written.starts_with("<!doctype html>"), "{written}");
    assert_eq!((written.matches("<svg ").count(), written.matches("<pre>").count()), (2, 2));
    for line in out.lines().filter(|line| !line.is_empty()) {
        assert!(written.contains(line), "{line}");
    }
    let (status, _, errors) = chuhe(&["solve", "--html", "-", COOKED]);
    assert!(status == 2 && !errors.is_empty());
}

#[test]
fn interrupted_solutions_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("all.fen"), format!("{COOKED}\nno position\n{NO_MATE}\n{MATE_IN_EIGHT}\n")).unwrap();
    let solve = |output: &str, resume: &[&str]| {
        let input = path("all.fen");
        let arguments = [&["solve", "--nodes", "50000", "--output", output, &input], resume].concat();
        let (status, _, errors) = chuhe(&arguments);
        assert_eq!(status, 1, "{errors}");
    };
    solve(&path("whole.json"), &[]);
    let whole = fs::read_to_string(path("whole.json")).unwrap();
    assert_eq!(whole.lines().count(), 4);
    let third = whole.match_indices('\n').nth(2).unwrap().0;
    for cut in [third + 1, third - 5] {
        fs::write(path("cut.json"), &whole[..cut]).unwrap();
        solve(&path("cut.json"), &["--resume"]);
        assert_eq!(fs::read_to_string(path("cut.json")).unwrap(), whole);
    }
    let other = ["solve", "--nodes", "50001", "--output", &path("cut.json"), "--resume", &path("all.fen")];
    let (status, _, errors) = chuhe(&other);
    assert!(status == 2 && errors.contains("other settings"), "{errors}");
}

#[test]
fn moves_and_mates_that_epd_asks_for_are_scored() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd").display().to_string();
    let mate = "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - -";
    let score = |lines: &[&str], require: &str| {
        fs::write(&suite, lines.iter().map(|line| format!("{mate} {line}\n")).collect::<String>()).unwrap();
        chuhe(&["analyse", "--score", &suite, "--nodes", "5000", "--require", require])
    };
    let lines = ["bm e7g8; id \"one\";", "dm 1;", "am e7g8;", "bm d7d8 e7g8; dm 1;"];
    let (status, out, errors) = score(&lines, "3");
    assert_eq!((status, errors.as_str()), (0, ""));
    let found: Vec<bool> = out.lines().take(4).map(|line| line.contains("  found ")).collect();
    assert_eq!(found, [true, true, false, true], "{out}");
    assert!(out.lines().nth(4).unwrap().starts_with("3 of 4 found, "), "{out}");
    assert_eq!(score(&lines, "4").0, 1);
    let (status, out, _) = score(&["bm e7g8;", "id \"x\";", "bm a0a9;"], "1");
    assert!(status == 1 && out.contains("neither bm, am nor dm") && out.contains("1 of 1 found"), "{out}");
}
