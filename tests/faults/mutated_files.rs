//! Game files with one random change: flipped, deleted and inserted bytes, a cut, blocks doubled or exchanged.
//!
//! The originals are the game files of `tests/data` that are read without an error, and the games of `games.pgn` as XQF, CBR
//! and DhtmlXQ. Each is changed and given to `chuhe convert FILE - --format pgn`, under a limit of memory. What must hold:
//!
//! - Its status is 0, 1 or 2, and nothing panics.
//! - If it is 0, every move before the first changed byte is read. Let `k` be the number of bytes before that byte, less
//!   [`MARGIN`], so that the character behind a move is whole too. A move lies before it if the reader finds it, in the same
//!   game and after the same moves as in the original, in the first `k` bytes alone, or in these and one of [`CLOSINGS`]. So
//!   the reader itself testifies that these bytes suffice for the move, and what comes behind them must not take it away.
//!   Games behind the change may be any.
//! - A cut binary file has all moves, or its status is not 0.
//!
//! A change that fails is made smaller with its original: what both have in common, before it and behind it, is left out as
//! far as the change still fails. Both files are kept and shown.
//!
//! `MUTATED_FILES` is the number of changes (10,000), `MUTATED_SEED` the first seed; the seed of a failure with
//! `MUTATED_FILES=1` repeats it, and `MUTATED_ONLY=xqf` takes the originals whose names have this text.
#![cfg(unix)]

use crate::common;

use chuhe::games::stream::GameStream;
use chuhe::games::write::{Format, write};
use chuhe::games::{GameRecord, games};
use chuhe::notation::Notation;
use chuhe::position::Variant;
use chuhe::types::Move;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes before the first changed one that may be half of a character or of the blank behind a move.
const MARGIN: usize = 4;
/// What ends a list of moves that was cut, by format.
const CLOSINGS: [&str; 3] = ["", "[/DhtmlXQ_movelist][/DhtmlXQ]", "\"/></MoveList></ChineseChessRecord>"];
/// Largest original.
const MAX_BYTES: usize = 1 << 18;
/// Failures after which the test ends.
const MAX_FAILURES: usize = 20;
/// How long a failure is made smaller.
const PATIENCE: Duration = Duration::from_secs(20);

/// A game: its board and side at the start, and every sequence of moves from there.
type Paths = (String, HashSet<Vec<Move>>);

fn paths(game: &GameRecord) -> Paths {
    let start = game.start.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
    (start, game.tree.nodes().skip(1).map(|node| game.tree.moves_to(node)).collect())
}

/// The games in bytes; of one with an error what is before it. Whether there was an error.
fn read(bytes: &[u8]) -> (Vec<Paths>, bool) {
    let (mut found, mut has_error) = (Vec::new(), false);
    for game in GameStream::new(bytes, Variant::Standard) {
        match game.expect("memory can be read").game {
            Ok(game) => {
                has_error |= game.error.is_some();
                found.push(paths(&game));
            }
            Err(_) => {
                has_error = true;
                found.push((String::new(), HashSet::new()));
            }
        }
    }
    (found, has_error)
}

/// What is left out of `now` of the moves that both `first` and `second` have, in each game.
fn missing(first: &[Paths], second: &[Paths], now: &[Paths]) -> Option<(usize, Vec<Move>)> {
    let nothing = (String::new(), HashSet::new());
    first.iter().zip(second).enumerate().find_map(|(number, (one, other))| {
        let now = now.get(number).unwrap_or(&nothing);
        let is_missing = |path: &&Vec<Move>| other.1.contains(*path) && (now.0 != one.0 || !now.1.contains(*path));
        let lost = if one.0 == other.0 { one.1.iter().filter(is_missing).min_by_key(|path| path.len()) } else { None };
        lost.map(|path| (number + 1, path.clone()))
    })
}

/// The folder of the files of this run.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// `chuhe convert FILE - --format pgn`: its status, its output, its errors.
fn convert(bytes: &[u8]) -> (Option<i32>, String, String) {
    let path = folder().join("mutated");
    fs::write(&path, bytes).expect("the folder can be written");
    let chuhe = common::chuhe(&["convert", path.to_str().expect("UTF-8"), "-", "--format", "pgn"]);
    // 4 GB: far more than a file of this size may take.
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh"]).arg(chuhe.get_program());
    let output = command.args(chuhe.get_args()).env_remove("RUST_LOG").env("LC_ALL", "C").output().expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What is wrong with what is read of `changed`, which was `original`; `None`: nothing, or the original is read with an error.
fn fault(original: &[u8], changed: &[u8], facts: &mut Facts) -> Option<String> {
    let (whole, has_error) = read(original);
    if has_error {
        return None;
    }
    let (status, out, errors) = convert(changed);
    if !matches!(status, Some(0..=2)) || errors.contains("panicked") {
        return Some(format!("status {status:?}: {errors}"));
    }
    facts.changes += 1;
    if status != Some(0) {
        return None;
    }
    facts.accepted += 1;
    let now: Vec<Paths> = games(&out).map(|game| paths(&game.expect("its own PGN is read"))).collect();
    let same = original.iter().zip(changed).take_while(|(one, other)| one == other).count();
    for closing in CLOSINGS {
        let (before, _) = read(&[&original[..same.saturating_sub(MARGIN)], closing.as_bytes()].concat());
        facts.moves += before.iter().map(|(_, paths)| paths.len()).sum::<usize>();
        if let Some((number, path)) = missing(&before, &whole, &now) {
            return Some(format!("status 0, and game {number} has not {}, which ends before byte {same}", text(&path)));
        }
    }
    let is_binary = [&b"XQ"[..], b"CCBridge"].iter().any(|magic| original.starts_with(magic));
    if is_binary
        && same == changed.len()
        && changed.len() < original.len()
        && let Some((number, path)) = missing(&whole, &whole, &now)
    {
        return Some(format!("status 0, and game {number} of the file that was cut has not {}", text(&path)));
    }
    None
}

fn text(path: &[Move]) -> String {
    path.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Changes tried; those with status 0; moves that had to be read in them.
#[derive(Debug, Default)]
struct Facts {
    changes: usize,
    accepted: usize,
    moves: usize,
}

/// The originals, by name.
fn originals() -> BTreeMap<String, Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut found = BTreeMap::new();
    for folder in [data.clone(), data.join("formats")] {
        for entry in fs::read_dir(folder).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            if path.is_file() {
                found.insert(path.file_name().unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    let text = String::from_utf8(found["games.pgn"].clone()).expect("UTF-8");
    for (number, game) in games(&text).flatten().enumerate().take(3) {
        for (format, extension) in [(Format::Xqf, "xqf"), (Format::Cbr, "cbr"), (Format::DhtmlXq, "ubb")] {
            let (bytes, _) = write(&game, format, Notation::Iccs).expect("the format has all of it");
            found.insert(format!("game-{number}.{extension}"), bytes);
        }
    }
    let only = std::env::var("MUTATED_ONLY").unwrap_or_default();
    let has_moves = |bytes: &[u8]| {
        let (games, has_error) = read(bytes);
        !has_error && games.iter().any(|(_, paths)| !paths.is_empty())
    };
    found.retain(|name, bytes| name.contains(&only) && bytes.len() <= MAX_BYTES && has_moves(bytes));
    found
}

/// The bytes with one random change, and what it is.
fn change(bytes: &[u8], random: &mut StdRng) -> (Vec<u8>, String) {
    let at = random.random_range(0..bytes.len());
    let length = random.random_range(1..=16.min(bytes.len() - at));
    let end = at + length;
    let (before, block, behind) = (&bytes[..at], &bytes[at..end], &bytes[end..]);
    match random.random_range(0..7) {
        0 => {
            let bit = random.random_range(0..8);
            let mut changed = bytes.to_vec();
            changed[at] ^= 1 << bit;
            (changed, format!("bit {bit} of byte {at} flipped"))
        }
        1 => {
            // In texts mostly a printed character.
            let byte = if random.random() { random.random_range(b' '..=b'~') } else { random.random() };
            ([before, &[byte], &bytes[at + 1..]].concat(), format!("byte {at} replaced by {byte:#04x}"))
        }
        2 => ([before, behind].concat(), format!("bytes {at}..{end} deleted")),
        3 => {
            let inserted: Vec<u8> = (0..length).map(|_| random.random()).collect();
            let shown = inserted.escape_ascii().to_string();
            ([before, &inserted, block, behind].concat(), format!("{shown} inserted at {at}"))
        }
        4 => (before.to_vec(), format!("cut after {at} bytes")),
        5 => {
            let end = random.random_range(at..bytes.len()) + 1;
            ([&bytes[..end], &bytes[at..]].concat(), format!("bytes {at}..{end} doubled"))
        }
        _ => {
            let middle = random.random_range(end..=bytes.len());
            let other = (middle + length).min(bytes.len());
            let exchanged = [before, &bytes[middle..other], &bytes[end..middle], block, &bytes[other..]].concat();
            (exchanged, format!("bytes {at}..{end} and {middle}..{other} exchanged"))
        }
    }
}

/// Original and changed file without what they have in common, as far as the fault stays.
fn smaller(original: &[u8], changed: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let before = original.iter().zip(changed).take_while(|(one, other)| one == other).count();
    let (one, other) = (&original[before..], &changed[before..]);
    let behind = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - behind], &other[..other.len() - behind]);
    let join = |before: &[u8], middle: &[u8], behind: &[u8]| [before, middle, behind].concat();
    let fails = |before: &[u8], behind: &[u8]| {
        let facts = &mut Facts::default();
        fault(&join(before, one, behind), &join(before, other, behind), facts).is_some()
    };
    let (before, behind) = (&original[..before], &original[original.len() - behind..]);
    let behind = common::minimal(behind, PATIENCE, |behind| fails(before, behind));
    let before = common::minimal(before, PATIENCE, |before| fails(before, &behind));
    (join(&before, one, &behind), join(&before, other, &behind))
}

#[test]
#[ignore = "takes minutes: cargo test --test faults -- --ignored --nocapture mutated"]
fn moves_before_a_change_of_a_file_are_read() {
    let first = common::number("MUTATED_SEED", 1);
    let originals: Vec<(String, Vec<u8>)> = originals().into_iter().collect();
    for (name, bytes) in &originals {
        let facts = &mut Facts::default();
        assert_eq!(fault(bytes, bytes, facts), None, "{name}");
        assert_eq!(facts.accepted, 1, "{name}, which was not changed, is read with another status than 0");
    }
    let (mut facts, mut failures, mut seen) = (Facts::default(), Vec::new(), HashSet::new());
    for seed in first..first + common::number("MUTATED_FILES", 10_000) {
        let mut random = StdRng::seed_from_u64(seed);
        let (name, original) = &originals[random.random_range(0..originals.len())];
        let (changed, what) = change(original, &mut random);
        let Some(why) = fault(original, &changed, &mut facts) else { continue };
        // One failure of a file and kind of change is enough.
        let kind: String = what.chars().filter(|letter| letter.is_alphabetic()).collect();
        if !seen.insert((name, kind)) {
            continue;
        }
        let (original, changed) = smaller(original, &changed);
        let paths: Vec<PathBuf> = ["original", "changed"].map(|end| folder().join(format!("{seed}.{end}"))).to_vec();
        [&original, &changed].iter().zip(&paths).for_each(|(bytes, path)| fs::write(path, bytes).unwrap());
        let shown = |bytes: &[u8]| bytes[..bytes.len().min(400)].escape_ascii().to_string();
        let files = [shown(&original), shown(&changed)].join("\n  ");
        let path = paths[1].display();
        let failure = format!("MUTATED_SEED={seed}: {name}, {what}: {why}\n  chuhe convert {path} -\n  {files}");
        println!("{failure}");
        failures.push(failure);
        if failures.len() == MAX_FAILURES {
            break;
        }
    }
    println!("{} originals, {facts:?}", originals.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
