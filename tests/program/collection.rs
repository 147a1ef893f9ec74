//! Folders, wildcards and lists of files as one collection of games, through the real binary.

use crate::common::run as chuhe;
use std::fs;
use tempfile::TempDir;

/// A game by players with this name, of so many plies.
fn game(name: &str, plies: usize) -> String {
    let moves = ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4", "c6c5"];
    format!("[Event \"Cup {name}\"]\n[Red \"{name}\"]\n[Black \"Black\"]\n{} *\n\n", moves[..plies].join(" "))
}

/// A folder with games, what is no game, a hidden file, and a folder within.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("game10.pgn", &game("ten", 3));
    write("game9.pgn", &(game("nine", 1) + &game("Nine B", 2)));
    write("notes.txt", "first line\nsecond line\nthird line\n");
    write(".hidden.pgn", &game("hidden", 1));
    fs::create_dir(folder.path().join("sub")).unwrap();
    let xqf = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/xqf_black_first_side0.xqf");
    fs::copy(xqf, folder.path().join("sub/deep.xqf")).unwrap();
    folder
}

#[test]
fn every_command_reads_folders_wildcards_and_lists_in_one_order() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let all = path("");
    let all = all.trim_end_matches('/');
    // The sources of the games, in order.
    let judged = |arguments: &[&str]| {
        let (status, out, errors) = chuhe(&[&["judge"], arguments].concat());
        let sources =
            out.lines().filter_map(|line| line.split(": ").next()).map(|it| it.replace(&format!("{all}/"), ""));
        (status, sources.collect::<Vec<_>>(), errors)
    };
    let games = ["game9.pgn game 1", "game9.pgn game 2", "game10.pgn game 1", "error"];
    let no_game = format!("{all}/notes.txt: neither a position nor a game is in it\n");
    assert_eq!(judged(&[all]), (1, games.map(String::from).into(), no_game.clone()));
    let deep = [&games[..], &["sub/deep.xqf game 1"]].concat();
    let (status, found, errors) = judged(&[all, "--recursive"]);
    assert!(status == 1 && found == deep && errors.starts_with(&no_game), "{found:?} {errors}");
    assert_eq!(judged(&[&path("g*?.pgn")]), (0, games[..3].iter().map(|it| it.to_string()).collect(), String::new()));
    assert_eq!(judged(&[&path("*/*.xqf")]).1, ["sub/deep.xqf game 1"]);
    fs::write(path(".list"), format!("# both\n{}\n\n{}\n", path("game10.pgn"), path("sub"))).unwrap();
    assert_eq!(judged(&[&format!("@{}", path(".list"))]).1, ["game10.pgn game 1", "sub/deep.xqf game 1"]);
    // What is named itself is said line for line.
    assert_eq!(judged(&[&path("notes.txt")]).2.lines().count(), 3);
    // The other commands: the plies of each game.
    let pgn = path(".all.pgn");
    let (status, _, errors) = chuhe(&["convert", all, &pgn]);
    assert_eq!((status, errors), (1, no_game.clone()));
    let (_, text, _) = chuhe(&["review", "--nodes", "1", "--json", &pgn]);
    let (status, reviewed, errors) = chuhe(&["review", "--nodes", "1", "--json", all]);
    let plies = |text: &str| text.lines().map(|line| line.matches("\"move\":").count()).collect::<Vec<_>>();
    assert_eq!((status, plies(&reviewed), plies(&text), errors), (1, vec![1, 2, 3], vec![1, 2, 3], no_game));
    for (command, found) in [("analyse", 9), ("eval", 9)] {
        let nodes: &[&str] = if command == "eval" { &[] } else { &["--nodes", "1"] };
        let (status, out, _) = chuhe(&[&[command, all, "--json"], nodes].concat());
        let [positions, errors] =
            ["\"ply\":", "\"error\":"].map(|key| out.lines().filter(|line| line.contains(key)).count());
        assert_eq!((status, positions, errors), (1, found, 1), "{command}: {out}");
    }
    let book = path(".book.dat");
    let (status, out, _) = chuhe(&["book", "build", all, "--games", "1", "--output", &book]);
    assert!(status == 1 && out.starts_with("3 games, 6 moves, 1 error\n"), "{out}");
    // Nothing to read is refused.
    fs::create_dir(path("empty")).unwrap();
    for (argument, error) in
        [(path("empty"), "no file is in "), (path("*.x"), "no file matches "), (path("none"), "cannot read ")]
    {
        let (status, out, errors) = chuhe(&["judge", &argument]);
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{errors}");
    }
}

/// The same position by its number, by a name, by a tag, and as moves.
#[test]
fn a_game_is_chosen_by_number_or_text_and_its_position_by_ply() {
    let folder = folder();
    let all = folder.path().to_str().unwrap();
    let fen = |arguments: &[&str]| {
        let (status, out, errors) = chuhe(&[&["eval", "--json"], arguments].concat());
        let found = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["fen"].clone());
        (status, found.collect::<Vec<_>>(), errors)
    };
    let expected = fen(&["startpos moves h2e2 h9g7"]).1;
    for choice in [["--game", "3"], ["--game", "TEN"], ["--game", "event=cup ten"]] {
        let [game, text] = choice;
        let (status, found, errors) = fen(&[all, game, text, "--ply", "2"]);
        // A file without games is said where its number is not known.
        let is_number = text == "3";
        assert_eq!(status, i32::from(!is_number), "{errors}");
        assert_eq!(found.iter().filter(|it| !it.is_null()).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
        let (status, svg, _) = chuhe(&["board", all, game, text, "--ply", "2", "--svg", "-"]);
        assert!(status == 0 && svg.contains(expected[0].as_str().unwrap()), "{svg}");
        let (status, out, errors) = chuhe(&["egtb", "probe", all, game, text, "--ply", "2"]);
        assert!(status == 1 && out.is_empty() && errors.contains("there is no table"), "{errors}");
        let (status, out, _) = chuhe(&["play", all, game, text, "--ply", "2", "--side", "both"]);
        let board = chuhe(&["play", "startpos moves h2e2 h9g7", "--side", "both"]);
        assert_eq!((status, out), (board.0, board.1));
    }
    // Both games of a name, and neither where one is wanted.
    let (_, found, _) = fen(&[&format!("{all}/game*"), "--game", "nine", "--last"]);
    assert_eq!(found.len(), 2);
    for (arguments, error) in [
        (&["--game", "nine"][..], "several games are in it, one is wanted"),
        (&["--game", "4"], "no game \"4\" among 3"),
        (&["--game", "0"], "games are numbered from 1"),
        (&["--game", "nobody"], "no game \"nobody\" among 3"),
        (&["--game", "3", "--ply", "4"], "no position after 4 plies: the game has 3"),
        (&[], "3 positions, one is wanted"),
    ] {
        let (status, out, errors) = chuhe(&[&["board", all, "--svg", "-"], arguments].concat());
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{arguments:?}: {errors}");
    }
}
