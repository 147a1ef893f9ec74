//! `chuhe review`, through the real binary.

use crate::common;

use chuhe::games::games;
use chuhe::games::record::GameResult;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Black's rook goes where it is taken for nothing.
const BLUNDER: &str = "3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b - - 0 1 moves c5a5 a0a5 d9d8 a5a8 d8d7 a8a7 d7d8";
const MATED: &str = "3k5/9/9/9/9/9/9/9/3r5/3rK4 w";
/// A rook gives check; the king has one move.
const FORCED: &str = "3k5/9/9/9/3R5/9/9/9/9/5K3 b - - 0 1 moves d9e9";
const HOSTILE: &str = "</script><img src=x onerror='alert(1)'>{{script}} & 'a' [b] \\\\ \\\" c \u{2028}";

fn run(arguments: &[&str]) -> (i32, String, String) {
    common::run(&[&["review"], arguments].concat())
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let (status, out, errors) = run(&[&["--json"], arguments].concat());
    assert_eq!(status, 0, "{errors}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn class(game: &Value, ply: usize) -> &str {
    game["plies"][ply]["move"]["class"].as_str().unwrap()
}

#[test]
fn blunders_are_found_with_the_better_line() {
    let game = &json(&["--nodes", "20000", BLUNDER])[0];
    assert_eq!((class(game, 0), class(game, 1)), ("blunder", "best"));
    let before = &game["plies"][0];
    assert!(before["move"]["loss"].as_f64().unwrap() > 0.2, "{before}");
    assert_ne!(before["best"]["iccs"][0], "c5a5");
    assert_eq!((&before["move"]["wxf"], &before["move"]["zh"]), (&"R3.1".into(), &"车３平１".into()));
    assert_eq!((&game["black"]["blunders"], &game["red"]["blunders"]), (&1.into(), &0.into()));
    assert_eq!((&game["opening"], &game["verdict"]["zh"]), (&Value::Null, &"对局未结束".into()));
    // Scores are Red's.
    assert!(game["plies"][1]["mate"].as_i64().unwrap() > 0 && game["plies"][1]["expected"] == 1.0);
    let text = run(&["--nodes", "20000", BLUNDER]).1;
    assert!(text.contains("1... R3.1 ??") && text.contains("better: "), "{text}");
    let text = run(&["--nodes", "20000", "--lang", "zh", BLUNDER]).1;
    assert!(text.contains("1... 车３平１ ??") && text.contains("应走："), "{text}");
    let text = run(&["--nodes", "20000", "--lang", "zh", "--notation", "iccs", BLUNDER]).1;
    assert!(text.contains("1... c5a5 ??"), "{text}");
}

/// The position before each mistake, and at the end what was better.
#[test]
fn mistakes_are_exercises_on_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html").to_str().unwrap().to_string();
    let sheet_of = |arguments: &[&str]| {
        let (status, _, errors) = run(&[&["--nodes", "20000", "--sheet", &sheet, BLUNDER], arguments].concat());
        assert_eq!(status, 0, "{errors}");
        std::fs::read_to_string(&sheet).unwrap()
    };
    let text = sheet_of(&[]);
    let (figures, answers) = text.split_once("<h2>Answers</h2>").unwrap();
    assert_eq!((figures.matches("<figure>").count(), answers.matches("<dt>").count()), (1, 1));
    assert!(figures.contains("<title>3k5/4a4/9/9/2r6/9/9/4B4/4A4/R3K4 b"), "{figures}");
    assert!(figures.contains("1... R3.1 ?? was played. A better move for black?</figcaption>"), "{figures}");
    assert!(answers.contains("better: ") && !figures.contains("better: "), "{answers}");
    let text = sheet_of(&["--side", "red"]);
    assert!(!text.contains("<figure>") && !text.contains("<h2>"));
}

/// In the JSON, on the page, which is made of it, and in the PGN: as many moves as each has of any line.
#[test]
fn lines_of_endgame_tables_have_more_than_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let [page, pgn] = ["page", "pgn"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    let won = "4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 0 1 moves g0g3 i7g5";
    let game = &json(&["--nodes", "300", "--html", &page, "--pgn", &pgn, won])[0];
    let best = &game["plies"][0]["best"]["iccs"];
    assert_eq!((&game["plies"][0]["mate"], best.as_array().unwrap().len(), &best[0]), (&25.into(), 12, &"g0g7".into()));
    assert!(std::fs::read_to_string(page).unwrap().contains(&best.to_string()), "{best}");
    let pgn = std::fs::read_to_string(pgn).unwrap();
    assert!(pgn.contains("e9d9 2. g7a7 i7g5 3. a7a9 d9d8 "), "{pgn}");
}

/// A sentence says why a move is bad where that is certain: in the text, in JSON and so on the page, and in PGN. Pieces are
/// found by the files of the board, or in ICCS notation, PGN's, by squares.
#[test]
fn reasons_of_bad_moves_are_told() {
    let pgn = tempfile::NamedTempFile::new().unwrap();
    for (game, english, chinese, iccs) in [
        (BLUNDER, "Allows mate in ", "着杀", "Allows mate in "),
        // The cannon of b2 takes the knight.
        ("startpos moves a0a1 a9a8 a1d1", "Loses the horse on file 2.", "丢２路马。", "Loses the knight on b9."),
        (
            "4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 0 1 moves g0g4",
            "Misses mate in 25; now a draw (endgame table).",
            "错过25着杀；现为和棋（残局库）。",
            "Misses mate in 25; now a draw (endgame table).",
        ),
    ] {
        let arguments = ["--nodes", "30000", "--pgn", pgn.path().to_str().unwrap(), game];
        let game = &json(&arguments)[0];
        let plies = game["plies"].as_array().unwrap();
        let reasons: Vec<&Value> = plies.iter().map(|ply| &ply["move"]["reason"]).filter(|it| !it.is_null()).collect();
        let told = reasons.iter().find(|it| it["en"].as_str().unwrap().contains(english));
        assert!(told.is_some_and(|it| it["zh"].as_str().unwrap().contains(chinese)), "{reasons:?}");
        assert!(std::fs::read_to_string(pgn.path()).unwrap().replace('\n', " ").contains(iccs), "{iccs}");
        let (_, text, _) = run(&arguments);
        assert!(text.contains(&format!("\n     {english}")), "{text}");
    }
    // A move of the opening that costs a little.
    let game = &json(&["--nodes", "30000", "startpos moves h2h6 h9g7"])[0];
    assert!(class(game, 0) != "best" && game["plies"][0]["move"].get("reason").is_none(), "{}", game["plies"][0]);
}

/// Black's blunder of the game: what was played and an illegal move are no answers, the engine's move is one; only the first
/// try counts.
#[test]
fn bad_moves_are_set_as_exercises() {
    let best = json(&["--nodes", "2000", BLUNDER])[0]["plies"][0]["best"]["wxf"][0].as_str().unwrap().to_string();
    let exercises = |arguments: &[&str], input: &str| {
        let mut command =
            common::chuhe(&[&["review", "--nodes", "2000", "--exercises"], arguments, &[BLUNDER]].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let text = exercises(&[], &format!("{best}\n"));
    assert!(text.contains("1/1: 1... R3.1 ?? was played. A better move for black?"), "{text}");
    assert!(text.contains("Right: the engine's move.\n1... R3.1 ??: Allows mate in 5.\n"), "{text}");
    assert!(text.ends_with("\n1 of 1 found at the first try\n"), "{text}");
    let text = exercises(&[], &format!("R3.1\na0a9\n{best}\n"));
    assert!(text.contains("That was played in the game. Another?") && text.contains("a0a9 is illegal"), "{text}");
    assert!(text.contains("Right: ") && text.ends_with("\n0 of 1 found at the first try\n"), "{text}");
    for (arguments, input) in [(&["--lang", "zh"][..], "\n"), (&["--lang", "zh", "--side", "black"], "quit\n")] {
        let text = exercises(arguments, input);
        assert!(text.contains("1/1：实战走了 1... 车３平１ ??。黑方应走？") && text.contains("\n应走： "), "{text}");
        assert!(text.ends_with("\n1题中第一次就走对0题\n"), "{text}");
    }
    assert_eq!(exercises(&["--side", "red"], ""), "no bad move to ask for; --least inaccuracy asks for lesser ones\n");
}

/// Where a bad move was played, other good ones are known: two rooks can take the same piece.
#[test]
fn other_good_moves_are_named_at_bad_ones() {
    let game = &json(&["--nodes", "5000", "3k5/9/9/9/r7R/9/9/9/4A4/R3K4 w - - 0 1 moves a0b0 a5i5"])[0];
    let before = &game["plies"][0];
    assert_eq!(class(game, 0), "blunder", "{before}");
    let alternatives = before["alternatives"].as_array().unwrap();
    let moves: Vec<&str> = alternatives.iter().map(|it| it["iccs"].as_str().unwrap()).collect();
    let best = before["best"]["iccs"][0].as_str().unwrap();
    assert!([&moves[..], &[best]].concat().iter().filter(|mv| ["a0a5", "i5a5"].contains(mv)).count() == 2, "{before}");
    assert!(alternatives.iter().all(|it| it["loss"].as_f64().unwrap() < 0.05 && it["zh"] != "" && it["wxf"] != ""));
    assert!(!moves.contains(&best) && !moves.contains(&"a0b0"), "{before}");
    assert!(game["plies"][1].get("alternatives").is_none());
}

#[test]
fn variations_of_the_record_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let game =
        "1. h2e2 h9g7 2. h0g2 $1 (2. b0c2 $6 b9c7 {seen} (2... i9h9 3. a0b0) 3. h0g2) 2... i9h9 (2... b7e7) 1-0\n";
    std::fs::write(&file, game).unwrap();
    let game = &json(&["--nodes", "100", file.to_str().unwrap()])[0];
    assert_eq!((&game["lines"], &game["plies"][2]["move"]["glyph"]), (&4.into(), &1.into()));
    let line = |number: usize| {
        let line = &game["variations"][number];
        let moves: Vec<&str> =
            line["moves"].as_array().unwrap().iter().map(|mv| mv["iccs"].as_str().unwrap()).collect();
        (line["of"].as_u64(), line["ply"].as_u64().unwrap(), moves)
    };
    let mut lines: Vec<_> = (0..3).map(line).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            (None, 2, vec!["b0c2", "b9c7", "h0g2"]),
            (None, 3, vec!["b7e7"]),
            (Some(lines_index(game, "b0c2")), 3, vec!["i9h9", "a0b0"]),
        ]
    );
    let variation = &game["variations"][lines_index(game, "b0c2") as usize]["moves"];
    assert_eq!(
        (&variation[0]["wxf"], &variation[0]["zh"], &variation[0]["glyph"]),
        (&"H8+7".into(), &"马八进七".into(), &6.into())
    );
    assert_eq!((&variation[1]["comment"], variation[0].get("comment")), (&"seen".into(), None));
    assert_eq!(json(&["--nodes", "100", "startpos moves h2e2"])[0]["variations"], Value::Array(Vec::new()));
}

/// The variation that begins with a move.
fn lines_index(game: &Value, first: &str) -> u64 {
    let variations = game["variations"].as_array().unwrap();
    variations.iter().position(|line| line["moves"][0]["iccs"] == first).unwrap() as u64
}

#[test]
fn players_and_ends_are_those_of_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let tags = "[White \"Li\"]\n[Event \"Cup\"]\n[Date \"2026\"]\n[Termination \"Black resigns\"]\n";
    std::fs::write(&file, format!("{tags}h2e2 h9g7 1-0\n")).unwrap();
    let path = file.to_str().unwrap();
    let pgn = folder.path().join("out.pgn");
    let game = &json(&["--nodes", "100", "--pgn", pgn.to_str().unwrap(), path])[0];
    assert_eq!((&game["red"]["name"], &game["black"]["name"]), (&"Li".into(), &Value::Null));
    assert_eq!((&game["ending"]["en"], &game["ending"]["zh"]), (&"1–0, resigned".into(), &"红胜，认输".into()));
    assert_eq!(&game["verdict"]["en"], "ongoing");
    assert!(game["engine"].as_str().unwrap().starts_with("ChuHe "));
    assert!(std::fs::read_to_string(pgn).unwrap().contains("[Termination \"Black resigns\"]"));
    let text = run(&["--nodes", "100", path]).1;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("Scores are Red's, in pawns"), "{text}");
    assert!(lines[1].ends_with(": Li – black") && lines[2] == "  Cup, 2026", "{text}");
    assert_eq!(lines.last(), Some(&"  1–0, resigned"));
    // A position is analysed.
    let text = run(&["--nodes", "3000", "startpos"]).1;
    assert!(text.contains("best: ") && text.contains("(depth ") && !text.contains("accuracy"), "{text}");
}

/// By the formula in docs/review.md, from the losses in the output.
#[test]
fn accuracy_is_the_mean_over_moves_with_a_choice_in_an_open_game() {
    let game = &json(&["--nodes", "2000", "startpos moves h2e2 h9g7 e2e6 g7e6 h0g2 e6g5 i0h0 g5e4 a0a1 e4c3"])[0];
    for (side, first) in [("red", 0), ("black", 1)] {
        let plies =
            game["plies"].as_array().unwrap().iter().skip(first).step_by(2).filter(|ply| ply.get("move").is_some());
        let moves = plies.filter(|ply| ply["move"]["class"] != "forced");
        let open = moves.filter(|ply| (0.05..=0.95).contains(&ply["expected"].as_f64().unwrap()));
        let of_moves: Vec<f64> =
            open.map(|ply| 100.0 * (-16.0 * ply["move"]["loss"].as_f64().unwrap()).exp()).collect();
        assert!(!of_moves.is_empty(), "{side}");
        let mean = of_moves.iter().sum::<f64>() / of_moves.len() as f64;
        assert!((game[side]["accuracy"].as_f64().unwrap() - mean).abs() < 1.0, "{side}: {mean}");
    }
}

#[test]
fn forced_moves_are_no_mistakes_and_ends_are_judged() {
    let games = json(&["--nodes", "2000", FORCED, "startpos moves h2e2 h9g7 h0g2", MATED]);
    assert_eq!((class(&games[0], 0), &games[0]["black"]["accuracy"]), ("forced", &Value::Null));
    assert_eq!((games[1]["plies"].as_array().unwrap().len(), &games[1]["opening"]["code"]), (4, &"B05".into()));
    // Red has been mated: all points are Black's.
    assert_eq!((&games[2]["plies"][0]["expected"], &games[2]["over_at"]), (&0.0.into(), &0.into()));
    assert_eq!(games[2]["verdict"]["en"], "black wins: checkmate");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads| run(&["--json", "--nodes", "1000", "--threads", threads, "tests/data/game.gbk.pgn", BLUNDER]).1;
    let one = run("1");
    assert_eq!(one.lines().count(), 2);
    assert_eq!(one, run("3"));
}

/// The default is a number of nodes, not a time.
#[test]
fn a_game_is_judged_alike_every_time() {
    let run = |more: &[&str]| run(&[&["--json", BLUNDER], more].concat());
    let first = run(&[]);
    assert_eq!(first.0, 0, "{}", first.2);
    assert_eq!(first, run(&["--threads", "2"]));
    assert_eq!(first, run(&["--nodes", "100000"]));
    assert_ne!(first.1, run(&["--time", "1"]).1);
}

#[test]
fn options_change_the_search_and_the_rules() {
    let chase = "3k5/9/9/9/9/9/5n3/9/4R4/4K4 w - - 0 1 moves e1f1 f3e5 f1e1 e5f3 e1f1 f3e5 f1e1 e5f3";
    let verdict = |more: &[&str]| json(&[&["--nodes", "100", chase], more].concat())[0]["verdict"]["en"].clone();
    assert_eq!(verdict(&[]), "black wins: red perpetually chases the knight with the rook");
    assert_eq!(verdict(&["--option", "Repetition Rule=plain"]), "draw: repetition without violation");
    for (option, error) in [
        ("EvalFile=no/such/network", "error: no/such/network: "),
        ("threads=2", "option threads: use --threads"),
        ("MultiPV=2", "option MultiPV has no effect in this command"),
    ] {
        let (status, out, errors) = run(&["--option", option, chase]);
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{option}: {errors}");
    }
}

#[test]
fn errors_are_reported_and_other_games_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, "[Red \"a\"]\nh2e2 h9g7 h2e2 1-0\n\n[FEN \"9/9 w\"]\nh2e2 *\n\n[Red \"b\"]\nb2e2 0-1\n")
        .unwrap();
    let (status, out, errors) = run(&["--json", "--nodes", "100", file.to_str().unwrap(), "startpos moves i0i9"]);
    assert_eq!(status, 1);
    let games: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.iter().map(|game| game["plies"].as_array().unwrap().len()).collect::<Vec<_>>(), [3, 1, 2, 1]);
    assert_eq!(games[0]["error"]["en"], "line 2: h2e2 is illegal");
    assert_eq!((&games[2]["error"], &games[2]["result"]), (&Value::Null, &"0-1".into()));
    assert_eq!(errors.lines().count(), 3, "{errors}");
    assert!(errors.contains("game 1: line 2: h2e2 is illegal") && errors.contains("command line: move 1"), "{errors}");
    assert_eq!(run(&["--html", "/nonexistent/page.html", "startpos"]).0, 2);
    assert_eq!(run(&["/nonexistent.pgn"]).0, 2);
    let (status, out, errors) = run(&["--html", "-", "--pgn", "-", "startpos"]);
    assert!(status == 2 && out.is_empty() && errors.contains("only one output"), "{errors}");
}

#[test]
fn nothing_is_written_where_no_game_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let [bad, page, pgn] =
        ["bad.pgn", "page.html", "new.pgn"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    std::fs::write(&bad, "[FEN \"9/9 w\"]\nh2e2 *\n").unwrap();
    for outputs in
        [&["--html", page.as_str()][..], &["--pgn", &pgn], &["--html", &page, "--pgn", &pgn], &["--html", "-"]]
    {
        let (status, out, errors) = run(&[outputs, &[&bad]].concat());
        let is_silent = !outputs.contains(&"-") || out.is_empty();
        assert!(status == 2 && is_silent && errors.ends_with("there is no game to write\n"), "{outputs:?}: {errors}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    // A file of another kind is not replaced.
    let (status, _, errors) = run(&["--nodes", "1", "--html", &bad, "startpos"]);
    assert!(status == 2 && errors.ends_with("bad.pgn exists and is no page; it is not replaced\n"), "{errors}");
}

#[test]
fn names_do_not_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    std::fs::write(&file, "[Red \"\u{1b}[2Ja\u{9b}1m\"]\n[Black \"b\u{7}\"]\nh2e2 *\n").unwrap();
    let text = run(&["--nodes", "100", file.to_str().unwrap()]).1;
    assert!(text.contains("[2Ja1m – b\n") && !text.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{text:?}");
    // JSON has the name of the file as it is, escaped.
    let strange = folder.path().join("a\u{7f}\u{9b}\u{202e}车.pgn");
    std::fs::copy(&file, &strange).unwrap();
    let json = run(&["--nodes", "100", "--json", strange.to_str().unwrap()]).1;
    assert!(json.contains("a\\u007f\\u009b\\u202e车.pgn"), "{json:?}");
    let game: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(game["source"], format!("{} game 1", strange.display()));
}

/// Writes a game with hostile names.
fn hostile(folder: &Path) -> String {
    let file = folder.join("hostile.pgn");
    // A brace would end the comment.
    let comment = HOSTILE.replace(['{', '}'], "");
    let tags = format!("[Red \"{HOSTILE}\"]\n[Event \"-->{HOSTILE}\"]\n[Black \"b\"]\n");
    std::fs::write(&file, format!("{tags}{{0 {comment}}} h2e2 {{{comment}}} h9g7 1-0\n")).unwrap();
    file.display().to_string()
}

#[test]
fn hostile_names_do_not_leave_the_data_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (status, page, _) = run(&["--nodes", "100", "--html", "-", &hostile(folder.path())]);
    assert_eq!(status, 0);
    assert_eq!(page.matches("</script>").count(), 2, "one for the data, one for the script");
    assert!(!page.contains("<img"));
    assert_eq!(page.matches("\"use strict\"").count(), 1, "the name of a part is not replaced in a name");
    let (_, data) = page.split_once("id=\"games\">").unwrap();
    let games: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let name = HOSTILE.replace("\\\"", "\"").replace("\\\\", "\\");
    assert_eq!(games[0]["tags"]["Red"], name);
    let comment = games[0]["plies"][1]["comment"].as_str().unwrap();
    assert!(comment.starts_with("</script><img"), "{comment}");
    // Nothing is fetched: the only address is the name of SVG.
    let addresses: Vec<&str> =
        page.split("//").skip(1).filter(|rest| !rest.starts_with("www.w3.org/2000/svg")).collect();
    assert!(
        !addresses.iter().any(|rest| rest.starts_with(|letter: char| letter.is_ascii_lowercase())),
        "{addresses:?}"
    );
}

#[test]
fn annotated_pgn_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = hostile(folder.path());
    for notation in ["iccs", "wxf", "chinese", "traditional"] {
        let arguments =
            ["--nodes", "5000", "--pgn", "-", "--notation", notation, BLUNDER, "tests/data/rook.pgn", &hostile, FORCED];
        let (status, text, errors) = run(&arguments);
        assert_eq!(status, 0, "{errors}");
        let games: Vec<_> = games(&text).map(Result::unwrap).collect();
        assert_eq!(games.len(), 4, "{text}");
        assert!(games.iter().all(|game| game.error.is_none()), "{text}");
        let moves = |game: usize| games[game].moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(moves(0), BLUNDER.split_once("moves ").unwrap().1);
        assert_eq!((moves(2), games[2].result), ("h2e2 h9g7".into(), GameResult::Won(chuhe::Color::Red)));
        assert_eq!((moves(3), games[3].start.to_fen()), ("d9e9".into(), FORCED.split_once(" moves").unwrap().0.into()));
        assert!(text.contains("$4 {[%eval ") && text.contains("(1... "), "{text}");
        let tag = |name: &str| games[2].tag(name);
        assert!(tag("Red").unwrap().starts_with("</script><img") && tag("Black") == Some("b"), "{text}");
        let first = games[2].tree.main_line().next().unwrap();
        assert!(games[2].tree.comment(first).starts_with("</script><img"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 200), "{text}");
    }
}

#[test]
fn reviews_of_reviews_say_things_once() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["1.pgn", "2.pgn"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    assert_eq!(run(&["--nodes", "5000", "--pgn", &one, BLUNDER]).0, 0);
    assert_eq!(run(&["--nodes", "5000", "--pgn", &two, &one]).0, 0);
    let [one_text, two_text] = [&one, &two].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(one_text.matches("better").count(), 1, "{one_text}");
    assert_eq!(two_text.matches(['(', '{']).count(), one_text.matches(['(', '{']).count(), "{two_text}");
    // A file that is read is not written.
    for output in ["--pgn", "--html"] {
        let (status, _, errors) = run(&["--nodes", "1", output, &one, &one]);
        assert!(status == 2 && errors.ends_with("1.pgn is read, and would be replaced\n"), "{errors}");
    }
    assert_eq!(std::fs::read_to_string(&one).unwrap(), one_text);
}

#[test]
fn games_come_from_standard_input_and_any_format() {
    let mut child = common::chuhe(&["review", "--json", "--nodes", "100", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"1. C2.5 H8+7 2. H2+3 R9.8 1-0").unwrap();
    let output = child.wait_with_output().unwrap();
    let game: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&game["result"], game["plies"].as_array().unwrap().len()), (&"1-0".into(), 5));
    let games = json(&["--nodes", "10", "tests/data/game.big5.pgn", "tests/data/games.pgn"]);
    assert!(games.len() > 10 && games.iter().all(|game| game["error"].is_null()));
    assert_eq!(games[1]["tags"]["Red"], "徐天红");
}

/// A player's report is the sum of the reviews of the player's games.
#[test]
fn the_report_on_a_player_adds_up_the_reviews() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.pgn");
    let nodes = ["--nodes", "300", "--threads", "2"];
    let reviews = json(&[&nodes[..], &[games]].concat());
    let report = &json(&[&nodes[..], &["--report", "徐天红", games]].concat())[0];
    let mut totals = [0; 4];
    let (mut bad, mut kinds, mut losses) = ([0; 3], 0, Vec::new());
    let number = |value: &Value| value.as_u64().unwrap();
    for (review, side) in reviews.iter().flat_map(|review| [(review, "red"), (review, "black")]) {
        if review[side]["name"] != "徐天红" {
            continue;
        }
        let result = review["result"].as_str().unwrap();
        let index = match (result, side) {
            ("1/2-1/2", _) => 2,
            ("1-0", "red") | ("0-1", "black") => 1,
            _ => 3,
        };
        totals[0] += 1;
        totals[index] += 1;
        for (count, class) in bad.iter_mut().zip(["inaccuracies", "mistakes", "blunders"]) {
            *count += number(&review[side][class]);
        }
        let own = review["plies"].as_array().unwrap().iter().filter(|it| {
            let turn = it["fen"].as_str().unwrap().split(' ').nth(1).unwrap();
            (turn == "w") == (side == "red")
        });
        let moves: Vec<&Value> = own.map(|it| &it["move"]).filter(|it| it.is_object()).collect();
        kinds += moves.iter().filter(|it| it["reason"].is_object()).count() as u64;
        let worse = moves.iter().filter(|it| it["class"] == "mistake" || it["class"] == "blunder");
        let mut worse: Vec<f64> = worse.map(|it| it["loss"].as_f64().unwrap()).collect();
        worse.sort_by(|one, other| other.total_cmp(one));
        losses.extend(worse.into_iter().take(2));
    }
    assert_eq!(["games", "won", "drawn", "lost"].map(|key| number(&report[key])), [5, totals[1], totals[2], totals[3]]);
    assert_eq!(totals[0], 5);
    let phases = report["phases"].as_array().unwrap();
    let counted: [u64; 3] =
        ["inaccuracies", "mistakes", "blunders"].map(|key| phases.iter().map(|it| number(&it[key])).sum());
    assert_eq!(counted, bad);
    assert_eq!(report["kinds"].as_array().unwrap().iter().map(|it| number(&it["count"])).sum::<u64>(), kinds);
    assert_eq!(report["openings"].as_array().unwrap().iter().map(|it| number(&it["games"])).sum::<u64>(), 5);
    losses.sort_by(|one, other| other.total_cmp(one));
    losses.truncate(10);
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), losses.len());
    assert!(positions.iter().zip(&losses).all(|(it, loss)| (it["loss"].as_f64().unwrap() - loss).abs() < 0.002));
    // As text and as a sheet, in both languages; somebody else.
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html");
    let sheet = sheet.to_str().unwrap();
    let (status, text, _) = run(&[&nodes[..], &["--report", "徐天红", "--sheet", sheet, games]].concat());
    assert!(status == 0 && text.starts_with("徐天红: 5 games, ") && text.contains("\nto work on:\n"), "{text}");
    let page = std::fs::read_to_string(sheet).unwrap();
    assert_eq!(page.matches("<figure>").count(), positions.len());
    assert!(page.contains("徐天红: 5 games, ") && page.contains("<h2>Answers</h2>"), "{page}");
    let text = run(&[&nodes[..], &["--report", "徐天红", "--lang", "zh", games]].concat()).1;
    assert!(text.starts_with("徐天红：5局，") && text.contains("\n需要研究的局面：\n"), "{text}");
    let (status, out, errors) = run(&[&nodes[..], &["--report", "nobody", games]].concat());
    assert_eq!((status, out.as_str(), errors.as_str()), (2, "", "error: no game of nobody\n"));
}
