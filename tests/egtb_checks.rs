//! Endgame tables against a plain forward search, and against themselves with the board mirrored and the colors exchanged.

#[path = "common/tables.rs"]
mod tables;

use chuhe::egtb::forward_search::ForwardSearch;
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::Tables;
use chuhe::egtb::value::EndgameValue;
use chuhe::egtb::verify::{check_by_search, position_of};
use chuhe::{Color, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tables::tables;

/// Three classes: 10,000 random positions of each, searched to the mate, however far it is, or in draws to the longest mate
/// of the class.
#[test]
fn values_are_those_of_a_forward_search() {
    for name in ["KNka", "KRkab", "KRkn"] {
        let tables = tables(&[name]);
        let table = tables.get(&Material::read(name).unwrap()).unwrap();
        let longest = |longest: Option<(u32, usize)>| longest.map_or(0, |(plies, _)| plies);
        let sides = table.statistics().iter();
        let greatest = sides.map(|side| longest(side.longest_win).max(longest(side.longest_loss))).max().unwrap();
        let (mut random, mut search) = (StdRng::seed_from_u64(29), ForwardSearch::new(0));
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        while wins + draws + losses < 10_000 {
            let place @ (index, side) =
                (random.random_range(0..table.indexer().size()), Color::ALL[random.random_range(0..2)]);
            if position_of(table.indexer(), index, side).is_none() {
                continue;
            }
            match table.value(index, side).unwrap() {
                EndgameValue::Win(_) => wins += 1,
                EndgameValue::Loss(_) => losses += 1,
                _ => draws += 1,
            }
            assert_eq!(check_by_search(table, &mut search, place, greatest, u64::MAX), None, "{name}");
        }
        assert!(greatest > 10 && wins > 100 && draws > 10 && losses > 100, "{name}: {wins} {draws} {losses}");
    }
}

/// The search finds a wrong value.
#[test]
fn forward_search_disagrees_with_another_table() {
    let tables = tables(&["KRk", "KNk"]);
    let table = |name: &str| tables.get(&Material::read(name).unwrap()).unwrap();
    let (rook, knight) = (table("KRk"), table("KNk"));
    // The same place in both: a rook mates sooner than a knight.
    let differs = (0..rook.indexer().size()).find(|&index| {
        let values = [rook, knight].map(|table| table.value(index, Color::Red));
        position_of(rook.indexer(), index, Color::Red).is_some() && values[0] != values[1]
    });
    let place = (differs.unwrap(), Color::Red);
    let mut position = position_of(rook.indexer(), place.0, place.1).unwrap();
    let value = knight.value(place.0, place.1).unwrap();
    let EndgameValue::Win(plies) = value else { panic!("{value:?}") };
    assert_eq!(ForwardSearch::new(u64::MAX).is_mate_within(&mut position, plies - 2), Some(true));
    assert_eq!(check_by_search(rook, &mut ForwardSearch::new(0), place, u32::MAX, u64::MAX), None);
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
