//! Perft: counting the leaves of the tree of legal moves, the test of a move generator.

use crate::position::{GenType, Position};
use crate::types::{Move, MoveList};

/// Plies left below which nobody asks whether to go on: some ten thousand leaves.
const PLIES_PER_LOOK: usize = 3;

/// The number of lines of `depth` legal moves. The last ply is the length of its list of legal moves.
pub fn perft(position: &mut Position, depth: usize) -> u64 {
    perft_while(position, depth, &|| true)
}

/// As [`perft`], but only while `goes_on`: what is not counted by then counts as nothing.
pub fn perft_while(position: &mut Position, depth: usize, goes_on: &impl Fn() -> bool) -> u64 {
    let last = |position: &Position, list: &mut MoveList| {
        list.clear();
        position.generate(GenType::All, list);
        list.len()
    };
    leaves(position, depth, &last, goes_on)
}

/// As [`perft`], but the moves of the last ply are counted without being listed: faster, and no test of the lists.
pub fn perft_counting(position: &mut Position, depth: usize) -> u64 {
    leaves(position, depth, &|position, _| position.count_legal(), &|| true)
}

/// Counts lines of `depth` moves, the last of them by `last`.
fn leaves(
    position: &mut Position,
    depth: usize,
    last: &impl Fn(&Position, &mut MoveList) -> usize,
    goes_on: &impl Fn() -> bool,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    count(position, &mut vec![MoveList::new(); depth], last, goes_on)
}

fn count(
    position: &mut Position,
    lists: &mut [MoveList],
    last: &impl Fn(&Position, &mut MoveList) -> usize,
    goes_on: &impl Fn() -> bool,
) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    if rest.is_empty() {
        return last(position, list) as u64;
    }
    if rest.len() >= PLIES_PER_LOOK && !goes_on() {
        return 0;
    }
    list.clear();
    position.generate(GenType::All, list);
    let mut leaves = 0;
    for mv in list.iter() {
        position.make(mv, &mut ());
        leaves += count(position, rest, last, goes_on);
        position.undo(&mut ());
    }
    leaves
}

/// As [`perft_while`], telling `each` the number of lines behind every legal move. Depth 0 has no moves to tell of.
pub fn divide(
    position: &mut Position,
    depth: usize,
    goes_on: &impl Fn() -> bool,
    each: &mut dyn FnMut(Move, u64),
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in position.legal_moves().iter().take_while(|_| goes_on()) {
        position.make(mv, &mut ());
        let behind = perft_while(position, depth - 1, goes_on);
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
            assert_eq!(divide(&mut position, depth, &|| true, &mut |_, leaves| sum += leaves), expected);
            assert_eq!(perft(&mut position, depth), expected);
            assert_eq!(perft_counting(&mut position, depth), expected);
            assert!(depth == 0 || sum == expected);
        }
    }

    #[test]
    fn counting_can_be_ended() {
        let mut position = Position::start();
        assert_eq!(divide(&mut position, 9, &|| false, &mut |_, _| panic!("no move is counted")), 0);
        assert_eq!(perft_while(&mut position, 9, &|| false), 0);
        let looks = std::cell::Cell::new(0);
        let goes_on = || looks.replace(looks.get() + 1) < 3;
        let leaves = perft_while(&mut position, 5, &goes_on);
        assert!(0 < leaves && leaves < 133_312_995);
    }
}
