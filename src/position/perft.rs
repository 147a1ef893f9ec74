//! Perft (performance test): counts the leaves of the tree of legal moves, the standard test of a move generator.

use crate::position::{GenType, Position};
use crate::types::{Move, MoveList};

/// Minimum number of plies left at which `keep_going` is called, so that it is called once per some ten thousand
/// leaves.
const MIN_PLIES_TO_POLL: usize = 3;

/// The number of move sequences of `depth` plies. At the last ply the legal moves are generated, not made (bulk
/// counting).
pub fn perft(position: &mut Position, depth: usize) -> u64 {
    perft_while(position, depth, &|| true)
}

/// [`perft`] that stops when `keep_going` returns false; the result is then incomplete.
pub fn perft_while(position: &mut Position, depth: usize, keep_going: &impl Fn() -> bool) -> u64 {
    let last = |position: &Position, list: &mut MoveList| {
        list.clear();
        position.generate(GenType::All, list);
        list.len()
    };
    leaves(position, depth, &last, keep_going)
}

/// [`perft`] that counts the moves of the last ply without generating them: faster, but does not test the generator
/// there.
pub fn perft_counting(position: &mut Position, depth: usize) -> u64 {
    leaves(position, depth, &|position, _| position.count_legal(), &|| true)
}

/// Counts move sequences of `depth` plies; `last` counts the moves of the last ply.
fn leaves(
    position: &mut Position,
    depth: usize,
    last: &impl Fn(&Position, &mut MoveList) -> usize,
    keep_going: &impl Fn() -> bool,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    count(position, &mut vec![MoveList::new(); depth], last, keep_going)
}

fn count(
    position: &mut Position,
    lists: &mut [MoveList],
    last: &impl Fn(&Position, &mut MoveList) -> usize,
    keep_going: &impl Fn() -> bool,
) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    if rest.is_empty() {
        return last(position, list) as u64;
    }
    if rest.len() >= MIN_PLIES_TO_POLL && !keep_going() {
        return 0;
    }
    list.clear();
    position.generate(GenType::All, list);
    let mut leaves = 0;
    for mv in list.iter() {
        position.make(mv);
        leaves += count(position, rest, last, keep_going);
        position.undo();
    }
    leaves
}

/// [`perft_while`] that calls `each` with every legal move and its number of leaves. At depth 0 `each` is not called.
pub fn divide(
    position: &mut Position,
    depth: usize,
    keep_going: &impl Fn() -> bool,
    each: &mut dyn FnMut(Move, u64),
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in position.legal_moves().iter().take_while(|_| keep_going()) {
        position.make(mv);
        let below = perft_while(position, depth - 1, keep_going);
        position.undo();
        each(mv, below);
        leaves += below;
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divide_and_counting_match_perft() {
        let mut position = Position::start();
        for (depth, expected) in [1, 44, 1_920, 79_666].into_iter().enumerate() {
            let mut sum = 0;
            assert_eq!(divide(&mut position, depth, &|| true, &mut |_, leaves| sum += leaves), expected);
            assert_eq!(perft(&mut position, depth), expected);
            assert_eq!(perft_counting(&mut position, depth), expected);
            assert!(depth == 0 || sum == expected);
        }
    }

    #[test]
    fn counting_can_be_stopped() {
        let mut position = Position::start();
        assert_eq!(divide(&mut position, 9, &|| false, &mut |_, _| panic!("no move is counted")), 0);
        assert_eq!(perft_while(&mut position, 9, &|| false), 0);
        let calls = std::cell::Cell::new(0);
        let keep_going = || calls.replace(calls.get() + 1) < 3;
        let leaves = perft_while(&mut position, 5, &keep_going);
        assert!(0 < leaves && leaves < 133_312_995);
    }
}
