//! OpeningList of matches: where the game pairs begin.
//!
//! In most games from level openings neither side wins, so that a match says little. In pairs from unbalanced openings,
//! with a score at which about half of the games are won, each color is played once by either player and fewer pairs end
//! level: as many games tell smaller differences apart (the idea of Stefan Pohl's unbalanced human openings, UHO).

use super::rng::seeded_rng;
use super::selfplay::{OPENING_NODES, Player, opening};
use super::training_games::TrainingGame;
use crate::eval::wdl::centipawns;
use crate::games::error::ReadErrorKind;
use crate::games::stream;
use crate::parallel::map_in_order;
use crate::position::{Position, Variant};
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::types::Score;
use crate::types::score::is_decided;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use thiserror::Error;

/// The searches of a candidate: the divisor of the nodes, and how far the score may be out of range, in centipawns. The
/// first ones are cheap and drop most candidates.
const STAGES: [(u64, Score); 3] = [(50, 30), (10, 15), (1, 0)];
/// Nodes for each megabyte of hash table.
pub(super) const NODES_PER_MEGABYTE: u64 = 32_000;
/// An opening has at least so many pieces.
const MIN_PIECES: usize = 28;

/// The start positions of game pairs.
#[derive(Clone, Default)]
pub enum OpeningList {
    /// Balanced positions after random moves, another for each pair: [`opening`].
    #[default]
    Random,
    /// These positions, one after the other and again from the first.
    List(Arc<[Position]>),
}

/// Why a list of openings cannot be read.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum OpeningsError {
    /// A line (from 1) is not a position, or the position or a move from it is invalid.
    #[error("line {0}: {1}")]
    Line(usize, ReadErrorKind),
    /// In the position of a line (from 1) the side to move has lost.
    #[error("line {0}: no legal move")]
    Over(usize),
    /// There is no position.
    #[error("no opening")]
    Empty,
}

impl OpeningList {
    /// Reads a list of positions, one a line ([`stream::read_line`]); blank lines and those that begin with `#` are skipped.
    /// The `seed` gives the order.
    ///
    /// # Errors
    /// The first line that is not a position in which a game can begin; or there is none.
    pub fn read(text: &str, seed: u64) -> Result<OpeningList, OpeningsError> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let game = stream::read_line(line, Variant::Standard).map_err(|kind| OpeningsError::Line(number, kind))?;
            if let Some(error) = game.error {
                return Err(OpeningsError::Line(number, error.kind));
            }
            let position = game.position();
            if position.has_no_moves() {
                return Err(OpeningsError::Over(number));
            }
            list.push(position);
        }
        if list.is_empty() {
            return Err(OpeningsError::Empty);
        }
        list.shuffle(&mut seeded_rng(seed, u64::MAX));
        Ok(OpeningList::List(list.into()))
    }

    /// The start position of the game pair with this number, whose random numbers are `rng`.
    pub fn of_pair(&self, pair: u64, rng: &mut StdRng, scorer: &mut Player) -> Position {
        match self {
            OpeningList::Random => opening(rng, scorer),
            OpeningList::List(list) => list[(pair % list.len() as u64) as usize].clone(),
        }
    }

    /// A player that scores random openings.
    pub fn scorer() -> Player {
        Player::scorer(&SearchSettings::default(), OPENING_NODES)
    }
}

/// Which positions of self-play games are openings of an unbalanced list.
#[derive(Clone, Debug)]
pub struct Unbalanced {
    /// Plies from the start of a game to the opening.
    pub ply: usize,
    /// The absolute score, in centipawns.
    pub scores: RangeInclusive<Score>,
    /// Nodes of the search that scores it.
    pub nodes: u64,
}

/// An unbalanced opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredOpening {
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
    pub fn find(
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
    fn lists_are_read_with_comments_and_shuffled_by_the_seed() {
        let fens = [1, 2, 4, 5, 6, 7].map(|files| format!("3k5/9/9/9/9/9/9/9/{files}R{}/4K4 w", 8 - files));
        let text = format!("# openings\n\n{}\n", fens.join(" - - 0 1  # +85\n"));
        let order = |seed| {
            let (openings, mut scorer) = (OpeningList::read(&text, seed).unwrap(), OpeningList::scorer());
            let board = |pair| openings.of_pair(pair, &mut seeded_rng(1, pair), &mut scorer).to_fen();
            (0..12).map(board).collect::<Vec<_>>()
        };
        let one = order(1);
        assert_eq!(one[..6], one[6..], "again from the first");
        assert_eq!(one, order(1));
        assert_ne!(one, order(2));
        let mut sorted = one[..6].to_vec();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 6);
    }

    #[test]
    fn bad_lists_are_refused_with_the_line() {
        let read = |text: &str| OpeningList::read(text, 1).err().map(|error| error.to_string());
        assert_eq!(read("# nothing\n"), Some("no opening".to_string()));
        assert!(read(&format!("{START_FEN}\nrubbish\n")).unwrap().starts_with("line 2: "));
        // Red is stalemated, which loses.
        assert_eq!(
            read("\n3k5/9/9/9/9/9/9/9/3p5/5K3 w\n4k4/4a4/9/9/9/9/9/3r5/5r3/4K4 w\n"),
            Some("line 3: no legal move".to_string())
        );
    }

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
