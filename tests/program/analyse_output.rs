//! What `chuhe analyse` and `chuhe eval` print.

use crate::common::{self, MATE, MATED, run as chuhe};

/// Runs `chuhe analyse`: output and exit status.
fn analyse(arguments: &[&str]) -> (String, i32) {
    let (code, out, _) = chuhe(&[&["analyse"], arguments].concat());
    (out, code)
}

#[test]
fn analyse_prints_a_table() {
    let (text, status) = analyse(&["--depth", "5", MATE, MATED]);
    assert_eq!(status, 0);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("for the side to move, in pawns"));
    let lines = &lines[1..];
    assert_eq!(lines[0], format!("1  {MATE}"));
    assert!(lines[1].contains("score") && lines[1].ends_with("line"));
    assert!(lines[2].trim_start().starts_with("#1 ") && lines[2].ends_with("  e7g8"), "{text}");
    assert_eq!(lines[3..], [format!("2  {MATED}").as_str(), "   no legal move"]);
    let (text, _) = analyse(&["--depth", "5", "--notation", "chinese", MATE]);
    assert!(text.ends_with("  马五进三\n"), "{text}");
    let (text, _) = analyse(&["--depth", "4", "--multipv", "3", chuhe::position::START_FEN]);
    assert_eq!(text.lines().count(), 6, "{text}");
    for pasted in ["startpos moves h2e2 h9g7", "position startpos moves h2e2 h9g7"] {
        let (text, status) = analyse(&["--depth", "1", pasted]);
        assert!(status == 0 && text.contains(" w - - 2 2\n"), "{text}");
    }
}

#[test]
fn analyse_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.fen");
    let start = chuhe::position::START_FEN;
    std::fs::write(&file, format!("\u{feff}# a comment\n\n{MATE}\r\n{start}\nnonsense\n{MATED}\n")).unwrap();
    let file = file.to_str().unwrap();
    for threads in ["1", "3"] {
        let (text, status) = analyse(&["--nodes", "3000", "--json", "--threads", threads, "--multipv", "2", file]);
        assert_eq!(status, 1, "one line cannot be read");
        let mut found: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let error = found.remove(2);
        assert_eq!(error["error"], "line 5: \"nonsense\" is neither a FEN nor startpos");
        assert_eq!((&error["source"], &error["input"]), (&format!("{file}:5").into(), &"nonsense".into()));
        let fens: Vec<&str> = found.iter().map(|one| one["fen"].as_str().unwrap()).collect();
        assert_eq!(fens, [MATE, start, MATED], "in order");
        assert_eq!(found[0]["lines"][0]["mate"], 1);
        assert_eq!(found[0]["lines"][0]["wdl"], serde_json::json!([1000, 0, 0]));
        assert_eq!(found[0]["lines"][0]["pv"][0], "e7g8");
        assert_eq!(found[1]["lines"].as_array().unwrap().len(), 2);
        assert!(found[1]["lines"][0]["cp"].is_i64() && found[1]["nodes"].as_u64().unwrap() <= 3000);
        assert!(found[2]["depth"].is_null() && found[2]["lines"].as_array().unwrap().is_empty());
        assert_eq!(found[1]["source"], format!("{file}:4"));
    }
    let (text, status) = analyse(&["--depth", "1", "9/9 w", &format!("{start} moves h2e2 h9g7"), "--json"]);
    assert_eq!(status, 1, "one position cannot be read");
    assert!(text.lines().count() == 2 && text.contains(" w - - 2 2\",\"ply\":2,"), "{text}");
    let (text, status) = analyse(&["--nodes", "1", "--json", start]);
    assert!(
        status == 0 && text.contains("\"depth\":0") && text.contains("\"lines\":[]"),
        "no iteration was completed: {text}"
    );
    assert_eq!(analyse(&["--depth", "1", "no such file"]).1, 2);
    assert_eq!(analyse(&["--notation", "morse", start]).1, 2);
    assert_eq!(analyse(&[]).1, 2);
}

/// The same text as in the console, behind the FEN; in JSON the same numbers.
#[test]
fn eval_prints_what_the_console_does() {
    let mut client = common::Client::start();
    client.send("position startpos moves h2e2\nsetoption knowledge small");
    let mut text = client.ask("eval");
    let arguments = ["eval", "--option", "Knowledge=small", "startpos", "moves", "h2e2"];
    let (status, out, errors) = chuhe(&arguments);
    text.insert(0, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1".to_string());
    assert_eq!(
        (status, out.lines().collect::<Vec<_>>(), errors.as_str()),
        (0, text.iter().map(String::as_str).collect(), "")
    );
    let (_, json, _) = chuhe(&[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let sum = |key: &str| json["terms"].as_array().unwrap().iter().map(|term| term[key].as_i64().unwrap()).sum::<i64>();
    assert_eq!((&json["ply"], &json["phase"], &json["network"]), (&1.into(), &32.into(), &serde_json::Value::Null));
    let score = sum("early") * 239 / 240;
    assert_eq!((json["score"].as_i64(), json["ucci"].as_i64()), (Some(score), Some(score / 4)), "{json}");
    let cannon = json["pieces"].as_array().unwrap().iter().find(|piece| piece["square"] == "e2").unwrap();
    let shown = format!("C{:+}", cannon["value"].as_i64().unwrap());
    assert!(cannon["piece"] == "C" && text.iter().any(|row| row.starts_with("2 ") && row.contains(&shown)), "{json}");
    let (status, out, _) = chuhe(&["eval", "--json", "what"]);
    assert!(status != 0 && out.is_empty(), "no such file");
    assert_eq!(chuhe(&["eval", "startpos", "--option", "Repetition Rule=plain"]).0, 2);
}

/// Without its table the position is a search's; with it, lost by the rule of perpetual check.
#[test]
fn options_of_analyse_change_the_search() {
    const LOST_BY_RULE: &str = "9/9/4k4/9/9/9/9/9/5K3/5R2n b - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    assert_eq!(chuhe(&["egtb", "build", "KRkn", "--folder", folder]).0, 0);
    let tables = format!("EGTB Paths={folder}");
    let run = |arguments: &[&str]| chuhe(&[&["analyse", "--nodes", "1000", LOST_BY_RULE], arguments].concat());
    assert!(!run(&[]).1.contains("by rule "));
    let (status, out, errors) = run(&["--option", &tables]);
    assert!(status == 0 && out.contains("\n  loses by rule "), "{out} {errors}");
    let (_, json, _) = run(&["--json", "--option", &tables]);
    assert!(
        json.contains("46 endgame tables, egtbpaths = ")
            && json.contains(",\"rule\":-1,\"wdl\":[0,0,1000],\"pv\":[\"i0h2\""),
        "{json}"
    );
    let (_, out, _) = run(&["--option", &tables, "--option", "Use EGTB=false"]);
    assert!(!out.contains("by rule "), "{out}");
    for (option, error) in [
        ("EGTB Paths=no/such/folder", "error: no/such/folder: "),
        ("EvalFile=Cargo.toml", "error: Cargo.toml: "),
        ("Hash=16", "option Hash: use --hash"),
        ("OwnBook=true", "option OwnBook has no effect in this command"),
        ("Move Limit=5", "option Move Limit: 5 is not from 20 to 1000"),
    ] {
        let (status, out, errors) = run(&["--option", option]);
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{option}: {errors}");
    }
}
