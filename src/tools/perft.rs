//! Perft: counting the leaves of the tree of legal moves, the test of a move generator.

use crate::position::{Position, Scope};
use crate::types::{Move, MoveList};

/// The number of lines of `depth` legal moves. The last ply is the length of its list of legal moves.
pub fn perft(position: &mut Position, depth: usize) -> u64 {
    leaves(position, depth, &|position, list| {
        list.clear();
        position.generate(Scope::All, list);
        list.len()
    })
}

/// As [`perft`], but the moves of the last ply are counted without being listed: faster, and no test of the lists.
pub fn perft_counting(position: &mut Position, depth: usize) -> u64 {
    leaves(position, depth, &|position, _| position.count_legal())
}

/// Counts lines of `depth` moves, the last of them by `last`.
fn leaves(position: &mut Position, depth: usize, last: &impl Fn(&Position, &mut MoveList) -> usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    count(position, &mut vec![MoveList::new(); depth], last)
}

fn count(position: &mut Position, lists: &mut [MoveList], last: &impl Fn(&Position, &mut MoveList) -> usize) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    if rest.is_empty() {
        return last(position, list) as u64;
    }
    list.clear();
    position.generate(Scope::All, list);
    let mut leaves = 0;
    for mv in list.iter() {
        position.make(mv, &mut ());
        leaves += count(position, rest, last);
        position.undo(&mut ());
    }
    leaves
}

/// As [`perft`], telling `each` the number of lines behind every legal move. Depth 0 has no moves to tell of.
pub fn divide(position: &mut Position, depth: usize, each: &mut dyn FnMut(Move, u64)) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in position.legal_moves().iter() {
        position.make(mv, &mut ());
        let behind = perft(position, depth - 1);
        position.undo(&mut ());
        each(mv, behind);
        leaves += behind;
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divided_or_not_the_count_is_the_same() {
        let mut position = Position::start();
        for (depth, expected) in [1, 44, 1_920, 79_666].into_iter().enumerate() {
            let mut sum = 0;
            assert_eq!(divide(&mut position, depth, &mut |_, leaves| sum += leaves), expected);
            assert_eq!(perft(&mut position, depth), expected);
            assert_eq!(perft_counting(&mut position, depth), expected);
            assert!(depth == 0 || sum == expected);
        }
    }
}
