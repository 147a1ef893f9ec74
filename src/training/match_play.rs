//! Matches between two players with search limits of their own: pairs of games, each pair from one opening with colors
//! exchanged.

use super::opening_list::OpeningList;
use super::pentanomial::Pentanomial;
use super::rng::seeded_rng;
use super::selfplay::{Player, play_pair};
use crate::parallel::map_in_order;
use crate::search::limits::Limits;
use rand::rngs::StdRng;
use std::ops::ControlFlow;

/// Size of each player's hash table in MB.
pub(crate) const HASH_MEGABYTES: usize = 4;

/// How a match of self-play games is played.
#[derive(Clone)]
pub(crate) struct MatchSettings {
    /// Number of game pairs.
    pub pairs: u64,
    /// Games played in parallel.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Where the game pairs begin.
    pub openings: OpeningList,
}

impl MatchSettings {
    /// The random number generator of one game pair.
    pub(crate) fn seeded_rng(&self, pair: u64) -> StdRng {
        seeded_rng(self.seed, pair)
    }
}

/// Plays a player with the `first` limits against one with the `second` and calls `on_pair` after each pair with the
/// results so far for the first, until it breaks.
pub(crate) fn compare(
    first: &Limits,
    second: &Limits,
    settings: &MatchSettings,
    on_pair: &mut dyn FnMut(&Pentanomial) -> ControlFlow<()>,
) -> Pentanomial {
    let mut pentanomial = Pentanomial::default();
    let worker = || {
        let mut players = [first, second].map(|limits| Player::new(limits.clone(), HASH_MEGABYTES));
        let mut scorer = OpeningList::scorer();
        move |pair| {
            play_pair(&settings.openings.of_pair(pair, &mut settings.seeded_rng(pair), &mut scorer), &mut players)
        }
    };
    map_in_order(0..settings.pairs, settings.threads, worker, &mut |difference| {
        pentanomial.add(difference);
        on_pair(&pentanomial)
    });
    pentanomial
}
