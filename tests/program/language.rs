//! The language and the character set of the user.

use crate::common::{self, MATE, MATED, run as chuhe};

use std::process::Output;

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
        (&["book", "stats", "cannot read x: y.dat"], 2, "错误：cannot read x: y.dat：没有该文件或文件夹（os error 2）"),
        (
            &["book", "show", "the book would be empty"],
            2,
            "错误：局面无效：the book would be empty：既不是局面也不是文件",
        ),
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
