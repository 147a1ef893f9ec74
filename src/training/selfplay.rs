//! Self-play: games of the engine against itself at a fixed number of nodes a move.

use super::outcome::{GameOutcome, outcome_of};
use super::training_games::{ScoredMove, TrainingGame};
use crate::egtb::index::is_possible;
use crate::position::{Position, PositionBuilder};
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::tournament::player::Player;
use crate::tournament::random_opening::balanced;
use crate::types::{Color, Move, Piece, PieceType, Score, Square};
use rand::RngExt;
use rand::rngs::StdRng;
use std::iter::repeat_n;

/// An endgame is not decided at first sight if that score is below this.
const UNDECIDED_SCORE: Score = 1_000;
/// The attacking pieces of random endgames, pawns twice.
const ATTACKING_PIECES: [PieceType; 5] =
    [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn, PieceType::Pawn];
/// On average one of this many plies is a random move, if it loses no material.
const RANDOM_MOVE_EVERY: u32 = 8;
/// The score, in engine units, from which on a game is won.
const WIN_SCORE: Score = 1_200;
/// The greatest absolute score of a drawn game, and its least number of plies without a capture.
const DRAW_SCORE: Score = 20;
const DRAW_QUIET_PLIES: u32 = 60;
/// A game is adjudicated once the scores of both sides predict the same outcome for so many plies in a row.
const AGREED_PLIES: u32 = 6;
/// The most by which finishing an iteration overruns a soft limit.
const MAX_OVERRUN: u64 = 8;

/// Limits of this many nodes, where the iteration in which they are reached is finished: a score from half of one is noisier
/// than the nodes that it saves are worth. At most [`MAX_OVERRUN`] times as many.
pub(crate) fn soft_limits(nodes: u64, settings: SearchSettings) -> Limits {
    let most = nodes.saturating_mul(MAX_OVERRUN);
    Limits { soft_nodes: Some(nodes), nodes: Some(most), settings, ..Limits::default() }
}

/// The outcome that a search score for Red predicts; `None` if it is not clear.
fn predict(score: Score, position: &Position) -> Option<GameOutcome> {
    if score >= WIN_SCORE {
        Some(GameOutcome::Win)
    } else if score <= -WIN_SCORE {
        Some(GameOutcome::Loss)
    } else {
        (score.abs() <= DRAW_SCORE && position.quiet_plies() >= DRAW_QUIET_PLIES).then_some(GameOutcome::Draw)
    }
}

/// Like [`crate::tournament::random_opening::opening`], but from the start position without some of the advisors, bishops and
/// pawns. Such games have the attacks on exposed kings that good players avoid in their games and that therefore would be rare
/// in the training data.
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

/// With a low probability, a random legal move that loses no material by static exchange evaluation (SEE). Games with
/// such moves reach more of the positions that a search visits.
pub(crate) fn random_move(rng: &mut StdRng, position: &Position) -> Option<Move> {
    if !rng.random_ratio(1, RANDOM_MOVE_EVERY) {
        return None;
    }
    let legal = position.legal_moves();
    legal.get(rng.random_range(0..legal.len())).filter(|&mv| position.see_ge(mv, 0))
}

/// Lets a player play a game against itself from `start` until it ends or is adjudicated. A move of `random_move` is played
/// without a search.
pub(crate) fn play(
    start: &Position,
    player: &mut Player,
    random_move: &mut dyn FnMut(&Position) -> Option<Move>,
) -> TrainingGame {
    player.new_game();
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
        let (mv, score) = player.search(&position);
        let narrow = i16::try_from(score).expect("invariant: no score is beyond a mate");
        plies.push(ScoredMove { mv, score: Some(narrow) });
        position.make(mv);
        let before = verdict;
        verdict = predict(color.sign() * score, &position);
        agreed = if verdict == before { agreed + 1 } else { 1 };
        if let Some(outcome) = verdict.filter(|_| agreed >= AGREED_PLIES) {
            return TrainingGame { start, outcome, plies };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded_rng;
    use crate::tournament::random_opening::OPENING_NODES;

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
