//! `chuhe match` through the binary, with fake engines: scripts that answer at once, and fail as they are told.
#![cfg(unix)]

use crate::common;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;
use tempfile::TempDir;

struct Arena {
    folder: TempDir,
}

impl Arena {
    fn new() -> Arena {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fake");
        fs::write(&path, common::FAKE_ENGINE).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Arena { folder }
    }

    /// Runs `chuhe match` with these words: exit status, output, errors.
    fn run(&self, words: &str) -> (i32, String, String) {
        let mut command = common::chuhe(&["match"]);
        let output = command.args(words.split_whitespace()).current_dir(&self.folder).output().expect("it starts");
        let Output { status, stdout, stderr } = output;
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("no signal"), text(stdout), text(stderr))
    }

    /// Runs a match that succeeds: its output.
    fn play(&self, words: &str) -> String {
        let (code, out, errors) = self.run(words);
        assert_eq!((code, errors.as_str()), (0, ""), "{out}");
        out
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The objects of a file of JSON lines, without what depends on the clock.
    fn objects(&self, name: &str) -> Vec<Value> {
        let timed = ["started", "ms", "nps", "time_ms", "longest_ms", "least_left_ms"];
        fn strip(value: &mut Value, keys: &[&str]) {
            match value {
                Value::Object(map) => {
                    keys.iter().for_each(|key| drop(map.remove(*key)));
                    map.values_mut().for_each(|value| strip(value, keys));
                }
                Value::Array(list) => list.iter_mut().for_each(|value| strip(value, keys)),
                _ => {}
            }
        }
        let read = |line: &str| {
            let mut value = serde_json::from_str(line).unwrap();
            strip(&mut value, &timed);
            value
        };
        self.read(name).lines().map(read).collect()
    }
}

/// The words for an engine that fails at a move.
fn fake(name: &str, failure: &str, at_move: &str) -> String {
    format!("-engine name={name} cmd=./fake arg={failure} arg={at_move} ranks=0 ")
}

#[test]
fn failures_of_engines_are_results_and_the_match_goes_on() {
    let arena = Arena::new();
    // What is limited by time fails at its first move: a busy machine cannot make it fail before.
    for (failure, at_move, limit, termination, reason) in [
        ("crash", 2, "nodes=5", "crash", "its program ended: exit status: 3"),
        ("kill", 2, "nodes=5", "crash", "its program ended: signal: 9 (SIGKILL)"),
        ("hang", 1, "nodes=5 -hang 0.3", "hang", "no answer in time"),
        ("hang", 1, "tc=0.2+0.01 timemargin=0", "time-forfeit", "no answer in time, nor 1000 ms later"),
        ("flood", 1, "st=0.1 timemargin=50", "time-forfeit", "no answer in time, nor 1000 ms later"),
        // `too late`, or on a busy machine `later`.
        ("late", 1, "st=0.1 timemargin=50", "time-forfeit", " ms "),
        ("illegal", 2, "nodes=5", "illegal-move", "e0e9 is illegal: the K on e0 "),
        ("nonsense", 2, "nodes=5", "illegal-move", "\"castles\" is not a move"),
        ("nothing", 2, "nodes=5", "no-move", "has no move, though there are legal ones"),
        ("resign", 2, "nodes=5", "resignation", "resigns"),
        ("draw", 2, "nodes=5", "repetition", "draw: repetition without violation"),
    ] {
        let players = fake("good", "-", "0") + "tc=600+1 " + &fake("bad", failure, &at_move.to_string());
        let out = arena.play(&format!("{players} {limit} -each proto=ucci -games 2 -output games"));
        let games = &arena.objects("games")[1..];
        fs::remove_file(arena.folder.path().join("games")).unwrap();
        assert_eq!(games.len(), 3, "{failure}: {out}");
        for (game, (winner, plies)) in games.iter().zip([("1-0", 2 * at_move - 1), ("0-1", 2 * at_move - 2)]) {
            assert_eq!(game["termination"], termination, "{failure}: {game}");
            assert!(game["reason"].as_str().unwrap().contains(reason), "{failure}: {game}");
            if failure != "draw" {
                assert_eq!(game["result"], winner, "{failure}");
                assert_eq!(game["moves"].as_array().unwrap().len(), plies, "{failure}");
            }
        }
        let failed = |name: &str| {
            games[2]["result"]["engines"]
                .as_array()
                .unwrap()
                .iter()
                .any(|engine| engine["name"] == name && !engine["failures"].as_object().unwrap().is_empty())
        };
        assert_eq!((failed("bad"), failed("good")), (!matches!(failure, "resign" | "draw"), false), "{failure}");
    }
}

#[test]
fn an_opening_whose_side_to_move_is_named_wrongly_is_said() {
    let arena = Arena::new();
    let path = "pgn_black_first_fen_w.pgn";
    fs::copy(Path::new("tests/data/formats").join(path), arena.folder.path().join(path)).unwrap();
    let players = fake("a", "-", "0") + &fake("b", "-", "0");
    let (_, _, errors) = arena.run(&format!("{players} -each nodes=5 -games 1 -openings file={path}"));
    assert!(errors.contains(&format!("{path}: game 1: black moves first, though the file says")), "{errors}");
}

#[test]
fn engines_that_do_not_read_or_leave_children_do_not_hold_the_match_up() {
    let arena = Arena::new();
    let limit = "-each nodes=5 proto=ucci -hang 1000 -games 2";
    let ahead = fake("ahead", "ahead", "0") + &format!("option.x={} ", "x".repeat(100_000));
    let out = arena.play(&format!("{ahead} {} {limit}", fake("good", "-", "0")));
    assert!(out.contains("ends: "), "{out}");
    let out = arena.play(&format!("{} {} {limit}", fake("parent", "child", "2"), fake("good", "-", "0")));
    assert!(out.matches("its program ended: exit status: 4").count() == 2, "{out}");
    let children = arena.read("children");
    assert_eq!(children.lines().count(), 2);
    let deadline = Instant::now() + common::PATIENCE;
    for child in children.lines() {
        // An ended one may be left to a parent that does not ask for it.
        let is_alive = || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", child]).output().expect("there is ps").stdout;
            !state.is_empty() && !state.starts_with(b"Z")
        };
        while is_alive() {
            assert!(Instant::now() < deadline, "the child lives");
        }
    }
}

/// A lack of the arbiter is no result of a game.
#[test]
fn without_files_for_its_engines_the_match_ends() {
    let arena = Arena::new();
    let words = fake("a", "gate", "2") + &fake("b", "-", "0") + "-each nodes=5 -games 2 -rounds 8 -concurrency 8";
    fs::write(arena.folder.path().join("gate"), "").unwrap();
    let script = format!("ulimit -n 20; exec \"$0\" match {words} -output games");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_chuhe")]).env("LC_ALL", "C");
    let output = command.current_dir(&arena.folder).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = "error: there are not enough files, processes or memory for so many engines: ";
    assert!(output.status.code() == Some(2) && errors.starts_with(expected), "{errors}");
    assert!(!arena.read("games").contains("crash"));
}

#[test]
fn an_engine_that_does_not_start_any_more_ends_the_match() {
    let arena = Arena::new();
    let players = fake("bad", "gone", "0") + &fake("good", "-", "0");
    let (code, out, errors) = arena.run(&(players + "-each nodes=5 proto=ucci -rounds 5"));
    assert_eq!((code, errors.as_str()), (2, "error: engine bad: its program ended: exit status: 7\n"));
    assert!(
        out.starts_with("1/10 bad – good 0-1 black wins: red: its program ended: exit status: 7, 0 plies"),
        "{out}"
    );
    assert!(out.contains("ends: crash 2; 0 plies"), "{out}");
}

#[test]
fn draws_are_agreed_and_offers_declined() {
    let arena = Arena::new();
    let agreed = fake("a", "draw", "0") + &fake("b", "draw", "0") + "-each nodes=5 -games 1";
    assert!(arena.play(&agreed).starts_with("1/1 a – b 1/2-1/2 draw: both sides agree, 2 plies | "));
}

#[test]
fn engines_think_in_the_turn_of_the_opponent() {
    let arena = Arena::new();
    for (expectation, stop) in [("hit", "ponderhit"), ("miss", "stop")] {
        let players = fake("a", expectation, "0") + &fake("b", expectation, "0");
        let out = arena.play(&format!("{players} -each tc=60+1 ponder=on -games 2 -log log"));
        assert_eq!(out.matches("draw: repetition without violation, 8 plies").count(), 2, "{out}");
        let log = arena.read("log");
        assert!(log.contains("a < go ponder time 6") && log.contains(&format!("a < {stop}\n")), "{log}");
    }
}

#[test]
fn protocol_and_ranks_are_found_by_asking() {
    let arena = Arena::new();
    let players = "-engine name=uci cmd=./fake arg=- arg=0 arg=1 -engine name=ucci cmd=./fake -engine name=own \
                   option.level=1 option.usebook=false";
    arena.play(&format!("{players} -each nodes=50 -games 2 -output games -log log"));
    let settings = &arena.objects("games")[0]["settings"]["engines"];
    let told =
        |engine: usize| (settings[engine]["protocol"].as_str().unwrap(), settings[engine]["ranks"].as_u64().unwrap());
    assert_eq!([told(0), told(1), told(2)], [("uci", 1), ("ucci", 0), ("ucci", 0)]);
    let log = arena.read("log");
    assert!(log.contains("uci < setoption name UCI_Variant value xiangqi\n"), "{log}");
    assert!(log.contains("moves i1i2 a10a9") && log.contains("moves i0i1 a9a8"), "{log}");
}

#[test]
fn engines_that_count_seconds_in_ucci_are_asked_in_uci_if_they_speak_it() {
    let arena = Arena::new();
    let players = fake("both", "both", "0") + &fake("seconds", "seconds", "0") + &fake("other", "-", "0");
    arena.play(&format!("{players} -each tc=60+1 -games 2 -output games -log log"));
    let settings = &arena.objects("games")[0]["settings"]["engines"];
    let protocols = [0, 1, 2].map(|engine: usize| settings[engine]["protocol"].as_str().unwrap().to_string());
    assert_eq!(protocols, ["uci", "ucci", "ucci"]);
    let log = arena.read("log");
    for go in ["both < go wtime 60000 ", "seconds < go time 60 increment 1 ", "other < go time 60000 "] {
        assert!(log.contains(go), "{go}: {log}");
    }
    assert!(log.contains("other < setoption usemillisec true\n"), "{log}");
}

#[test]
fn files_of_others_are_not_replaced() {
    let arena = Arena::new();
    let path = |name: &str| arena.folder.path().join(name);
    let words = "-engine name=a cmd=./fake -engine name=b cmd=./fake -each nodes=5 -output games -log log -pgnout";
    fs::write(path("other.pgn"), "[Event \"mine\"]\n\n1. h2e2 *\n").unwrap();
    fs::write(path("log"), "before\n").unwrap();
    // Whether or not the match has games.
    for _ in 0..2 {
        let (code, _, errors) = arena.run(&format!("{words} other.pgn -resume"));
        assert!(code == 2 && errors.contains("other.pgn: it exists, and its games are others"), "{errors}");
        assert!(arena.read("other.pgn").contains("mine"));
        arena.play(&format!("{words} own.pgn -resume"));
    }
    assert_eq!(arena.read("own.pgn").matches("[Event").count(), 2);
    assert!(arena.read("log").starts_with("before\n") && arena.read("log").contains("bestmove"));
}

#[test]
fn outputs_are_no_inputs_and_a_refusal_leaves_nothing_behind() {
    let arena = Arena::new();
    let path = |name: &str| arena.folder.path().join(name);
    fs::write(path("openings.pgn"), "[Event \"mine\"]\n\n1. h2e2 *\n").unwrap();
    fs::write(path("old"), "{}\n").unwrap();
    fs::copy("tests/data/small.dat", path("book.dat")).unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(&arena.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let words = "-engine name=a cmd=./fake -engine name=b cmd=./fake option.Book=book.dat -each nodes=5 \
                 -openings file=openings.pgn -output games -log log";
    for (rest, expected) in [
        ("-log openings.pgn", "openings.pgn is read, and would be replaced"),
        ("-pgnout openings.pgn", "openings.pgn is read, and would be replaced"),
        ("-pgnout fake", "fake is read, and would be replaced"),
        ("-pgnout book.dat", "book.dat is read, and would be replaced"),
        ("-each stderr=openings.pgn", "openings.pgn is read, and would be replaced"),
        ("-each stderr=games", "games: two outputs cannot be the same file"),
        ("-pgnout ./log", "log: two outputs cannot be the same file"),
        ("-pgnout games", "games: two outputs cannot be the same file"),
        ("-pgnout old", "old: it exists, and its games are others"),
    ] {
        let words = if rest.starts_with("-log") { words.replace(" -log log", "") } else { words.to_string() };
        let (code, out, errors) = arena.run(&format!("{words} {rest}"));
        assert!(code == 2 && out.is_empty() && errors.ends_with(&format!("{expected}\n")), "{rest}: {errors}");
        assert_eq!(names(), before, "{rest}");
    }
    arena.run(&format!("{words} -pgnout new -each stderr=log"));
    assert!(path("games").exists() && path("new").exists(), "the retry succeeds");
    assert!(!path("games.chuhe.lock").exists());
}

#[test]
fn options_that_an_engine_does_not_take_end_the_match_before_it_begins() {
    let arena = Arena::new();
    for (players, expected) in [
        ("-engine name=a cmd=./fake option.level=3 -engine name=b", "engine a has no option level"),
        ("-engine name=a -engine name=b option.level=33", "engine b: option level does not take \"33\""),
        ("-engine name=a -engine name=b option.levle=3", "engine b has no option levle"),
        ("-engine name=a -engine name=b option.style=wild", "engine b: option style does not take \"wild\""),
    ] {
        let (code, out, errors) = arena.run(&format!("{players} -each nodes=5 -games 1 -output games"));
        assert_eq!((code, out.as_str(), errors), (2, "", format!("error: {expected}\n")));
        assert!(!arena.folder.path().join("games").exists());
    }
    arena.play("-engine name=a -engine name=b option.usebook=FALSE option.level=1 -each nodes=5 -games 1");
}

#[test]
fn an_engine_of_neither_protocol_is_named() {
    let arena = Arena::new();
    for kind in ["silent", "foreign"] {
        let players = format!("-engine name=a nodes=5 cmd=./fake arg={kind} -engine name=b nodes=5");
        let (code, _, errors) = arena.run(&(players + " -startup 1"));
        let expected = "error: engine a: it speaks neither UCCI nor UCI: no answer to either within 2 s ";
        assert!(code == 2 && errors.starts_with(expected), "{kind}: {errors}");
    }
}

#[test]
fn in_a_chinese_locale_the_match_speaks_chinese() {
    let arena = Arena::new();
    let words = fake("甲", "-", "0") + &fake("乙", "illegal", "2") + "-each nodes=5";
    let mut command = common::chuhe(&["match"]);
    command.args(words.split_whitespace()).current_dir(&arena.folder).env("LC_ALL", "zh_CN.UTF-8");
    let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(out.starts_with("1/2 甲 – 乙 1-0 着法不合规则（"), "{out}");
    assert!(out.contains("终局：着法不合规则 2；平均") && out.contains("乙：负于着法不合规则 2"), "{out}");
}

#[test]
fn resumed_matches_are_those_that_were_not_interrupted() {
    let arena = Arena::new();
    let words = |file: &str, rest: &str| {
        fake("a", "resign", "3")
            + &fake("b", "resign", "2")
            + &fake("c", "illegal", "4")
            + &format!("-each nodes=5 -rounds 2 -openings format=named --output {file} -pgnout {file}.pgn {rest}")
    };
    // Games from openings of 8 plies: the fakes' moves are illegal there, but for some.
    let whole_text = arena.play(&words("whole", ""));
    let (whole, bytes) = (arena.objects("whole"), arena.read("whole"));
    let strip = |text: String| -> String {
        let words = text.split_whitespace().filter(|word| !word.ends_with("s}") && !word.starts_with("{"));
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(whole.len(), 14);
    let ends: Vec<usize> = bytes.match_indices('\n').map(|(index, _)| index + 1).collect();
    for cut in [ends[0] + 5, ends[0], ends[4], ends[7] - 1, ends[11] + 30, ends[12] + 3, bytes.len()] {
        fs::write(arena.folder.path().join("cut"), &bytes[..cut]).unwrap();
        if cut < ends[1] {
            // A game is in it before it is in the PGN.
            fs::write(arena.folder.path().join("cut.pgn"), "").unwrap();
        }
        let text = arena.play(&words("cut", "--resume -concurrency 3"));
        assert_eq!(arena.objects("cut"), whole, "cut after {cut} bytes");
        assert_eq!(strip(arena.read("cut.pgn")), strip(arena.read("whole.pgn")));
        let games = |text: &str| text.lines().take(12).map(String::from).collect::<Vec<_>>();
        assert_eq!(games(&text), games(&whole_text));
    }
    let (code, _, errors) = arena.run(&words("whole", ""));
    assert!(code == 2 && errors.contains("whole: it exists; --resume continues it"), "{errors}");
    let (code, _, errors) = arena.run(&(words("whole", "--resume") + " -seed 5"));
    assert!(code == 2 && errors.contains("played with other settings: openings"), "{errors}");
    assert_eq!(arena.read("whole"), bytes);
}

#[test]
fn a_line_with_a_wrong_position_or_move_is_refused() {
    let arena = Arena::new();
    let words = fake("a", "-", "0") + &fake("b", "-", "0") + "-each nodes=5 -output games";
    arena.play(&words);
    let whole = arena.read("games");
    for (good, bad, expected) in [
        ("\"fen\":\"rnba", "\"fen\":\"xnba", "games: line 2 is not of a match: \"xnbakabnr/"),
        ("\"move\":\"a9a8\"", "\"move\":\"a9b9\"", "games: line 2 is not of a match: a9b9 is illegal"),
        ("\"move\":\"a9a8\"", "\"move\":\"a9\"", "games: line 2 is not of a match: not a move: \"a9\""),
        ("\"result\":\"1/2-1/2\"", "\"result\":\"2-0\"", "games: line 2 is not of a match: \"2-0\" is no result"),
    ] {
        let changed = whole.replacen(good, bad, 1);
        assert_ne!(changed, whole, "{good}");
        fs::write(arena.folder.path().join("games"), &changed).unwrap();
        let (code, out, errors) = arena.run(&format!("{words} -resume"));
        assert!(code == 2 && out.is_empty() && errors.contains(expected), "{errors}");
        assert_eq!(arena.read("games"), changed);
    }
}

/// Games of a file: each with its moves and its result.
fn moves_and_results(games: &[Value]) -> Vec<String> {
    let of_game = |game: &Value| {
        let moves = game["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap());
        format!("{} {}", moves.collect::<Vec<_>>().join(" "), game["reason"])
    };
    games.iter().map(of_game).collect()
}

#[test]
fn engines_inside_the_process_play_the_games_of_programs() {
    let arena = Arena::new();
    let games = |file: &str, players: &[&str], rest: &str| {
        let words = format!("{} -openings format=random --output {file} -rounds 2 {rest}", players.join(" "));
        arena.play(&words);
        arena.objects(file)[1..5].to_vec()
    };
    let options = "option.hashsize=4 option.usebook=false option.useegtb=false option.resign=false option.draws=false";
    let programs = ["large", "small"].map(|name| format!("-engine name={name} {options} option.knowledge={name}"));
    let inside = ["-engine eval=large", "-engine eval=small"];
    let nodes = "-each nodes=300";
    let expected = moves_and_results(&games("programs", &[&programs[0], &programs[1]], nodes));
    for (file, players) in [("inside", inside), ("mixed", [inside[0], &programs[1]])] {
        assert_eq!(moves_and_results(&games(file, &players, nodes)), expected, "{file}");
    }
    // A clock that counts nodes does not depend on the machine.
    let clock = "-each tc=5+0.05 nodestime=2";
    let first = games("clock", &inside, clock);
    assert!(games("again", &inside, &format!("{clock} -concurrency 3")) == first);
    let moves = first[0]["moves"].as_array().unwrap().iter().step_by(2);
    let used: u64 = moves.filter_map(|mv| mv["nodes"].as_u64()).sum();
    assert!((3_000..20_000).contains(&used), "{used} nodes of 10,000 and 100 for each move");
}

#[test]
fn words_of_programs_and_of_engines_inside_the_process_are_not_mixed() {
    let arena = Arena::new();
    for (engine, expected) in [
        ("eval=large cmd=./fake", "engine large: cmd= does not go with eval="),
        ("eval=large ponder=on", "engine large: ponder= does not go with eval="),
        ("name=a nodestime=1", "engine a: nodestime= does not go with cmd="),
        ("eval=large nodestime=x", "--engine: \"x\" is no value of nodestime"),
        ("eval=large option.level=3", "engine large has no option level"),
        ("eval=./fake", "./fake: "),
        ("eval=nothing", "nothing: "),
    ] {
        let (code, out, errors) = arena.run(&format!("-engine {engine} -engine name=b -each nodes=5"));
        assert!(code == 2 && out.is_empty() && errors.contains(expected), "{engine}: {errors}");
    }
}

/// Levels choose their moves at random: by the seed of the match, whatever the number of games at once.
#[test]
fn random_moves_of_levels_are_those_of_the_seed() {
    let arena = Arena::new();
    let words = |file: &str, rest: &str| {
        let engine = |name: &str, level: u32| format!("-engine name={name} option.level={level} ");
        engine("a", 1)
            + &engine("b", 3)
            + &format!("-each nodes=300 option.usebook=false -rounds 2 --output {file} {rest}")
    };
    let games = |file: &str, rest: &str| {
        arena.play(&words(file, rest));
        arena.objects(file).split_off(1)
    };
    let first = games("first", "-seed 5");
    assert_eq!(games("again", "-seed 5 -concurrency 3"), first);
    assert_ne!(games("other", "-seed 6"), first);
    assert_ne!(first[0]["moves"], first[1]["moves"], "games differ");
}

#[test]
fn an_interrupted_match_prints_its_results_and_goes_on() {
    let arena = Arena::new();
    let words = fake("a", "gate", "2") + &fake("b", "-", "0") + "-each nodes=5 -output games";
    arena.play(&words);
    let whole = arena.objects("games");
    fs::remove_file(arena.folder.path().join("games")).unwrap();
    fs::write(arena.folder.path().join("gate"), "").unwrap();
    let mut command = common::chuhe(&["match"]);
    command.args(words.split_whitespace()).current_dir(&arena.folder);
    let mut client = common::Client::spawn(command);
    let first = client.line();
    assert!(first.starts_with("1/2 a – b 1/2-1/2 "), "{first}");
    let kill = Command::new("kill").arg(client.pid().to_string()).status().unwrap();
    assert!(kill.success());
    let finished = client.finish();
    assert_eq!(
        (finished.status.code(), finished.errors.as_str()),
        (Some(2), "error: the match was interrupted; the same command with --resume goes on\n")
    );
    assert!(finished.lines.iter().any(|line| line.starts_with("ends: repetition 1; 8 plies")), "{finished:?}");
    fs::remove_file(arena.folder.path().join("gate")).unwrap();
    arena.play(&(words + " -resume"));
    assert_eq!(arena.objects("games"), whole);
}

#[test]
fn swiss_tournaments_have_a_crosstable() {
    let arena = Arena::new();
    // Who resigns later is the stronger one.
    let players: String =
        [("d", "3"), ("a", "0"), ("c", "2"), ("b", "1")].map(|(name, at)| fake(name, "resign", at)).concat();
    let out = arena.play(&format!("{players} -each nodes=5 -tournament swiss -rounds 3 -concurrency 2"));
    let rows: Vec<Vec<&str>> = out.lines().skip(12).take(10).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["engine", "games", "+", "=", "-", "points", "%", "Elo", "Buchholz", "1"], "{out}");
    // What is wider than a line stands below.
    assert_eq!(rows[5], ["engine", "2", "3", "4"], "{out}");
    let table = (1..5)
        .map(|place| (rows[place][1], rows[place][6], *rows[place].last().unwrap(), rows[place + 5][2..].join(" ")));
    let expected = [
        ("a", "6", "·", "2/2 2/2 2/2"),
        ("d", "4", "0/2", "· 2/2 2/2"),
        ("c", "2", "0/2", "0/2 · 2/2"),
        ("b", "0", "0/2", "0/2 0/2 ·"),
    ];
    let expected = expected.map(|(name, points, first, others)| (name, points, first, others.to_string()));
    assert_eq!(table.collect::<Vec<_>>(), expected, "{out}");
}

#[test]
fn byes_of_swiss_tournaments_are_shown() {
    let arena = Arena::new();
    let players: String = [("a", "0"), ("b", "4"), ("c", "3"), ("d", "2"), ("e", "1")]
        .map(|(name, at)| fake(name, "resign", at))
        .concat();
    let out = arena.play(&format!("{players} -each nodes=5 -tournament swiss -rounds 3 -output games"));
    assert!(out.lines().any(|line| line.starts_with("   engine  games  +  =  -  bye  points")), "{out}");
    let result = arena.objects("games").pop().unwrap();
    let engines = result["result"]["engines"].as_array().unwrap();
    let value = |engine: &Value, key: &str| engine[key].as_f64().unwrap();
    assert_eq!(engines.iter().map(|engine| value(engine, "byes")).sum::<f64>(), 6.0);
    for engine in engines {
        let sum = value(engine, "wins") + value(engine, "draws") / 2.0 + value(engine, "byes");
        assert_eq!(value(engine, "points"), sum, "{engine}");
    }
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let arena = Arena::new();
    let players = fake("a", "-", "0") + &fake("b", "resign", "1");
    let out =
        arena.play(&format!("{players} -each nodes=5 -rounds 500 -games 2 -repeat -recover -sprt elo0=0 elo1=300 -concurrency 4 -output games"));
    assert!(out.contains("H1 accepted"), "{out}");
    let games = arena.objects("games");
    let played = games.last().unwrap()["result"]["games"].as_u64().unwrap() as usize;
    assert!(played < 100 && played.is_multiple_of(2) && games.len() == played + 2, "{played}");
}

#[test]
fn games_are_adjudicated() {
    let arena = Arena::new();
    let players = fake("a", "-", "0") + &fake("b", "-", "0");
    let play = |rest: &str| arena.play(&format!("{players} -each nodes=5 -games 1 {rest}"));
    assert!(play("-draw movenumber=1 movecount=2 score=12").contains("draw: adjudicated by the scores, 4 plies"));
    assert!(play("-draw movenumber=1 movecount=2 score=11").contains("repetition without violation, 8 plies"));
    assert!(play("-resign movecount=2 score=-12").contains("wins: adjudicated by the scores, 3 plies"));
    assert!(play("-maxmoves 3").contains("draw: the greatest number of moves, 6 plies"));
    assert!(play("-occurrences 2").contains("repetition without violation, 4 plies"));
    let mate = arena.folder.path().join("mate.epd");
    fs::write(mate, "3k5/9/9/9/9/9/R8/9/4K4/9 w - - id \"mate in one\";\n").unwrap();
    assert!(play("-openings file=mate.epd -tb").contains("red wins: endgame table: red wins in 1 ply, 0 plies"));
}

#[test]
#[ignore = "by the wall clock, on a quiet machine"]
fn sixteen_games_at_once_lose_no_time() {
    let arena = Arena::new();
    let players = fake("a", "-", "0") + &fake("b", "-", "0");
    let limits = "-each tc=0.1+0.01 timemargin=0 -occurrences 255";
    let out = arena.play(&format!("{players} {limits} -rounds 160 -concurrency 16"));
    assert!(out.contains("ends: move limit 320; 120 plies on average"), "{out}");
}

#[test]
fn wrong_arguments_are_refused_with_the_word() {
    let arena = Arena::new();
    let two = "-engine name=a cmd=./fake -engine name=b cmd=./fake";
    for (words, expected) in [
        ("-engine cmd=./fake nodes=5", "--engine is needed twice or more"),
        ("-engine cmd=./fake -engine cmd=./fake -each nodes=5", "two engines are called fake: name= tells them apart"),
        (&format!("{two} -each nodes=5 depth=1"), "--each: two limits, nodes=5 and depth=1"),
        (two, "no limit of engine a, as tc=, st=, movetime=, nodes= or depth="),
        ("-engine name -engine name=b", "--engine: expected KEY=VALUE, found \"name\""),
        (&format!("{two} -each nodes=5 hash=3"), "--each: there is no key \"hash\""),
        (&format!("{two} -each nodes=5 proto=cecp"), "--each: \"cecp\" is no value of proto"),
        (
            &format!("{two} -each tc=x"),
            "expected tc=[MOVES/]SECONDS[+INCREMENT], st=SECONDS, movetime=MS, nodes=N or depth=N, found tc=x",
        ),
        (&format!("{two} -each nodes=5 -resign score=3"), "--resign: movecount= is missing"),
        (&format!("{two} -each nodes=5 -sprt elo0=5 elo1=0"), "--sprt: expected elo0 below elo1"),
        (&format!("{two} -each nodes=5 -openings file=none"), "none: "),
        (&format!("{two} -each nodes=5 -openings order=up"), "--openings: \"up\" is no value of order"),
        (&format!("{two} -each nodes=5 -repetition mine"), "[possible values: asian, league, chinese, plain]"),
    ] {
        let (code, out, errors) = arena.run(words);
        assert!(code == 2 && out.is_empty() && errors.contains(expected), "{words}: {errors}");
    }
    let (code, _, errors) = arena.run("-engine name=a dir=none nodes=5 -engine nodes=5");
    assert!(code == 2 && errors == "error: engine a: none is no folder\n", "{errors}");
    let (code, _, errors) = arena.run("-engine name=a cmd=./none nodes=5 -engine nodes=5");
    assert!(code == 2 && errors.starts_with("error: engine a: cannot start ./none: "), "{errors}");
    assert!(!Path::new("fake").exists());
}
