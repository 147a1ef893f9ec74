//! What commands read: positions, files of games in every format and encoding, paths.

use crate::common::{self, MATE, run as chuhe, run_with_input};

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
                run_with_input(&[], format!("position startpos moves a0a1\nload {file}\nfen\n").as_bytes());
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
