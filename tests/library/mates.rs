//! The mate solver against a search of all moves that keeps nothing, and printed problems.

use chuhe::Position;
use chuhe::mate::solution::{Attacking, SolutionLimits};
use chuhe::mate::{MateLimits, MateSolver};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn problems() -> impl Iterator<Item = Position> {
    let lines = include_str!("../data/problems.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|fen| Position::from_fen(fen).unwrap())
}

/// All nodes that it takes.
fn unlimited(moves: u8) -> MateLimits<'static> {
    MateLimits { moves, nodes: u64::MAX, is_stopped: &|| false }
}

/// Whether the side to move mates in this many moves.
fn mates_in(position: &mut Position, moves: u8) -> bool {
    position.legal_moves().iter().any(|mv| {
        position.make(mv);
        let replies = position.legal_moves();
        let mates = replies.is_empty()
            || moves > 1
                && replies.iter().all(|reply| {
                    position.make(reply);
                    let mates = mates_in(position, moves - 1);
                    position.undo();
                    mates
                });
        position.undo();
        mates
    })
}

/// The shortest mate in at most this many moves.
fn shortest(position: &mut Position, moves: u8) -> Option<u8> {
    (1..=moves).find(|&moves| mates_in(position, moves))
}

#[test]
fn mates_in_two_are_those_of_a_naive_search() {
    let (mut rng, mut found) = (SmallRng::seed_from_u64(1), [0; 3]);
    for mut position in problems() {
        for _ in 0..rng.random_range(0..4) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves.get(rng.random_range(0..moves.len())).unwrap());
        }
        let mut solver = MateSolver::new(1).unwrap();
        let verdict = solver.solve(&position, unlimited(2));
        let expected = shortest(&mut position, 2);
        let agrees = match expected {
            Some(moves) => verdict.mate == Some(moves) && verdict.is_shortest(),
            None => verdict.mate.is_none() && verdict.no_mate == 2,
        };
        assert!(agrees, "{}: {verdict:?}, {expected:?}", position.to_fen());
        found[usize::from(expected.unwrap_or(0))] += 1;
    }
    assert!(found.iter().all(|&count| count > 20), "{found:?}");
}

#[test]
#[ignore = "minutes: cargo test --release --test library -- --ignored mates_in_three"]
fn mates_in_three_are_those_of_a_naive_search() {
    for mut position in problems() {
        let mut solver = MateSolver::new(16).unwrap();
        let verdict = solver.solve(&position, unlimited(3));
        let expected = shortest(&mut position, 3);
        assert_eq!(verdict.mate, expected, "{}: {verdict:?}", position.to_fen());
    }
}

/// Plays every line of a solution: it ends in mate in as many moves as it says.
fn check(position: &Position, attacking: &Attacking, moves: u8) {
    assert!(attacking.moves <= moves, "{} {}", position.to_fen(), attacking.mv);
    let after = position.after(attacking.mv);
    let mut replies: Vec<_> = attacking.replies.iter().map(|reply| reply.mv.bits()).collect();
    let mut legal: Vec<_> = after.legal_moves().iter().map(|mv| mv.bits()).collect();
    replies.sort_unstable();
    legal.sort_unstable();
    assert_eq!(replies, legal, "{}", after.to_fen());
    assert_eq!(legal.is_empty(), attacking.moves == 1, "{}", after.to_fen());
    for reply in &attacking.replies {
        let position = after.after(reply.mv);
        let first = reply.answers.first().unwrap_or_else(|| panic!("no answer: {}", position.to_fen()));
        check(&position, first, attacking.moves - 1);
    }
}

#[test]
fn solutions_mate_against_every_defence() {
    let limits = SolutionLimits { moves: None, nodes: 100_000, move_nodes: 100_000, all: true, answers: usize::MAX };
    let mut solved = 0;
    for position in problems().step_by(3) {
        let mut solver = MateSolver::new(4).unwrap();
        // Of longer mates the whole tree is too large.
        let Some(moves) = solver.solve(&position, unlimited(3)).mate else { continue };
        let solution = solver.solution(&position, None, &limits, &|| false);
        assert!(!solution.keys.is_empty(), "{}", position.to_fen());
        solution.keys.iter().for_each(|key| check(&position, key, moves));
        solved += 1;
    }
    assert!(solved > 20, "{solved}");
}

/// Two of its four mates in one were once said to be none.
#[test]
fn every_key_of_a_cooked_problem_is_named() {
    let position = Position::from_fen("2ca1kb2/2N1a4/2n6/6N1p/1nb1P4/C5c2/1p7/9/4AC3/2B1KAB2 w - - 0 1").unwrap();
    let limits = SolutionLimits { moves: Some(3), nodes: 10_000_000, move_nodes: 1_000_000, all: true, answers: 0 };
    let solution = MateSolver::new(16).unwrap().solution(&position, None, &limits, &|| false);
    for mv in position.legal_moves().iter() {
        let mut after = position.after(mv);
        let mates = after.legal_moves().iter().all(|reply| {
            after.make(reply);
            let mates = shortest(&mut after, 2).is_some();
            after.undo();
            mates
        });
        assert_eq!(solution.keys.iter().any(|key| key.mv == mv), mates, "{mv}");
    }
    assert!(solution.verdict.mate == Some(1) && solution.undecided.is_empty());
    let quiet = Position::from_fen("3ak4/4a4/4b4/9/9/6N2/9/9/9/4K4 w - - 0 1").unwrap();
    let none = MateSolver::new(16).unwrap().solve(&quiet, unlimited(3));
    assert!(none.mate.is_none() && none.no_mate == 3, "{none:?}");
}
