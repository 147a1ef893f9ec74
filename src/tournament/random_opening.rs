//! Openings at random: positions after random moves that are level.

use super::player::Player;
use crate::position::Position;
use crate::types::Score;
use rand::RngExt;
use rand::rngs::StdRng;

/// Random plies of an opening.
const RANDOM_PLIES: usize = 8;
/// An opening is balanced if the score of a short search is below this.
const BALANCED_SCORE: Score = 150;
/// Nodes of that search.
pub(crate) const OPENING_NODES: u64 = 5_000;

/// A position after some random moves from the start position that `scorer` finds balanced.
pub(crate) fn opening(rng: &mut StdRng, scorer: &mut Player) -> Position {
    balanced(rng, scorer, |_| Some(Position::start()))
}

/// A balanced position after some random moves from a start position that `begin` gives.
pub(crate) fn balanced(
    rng: &mut StdRng,
    scorer: &mut Player,
    begin: impl Fn(&mut StdRng) -> Option<Position>,
) -> Position {
    scorer.new_game();
    loop {
        let Some(mut position) = begin(rng) else { continue };
        for _ in 0..RANDOM_PLIES {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(rng.random_range(0..legal.len().max(1))) else { break };
            position.make(mv);
        }
        if position.has_no_moves() {
            continue;
        }
        if scorer.search(&position).1.abs() < BALANCED_SCORE {
            return position;
        }
    }
}
