//! Opening books: reading games, building a book of a million positions, looking up positions.
//!
//! `cargo bench --bench book`. The games are random, so that nearly all positions are different.

use chuhe::book::builder::{BuildSettings, Builder};
use chuhe::book::dat::OpeningBook;
use chuhe::notation::game_record::GameRecord;
use chuhe::notation::pgn;
use chuhe::position::Position;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;

/// Games, and plies of each: a million positions.
const GAMES: usize = 10_000;
const PLIES: usize = 100;

/// Random games as text, a line each.
fn text() -> String {
    let mut chance = SmallRng::seed_from_u64(1);
    let mut text = String::new();
    for _ in 0..GAMES {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(chance.random_range(0..moves.len().max(1))) else { break };
            text.push_str(&format!("{mv} "));
            position.make(mv, &mut ());
        }
        text.push_str("1/2-1/2\n");
    }
    text
}

fn build(games: &[GameRecord]) -> OpeningBook {
    let mut builder = Builder::new(BuildSettings { plies: PLIES, min_games: 1, ..BuildSettings::default() });
    for game in games {
        builder.add(&game.start, &game.moves, game.result);
    }
    builder.finish()
}

fn books(criterion: &mut Criterion) {
    let text = text();
    let games: Vec<GameRecord> = pgn::games(&text).collect();
    let moves = games.iter().map(|game| game.moves.len() as u64).sum();
    let mut group = criterion.benchmark_group("book");
    group.sample_size(10).throughput(Throughput::Elements(moves));
    group.bench_function("read games", |bencher| bencher.iter(|| pgn::games(black_box(&text)).count()));
    group.bench_function("build", |bencher| bencher.iter(|| build(black_box(&games))));
    let book = build(&games);
    let mut bytes = Vec::new();
    book.write(&mut bytes).expect("memory can be written to");
    group.throughput(Throughput::Elements(book.entries().len() as u64));
    group.bench_function("read book", |bencher| bencher.iter(|| OpeningBook::read(black_box(&bytes))));
    let mut positions = Vec::new();
    for game in &games[..100] {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            positions.push(position.clone());
            position.make(mv, &mut ());
        }
    }
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("find", |bencher| {
        bencher.iter(|| positions.iter().map(|position| book.find(black_box(position)).len()).sum::<usize>())
    });
    group.finish();
}

criterion_group!(benches, books);
criterion_main!(benches);
