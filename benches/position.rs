//! Generation, make and undo, exchanges and evaluation over the positions of `tests/data/perft.txt`.
//!
//! `cargo bench --bench position`. Times are for all 300 positions; compare runs of one sitting only.

use chuhe::eval::network::Network;
use chuhe::eval::{Evaluator, Knowledge};
use chuhe::position::{Position, Scope};
use chuhe::tools::perft::perft;
use chuhe::types::{Move, MoveList};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn positions() -> Vec<Position> {
    let lines = include_str!("../tests/data/perft.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Position::from_fen(line.split(';').next().unwrap()).unwrap()).collect()
}

fn generation(criterion: &mut Criterion) {
    let positions = positions();
    let mut list = MoveList::new();
    for scope in [Scope::All, Scope::Captures, Scope::Quiets] {
        criterion.bench_function(&format!("generate {scope:?}"), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    list.clear();
                    black_box(position).generate(scope, &mut list);
                    black_box(&list);
                }
            })
        });
    }
    criterion.bench_function("count legal moves", |bencher| {
        bencher.iter(|| positions.iter().map(|position| black_box(position).count_legal()).sum::<usize>())
    });
    criterion.bench_function("perft 4 of the start position", |bencher| {
        let mut position = Position::start();
        bencher.iter(|| perft(black_box(&mut position), 4))
    });
}

/// A position and its legal moves.
type WithMoves = (Position, Vec<Move>);

fn with_moves() -> Vec<WithMoves> {
    positions().into_iter().map(|position| (position.clone(), position.legal_moves().iter().collect())).collect()
}

fn making(criterion: &mut Criterion) {
    let mut all = with_moves();
    let count: usize = all.iter().map(|(_, moves)| moves.len()).sum();
    criterion.bench_function(&format!("make and undo {count} moves"), |bencher| {
        bencher.iter(|| {
            for (position, moves) in &mut all {
                for &mv in moves.iter() {
                    position.make(mv, &mut ());
                    position.undo(&mut ());
                }
            }
        })
    });
    let network = Network::built_in();
    for knowledge in Knowledge::ALL {
        criterion.bench_function(&format!("make, evaluate and undo {count} moves, {knowledge:?}"), |bencher| {
            bencher.iter(|| {
                for (position, moves) in &mut all {
                    let mut evaluator = Evaluator::new(knowledge, &network, position);
                    for &mv in moves.iter() {
                        position.make(mv, &mut evaluator);
                        black_box(evaluator.evaluate(position));
                        position.undo(&mut evaluator);
                    }
                }
            })
        });
    }
    criterion.bench_function(&format!("whether {count} exchanges pay"), |bencher| {
        bencher.iter(|| {
            for (position, moves) in &all {
                for &mv in moves {
                    black_box(position.exchange_pays(mv, 0));
                }
            }
        })
    });
    criterion.bench_function(&format!("is_legal of {count} moves"), |bencher| {
        bencher.iter(|| {
            for (position, moves) in &all {
                for &mv in moves {
                    black_box(position.is_legal(mv));
                }
            }
        })
    });
}

criterion_group!(benches, generation, making);
criterion_main!(benches);
