//! Matches between playing levels: pairs of games, each pair from one opening with colors exchanged, played to their
//! end.

use super::match_play::MatchSettings;
use super::openings::Openings;
use super::outcome::{GameOutcome, outcome_of};
use super::pentanomial::Pentanomial;
use crate::engine::LEVEL_MEGABYTES;
use crate::engine::level::Level;
use crate::parallel::map_in_order;
use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use rand::rngs::StdRng;
use std::ops::ControlFlow;

/// A player of a level.
struct LevelPlayer {
    searcher: Searcher,
    table: TranspositionTable,
    /// `None`: full strength.
    level: Option<Level>,
    /// Limits before those of the level.
    limits: Limits,
}

impl LevelPlayer {
    fn new(level: Option<Level>, nodes: u64) -> LevelPlayer {
        LevelPlayer {
            searcher: Searcher::new(),
            table: TranspositionTable::new(LEVEL_MEGABYTES).expect("invariant: there is memory for a small table"),
            limits: Limits { nodes: level.is_none().then_some(nodes), ..Limits::default() },
            level,
        }
    }

    fn new_game(&mut self) {
        self.searcher.clear();
        self.table.clear();
    }

    /// Makes a move on the board.
    fn play(&mut self, position: &mut Position, rng: &mut StdRng) {
        let mut limits = self.limits.clone();
        if let Some(level) = self.level {
            level.restrict(&mut limits, &position.legal_moves(), rng);
        }
        let found = self.searcher.search(position, &limits, &Signals::new(), &self.table, &mut |_| {});
        position.make(found.best.expect("invariant: the game goes on"));
    }
}

/// Plays a game from `start` to its end. The first of `players` plays Red.
fn play(start: &Position, players: &mut [LevelPlayer; 2], rng: &mut StdRng) -> GameOutcome {
    players.iter_mut().for_each(LevelPlayer::new_game);
    // The moves before the start position are not part of the game.
    let mut position = Position::from_fen(&start.to_fen()).expect("invariant: a position has a FEN");
    loop {
        if let Some(outcome) = outcome_of(&position) {
            return outcome;
        }
        players[position.side().index()].play(&mut position, rng);
    }
}

/// Plays `first` against `second` (`None`: full strength, with `nodes` per move) and calls `on_pair` after each pair with
/// the results so far for `first`, until it breaks.
pub fn compare_levels(
    first: Option<Level>,
    second: Option<Level>,
    nodes: u64,
    settings: &MatchSettings,
    on_pair: &mut dyn FnMut(&Pentanomial) -> ControlFlow<()>,
) -> Pentanomial {
    let mut pentanomial = Pentanomial::default();
    let worker = || {
        let mut scorer = Openings::scorer();
        let mut players = [first, second].map(|level| LevelPlayer::new(level, nodes));
        move |pair| {
            let mut rng = settings.seeded_rng(pair);
            let start = settings.openings.of_pair(pair, &mut rng, &mut scorer);
            let one = play(&start, &mut players, &mut rng) as i32;
            players.swap(0, 1);
            let other = play(&start, &mut players, &mut rng) as i32;
            players.swap(0, 1);
            one - other
        }
    };
    map_in_order(0..settings.pairs, settings.threads, worker, &mut |difference| {
        pentanomial.add(difference);
        on_pair(&pentanomial)
    });
    pentanomial
}
