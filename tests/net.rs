//! `chuhe net` through the real binary: games are made, looked at, shuffled and checked, networks learned and played with.

mod common;

use chuhe::learning::games::{Game, Reader};
use chuhe::learning::outcome::GameOutcome;
use chuhe::learning::samples;
use chuhe::learning::train::{TrainSettings, Training};
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// Runs `chuhe net …` in `folder` to its end: exit status, output, errors.
fn net(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut command = common::chuhe(&["net"]);
    let Output { status, stdout, stderr } = command.args(arguments).current_dir(folder).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Makes so many games; short ones.
fn datagen(folder: &TempDir, file: &str, games: &str, threads: &str) {
    let words = ["datagen", file, "--games", games, "--threads", threads, "--nodes", "150", "--seed", "5"];
    let (code, _, errors) = net(folder, &words);
    assert_eq!((code, errors.as_str()), (0, ""));
}

fn games(path: &Path) -> Vec<Game> {
    let file = fs::read(path).unwrap();
    Reader::new(&file[..]).unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_same_seed_makes_the_same_games_however_often_it_is_broken_off() {
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
    assert!(fs::read(&broken).unwrap() == whole, "there were more already");
}

#[test]
fn files_made_otherwise_or_damaged_are_left_alone() {
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
fn games_are_counted_shuffled_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "one", "8", "2");
    let one = games(&folder.path().join("one"));
    let (code, text, _) = net(&folder, &["stats", "one"]);
    let plies: usize = one.iter().map(|game| game.plies.len()).sum();
    let won = one.iter().filter(|game| game.outcome == GameOutcome::Win).count() as f64 / 8.0 * 100.0;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((code, &lines[0][..5]), (0, &["games", "8", "Red", "won", &format!("{won:.1}")][..]));
    assert_eq!(lines[1][..2], ["positions", &plies.to_string()]);
    let lessons: usize = lines[2][1].parse().unwrap();
    assert!(lines[2][0] == "lessons" && lessons > 0 && lessons < plies);

    let (code, text, _) = net(&folder, &["wdl", "one"]);
    assert!(code == 0 && text.lines().last().unwrap().starts_with("even "), "{text}");

    let shuffle = |seed: &str| {
        let (code, out, _) = net(&folder, &["shuffle", "one", "one", "--output", "two", "--seed", seed]);
        assert_eq!((code, out.as_str()), (0, "16 games\n"));
        games(&folder.path().join("two"))
    };
    let (first, again, other) = (shuffle("1"), shuffle("1"), shuffle("2"));
    assert!(first == again && first != other);
    let sorted = |mut games: Vec<Game>| {
        games.sort_by(|a, b| a.start.cmp(&b.start));
        games
    };
    assert!(sorted(first) == sorted([one.clone(), one].concat()));

    let (code, out, _) = net(&folder, &["verify", "one", "two"]);
    assert_eq!((code, out.as_str()), (0, "one: 8 games sound, 0 not\ntwo: 16 games sound, 0 not\n"));
    let whole = fs::read(folder.path().join("one")).unwrap();
    fs::write(folder.path().join("one"), &whole[..whole.len() - 9]).unwrap();
    let (code, out, _) = net(&folder, &["verify", "one"]);
    assert_eq!((code, out.as_str()), (1, "one: the file ends within game 8\none: 7 games sound, 1 not\n"));
}

/// The state of a training as the test below makes them, half done.
fn half_trained(games: &[Game]) -> Vec<u8> {
    let plan = TrainSettings { epochs: 4, batch: 500, learning_rate: 0.001, wdl_weight: 0.15, threads: 2, seed: 1 };
    let mut lessons = Vec::new();
    // One game of fifty is held out.
    for (_, game) in (1..).zip(games).filter(|(number, _)| number % 50 != 0) {
        samples::take(game, &mut lessons).unwrap();
    }
    let mut training = Training::new(&plan, &lessons);
    for _ in 0..2 {
        training.run_epoch(&lessons, &plan, &mut |_| {});
    }
    training.to_bytes(&plan, &lessons)
}

#[test]
fn a_network_is_made_from_nothing_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    datagen(&folder, "games", "60", "2");
    let train = |epochs: &str, words: &[&str]| {
        let numbers = ["--epochs", epochs, "--batch", "500", "--wdl-weight", "0.15", "--threads", "2"];
        let words = [&["train", "games"], &numbers[..], words].concat();
        let (code, out, errors) = net(&folder, &words);
        assert_eq!(code, 0, "{errors}");
        out
    };
    let out = train("4", &["--output", "whole"]);
    let error = |line: &str| line.split([' ', ',']).nth(3).unwrap().parse::<f32>().unwrap();
    let errors: Vec<f32> = out.lines().filter(|line| line.starts_with("epoch")).map(error).collect();
    assert!(errors.len() == 4 && errors[3] < 0.9 * errors[0], "{out}");
    // Broken off after two epochs and gone on with, it comes to the same.
    let state = half_trained(&games(&folder.path().join("games")));
    fs::write(folder.path().join("state"), state).unwrap();
    let out = train("4", &["--output", "half", "--state", "state"]);
    assert_eq!(out.lines().filter(|line| line.starts_with("epoch")).count(), 2, "{out}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("whole") == read("half"));
    train("4", &["--output", "again", "--state", "state"]);
    assert!(read("whole") == read("again"), "nothing was left to do but to write it");
    let (code, _, errors) = net(&folder, &["train", "games", "--epochs", "5", "--output", "x", "--state", "state"]);
    assert!(code == 2 && errors.contains("other numbers"), "{errors}");

    let (code, out, _) = net(&folder, &["info", "whole"]);
    assert!(code == 0 && out.contains("epoch 4 of 4") && out.contains("→ 8\n"), "{out}");
    let words = ["match", "large", "small", "--pairs", "40", "--nodes", "200", "--threads", "2", "--sprt", "-50", "50"];
    let (code, out, _) = net(&folder, &words);
    assert!(code == 0 && out.contains("pairs [") && out.ends_with(": nearer +50\n"), "{out}");
    let (code, out, _) = net(&folder, &["match", "whole", "small", "--pairs", "2", "--nodes", "200"]);
    assert!(code == 0 && out.contains("pairs [") && !out.contains("evidence"), "{out}");
    let (code, out, _) = net(&folder, &["texel", "games", "--epochs", "2"]);
    assert!(code == 0 && out.contains("// rook mobility\n"), "{out}");

    let path = folder.path().join("whole").to_str().unwrap().to_string();
    let mut client = common::Client::start();
    client.ask("");
    // Of several positions, for two evaluations may well agree on one.
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

    // Another evaluation begins with nothing that the one before has left.
    for change in [format!("setoption evalapi {path}"), "setoption knowledge medium".to_string()] {
        let [mut fresh, mut used] = [common::Client::start(), common::Client::start()];
        searched(&mut used);
        fresh.send(&change);
        used.send(&change);
        assert_eq!(searched(&mut used), searched(&mut fresh), "{change}");
    }
}

/// How many nodes a search to a fixed depth takes.
fn searched(client: &mut common::Client) -> String {
    client.send("setoption hashsize 16\nposition startpos moves h2e2\ngo depth 8");
    let lines = client.until("bestmove");
    let mut counts = lines.iter().filter_map(|line| line.split(' ').skip_while(|word| *word != "nodes").nth(1));
    counts.next_back().expect("it says how many nodes").to_string()
}
