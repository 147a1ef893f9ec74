//! Games of the engine against itself, without a clock.

use super::games::{Game, Ply, outcome_of};
use crate::position::Position;
use crate::search::Searcher;
use crate::search::conduct::Conduct;
use crate::search::limits::Limits;
use crate::search::signals::Signals;
use crate::search::transposition::Table;
use crate::types::{Color, Score};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

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
    Loss = 0,
    /// Nobody won.
    Draw = 1,
    /// Red won.
    Win = 2,
}

impl Outcome {
    /// The three of them, from Red's worst to its best.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];
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
    #[cfg(feature = "tuning")]
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// A new game begins.
    fn forget(&mut self) {
        self.searcher.clear();
        self.table.clear();
    }

    /// What it finds best, and the score for the side to move.
    fn choose(&mut self, position: &Position) -> Ply {
        let found = self.searcher.search(position, &self.limits, &Signals::new(), &self.table, &mut |_| {});
        Ply {
            mv: found.best.expect("invariant: the game goes on"),
            score: i16::try_from(found.score).expect("invariant: no score is beyond a mate"),
        }
    }
}

/// Chance for one game, or a pair of them. Seeds that differ have none in common.
pub fn chance(seed: u64, game: u64) -> StdRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&game.to_le_bytes());
    StdRng::from_seed(bytes)
}

/// A position after some random moves that is level to who searches like this.
pub fn opening(chance: &mut StdRng, conduct: &Conduct) -> Position {
    let mut judge =
        Player::new(Limits { nodes: Some(OPENING_NODES), conduct: conduct.clone(), ..Limits::default() }, 1);
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
        if Score::from(judge.choose(&position).score).abs() < LEVEL {
            return position;
        }
    }
}

/// Plays a game from `start` to its end, or until both sides agree on the result for some moves. The first of `players`
/// plays Red and the last Black: one alone plays both.
pub fn play(start: &Position, players: &mut [Player]) -> Game {
    players.iter_mut().for_each(Player::forget);
    let last = players.len() - 1;
    // How the start came about is no part of the game.
    let start = start.to_fen();
    let mut position = Position::from_fen(&start).expect("invariant: a position has a FEN");
    let mut plies = Vec::new();
    let (mut agreed, mut view) = (0, None);
    loop {
        if let Some(outcome) = outcome_of(&position) {
            return Game { start, outcome, plies };
        }
        let color = position.side();
        let ply = players[color.index().min(last)].choose(&position);
        plies.push(ply);
        position.make(ply.mv, &mut ());
        let score = Score::from(ply.score);
        let before = view;
        view = view_of(if color == Color::Red { score } else { -score }, &position);
        agreed = if view == before { agreed + 1 } else { 1 };
        if let Some(outcome) = view.filter(|_| agreed >= AGREEMENT) {
            return Game { start, outcome, plies };
        }
    }
}

/// How the game will end, to who finds `score` for Red; nothing if there is doubt.
fn view_of(score: Score, position: &Position) -> Option<Outcome> {
    if score >= WON {
        Some(Outcome::Win)
    } else if score <= -WON {
        Some(Outcome::Loss)
    } else {
        (score.abs() <= DEAD_LEVEL && position.quiet_plies() >= DEAD_PLIES).then_some(Outcome::Draw)
    }
}

/// Plays two games from the same opening, each player once with Red; how many more the first won than the second.
pub fn play_pair(opening: &Position, players: &mut [Player; 2]) -> i32 {
    let first = play(opening, players).outcome as i32;
    players.swap(0, 1);
    let second = play(opening, players).outcome as i32;
    players.swap(0, 1);
    first - second
}
