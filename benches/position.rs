//! Move generation, make and undo, SEE, move ordering and evaluation over the positions of `tests/data/perft.txt`.
//!
//! `cargo bench --bench position`. Rates are moves (or leaves) a second; compare only runs made one after the other on
//! one machine.

#[path = "../tests/common/data.rs"]
mod data;

use chuhe::eval::network::Network;
use chuhe::eval::{Evaluator, Knowledge};
use chuhe::position::{GenType, Position};
use chuhe::rules::Rules;
use chuhe::search::history::{History, PreviousMoves};
use chuhe::search::picker::Picker;
use chuhe::tools::perft::perft;
use chuhe::types::{Move, MoveList};
use criterion::{Bencher, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// A position and its legal moves.
type WithMoves = (Position, Vec<Move>);

fn positions() -> Vec<WithMoves> {
    let positions = data::fens().map(|fen| Position::from_fen(fen).unwrap());
    positions.map(|position| (position.clone(), position.legal_moves().iter().collect())).collect()
}

/// Measures `routine`, which processes `count` moves or leaves.
fn measure(criterion: &mut Criterion, name: &str, count: u64, routine: impl FnMut(&mut Bencher)) {
    let mut group = criterion.benchmark_group("position");
    group.throughput(Throughput::Elements(count)).bench_function(name, routine);
    group.finish();
}

fn generation(criterion: &mut Criterion) {
    let all = positions();
    let mut list = MoveList::new();
    for scope in [GenType::All, GenType::Captures, GenType::Quiets] {
        let mut generate = |position: &Position| {
            list.clear();
            black_box(position).generate(scope, &mut list);
            black_box(&list).len() as u64
        };
        let count = all.iter().map(|(position, _)| generate(position)).sum();
        measure(criterion, &format!("generate {scope:?}"), count, |bencher| {
            bencher.iter(|| all.iter().map(|(position, _)| generate(position)).sum::<u64>())
        });
    }
    let count = |position: &Position| black_box(position).count_legal() as u64;
    let leaves = all.iter().map(|(position, _)| count(position)).sum();
    measure(criterion, "count legal moves", leaves, |bencher| {
        bencher.iter(|| all.iter().map(|(position, _)| count(position)).sum::<u64>())
    });
    let mut start = Position::start();
    let leaves = perft(&mut start, 4);
    measure(criterion, "perft 4", leaves, |bencher| bencher.iter(|| perft(black_box(&mut start), 4)));
}

fn making(criterion: &mut Criterion) {
    let mut all = positions();
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    measure(criterion, "make and undo", count, |bencher| {
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
        measure(criterion, &format!("make, evaluate and undo, {knowledge:?}"), count, |bencher| {
            bencher.iter(|| {
                for (position, moves) in &mut all {
                    let mut evaluator = Evaluator::new(knowledge, &network, &Rules::default(), position);
                    for &mv in moves.iter() {
                        position.make(mv, &mut evaluator);
                        black_box(evaluator.evaluate(position));
                        position.undo(&mut evaluator);
                    }
                }
            })
        });
    }
}

fn ordering(criterion: &mut Criterion) {
    let all = positions();
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    let each = |ask: &dyn Fn(&Position, Move) -> bool| {
        let asked = all.iter().map(|(position, moves)| moves.iter().filter(|&&mv| ask(position, mv)).count());
        asked.sum::<usize>()
    };
    measure(criterion, "exchange", count, |bencher| {
        bencher.iter(|| each(&|position, mv| black_box(position).see_ge(mv, 0)))
    });
    measure(criterion, "is_legal", count, |bencher| {
        bencher.iter(|| each(&|position, mv| black_box(position).is_legal(mv)))
    });
    let (history, mut picker) = (History::new(), Picker::new());
    let mut pick = |position: &Position, tt_move: Option<Move>| {
        picker.start(position, tt_move, [None; 2], PreviousMoves::default());
        std::iter::from_fn(|| picker.next(position, &history)).count()
    };
    measure(criterion, "pick", count, |bencher| {
        bencher.iter(|| all.iter().map(|(position, moves)| pick(position, moves.first().copied())).sum::<usize>())
    });
}

criterion_group!(benches, generation, making, ordering);
criterion_main!(benches);
