//! Unbalanced openings of matches, found among the positions of games.
//!
//! In most games from level openings neither side wins, so that a match says little. In pairs from unbalanced openings,
//! with a score at which about half of the games are won, each color is played once by either player and fewer pairs end
//! level: as many games tell smaller differences apart (the idea of Stefan Pohl's unbalanced human openings, UHO).

use super::training_games::TrainingGame;
use crate::eval::wdl::centipawns;
use crate::parallel::map_in_order;
use crate::position::Position;
use crate::search::limits::Limits;
use crate::tournament::player::Player;
use crate::types::Score;
use crate::types::score::is_decided;
use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

/// The searches of a candidate: the divisor of the nodes, and how far the score may be out of range, in centipawns. The
/// first ones are cheap and drop most candidates.
const STAGES: [(u64, Score); 3] = [(50, 30), (10, 15), (1, 0)];
/// Nodes for each megabyte of hash table.
pub(super) const NODES_PER_MEGABYTE: u64 = 32_000;
/// An opening has at least so many pieces.
const MIN_PIECES: usize = 28;

/// Which positions of self-play games are openings of an unbalanced list.
#[derive(Clone, Debug)]
pub(crate) struct Unbalanced {
    /// Plies from the start of a game to the opening.
    pub ply: usize,
    /// The absolute score, in centipawns.
    pub scores: RangeInclusive<Score>,
    /// Nodes of the search that scores it.
    pub nodes: u64,
}

/// An unbalanced opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScoredOpening {
    /// The position.
    pub fen: String,
    /// The score for the side to move, in centipawns.
    pub score: Score,
}

impl Unbalanced {
    /// The position of a game that may be an opening. Games with random moves up to there have none, nor have those from
    /// boards with few pieces.
    fn candidate(&self, game: &TrainingGame) -> Option<String> {
        let plies = game.plies.get(..self.ply).filter(|plies| plies.iter().all(|ply| ply.score.is_some()))?;
        let position = TrainingGame { plies: plies.to_vec(), ..game.clone() }.replay(&mut |_, _| ()).ok()?;
        let is_quiet = !position.in_check() && !position.has_no_moves();
        (is_quiet && position.pieces().count() >= MIN_PIECES).then(|| position.to_fen())
    }

    /// Searches the openings among the positions of `games` on this many threads and calls `on_opening` with each, in the
    /// order of the games, until it breaks. No position comes twice.
    pub(crate) fn find(
        &self,
        games: impl Iterator<Item = TrainingGame> + Send + 'static,
        threads: usize,
        on_opening: &mut dyn FnMut(ScoredOpening) -> ControlFlow<()>,
    ) {
        let (unbalanced, mut seen) = (self.clone(), HashSet::new());
        let candidates =
            games.filter_map(move |game| unbalanced.candidate(&game)).filter(move |fen| seen.insert(fen.clone()));
        let worker = || {
            let mut stages = STAGES.map(|(divisor, tolerance)| {
                let nodes = self.nodes / divisor;
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let player = Player::new(limits, (nodes / NODES_PER_MEGABYTE) as usize);
                (player, self.scores.start() - tolerance..=self.scores.end() + tolerance)
            });
            move |fen: String| {
                let position = Position::from_fen(&fen).expect("invariant: a position has a FEN");
                let mut last = 0;
                for (player, scores) in &mut stages {
                    last = score(player, &position).filter(|score| scores.contains(&score.abs()))?;
                }
                Some(ScoredOpening { fen, score: last })
            }
        };
        map_in_order(candidates, threads, worker, &mut |found: Option<ScoredOpening>| match found {
            Some(found) => on_opening(found),
            None => ControlFlow::Continue(()),
        });
    }
}

/// The score of a position for the side to move, in centipawns; `None` if a mate or a win by the rules is seen.
fn score(player: &mut Player, position: &Position) -> Option<Score> {
    player.new_game();
    let (_, score) = player.search(position);
    (!is_decided(score)).then(|| centipawns(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;
    use crate::training::outcome::GameOutcome;
    use crate::training::training_games::ScoredMove;

    #[test]
    fn openings_are_found_once_and_in_range() {
        let game = |moves: &[&str]| TrainingGame {
            start: START_FEN.to_string(),
            outcome: GameOutcome::Draw,
            plies: moves.iter().map(|mv| ScoredMove { mv: mv.parse().unwrap(), score: Some(0) }).collect(),
        };
        // The third game has the moves of the first, the last is too short.
        let games = [&["h2h9", "a6a5"][..], &["h2e2", "h9g7"], &["h2h9", "a6a5"], &["h2e2"]].map(game);
        let found = |scores: RangeInclusive<Score>| {
            let (mut found, unbalanced) = (Vec::new(), Unbalanced { ply: 2, scores, nodes: 2_000 });
            unbalanced.find(games.clone().into_iter(), 2, &mut |opening| {
                found.push(opening);
                ControlFlow::Continue(())
            });
            found
        };
        let all = found(0..=5_000);
        let moves = ["h2h9 a6a5", "h2e2 h9g7"].map(|moves| {
            let mut position = Position::start();
            moves.split(' ').for_each(|mv| position.make(mv.parse().unwrap()));
            position.to_fen()
        });
        assert_eq!(all.iter().map(|opening| &opening.fen).collect::<Vec<_>>(), moves.iter().collect::<Vec<_>>());
        assert_eq!(found(5_000..=6_000), []);
    }
}
