//! The command line through the real binary.

use crate::common::{self, run as chuhe};

use std::cmp::Reverse;
use std::collections::HashMap;
use std::process::Output;

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn help_and_version() {
    let (code, out, _) = chuhe(&["--help"]);
    assert_eq!(code, 0);
    assert!(out.contains("bench") && out.contains("perft"));
    let (code, out, _) = chuhe(&["--version"]);
    assert_eq!((code, out.as_str()), (0, concat!("chuhe ", env!("CARGO_PKG_VERSION"), "\n")));
}

/// Every command that `--help` lists has a man page, and the completions know it.
#[test]
fn manual_and_completions_have_all_commands() {
    let (_, help, _) = chuhe(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    let lines = commands.lines().filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (status, completions, _) = chuhe(&["completions", shell]);
        assert_eq!(status, 0);
        for command in commands.iter().filter(|&&command| command != "help") {
            assert!(completions.contains(command), "{shell} {command}");
            let page = std::fs::read_to_string(folder.path().join(format!("chuhe-{command}.6"))).unwrap();
            assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH \"EXIT STATUS\""), "{command}");
        }
    }
    let program = std::fs::read_to_string(folder.path().join("chuhe.6")).unwrap();
    assert!(program.contains("\\fBrepetition, Repetition Rule\\fR: combo, asian"), "{program}");
    let file = folder.path().join("chuhe.6").join("x");
    assert_eq!(chuhe(&["manual", &file.display().to_string()]).0, 2, "a folder below a file");
}

/// All arguments before the last one are read before the help is printed.
#[test]
fn examples_of_the_manual_are_commands() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    let mut examples = 0;
    for page in std::fs::read_dir(folder.path()).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap().replace('\\', "").replace("*(Aq", "'");
        let Some((_, rest)) = page.split_once(".SH EXAMPLES\n.nf\n") else { continue };
        let (lines, _) = rest.split_once(".fi").unwrap();
        for line in lines.lines() {
            let words = line.split(" > ").next().unwrap().replace('\'', "");
            let words: Vec<&str> = words.split(' ').skip(1).chain(["--help"]).collect();
            let (status, help, errors) = chuhe(&words);
            assert!(status == 0 && help.contains(line), "{line}: {errors}");
            examples += 1;
        }
    }
    assert!(examples > 30, "{examples}");
}

#[test]
fn help_and_verdicts_are_in_the_language_of_the_locale() {
    let run = |arguments: &[&str]| {
        let output = common::chuhe(arguments).env("LC_ALL", "zh_CN.UTF-8").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let help = run(&["--help"]);
    assert!(help.contains("用法: chuhe") && help.contains("命令:") && help.contains("选项:"), "{help}");
    let judge = run(&["help", "judge"]);
    assert!(judge.contains("参数:") && judge.contains("自然限着") && !judge.contains("Print"), "{judge}");
    assert!(run(&["help", "perft"]).contains("统计合法着法树的叶节点数"));
    assert_eq!(run(&["judge", "startpos"]), "对局未结束\n");
    assert_eq!(run(&["judge", "--lang", "en", "startpos"]), "ongoing\n");
    assert!(chuhe(&["--help"]).1.contains("Usage: chuhe"));
    // No English word but names of notations, units and options.
    for (arguments, known) in [
        (&["analyse", "--depth", "1", MATE, MATED][..], &[][..]),
        (&["eval", "--option", "Knowledge=medium", "startpos"], &["UCCI"]),
        (&["book", "show", "startpos"], &["WXF"]),
        (&["book", "show", "startpos", "moves", "a0a1"], &[]),
    ] {
        let text = run(arguments);
        assert!(!text.is_empty(), "{arguments:?}");
        for word in text.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| word.len() > 2) {
            // A FEN has no three letters of one case that are a word; only its pieces.
            let is_fen = word.bytes().all(|letter| b"kabnrcp".contains(&letter.to_ascii_lowercase()));
            assert!(is_fen || known.contains(&word), "{word} in {text}");
        }
    }
}

#[test]
fn errors_are_in_the_language_of_the_locale() {
    let run = |arguments: &[&str]| {
        let output = common::chuhe(arguments).env("LC_ALL", "zh_CN.UTF-8").output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (arguments, status, line) in [
        (&["analyze"][..], 2, "错误：没有子命令“analyze”"),
        (&["analyze"], 2, "  提示：有相近的子命令 "),
        (&["perft"], 2, "错误：缺少以下必需的参数："),
        (&["perft", "x"], 2, "错误：“<DEPTH>”的值“x”无效：不是整数"),
        (&["perft", "99"], 2, "错误：“<DEPTH>”的值“99”无效：99 不在 0..=20 之内"),
        (&["bench", "--depht"], 2, "错误：不认识的参数“--depht”"),
        (&["judge", "--lang", "x"], 2, "  [可选值：en, zh]"),
        (&["judge", "--lang"], 2, "错误：“--lang <LANG>”需要一个值"),
        (&["book", "stats", "missing.dat"], 2, "错误：missing.dat：没有该文件或文件夹（os error 2）"),
        (&["perft", "1", "--fen", "9/9 w"], 2, "错误：局面无效：9/9 w：棋盘有2行"),
        (&["analyse", "startpos moves a0a9", "--depth", "1"], 1, "命令行：第1着：a0a9 不合规则"),
        (&["cloud", "startpos moves a0a9"], 1, "命令行：第1着：a0a9 不合规则"),
        (&["egtb", "probe", "3k5/9/9/9/9/9/9/9/9/RR2K4 w"], 1, "没有 KRRk 的残局库"),
        (
            &["--option", "hash=x", "bench"],
            2,
            "错误：“--option <NAME=VALUE>”的值“hash=x”无效：选项 Hash 的值 \"x\" 无效，应为整数",
        ),
    ] {
        let (code, errors) = run(arguments);
        assert!(code == Some(status) && errors.contains(line), "{arguments:?} {code:?} {errors}");
    }
    assert!(run(&["book"]).1.contains("用法: chuhe book"));
}

#[test]
fn wrong_usage_exits_with_status_two() {
    for arguments in [
        &["juggle"][..],
        &["perft"],
        &["perft", "many"],
        &["perft", "3", "--fen", "9/9 w"],
        &["perft", "3", "--suite", "/nonexistent"],
        &["perft", "3", "--max-leaves", "3"],
        &["bench", "0"],
    ] {
        let (code, out, errors) = chuhe(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!errors.is_empty());
    }
}

#[test]
fn limits_of_nothing_and_two_outputs_in_one_file_are_refused() {
    for limit in ["--nodes", "--time", "--depth"] {
        let (code, out, errors) = chuhe(&["analyse", limit, "0", "startpos"]);
        assert!(code == 2 && out.is_empty() && errors.contains(limit), "{out}{errors}");
    }
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["x", "./x"].map(|name| folder.path().join(name).display().to_string());
    let (code, _, errors) = chuhe(&["review", "--nodes", "1", "--html", &one, "--pgn", &other, "startpos"]);
    assert!(code == 2 && errors.contains("two outputs cannot be the same file"), "{errors}");
}

#[test]
fn perft_prints_the_known_counts() {
    let (code, out, _) = chuhe(&["perft", "3"]);
    assert_eq!((code, last_line(&out)), (0, "Nodes searched: 79666"));
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    let (_, out, _) = chuhe(&["perft", "2", "--fen", fen]);
    assert_eq!(last_line(&out), "Nodes searched: 1128");
    let (_, out, _) = chuhe(&["perft", "2", "--divide"]);
    assert_eq!(out.lines().filter(|line| line.as_bytes().get(4) == Some(&b':')).count(), 44);
    assert_eq!(last_line(&out), "Nodes searched: 1920");
}

#[test]
fn wrong_suite_exits_with_status_one() {
    let file = std::env::temp_dir().join(format!("chuhe-suite-{}.txt", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    std::fs::write(&file, format!("# a comment\n{fen} ;D1 44 ;D2 1920 ;D3 79667 | start\n")).unwrap();
    let (good, bad, capped) = (
        chuhe(&["perft", "2", "--suite", path]),
        chuhe(&["perft", "3", "--suite", path]),
        chuhe(&["perft", "3", "--suite", path, "--max-leaves", "5000"]),
    );
    std::fs::write(&file, "not a position ;D1 4\n").unwrap();
    let unreadable = chuhe(&["perft", "3", "--suite", path]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((good.0, last_line(&good.1)), (0, "1 position, 2 counts, 0 wrong, 1964 leaves"));
    assert_eq!((bad.0, last_line(&bad.1)), (1, "1 position, 3 counts, 1 wrong, 81630 leaves"));
    assert!(bad.1.contains("depth 3: 79666, expected 79667"));
    assert_eq!((capped.0, last_line(&capped.1)), (0, "1 position, 2 counts, 0 wrong, 1964 leaves"));
    assert_eq!(unreadable.0, 2);
}

#[test]
fn bench_signature_is_reproducible() {
    let nodes = |arguments: &[&str]| {
        let (code, out, _) = chuhe(arguments);
        assert_eq!(code, 0);
        let words: Vec<String> = last_line(&out).split(' ').map(String::from).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"), "{words:?}");
        words[0].parse::<u64>().unwrap()
    };
    let first = nodes(&["bench", "3"]);
    assert!(first > 0);
    assert_eq!(first, nodes(&["bench", "3"]));
    assert_ne!(first, nodes(&["bench", "4"]));
}

#[test]
fn closed_output_is_not_an_error() {
    for arguments in [&["bench", "1"][..], &["perft", "2", "--divide"]] {
        let status = common::Client::close_output_and_wait(common::chuhe(arguments), "");
        assert!(status.success(), "{arguments:?}: {status}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_to_a_full_disk_is_status_two() {
    for arguments in [&["bench", "1"][..], &["perft", "2", "--divide"], &["judge", "startpos"]] {
        let (status, errors) = common::run_with_full_disk(common::chuhe(arguments), "");
        assert_eq!(status.code(), Some(2), "{arguments:?}: {status}");
        assert!(errors.starts_with("error: cannot write: "), "{errors}");
    }
}

/// Runs `chuhe analyse`: output and exit status.
fn analyse(arguments: &[&str]) -> (String, i32) {
    let (code, out, _) = chuhe(&[&["analyse"], arguments].concat());
    (out, code)
}

const MATE: &str = "4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1";
const MATED: &str = "3k5/9/9/9/9/9/9/9/r8/r3K4 w - - 0 1";

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

#[test]
fn log_file_has_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.txt");
    let mut client = common::Client::start_with(&["--log-file", file.to_str().unwrap()]);
    client.send_bytes(b"isready\r\ngo depth 1\nna\xefve\nquit\n");
    let finished = client.finish();
    assert_eq!(finished.errors, "");
    let log = std::fs::read_to_string(&file).unwrap();
    for line in ["< isready\n", "> readyok\n", "< go depth 1\n", "> bestmove ", "< na飗e\n", "> bye\n"] {
        assert!(log.contains(line), "{line:?} in {log}");
    }
    let has_time = |line: &str| line.strip_prefix('[')?.split_once(" ms ")?.0.trim().parse::<u32>().ok();
    assert!(log.lines().all(|line| has_time(line).is_some()), "with milliseconds: {log}");
    assert_eq!(chuhe(&["--log-file", "/no/such/folder/log"]).0, 2);
}

#[test]
fn options_are_set_from_the_command_line() {
    let mut client = common::Client::start_with(&["--option", "batch=true", "--option", "Book Files=no/such/book"]);
    client.send("setoption debug true\ngo depth 3\nstop");
    let finished = client.finish();
    assert!(finished.lines[0].starts_with("info message no/such/book: "), "{finished:?}");
    assert_eq!(finished.lines.last().unwrap(), "nobestmove", "in batch mode stop is read after the search");
    for bad in ["batch", "batch=maybe", "no such option=1"] {
        let (code, _, errors) = chuhe(&["--option", bad]);
        assert!(code == 2 && errors.contains("--option"), "{bad}: {errors}");
    }
    assert_eq!(chuhe(&["--option", "batch=true", "bench", "1"]).0, 2);
    // A value is no part of a line: it keeps its blanks, and is no other command.
    let finished =
        common::Client::start_with(&["--option", "bookfiles=my  book.dat", "--option", "evalapi=a\nfen"]).finish();
    assert!(finished.lines.len() == 2 && finished.lines[0].starts_with("info message my  book.dat: "), "{finished:?}");
}

/// `--option` and `--log-file` are in the help and the man page of a command if and only if the command takes them.
#[test]
fn options_are_shown_where_they_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(chuhe(&["manual", &folder.path().display().to_string()]).0, 0);
    for page in std::fs::read_dir(folder.path()).unwrap() {
        let page = page.unwrap().path();
        let name = page.file_stem().unwrap().to_string_lossy().replace("chuhe", "");
        let command: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
        let text = std::fs::read_to_string(&page).unwrap().replace('\\', "");
        let help = chuhe(&[&command[..], &["--help"]].concat()).1;
        for (argument, value, takers) in [
            ("--option", "repetition=league", &["", "-ucci", "-uci", "-analyse", "-eval", "-review", "-play"][..]),
            ("--log-file", "log.txt", &["", "-ucci", "-uci"]),
        ] {
            let is_taken = takers.contains(&name.as_str());
            let is_shown = [help.contains(&format!("{argument} <")), text.contains(&format!("{argument}fR fI<"))];
            assert_eq!(is_shown, [is_taken; 2], "{name} {argument}: {text}");
            if !is_taken {
                let (status, _, errors) = chuhe(&[&command[..], &[argument, value]].concat());
                assert!(
                    status == 2 && errors.contains(&format!("unexpected argument '{argument}'")),
                    "{name}: {errors}"
                );
            }
        }
    }
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

/// What people read is in the character set of their locale; JSON is not.
#[test]
fn texts_are_in_the_character_set_of_the_locale() {
    let run = |locale: &str, arguments: &[&str]| {
        let Output { stdout, stderr, .. } = common::chuhe(arguments).env("LC_ALL", locale).output().unwrap();
        [stdout, stderr].concat()
    };
    let mated = "3k5/9/9/9/9/9/9/9/3r5/3rK4 w";
    for arguments in [
        &["--help"][..],
        &["help", "perft"],
        &["judge", mated],
        &["judge", "nonsense"],
        &["perft", "x"],
        &["board", mated],
        &["review", "--nodes", "100", "--notation", "chinese", "startpos moves h2e2 h9g7"],
        &["analyse", "--depth", "9", "--nodes", "20000", "--notation", "chinese", "startpos"],
    ] {
        let utf8 = String::from_utf8(run("zh_CN.UTF-8", arguments)).unwrap();
        assert!(!utf8.is_ascii(), "{utf8}");
        let gbk = run("zh_CN.GBK", arguments);
        let (text, _, has_errors) = encoding_rs::GBK.decode(&gbk);
        assert!(!has_errors, "{arguments:?}: {text}");
        // The table has times.
        assert!(arguments[0] == "analyse" || text == utf8, "{arguments:?}: {text}");
    }
    for (locale, encoding) in [
        ("zh_CN", encoding_rs::UTF_8),
        ("zh_CN.utf8", encoding_rs::UTF_8),
        ("zh_CN.gb2312", encoding_rs::GBK),
        ("zh_CN.eucCN", encoding_rs::GBK),
        ("zh_CN.GB18030", encoding_rs::GB18030),
    ] {
        assert_eq!(run(locale, &["judge", mated]), encoding.encode("黑方胜：将死\n").0.into_owned(), "{locale}");
    }
    // Where the simplified script has no characters, texts are in English; Chinese ones become question marks.
    let chinese = &["judge", "--lang", "zh", mated];
    for (locale, expected) in [
        ("zh_CN.ISO-8859-1", &b"??????\n"[..]),
        ("de_DE.ISO-8859-1@euro", b"??????\n"),
        ("zh_TW.eucTW", b"??????\n"),
        // Big5 has all of these but 将.
        ("zh_TW.Big5", b"\xb6\xc2\xa4\xe8\xd0`\xa1G?\xa6\xba\n"),
    ] {
        assert_eq!(run(locale, &["judge", mated]), b"black wins: checkmate\n", "{locale}");
        assert_eq!(run(locale, chinese), expected, "{locale}: {}", String::from_utf8_lossy(&run(locale, chinese)));
    }
    for json in [
        &["analyse", "--json", "--nodes", "100", "--notation", "chinese", "startpos"][..],
        &["judge", "--json", mated, "9/9 w", "tests/data/rook.pgn"],
        &["review", "--json", "--nodes", "100", mated, "tests/data/rook.pgn"],
        &["egtb", "probe", "--json", "--notation", "chinese", "9/9/4k4/9/9/9/P8/9/9/3K5 w"],
    ] {
        let out = |locale: &str| common::chuhe(json).env("LC_ALL", locale).output().unwrap().stdout;
        assert!(["zh_CN.GBK", "zh_CN.UTF-8"].iter().all(|locale| out(locale) == out("C.UTF-8")), "{json:?}");
    }
}

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
fn errors_are_in_the_language_that_is_asked_for() {
    let (status, _, errors) = chuhe(&["convert", "--lang", "zh", "missing.pgn", "b.pgn"]);
    assert!(status == 2 && errors.starts_with("错误：") && errors.contains("missing.pgn"), "{errors}");
    let (status, _, errors) = chuhe(&["egtb", "probe", "--lang", "zh", "startpos"]);
    assert!(status == 1 && !errors.contains("there is no table"), "{errors}");
}

#[test]
fn texts_of_files_do_not_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.txt");
    std::fs::write(
        &file,
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w ;D1 44 | a\u{1b}[2J\u{9b}1m\u{202e}b\n",
    )
    .unwrap();
    let (_, out, _) = chuhe(&["perft", "1", "--suite", file.to_str().unwrap()]);
    assert!(out.starts_with("ok: a\u{fffd}[2J\u{fffd}1m\u{fffd}b, "), "{out:?}");
    let (status, out, errors) = chuhe(&["analyse", "--json", "--nodes", "1", "x\u{202e}\u{9b}"]);
    assert!(status == 2 && out.is_empty() && !errors.contains(['\u{202e}', '\u{9b}']), "{errors:?}");
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
    let (_, out, _) = chuhe_with_input(&["judge", "--lang", "zh"], b"startpos\nnonsense\n");
    assert_eq!(out, "对局未结束\n错误：第2行：\"nonsense\" 不是 FEN 或 startpos\n");
}

/// Runs the binary with an input: exit status, output, errors.
fn chuhe_with_input(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut client = common::Client::start_with(arguments);
    client.send_bytes(input);
    let finished = client.finish();
    let out = finished.lines.iter().map(|line| format!("{line}\n")).collect();
    (finished.status.code().expect("no signal"), out, finished.errors)
}

/// Every command that takes a position takes it in every form.
#[test]
fn positions_are_read_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let board = "3k5/9/9/9/p8/9/9/9/4R4/4K4";
    let fen = format!("{board} b - - 3 7");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let utf_16: Vec<u8> = format!("\u{feff}{fen}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let forms: Vec<Vec<String>> = vec![
        vec![fen.clone()],
        vec![format!("\"{fen}\"")],
        vec![format!("position fen {fen}")],
        vec![format!("{board} black - - 3 7 moves")],
        vec![file("a.fen", format!("{fen}\r\n").as_bytes())],
        vec![file("b.fen", &[fen.as_bytes(), b" ;\xb2\xd0\xbe\xd6\r\n"].concat())],
        vec![file("c.fen", &utf_16)],
        vec![file("d.fen", format!("\u{feff}[FEN \"{fen}\"]\n").as_bytes())],
        vec![file("e.fen", format!("position fen {fen}\n").as_bytes())],
        fen.split(' ').map(String::from).collect(),
    ];
    for form in forms {
        let words: Vec<&str> = form.iter().map(String::as_str).collect();
        let (code, out, errors) = chuhe(&[&["analyse", "--last", "--depth", "1", "--json"][..], &words].concat());
        assert!(code == 0 && out.contains(&format!("\"fen\":\"{fen}\"")), "{form:?}: {out}{errors}");
        let (code, out, errors) = chuhe(&[&["judge"][..], &words].concat());
        assert!(code == 0 && out.ends_with("ongoing\n") && out.lines().count() == 1, "{form:?}: {out}{errors}");
        let (code, out, errors) = chuhe(&[&["book", "show"][..], &words].concat());
        assert_eq!((code, out), (1, format!("{fen}\nnot in the book\n")), "{form:?}: {errors}");
        if let [word] = words[..] {
            let (code, out, errors) = chuhe(&["perft", "1", "--fen", word]);
            assert_eq!((code, out.as_str()), (0, "Nodes searched: 2\n"), "{form:?}: {errors}");
        }
    }
    let start = |arguments: &[&str]| chuhe(arguments).1;
    assert_eq!(start(&["perft", "3", "--fen", "startpos"]), "Nodes searched: 79666\n");
    assert_eq!(
        start(&["perft", "1", "--fen", "STARTPOS", "moves", "h2e2", "h9g7", "--divide"]),
        start(&["perft", "1", "--divide", "--fen", "startpos h2e2 h9g7"])
    );
    assert_eq!(start(&["perft", "1", "--fen", "3k5/9/9/9/9/9/9/9/r8/4K4", "w", "-", "-"]), "Nodes searched: 1\n");
    assert_eq!(
        start(&["perft", "1", "--fen", "startpos moves h2e2 h9g7"]),
        start(&["perft", "1", "--fen", "startpos h2e2 h9g7"])
    );
    assert!(start(&["book", "show", "startpos", "moves", "h2e2"]).contains(" b - - 1 1\n"));
    assert!(
        start(&["analyse", "--depth", "1", "startpos", "moves", "h2e2"])
            .contains("\n1  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1\n")
    );
    // The moves count, and what is no move is named.
    let (code, out, _) = chuhe(&["judge", "startpos h2e2", "startpos h2e2 h2e2", "startpos kiwipete"]);
    assert_eq!(code, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0] == "ongoing" && lines[1].contains("move 2: h2e2 is illegal") && lines[2].contains("kiwipete"),
        "{out}"
    );
    for arguments in [
        &["perft", "1", "--fen", "no such file"][..],
        &["perft", "1", "--fen", &file("two.fen", format!("{fen}\n{fen}\n").as_bytes())],
        &["perft", "1", "--fen", &file("none.fen", b"\n")],
        &["book", "show", "startpos", "startpos"],
        &["book", "show"],
    ] {
        let (code, out, errors) = chuhe(arguments);
        assert!(code == 2 && out.is_empty() && !errors.is_empty(), "{arguments:?}");
    }
}

#[test]
fn games_are_analysed_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let game = file("game.pgn", "[Red \"a\"]\n1. Che2 Hg7 2. Hg2 *\n");
    let (code, out, _) = chuhe(&["analyse", "--depth", "1", "--json", &game]);
    assert_eq!(code, 0);
    let found: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let played: Vec<Option<&str>> = found.iter().map(|one| one["played"].as_str()).collect();
    assert_eq!(played, [Some("h2e2"), Some("h9g7"), Some("h0g2"), None]);
    assert!(found[3]["fen"].as_str().unwrap().ends_with(" b - - 3 2"), "{out}");
    assert_eq!(found[0]["source"], format!("{game} game 1"));
    let (_, out, _) = chuhe(&["analyse", "--depth", "1", "--notation", "wxf", &game]);
    assert!(out.contains(" w - - 0 1  played: C2.5\n"), "{out}");
    let (_, out, _) = chuhe(&["analyse", "--depth", "1", "--last", "--json", &game]);
    assert!(out.lines().count() == 1 && out.contains(" b - - 3 2\""), "{out}");
    let mate = file("mate.pgn", "[FEN \"3k5/R8/9/9/9/9/9/9/9/1R2K4 w\"]\nb0b9 1-0\n\n[Red \"b\"]\nh2e2 h2e2 *\n");
    let (code, out, _) = chuhe(&["judge", &mate]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        (code, &lines[..]),
        (1, &[&*format!("{mate} game 1: red wins: checkmate"), "error: line 5: h2e2 is illegal"][..]),
        "a line for each"
    );
    let (_, out, errors) = chuhe(&["judge", "--lang", "zh", &mate]);
    assert_eq!(out, format!("{mate} 第1局：红方胜：将死\n错误：第5行：h2e2 不合规则\n"));
    assert_eq!(errors, format!("{mate} 第2局：第5行：h2e2 不合规则\n"));
}

#[test]
fn log_is_refused_where_nothing_is_logged_and_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.txt");
    for arguments in [&["perft", "1"][..], &["analyse", "--depth", "1", "startpos"], &["bench", "1"]] {
        let (code, out, errors) = chuhe(&[&["--log-file", log.to_str().unwrap()], arguments].concat());
        assert!(code == 2 && out.is_empty() && errors.contains("--log-file"), "{arguments:?}: {errors}");
        assert!(!log.exists());
    }
    let mut client = common::Client::start_with(&["uci", "--log-file", log.to_str().unwrap()]);
    client.send("quit");
    client.finish();
    assert!(std::fs::read_to_string(&log).unwrap().contains("> uciok"));
    // Nothing is appended to a network or a book.
    let book = folder.path().join("book.dat");
    std::fs::copy("tests/data/small.dat", &book).unwrap();
    let (code, _, errors) = chuhe(&["uci", "--log-file", book.to_str().unwrap()]);
    assert!(code == 2 && errors.ends_with("book.dat exists and is no text; it is not replaced\n"), "{errors}");
    assert_eq!(std::fs::read(&book).unwrap(), std::fs::read("tests/data/small.dat").unwrap());
    if cfg!(target_os = "linux") {
        let (code, _, errors) = chuhe(&["--log-file", "/dev/full"]);
        assert!(code == 2 && errors.starts_with("error: cannot log to /dev/full: "), "{errors}");
    }
}

/// A log file that becomes unwritable is reported once; the engine goes on.
#[test]
#[cfg(unix)]
fn failure_of_the_log_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut std::io::BufReader::new(std::fs::File::open(pipe).unwrap()), &mut line)
                .unwrap();
            line
        }
    });
    let mut client = common::Client::start_with(&["--log-file", pipe.to_str().unwrap()]);
    assert!(reader.join().unwrap().contains("chuhe"), "the pipe is closed now");
    client.send("isready\nisready\nisready\nquit");
    let finished = client.finish();
    assert_eq!(finished.lines, ["readyok", "readyok", "readyok", "bye"]);
    assert_eq!(finished.errors.lines().count(), 1, "{}", finished.errors);
    assert!(finished.errors.starts_with("error: cannot log to "));
}

#[test]
#[cfg(target_os = "linux")]
fn paths_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    // 残局.fen in GBK.
    let path = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    let fen = path(b"\xb2\xd0\xbe\xd6.fen");
    std::fs::write(&fen, format!("{MATE}\n")).unwrap();
    let book = path(b"\xbf\xaa\xbe\xd6.dat");
    std::fs::copy("tests/data/small.dat", &book).unwrap();
    let (suite, log) = (path(b"\xb2\xe2.txt"), path(b"\xc8\xd5.log"));
    std::fs::write(&suite, format!("{} ;D1 44\n", chuhe::position::START_FEN)).unwrap();
    let run = |before: &[&str], path: &std::path::Path, after: &[&str]| {
        let output = common::chuhe(before).arg(path).args(after).stdin(std::process::Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{before:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(run(&["analyse", "--depth", "2"], &fen, &[]).contains("#1 "));
    assert_eq!(run(&["judge"], &fen, &[]), "ongoing\n");
    assert!(run(&["perft", "1", "--fen"], &fen, &[]).starts_with("Nodes searched: "));
    assert!(run(&["perft", "1", "--suite"], &suite, &[]).contains("1 position, 1 count, 0 wrong"));
    assert!(run(&["book", "show", "startpos", "--book"], &book, &[]).contains("weight"));
    for command in ["stats", "verify", "export"] {
        assert!(!run(&["book", command], &book, &[]).is_empty());
    }
    run(&["--log-file"], &log, &["ucci"]);
    assert!(log.exists());
}

/// The files of tests/data/formats with what every command must see in them: the plies of each game, or `None` where the
/// file is refused. What the refused ones mean is in the README there.
const FORMATS: [(&str, Option<&[usize]>); 39] = [
    ("ambiguous_zh.pgn", None),
    ("cbf_small.cbf", Some(&[2])),
    ("commas.txt", Some(&[4])),
    ("dhtmlxq_ubb.txt", Some(&[4])),
    ("empty_first.pgn", Some(&[0, 1])),
    ("epd_two_fields.epd", Some(&[0])),
    ("fen_in_comment.pgn", Some(&[4])),
    ("fen_label.txt", Some(&[2])),
    ("fen_then_moves.txt", Some(&[4])),
    ("fullwidth_wxf.txt", Some(&[4])),
    ("glued.txt", Some(&[4])),
    ("header_opening_like_move.txt", Some(&[4])),
    ("html_breaks.pgn", Some(&[4])),
    ("ini.txt", None),
    ("json_list_of_fens.txt", None),
    ("link_xiangqiai.txt", Some(&[0])),
    ("lost_game.pgn", None),
    ("names_header.txt", Some(&[4])),
    ("pawn_old_notation.pgn", Some(&[1])),
    ("playok.wxf", Some(&[4])),
    ("puzzles.pgn", Some(&[0, 0, 0])),
    ("result_word.txt", Some(&[4])),
    ("small.cbl", Some(&[3, 2])),
    ("small.cbr", Some(&[3])),
    ("small.obk", None),
    ("small.pfBook", None),
    ("spaced.txt", Some(&[2])),
    ("title_between.txt", Some(&[4, 4, 2])),
    ("utf16le_without_mark.pgn", Some(&[3])),
    ("variations_dropped.pgn", Some(&[4])),
    ("vietnamese.txt", Some(&[4])),
    ("wxf2018_misread.pgn", None),
    ("wxf2018_refused.pgn", Some(&[1])),
    ("wxf_ambiguous_pawn_1.txt", Some(&[138])),
    ("xieexie_fen.wxf", Some(&[1])),
    ("pgn_black_first_fen_w.pgn", Some(&[3])),
    ("xqf_black_first_side0.xqf", Some(&[4])),
    ("xqf_diagram_in_check_side0.xqf", Some(&[0])),
    ("xqstudio_text_export.txt", Some(&[6])),
];

/// A file as it is, and a text also in UTF-8 and UTF-16, with and without a mark.
fn encodings(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = chuhe::games::encoding::decode(bytes);
    let mut found = vec![bytes.to_vec()];
    if !text.contains('\0') {
        for mark in ["", "\u{feff}"] {
            let text = format!("{mark}{text}");
            found.push(text.clone().into_bytes());
            found.extend(
                [u16::to_le_bytes, u16::to_be_bytes].map(|order| text.encode_utf16().flat_map(order).collect()),
            );
        }
    }
    found
}

/// One reader decides for all commands: each file is read alike by all of them, or refused alike.
#[test]
fn every_command_reads_every_file_alike() {
    const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/small.dat");
    let formats = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let found: Vec<_> = std::fs::read_dir(&formats).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(found.len(), FORMATS.len() + 1, "{found:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (file, new) = (path("file"), path("new"));
    for (name, expected) in FORMATS {
        for (encoding, bytes) in encodings(&std::fs::read(formats.join(name)).unwrap()).into_iter().enumerate() {
            std::fs::write(&file, bytes).unwrap();
            let case = format!("{name} {encoding}");
            let is_read = expected.is_some();
            // Many games.
            let (status, out, errors) = chuhe(&["judge", &file]);
            assert_eq!(status == 0, is_read, "{case}: {errors}");
            assert_eq!(is_read.then(|| out.lines().count()), expected.map(<[_]>::len), "{case}");
            let is_noted = errors.contains(": black moves first, though the file says that the other side does");
            assert_eq!(is_noted, ["pgn_black_first", "xqf_"].iter().any(|begin| name.starts_with(begin)), "{case}");
            assert_eq!(errors.is_empty(), is_read && !is_noted, "{case}: {errors}");
            // The new book would be empty, or is made of all games, up to 40 plies.
            let moves = expected.map(|games| games.iter().map(|&plies| plies.min(40)).sum::<usize>());
            let (status, out, errors) =
                chuhe(&["book", "build", "--main-line", &file, "--games", "1", "--output", &new]);
            assert_eq!(status == 0, moves.is_some_and(|moves| moves > 0), "{case}: {errors}");
            if let Some(moves) = moves {
                let games = expected.map_or(0, <[_]>::len);
                let [games, moves] = [(games, "game"), (moves, "move")]
                    .map(|(count, noun)| format!("{count} {noun}{}, ", if count == 1 { "" } else { "s" }));
                assert!(out.starts_with(&format!("{games}{moves}0 errors\n")), "{case}: {out}");
            }
            // One game: the same position for all, or the same refusal. (`book show` would open a book.)
            let (status, out, refusal) = chuhe(&["book", "show", "--book", BOOK, &file]);
            let is_one = expected.is_some_and(|games| games.len() == 1);
            assert_eq!(status < 2, is_one, "{case}: {refusal}");
            let fen = out.lines().next().unwrap_or_default();
            assert_eq!(is_one, !fen.is_empty(), "{case}");
            let perft = |words: &[&str]| chuhe(&[&["perft", "1", "--fen"], words].concat());
            let (_, out, errors) = perft(&[&file]);
            assert_eq!((&out, &errors), (&if is_one { perft(&[fen]).1 } else { String::new() }, &refusal), "{case}");
            if encoding > 0 {
                continue;
            }
            for arguments in
                [&["board", &file, "--svg", "-"][..], &["egtb", "probe", &file], &["play", &file, "--side", "both"]]
            {
                let (status, _, errors) = chuhe(arguments);
                assert_eq!(status == 2, !is_one, "{case}, {arguments:?}: {errors}");
                assert!(is_one || errors == refusal, "{case}, {arguments:?}: {errors}");
            }
            for arguments in [&["board"][..], &["play", "--side", "both"]] {
                let shown = |word: &str| chuhe(&[arguments, &[word]].concat()).1;
                assert!(!is_one || shown(&file).contains(fen.split(' ').next().unwrap()) || shown(&file) == shown(fen));
            }
            let (_, out, _) =
                chuhe_with_input(&[], format!("position startpos moves a0a1\nload {file}\nfen\n").as_bytes());
            let loaded =
                if is_one { fen } else { "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 1 1" };
            assert!(out.contains(loaded), "{case}: {out}");
            let reason = refusal.rsplit_once(": ").map_or("", |(_, reason)| reason.trim_end());
            assert!(is_one || out.contains(reason), "{case}: {out}");
            // Every position, and the review.
            let (status, out, errors) = chuhe(&["analyse", "--json", "--nodes", "1", &file]);
            assert_eq!(status == 0, is_read, "{case}: {errors}");
            let positions = expected.map(|games| games.iter().map(|plies| plies + 1).sum::<usize>());
            assert_eq!(is_read.then(|| out.lines().count()), positions, "{case}");
            let (status, out, errors) = chuhe(&["review", "--json", "--nodes", "1", &file]);
            assert_eq!(status == 0, is_read, "{case}: {errors}");
            let plies = out.lines().map(|line| line.matches("\"move\":").count());
            assert!(!is_read || expected.is_some_and(|games| plies.eq(games.iter().copied())), "{case}: {out}");
        }
    }
}

/// Each game left out is an error with its line; the other games are read.
#[test]
fn games_left_out_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let formats = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let lost = std::fs::read_to_string(formats.join("lost_game.pgn")).unwrap();
    let error = "line 3: \"Zb0c2\" is not a move";
    for (text, error) in [
        (lost.clone(), error),
        (format!("[Red \"a\"]\n{lost}"), "line 4: \"Zb0c2\" is not a move"),
        ("1. h2e2 *\n\nneither this\n".to_string(), "line 3: \"neither\" is not a move"),
    ] {
        let file = path("games.pgn");
        std::fs::write(&file, &text).unwrap();
        let games = text.matches("h2e2").count() + text.matches("c3c4").count();
        for arguments in [
            &["judge"][..],
            &["review", "--json", "--nodes", "1"],
            &["analyse", "--json", "--last", "--nodes", "1"],
            &["book", "build", "--games", "1", "--output", &path("book.dat")],
        ] {
            let (status, out, errors) = chuhe(&[arguments, &[&file]].concat());
            assert_eq!(status, 1, "{arguments:?}: {errors}");
            let said = format!("{out}{errors}").replace('\\', "");
            assert!(said.contains(error), "{arguments:?}: {said}");
            let read = match arguments[0] {
                "judge" => out.lines().filter(|line| line.ends_with("ongoing")).count(),
                "book" => out.split(' ').next().unwrap().parse().unwrap(),
                _ => out.lines().filter(|line| !line.contains("\"error\":\"")).count(),
            };
            assert_eq!(read, games, "{arguments:?}: {out}");
        }
        assert!(std::path::Path::new(&path("book.dat")).exists(), "all else is done");
    }
}

#[cfg(feature = "tuning")]
#[test]
fn tunables_are_compared_and_tuned() {
    let (code, out, _) =
        chuhe(&["compare", "futility_base=300", "singular_depth=999", "--pairs", "2", "--nodes", "200"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("futility_base=300 singular_depth=999: ") && out.contains("pentanomial ["), "{out}");
    for change in ["futility_base=-1", "epsilon=3", "/nonexistent"] {
        assert_eq!(chuhe(&["compare", change, "--pairs", "1"]).0, 2, "{change}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.txt");
    let state = path.to_str().unwrap();
    let tune =
        |pairs: &str| chuhe(&["tune", "--state", state, "--pairs", pairs, "--nodes", "200", "--only", "futility_base"]);
    let (code, out, _) = tune("2");
    assert_eq!((code, out.split_whitespace().next()), (0, Some("futility_base")), "{out}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("pairs 2\nfutility_base "));
    assert_eq!(tune("3").0, 0, "resumed");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("pairs 3\n"));
    assert_eq!(
        chuhe(&["compare", state, "--pairs", "1", "--nodes", "200"]).0,
        0,
        "the state file is accepted by compare"
    );
    std::fs::write(&path, "pairs 3\nfutility_base lots\n").unwrap();
    let (code, _, errors) = tune("4");
    assert!(code == 2 && errors.contains("futility_base lots"), "{errors}");
}

#[cfg(feature = "tuning")]
#[test]
fn tunables_are_screened_and_the_results_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let results = path.to_str().unwrap();
    let screen = |changes: &[&str], pairs: &str| {
        let rest = ["--results", results, "--pairs", pairs, "--nodes", "200", "--threads", "2"];
        chuhe(&[&["screen"], changes, &rest].concat())
    };
    let changes = ["lmp_depth=0", "futility_depth=-1,see_depth=0"];
    let (code, out, errors) = screen(&changes, "2");
    assert_eq!((code, out.lines().last()), (0, Some("Elo with the change, 2 pairs")), "{errors}");
    assert!(out.starts_with("too few pairs\n"), "{out}");
    let two = std::fs::read_to_string(&path).unwrap();
    let (code, out, _) = screen(&changes, "8");
    assert!(code == 0 && out.lines().count() == 3 && out.contains("  futility_depth=-1,see_depth=0\n"), "{out}");
    let eight = std::fs::read_to_string(&path).unwrap();
    assert!(eight.starts_with(&two) && eight.lines().count() == 9, "{eight}");
    // Other changes, one that does not exist, and a file that is damaged.
    for changes in [&["lmp_depth=0"][..], &["lmp_depth=0", "epsilon=1"]] {
        assert_eq!(screen(changes, "9").0, 2, "{changes:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), eight);
    std::fs::write(&path, &eight[..eight.len() - 2]).unwrap();
    assert_eq!(screen(&changes, "8").0, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), eight, "a run that was killed is continued");
    std::fs::write(&path, format!("{eight}+ 1\n")).unwrap();
    let (code, _, errors) = screen(&changes, "9");
    assert!(code == 2 && errors.contains("+ 1"), "{errors}");
}

/// What `arguments` print in this locale.
fn help(arguments: &[&str], locale: &str) -> String {
    let output = common::chuhe(arguments).env("LC_ALL", locale).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A text without blanks and ends of lines, which depend on where lines are broken.
fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Blanks the places of a text that have `part`, apart from its blanks.
fn blank(text: &mut String, part: &str) {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, letter)| !letter.is_whitespace()).collect();
    let letters: Vec<char> = part.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut is_blank = vec![false; text.len()];
    for start in 0..(places.len() + 1).saturating_sub(letters.len()) {
        let found = &places[start..start + letters.len()];
        if found.iter().map(|(_, letter)| letter).eq(&letters) {
            found.iter().for_each(|&(at, _)| is_blank[at] = true);
        }
    }
    *text = text.char_indices().map(|(at, letter)| if is_blank[at] { '。' } else { letter }).collect();
}

/// Adds the short and the long help of a command and of those below it, in English and in Chinese.
fn add_helps(command: &[&str], english: &mut String, chinese: &mut String) {
    for option in ["-h", "--help"] {
        let arguments = [command, &[option]].concat();
        *english += &help(&arguments, "C");
        *chinese += &help(&arguments, "zh_CN.UTF-8");
    }
    let long = help(&[command, &["--help"]].concat(), "C");
    let Some((_, list)) = long.split_once("\nCommands:\n") else { return };
    let is_command = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands = list.lines().take_while(|line| !line.is_empty()).filter(is_command);
    for name in commands.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            add_helps(&[command, &[name]].concat(), english, chinese);
        }
    }
}

#[test]
fn every_text_of_the_help_has_a_translation_and_every_translation_a_text() {
    let catalogue: HashMap<String, String> = serde_json::from_str(include_str!("../../src/cli/chinese.json")).unwrap();
    let (mut english, mut chinese) = (String::new(), String::new());
    add_helps(&[], &mut english, &mut chinese);
    let [all_english, all_chinese] = [&english, &chinese].map(|text| without_blanks(text));
    for (text, translation) in &catalogue {
        assert!(all_english.contains(&without_blanks(text)), "no help says {text:?}");
        assert!(all_chinese.contains(&without_blanks(translation)), "no help says {translation:?}");
    }
    for line in chinese.lines().chain(english.lines()).filter(|line| !line.contains(": chuhe")) {
        let columns: usize = line.chars().map(|letter| 1 + (letter >= '\u{2e80}') as usize).sum();
        assert!(columns <= 100, "{columns} columns: {line}");
    }
    // Without its translations, the longest first, it has names, values and usages only: no two words in a row.
    let mut translations: Vec<&String> = catalogue.values().collect();
    translations.sort_by_key(|text| Reverse(text.len()));
    translations.into_iter().for_each(|text| blank(&mut chinese, text));
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_prose = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_command = line.contains(": chuhe") || line.starts_with("  chuhe ");
        !is_command && words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
    };
    let missing: Vec<&str> = chinese.lines().filter(is_prose).collect();
    // Commands of the feature `tuning` are for developers.
    assert!(cfg!(feature = "tuning") || missing.is_empty(), "{missing:#?}");
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
