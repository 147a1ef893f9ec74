//! Endgame tables: probes of random positions, building a class, and searches with and without the built-in tables.
//!
//! `cargo bench --bench egtb`; with `EGTB_FOLDER=FOLDER` probes are measured in the tables of a folder as well.

use chuhe::egtb::generate::generate;
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::Tables;
use chuhe::egtb::verify::position_of;
use chuhe::position::Position;
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::settings::SearchSettings;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::Color;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
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

fn probing(criterion: &mut Criterion) {
    let folder = std::env::var("EGTB_FOLDER").ok();
    let sets = [("built in", Some(Tables::built_in())), ("folder", folder.map(|name| Tables::open(&[name.into()]).0))];
    let mut group = criterion.benchmark_group("egtb");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    for (name, tables) in sets {
        let Some(tables) = tables else { continue };
        let positions = random_positions(&tables);
        let start = Instant::now();
        positions.iter().for_each(|position| _ = black_box(tables.probe(position)));
        println!("{name}: first probes {} ns each", start.elapsed().as_nanos() / POSITIONS as u128);
        group.bench_function(format!("probe, {name}"), |bencher| {
            bencher.iter(|| positions.iter().filter_map(|position| tables.probe(position)).count());
        });
    }
    group.finish();
}

fn building(criterion: &mut Criterion) {
    let class = Material::read("KRkaa").unwrap();
    let mut smaller = HashMap::new();
    for class in class.subclasses() {
        let values = generate(&class, &|class| smaller.get(class).cloned(), 1, &mut |_| ()).unwrap();
        smaller.insert(class, Arc::new(values));
    }
    let mut group = criterion.benchmark_group("egtb");
    group.sample_size(20).bench_function("build KRkaa", |bencher| {
        bencher.iter(|| generate(&class, &|class| smaller.get(class).cloned(), 1, &mut |_| ()).unwrap());
    });
    group.finish();
}

fn searching(criterion: &mut Criterion) {
    let hash = TranspositionTable::new(16).unwrap();
    let built_in = Arc::new(Tables::built_in());
    let mut group = criterion.benchmark_group("egtb");
    group.throughput(Throughput::Elements(NODES)).sample_size(20);
    for (name, fen) in [
        ("middlegame", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
        ("two knights and pawn", "2bak4/4a4/4b4/9/2n6/P8/9/4B1N2/4A4/3AK1B2 w - - 0 1"),
        ("rook and pawn", "2bak4/4a4/4b4/9/9/P8/9/7R1/4K4/9 w - - 0 1"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        for (with, tables) in [("with", Some(&built_in)), ("without", None)] {
            let settings = SearchSettings { tables: tables.cloned(), ..SearchSettings::default() };
            let limits = Limits { nodes: Some(NODES), settings, ..Limits::default() };
            group.bench_function(format!("search {name}, {with} tables"), |bencher| {
                bencher.iter(|| {
                    hash.clear();
                    Searcher::new().search(&position, &limits, &Signals::new(), &hash, &mut |_| {})
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, probing, building, searching);
criterion_main!(benches);
