//! `chuhe net` through the binary: data generation, statistics, shuffling, verification, and training.

use crate::common;

use chuhe::internals::file_lock::FileLock;
use chuhe::internals::loss::Loss;
use chuhe::internals::outcome::GameOutcome;
use chuhe::internals::sample_stream::SampleStream;
use chuhe::internals::samples::Extraction;
use chuhe::internals::train::{TrainSettings, Training};
use chuhe::internals::training_games::{Reader, TrainingGame};
use chuhe::position::Position;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// Runs `chuhe net …` in `folder` to its end: exit status, output, errors.
fn net(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    run(folder, &[&["net"], arguments].concat())
}

/// Runs `chuhe` in `folder` to its end: exit status, output, errors.
fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut command = common::chuhe(arguments);
    let Output { status, stdout, stderr } = command.current_dir(folder).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Plays a match of two evaluations in `folder`, at 200 nodes a move, with more words.
fn play(folder: &TempDir, evaluations: [&str; 2], words: &str) -> (i32, String, String) {
    let [first, second] = evaluations.map(|evaluation| format!("eval={evaluation}"));
    let players = ["match", "-engine", &first, "-engine", &second, "-each", "nodes=200"];
    run(folder, &[&players, &words.split(' ').collect::<Vec<_>>()[..]].concat())
}

/// Generates games with few nodes a move.
fn datagen(folder: &TempDir, file: &str, games: &str, threads: &str) {
    let words = ["datagen", file, "--games", games, "--threads", threads, "--nodes", "150", "--seed", "5"];
    let (code, _, errors) = net(folder, &words);
    assert_eq!((code, errors.as_str()), (0, ""));
}

fn games(path: &Path) -> Vec<TrainingGame> {
    let file = fs::read(path).unwrap();
    Reader::new(&file[..]).unwrap().map(Result::unwrap).collect()
}

#[test]
fn datagen_is_reproducible_and_resumes_after_interruption() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "whole", "6", "1");
    let whole = fs::read(folder.path().join("whole")).unwrap();
    assert_eq!(games(&folder.path().join("whole")).len(), 6);
    datagen(&folder, "broken", "3", "2");
    let broken = folder.path().join("broken");
    let half = fs::read(&broken).unwrap();
    assert_eq!(half, whole[..half.len()]);
    // Within the third game, at its end, and within the fourth.
    for cut in [half.len() - 1, half.len(), half.len() + 77] {
        fs::write(&broken, &whole[..cut]).unwrap();
        datagen(&folder, "broken", "6", "2");
        assert!(fs::read(&broken).unwrap() == whole, "cut after {cut} bytes");
    }
    datagen(&folder, "broken", "4", "1");
    assert!(fs::read(&broken).unwrap() == whole, "the file has more games already");
}

#[test]
fn files_of_other_settings_or_damaged_files_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "2", "1");
    let path = folder.path().join("games");
    let mut bytes = fs::read(&path).unwrap();
    let (code, _, errors) = net(&folder, &["datagen", "games", "--games", "3", "--nodes", "150", "--seed", "6"]);
    assert!(code == 2 && errors.contains("seed 5") && errors.contains("seed 6"), "{errors}");
    bytes[100] ^= 4;
    for content in [&bytes[..], b"[Event \"a game in another format\"]\n", b"\xFF\xFF"] {
        fs::write(&path, content).unwrap();
        for words in [&["datagen", "games", "--nodes", "150", "--seed", "5"][..], &["stats", "games"]] {
            let (code, out, errors) = net(&folder, words);
            assert!(code == 2 && out.is_empty() && errors.starts_with("error: games: "), "{errors}");
        }
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    for words in [&["stats"][..], &["stats", "nothing"], &["verify", "nothing"], &["datagen", "no/such/folder"]] {
        assert_eq!(net(&folder, words).0, 2, "{words:?}");
    }
}

#[test]
fn no_input_and_no_file_of_another_kind_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "a.games", "8", "1");
    fs::copy("src/eval/network/chuhe.net", folder.path().join("net")).unwrap();
    fs::write(folder.path().join("text"), "1. h2e2 *\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.games", folder.path().join("link")).unwrap();
        fs::hard_link(folder.path().join("a.games"), folder.path().join("hard")).unwrap();
    }
    let all = || {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> = files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect();
        files.sort();
        files
    };
    let before = all();
    let read = "is read, and would be replaced";
    for (words, expected) in [
        ("train a.games --epochs 1 --output a.games", read),
        ("train a.games --epochs 1 --output z --state ./z", "two outputs cannot be the same file"),
        ("train a.games --epochs 1 --output z --state a.games", read),
        ("train a.games --initial net --output net", read),
        ("train a.games --output text", "text exists and is no network; it is not replaced"),
        ("shuffle a.games --output a.games", read),
        ("shuffle a.games --output net", "net exists and is no file of training games"),
        ("merge a.games --output a.games", read),
        ("label a.games --output a.games", read),
        ("label a.games --eval net --output net", read),
        ("openings a.games --output a.games", read),
        ("openings a.games --output net", "net exists and is no list of openings"),
        ("datagen net --eval net", read),
        #[cfg(unix)]
        ("train a.games --output link", read),
        #[cfg(unix)]
        ("shuffle a.games --output hard", read),
    ] {
        let (code, out, errors) = net(&folder, &words.split(' ').collect::<Vec<_>>());
        assert!(code == 2 && out.is_empty() && errors.contains(expected), "{words}: {errors}");
        assert!(all() == before, "{words}");
    }
}

/// A second run on a file that is being written would destroy it.
#[test]
fn one_process_at_a_time_writes_a_file() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "2", "1");
    let path = |name: &str| folder.path().join(name);
    let before = fs::read(path("games")).unwrap();
    let locks = ["games", "state", "answers", "journal"].map(|name| FileLock::new(&path(name)).unwrap());
    for words in [
        "net datagen games --games 9 --nodes 150 --seed 5",
        "net train games --epochs 1 --output network --state state",
        "analyse startpos --depth 1 --output answers --resume",
        "match -engine name=a -engine name=b -each nodes=5 -output journal -resume",
    ] {
        let mut command = common::chuhe(&words.split(' ').collect::<Vec<_>>());
        let output = command.current_dir(&folder).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains("another process is writing "), "{words}: {errors}");
    }
    assert!(fs::read(path("games")).unwrap() == before);
    drop(locks);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    datagen(&folder, "games", "3", "1");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn merged_shards_are_the_games_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "whole", "7", "2");
    let shard = |file: &str, shard: &str, games: &str| {
        let words = ["datagen", file, "--games", games, "--nodes", "150", "--seed", "5", "--shard", shard];
        net(&folder, &words)
    };
    for (file, number) in [("a", "1/3"), ("b", "2/3"), ("c", "3/3")] {
        assert_eq!(shard(file, number, "7").0, 0);
    }
    let (code, out, _) = net(&folder, &["merge", "c", "a", "b", "--output", "merged"]);
    assert_eq!((code, out.as_str()), (0, "7 games\n"));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("merged") == read("whole"));
    let part = read("a");
    let (code, _, errors) = net(&folder, &["merge", "a", "b", "c"]);
    assert!(code == 2 && errors.contains("--output") && read("a") == part, "{errors}");
    // A shard of an interrupted run is not merged, and continued to the same bytes.
    let whole = read("b");
    fs::write(folder.path().join("b"), &whole[..whole.len() - 9]).unwrap();
    let (code, _, errors) = net(&folder, &["merge", "a", "b", "c", "--output", "merged"]);
    assert!(code == 2 && errors.contains("b: the file ends within game 2"), "{errors}");
    assert!(read("merged") == read("whole"), "the old file stays");
    shard("b", "2/3", "7");
    assert!(read("b") == whole);
    let (code, _, errors) = shard("b", "1/3", "7");
    assert!(code == 2 && errors.contains("games 3 to 4") && errors.contains("games 1 to 2"), "{errors}");
    let (code, _, errors) = net(&folder, &["merge", "a", "c", "--output", "other"]);
    assert!(code == 2 && errors.contains("c begins with game 5, and game 3 is wanted"), "{errors}");
    assert!(!folder.path().join("other").exists());
    let words = ["train", "merged", "--output", "network", "--epochs", "1", "--threads", "1"];
    let (code, text, errors) = net(&folder, &words);
    assert!(code == 0 && text.starts_with("epoch 1: ") && text.contains(" training loss "), "{text}{errors}");
}

#[test]
fn matches_begin_with_unbalanced_openings_of_games() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "40", "2");
    let find = |output: &str, threads: &str| {
        let words = ["openings", "games", "--output", output, "--ply", "2", "--min", "1", "--max", "400"];
        net(&folder, &[&words[..], &["--nodes", "500", "--count", "3", "--threads", threads]].concat())
    };
    let (code, out, errors) = find("openings", "2");
    assert_eq!((code, out.as_str()), (0, "3 openings\n"), "{errors}");
    let text = fs::read_to_string(folder.path().join("openings")).unwrap();
    let games = games(&folder.path().join("games"));
    let searched = games.iter().filter(|game| game.plies[..2].iter().all(|ply| ply.score.is_some()));
    let candidates: Vec<String> = searched.map(|game| after(game, 2)).collect();
    let mut next = candidates.iter();
    for line in text.lines() {
        let (fen, score) = line.split_once("  # ").unwrap();
        assert!(next.any(|candidate| candidate == fen), "{line} is not in the order of the games");
        assert!((1..=400).contains(&score.parse::<i32>().unwrap().abs()), "{line}");
    }
    assert_eq!(find("again", "1").0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("again")).unwrap(), text);

    let play = |openings: &str| play(&folder, ["large", "small"], &format!("-rounds 2 -openings file={openings}"));
    let (code, out, errors) = play("openings");
    assert!(code == 0 && out.contains("2 pairs"), "{errors}");
    for (content, error) in [("", "no opening"), ("# one\nrubbish\n", "opening 1: ")] {
        fs::write(folder.path().join("bad"), content).unwrap();
        let (code, _, errors) = play("bad");
        assert!(code == 2 && errors.starts_with("error: bad: ") && errors.contains(error), "{errors}");
    }
}

/// The position of a game after some plies, as a FEN.
fn after(game: &TrainingGame, plies: usize) -> String {
    let mut position = Position::from_fen(&game.start).unwrap();
    game.plies[..plies].iter().for_each(|ply| position.make(ply.mv));
    position.to_fen()
}

#[test]
fn games_are_counted_shuffled_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "one", "8", "2");
    let one = games(&folder.path().join("one"));
    let (code, text, _) = net(&folder, &["stats", "one"]);
    let plies: usize = one.iter().map(|game| game.plies.len()).sum();
    let wins = one.iter().filter(|game| game.outcome == GameOutcome::Win).count() as f64 / 8.0 * 100.0;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((code, &lines[0][..5]), (0, &["games", "8", "Red:", &format!("{wins:.1}"), "%"][..]));
    assert_eq!(lines[1][..2], ["positions", &plies.to_string()]);
    let samples: usize = lines[2][1].parse().unwrap();
    assert!(lines[2][0] == "samples" && samples > 0 && samples < plies);

    let (code, text, _) = net(&folder, &["wdl", "one"]);
    assert!(code == 0 && text.lines().last().unwrap().starts_with("even score "), "{text}");

    let shuffle = |seed: &str| {
        let (code, out, _) = net(&folder, &["shuffle", "one", "one", "--output", "two", "--seed", seed]);
        assert_eq!((code, out.as_str()), (0, "16 games\n"));
        games(&folder.path().join("two"))
    };
    let (first, again, other) = (shuffle("1"), shuffle("1"), shuffle("2"));
    assert!(first == again && first != other);
    let sorted = |mut games: Vec<TrainingGame>| {
        games.sort_by(|a, b| a.start.cmp(&b.start));
        games
    };
    assert!(sorted(first) == sorted([one.clone(), one].concat()));

    let (code, out, _) = net(&folder, &["verify", "one", "two"]);
    assert_eq!((code, out.as_str()), (0, "one: 8 valid games, 0 invalid\ntwo: 16 valid games, 0 invalid\n"));
    let whole = fs::read(folder.path().join("one")).unwrap();
    fs::write(folder.path().join("one"), &whole[..whole.len() - 9]).unwrap();
    let (code, out, _) = net(&folder, &["verify", "one"]);
    assert_eq!((code, out.as_str()), (1, "one: the file ends within game 8\none: 7 valid games, 1 invalid\n"));
}

/// The state of the training of the test below after two epochs and a chunk of the third.
fn half_trained(games: &Path) -> Vec<u8> {
    let loss = Loss::Logistic(400.0);
    let extraction = Extraction { loss, td_lambda: 0.5, outliers: None };
    let stream = SampleStream { files: vec![games.into()], extraction, chunk: 1_000 };
    let settings = TrainSettings {
        epochs: 4,
        batch: 500,
        learning_rate: 0.001,
        loss,
        wdl_weight: 0.15,
        decided_weight: 1.0,
        threads: 2,
        seed: 1,
        initial: None,
        samples: stream.fingerprint().unwrap(),
    };
    let chunks: Vec<_> = stream.chunks(0).map(Result::unwrap).collect();
    assert!(chunks.len() > 2, "{}", chunks.len());
    let mut training = Training::new(&settings, &chunks[0].samples);
    for _ in 0..2 {
        for chunk in &chunks {
            training.run_chunk(chunk, &settings, &mut |_| {});
        }
        training.end_epoch();
    }
    training.run_chunk(&chunks[0], &settings, &mut |_| {});
    training.to_bytes(&settings)
}

#[test]
fn a_network_is_trained_from_scratch_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "60", "2");
    let train = |epochs: &str, words: &[&str]| {
        let numbers =
            ["--epochs", epochs, "--batch", "500", "--wdl-weight", "0.15", "--threads", "2", "--chunk", "1000"];
        let words = [&["train", "games"], &numbers[..], words].concat();
        let (code, out, errors) = net(&folder, &words);
        assert_eq!(code, 0, "{errors}");
        out
    };
    let out = train("4", &["--output", "whole"]);
    let loss = |line: &str| line.split("training loss ").nth(1).unwrap()[..7].parse::<f32>().unwrap();
    let losses: Vec<f32> = out.lines().filter(|line| line.starts_with("epoch")).map(loss).collect();
    assert!(losses.len() == 4 && losses[3] < 0.9 * losses[0], "{out}");
    // Resumed within the third epoch, the training gives the same network.
    let state = half_trained(&folder.path().join("games"));
    fs::write(folder.path().join("state"), state).unwrap();
    let out = train("4", &["--output", "half", "--state", "state"]);
    assert_eq!(out.lines().filter(|line| line.starts_with("epoch")).count(), 2, "{out}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("whole") == read("half"));
    train("4", &["--output", "again", "--state", "state"]);
    assert!(read("whole") == read("again"), "a finished training only writes its network");
    let (code, _, errors) = net(&folder, &["train", "games", "--epochs", "5", "--output", "x", "--state", "state"]);
    assert!(code == 2 && errors.contains("other settings"), "{errors}");

    let (code, out, _) = net(&folder, &["info", "whole"]);
    assert!(code == 0 && out.contains("epoch 4.00 of 4") && out.contains("→ 8\n"), "{out}");
    let words =
        "-rounds 40 -concurrency 2 -openings format=random -resign movecount=3 score=338 -sprt elo0=-50 elo1=50";
    let (code, out, errors) = play(&folder, ["large", "small"], words);
    assert!(code == 0 && out.contains(" pentanomial (") && out.contains(", H1 accepted\n"), "{out}{errors}");
    let (code, out, errors) = play(&folder, ["whole", "small"], "-rounds 2 -openings format=random");
    assert!(code == 0 && out.contains("4/4 small – whole ") && !out.contains("LLR"), "{out}{errors}");
    let (code, out, _) = net(&folder, &["texel", "games", "--epochs", "2"]);
    assert!(code == 0 && out.contains("// rook mobility\n"), "{out}");
    let (code, out, _) = net(&folder, &["texel", "games", "--epochs", "2", "--piece-square"]);
    assert!(code == 0 && out.contains("    // King\n    PieceTable {\n        early: [\n"), "{out}");

    let path = folder.path().join("whole").to_str().unwrap().to_string();
    let mut client = common::Client::start();
    client.ask("");
    // Of several positions, since two evaluations may agree on one.
    let score = |client: &mut common::Client| {
        ["h2e2", "h2e2 h9g7", "h2h9 i9h9", "h0g2 c6c5 h2i2"].map(|moves| {
            client.send(&format!("position startpos moves {moves}\ngo depth 0"));
            let info = client.expect("info");
            client.expect("nobestmove");
            info
        })
    };
    let built_in = score(&mut client);
    client.send(&format!("setoption evalapi {path}"));
    let own = score(&mut client);
    assert_ne!(own, built_in);
    fs::write(folder.path().join("damaged"), &read("whole")[..1000]).unwrap();
    for wrong in ["damaged", "missing", "games"] {
        client.send(&format!("setoption evalapi {}", folder.path().join(wrong).display()));
        assert!(client.expect("info").contains("stays as it was"), "{wrong}");
        assert_eq!(score(&mut client), own);
    }
    client.send("setoption evalapi");
    assert_eq!(score(&mut client), built_in);

    // After a change of the evaluation, nothing of the previous one affects the search.
    for change in [format!("setoption evalapi {path}"), "setoption knowledge medium".to_string()] {
        let [mut fresh, mut used] = [common::Client::start(), common::Client::start()];
        searched(&mut used);
        fresh.send(&change);
        used.send(&change);
        assert_eq!(searched(&mut used), searched(&mut fresh), "{change}");
    }
}

/// Number of nodes of a search to a fixed depth.
fn searched(client: &mut common::Client) -> String {
    client.send("setoption hashsize 16\nposition startpos moves h2e2\ngo depth 8");
    let lines = client.until("bestmove");
    let mut counts = lines.iter().filter_map(|line| line.split(' ').skip_while(|word| *word != "nodes").nth(1));
    counts.next_back().expect("info lines have nodes").to_string()
}

#[test]
fn positions_are_labelled_by_long_searches_and_networks_are_measured_by_them() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "12", "2");
    let label = ["label", "games", "--output", "labels", "--positions", "40", "--every", "5", "--nodes", "400"];
    assert_eq!(net(&folder, &label), (0, "40 positions\n".to_string(), String::new()));
    let (code, statistics, _) = net(&folder, &["stats", "labels"]);
    assert!(code == 0 && statistics.contains("40  100.0 % of the positions"), "all fit for training: {statistics}");
    let trained = |words: &[&str]| -> usize {
        let words = [&["train", "games", "--epochs", "1", "--output", "new"], words].concat();
        let (code, out, errors) = net(&folder, &words);
        assert_eq!(code, 0, "{errors}");
        out.split([':', ',']).nth(1).unwrap().replace(" samples", "").trim().parse().unwrap()
    };
    let samples = trained(&["--loss", "wdl", "--decided-weight", "0.5"]);
    let kept = trained(&["--max-difference", "150"]);
    assert!((samples / 2..samples).contains(&kept), "{kept} of {samples}");
    let (code, _, errors) = net(&folder, &["train", "games", "--output", "new", "--loss", "logistic:0"]);
    assert!(code == 2 && errors.contains("\"logistic:0\" is not"), "{errors}");

    // The lines of the table: name, positions, and for both losses the error, with --against also its difference and error.
    let table = |words: &[&str]| -> Vec<(String, Vec<f64>)> {
        let (code, table, errors) = net(&folder, &[&["loss", "labels"], words].concat());
        assert_eq!(code, 0, "{errors}");
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        let lines = table.lines().filter_map(|line| {
            let (name, numbers) = line.split_at_checked(line.char_indices().nth(8)?.0)?;
            let numbers = numbers.split_whitespace().filter(|word| *word != "±").map(|word| word.parse::<f64>());
            Some((name.trim().to_string(), numbers.collect::<Result<_, _>>().ok()?))
        });
        lines.collect()
    };
    let (built_in, new) = (table(&[]), table(&["--network", "new", "--against", "default"]));
    let all = |table: &[(String, Vec<f64>)]| table.last().filter(|(name, _)| name == "all").unwrap().1.clone();
    let (own, difference) = (all(&built_in), all(&new));
    assert!(own[0] == 40.0 && own[1] < 0.03 && own[1] < difference[1], "{built_in:?} {new:?}");
    for loss in 0..2 {
        let [error, mean, two_errors] = difference[1 + 3 * loss..][..3].try_into().unwrap();
        assert!((error - mean - own[1 + loss]).abs() < 2e-5 && two_errors > 0.0, "{built_in:?} {new:?}");
    }
    let zones = built_in.iter().filter(|(name, _)| ["< 300", "300–600", "> 600"].contains(&name.as_str()));
    assert_eq!(zones.map(|(_, numbers)| numbers[0]).sum::<f64>(), 40.0);
    assert_eq!(all(&table(&["--against", "default"]))[2..4], [0.0, 0.0], "a network against itself");
    let (code, _, errors) = net(&folder, &["loss", "nothing"]);
    assert!(code == 2 && errors.contains("nothing"), "{errors}");
}
