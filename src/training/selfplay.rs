//! Self-play: games of the engine against itself at a fixed number of nodes a move.

use super::outcome::{GameOutcome, outcome_of};
use super::training_games::{ScoredMove, TrainingGame};
use crate::egtb::index::is_possible;
use crate::position::{Position, PositionBuilder};
use crate::search::Searcher;
use crate::search::limits::{Clock, Limits};
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::{Color, Move, Piece, PieceType, Score, Square};
use rand::RngExt;
use rand::rngs::StdRng;
use std::iter::repeat_n;

/// Random plies of an opening.
const RANDOM_PLIES: usize = 8;
/// An opening is balanced if the score of a short search is below this.
const BALANCED_SCORE: Score = 150;
/// Nodes of that search.
pub(crate) const OPENING_NODES: u64 = 5_000;
/// An endgame is not decided at first sight if that score is below this.
const UNDECIDED_SCORE: Score = 1_000;
/// The attacking pieces of random endgames, pawns twice.
const ATTACKING_PIECES: [PieceType; 5] =
    [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn, PieceType::Pawn];
/// On average one of this many plies is a random move, if it loses no material.
const RANDOM_MOVE_EVERY: u32 = 8;
/// When a game is adjudicated: once the scores of both sides predict the same outcome for some plies in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjudication {
    /// The score, in engine units, from which on a game is won.
    win: Score,
    /// The greatest absolute score of a drawn game…
    draw: Score,
    /// …and its least number of plies without a capture.
    quiet_plies: u32,
    /// For how many plies in a row.
    agreed_plies: u32,
}

impl Adjudication {
    /// Of training games: their outcome is part of the labels.
    pub(crate) const TRAINING: Adjudication = Adjudication { win: 1_200, draw: 20, quiet_plies: 60, agreed_plies: 6 };
    /// Of matches: earlier, for more games.
    pub(crate) const MATCH: Adjudication = Adjudication { win: 1_000, draw: 25, quiet_plies: 40, agreed_plies: 6 };

    /// The outcome that a search score for Red predicts; `None` if it is not clear.
    fn predict(self, score: Score, position: &Position) -> Option<GameOutcome> {
        if score >= self.win {
            Some(GameOutcome::Win)
        } else if score <= -self.win {
            Some(GameOutcome::Loss)
        } else {
            (score.abs() <= self.draw && position.quiet_plies() >= self.quiet_plies).then_some(GameOutcome::Draw)
        }
    }
}

/// A player: a searcher with its limits and hash table.
pub struct Player {
    searcher: Searcher,
    table: TranspositionTable,
    /// The limits of the next search.
    limits: Limits,
    /// The clock at the start of a game, if the limits have one.
    full_clock: Option<Clock>,
}

impl Player {
    /// A player that searches each move within `limits`, with a hash table of this many MB.
    ///
    /// # Panics
    /// When there is no memory for the hash table.
    pub fn new(limits: Limits, hash_megabytes: usize) -> Player {
        let table = TranspositionTable::new(hash_megabytes).expect("invariant: there is memory for a small table");
        Player { searcher: Searcher::new(), table, full_clock: limits.clock, limits }
    }

    /// A player that scores openings by searches of `nodes`, in matches [`OPENING_NODES`].
    pub fn scorer(settings: &SearchSettings, nodes: u64) -> Player {
        Player::new(Limits { nodes: Some(nodes), settings: settings.clone(), ..Limits::default() }, 1)
    }

    /// Changes the limits.
    #[cfg(feature = "tuning")]
    pub fn set_limits(&mut self, limits: Limits) {
        self.full_clock = limits.clock;
        self.limits = limits;
    }

    /// Clears the hash table and histories for a new game, and sets the clock to its start.
    pub fn new_game(&mut self) {
        self.limits.clock = self.full_clock;
        self.searcher.clear();
        self.table.clear();
    }

    /// Searches: the best move and the score for the side to move.
    pub fn search(&mut self, position: &Position) -> (Move, Score) {
        let found = self.searcher.search(position, &self.limits, &Signals::new(), &self.table, &mut |_| {});
        if let (Some(spent), Some(clock)) = (self.limits.time_of(found.nodes), &mut self.limits.clock) {
            clock.time = clock.time.saturating_sub(spent) + clock.increment;
        }
        (found.best.expect("invariant: the game goes on"), found.score)
    }
}

/// A position after some random moves from the start position that `scorer` finds balanced.
pub(crate) fn opening(rng: &mut StdRng, scorer: &mut Player) -> Position {
    balanced(rng, scorer, |_| Some(Position::start()))
}

/// Like [`opening`], but from the start position without some of the advisors, bishops and pawns. Such games have the
/// attacks on exposed kings that good players avoid in their games and that therefore would be rare in the training
/// data.
pub(crate) fn reduced_opening(rng: &mut StdRng, scorer: &mut Player) -> Position {
    balanced(rng, scorer, |rng| {
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

/// A random endgame: one to three attacking pieces and up to four defenders on each side, not decided at first sight.
pub(crate) fn endgame(rng: &mut StdRng, scorer: &mut Player) -> Position {
    scorer.new_game();
    loop {
        let mut builder = PositionBuilder::new();
        for color in Color::ALL {
            let attackers = rng.random_range(1..=3);
            let mut kinds = vec![PieceType::King];
            kinds.extend(repeat_n(PieceType::Advisor, rng.random_range(0..=2)));
            kinds.extend(repeat_n(PieceType::Bishop, rng.random_range(0..=2)));
            kinds.extend((0..attackers).map(|_| ATTACKING_PIECES[rng.random_range(0..ATTACKING_PIECES.len())]));
            for kind in kinds {
                let is_free = |&square: &Square| is_possible(color, kind, square) && builder.piece_at(square).is_none();
                let free: Vec<Square> = Square::all().filter(is_free).collect();
                builder.set(free[rng.random_range(0..free.len())], Some(Piece::new(color, kind)));
            }
        }
        builder.side_to_move(Color::ALL[rng.random_range(0..2)]);
        let Ok(position) = builder.build() else { continue };
        if position.in_check() || position.has_no_moves() {
            continue;
        }
        if scorer.search(&position).1.abs() < UNDECIDED_SCORE {
            return position;
        }
    }
}

/// The squares in the order of a FEN: from Black's back rank to Red's, each rank from file a. The order of random
/// numbers depends on it, and with it the games of a seed.
fn fen_order() -> impl Iterator<Item = Square> {
    (0..Square::RANKS).rev().flat_map(|rank| (0..9).map(move |file| Square::new(file, rank)))
}

/// A balanced position after some random moves from a start position that `begin` gives.
fn balanced(rng: &mut StdRng, scorer: &mut Player, begin: impl Fn(&mut StdRng) -> Option<Position>) -> Position {
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

/// With a low probability, a random legal move that loses no material by static exchange evaluation (SEE). Games with
/// such moves reach more of the positions that a search visits.
pub(crate) fn random_move(rng: &mut StdRng, position: &Position) -> Option<Move> {
    if !rng.random_ratio(1, RANDOM_MOVE_EVERY) {
        return None;
    }
    let legal = position.legal_moves();
    legal.get(rng.random_range(0..legal.len())).filter(|&mv| position.see_ge(mv, 0))
}

/// Plays a game from `start` until it ends or is adjudicated. The first of `players` plays Red and the last Black; a
/// single player plays both. A move of `random_move` is played without a search.
pub(crate) fn play(
    start: &Position,
    players: &mut [Player],
    adjudication: Adjudication,
    random_move: &mut dyn FnMut(&Position) -> Option<Move>,
) -> TrainingGame {
    players.iter_mut().for_each(Player::new_game);
    let last = players.len() - 1;
    // The moves before the start position are not part of the game.
    let start = start.to_fen();
    let mut position = Position::from_fen(&start).expect("invariant: a position has a FEN");
    let mut plies = Vec::new();
    let (mut agreed, mut verdict) = (0, None);
    loop {
        if let Some(outcome) = outcome_of(&position) {
            return TrainingGame { start, outcome, plies };
        }
        if let Some(mv) = random_move(&position) {
            plies.push(ScoredMove { mv, score: None });
            position.make(mv);
            continue;
        }
        let color = position.side();
        let (mv, score) = players[color.index().min(last)].search(&position);
        let narrow = i16::try_from(score).expect("invariant: no score is beyond a mate");
        plies.push(ScoredMove { mv, score: Some(narrow) });
        position.make(mv);
        let before = verdict;
        verdict = adjudication.predict(color.sign() * score, &position);
        agreed = if verdict == before { agreed + 1 } else { 1 };
        if let Some(outcome) = verdict.filter(|_| agreed >= adjudication.agreed_plies) {
            return TrainingGame { start, outcome, plies };
        }
    }
}

/// Plays two games from the same opening with colors exchanged; wins of the first player minus wins of the second.
pub(crate) fn play_pair(opening: &Position, players: &mut [Player; 2]) -> i32 {
    let first = play(opening, players, Adjudication::MATCH, &mut |_| None).outcome as i32;
    players.swap(0, 1);
    let second = play(opening, players, Adjudication::MATCH, &mut |_| None).outcome as i32;
    players.swap(0, 1);
    first - second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::node_limit::NodeLimit;
    use crate::training::rng::seeded_rng;

    #[test]
    fn a_clock_in_nodes_runs_down_by_the_nodes_searched_until_the_next_game() {
        let limits = NodeLimit::Clock(30_000).limits(SearchSettings::default());
        let (position, full) = (Position::start(), limits.clock.unwrap());
        // Searches are deterministic: another searcher needs as many nodes.
        let table = TranspositionTable::new(1).unwrap();
        let found = Searcher::new().search(&position, &limits, &Signals::new(), &table, &mut |_| {});
        let mut player = Player::new(limits, 1);
        player.search(&position);
        let spent = full.time + full.increment - player.limits.clock.unwrap().time;
        assert_eq!(spent.as_millis(), u128::from(found.nodes));
        player.new_game();
        assert_eq!(player.limits.clock, Some(full));
    }

    #[test]
    fn reduced_openings_lack_some_defenders_and_keep_attackers() {
        let mut scorer = Player::scorer(&SearchSettings::default(), OPENING_NODES);
        let mut defenders = 0;
        for game in 0..8 {
            let opening = reduced_opening(&mut seeded_rng(5, game), &mut scorer);
            assert_eq!(opening.to_fen(), reduced_opening(&mut seeded_rng(5, game), &mut scorer).to_fen());
            let is_defender =
                |(piece, _): &(Piece, Square)| matches!(piece.piece_type(), PieceType::Advisor | PieceType::Bishop);
            defenders += opening.pieces().filter(is_defender).count();
            // Eight random plies capture few pieces.
            assert!(Color::ALL.into_iter().all(|color| opening.non_pawn_count(color) >= 3), "{}", opening.to_fen());
        }
        assert!((30..56).contains(&defenders), "{defenders} of 64");
    }

    #[test]
    fn endgames_have_few_pieces_and_are_undecided() {
        let mut scorer = Player::scorer(&SearchSettings::default(), OPENING_NODES);
        for game in 0..20 {
            let endgame = endgame(&mut seeded_rng(6, game), &mut scorer);
            assert_eq!(endgame.to_fen(), super::endgame(&mut seeded_rng(6, game), &mut scorer).to_fen());
            scorer.new_game();
            assert!(scorer.search(&endgame).1.abs() < UNDECIDED_SCORE, "{}", endgame.to_fen());
            assert!((2..=16).contains(&endgame.pieces().count()), "{}", endgame.to_fen());
            assert!(Color::ALL.into_iter().all(|color| endgame.has_attacking_pieces(color)), "{}", endgame.to_fen());
        }
    }

    #[test]
    fn random_moves_are_rare_and_lose_no_material() {
        // Red's rook can capture a protected pawn or move to a square that the cannon attacks.
        let position = Position::from_fen("3k5/9/4b4/9/2p1R4/9/c8/9/9/3AK4 w").unwrap();
        let mut rng = seeded_rng(2, 0);
        let random_moves: Vec<Move> = (0..8_000).filter_map(|_| random_move(&mut rng, &position)).collect();
        assert!((300..1_050).contains(&random_moves.len()), "{}", random_moves.len());
        for mv in position.legal_moves().iter() {
            assert_eq!(random_moves.contains(&mv), position.see_ge(mv, 0), "{mv}");
        }
        assert!(!random_moves.contains(&"e5c5".parse().unwrap()), "the bishop recaptures");
    }
}
