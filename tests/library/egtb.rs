//! Endgame tables against exact values from another program (tests/data/endgames.txt), against the engine's own move
//! generator, and damaged files.

use crate::tables::{class, saved, values};
use chuhe::egtb::file::{self, TableError, TableFile};
use chuhe::egtb::generate::{GenerateError, generate};
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::{Probe, Tables};
use chuhe::egtb::value::EndgameValue;
use chuhe::internals::egtb::{Statistics, TableSet, check_positions, position_of};
use chuhe::{Color, Position};
use std::fs;

/// Positions, values and distances of one class of the data.
struct Known {
    name: &'static str,
    /// Shares by side to move, in words.
    shares: [&'static str; 2],
    positions: Vec<(&'static str, EndgameValue)>,
}

fn known() -> Vec<Known> {
    let mut all: Vec<Known> = Vec::new();
    for line in include_str!("../data/endgames.txt").lines() {
        let fields: Vec<&str> = line[2..].split(" | ").collect();
        if line.starts_with("M ") {
            all.push(Known { name: fields[0], shares: [fields[1], fields[2]], positions: Vec::new() });
        } else if line.starts_with("P ") {
            let plies = fields[2].split(' ').next().unwrap().parse().unwrap();
            let value = match fields[1] {
                "win" => EndgameValue::Win(plies),
                "loss" => EndgameValue::Loss(plies),
                _ => EndgameValue::Draw,
            };
            all.last_mut().unwrap().positions.push((fields[0], value));
        }
    }
    all
}

/// Classes that take more time to build than all others together.
const LARGEST: [&str; 7] = ["KRBkca", "KNCkaa", "KRknb", "KCABkaa", "KRkca", "KRkna", "KNPkaa"];

/// The known values of the other classes, of those where Black has attackers or of those where he has none.
fn known_of_small(is_one_sided: bool) -> Vec<Known> {
    let wanted = |known: &Known| !LARGEST.contains(&known.name) && class(known.name).is_one_sided() == is_one_sided;
    known().into_iter().filter(wanted).collect()
}

#[test]
fn values_where_one_side_attacks_agree_with_another_program() {
    let known = known_of_small(true);
    let (checked, by_rule) = compare(&known);
    assert!(known.len() > 40 && checked > 600 && by_rule == 0, "{} classes, {checked} positions", known.len());
}

#[test]
fn values_where_both_sides_attack_agree_with_another_program() {
    let known = known_of_small(false);
    let (checked, by_rule) = compare(&known);
    assert!(known.len() > 6 && checked > 90, "{} classes, {checked} positions", known.len());
    assert_eq!(by_rule, 3 * 2, "two of the positions, with their images, are decided by perpetual check");
}

#[test]
#[ignore = "half a minute"]
fn values_of_the_largest_classes_agree_with_another_program() {
    let known: Vec<Known> = known().into_iter().filter(|known| LARGEST.contains(&known.name)).collect();
    let (checked, by_rule) = compare(&known);
    assert!(known.len() == LARGEST.len() && checked > 60 && by_rule == 3, "{checked} positions, {by_rule} by rule");
}

/// Compares whole classes and single positions; returns how many positions agree, and how many are decided by rule, which
/// the other program does not know.
fn compare(known: &[Known]) -> (usize, usize) {
    for class_known in known {
        let values = values(&class(class_known.name).normalised().0);
        let text = |side: &str, statistics: &Statistics| {
            // The other program knows no results by rule: they are draws.
            let share = |count: u64| format!("{:.2}%", 100.0 * count as f64 / statistics.positions() as f64);
            let longest = match side {
                "red" => format!("win {}", statistics.longest_win.map_or(0, |longest| longest.0)),
                _ => format!("loss {}", statistics.longest_loss.map_or(0, |longest| longest.0)),
            };
            let [wins, by_rule, draws, lost_by_rule, losses] = statistics.counts();
            let [wins, draws, losses] = [wins, by_rule + draws + lost_by_rule, losses].map(share);
            format!("{side} to move: {wins} {draws} {losses} (longest {longest})")
        };
        let [red, black] = Statistics::of(&values);
        assert_eq!([text("red", &red), text("black", &black)], class_known.shares, "{}", class_known.name);
    }
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = known.iter().map(|known| class(known.name).normalised().0.to_string()).collect();
    let tables = saved(&names.iter().map(String::as_str).collect::<Vec<_>>(), folder.path());
    let (mut checked, mut by_rule) = (0, 0);
    for (fen, value) in known.iter().flat_map(|known| &known.positions) {
        let position = Position::from_fen(fen).unwrap();
        for position in [position.clone(), position.mirrored(), position.color_flipped()] {
            let Probe { value: found, is_exact } = tables.probe(&position).unwrap();
            let is_by_rule = matches!(found, EndgameValue::WinByRule(_) | EndgameValue::LossByRule(_));
            if is_by_rule {
                assert_eq!(EndgameValue::Draw, *value, "{fen}");
                by_rule += 1;
                continue;
            }
            assert_eq!(found, *value, "{fen}");
            let is_one_sided = Material::of(&position).unwrap().is_one_sided();
            assert!(is_exact == (is_one_sided || *value != EndgameValue::Draw), "{fen}");
            checked += 1;
        }
    }
    (checked, by_rule)
}

/// The values of all positions follow from their moves, by the engine's own move generator.
#[test]
fn every_position_agrees_with_those_after_its_moves() {
    let names = ["KRkab", "KCAkaa", "KNkb", "KPPk", "KRkn", "KNkp"];
    let folder = tempfile::tempdir().unwrap();
    let tables = saved(&names, folder.path());
    for name in names {
        let table = tables.get(&class(name)).unwrap();
        let size = table.indexer().size();
        // Every twentieth part of the larger ones.
        let parts = (0..size).step_by(1_000).step_by(if size > 50_000 { 20 } else { 1 });
        let mut checked = 0;
        for part in parts {
            let (count, fault) = check_positions(table, &tables, part..(part + 1_000).min(size));
            assert_eq!(fault, None, "{name}");
            checked += count;
        }
        assert!(checked > 1_000, "{name}: {checked}");
    }
}

#[test]
fn moves_are_given_with_their_values() {
    let tables = Tables::built_in();
    let position = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1r3K3 w - - 0 1").unwrap();
    assert!(tables.probe(&position).is_none(), "two attackers are not built in");
    let position = Position::from_fen("3k5/9/9/9/9/9/R8/9/4K4/9 w - - 0 1").unwrap();
    let moves = tables.probe_moves(&position).unwrap();
    let best = moves[0];
    assert_eq!((best.0.to_string().as_str(), best.1.value), ("a3d3", EndgameValue::Win(1)));
    assert_eq!(moves.len(), position.legal_moves().len());
    // Pieces where they can never get: a pawn behind the river on file d, an advisor and a bishop off their squares.
    for fen in ["3k5/9/9/9/9/3P5/9/9/9/4K4 w", "3k5/3a5/9/9/9/9/9/9/R8/4K4 w", "3k5/9/3b5/9/9/9/9/9/R8/4K4 w"] {
        assert!(tables.probe(&Position::from_fen(fen).unwrap()).is_none(), "{fen}");
    }
    // The rook can be taken: nobody can win then.
    let position = Position::from_fen("3k5/3R5/9/9/9/9/9/9/4K4/9 b - - 0 1").unwrap();
    let moves = tables.probe_moves(&position).unwrap();
    assert_eq!((moves[0].0.to_string().as_str(), moves[0].1.value), ("d9d8", EndgameValue::Draw));
}

/// The tables in the program are those that `chuhe egtb build --set small` makes; `.ci/run` compares all of them.
#[test]
fn built_in_tables_are_as_built() {
    let tables = Tables::built_in();
    let classes = TableSet::Small.classes();
    assert_eq!(tables.len(), classes.len());
    for class in classes {
        let table = tables.get(&class).unwrap();
        if table.indexer().size() > 300_000 {
            continue;
        }
        let values = values(&class);
        assert_eq!(table.statistics(), &Statistics::of(&values), "{class}");
        let bytes = table.check().unwrap();
        for (found, expected) in bytes.iter().flatten().zip(values.bytes.iter().flatten()) {
            // 255: impossible positions, which have some value in a file.
            assert!(found == expected || *expected == 255, "{class}");
        }
    }
}

#[test]
fn classes_that_have_no_tables_are_refused() {
    let refused = |name: &str| match generate(&class(name), &|_| None, 1, &mut |_| ()) {
        Err(error) => error,
        Ok(_) => panic!("{name}"),
    };
    for name in ["Kk", "KABkab", "Kkr", "KNkr"] {
        assert_eq!(refused(name), GenerateError::Class(class(name)));
    }
    assert_eq!(refused("KRkaa"), GenerateError::Missing(class("KRkaa"), class("KRka")));
    assert!(matches!(refused("KRRNNCCkrrnncc"), GenerateError::TooLarge(_)));
}

#[test]
fn damaged_files_are_refused() {
    let good = file::write(&values(&class("KRka")));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.egtb");
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        TableFile::open(&path)
    };
    let changed = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 1;
        bytes
    };
    assert!(open(&good).unwrap().check().is_ok());
    for length in 0..good.len() {
        if length < 400 || length % 97 == 0 {
            assert!(open(&good[..length]).is_err(), "{length} bytes");
        }
    }
    // A class with too many positions, and one whose indexer would take much memory.
    for name in ["KRRNNCCkrrnncc", "KPPPPPkppppp"] {
        let mut bytes = good.clone();
        bytes[12..44].fill(0);
        bytes[12..12 + name.len()].copy_from_slice(name.as_bytes());
        assert!(matches!(open(&bytes), Err(TableError::Class(_) | TableError::Positions { .. })), "{name}");
    }
    // Up to the blocks: twelve of them for both sides to move.
    const HEADER: usize = 204 + 12 * (8 + 4) + 4;
    let with_checksum = |place: usize, changed: &[u8]| {
        let mut bytes = good.clone();
        bytes[place..place + changed.len()].copy_from_slice(changed);
        let sum = crc32fast::hash(&bytes[..HEADER - 4]).to_le_bytes();
        bytes[HEADER - 4..HEADER].copy_from_slice(&sum);
        bytes
    };
    // The number of the longest win is beyond the class, with the right checksum.
    let bytes = with_checksum(104, &1_000_000_u64.to_le_bytes());
    assert!(matches!(open(&bytes), Err(TableError::Statistics)));
    // Results by rule would begin at an odd byte, with the right checksum.
    let bytes = with_checksum(52, &[9]);
    assert!(matches!(open(&bytes), Err(TableError::FirstByRule(9))));
    assert!(matches!(open(&[good.as_slice(), b"x"].concat()), Err(TableError::Length { .. })));
    assert!(matches!(open(&changed(0)), Err(TableError::Magic)));
    assert!(matches!(open(&with_checksum(8, &[4])), Err(TableError::Version(4))));
    for place in 12..HEADER {
        assert!(open(&changed(place)).is_err(), "byte {place} of the header");
    }
    // The rest is checked only when it is read.
    for place in [good.len() / 2, good.len() - 1] {
        let table = open(&changed(place)).unwrap();
        assert!(matches!(table.check(), Err(TableError::Checksum("data"))));
    }
    // Blocks that end before they begin, or are longer than any, with the right checksum.
    for end in [0_u64, 1 << 40, u64::MAX] {
        let table = open(&with_checksum(204 + 8, &end.to_le_bytes())).unwrap();
        assert!(table.value(4096, Color::Red).is_none() && table.check().is_err(), "{end}");
    }
    let (tables, bad) = Tables::open(&[folder.path().to_path_buf(), folder.path().join("missing")]);
    assert_eq!((tables.len(), bad.len()), (1, 1), "{bad:?}");
}

/// A table of version 2, which has no checksums of blocks, with the data of one of version 3.
fn version_2(bytes: &[u8], blocks: usize) -> Vec<u8> {
    let ends = 204 + 8 * blocks;
    let mut old = bytes[..ends].to_vec();
    old[8] = 2;
    old.extend_from_slice(&crc32fast::hash(&old).to_le_bytes());
    old.extend_from_slice(&bytes[ends + 4 * blocks + 4..]);
    old
}

/// A bit that has changed after the header was written costs the answers of the table, and gives no wrong one. It is said
/// once, and another table of the class is used.
#[test]
fn changed_bits_give_no_value() {
    let values = values(&class("KPk"));
    let new = file::write(&values);
    let old = version_2(&new, 2);
    let positions: Vec<Position> = (0..values.indexer.size())
        .step_by(31)
        .flat_map(|index| Color::ALL.map(|side| position_of(&values.indexer, index, side)))
        .flatten()
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KPk.egtb");
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (tables, bad) = Tables::open(&[folder.path().to_path_buf()]);
        assert!(tables.len() == 1 && bad.is_empty(), "{bad:?}");
        tables
    };
    let right = open(&new);
    let probe = |tables: &Tables| positions.iter().map(|position| tables.probe(position)).collect::<Vec<_>>();
    let expected = probe(&right);
    assert!(positions.len() > 100 && expected.iter().all(Option::is_some) && right.take_damaged().is_empty());
    assert_eq!(probe(&open(&old)), expected, "version 2");
    for (good, header, has_checksums) in [(&new, 204 + 2 * 12 + 4, true), (&old, 204 + 2 * 8 + 4, false)] {
        for place in (header..good.len()).step_by((good.len() - header) / 40) {
            let mut bytes = good.clone();
            bytes[place] ^= 1 << (place % 8);
            let mut tables = open(&bytes);
            let found = probe(&tables);
            let is_right = |(found, expected): (&Option<Probe>, _)| found == expected || found.is_none();
            assert!(found.iter().zip(&expected).all(is_right) && found.contains(&None), "byte {place}");
            let damaged = tables.take_damaged();
            let is_checksum = |error: &TableError| matches!(error, TableError::BlockChecksum(_)) == has_checksums;
            assert!(damaged.len() == 1 && damaged[0].path == path && is_checksum(&damaged[0].error), "{damaged:?}");
            // Neither its other blocks nor those read before are used any more.
            assert!(probe(&tables).iter().all(Option::is_none) && tables.take_damaged().is_empty());
            tables.add_built_in();
            assert_eq!(probe(&tables), expected);
        }
    }
}

/// Another program cuts a table short, writes over it, or removes it: it answers nothing wrong, and is not read again.
#[test]
fn files_that_change_while_they_are_used_give_no_value() {
    let [good, other] = ["KRkaab", "KRkabb"].map(|name| file::write(&values(&class(name))));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KRkaab.egtb");
    let values = values(&class("KRkaab"));
    let positions: Vec<Position> = (0..values.indexer.size())
        .step_by(3_001)
        .filter_map(|index| position_of(&values.indexer, index, Color::Red))
        .collect();
    for (name, is_read_before) in
        ["cut", "over", "grown", "gone"].into_iter().flat_map(|name| [(name, true), (name, false)])
    {
        fs::write(&path, &good).unwrap();
        let (tables, _) = Tables::open(&[folder.path().to_path_buf()]);
        let first = tables.get(&class("KRkaab")).unwrap();
        assert!(!is_read_before || first.value(0, Color::Black).is_some());
        match name {
            "cut" => fs::File::options().write(true).open(&path).unwrap().set_len(20_000).unwrap(),
            // In place, as `cp` does.
            "over" => fs::write(&path, &other).unwrap(),
            "grown" => fs::write(&path, [&good[..10_000], &good].concat()).unwrap(),
            _ => fs::remove_file(&path).unwrap(),
        }
        let found: Vec<_> = positions.iter().map(|position| tables.probe(position)).collect();
        let expected = positions.iter().map(|position| Tables::built_in().probe(position));
        // On Unix a file that is open stays.
        if name == "gone" && is_read_before && cfg!(unix) {
            assert!(found.into_iter().eq(expected) && tables.take_damaged().is_empty());
            continue;
        }
        assert!(found.iter().zip(expected).all(|(found, expected)| found.is_none() || *found == expected), "{name}");
        assert!(found.last().unwrap().is_none(), "{name} {is_read_before}");
        assert_eq!(tables.take_damaged().len(), 1, "{name} {is_read_before}");
    }
}

/// The engine plays longest wins of built-in tables against the best defence: each move is one ply closer to the mate.
#[test]
#[cfg(feature = "engine")]
fn engine_wins_as_fast_as_the_tables_say() {
    use chuhe::engine::Engine;
    use chuhe::engine::go::Go;
    use chuhe::engine::options::Setting;
    use chuhe::games::setup::GameSetup;
    use chuhe::search::signals::Signals;

    let tables = Tables::built_in();
    let mut engine = Engine::new();
    engine.set(&Setting::read("hashsize", "1").unwrap()).unwrap();
    for (fen, plies) in [
        ("4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w - - 0 1", 49),
        ("9/4k4/3aCa3/9/9/9/9/4K4/9/3A5 w - - 0 1", 47),
        ("9/9/4k4/9/9/9/P8/9/9/3K5 w - - 0 1", 19),
    ] {
        engine.set_up(&GameSetup::read(&format!("fen {fen}")).unwrap()).unwrap();
        for left in (0..=plies).rev() {
            let value = tables.probe(engine.position()).unwrap().value;
            let expected = if left % 2 == 1 { EndgameValue::Win(left) } else { EndgameValue::Loss(left) };
            assert_eq!(value, expected, "{}", engine.position().to_fen());
            if left == 0 {
                break;
            }
            let go = Go { depth: Some(2), ..Go::default() };
            let (plan, _) = engine.plan(&go);
            let (answer, _) = engine.go(&plan, &Signals::new(), &mut |_| ());
            engine.make(answer.best().unwrap());
        }
        assert!(engine.position().has_no_moves());
    }
}

/// There is a table, but none of what follows by a capture.
#[test]
fn table_without_those_of_captures_gives_no_moves() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("KRPk.egtb"), file::write(&values(&class("KRPk")))).unwrap();
    let tables = Tables::open(&[folder.path().to_path_buf()]).0;
    let position = Position::from_fen("3k5/3R5/9/9/P8/9/9/9/9/4K4 b").unwrap();
    assert!(tables.probe(&position).is_some() && tables.probe_moves(&position).is_none());
    assert_eq!(
        tables.why_not(&position).to_string(),
        "there is no table of KRk: if the memory suffices, `chuhe egtb build KRk` builds it"
    );
}

/// Kings and pawns may chase perpetually; a rook may not.
#[test]
fn draws_of_pawns_hold_by_the_rules_of_repetition() {
    let mut tables = Tables::built_in();
    for name in ["KPkp", "KRkr"] {
        tables.add(TableFile::from_bytes(&file::write(&values(&class(name)))).unwrap());
    }
    let draws = ["4k4/9/9/9/p8/8P/9/9/9/3K5 w", "4k4/9/9/r8/9/9/8R/9/9/3K5 w"].map(|fen| {
        let probe = tables.probe(&Position::from_fen(fen).unwrap()).unwrap();
        (probe.value, probe.is_exact)
    });
    assert_eq!(draws, [(EndgameValue::Draw, true), (EndgameValue::Draw, false)]);
}

#[test]
fn guards_of_a_side_without_cannons_win_no_drawn_ending() {
    let tables = Tables::built_in();
    let is_drawn = |fen| tables.is_drawn_without_guards(&Position::from_fen(fen).unwrap());
    // A rook against all guards, from both sides.
    assert!(is_drawn("2bak4/4a4/4b4/9/9/9/4r4/4B4/4A4/2BAK4 w"));
    assert!(is_drawn("2bakab2/9/9/9/9/9/9/3R5/4A4/2BAK4 b"));
    // The same against two advisors is won; a cannon uses guards as screens; both sides have attackers.
    assert!(!is_drawn("3ak4/4a4/9/9/9/9/9/3R5/4A4/2BAK4 w"));
    assert!(!is_drawn("3ak4/4a4/9/9/9/9/9/3C5/4A4/2BAK4 w"));
    assert!(!is_drawn("2bakab2/9/9/p8/9/9/9/3R5/4A4/2BAK4 w"));
}
