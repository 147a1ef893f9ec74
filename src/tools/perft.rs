//! Perft: counting the leaves of the tree of legal moves, the test of a move generator.

use crate::position::{Position, Scope};
use crate::types::MoveList;

/// The number of lines of `depth` legal moves. The last ply is the length of its list of legal moves.
pub fn perft(position: &mut Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists = vec![MoveList::new(); depth];
    count(position, &mut lists)
}

fn count(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    list.clear();
    position.generate(Scope::All, list);
    if rest.is_empty() {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for mv in list.iter() {
        position.make(mv, &mut ());
        leaves += count(position, rest);
        position.undo(&mut ());
    }
    leaves
}
