//! `chuhe play` in plain lines, through a pipe; on Unix also at a terminal.

#![cfg(feature = "play")]

use crate::common;

use std::io::Write;
use std::process::Stdio;
#[cfg(unix)]
use std::{
    fs::{self, File},
    io::Read,
    os::unix::ffi::OsStrExt,
    path::Path,
    process::{Child, Command},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
};

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
    let (_, out, _) = play(&["--side", "both", "--level", "1"], "h2e2\ngo\nundo\nundo\n");
    assert_eq!((moves(&out, "red").len(), moves(&out, "black").len()), (1, 1), "{out}");
    assert!(out.ends_with("there is no move to take back\n"), "the engine's move is taken back too: {out}");
    // Mate in one.
    let (_, out, _) = play(&["--side", "none", "--movetime", "50", "3k5/R8/9/9/9/9/9/9/9/1R3K3 w"], "");
    assert!(out.ends_with("red wins: checkmate\n"), "{out}");
}

#[test]
fn two_people_play_a_game_to_its_end() {
    // The first offer ends with the answer to it.
    let lines = "draw\na8b8\nd9e9\ndraw\ndraw\nb8a8\n";
    let (_, out, _) = play(&["--side", "both", "3k5/R8/9/9/9/9/9/9/9/1R3K3 w"], lines);
    assert_eq!((moves(&out, "red").len(), moves(&out, "black").len()), (1, 1), "{out}");
    assert!(out.contains("a draw is offered"), "{out}");
    assert!(out.contains("draw: agreed\n") && out.ends_with("the game is over (new, undo)\n"), "{out}");
}

#[test]
fn moves_are_taken_back_with_the_answers_to_them() {
    let (_, out, _) = play(&["--level", "1"], "h2e2\nundo\nundo\nb2e2\n");
    assert_eq!(moves(&out, "red"), ["red C2.5 (h2e2)", "red C8.5 (b2e2)"], "{out}");
    assert!(out.contains("there is no move to take back"), "{out}");
    let (_, out, _) = play(&["--side", "black", "--level", "1"], "undo\n");
    assert!(out.ends_with("there is no move to take back\n"), "the engine's first move stays: {out}");
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
    for name in ["a game.pgn", "b.xqf", "c.fen"] {
        let path = folder.path().join(name).display().to_string();
        let (_, out, _) = play(&["--side", "both"], &format!("h2e2\nh9g7\nresign\nsave {path}\n"));
        assert!(out.ends_with(&format!("{path} written\n")), "{out}");
        let (status, verdict, _) = {
            let output = common::chuhe(&["judge", &path]).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap(), ())
        };
        assert!(status == Some(0) && verdict.ends_with("ongoing\n"), "{name}: {verdict}");
        if name.ends_with(".pgn") {
            let (_, review, _) = common::run(&["review", "--nodes", "100", &path]);
            assert!(review.ends_with("\n  0–1, resigned\n"), "{review}");
        }
        let (_, out, _) = play(&["--side", "both"], &format!("save {path}\nsave --force {path}\n"));
        let told = format!("{path} exists; with --force before it, it is replaced\n{path} written\n");
        assert!(out.ends_with(&told), "{out}");
        play(&["--side", "both"], &format!("h2e2\nh9g7\nsave --force {path}\n"));
        let (_, out, _) = play(&["--side", "both"], &format!("load {path}\nb0c2\n"));
        assert!(out.contains("red H8+7 (b0c2)"), "{out}");
        let (_, begun, _) = play(&["--side", "both", &path], "b0c2\n");
        assert!(begun.contains("red H8+7 (b0c2)"), "{begun}");
    }
}

#[test]
fn a_side_to_move_that_the_file_names_wrongly_is_said() {
    let path = "tests/data/formats/pgn_black_first_fen_w.pgn";
    let note = "black moves first, though the file says that the other side does\n";
    let (_, out, _) = play(&["--side", "both"], &format!("load {path}\n"));
    assert!(out.contains(note), "{out}");
}

#[test]
fn errors_are_told_and_the_game_goes_on() {
    let lines = "castle\nh2i4\nlevel 21\nsave\nsave a.txt\nsave none/a.pgn\nload missing.pgn\nlevel 20\npieces\nhelp\n";
    let (status, out, _) = play(&["--side", "both"], lines);
    assert_eq!(status, 0);
    for line in [
        "\"castle\" is not a move\n",
        "h2i4 is illegal\n",
        "\"21\" is not a level from 1 to 20\n",
        "save needs the name of a file\n",
        "a.txt: the name must end with .pgn, .xqf, .cbr, .ubb or .fen\n",
        "cannot write none/a.pgn: ",
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

/// A player at a terminal of 80 columns and 24 rows, whose games are kept in a folder.
#[cfg(unix)]
struct Player {
    child: Child,
    terminal: File,
    output: Receiver<Vec<u8>>,
    shown: String,
}

#[cfg(unix)]
impl Player {
    fn start(folder: &Path, arguments: &[&str]) -> Player {
        Player::run(common::chuhe(&[&["play", "--side", "both"], arguments].concat()), folder)
    }

    /// Runs this command at the terminal.
    fn run(mut command: Command, folder: &Path) -> Player {
        use rustix::{pty, termios};
        let terminal = pty::openpt(pty::OpenptFlags::RDWR | pty::OpenptFlags::NOCTTY).unwrap();
        pty::grantpt(&terminal).unwrap();
        pty::unlockpt(&terminal).unwrap();
        let size = termios::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        termios::tcsetwinsize(&terminal, size).unwrap();
        let name = pty::ptsname(&terminal, Vec::new()).unwrap();
        let other = File::options().read(true).write(true).open(std::ffi::OsStr::from_bytes(name.as_bytes())).unwrap();
        command.env("XDG_STATE_HOME", folder).env("TERM", "xterm");
        let child = command.stdin(other.try_clone().unwrap()).stdout(other).spawn().unwrap();
        let terminal = File::from(terminal);
        let (sender, output) = channel();
        let mut reader = terminal.try_clone().unwrap();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // An error, on Linux, when the program has ended.
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                let _ = sender.send(bytes[..length].to_vec());
            }
        });
        Player { child, terminal, output, shown: String::new() }
    }

    fn write(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until these words are shown. Escape sequences are left out: blanks need not be written.
    fn wait_for(&mut self, words: &str) {
        while !self.shown.split(' ').collect::<String>().contains(&words.replace(' ', "")) {
            let bytes =
                self.output.recv_timeout(common::PATIENCE).unwrap_or_else(|_| panic!("{words}: {}", self.shown));
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut parts = text.split("\u{1b}[");
            self.shown.push_str(parts.next().unwrap_or_default());
            for part in parts {
                self.shown.push_str(
                    part.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic()).get(1..).unwrap_or_default(),
                );
            }
        }
    }

    /// Lets it end after these keys.
    fn finish(mut self, keys: &str) {
        self.write(keys);
        let end = loop {
            if let Err(end) = self.output.recv_timeout(common::PATIENCE) {
                break end;
            }
        };
        assert_eq!(end, RecvTimeoutError::Disconnected, "it has not ended: {keys:?}");
        assert!(self.child.wait().unwrap().success());
    }
}

#[cfg(unix)]
impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[cfg(unix)]
#[test]
fn unfinished_games_go_on_and_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let start = |arguments: &[&str]| Player::start(folder.path(), &[&["--plain"], arguments].concat());
    let files = folder.path().join("chuhe");
    // A game that was only looked at is not kept.
    start(&[]).finish("quit\n");
    assert!(!files.join("game.pgn").exists());
    let mut first = start(&["--time", "10+5"]);
    first.write("h2e2\n");
    first.wait_for("black to move");
    let mut second = start(&[]);
    second.wait_for("another game is being played: this one is not kept");
    second.finish("b2e2\nquit\n");
    first.finish("h9g7\nquit\n");
    let mut again = start(&[]);
    again.wait_for("the unfinished game goes on");
    again.wait_for("red 10:0");
    again.wait_for("red to move");
    again.finish("undo\nb9c7\nquit\n");
    // A part of the file, and of a file before PGN.
    let text = fs::read_to_string(files.join("game.pgn")).unwrap();
    assert!(text.contains("1. h2e2 b9c7 *"), "{text}");
    let part = &text[..text.find("b9").unwrap()];
    fs::write(files.join("game.pgn"), part).unwrap();
    let mut damaged = start(&[]);
    damaged.wait_for("the kept game is damaged, its file is now");
    damaged.finish("quit\n");
    assert_eq!(fs::read_to_string(files.join("damaged1.pgn")).unwrap(), part);
    fs::write(files.join("game.json"), "{}").unwrap();
    let mut old = start(&[]);
    old.wait_for("game.json is of an older version");
    old.finish("h2e2\nresign\nquit\n");
    // A game that is over does not go on, and is kept with those before it.
    let finished = || fs::read_to_string(files.join("games.pgn")).unwrap();
    assert!(finished().contains("\n1. h2e2 1-0\n"), "{}", finished());
    let mut new = start(&[]);
    new.wait_for("red to move");
    assert!(!new.shown.contains("goes on"), "{}", new.shown);
    new.finish("quit\n");
    let mate = "3k5/R8/9/9/9/9/9/9/9/1R3K3 w";
    let names = ["--red", "Zhang", "--black", "Li", "--date", "2026.11.28", "--level", "7", "--time", "3+2"];
    let mut named = start(&[&names[..], &[mate]].concat());
    named.write("b0b9\n");
    named.wait_for("red wins: checkmate");
    named.write("new\nh2e2\n");
    named.wait_for("black to move");
    let text = finished();
    for part in ["[Red \"Zhang\"]", "[Black \"Li\"]", "[Date \"2026.11.28\"]", "[FEN \"3k5/R8/9", "\n1. b0b9 1-0\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The window is closed after the end.
    named.write("resign\n");
    named.wait_for("red wins: black resigns");
    named.child.kill().unwrap();
    named.child.wait().unwrap();
    let mut next = start(&[]);
    next.wait_for("black 3:00");
    assert!(!next.shown.contains("goes on"), "{}", next.shown);
    next.finish("quit\n");
    let kept = fs::read_to_string(files.join("game.pgn")).unwrap();
    assert!(kept.contains("[Level \"7\"]") && kept.contains("[TimeControl \"180+2\"]"), "{kept}");
    let text = finished();
    assert!(text.matches("[Result ").count() == 3 && text.ends_with("\n1. h2e2 1-0\n\n"), "{text}");
    start(&["--time", "none"]).finish("h2e2\nquit\n");
    assert!(!fs::read_to_string(files.join("game.pgn")).unwrap().contains("TimeControl"));
    assert!(!files.join("game.pgn.chuhe.lock").exists());
}

#[cfg(unix)]
#[test]
fn the_full_screen_takes_keys_clicks_and_pastes() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::start(folder.path(), &["--ascii", "--notation", "iccs"]);
    player.wait_for("red to move");
    // The cursor on e0, and to h0; its knight to g2.
    player.write("\u{1b}[A\u{1b}OC\u{1b}[C\u{1b}[C\r");
    player.write("\u{1b}[A\u{1b}[A\u{1b}[D ");
    player.wait_for("h0g2");
    // A click on b9, and on c7.
    player.write("\u{1b}[<0;8;2M\u{1b}[<0;8;2m\u{1b}[<0;12;6M\u{1b}[<0;12;6m");
    player.wait_for("b9c7");
    player.write("\u{1b}[200~b2e2\nx\u{1b}[201~\r");
    player.wait_for("b2e2");
    player.write("炮８平５\r");
    player.wait_for("h7e7");
    player.finish("half a line\u{3}");
}

/// `setsid --ctty` of util-linux makes the terminal that of the program.
#[cfg(target_os = "linux")]
#[test]
fn control_c_ends_it_within_an_escape_sequence() {
    let folder = tempfile::tempdir().unwrap();
    for begun in ["", "\u{1b}[3", "\u{1b}[200~a paste without its end"] {
        let program = common::chuhe(&["play", "--side", "both", "--ascii"]);
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]).arg(program.get_program()).args(program.get_args()).env("LC_ALL", "C");
        let mut player = Player::run(command, folder.path());
        player.wait_for("red to move");
        player.write(begun);
        player.finish("\u{3}");
    }
}
