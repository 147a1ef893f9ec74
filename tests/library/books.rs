//! Opening books in SQLite databases against ElephantEye's format.

use chuhe::book::book_file::{BookFile, BookFormat, KeysByLock, keys_by_lock, with_keys, write};
use chuhe::book::builder::{BuildSettings, Builder};
use chuhe::book::dat::{OpeningBook, entries_of};
use chuhe::book::obk::{Obk, ObkKind, keys};
use chuhe::games::games;
use chuhe::games::tree::{MoveTree, TreeCursor};
use chuhe::internals::book::{self as sqlite_writer, Field};
use chuhe::position::Position;
use chuhe::types::Move;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn after(moves: &str) -> Position {
    let mut position = Position::start();
    moves.split_whitespace().for_each(|mv| position.make(mv.parse().unwrap()));
    position
}

/// The moves that a book has for a position, with their weights.
fn found(book: &BookFile, position: &Position) -> Vec<(String, u16)> {
    book.find(position).unwrap().iter().map(|found| (found.mv.to_string(), found.weight)).collect()
}

fn moves(list: &[(&str, u16)]) -> Vec<(String, u16)> {
    list.iter().map(|&(mv, weight)| (mv.to_string(), weight)).collect()
}

fn open(bytes: &[u8]) -> BookFile {
    BookFile::Obk(Obk::open(Box::new(Cursor::new(bytes.to_vec()))).unwrap())
}

/// A database of these rows: a position by the moves that lead there; from and to; the columns behind `vmove`.
fn database(index: &str, rows: &[(&str, [&str; 2], [i64; 5])]) -> Vec<u8> {
    let square = |text: &str| i64::from(format!("a0{text}").parse::<Move>().unwrap().to().raw());
    let mut rows: Vec<Vec<Field>> = rows
        .iter()
        .map(|&(moves, [from, to], rest)| {
            let mv = square(from) << 8 | square(to);
            let key = keys(&after(moves))[0] as i64;
            [&[key, mv][..], &rest].concat().into_iter().map(Field::Integer).collect()
        })
        .collect();
    let key = |row: &Vec<Field>| if let Field::Integer(key) = row[0] { key } else { 0 };
    rows.sort_by_key(key);
    let columns = "id integer primary key, vkey, vmove, vscore, vwin, vdraw, vlost, vvalid";
    let mut bytes = Vec::new();
    sqlite_writer::write(("bhobk", &format!("CREATE TABLE bhobk ({columns})")), ("i", index), &rows, &mut bytes)
        .unwrap();
    bytes
}

const INDEX: &str = "CREATE INDEX i ON bhobk (vkey)";
/// The index of another column, as far as the reader knows: the rows are then read into memory.
const NO_INDEX: &str = "CREATE INDEX i ON bhobk (vmove)";

#[test]
fn small_databases_give_what_they_must() {
    for name in ["small.obk", "small.pfBook"] {
        let book = BookFile::open(&data("formats").join(name)).unwrap();
        assert!(matches!(book, BookFile::Obk(_)));
        for (position, expected) in [
            ("", &[("h2e2", 30), ("g3g4", 20)][..]),
            ("h2e2", &[("h9g7", 10)]),
            ("b2e2", &[("b9c7", 10)]),
            ("g3g4", &[]),
        ] {
            assert_eq!(found(&book, &after(position)), moves(expected), "{name}: {position}");
        }
        assert_eq!(book.count().unwrap(), 3);
        let (dat, left) = book.into_dat().unwrap();
        assert_eq!((dat.entries().len(), left), (3, 0));
        assert_eq!(found(&BookFile::Dat(dat), &after("b2e2")), moves(&[("b9c7", 10)]));
    }
}

#[test]
fn keys_are_the_exclusive_or_of_the_listed_numbers() {
    let text = fs::read_to_string(data("obk-keys.txt")).unwrap();
    let numbers: HashMap<&str, u64> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, number)| (name, u64::from_str_radix(number, 16).unwrap()))
        .collect();
    assert_eq!(numbers.len(), 1 + 14 * 90);
    assert_eq!(keys(&Position::start()), [7_101_337_512_282_506_414; 2]);
    let mut rng = SmallRng::seed_from_u64(67);
    let mut position = Position::start();
    for _ in 0..500 {
        let legal: Vec<Move> = position.legal_moves().iter().collect();
        position = if legal.is_empty() { Position::start() } else { position };
        let own = position
            .pieces()
            .fold(0, |key, (piece, square)| key ^ numbers[format!("{} {square}", piece.letter()).as_str()]);
        let own = own ^ if position.to_fen().contains(" w ") { numbers["red"] } else { 0 };
        let image = keys(&position.mirrored())[0];
        assert_eq!(keys(&position), [own, image], "{}", position.to_fen());
        if !legal.is_empty() {
            position.make(legal[rng.random_range(0..legal.len())]);
        }
    }
}

/// In all positions of the games, and in their mirror images.
#[test]
fn book_of_games_is_the_same_in_each_format() {
    let games: Vec<_> = ["games.pgn", "formats/variations_dropped.pgn", "formats/xieexie_fen.wxf"]
        .iter()
        .flat_map(|name| games(&fs::read_to_string(data(name)).unwrap()).map(Result::unwrap).collect::<Vec<_>>())
        .collect();
    let mut builder =
        Builder::new(BuildSettings { min_games: 1, plies: 400, ..BuildSettings::default() }).keeping_keys();
    games.iter().for_each(|game| assert!(builder.add(game, false) > 0));
    let (dat, built_keys) = builder.finish();
    let (built_keys, results) = built_keys.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut books = Vec::new();
    let write = |name: &str, keys: &KeysByLock| {
        let path = folder.path().join(name);
        let mut bytes = Vec::new();
        write(&dat, keys, &results, BookFormat::of_path(&path), &mut bytes).unwrap();
        fs::write(&path, bytes).unwrap();
        let book = BookFile::open(&path).unwrap();
        assert!(matches!(book, BookFile::Dat(_)) || book.count().unwrap() == with_keys(&dat, keys).entries().len());
        book
    };
    for name in ["a.dat", "a.obk", "a.PFBOOK"] {
        let book = write(name, &built_keys);
        assert_eq!(book.count().unwrap(), dat.entries().len(), "{name}");
        books.push(book);
    }
    assert!(matches!(books[..], [BookFile::Dat(_), BookFile::Obk(_), BookFile::Obk(_)]));
    let mut positions = 0;
    for game in &games {
        let mut cursor = TreeCursor::new(game.tree.clone(), game.start.clone());
        for node in game.tree.nodes().filter(|&node| node != MoveTree::ROOT) {
            cursor.go_to(game.tree.parent(node).unwrap());
            for position in [cursor.position().clone(), cursor.position().mirrored()] {
                let mut lists: Vec<_> = books.iter().map(|book| found(book, &position)).collect();
                lists.iter_mut().for_each(|list| list.sort());
                assert!(lists[0] == lists[1] && lists[0] == lists[2], "{}: {lists:?}", position.to_fen());
                positions += usize::from(!lists[0].is_empty());
            }
            cursor.go_to(node);
        }
    }
    assert!(positions > 500, "{positions}");
    // A book in ElephantEye's format alone knows only the positions that it leads to.
    let book = write("b.obk", &keys_by_lock(&dat));
    let kept = book.count().unwrap();
    assert!(kept > 100 && kept < dat.entries().len(), "{kept}");
    // Nothing is lost on the way back.
    let (again, left) = book.into_dat().unwrap();
    assert_eq!((again.entries().len(), left), (kept, 0));
    assert!(again.entries().iter().all(|entry| dat.entries().contains(entry)));
}

/// More pages than one level of a tree has.
#[test]
fn large_books_are_found_by_trees_of_several_levels() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut entries = Vec::new();
    let mut sample = Vec::new();
    let mut keys = KeysByLock::new();
    for number in 0..60_000_u32 {
        let (position, mv) = match number {
            0..300 => {
                let mut position = Position::start();
                for _ in 0..number / 10 {
                    let legal: Vec<Move> = position.legal_moves().iter().collect();
                    position.make(legal[rng.random_range(0..legal.len())]);
                }
                let mv = position.legal_moves().iter().next().unwrap();
                (position, mv)
            }
            // Keys of no position.
            _ => {
                keys.insert(number, rng.random());
                entries.push((number, 0xA7A4, 1));
                continue;
            }
        };
        sample.push(position.clone());
        for entry in entries_of(&position, mv, 7) {
            let own = chuhe::book::dat::locks(&position);
            keys.extend(own.into_iter().zip(chuhe::book::obk::keys(&position)));
            entries.push((entry.lock, entry.mv, 7));
        }
    }
    let dat = OpeningBook::of(entries);
    for kind in [ObkKind::Obk, ObkKind::PfBook] {
        let mut bytes = Vec::new();
        write(&dat, &keys, &Default::default(), BookFormat::Obk(kind), &mut bytes).unwrap();
        let book = open(&bytes);
        assert_eq!(book.count().unwrap(), dat.entries().len());
        for position in &sample {
            let expected: Vec<_> = dat.find(position);
            assert!(!expected.is_empty());
            assert_eq!(book.find(position).unwrap().len(), expected.len(), "{}", position.to_fen());
        }
    }
}

#[test]
fn rows_that_cannot_be_played_are_passed_over() {
    let row = |moves, mv, score, valid| (moves, mv, [score, 0, 0, 0, valid]);
    let rows = [
        row("", ["h2", "e2"], 9, 0),
        row("", ["h2", "e2"], 8, 2),
        row("", ["b2", "e2"], 7, 1),
        row("", ["b2", "e2"], 3, 1),
        row("", ["a0", "a9"], 6, 1),
        row("", ["h9", "g7"], 5, 1),
        // In the other order.
        row("", ["g4", "g3"], 4, 1),
        // Of the position and of its mirror image.
        row("h2e2", ["h9", "g7"], 2, 1),
        row("b2e2", ["b7", "e7"], 3, 1),
        row("b2e2", ["b9", "c7"], 9, 1),
    ];
    for index in [INDEX, NO_INDEX] {
        let book = open(&database(index, &rows));
        assert_eq!(found(&book, &after("")), moves(&[("b2e2", 7), ("g3g4", 4)]), "{index}");
        assert_eq!(found(&book, &after("h2e2")), moves(&[("h7e7", 3), ("h9g7", 2)]));
        assert_eq!(found(&book, &after("b2e2")), moves(&[("b9c7", 9), ("b7e7", 3)]));
        // Two rows of one move, two illegal moves, and one of a mirror image that is in the book as it is.
        assert_eq!((book.count().unwrap(), book.into_dat().unwrap().1), (8, 4));
    }
}

#[test]
fn weights_are_scores_or_results() {
    let weights = |rows: &[[i64; 3]]| {
        let squares = [["h2", "e2"], ["g3", "g4"], ["h0", "g2"]];
        let row = |(mv, &[score, win, draw]): ([&'static str; 2], &[i64; 3])| ("", mv, [score, win, draw, 5, 1]);
        let rows: Vec<_> = squares.into_iter().zip(rows).map(row).collect();
        found(&open(&database(INDEX, &rows)), &Position::start())
    };
    assert_eq!(weights(&[[20, 0, 0], [-5, 9, 9], [30, 1, 1]]), moves(&[("h0g2", 30), ("h2e2", 20), ("g3g4", 1)]));
    assert_eq!(weights(&[[0, 2, 2], [0, 0, 0], [-1, 9, 1]]), moves(&[("h0g2", 19), ("h2e2", 6), ("g3g4", 1)]));
    assert_eq!(weights(&[[-7, 0, 0], [-5, 0, 0], [-20, 0, 0]]), moves(&[("g3g4", 16), ("h2e2", 14), ("h0g2", 1)]));
    assert_eq!(weights(&[[0; 3], [0; 3], [0; 3]]), moves(&[("h2e2", 1), ("g3g4", 1), ("h0g2", 1)]));
    let large = weights(&[[i64::MAX, 0, 0], [i64::MAX / 2, 0, 0], [i64::MIN, i64::MAX, i64::MAX]]);
    assert_eq!(large.iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [u16::MAX, u16::MAX / 2, 1]);
    assert_eq!(weights(&[[65_535, 0, 0], [2, 0, 0], [1, 0, 0]])[1].1, 2);
}

#[test]
fn databases_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obk");
    let error = || BookFile::open(&path).unwrap_err().to_string();
    let small = fs::read(data("formats/small.obk")).unwrap();
    let replaced = |from: &str, to: &str| {
        let at = small.windows(from.len()).rposition(|bytes| bytes == from.as_bytes()).unwrap();
        let mut bytes = small.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    let with = |at: usize, value: &[u8]| {
        let mut bytes = small.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    for (bytes, expected) in [
        (small[..50].to_vec(), "its header is not that of an SQLite 3 database"),
        (with(16, &[3, 0]), "its header is not that of an SQLite 3 database"),
        (small[..4096].to_vec(), "page 2 is damaged: it is not in the file"),
        (with(4096, &[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]), "page 2 is damaged: the way to it is a circle or too long"),
        (with(4096, &[10]), "page 2 is damaged: it is not a page of the table or index that leads to it"),
        (with(4099, &[255]), "page 2 is damaged: a cell is not inside it"),
        (with(8192 - 22, &[10]), "page 2 is damaged: a row is malformed"),
        (replaced("bhobkbhobk", "bhobxbhobx"), "it is an SQLite database without a table bhobk or pfBook"),
        (replaced("vmove", "vmovx"), "its table bhobk has no column vmove"),
    ] {
        fs::write(&path, bytes).unwrap();
        assert!(error().starts_with(expected), "{}: {expected}", error());
    }
    // A table without an index is read whole, up to a limit.
    fs::write(&path, &small).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(64 << 20).unwrap();
    assert!(BookFile::open(&path).is_ok());
    fs::File::options().write(true).open(&path).unwrap().set_len((64 << 20) + 4096).unwrap();
    let expected =
        "it is larger than 64 MB and has no index of keys; SQLite adds one: CREATE INDEX vkey ON bhobk (vkey)";
    assert_eq!(error(), expected);
    fs::write(&path, database(INDEX, &[("", ["h2", "e2"], [1, 0, 0, 0, 1])])).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(found(&BookFile::open(&path).unwrap(), &Position::start()), moves(&[("h2e2", 1)]));
    // Changes that are not in the database.
    for suffix in ["-wal", "-journal"] {
        fs::write(&path, &small).unwrap();
        let changes = folder.path().join(format!("a.obk{suffix}"));
        for (bytes, is_refused) in [(&b""[..], false), (&[0; 100], false), (&[0x37, 0x7f], true)] {
            fs::write(&changes, bytes).unwrap();
            assert_eq!(BookFile::open(&path).is_err(), is_refused);
        }
        let expected = format!("another program uses it, or did not end well: there are changes in a.obk{suffix}");
        assert_eq!(error(), expected);
        fs::remove_file(changes).unwrap();
    }
}

/// Random changes cause neither a panic nor an endless search nor an illegal move.
#[test]
fn damaged_databases_give_only_legal_moves() {
    let row = |moves, mv| (moves, mv, [9, 1, 1, 1, 1]);
    let mut rows = vec![row("h2e2", ["h9", "g7"])];
    rows.resize(300, row("", ["h2", "e2"]));
    let files = [
        fs::read(data("formats/small.obk")).unwrap(),
        fs::read(data("formats/small.pfBook")).unwrap(),
        database(INDEX, &rows),
        database(NO_INDEX, &rows),
    ];
    let mut rng = SmallRng::seed_from_u64(67);
    let (mut refused, mut read) = (0, 0);
    let positions = [after(""), after("h2e2"), after("b2e2")];
    for number in 0..2_000 {
        let mut bytes = files[number % files.len()].clone();
        // Where something is: not the zeros.
        let used: Vec<usize> = (16..bytes.len()).filter(|&at| bytes[at] != 0).collect();
        for _ in 0..rng.random_range(1..6) {
            let at = used[rng.random_range(0..used.len())];
            bytes[at] = rng.random();
        }
        if rng.random_ratio(1, 8) {
            bytes.truncate(rng.random_range(0..bytes.len()));
        }
        let Ok(book) = Obk::open(Box::new(Cursor::new(bytes))) else {
            refused += 1;
            continue;
        };
        for position in &positions {
            if let Ok(moves) = book.find(position) {
                assert!(moves.iter().all(|found| position.is_legal(found.mv) && found.weight > 0));
                read += usize::from(!moves.is_empty());
            }
        }
        let _ = book.count();
    }
    assert!(refused > 100 && read > 100, "{refused} {read}");
}
