//! A plain forward search for mates, to check tables: all moves of both sides to a fixed depth, without any table.

use crate::position::Position;
use std::collections::HashMap;

/// A search of all moves that remembers what it found.
#[derive(Default)]
pub struct ForwardSearch {
    /// By key of the position, and whether its side to move is the one that mates: what is known.
    known: HashMap<(u64, bool), Known>,
}

#[derive(Clone, Copy)]
struct Known {
    /// The mate takes more plies than this; −1 if nothing is known.
    more_than: i32,
    /// It takes at most this many plies; `i32::MAX` if no mate is known.
    at_most: i32,
}

impl ForwardSearch {
    /// Whether the game ends by mate or stalemate within this number of plies against any defence: of the opponent if the
    /// number is odd, of the side to move if it is even. Takes the nodes that it visits from `nodes`; `None` if they are
    /// used up.
    pub fn is_mate_within(&mut self, position: &mut Position, plies: u32, nodes: &mut u64) -> Option<bool> {
        let is_winner = !plies.is_multiple_of(2);
        let key = (position.key(), is_winner);
        let known = self.known.get(&key).copied().unwrap_or(Known { more_than: -1, at_most: i32::MAX });
        if known.at_most <= plies as i32 {
            return Some(true);
        }
        if known.more_than >= plies as i32 {
            return Some(false);
        }
        *nodes = nodes.checked_sub(1)?;
        let mut is_mate = !is_winner;
        if plies == 0 {
            is_mate = position.has_no_moves();
        } else {
            for mv in position.legal_moves().iter() {
                position.make(mv);
                let after = self.is_mate_within(position, plies - 1, nodes);
                position.undo();
                if after? == is_winner {
                    is_mate = is_winner;
                    break;
                }
            }
        }
        let known =
            if is_mate { Known { at_most: plies as i32, ..known } } else { Known { more_than: plies as i32, ..known } };
        self.known.insert(key, known);
        Some(is_mate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_found_at_their_depth() {
        let mut position = Position::from_fen("3k5/9/9/9/9/9/R8/9/4K4/9 w - - 0 1").unwrap();
        let mut search = ForwardSearch::default();
        let found = [0, 1].map(|plies| search.is_mate_within(&mut position, plies, &mut 1_000));
        assert_eq!(found, [Some(false), Some(true)]);
        // Two rooks mate a bare king in two moves.
        let mut position = Position::from_fen("4k4/9/9/9/9/9/9/R8/8R/3K5 w").unwrap();
        let mut search = ForwardSearch::default();
        let found = [1, 3].map(|plies| search.is_mate_within(&mut position, plies, &mut 100_000));
        assert_eq!(found, [Some(false), Some(true)]);
        assert_eq!(ForwardSearch::default().is_mate_within(&mut position, 3, &mut 2), None);
    }
}
