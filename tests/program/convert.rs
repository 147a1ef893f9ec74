//! `chuhe convert`, through the real binary.

use crate::common::run as chuhe;
use std::fs;

fn format(name: &str) -> String {
    format!("{}/tests/data/formats/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn libraries_become_files_of_one_game_and_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (status, _, errors) = chuhe(&["convert", &format("small.cbl"), &path("a.xqf")]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a-1.xqf", "a-2.xqf"]);
    let (status, text, errors) = chuhe(&["convert", "--format", "pgn", "--notation", "chinese", &path("a-1.xqf"), "-"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(text.contains("[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]"), "{text}");
    let moves = "{开局} 1. 炮二平五 {中炮} 1... 马８进７ (1... 炮８平５ 2. 马二进三) (1... 马２进３) 2. 马二进三 1-0";
    assert_eq!(text.lines().skip_while(|line| !line.is_empty()).skip(1).collect::<Vec<_>>().join(" "), moves);
    // Both games in one file, and back.
    let games = ["convert", &format("small.cbl"), &format("dhtmlxq_ubb.txt"), &path("b.ubb")];
    assert_eq!(chuhe(&games).0, 0);
    assert_eq!(chuhe(&["convert", &path("b.ubb"), &path("b.pgn")]).0, 0);
    assert_eq!(fs::read_to_string(path("b.pgn")).unwrap().matches("[Result ").count(), 3);
    // One game has no number.
    assert_eq!(chuhe(&["convert", &format("small.cbr"), &path("c.cbr")]).0, 0);
    assert!(folder.path().join("c.cbr").exists());
}

#[test]
fn files_are_replaced_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [one, other, numbered] = ["one.pgn", "other.pgn", "a-2.xqf"].map(path);
    for file in [&one, &other, &numbered] {
        fs::write(file, "1. h2e2 *\n").unwrap();
    }
    // The target forgotten; a file with a number.
    for arguments in [["convert", &one, &other], ["convert", &format("small.cbl"), &path("a.xqf")]] {
        let (status, _, errors) = chuhe(&arguments);
        assert!(status == 2 && errors.ends_with(" exists; --force replaces it\n"), "{arguments:?}: {errors}");
    }
    assert!([&other, &numbered].iter().all(|file| fs::read(file).unwrap() == b"1. h2e2 *\n"));
    assert_eq!(chuhe(&["convert", "--force", &format("small.cbr"), &other]).0, 0);
    assert_ne!(fs::read(&other).unwrap(), b"1. h2e2 *\n");
    // Options between the names, and a name alone.
    assert_eq!(chuhe(&["convert", &format("small.cbr"), "--force", &other]).0, 0);
    let (status, _, errors) = chuhe(&["convert", &other]);
    assert!(status == 2 && errors.contains("two names are wanted"), "{errors}");
    // Nothing is written where nothing was read.
    let (status, _, errors) = chuhe(&["convert", &format("small.obk"), &path("none.pgn")]);
    assert!(status == 2 && errors.ends_with("there is no game to write\n"), "{errors}");
    assert!(!folder.path().join("none.pgn").exists());
}

/// A note, in the language asked for; the exit status is that of success.
#[test]
fn a_wrong_side_to_move_is_said() {
    for name in ["pgn_black_first_fen_w.pgn", "xqf_black_first_side0.xqf", "xqf_diagram_in_check_side0.xqf"] {
        let path = format(name);
        let (status, text, errors) = chuhe(&["convert", &path, "-", "--format", "pgn"]);
        assert!(status == 0 && text.contains(" b - - 0 1\"]"), "{name}: {text}");
        let note = "black moves first, though the file says that the other side does";
        assert_eq!(errors, format!("{path} game 1: {note}\n"));
        let (status, _, errors) = chuhe(&["judge", "--lang", "zh", &path]);
        assert!(status == 0 && errors.contains("由黑方先走，与文件所写的走子方不符"), "{name}: {errors}");
    }
}

#[test]
fn one_game_formats_take_several_games_as_numbered_files_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_encoded_bytes()).collect();
        names.sort();
        names.into_iter().map(|name| String::from_utf8_lossy(&name).into_owned()).collect::<Vec<_>>()
    };
    fs::write(path("ten.pgn"), "[Red \"a\"]\n1. h2e2 *\n\n".repeat(10)).unwrap();
    for format in ["xqf", "cbr"] {
        let (status, out, errors) = chuhe(&["convert", &path("ten.pgn"), "-", "--format", format]);
        assert!(status == 2 && out.is_empty() && errors.starts_with("error: -: 10 games, and"), "{errors}");
    }
    assert!(chuhe(&["convert", &path("ten.pgn"), "-", "--format", "fen"]).1.lines().count() == 10);
    // Not those before the one that is there.
    fs::write(path("class-07.xqf"), "mine").unwrap();
    let (status, _, errors) = chuhe(&["convert", &path("ten.pgn"), &path("class.xqf")]);
    assert!(status == 2 && errors.ends_with("class-07.xqf exists; --force replaces it\n"), "{errors}");
    assert_eq!(names(), ["class-07.xqf", "ten.pgn"]);
    // Nor what is read.
    fs::rename(path("class-07.xqf"), path("class-07.pgn")).unwrap();
    fs::copy(path("ten.pgn"), path("class-07.pgn")).unwrap();
    for to in [path("class-07.pgn"), path("ten.pgn"), path("class.pgn")] {
        let format: &[&str] = if to.ends_with("class.pgn") { &["--format", "xqf"] } else { &[] };
        let from = [path("class-07.pgn"), path("ten.pgn")];
        let arguments = [&["convert", "--force", &from[0], &from[1], &to], format].concat();
        let (status, _, errors) = chuhe(&arguments);
        assert!(status == 2 && errors.ends_with(" is read, and would be replaced\n"), "{arguments:?} {errors}");
    }
    assert_eq!(names(), ["class-07.pgn", "ten.pgn"]);
    // Names without an end, and those that are not UTF-8.
    assert_eq!(chuhe(&["convert", &format("small.cbl"), &path("odd"), "--format", "xqf"]).0, 0);
    assert!(names().contains(&"odd-1".into()) && names().contains(&"odd-2".into()));
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
        let mut command = crate::common::chuhe(&["convert", &format("small.cbl")]);
        assert!(command.arg(name(b"\xb2\xd0.xqf")).status().unwrap().success());
        assert!(name(b"\xb2\xd0-1.xqf").exists() && name(b"\xb2\xd0-2.xqf").exists());
    }
}

#[test]
fn the_name_of_white_is_that_of_red() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("a.pgn"), "[White \"Zhang\"]\n[Black \"Li\"]\n1. h2e2 *\n").unwrap();
    for name in ["a.xqf", "a.cbr", "a.ubb"] {
        let (status, _, errors) = chuhe(&["convert", &path("a.pgn"), &path(name)]);
        assert_eq!((status, errors.as_str()), (0, ""), "{name}");
        let (_, text, _) = chuhe(&["convert", &path(name), "-", "--format", "pgn"]);
        assert!(text.contains("[Red \"Zhang\"]") && text.contains("[Black \"Li\"]"), "{name}: {text}");
    }
}

#[test]
fn what_is_lost_or_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let pgn = path("a.pgn");
    fs::write(&pgn, "[Red \"a\"]\n[ECCO \"C20\"]\n1. h2e2! h9g7 (1... c9a7 x) 1-0\n").unwrap();
    let (status, _, errors) = chuhe(&["convert", &pgn, &path("a.cbr")]);
    assert_eq!(status, 1);
    let expected = [
        format!("{pgn} game 1: line 3: \"x\" is not a move"),
        format!("{pgn} game 1: not in the new file: tag ECCO, the marks of moves"),
    ];
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    let (_, _, errors) = chuhe(&["convert", "--lang", "zh", &pgn, &path("a.fen")]);
    assert!(errors.contains("第1局：新文件中没有：最终局面以外的全部内容"), "{errors}");
    for (arguments, error) in [
        (vec!["convert", &pgn, "a.txt"], "a.txt: the name must end with"),
        (vec!["convert", "missing.pgn", "b.pgn"], "cannot read missing.pgn"),
        (vec!["convert", &format("small.obk"), "-", "--format", "pgn"], "an SQLite database"),
    ] {
        let (status, _, errors) = chuhe(&arguments);
        assert!(status != 0 && errors.contains(error), "{arguments:?}: {errors}");
    }
}
