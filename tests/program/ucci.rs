//! UCCI through the real binary: checks that the conversations in `tests/conversations` cannot express.

use crate::common;
use crate::data;

use chuhe::position::Position;
use chuhe::types::Move;
use common::{Client, messages, script, with_word};
use std::time::{Duration, Instant};

/// A rook ending in which Red has two dozen moves.
const ENDING: &str = "4k4/9/9/9/r8/9/8R/9/9/3K5 w - - 0 1";

/// The move of a `bestmove` line: exactly the four characters after the word.
fn best_move(line: &str) -> Move {
    let text = line.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{line}"));
    assert!(text.len() == 4 || text.as_bytes()[4] == b' ', "{line}");
    text[..4].parse().unwrap()
}

/// Answers to `go`.
fn answers(lines: &[String]) -> usize {
    with_word(lines, "bestmove").len() + with_word(lines, "nobestmove").len()
}

// ── States ──────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn script_runs_to_its_end() {
    let lines = script("ucci\nposition startpos\ngo depth 6\nquit\n");
    assert_eq!(lines.last().unwrap(), "bye");
    let best = best_move(&lines[lines.len() - 2]);
    assert!(Position::start().is_legal(best));
}

/// Scripts take the first move of the last line (github.com/windshadow233/python-chinese-chess/issues/7).
#[test]
fn every_line_of_a_search_has_moves() {
    for dialect in ["ucci", "uci"] {
        let lines = script(format!(
            "{dialect}\nposition startpos\ngo nodes 200000\n\
             position fen 1Crak1b2/c3a4/4b1n2/5Rp1p/1RN1C4/6P2/P3p3P/9/4A4/2BAK2cr w - - 0 1\ngo nodes 200000\n"
        ));
        let iterations: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth ")).collect();
        assert!(iterations.len() > 10 && iterations.iter().all(|line| line.contains(" pv ")), "{iterations:#?}");
    }
}

#[test]
fn commands_work_without_greeting() {
    let lines = script("position startpos moves h2e2\nfen\ngo depth 3\n");
    assert_eq!(with_word(&lines, "bestmove").len(), 1);
    assert!(lines[0].ends_with(" b - - 1 1"), "{}", lines[0]);
}

#[test]
fn quit_answers_the_running_search_and_drops_later_commands() {
    let lines = script("go infinite\nfen\ngo infinite\nfen\nquit\nfen\n");
    assert_eq!(answers(&lines), 1);
    assert!(lines[lines.len() - 2].starts_with("bestmove "));
    assert_eq!(lines.last().unwrap(), "bye");
    // Commands before the search are executed.
    let lines = script("fen\ngo ponder time 1000\nquit\n");
    assert!(lines[0].starts_with("rnbakabnr/"));
    assert_eq!(answers(&lines), 1);
}

#[test]
fn end_of_input_is_no_error() {
    assert_eq!(script(""), [""; 0]);
    assert_eq!(script("isready"), ["readyok"], "the last line may lack its newline");
    for go in [
        "go depth 4",
        "go nodes 2000",
        "go time 50",
        "go infinite",
        "go",
        "go ponder time 60000",
        "go ponder",
        "uci\ngo",
    ] {
        let lines = script(format!("position startpos\n{go}\n"));
        assert_eq!(with_word(&lines, "bestmove").len(), 1, "{go}");
    }
    // Searches with a depth limit run to their end after the end of input.
    let lines = script("go depth 8\nposition startpos moves h2e2\ngo depth 9\n");
    let ends = lines.iter().enumerate().filter(|(_, line)| line.starts_with("bestmove "));
    let depths: Vec<&str> = ends
        .filter_map(|(end, _)| lines[..end].iter().rev().find_map(|line| line.strip_prefix("info depth ")))
        .filter_map(|rest| rest.split(' ').next())
        .collect();
    assert_eq!(depths, ["8", "9"]);
}

#[test]
fn every_position_of_a_file_is_analysed() {
    let pairs = format!("position startpos moves h2e2\ngo depth 3\nposition fen {ENDING}\ngo depth 3\n").repeat(20);
    for script_text in [
        format!("ucci\nsetoption batch on\n{pairs}quit\n"),
        format!("ucci\nsetoption batch true\n{pairs}"),
        format!("ucci\n{pairs}"),
    ] {
        let lines = script(&script_text);
        let best = with_word(&lines, "bestmove");
        assert_eq!(best.len(), 40);
        let mut after = Position::start();
        after.make("h2e2".parse().unwrap());
        let ending = Position::from_fen(ENDING).unwrap();
        for pair in best.chunks(2) {
            assert!(after.is_legal(best_move(pair[0])) && ending.is_legal(best_move(pair[1])));
        }
    }
}

#[test]
fn every_stop_is_answered() {
    const TIMES: usize = 1000;
    let mut client = Client::start();
    client.send("setoption hashsize 1");
    for _ in 0..TIMES {
        client.send("go infinite\nstop");
        assert_eq!(answers(&client.until("bestmove")), 1);
    }
    assert_eq!(client.ask(""), [""; 0]);
    // The same without waiting for answers.
    client.send(&"go infinite\nstop\n".repeat(TIMES));
    assert_eq!(answers(&client.finish().lines), TIMES);
}

#[test]
fn stop_ends_searches_that_have_not_started() {
    let mut client = Client::start();
    client.send("go infinite\ngo infinite\ngo infinite\nstop");
    for _ in 0..3 {
        client.expect("bestmove");
    }
    assert_eq!(client.ask("stop"), ["nobestmove"]);
}

#[test]
fn pondering_lasts_until_ponderhit_or_stop() {
    let mut client = Client::start();
    client.send("position startpos moves h2e2\ngo ponder time 200 increment 0\nisready");
    assert_eq!(answers(&client.until("readyok")), 0);
    client.send("ponderhit");
    client.expect("bestmove");
    client.send("go ponder time 200 increment 0\nstop");
    client.expect("bestmove");
    client.send("go ponder draw time 200\nponderhit draw\nponderhit");
    client.expect("bestmove");
    assert_eq!(client.ask(""), [""; 0], "one answer for each search");
    // Even a mate is not reported before `ponderhit` or `stop`.
    client.send("position fen 3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1\ngo ponder time 1\nisready");
    assert_eq!(answers(&client.until("readyok")), 0);
    // A search that does not wait answers within this time; a slow machine cannot make this check fail.
    let deadline = Instant::now() + Duration::from_millis(200);
    while let Ok(line) = client.line_before(deadline) {
        assert!(!line.starts_with("bestmove"), "{line}");
    }
    client.send("stop");
    client.expect("bestmove");
}

#[test]
fn closed_output_ends_the_process_with_status_zero() {
    for text in ["ucci\n", "go infinite\nstop\n", "isready\n"] {
        let status = Client::close_output_and_wait(common::chuhe(&[]), text);
        assert!(status.success(), "{text:?}: {status}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_to_a_full_disk_ends_the_process_with_status_two() {
    for text in ["ucci\n", "go infinite\nisready\n", "isready\n"] {
        let (status, errors) = common::run_with_full_disk(common::chuhe(&[]), text);
        assert_eq!(status.code(), Some(2), "{text:?}: {status}");
        assert!(errors.starts_with("error: cannot write: "), "{errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn idle_threads_sleep() {
    let mut client = Client::start();
    client.ask("ucci");
    // Wait for threads that are about to sleep; a polling thread wakes up within the window.
    let (window, deadline) = (Duration::from_millis(200), Instant::now() + common::PATIENCE);
    while switches(client.pid(), window) > 0 {
        assert!(Instant::now() < deadline, "a thread polls when idle");
    }
}

/// Voluntary context switches of the process within `time`.
#[cfg(target_os = "linux")]
fn switches(pid: u32, time: Duration) -> u64 {
    let count = || -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
        let status = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("status")).unwrap());
        let of = |text: &str| {
            text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
        };
        status.filter_map(|text| of(&text)).sum::<u64>()
    };
    let before = count();
    std::thread::sleep(time);
    count() - before
}

// ── Searches ────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn reports_are_valid_and_agree_with_the_answer() {
    let lines = script("position startpos\ngo depth 5\n");
    let best = best_move(lines.last().unwrap());
    let with_line: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.contains(" pv ")).collect();
    assert!(!with_line.is_empty());
    for line in &with_line {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words[0], words[1], words[3]), ("info", "depth", "score"), "{line}");
        assert_eq!([5, 7, 9, 11, 13].map(|index| words[index]), ["time", "nodes", "nps", "hashfull", "pv"], "{line}");
        words[2].parse::<u32>().unwrap();
        assert!(words[4].parse::<i32>().unwrap().abs() <= 10_000);
        let mut position = Position::start();
        for text in &words[14..] {
            let mv: Move = text.parse().unwrap();
            assert!(position.is_legal(mv), "{line}");
            position.make(mv);
        }
        assert!(words.len() - 14 < 60);
    }
    let last = with_line.last().unwrap().split(" pv ").nth(1).unwrap();
    assert_eq!(last[..4].parse::<Move>().unwrap(), best);
}

#[test]
fn last_pv_reported_starts_with_the_best_move() {
    let mut text = "ucci\nsetoption batch on\nsetoption threads 4\n".to_string();
    for fen in data::fens() {
        text += &format!("position fen {fen}\ngo depth 5\n");
    }
    let mut last = None;
    let mut compared = 0;
    for line in common::script(text) {
        if let Some((_, pv)) = line.split_once(" pv ") {
            last = pv.split(' ').next().map(String::from);
        } else if line.starts_with("bestmove") {
            assert_eq!(last.take().as_deref(), line.split(' ').nth(1), "{line}");
            compared += 1;
        }
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn go_accepts_the_arguments_of_clients() {
    let mut client = Client::start();
    for go in [
        "go time 40",
        "go time 100 increment 0",
        "go increment 10 opptime 100 time 100 oppincrement 10",
        "go draw time 100 movestogo 10 opptime 100 oppmovestogo 10",
        "go time -1 increment -1",
        "go time -99999999999999999999 movestogo 0",
        "go movestogo 99999999999999999999 time 100",
        "go time 0",
        "go nodes 1",
        "go depth 1",
        "go depth -0 depth 2",
        "go fast depth 2 please",
        "go depth 2 depth",
        "go time 50.5",
    ] {
        client.send(go);
        assert_eq!(answers(&client.until("bestmove")), 1, "{go}");
    }
    // A search without a limit is not what was asked for.
    client.send("go depth deep");
    assert_eq!(answers(&client.until("nobestmove")), 1);
    // These may search until stopped.
    for go in [
        "go",
        "go infinite",
        "go time 99999999999999999999 increment 99999999999999999999",
        "go opptime 5",
        "go depth 99999999999999999999",
        "go nodes 99999999999999999999",
    ] {
        client.send(go);
        client.send("stop");
        assert_eq!(answers(&client.until("bestmove")), 1, "{go}");
        // If the search ended before the stop, the stop has its own answer.
        client.ask("");
    }
}

/// Also at levels whose searches are shallow.
#[test]
fn every_level_accepts_a_draw_where_it_is_worse_and_only_there() {
    let mut client = Client::start();
    for level in [1, 3, 5, 10, 15, 20] {
        client.send(&format!("setoption level {level}"));
        for (side, accepts) in [("b", true), ("w", false)] {
            client.send(&format!("position fen 4k4/9/9/9/9/9/9/9/R8/3K5 {side} - - 0 1"));
            client.send("go draw time 60000 movestogo 30");
            let lines = client.until("bestmove");
            assert_eq!(lines.last().unwrap().ends_with(" draw"), accepts, "level {level}: {lines:?}");
        }
    }
}

#[test]
fn banned_moves_are_played_only_if_all_are_banned() {
    let position = Position::from_fen(ENDING).unwrap();
    let legal: Vec<Move> = position.legal_moves().iter().collect();
    let mut client = Client::start();
    for allowed in legal.iter().step_by(5) {
        let banned: Vec<String> = legal.iter().filter(|mv| *mv != allowed).map(Move::to_string).collect();
        // A second list replaces the first.
        let lists = format!("banmoves {allowed}\nbanmoves {}", banned.join(" "));
        client.send(&format!("position fen {ENDING}\n{lists}\ngo depth 2"));
        assert_eq!(best_move(&client.expect("bestmove")), *allowed);
    }
    let all: Vec<String> = legal.iter().map(Move::to_string).collect();
    client.send(&format!("position fen {ENDING}\nbanmoves {}\ngo depth 2", all.join(" ")));
    assert!(legal.contains(&best_move(&client.expect("bestmove"))), "all are banned: one is played all the same");
    let lines = client.ask("banmoves a0a1 i3i4 nonsense");
    assert_eq!(
        messages(&lines),
        [
            "banmoves: move 1: a0a1 is illegal: no piece on a0, red is to move",
            "banmoves: move 3: \"nonsense\" is not a move"
        ]
    );
}

#[test]
fn a_new_position_lifts_the_bans() {
    let mut client = Client::start();
    client.send(&format!("position fen {ENDING}\ngo depth 2"));
    let best = client.expect("bestmove");
    client.send(&format!("setoption newgame\nbanmoves {}\ngo depth 2", best_move(&best)));
    assert_ne!(client.expect("bestmove"), best);
    client.send(&format!("setoption newgame\nposition fen {ENDING}\ngo depth 2"));
    assert_eq!(client.expect("bestmove"), best);
}

// ── Positions ───────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn positions_of_known_clients_are_accepted() {
    let mut client = Client::start();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    for (sent, fen) in [
        ("startpos", format!("{start} w - - 0 1")),
        ("startpos moves h2e2 h9g7", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2".into()),
        (&format!("fen {start} r"), format!("{start} w - - 0 1")),
        (&format!("fen {start} b - - 7"), format!("{start} b - - 7 1")),
        (&format!("fen {start} w - - 0 4   ;A34.x - - 0 1"), format!("{start} w - - 0 4")),
        ("fen 4k4/9/9/9/4e4/9/9/4H4/9/4K4 w - - 0 1 moves e0d0", "4k4/9/9/9/4b4/9/9/4N4/9/3K5 b - - 1 1".into()),
    ] {
        assert_eq!(client.ask(&format!("position {sent}\nfen")), [fen], "{sent}");
    }
    // Text in a legacy encoding, as the league's manager sends it.
    client
        .send_bytes(b"position fen 3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 4   ;A34.\xc7\xf3\xb2\xbd\xff - - 0 1 moves d9d8\n");
    assert_eq!(client.ask("fen"), ["9/3k5/9/9/9/9/9/9/9/4K4 w - - 1 5"]);
}

#[test]
fn invalid_positions_keep_the_current_one() {
    let mut client = Client::start();
    client.send(&format!("position fen {ENDING}"));
    for bad in [
        "fen",
        "fen 9/9 w - - 0 1",
        "fen xyz",
        "fen 9/9/9/9/9/9/9/9/9/4K4 w",
        "fen 4k4/9/9/9/9/9/9/9/9/3KK4 w",
        "fen 4k4/9/9/4K4/9/9/9/9/9/9 w",
        "fen 3k5/9/9/9/9/9/9/9/9/4K4 green",
        "fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "fen 4k4/9/9/9/4R4/9/9/9/9/3K5 w - - 0 1 moves d0d1",
        "fen \u{5e25}/9/9/9/9/9/9/9/9/9 w",
        "",
        "moves h2e2",
    ] {
        let lines = client.ask(&format!("position {bad}\nfen"));
        assert_eq!(lines.len(), 2, "{bad}: {lines:?}");
        assert_eq!(messages(&lines).len(), 1, "{bad}: {lines:?}");
        assert_eq!(lines[1], ENDING, "{bad}");
    }
}

// ── Lines ───────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn line_ends_and_blanks_are_ignored() {
    let lines = script("\r\n\n   \t \r\n  isready  \r\n\tposition   startpos\t moves  h2e2 \r\n fen\r\n\r\nquit\r\n");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("readyok", "bye"));
    assert!(lines[1].contains(" b - - 1 1"));
    assert_eq!(script(b"isready\0\nisready\n"), ["info message unknown command \"isready\\0\", try help", "readyok"]);
}

#[test]
fn long_lines_are_read() {
    let mut client = Client::start();
    let game = " b0c2 b9c7 c2b0 c7b9".repeat(5_000);
    let lines = client.ask(&format!("position startpos moves{game}\nfen"));
    assert_eq!(lines, ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 20000 10001"]);
    client.send("go depth 3");
    client.expect("bestmove");
    for length in [100_000, 3_000_000] {
        let lines = client.ask(&"x".repeat(length));
        assert!(lines.len() == 1 && lines[0].starts_with("info message ") && lines[0].len() < 200, "{lines:?}");
    }
}

#[test]
fn random_seed_makes_play_reproducible() {
    let mut client = Client::start();
    client.send("setoption randomness huge");
    let mut moves = |seed: u32| -> Vec<Move> {
        client.send(&format!("setoption randomseed {seed}"));
        let mut go = || {
            client.send("setoption newgame\nposition startpos\ngo depth 5");
            best_move(&client.expect("bestmove"))
        };
        vec![go(), go()]
    };
    let first = moves(17);
    assert_eq!(first[0], first[1], "a new game begins where the seed says");
    assert_eq!(moves(17), first);
    let others: Vec<Move> = (1..12).map(|seed| moves(seed)[0]).collect();
    assert!(others.iter().any(|mv| *mv != first[0]), "{others:?}");
}

#[test]
fn pruning_is_turned_off() {
    // A mate in two by a sacrifice: three plies.
    let problem = "position fen 2R1ka3/4a4/4b4/p6Rp/6p2/9/P3N3P/c2K2N2/r3A4/1c3A3 b - - 0 1";
    let mut client = Client::start();
    let mut solves = |pruning: &str| {
        client.send(&format!("setoption pruning {pruning}\n{problem}\ngo depth 3"));
        client.until("bestmove").iter().any(|line| line.contains(" score 9997 "))
    };
    assert!(solves("none") && !solves("large") && solves("none"));
}
