//! Games of the engine against itself, without a clock.

use super::games::{Game, ScoredMove};
use super::outcome::{GameOutcome, outcome_of};
use crate::position::{Position, PositionBuilder};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::{Move, Piece, PieceType, Score, Square};
use rand::RngExt;
use rand::rngs::StdRng;

/// Random plies at the beginning of an opening.
const RANDOM_PLIES: usize = 8;
/// An opening is level if a short search finds less than this.
const LEVEL: Score = 150;
/// Nodes of that search.
const OPENING_NODES: u64 = 5_000;
/// A move by chance comes once in so many plies, if it loses nothing.
const RANDOM_MOVE_EVERY: u32 = 8;
/// A game is won when both sides say so by this much…
const WIN_SCORE: Score = 1_600;
/// …and drawn when both say it is as level as this and nothing has been captured for so long.
const DRAW_SCORE: Score = 20;
const DRAW_PLIES: u32 = 60;
/// So often in a row.
const AGREED_PLIES: u32 = 6;

/// One side of a game: how it searches and what it remembers.
pub struct Player {
    searcher: Searcher,
    table: TranspositionTable,
    limits: Limits,
}

impl Player {
    /// A player that searches each move within `limits`.
    ///
    /// # Panics
    /// When the machine has no memory for a table of so many megabytes.
    pub fn new(limits: Limits, hash_megabytes: usize) -> Player {
        let table = TranspositionTable::new(hash_megabytes).expect("invariant: the machine has some megabytes");
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
    fn choose(&mut self, position: &Position) -> (Move, Score) {
        let found = self.searcher.search(position, &self.limits, &Signals::new(), &self.table, &mut |_| {});
        (found.best.expect("invariant: the game goes on"), found.score)
    }
}

/// A position after some random moves that is level to who searches like this.
pub fn opening(rng: &mut StdRng, settings: &SearchSettings) -> Position {
    level(rng, settings, |_| Some(Position::start()))
}

/// Like [`opening`], but from a start that lacks some of the guards and pawns. Games from here have attacks on bare kings,
/// which are rare in games of good players, who see to it that they are, and decide them.
pub fn reduced_opening(rng: &mut StdRng, settings: &SearchSettings) -> Position {
    level(rng, settings, |rng| {
        let start = Position::start();
        let mut builder = PositionBuilder::from(&start);
        for square in fen_order() {
            let is_removed = match start.piece_at(square).map(Piece::piece_type) {
                Some(PieceType::Advisor | PieceType::Bishop) => rng.random_ratio(1, 3),
                Some(PieceType::Pawn) => rng.random_ratio(1, 6),
                _ => false,
            };
            if is_removed {
                builder.set(square, None);
            }
        }
        // An error means that the kings face each other.
        builder.build().ok()
    })
}

/// The squares in the order of a FEN: from Black's back rank to Red's, each rank from file a. The order of random numbers
/// depends on it, and with it the games of a seed.
fn fen_order() -> impl Iterator<Item = Square> {
    (0..Square::RANKS as u8).rev().flat_map(|rank| (0..9).map(move |file| Square::new(file, rank)))
}

/// A level position after some random moves from where `begin` says.
fn level(rng: &mut StdRng, settings: &SearchSettings, begin: impl Fn(&mut StdRng) -> Option<Position>) -> Position {
    let mut judge =
        Player::new(Limits { nodes: Some(OPENING_NODES), settings: settings.clone(), ..Limits::default() }, 1);
    loop {
        let Some(mut position) = begin(rng) else { continue };
        for _ in 0..RANDOM_PLIES {
            let legal = position.legal_moves();
            let Some(mv) = legal.get(rng.random_range(0..legal.len().max(1))) else { break };
            position.make(mv, &mut ());
        }
        if position.has_no_moves() {
            continue;
        }
        judge.forget();
        if judge.choose(&position).1.abs() < LEVEL {
            return position;
        }
    }
}

/// Now and then a move by chance, if it loses nothing by exchanges where it goes to. Games in which some moves are such see
/// more of what a search looks at than those of two careful players do.
pub fn random_move(rng: &mut StdRng, position: &Position) -> Option<Move> {
    if !rng.random_ratio(1, RANDOM_MOVE_EVERY) {
        return None;
    }
    let legal = position.legal_moves();
    legal.get(rng.random_range(0..legal.len())).filter(|&mv| position.see_ge(mv, 0))
}

/// Plays a game from `start` to its end, or until both sides agree on the result for some moves. The first of `players`
/// plays Red and the last Black: one alone plays both. Where `random_move` has a move, that is played and nobody asked.
pub fn play(start: &Position, players: &mut [Player], random_move: &mut dyn FnMut(&Position) -> Option<Move>) -> Game {
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
        if let Some(mv) = random_move(&position) {
            plies.push(ScoredMove { mv, score: None });
            position.make(mv, &mut ());
            continue;
        }
        let color = position.side();
        let (mv, score) = players[color.index().min(last)].choose(&position);
        let narrow = i16::try_from(score).expect("invariant: no score is beyond a mate");
        plies.push(ScoredMove { mv, score: Some(narrow) });
        position.make(mv, &mut ());
        let before = view;
        view = view_of(color.sign() * score, &position);
        agreed = if view == before { agreed + 1 } else { 1 };
        if let Some(outcome) = view.filter(|_| agreed >= AGREED_PLIES) {
            return Game { start, outcome, plies };
        }
    }
}

/// How the game will end, to who finds `score` for Red; nothing if there is doubt.
fn view_of(score: Score, position: &Position) -> Option<GameOutcome> {
    if score >= WIN_SCORE {
        Some(GameOutcome::Win)
    } else if score <= -WIN_SCORE {
        Some(GameOutcome::Loss)
    } else {
        (score.abs() <= DRAW_SCORE && position.quiet_plies() >= DRAW_PLIES).then_some(GameOutcome::Draw)
    }
}

/// Plays two games from the same opening, each player once with Red; how many more the first won than the second.
pub fn play_pair(opening: &Position, players: &mut [Player; 2]) -> i32 {
    let first = play(opening, players, &mut |_| None).outcome as i32;
    players.swap(0, 1);
    let second = play(opening, players, &mut |_| None).outcome as i32;
    players.swap(0, 1);
    first - second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::rng::seeded_rng;
    use crate::types::Color;

    #[test]
    fn bare_openings_lack_guards_and_keep_pieces() {
        let settings = SearchSettings::default();
        let mut guards = 0;
        for game in 0..8 {
            let opening = reduced_opening(&mut seeded_rng(5, game), &settings);
            assert_eq!(opening.to_fen(), reduced_opening(&mut seeded_rng(5, game), &settings).to_fen());
            let is_guard =
                |(piece, _): &(Piece, Square)| matches!(piece.piece_type(), PieceType::Advisor | PieceType::Bishop);
            guards += opening.pieces().filter(is_guard).count();
            // Eight random plies capture a few.
            assert!(Color::ALL.into_iter().all(|color| opening.non_pawn_count(color) >= 3), "{}", opening.to_fen());
        }
        assert!((30..56).contains(&guards), "{guards} of 64");
    }

    #[test]
    fn strays_are_rare_and_lose_nothing_where_they_go() {
        // Red's rook can take a guarded pawn, or go where the cannon sees it.
        let position = Position::from_fen("3k5/9/4b4/9/2p1R4/9/c8/9/9/3AK4 w").unwrap();
        let mut rng = seeded_rng(2, 0);
        let random_moves: Vec<Move> = (0..8_000).filter_map(|_| random_move(&mut rng, &position)).collect();
        assert!((300..1_050).contains(&random_moves.len()), "{}", random_moves.len());
        for mv in position.legal_moves().iter() {
            assert_eq!(random_moves.contains(&mv), position.see_ge(mv, 0), "{mv}");
        }
        assert!(!random_moves.contains(&"e5c5".parse().unwrap()), "the bishop takes back");
    }
}
