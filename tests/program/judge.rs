//! `chuhe judge`.

use crate::common::{self, MATED, run as chuhe, run_with_input};

#[test]
fn tables_are_in_the_json_of_judge_and_folders_that_are_none_are_errors() {
    let won = "9/9/4k4/9/9/9/P8/9/9/3K5 w";
    let (status, json, errors) = chuhe(&["judge", "--json", won]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!([&json["result"], &json["table"]], ["ongoing", "red wins in 19 plies"]);
    let (status, _, errors) = chuhe(&["judge", "--egtb", "nofolder", won]);
    assert!(status == 1 && errors.contains("nofolder"), "{errors}");
}

#[test]
fn judge_prints_verdicts() {
    let chase = "fen 3k5/9/9/9/9/9/5n3/9/4R4/4K4 w - - 0 1 moves e1f1 f3e5 f1e1 e5f3 e1f1 f3e5 f1e1 e5f3";
    let judge = |arguments: &[&str]| {
        let (code, out, _) = chuhe(&[&["judge"], arguments].concat());
        (code, out.lines().map(String::from).collect::<Vec<_>>())
    };
    let mated = format!("fen {MATED}");
    let (code, lines) = judge(&[chase, "startpos moves h2e2", &mated, "fen 3k5/9/9/9/9/9/9/9/9/4K4 w"]);
    let expected = [
        "black wins: red perpetually chases the knight with the rook",
        "ongoing",
        "black wins: checkmate",
        "draw: insufficient material",
    ];
    assert_eq!((code, &lines[..]), (0, &expected.map(String::from)[..]));
    for pasted in [&chase[4..], &format!("position {chase}")] {
        assert_eq!(judge(&[pasted]).1, lines[..1], "{pasted}");
    }
    assert_eq!(judge(&["--lang", "zh", chase]).1, ["黑方胜：红方以车长捉马"]);
    assert_eq!(judge(&["--repetition", "plain", chase]).1, ["draw: repetition without violation"]);
    let ending = "4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w";
    assert_eq!(judge(&[ending]).1, ["ongoing; endgame table: red wins in 49 plies"]);
    assert_eq!(judge(&["--move-limit", "48", ending]).1, ["ongoing"], "the limit comes first");
    let deviation = "if it goes on, black wins: red perpetually chases the knight with the rook; red must deviate: ";
    let warned = &judge(&["--occurrences", "4", chase]).1[0];
    assert!(warned.starts_with(&format!("ongoing; occurrence 3 of this position; {deviation}e1a1, ")), "{warned}");
    let twice = chase.strip_suffix(" e1f1 f3e5 f1e1 e5f3").unwrap();
    let warned = &judge(&[twice]).1[0];
    assert!(warned.starts_with(&format!("ongoing; occurrence 2 of this position; {deviation}")), "{warned}");
    assert!(warned.contains(", e1d1, e1g1,") && !warned.contains("e1f1"), "{warned}");
    let warned = &judge(&["--lang", "zh", twice]).1[0];
    let chinese = "对局未结束；此局面第2次出现；如不变着，黑方胜：红方以车长捉马；红方须变着：e1a1、";
    assert!(warned.starts_with(chinese), "{warned}");
    let json = &judge(&["--json", twice]).1[0];
    let fields = "\"recurring\":{\"occurrences\":2,\"verdict\":\"black wins: red perpetually chases the knight with the rook\",\
                  \"must_deviate\":\"red\",\"moves\":[\"e1a1\",";
    assert!(json.contains(fields), "{json}");
    let (code, lines) = judge(&["9/9 w", "startpos moves h2e2 h2e2", "startpos"]);
    assert_eq!((code, lines.len()), (1, 3));
    assert!(lines[0].starts_with("error: ") && lines[1].starts_with("error: move 2") && lines[2] == "ongoing");
    assert_eq!(judge(&["no such file"]).0, 2);
}

#[test]
fn judge_names_games_of_files_and_compares_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.pgn").display().to_string();
    let game = |names: &str, result: &str| format!("{names}[FEN \"{MATED}\"]\n[Result \"{result}\"]\n\n{result}\n\n");
    let names = "[Red \"甲\"]\n[Black \"乙\"]\n";
    std::fs::write(&file, game(names, "1-0") + &game("[Event \"x\"]\n", "0-1") + "[Result \"1-0\"]\n\n1. h2e2 1-0\n")
        .unwrap();
    let (code, out, _) = chuhe(&["judge", &file, "--lang", "en"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (0, 3));
    assert!(lines[0].ends_with(": 甲 – 乙: black wins: checkmate; the record says 1-0"), "{out}");
    assert!(lines[1].contains("g.pgn") && lines[1].ends_with(": black wins: checkmate"), "{out}");
    assert!(lines[2].ends_with(": ongoing"), "a game may be resigned: {out}");
    let (_, out, _) = chuhe(&["judge", &file, "--json"]);
    let agree = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["agrees"].clone());
    assert_eq!(agree.collect::<Vec<_>>(), [false.into(), true.into(), serde_json::Value::Null]);
}

#[test]
fn judge_says_what_each_move_of_a_repetition_does_by_the_chinese_rules() {
    let judge = |language: &str, format: &[&str], game: &str, cycle: &str| {
        let game = format!("{game} moves {cycle} {cycle}");
        let arguments = [&["judge", "--repetition", "chinese", "--lang", language], format, &[&game]].concat();
        let (code, out, errors) = chuhe(&arguments);
        assert_eq!((code, errors.as_str()), (0, ""));
        out
    };
    let by_turns = ("2b2R3/5P3/b3k3n/5np2/2P6/9/1pp6/3CB4/4A4/4KAB1r w", "f9g9 e7f7 g9f9 f7e7");
    assert_eq!(
        judge("en", &[], by_turns.0, by_turns.1),
        "black wins: red threatens mate and chases by turns; \
         red: f9g9 kill, g9f9 chase (rook attacks knight, joint); black: e7f7 idle, f7e7 idle\n"
    );
    assert_eq!(
        judge("zh", &[], by_turns.0, by_turns.1),
        "黑方胜：红方一杀一捉，不变作负；红方：f9g9 杀，g9f9 捉（联合捉子：车捉马）；黑方：e7f7 闲，f7e7 闲\n"
    );
    let both = ("2b1ka3/4a4/n1c1b1n2/p1r1p3p/6p2/5N1R1/P3P3P/2N1B2C1/4A4/2BAK4 w", "c2d4 c6c4 d4c2 c4c6");
    let out = judge("zh", &[], both.0, both.1);
    assert!(out.starts_with("黑方胜：双方均走禁止着法，黑方有联合捉子或捉少根子，红方变着，不变作负；"), "{out}");
    assert!(out.contains("c6c4 捉（车捉马，无根子），c4c6 捉（联合捉子：炮捉马）"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&judge("en", &["--json"], both.0, both.1)).unwrap();
    assert_eq!((&json["result"], json["cycle"].as_array().unwrap().len()), (&"black".into(), 8));
    let last = serde_json::json!({
        "side": "black", "move": "c4c6", "class": "chase", "by": "cannon", "of": "knight", "manner": "joint"
    });
    assert_eq!(json["cycle"][7], last);
    let (code, out, _) = chuhe(&["judge", "--json", "--lang", "en", "startpos", "startpos moves h2e2 h2e2"]);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len(), &lines[0]["result"]), (1, 2, &"ongoing".into()));
    assert!(lines[1]["error"].is_string(), "{out}");
}

#[test]
fn judge_speaks_chinese_only() {
    let mated = format!("fen {MATED}");
    let bare = "3k5/9/9/9/9/9/9/9/9/4K4 w";
    let wrong = [
        "startpos moves h2e2 h2e2",
        "startpos moves castles",
        "9/9 w",
        "3k5/9/9/9/9/9/9/9/9/9 w",
        "4k4/9/9/4R4/9/9/9/9/9/3K5 w",
        "4k4/9/9/9/9/9/9/9/9/4K4 w",
    ];
    let arguments = [&["judge", "--lang", "zh", "startpos", &mated, bare], &wrong[..]].concat();
    let (code, out, errors) = chuhe(&arguments);
    assert_eq!(code, 1);
    let expected = [
        "对局未结束",
        "黑方胜：将死",
        "和棋：双方均无取胜可能",
        "错误：第2着：h2e2 不合规则：h2 上没有棋子，轮到黑方走",
        "错误：第1着：\"castles\" 不是着法",
        "错误：棋盘有2行，应为10行",
        "错误：红方没有将帅",
        "错误：黑方被将军，却轮到对方走棋",
        "错误：将帅对面",
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), expected);
    assert!(errors.lines().count() == 6 && errors.lines().all(|line| line.starts_with("命令行：")), "{errors}");
    let (_, out, _) = run_with_input(&["judge", "--lang", "zh"], b"startpos\nnonsense\n");
    assert_eq!(out, "对局未结束\n错误：第2行：\"nonsense\" 不是 FEN 或 startpos\n");
}

/// Lines that `judge` prints for these arguments, one for each position, and its errors.
fn judged(arguments: &[&str]) -> (usize, String) {
    let mut command = common::chuhe(&["judge"]);
    let output = command.args(arguments).stdin(std::process::Stdio::null()).output().unwrap();
    (output.stdout.iter().filter(|&&byte| byte == b'\n').count(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn unquoted_words_are_one_position() {
    let board = "3k5/9/9/9/p8/9/9/9/4R4/4K4";
    for line in [
        "startpos",
        "startpos moves h2e2 h9g7",
        "startpos h2e2",
        "position startpos moves h2e2",
        "position fen 3k5/9/9/9/p8/9/9/9/4R4/4K4 w - - 3 7 moves e1e2",
        "3k5/9/9/9/p8/9/9/9/4R4/4K4 black - - 3 7",
        "fen 3k5/9/9/9/p8/9/9/9/4R4/4K4",
    ] {
        assert_eq!(judged(&line.split(' ').collect::<Vec<_>>()), (1, String::new()), "{line}");
        assert_eq!(judged(&[line]), (1, String::new()), "{line}");
    }
    let (_, errors) = judged(&["startpos", "moves", "炮二平五", "castles"]);
    assert!(errors.contains("move 2") && errors.lines().count() == 1, "{errors}");
    let quoted = format!("{board} w - - 0 1");
    assert_eq!(judged(&[&quoted, &quoted]), (2, String::new()));
    assert_eq!(judged(&["startpos", "startpos"]), (2, String::new()));
    assert_eq!(judged(&["startpos", "moves", "h2e2", board]), (2, String::new()));
}

#[test]
fn other_arguments_are_files() {
    let rook = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rook.pgn");
    let (games, _) = judged(&[rook]);
    assert!(games > 0);
    assert_eq!(judged(&["startpos", rook]).0, 1 + games);
    assert_eq!(judged(&["startpos", "moves", "h2e2", rook]).0, 1 + games);
    for missing in ["no such file", "no_such.pgn"] {
        assert!(judged(&[missing]).1.contains(missing));
        let (lines, errors) = judged(&["startpos", missing]);
        assert!(lines == 1 && errors.contains(missing), "{errors}");
    }
    assert_eq!(judged(&["startpos", "-"]).0, 1, "standard input is empty");
}
