//! Opening books: reading games, building a book of a million positions, looking up positions.
//!
//! `cargo bench --bench book`. The games are random, so that nearly all positions are different.

mod common;

use chuhe::book::builder::{BuildSettings, Builder};
use chuhe::book::dat::OpeningBook;
use chuhe::games::{GameRecord, games};
use chuhe::position::Position;
use common::Benches;
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
            position.make(mv);
        }
        text.push_str("1/2-1/2\n");
    }
    text
}

fn build(games: &[GameRecord]) -> OpeningBook {
    let mut builder = Builder::new(BuildSettings { plies: PLIES, min_games: 1, ..BuildSettings::default() });
    for game in games {
        builder.add(game, false);
    }
    builder.finish().0
}

fn main() {
    let text = text();
    let games: Vec<GameRecord> = self::games(&text).map(Result::unwrap).collect();
    let moves = games.iter().map(|game| game.moves().len() as u64).sum();
    let book = build(&games);
    let mut bytes = Vec::new();
    book.write(&mut bytes).expect("memory can be written to");
    let mut positions = Vec::new();
    for game in &games[..100] {
        let mut position = game.start.clone();
        for mv in game.moves() {
            positions.push(position.clone());
            position.make(mv);
        }
    }
    let mut benches = Benches::from_arguments();
    benches.add("read games", moves, || self::games(black_box(&text)).count());
    benches.add("build", moves, || build(black_box(&games)));
    benches.add("read book", book.entries().len() as u64, || OpeningBook::read(black_box(&bytes)));
    benches.add("find", positions.len() as u64, || {
        positions.iter().map(|position| book.find(black_box(position)).len()).sum::<usize>()
    });
    benches.run();
}
