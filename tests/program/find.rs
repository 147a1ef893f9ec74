//! `chuhe find` and doubles of `chuhe convert`, through the real binary.

use crate::common::run as chuhe;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// 1 and 2 are mirror images, 4 reaches the position of 1 with other moves, 5 is 1 with colors exchanged.
const GAMES: &str = "\
[Event \"Spring Cup\"]\n[Red \"Ann\"]\n[Black \"Bea\"]\n[Date \"1999.05.01\"]\n[RedElo \"2500\"]\n[BlackElo \"2400\"]\n\
[Result \"1-0\"]\n\nh2e2 h9g7 b0c2 1-0\n\n\
[Event \"Autumn Cup\"]\n[Red \"Bea\"]\n[Black \"Cid\"]\n[Date \"2001\"]\n[RedElo \"2300\"]\n[Result \"0-1\"]\n\n\
b2e2 b9c7 h0g2 a9b9 0-1\n\n\
[Red \"Ann\"]\n[Black \"Dan\"]\n\ng3g4 h9g7 h2e2 *\n\n\
[Red \"Dan\"]\n[Black \"Ann\"]\n[Result \"1/2-1/2\"]\n\nb0c2 h9g7 h2e2 1/2-1/2\n\n\
[Event \"Handicap\"]\n[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\"]\n\
[Result \"0-1\"]\n\nh7e7 h0g2 0-1\n";

fn games() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, GAMES).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

/// Number of the game, ply, and `m` mirrored, `s` swapped of each hit.
fn hits(path: &str, arguments: &[&str]) -> Vec<String> {
    let (status, out, errors) = chuhe(&[&["find", path, "--json"], arguments].concat());
    assert_eq!(status, 0, "{arguments:?}: {errors}");
    let hit = |line: &str| {
        let hit: Value = serde_json::from_str(line).unwrap();
        let number = hit["source"].as_str().unwrap().rsplit(' ').next().unwrap().to_string();
        let marks = [("mirrored", "m"), ("swapped", "s")].map(|(key, mark)| if hit[key] == true { mark } else { "" });
        format!("{number}@{}{}", hit["ply"], marks.concat())
    };
    out.lines().map(hit).collect()
}

#[test]
fn positions_moves_and_pieces_are_found_in_every_view() {
    let (_folder, path) = games();
    for (arguments, expected) in [
        (&["--position", "startpos moves h2e2 h9g7"][..], &["1@2", "2@2m", "5@2s"][..]),
        (&["--position", "startpos moves h2e2 h9g7", "--exact"], &["1@2"]),
        (&["--position", "startpos moves h2e2 h9g7 b0c2"], &["1@3", "2@3m", "4@3"]),
        (&["--moves", "炮二平五 马8进7"], &["1@2", "2@2m", "5@2s"]),
        (&["--moves", "b0c2 h9g7 C2.5"], &["4@3"]),
        (&["--position", "startpos moves h2e2 h9g7 b0c2", "--moves", "i9h9"], &["2@4m"]),
        (&["--piece", "Ce2,nc7,.b9"], &["1@2m", "2@2", "3@3m", "4@3m", "5@2ms"]),
        (&["--piece", "Ce2", "--piece", "Nc2", "--exact"], &["1@3", "4@3"]),
        (&["--material", "KAABBNNRRCCPPPPPkaabbnnrrccppppp", "--player", "dan"], &["3@0", "4@0"]),
        (&["--material", "KNNRRCCPPPPPknnrrccppppp+", "--red", "BEA"], &["2@0"]),
        (&[], &["1@0", "2@0", "3@0", "4@0", "5@0"]),
        (&["--material", "KRk"], &[]),
    ] {
        assert_eq!(hits(&path, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn tags_results_years_and_openings_are_found() {
    let (_folder, path) = games();
    for (arguments, expected) in [
        (&["--player", "ann"][..], &["1@0", "3@0", "4@0"][..]),
        (&["--player", "ann", "--player", "dan"], &["3@0", "4@0"]),
        (&["--black", "ann"], &["4@0"]),
        (&["--event", "cup"], &["1@0", "2@0"]),
        (&["--tag", "date=1999", "--result", "1-0"], &["1@0"]),
        (&["--result", "draw"], &["4@0"]),
        (&["--result", "none"], &["3@0"]),
        (&["--year", "2000-2010"], &["2@0"]),
        (&["--year", "1999"], &["1@0"]),
        (&["--opening", "central cannon"], &["1@0", "2@0"]),
        (&["--opening", "Z"], &[]),
    ] {
        assert_eq!(hits(&path, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn moves_are_counted_as_a_tree() {
    let (_folder, path) = games();
    let (status, out, errors) = chuhe(&["find", &path, "--tree=2", "--json", "--moves", "h2e2"]);
    assert_eq!((status, errors.as_str()), (0, "3 of 5 games\n"));
    let tree: Value = serde_json::from_str(&out).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    let counts = |node: &Value| ["games", "red_wins", "draws", "black_wins"].map(|key| number(&node[key]));
    // Of the game with colors exchanged, Black's win is Red's.
    assert_eq!((counts(&tree), &tree["year"]), ([3, 2, 0, 1], &2001.into()));
    let reply = &tree["moves"][0];
    assert_eq!((&reply["move"], counts(reply), &reply["rating"]), (&"h9g7".into(), [3, 2, 0, 1], &2400.into()));
    // Two games go on; the third is over.
    assert_eq!((&reply["moves"][0]["move"], counts(&reply["moves"][0])), (&"b0c2".into(), [2, 1, 0, 1]));
    assert_eq!(reply["moves"][0]["rating"], 2400, "the mean of 2500 and 2300");
    // The start position is its own mirror image.
    let (_, out, _) = chuhe(&["find", &path, "--tree", "--notation", "wxf"]);
    let rows: Vec<Vec<&str>> = out.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        ["C2.5", "3", "60.0%", "2", "0", "1", "66.7%", "2400", "2001"],
        ["P3+1", "1", "20.0%", "0", "0", "0", "–", "–", "–"],
        ["H2+3", "1", "20.0%", "0", "1", "0", "50.0%", "–", "–"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn what_is_found_is_listed_counted_and_written() {
    let (folder, path) = games();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (status, out, errors) = chuhe(&["find", &path, "--moves", "h2e2", "--red", "bea"]);
    let line = format!("{path} game 2: Bea – Cid, Autumn Cup, 2001, 0-1; ply 1, mirrored; b9c7\n");
    assert_eq!((status, out, errors.as_str()), (0, line, "1 of 5 games\n"));
    for (notation, next) in [(&[][..], "；马２进３\n"), (&["--notation", "iccs"], "；b9c7\n")] {
        let (_, out, _) =
            chuhe(&[&["find", &path, "--moves", "h2e2", "--red", "bea", "--lang", "zh"], notation].concat());
        assert!(out.ends_with(next), "{notation:?}: {out}");
    }
    assert_eq!(chuhe(&["find", &path, "--player", "ann", "--count"]).1, "3\n");
    assert_eq!(chuhe(&["find", &path, "--player", "ann", "--output", &file("ann.pgn")]).0, 0);
    assert_eq!(hits(&file("ann.pgn"), &[]), ["1@0", "2@0", "3@0"]);
    assert_eq!(chuhe(&["find", &path, "--player", "ann", "--html", &file("ann.html")]).0, 0);
    assert_eq!(fs::read_to_string(file("ann.html")).unwrap().matches("<figure>").count(), 3);
    // What is not there, and what cannot be asked.
    let (status, _, errors) = chuhe(&["find", &path, "--player", "nobody", "--output", &file("none.pgn")]);
    assert!(status == 2 && errors.contains("there is no game to write"), "{errors}");
    assert!(!fs::exists(file("none.pgn")).unwrap());
    for (arguments, error) in [
        (&["--piece", "Xe4"][..], "not a piece and a square"),
        (&["--material", "KR"], "each side has one king"),
        (&["--moves", "h2e2 h2e2"], "h2e2"),
        (&["--year", "2001-1999"], "expected a year"),
        (&["--tag", "Event"], "no `=`"),
        (&["--force"], "--output"),
        (&["--tree", "--count"], "cannot be used with"),
        (&["--tree", "--material", "Kk"], "cannot be used with"),
        (&["--output", &path], "exists"),
    ] {
        let (status, out, errors) = chuhe(&[&["find", &path], arguments].concat());
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{arguments:?}: {errors}");
    }
    // A bad game is said, and the others are searched.
    fs::write(file("bad.pgn"), "[Red \"Ann\"]\n\nh2e2 h2h9 *\n\n[Red \"Bea\"]\n\nh2e2 *\n").unwrap();
    let (status, out, errors) = chuhe(&["find", &file("bad.pgn"), "--moves", "h2e2", "--count"]);
    assert!(status == 1 && out == "2\n" && errors.contains("game 1"), "{errors}");
    let (status, _, errors) = chuhe(&["find", &file("bad.pgn"), "--red", "bea", "--format", "pgn", "--output", "-"]);
    assert!(status == 1 && errors.contains("game 1"), "{errors}");
}

#[test]
fn doubles_are_left_out_and_games_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let game = |date: &str, moves: &str| format!("[Red \"A\"]\n[Date \"{date}\"]\n\n{moves} *\n\n");
    let games = [("1998.10.2", "h2e2 h9g7"), ("1998.9.1", "h2e2"), ("1999", "h2e2 h9g7"), ("1990", "b2e2 h9g7")];
    fs::write(file("a.pgn"), games.map(|(date, moves)| game(date, moves)).concat()).unwrap();
    let (status, out, errors) =
        chuhe(&["convert", "--unique", "--sort", "date", "--lang", "en", &file("a.pgn"), "-", "--format", "pgn"]);
    let name = file("a.pgn");
    let said =
        format!("{name} game 3: the moves of {name} game 1; left out\n{name} game 2: the beginning of {name} game 1\n");
    assert_eq!((status, errors), (0, said));
    let dates: Vec<&str> = out.lines().filter(|line| line.starts_with("[Date")).collect();
    assert_eq!(dates, ["[Date \"1990\"]", "[Date \"1998.9.1\"]", "[Date \"1998.10.2\"]"]);
}
