//! `chuhe egtb`, and what other commands do with tables, through the real binary.

use crate::common;

use chuhe::egtb::file::TableFile;
use chuhe::egtb::tables::Tables;
use std::fs;

/// Output, standard error and exit status of `chuhe egtb`.
fn egtb(arguments: &[&str]) -> (String, String, i32) {
    let output = common::chuhe(&["egtb"]).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn tables_are_built_probed_and_checked_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let (text, _, status) = egtb(&["build", "kKaR", "--folder", folder]);
    let classes: Vec<&str> = text.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!((&classes[..], status), (&["KRk", "KRka"][..], 0), "those that it needs are built first");
    assert!(text.contains("longest win 9 plies: "), "{text}");
    let (text, _, status) = egtb(&["build", "KRka", "--folder", folder]);
    assert_eq!((text.as_str(), status), ("", 0), "tables that are there are kept");
    // Interrupted while a table was written, and a damaged header: that one is built again.
    fs::write(format!("{folder}/KRka.egtb.1.new"), "half").unwrap();
    fs::write(format!("{folder}/KRk.egtb"), "damaged").unwrap();
    let (text, errors, status) = egtb(&["build", "KRka", "--folder", folder]);
    assert!(text.starts_with("KRk: ") && text.lines().count() == 1 && status == 0, "{text}");
    assert!(errors.contains("KRk.egtb: not an endgame table; built again"), "{errors}");

    let probe = |position: &[&str]| egtb(&[&["probe", "--folder", folder], position].concat());
    let (text, _, status) = probe(&["3k5/9/9/9/9/9/R8/9/4K4/9", "w"]);
    let moves = "win 1 a3d3 a3a8\nred wins in 1 ply\n  a3d3    win 1\n  a3a8    win 1\n";
    assert!(text.starts_with(moves) && text.ends_with("\nline: a3d3\n") && status == 0, "{text}");
    let (text, _, status) = probe(&["3k5/9/9/9/9/9/R8/9/4K4/9", "w", "--json", "--notation", "wxf"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["result"], &json["plies"], &json["line"][0]), (&"win".into(), &1.into(), &"R9.6".into()));
    assert_eq!((json["moves"].as_array().unwrap().len(), status), (20, 0));
    assert_eq!(probe(&["4k4/9/9/9/9/9/9/9/9/3K5", "w"]).0, "draw d0d1\ndraw\n  d0d1    draw\n", "bare kings");
    let (text, _, _) = probe(&["4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 80 1", "--lang", "zh"]);
    assert!(text.contains("距自然限着只剩40个半回合"), "{text}");
    let (text, _, _) = probe(&["4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 0 1 moves g0g7"]);
    assert!(text.starts_with("loss 48 "), "the built-in tables are used besides: {text}");
    let (text, errors, status) = probe(&["startpos"]);
    assert_eq!((text.as_str(), status), ("", 1));
    assert!(errors.starts_with("there is no table of KRRNNCC"), "{errors}");

    let (text, _, status) = egtb(&["verify", "KRka", "--folder", folder]);
    assert!(text.starts_with("KRka: ok, ") && status == 0, "{text}");
    let path = format!("{folder}/KRka.egtb");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let (text, _, status) = egtb(&["verify", "KRka", "--folder", folder]);
    assert_eq!((text.as_str(), status), ("KRka: the checksum of the data is wrong\n", 1));
}

/// A table in a folder comes before the built-in one, but not with a changed bit.
#[test]
fn changed_bits_of_a_table_are_errors_of_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("egtb");
    let (_, errors, status) = egtb(&["build", "KPk", "--folder", tables.to_str().unwrap()]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let path = tables.join("KPk.egtb");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    fs::write(&path, &bytes).unwrap();
    // The changed block is that with Black to move.
    let position = "3k5/9/3P5/9/9/9/9/9/9/4K4 w";
    for arguments in [
        &["egtb", "probe", position][..],
        &["analyse", position, "--depth", "2"],
        &["review", "3k5/9/3P5/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1", "--depth", "2"],
        &["judge", "3k5/9/4P4/9/9/9/9/9/9/4K4 b"],
    ] {
        let output = common::chuhe(arguments).current_dir(&folder).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.matches("KPk.egtb: the checksum of block ").count(), 1, "{arguments:?}: {errors}");
        let expected = if arguments[0] == "egtb" { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}");
        // What is printed does not come from it.
        assert_eq!(output.stdout.is_empty(), arguments[0] == "egtb", "{arguments:?}");
    }
}

/// Training games are not played on without a table: they would not be those of the same seed elsewhere.
#[test]
fn training_games_end_at_a_damaged_table() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("egtb")).unwrap();
    let mut rest = &include_bytes!("../../src/egtb/small.egtb")[..];
    for table in TableFile::read_archive(rest).unwrap() {
        let mut bytes = rest[..table.length()].to_vec();
        rest = &rest[table.length()..];
        let half = bytes.len() - (bytes.len() - 204) / 2;
        bytes[half..].fill(0);
        fs::write(folder.path().join(format!("egtb/{}.egtb", table.material())), bytes).unwrap();
    }
    let datagen = ["net", "datagen", "games", "--games", "200", "--nodes", "50", "--endgames", "--threads", "1"];
    let output = common::chuhe(&datagen).current_dir(&folder).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let is_named = errors.starts_with("error: egtb/K") && errors.contains(".egtb: the checksum of block ");
    assert!(output.status.code() == Some(2) && is_named, "{errors}");
    let verified = common::chuhe(&["net", "verify", "games"]).current_dir(&folder).output().unwrap();
    assert!(verified.status.success());
}

#[test]
fn folders_and_positions_without_tables_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = common::chuhe(&[&["egtb"], arguments].concat()).current_dir(&folder).output().unwrap();
        let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (out, errors, output.status.code().unwrap())
    };
    let (text, errors, status) = run(&["path"]);
    let expected = "egtb: there is no such folder here or beside the program\nbuilt in: 45 tables\n";
    assert_eq!((text.as_str(), errors.as_str(), status), (expected, "", 0));
    let (text, _, status) = run(&["path", "--folder", "none"]);
    assert!(text.starts_with("none: No such file") && status == 1, "{text}");
    fs::create_dir(folder.path().join("egtb")).unwrap();
    assert_eq!(run(&["path"]), ("egtb: 0 tables\nbuilt in: 45 tables\n".into(), String::new(), 0));
    for (position, expected) in [
        ("3k5/9/9/9/9/3P5/9/9/9/4K4 w", "the P on d4 can never get there; no table has such positions\n"),
        ("4k4/9/9/9/3p5/9/9/9/9/3K5 b", "the p on d5 can never get there; no table has such positions\n"),
        ("3k5/3a5/9/9/9/9/9/9/R8/4K4 w", "the a on d8 can never get there; no table has such positions\n"),
        (
            "3k5/R8/9/9/9/9/9/9/9/1r3K3 w",
            "there is no table of KRkr: if the memory suffices, `chuhe egtb build KRkr` builds it\n",
        ),
    ] {
        assert_eq!(run(&["probe", position]), (String::new(), expected.into(), 1), "{position}");
    }
}

/// A disk that is full after ten kilobytes: the third table does not fit. It is built when there is room.
#[test]
#[cfg(target_os = "linux")]
fn full_disk_leaves_no_broken_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let limited = "ulimit -f 20; exec \"$0\" \"$@\"";
    let arguments = ["egtb", "build", "KRkaa", "--folder", path];
    let output = std::process::Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_chuhe")])
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot write") && errors.contains("KRkaa.egtb"), "{errors}");
    let (tables, bad) = Tables::open(&[folder.path().to_path_buf()]);
    assert_eq!((tables.len(), bad.len(), fs::read_dir(path).unwrap().count()), (2, 0, 2));
    let (text, _, status) = egtb(&arguments[1..]);
    assert!(text.starts_with("KRkaa: ") && text.lines().count() == 1 && status == 0, "{text}");
}

#[test]
fn wrong_arguments_of_the_command_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let folder = folder.path().to_str().unwrap();
    for (arguments, message, expected) in [
        (&["build", "KXk", "--folder", folder][..], "\"KXk\": 'X' is not a piece", 2),
        (&["build", "KRRRk", "--folder", folder], "too many pieces", 2),
        (&["build", "KAk", "--folder", folder], "tables only of classes with attacking pieces", 2),
        (&["build", "KRk", "--folder", file.to_str().unwrap()], "cannot write", 2),
        (&["build", "KRRkrr", "--folder", folder, "--memory", "1"], "needs ", 1),
        (&["build", "KRRNNCCPPPPPAABBkrrnnccpppppaabb", "--folder", folder], "too many positions", 2),
        (&["build"], "required", 2),
        (&["verify", "KNNk", "--folder", folder], "there is no table of KNNk", 1),
        (&["info", "--folder", "no/such/folder"], "no/such/folder: cannot be read", 1),
    ] {
        let (_, errors, status) = egtb(arguments);
        assert!(errors.contains(message) && status == expected, "{arguments:?}: {status} {errors}");
    }
}
