//! Games of the engine against itself, without a clock.

use crate::position::Position;
use crate::rules::Rules;
use crate::rules::status::{Status, status};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::signals::Signals;
use crate::search::transposition::Table;
use crate::types::{Color, Score};
use rand::RngExt;
use rand::rngs::StdRng;

/// Random plies at the beginning of an opening.
const RANDOM_PLIES: usize = 8;
/// An opening is level if a short search finds less than this.
const LEVEL: Score = 150;
/// Nodes of that search.
const OPENING_NODES: u64 = 5_000;
/// A game is won when both sides say so by this much…
const WON: Score = 1_600;
/// …and drawn when both say it is as level as this and nothing has been captured for so long.
const DEAD_LEVEL: Score = 20;
const DEAD_PLIES: u32 = 60;
/// So often in a row.
const AGREEMENT: u32 = 6;

/// One side of a game: how it searches and what it remembers.
pub struct Player {
    searcher: Searcher,
    table: Table,
    limits: Limits,
}

/// How a game ended, for Red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Red lost.
    Loss,
    /// Nobody won.
    Draw,
    /// Red won.
    Win,
}

impl Player {
    /// A player that searches each move within `limits`.
    ///
    /// # Panics
    /// When the machine has no memory for a table of so many megabytes.
    pub fn new(limits: Limits, hash_megabytes: usize) -> Player {
        let table = Table::new(hash_megabytes).expect("invariant: the machine has some megabytes");
        Player { searcher: Searcher::new(), table, limits }
    }

    /// Searches by other limits from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// A new game begins.
    fn forget(&mut self) {
        self.searcher.clear();
        self.table.clear();
    }

    /// Makes the move it finds best; its score for Red.
    fn play(&mut self, position: &mut Position) -> Score {
        let found = self.searcher.search(position, &self.limits, &Signals::new(), &self.table, &mut |_| {});
        let score = if position.side() == Color::Red { found.score } else { -found.score };
        position.make(found.best.expect("invariant: the game goes on"), &mut ());
        score
    }
}

/// A level position after some random moves.
pub fn opening(chance: &mut StdRng) -> Position {
    let mut judge = Player::new(Limits { nodes: Some(OPENING_NODES), ..Limits::default() }, 1);
    loop {
        let mut position = Position::start();
        for _ in 0..RANDOM_PLIES {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(chance.random_range(0..legal.len().max(1))) else { break };
            position.make(mv, &mut ());
        }
        if position.has_no_moves() {
            continue;
        }
        judge.forget();
        let mut after = position.clone();
        if judge.play(&mut after).abs() < LEVEL {
            return position;
        }
    }
}

/// Plays a game from `position` to its end, or until both players agree on the result for some moves.
pub fn play(mut position: Position, red: &mut Player, black: &mut Player) -> Outcome {
    red.forget();
    black.forget();
    let (mut agreed, mut last) = (0, None);
    loop {
        match status(&position, &Rules::default(), 3) {
            Status::Ongoing => {}
            Status::Won { winner, .. } => return if winner == Color::Red { Outcome::Win } else { Outcome::Loss },
            Status::Drawn(_) => return Outcome::Draw,
        }
        let player = if position.side() == Color::Red { &mut *red } else { &mut *black };
        let score = player.play(&mut position);
        let view = if score >= WON {
            Some(Outcome::Win)
        } else if score <= -WON {
            Some(Outcome::Loss)
        } else if score.abs() <= DEAD_LEVEL && position.quiet_plies() >= DEAD_PLIES {
            Some(Outcome::Draw)
        } else {
            None
        };
        agreed = if view.is_some() && view == last { agreed + 1 } else { 1 };
        last = view;
        if let Some(outcome) = view.filter(|_| agreed >= AGREEMENT) {
            return outcome;
        }
    }
}

/// Plays two games from the same opening, each player once with Red; how many more `one` won than `other`.
pub fn play_pair(opening: &Position, one: &mut Player, other: &mut Player) -> i32 {
    let value = |outcome| match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    };
    value(play(opening.clone(), one, other)) - value(play(opening.clone(), other, one))
}
