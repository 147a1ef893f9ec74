//! Collections through `chuhe analyse`: streams, files of answers and their continuation, the schema.

use crate::common::{self, MATE, MATED};

use chuhe::position::START_FEN;
use common::Client;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const GAMES: &str = "[Red \"a\"]\n1. h2e2 h9g7 2. h0g2 *\n\n[Red \"b\"]\n1. C2.5 H8+7 2. h2e2 *\n";

/// Runs `chuhe analyse --nodes 300` with this input: output, errors, exit status.
fn analyse(arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut command = common::chuhe(&["analyse", "--nodes", "300"]);
    let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// `count` lines: positions of a game, each with the moves that led to it, and a bad line in twenty.
fn lines(count: usize) -> String {
    let moves = ["b0c2", "b9c7", "c2b0", "c7b9", "h0g2", "h9g7", "a0a1", "i9i8", "a1a0", "i8i9", "i0i2", "a9a7"];
    let line = |number: usize| match number % 20 {
        19 => format!("bad line {number}\n"),
        _ => format!("startpos moves {}\n", moves.map(String::from)[..=number % 12].join(" ")),
    };
    (0..count).map(line).collect()
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_line_is_answered_before_the_next_is_sent() {
    let mut client = Client::start_with(&["analyse", "--json", "--nodes", "300", "--threads", "2", "-"]);
    for (line, fen) in [
        ("startpos moves h2e2 h9g7", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"),
        (MATE, MATE),
        (START_FEN, START_FEN),
    ] {
        client.send(line);
        let answer: Value = serde_json::from_str(&client.line()).unwrap();
        assert_eq!((&answer["input"], &answer["fen"]), (&line.into(), &fen.into()));
    }
    client.send("bad line");
    assert!(client.line().contains("\"source\":\"-:4\",\"input\":\"bad line\",\"error\":"));
    let finished = client.finish();
    assert_eq!((finished.lines.len(), finished.status.code()), (0, Some(1)), "there was a bad line");
}

#[test]
fn answers_are_in_order_and_the_same_for_any_number_of_threads() {
    let input = lines(200);
    let (one, errors, status) = analyse(&["--json", "-"], &input);
    assert_eq!((errors.as_str(), status), ("", 1));
    let inputs: Vec<String> = json(&one).iter().map(|answer| answer["input"].as_str().unwrap().to_string()).collect();
    assert_eq!(inputs, input.lines().collect::<Vec<_>>());
    for threads in ["2", "5"] {
        assert!(analyse(&["--json", "--threads", threads, "-"], &input).0 == one, "{threads} threads");
    }
    // A position is searched alike whatever was searched before.
    let last = input.lines().rev().nth(1).unwrap();
    let alone = json(&analyse(&["--json", "-"], last).0).remove(0);
    let among = json(&one).into_iter().rev().nth(1).unwrap();
    assert_eq!((&alone["lines"], &alone["nodes"]), (&among["lines"], &among["nodes"]));
    assert_eq!(analyse(&["--json", "-"], ""), (String::new(), String::new(), 0));
}

/// The search of a position in the endgame tables sees one move; the other 48 plies of the line are in the tables.
#[test]
fn lines_of_endgame_tables_go_to_the_mate() {
    let won = "4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 0 1";
    let (text, _, _) = analyse(&["--json", won], "");
    let line = &json(&text)[0]["lines"][0];
    let pv = line["pv"].as_array().unwrap();
    assert_eq!((&line["mate"], pv.len(), &pv[0]), (&25.into(), 49, &"g0g7".into()));
    let mut position = chuhe::Position::from_fen(won).unwrap();
    pv.iter().for_each(|mv| position.try_make(mv.as_str().unwrap().parse().unwrap()).unwrap());
    assert!(position.has_no_moves());
    // A capture leads into the tables: so does the line.
    let (text, _, _) = analyse(&["--json", "3ak4/9/9/9/9/9/9/n8/9/R2K5 w - - 0 1"], "");
    let line = &json(&text)[0]["lines"][0];
    let plies = 2 * line["mate"].as_u64().unwrap() - 1;
    assert_eq!((&line["pv"][0], line["pv"].as_array().unwrap().len() as u64), (&"a0a2".into(), plies));
    let (text, _, _) = analyse(&[won], "");
    assert!(text.contains("g0g7 ") && text.trim_end().ends_with(" …"), "{text}");
}

#[test]
fn games_in_a_stream_are_analysed_position_by_position() {
    let (text, _, status) = analyse(&["--json", "-"], GAMES);
    let found = json(&text);
    let what = |answer: &Value| {
        let key = ["played", "error"].into_iter().find_map(|key| answer[key].as_str()).unwrap_or("end");
        format!("{}: {key}", answer["source"].as_str().unwrap())
    };
    assert_eq!(
        found.iter().map(what).collect::<Vec<_>>(),
        [
            "- game 1: h2e2",
            "- game 1: h9g7",
            "- game 1: h0g2",
            "- game 1: end",
            "- game 2: h2e2",
            "- game 2: h9g7",
            "- game 2: end",
            "- game 2: line 5: h2e2 is illegal"
        ]
    );
    assert_eq!(status, 1);
}

#[test]
fn interrupted_runs_are_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let file = path.to_str().unwrap();
    let input = lines(60) + MATED + "\n";
    let arguments = ["--output", file, "--threads", "2", "-"];
    let (text, _, status) = analyse(&arguments, &input);
    assert_eq!((text.as_str(), status), ("", 1));
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole, analyse(&["--json", "-"], &input).0.into_bytes());
    let (_, errors, status) = analyse(&arguments, &input);
    assert!(status == 2 && errors.contains("it exists; --resume continues it"), "{errors}");
    let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
    // Nothing, within the first line, at the end of a line, in the middle of the bad one and of the last, all.
    for cut in [0, 5, ends[7], ends[18] + 3, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..cut]).unwrap();
        let (_, errors, status) = analyse(&[&["--resume"], &arguments[..]].concat(), &input);
        assert_eq!((errors.as_str(), status), ("", 1), "the bad lines count");
        assert!(fs::read(&path).unwrap() == whole, "cut after {cut} bytes");
    }
    let game = folder.path().join("game.pgn");
    fs::write(&game, GAMES).unwrap();
    let arguments = ["--resume", "--output", file, game.to_str().unwrap()];
    fs::remove_file(&path).unwrap();
    assert_eq!(analyse(&arguments, "").2, 1);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    analyse(&arguments, "");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// The program is killed while it writes. Its input stays open, so that it cannot end before.
#[test]
fn a_killed_run_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let input = lines(400);
    let whole = analyse(&["--json", "--threads", "2", "-"], &input).0;
    let arguments = ["--output", path.to_str().unwrap(), "--threads", "2", "-"];
    let mut command = common::chuhe(&["analyse", "--nodes", "300"]);
    let mut child = command.args(arguments).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines(300).as_bytes()).unwrap();
    while fs::metadata(&path).map_or(0, |file| file.len()) < whole.len() as u64 / 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before a third was written");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let part = fs::read(&path).unwrap();
    assert!(part.len() < whole.len() && whole.as_bytes().starts_with(&part));
    analyse(&[&["--resume"], &arguments[..]].concat(), &input);
    assert!(fs::read_to_string(&path).unwrap() == whole);
}

#[test]
fn other_answers_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let arguments = ["--output", path.to_str().unwrap(), "--resume", "-"];
    let input = lines(21);
    analyse(&arguments, &input);
    let whole = fs::read_to_string(&path).unwrap();
    let refused = |arguments: &[&str], input: &str, reason: &str| {
        let (_, errors, status) = analyse(arguments, input);
        assert!(status == 2 && errors.contains(reason), "{errors}");
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    };
    let nodes = [&["--depth", "3"], &arguments[..]].concat();
    refused(&nodes, &input, "line 1 was made with other settings: ");
    refused(&[&["--notation", "wxf"], &arguments[..]].concat(), &input, "other settings");
    let other = input.replace("bad line", "worse line");
    refused(&arguments, &other, "line 20 answers \"bad line 19\", the input has \"worse line 19\" there");
    refused(&arguments, &lines(20), "line 21 and those after it answer more than the input has");
    let (text, _, _) = analyse(&arguments, &lines(23));
    assert!(text.is_empty() && fs::read_to_string(&path).unwrap().lines().count() == 23, "a longer input");
    // The last line of a file that is something else is not cut off.
    for other in ["text\nmore", "text", "{}"] {
        fs::write(&path, other).unwrap();
        let (_, errors, status) = analyse(&arguments, &input);
        assert!(status == 2 && errors.contains("line 1 is not an answer"), "{errors}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    assert_eq!(analyse(&["--resume", "-"], "").2, 2, "--resume continues a file");
    let (_, errors, status) = analyse(&["--output", "-", "-"], "");
    assert!(status == 2 && errors.contains("--output needs a file"), "{errors}");
}

/// Every answer has what the schema requires and nothing that it does not name, and all that it names occurs.
/// (`tests/oracle/schema.py` checks types and values with a validator.)
#[test]
fn answers_have_the_properties_of_the_schema() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/analyse.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let positions = format!("{MATE}\n{MATED}\n{START_FEN}\nbad line\n");
    let mut seen = BTreeSet::new();
    for arguments in [&["--multipv", "3"][..], &["--time", "20"], &["--last", "--depth", "2"]] {
        let arguments = [&["--json", "-"], arguments].concat();
        for input in [&positions, GAMES] {
            let (text, errors, _) = analyse(&arguments, input);
            assert!(errors.is_empty(), "{errors}");
            for answer in json(&text) {
                let kind = &schema["$defs"][if answer["error"].is_null() { "analysis" } else { "refusal" }];
                let keys: BTreeSet<String> = answer.as_object().unwrap().keys().cloned().collect();
                let required = kind["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap());
                assert!(required.into_iter().all(|key| keys.contains(key)), "{answer}");
                assert!(keys.iter().all(|key| kind["properties"].get(key).is_some()), "{answer}");
                seen.extend(keys);
                assert_eq!(answer["error"].is_null() && arguments.contains(&"--time"), answer.get("time_ms").is_some());
            }
        }
    }
    for kind in ["analysis", "refusal"] {
        let properties = schema["$defs"][kind]["properties"].as_object().unwrap();
        assert!(properties.keys().all(|key| seen.contains(key)), "all of {kind} occur: {seen:?}");
    }
}

#[test]
fn output_that_nobody_reads_ends_the_program_while_the_input_stays_open() {
    let command = common::chuhe(&["analyse", "--json", "--nodes", "300", "-"]);
    assert_eq!(Client::close_output_and_wait(command, &lines(40)).code(), Some(0), "as for `head`");
}
