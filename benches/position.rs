//! Move generation, make and undo, SEE, move ordering and evaluation over the positions of `tests/data/perft.txt`.
//!
//! `cargo bench --bench position`. Rates are moves (or leaves) a second; compare only runs made one after the other on
//! one machine.

mod common;
#[path = "../tests/common/data.rs"]
mod data;

use chuhe::eval::network::Network;
use chuhe::eval::{Evaluator, Knowledge};
use chuhe::internals::search::{History, Picker, PreviousMoves};
use chuhe::position::perft::perft;
use chuhe::position::{GenType, Position};
use chuhe::rules::Rules;
use chuhe::types::{Move, MoveList};
use common::Benches;
use std::hint::black_box;
use std::sync::Arc;

/// A position and its legal moves.
type WithMoves = (Position, Vec<Move>);

fn positions() -> Vec<WithMoves> {
    let positions = data::fens().map(|fen| Position::from_fen(fen).unwrap());
    positions.map(|position| (position.clone(), position.legal_moves().iter().collect())).collect()
}

fn generation<'a>(benches: &mut Benches<'a>, all: &'a [WithMoves]) {
    for scope in [GenType::All, GenType::Captures, GenType::Quiets] {
        let mut list = MoveList::new();
        let mut generate = move |position: &Position| {
            list.clear();
            black_box(position).generate(scope, &mut list);
            black_box(&list).len() as u64
        };
        let count = all.iter().map(|(position, _)| generate(position)).sum();
        benches.add(format!("generate {scope:?}"), count, move || {
            all.iter().map(|(position, _)| generate(position)).sum::<u64>()
        });
    }
    let count = |position: &Position| black_box(position).count_legal() as u64;
    let leaves = all.iter().map(|(position, _)| count(position)).sum();
    benches.add("count legal moves", leaves, move || all.iter().map(|(position, _)| count(position)).sum::<u64>());
    let mut start = Position::start();
    let leaves = perft(&mut start, 4);
    benches.add("perft 4", leaves, move || perft(black_box(&mut start), 4));
}

fn making<'a>(benches: &mut Benches<'a>, all: &'a [WithMoves], network: &'a Arc<Network>) {
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    let mut made = all.to_vec();
    benches.add("make and undo", count, move || {
        for (position, moves) in &mut made {
            for &mv in moves.iter() {
                position.make(mv);
                position.undo();
            }
        }
    });
    for knowledge in Knowledge::ALL {
        let mut made = all.to_vec();
        benches.add(format!("make, evaluate and undo, {knowledge:?}"), count, move || {
            for (position, moves) in &mut made {
                let mut evaluator = Evaluator::new(knowledge, network, &Rules::default());
                for &mv in moves.iter() {
                    position.make(mv);
                    black_box(evaluator.evaluate(position));
                    position.undo();
                }
            }
        });
    }
}

fn ordering<'a>(benches: &mut Benches<'a>, all: &'a [WithMoves]) {
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    let each = |ask: &dyn Fn(&Position, Move) -> bool| {
        let asked = all.iter().map(|(position, moves)| moves.iter().filter(|&&mv| ask(position, mv)).count());
        asked.sum::<usize>()
    };
    benches.add("exchange", count, move || each(&|position, mv| black_box(position).see_ge(mv, 0)));
    benches.add("is_legal", count, move || each(&|position, mv| black_box(position).is_legal(mv)));
    let (history, mut picker) = (History::new(), Picker::new());
    let mut pick = move |position: &Position, tt_move: Option<Move>| {
        picker.start(position, tt_move, [None; 2], PreviousMoves::default());
        std::iter::from_fn(|| picker.next(position, &history)).count()
    };
    benches.add("pick", count, move || {
        all.iter().map(|(position, moves)| pick(position, moves.first().copied())).sum::<usize>()
    });
}

fn main() {
    let (all, network) = (positions(), Network::built_in());
    let mut benches = Benches::from_arguments();
    generation(&mut benches, &all);
    making(&mut benches, &all, &network);
    ordering(&mut benches, &all);
    benches.run();
}
