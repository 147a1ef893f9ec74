//! Endgame tables against a plain forward search, and against themselves with the board mirrored and the colors exchanged.

use crate::tables::{class, tables};

use chuhe::egtb::tables::Tables;
use chuhe::egtb::value::EndgameValue;
use chuhe::internals::egtb::{ForwardSearch, SearchCheck, check_by_search, position_of};
use chuhe::{Color, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Three classes: 2,000 random positions of each, searched to the mate, however far it is, or in draws to the longest mate
/// of the class.
#[test]
fn values_are_those_of_a_forward_search() {
    for name in ["KNka", "KRkab", "KRkn"] {
        let tables = tables(&[name]);
        let table = tables.get(&class(name)).unwrap();
        let longest = |longest: Option<(u32, usize)>| longest.map_or(0, |(plies, _)| plies);
        let sides = table.statistics().iter();
        let greatest = sides.map(|side| longest(side.longest_win).max(longest(side.longest_loss))).max().unwrap();
        let (mut random, mut search) = (StdRng::seed_from_u64(29), ForwardSearch::default());
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        while wins + draws + losses < 2_000 {
            let (index, side) = (random.random_range(0..table.indexer().size()), Color::ALL[random.random_range(0..2)]);
            let Some(mut position) = position_of(table.indexer(), index, side) else { continue };
            let value = table.value(index, side);
            match value.unwrap() {
                EndgameValue::Win(_) => wins += 1,
                EndgameValue::Loss(_) => losses += 1,
                _ => draws += 1,
            }
            let result = check_by_search(value, &mut position, &mut search, greatest, u64::MAX);
            assert_eq!(result, SearchCheck::Agrees, "{name}");
        }
        assert!(greatest > 10 && wins > 100 && draws > 5 && losses > 100, "{name}: {wins} {draws} {losses}");
    }
}

#[test]
fn forward_search_finds_wrong_values() {
    let check = |fen: &str, value, plies, nodes| {
        let mut position = Position::from_fen(fen).unwrap();
        check_by_search(Some(value), &mut position, &mut ForwardSearch::default(), plies, nodes)
    };
    let expected = |result| match result {
        SearchCheck::Fault(fault) => fault.expected,
        result => panic!("{result:?}"),
    };
    // A mate in one ply.
    let mate = "3k5/9/9/9/9/9/R8/9/4K4/9 w - - 0 1";
    assert_eq!(check(mate, EndgameValue::Win(1), 9, 1_000), SearchCheck::Agrees);
    for wrong in [EndgameValue::Win(3), EndgameValue::Draw, EndgameValue::Loss(2), EndgameValue::WinByRule(1)] {
        assert_eq!(expected(check(mate, wrong, 9, 1_000)), Some(EndgameValue::Win(1)), "{wrong:?}");
    }
    // No mate at all.
    let drawn = "2bak1b2/4a4/9/9/9/9/9/R8/9/4K4 w - - 0 1";
    assert_eq!(check(drawn, EndgameValue::Draw, 3, 100_000), SearchCheck::Agrees);
    assert_eq!(check(drawn, EndgameValue::Draw, 5, 10), SearchCheck::Unfinished);
    assert_eq!(expected(check(drawn, EndgameValue::Win(3), 3, 100_000)), None);
}

/// The values of a position, of its mirror image and of the one with colors exchanged, of all classes that are built in and
/// some in which both sides attack. (Mirror images with Red's king on file e, and positions of the same pieces with colors
/// exchanged, have values of their own in a table.)
#[test]
fn values_are_symmetric() {
    let built_in = Tables::built_in();
    let names = ["KRkr", "KNkn", "KPkp", "KRkn", "KRkc", "KNkp", "KPPk", "KCAkaa"];
    let others = tables(&names);
    let mut random = StdRng::seed_from_u64(29);
    for tables in [&built_in, &others] {
        for table in tables.iter() {
            let mut checked = 0;
            while checked < 2_000 {
                let index = random.random_range(0..table.indexer().size());
                let side = Color::ALL[random.random_range(0..2)];
                let Some(position) = position_of(table.indexer(), index, side) else { continue };
                let value = |position: &Position| tables.probe(position).unwrap().value;
                let expected = value(&position);
                for other in [position.mirrored(), position.color_flipped(), position.mirrored().color_flipped()] {
                    assert_eq!(value(&other), expected, "{}", other.to_fen());
                }
                checked += 1;
            }
        }
    }
}
