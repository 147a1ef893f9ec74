//! Endgame tables: probes of random positions, building a class, and searches with and without the built-in tables.
//!
//! `cargo bench --bench egtb`; with `EGTB_FOLDER=FOLDER` probes are measured in the tables of a folder as well.

mod common;

use chuhe::egtb::generate::{Values, generate};
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::Tables;
use chuhe::internals::egtb::{Indexer, position_of};
use chuhe::position::Position;
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::Color;
use common::Benches;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const POSITIONS: usize = 10_000;
const NODES: u64 = 100_000;

/// Random positions of all classes alike.
fn random_positions(tables: &Tables) -> Vec<Position> {
    let all: Vec<_> = tables.iter().collect();
    let mut random = StdRng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let indexer = all[random.random_range(0..all.len())].indexer();
        let index = random.random_range(0..indexer.size());
        positions.extend(position_of(indexer, index, Color::ALL[random.random_range(0..2)]));
    }
    positions
}

fn probing<'a>(benches: &mut Benches<'a>, name: &str, tables: &'a Tables) {
    let positions = random_positions(tables);
    let start = Instant::now();
    positions.iter().for_each(|position| _ = black_box(tables.probe(position)));
    println!("{name}: first probes {} ns each", start.elapsed().as_nanos() / POSITIONS as u128);
    benches.add(format!("probe, {name}"), POSITIONS as u64, move || {
        positions.iter().filter_map(|position| tables.probe(position)).count()
    });
}

fn building(benches: &mut Benches) {
    let class = Material::read("KRkaa").unwrap();
    let mut smaller: HashMap<Material, Arc<Values>> = HashMap::new();
    for class in class.subclasses() {
        let values = generate(&class, &|class| smaller.get(class).cloned(), 1, &mut |_| ()).unwrap();
        smaller.insert(class, Arc::new(values));
    }
    let size = 2 * Indexer::size_of(&class).unwrap() as u64;
    benches.add("build KRkaa", size, move || {
        generate(&class, &|class| smaller.get(class).cloned(), 1, &mut |_| ()).unwrap()
    });
}

fn searching<'a>(benches: &mut Benches<'a>, hash: &'a TranspositionTable, built_in: &Arc<Tables>) {
    for (name, fen) in [
        ("middlegame", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
        ("two knights and pawn", "2bak4/4a4/4b4/9/2n6/P8/9/4B1N2/4A4/3AK1B2 w - - 0 1"),
        ("rook and pawn", "2bak4/4a4/4b4/9/9/P8/9/7R1/4K4/9 w - - 0 1"),
    ] {
        for (with, tables) in [("with", Some(built_in)), ("without", None)] {
            let position = Position::from_fen(fen).unwrap();
            let settings = SearchSettings { tables: tables.cloned(), ..SearchSettings::default() };
            let limits = Limits { nodes: Some(NODES), settings, ..Limits::default() };
            benches.add(format!("search {name}, {with} tables"), NODES, move || {
                hash.clear();
                Searcher::new().search(&position, &limits, &Signals::new(), hash, &mut |_| {})
            });
        }
    }
}

fn main() {
    let built_in = Arc::new(Tables::built_in());
    let folder = std::env::var("EGTB_FOLDER").ok().map(|name| Tables::open(&[name.into()]).0);
    let hash = TranspositionTable::new(16).unwrap();
    let mut benches = Benches::from_arguments();
    probing(&mut benches, "built in", &built_in);
    if let Some(tables) = &folder {
        probing(&mut benches, "folder", tables);
    }
    building(&mut benches);
    searching(&mut benches, &hash, &built_in);
    benches.run();
}
