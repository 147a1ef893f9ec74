//! `chuhe play` in plain lines, through a pipe.

#![cfg(feature = "play")]

use crate::common;

use std::io::Write;
use std::process::Stdio;

/// Plays with these arguments and lines; exit status, output and errors.
fn play(arguments: &[&str], lines: &str) -> (i32, String, String) {
    let mut child = common::chuhe(&[&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The moves of a side in an output.
fn moves<'a>(output: &'a str, side: &str) -> Vec<&'a str> {
    let prefix = format!("{side} ");
    let is_move = |line: &&str| line.starts_with(&prefix) && line.ends_with(')');
    output.lines().filter(is_move).collect()
}

#[test]
fn every_move_is_answered_before_the_input_ends() {
    let (status, out, errors) = play(&["--level", "1"], "h2e2\n炮八平七\n");
    assert!(status == 0 && errors.is_empty(), "{errors}");
    assert_eq!(moves(&out, "red"), ["red C2.5 (h2e2)", "red C8.7 (b2c2)"], "{out}");
    assert_eq!(moves(&out, "black").len(), 2, "{out}");
    assert!(out.ends_with("red to move\n") || out.ends_with("in check\n"), "{out}");
}

#[test]
fn engine_plays_the_other_side_or_both() {
    let (_, out, _) = play(&["--side", "black", "--level", "1"], "");
    assert_eq!((moves(&out, "red").len(), moves(&out, "black").len()), (1, 0), "{out}");
    // Mate in one.
    let (_, out, _) = play(&["--side", "none", "--movetime", "50", "3k5/R8/9/9/9/9/9/9/9/1R3K3 w"], "");
    assert!(out.ends_with("red wins: checkmate\n"), "{out}");
}

#[test]
fn two_people_play_a_game_to_its_end() {
    let (_, out, _) = play(&["--side", "both", "3k5/R8/9/9/9/9/9/9/9/1R3K3 w"], "a8b8\nd9e9\ndraw\ndraw\nb8a8\n");
    assert_eq!((moves(&out, "red").len(), moves(&out, "black").len()), (1, 1), "{out}");
    assert!(out.contains("a draw is offered"), "{out}");
    assert!(out.contains("draw: agreed\n") && out.ends_with("the game is over (new, undo)\n"), "{out}");
}

#[test]
fn moves_are_taken_back_with_the_answers_to_them() {
    let (_, out, _) = play(&["--level", "1"], "h2e2\nundo\nundo\nb2e2\n");
    assert_eq!(moves(&out, "red"), ["red C2.5 (h2e2)", "red C8.5 (b2e2)"], "{out}");
    assert!(out.contains("there is no move to take back"), "{out}");
}

#[test]
fn hints_are_legal_moves() {
    let (_, out, _) = play(&["3k5/R8/9/9/9/9/9/9/9/1R3K3 w"], "hint\nresign\n");
    assert!(out.contains("hint: R8+9 (#1, "), "{out}");
    assert!(out.ends_with("black wins: red resigns\n"), "{out}");
}

#[test]
fn time_runs_out() {
    let (_, out, _) = play(&["--side", "none", "--time", "0.00001"], "");
    assert!(out.contains("black wins: red is out of time\n"), "{out}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a game.pgn", "b.xqf"] {
        let path = folder.path().join(name).display().to_string();
        let (_, out, _) = play(&["--side", "both"], &format!("h2e2\nh9g7\nresign\nsave {path}\n"));
        assert!(out.ends_with(&format!("{path} written\n")), "{out}");
        let (status, verdict, _) = {
            let output = common::chuhe(&["judge", &path]).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap(), ())
        };
        assert_eq!((status, verdict.as_str()), (Some(0), "ongoing\n"), "{name}");
        let (_, out, _) = play(&["--side", "both"], &format!("load {path}\nb0c2\n"));
        assert!(out.contains("red H8+7 (b0c2)"), "{out}");
        let (_, begun, _) = play(&["--side", "both", &path], "b0c2\n");
        assert!(begun.contains("red H8+7 (b0c2)"), "{begun}");
    }
}

#[test]
fn errors_are_told_and_the_game_goes_on() {
    let lines = "castle\nh2i4\nlevel 21\nsave\nsave a.txt\nload missing.pgn\nlevel 20\npieces\nhelp\n";
    let (status, out, _) = play(&["--side", "both"], lines);
    assert_eq!(status, 0);
    for line in [
        "\"castle\" is not a move\n",
        "h2i4 is illegal\n",
        "\"21\" is not a level from 1 to 20\n",
        "save needs the name of a file\n",
        "a.txt: the name must end with .pgn, .xqf, .cbr, .ubb or .fen\n",
        "cannot read missing.pgn: ",
        "level 20 of 20\n",
        "red: king e0, advisor d0 f0, ",
        "hint: show a good move\n",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
    for arguments in [&["--level", "21"][..], &["--time", "x"], &["--side", "white"], &["9/9 w"], &["missing.pgn"]] {
        let (status, out, errors) = play(arguments, "");
        assert!(status == 2 && out.is_empty() && errors.starts_with("error: "), "{arguments:?} {errors}");
    }
}

#[test]
fn options_of_the_engine_and_the_rules_are_taken() {
    // Black chases perpetually by the default rules.
    let start = "3k5/9/9/9/9/9/5n3/9/4R4/4K4 w";
    let moves = "e1f1\nf3e5\nf1e1\ne5f3\ne1f1\nf3e5\nf1e1\ne5f3\n";
    let end = |arguments: &[&str]| {
        let (_, out, _) = play(&[&["--side", "both", start], arguments].concat(), moves);
        out.lines().last().unwrap_or_default().to_string()
    };
    assert_eq!(end(&[]), "black wins: red perpetually chases the knight with the rook");
    assert_eq!(end(&["--option", "Repetition Rule=plain"]), "draw: repetition without violation");
    for (option, error) in [
        ("EvalFile=no/such/network", "error: no/such/network: "),
        ("Book Files=no/such/book", "error: no/such/book: "),
        ("Skill Level=3", "option Skill Level: use --level"),
        ("UCI_ShowWDL=true", "option UCI_ShowWDL has no effect in this command"),
    ] {
        let (status, out, errors) = play(&["--option", option], "");
        assert!(status == 2 && out.is_empty() && errors.contains(error), "{option}: {errors}");
    }
}

#[test]
fn lines_are_in_the_character_set_of_the_locale() {
    let mut child = common::chuhe(&["play", "--side", "both"])
        .env("LC_ALL", "zh_CN.GBK")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&encoding_rs::GBK.encode("炮二平五\n认输\n").0).unwrap();
    let out = child.wait_with_output().unwrap().stdout;
    let (out, _, has_errors) = encoding_rs::GBK.decode(&out);
    assert!(!has_errors && out.contains("红方 炮二平五 (h2e2)\n") && out.contains("红方胜：黑方认输\n"), "{out}");
}

#[test]
fn texts_are_chinese_in_a_chinese_locale() {
    let mut child = common::chuhe(&["play", "--side", "both"])
        .env("LC_ALL", "zh_CN.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("炮二平五\n等级 x\n认输\n".as_bytes()).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    for line in ["红方 炮二平五 (h2e2)\n", "没有等级 \"x\"，应为 1 到 20\n", "红方胜：黑方认输\n"]
    {
        assert!(out.contains(line), "{line} in {out}");
    }
}
