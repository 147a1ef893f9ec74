//! The moves that games played from a position on, with how often, the results and the level of the players.

use super::find::{Hit, year};
use crate::games::GameRecord;
use crate::games::record::GameResult;
use crate::position::Position;
use crate::types::{Color, Move};
use std::cmp::Reverse;

/// Games that reached a position, or played a move there.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameCounts {
    pub games: u32,
    /// Won by Red, won by Black, drawn; the others have no result.
    pub results: [u32; 3],
    /// Sum and number of the ratings of those who moved.
    ratings: (u64, u32),
    /// The last year in which it happened.
    pub year: Option<u32>,
}

impl GameCounts {
    /// The mean rating of those who played the move, if any is known.
    pub(crate) fn rating(&self) -> Option<u64> {
        self.ratings.0.checked_div(u64::from(self.ratings.1))
    }

    /// The points of a side from games with a result, 0 to 1.
    pub(crate) fn score(&self, side: Color) -> Option<f64> {
        let [red, black, drawn] = self.results.map(f64::from);
        let games = red + black + drawn;
        let wins = if side == Color::Red { red } else { black };
        (games > 0.0).then(|| (wins + drawn / 2.0) / games)
    }

    fn add(&mut self, result: Option<usize>, rating: Option<u64>, year: Option<u32>) {
        self.games += 1;
        result.into_iter().for_each(|result| self.results[result] += 1);
        rating.into_iter().for_each(|rating| self.ratings = (self.ratings.0 + rating, self.ratings.1 + 1));
        self.year = self.year.max(year);
    }
}

/// A position that games reached: the moves there, each with what followed.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpeningNode {
    pub counts: GameCounts,
    pub moves: Vec<(Move, OpeningNode)>,
}

impl OpeningNode {
    fn child(&mut self, mv: Move) -> &mut OpeningNode {
        let index = self.moves.iter().position(|&(known, _)| known == mv);
        let index = index.unwrap_or_else(|| {
            self.moves.push((mv, OpeningNode::default()));
            self.moves.len() - 1
        });
        &mut self.moves[index].1
    }

    /// The most frequent moves first; equal ones as they are named.
    fn sort(&mut self) {
        self.moves.sort_by_cached_key(|(mv, node)| (Reverse(node.counts.games), mv.to_string()));
        self.moves.iter_mut().for_each(|(_, node)| node.sort());
    }
}

/// The moves from a position on, so many plies deep. Hits with exchanged colors or files count as seen from that position, and
/// where it is its own mirror image, so do moves that are mirror images of one another.
pub(crate) struct OpeningTree {
    pub position: Position,
    plies: usize,
    root: OpeningNode,
}

impl OpeningTree {
    pub(crate) fn new(position: Position, plies: usize) -> OpeningTree {
        OpeningTree { position, plies, root: OpeningNode::default() }
    }

    /// Adds a game that reached the position.
    pub(crate) fn add(&mut self, game: &GameRecord, hit: &Hit) {
        let result = match game.result {
            GameResult::Won(side) => Some(hit.view.color(side).index()),
            GameResult::Drawn => Some(2),
            GameResult::Unknown => None,
        };
        let year = year(game);
        let mut position = self.position.clone();
        let mut node = &mut self.root;
        let mut is_mirrored = false;
        node.counts.add(result, None, year);
        for &mv in hit.moves[hit.ply..].iter().take(self.plies) {
            let mv = hit.view.mv(mv);
            let mv = if is_mirrored { mv.mirrored() } else { mv };
            // Of two mirror images the one on files f to i.
            let turns = mv.mirrored().to_string() > mv.to_string() && position.key() == position.mirrored().key();
            let mv = if turns { mv.mirrored() } else { mv };
            is_mirrored ^= turns;
            node = node.child(mv);
            node.counts.add(result, rating(game, hit.view.color(position.side())), year);
            position.make(mv);
        }
    }

    /// The tree of all games.
    pub(crate) fn finish(mut self) -> OpeningNode {
        self.root.sort();
        self.root
    }
}

/// The rating of a player.
fn rating(game: &GameRecord, side: Color) -> Option<u64> {
    let names: &[&str] = if side == Color::Red { &["RedElo", "WhiteElo"] } else { &["BlackElo"] };
    names.iter().find_map(|name| game.tag(name)?.trim().parse().ok()).filter(|&rating| rating > 0)
}
