//! Books made from game records: the weight of a move is the sum of its values over all games, by their results.

use super::book_file::{KeysByLock, ResultsByEntry};
use super::dat::{OpeningBook, entries_of, entry_of, locks};
use super::{BookMove, MoveResults, obk};
use crate::games::record::{GameRecord, GameResult};
use crate::games::tree::{MoveTree, TreeCursor};
use crate::position::Position;
use crate::types::Color;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Which moves go into a book, and their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildSettings {
    /// Maximum number of plies of each game.
    pub plies: usize,
    /// Minimum number of games with a move.
    pub min_games: u32,
    /// Value of a move in a game that its player won.
    pub win: u32,
    /// Value in a drawn game.
    pub draw: u32,
    /// Value in a game that its player lost.
    pub loss: u32,
    /// Value in a game without a result.
    pub unknown: u32,
}

impl Default for BuildSettings {
    fn default() -> BuildSettings {
        BuildSettings { plies: 40, min_games: 2, win: 2, draw: 1, loss: 0, unknown: 1 }
    }
}

impl BuildSettings {
    fn value(&self, result: GameResult, mover: Color) -> u32 {
        match result {
            GameResult::Won(color) if color == mover => self.win,
            GameResult::Won(_) => self.loss,
            GameResult::Drawn => self.draw,
            GameResult::Unknown => self.unknown,
        }
    }
}

/// The games with a move.
#[derive(Clone, Copy, Debug, Default)]
struct MoveStats {
    games: u32,
    weight: u64,
    /// Of the games that have it in their main lines.
    results: MoveResults,
    /// Number of the last of these games: a game in which the move is repeated counts once.
    last_game: u64,
}

/// Collects the moves of games.
#[derive(Clone, Debug)]
pub struct Builder {
    settings: BuildSettings,
    games: u64,
    /// By lock and move.
    stats: HashMap<(u32, u16), MoveStats>,
    /// If they are wanted.
    keys: Option<KeysByLock>,
    /// The smaller lock of the position with which each game begins to count; `None`: its first one.
    first_lock: Option<u32>,
}

impl Builder {
    /// A builder without games.
    pub fn new(settings: BuildSettings) -> Builder {
        Builder { settings, games: 0, stats: HashMap::new(), keys: None, first_lock: None }
    }

    /// The same, to keep the keys of positions too, which a database needs.
    pub fn keeping_keys(self) -> Builder {
        Builder { keys: Some(KeysByLock::new()), ..self }
    }

    /// The same, to count only the games that reach a position, or its mirror image, from there on.
    pub fn counting_from(self, position: &Position) -> Builder {
        Builder { first_lock: locks(position).into_iter().min(), ..self }
    }

    /// The moves that were played in a position, with their values summed up and the games that have them in their main
    /// lines; the most frequent first.
    pub fn find(&self, position: &Position) -> Vec<(BookMove, MoveResults)> {
        let stats = |mv| {
            let entry = entry_of(position, mv, 1);
            let MoveStats { weight, results, .. } = self.stats.get(&(entry.lock, entry.mv))?;
            Some((BookMove { mv, weight: (*weight).min(u16::MAX.into()) as u16 }, *results))
        };
        let mut moves: Vec<_> = position.legal_moves().iter().filter_map(stats).collect();
        moves.sort_by_key(|(found, results)| Reverse((results.games(), found.weight)));
        moves
    }

    /// Adds a game with its variations, or its main line alone, up to the maximum number of plies; returns the number of
    /// moves added. The moves of variations have the value of the game's result, too.
    pub fn add(&mut self, game: &GameRecord, is_main_only: bool) -> usize {
        self.games += 1;
        let is_main = |node| game.tree.parent(node).is_none_or(|parent| game.tree.first_child(parent) == Some(node));
        let mut cursor = TreeCursor::new(game.tree.clone(), game.start.clone());
        let (mut added, mut is_main_line) = (0, true);
        let mut first = self.first_lock.is_none().then_some(0);
        for node in game.tree.nodes().filter(|&node| node != MoveTree::ROOT) {
            is_main_line &= is_main(node);
            if is_main_only && !is_main_line {
                break;
            }
            cursor.go_to(game.tree.parent(node).unwrap_or(MoveTree::ROOT));
            let Some(mv) = game.tree.mv(node) else { continue };
            let position = cursor.position();
            if first.is_none() && locks(position).into_iter().min() == self.first_lock {
                first = Some(position.plies());
            }
            if first.is_some_and(|first| (first..first.saturating_add(self.settings.plies)).contains(&position.plies()))
            {
                let weight = self.settings.value(game.result, position.side());
                if let Some(keys) = &mut self.keys {
                    keys.extend(locks(position).into_iter().zip(obk::keys(position)));
                }
                for entry in entries_of(position, mv, 1) {
                    let stats = self.stats.entry((entry.lock, entry.mv)).or_default();
                    if stats.last_game != self.games {
                        stats.last_game = self.games;
                        stats.games += 1;
                        stats.weight += u64::from(weight);
                        if is_main_line {
                            count_result(&mut stats.results, game.result, position.side());
                        }
                    }
                }
                added += 1;
            }
            cursor.go_to(node);
        }
        added
    }

    /// The book of all moves that were played in enough games and have a value, and the keys and the games if keys were
    /// kept.
    pub fn finish(self) -> (OpeningBook, Option<(KeysByLock, ResultsByEntry)>) {
        let min_games = self.settings.min_games;
        let kept = self.stats.iter().filter(|(_, stats)| stats.games >= min_games);
        let book = OpeningBook::of(kept.map(|(&(lock, mv), stats)| (lock, mv, stats.weight)));
        let results = || self.stats.iter().map(|(&entry, stats)| (entry, stats.results)).collect();
        (book, self.keys.map(|keys| (keys, results())))
    }
}

/// Adds a game with this result, of which `side` made the move.
fn count_result(results: &mut MoveResults, result: GameResult, side: Color) {
    let count = match result {
        GameResult::Won(winner) if winner == side => &mut results.wins,
        GameResult::Won(_) => &mut results.losses,
        GameResult::Drawn => &mut results.draws,
        GameResult::Unknown => &mut results.unknown,
    };
    *count += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::games;
    use crate::position::Position;

    fn book(settings: BuildSettings, text: &str) -> OpeningBook {
        let mut builder = Builder::new(settings);
        games(text).map(Result::unwrap).for_each(|game| {
            assert!(game.error.is_none());
            builder.add(&game, false);
        });
        builder.finish().0
    }

    fn known(book: &OpeningBook, moves: &[&str]) -> Vec<(String, u16)> {
        let mut position = Position::start();
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap()));
        book.find(&position).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    const GAMES: &str =
        "h2e2 h9g7 h0g2 1-0\nb2e2 b9c7 1-0\nh2e2 b9c7 0-1\nh2e2 h9g7 1/2-1/2\ng3g4 h9g7 *\ng3g4 b7g7 0-1\n";

    #[test]
    fn weights_follow_the_results() {
        let book = book(BuildSettings { min_games: 1, ..BuildSettings::default() }, GAMES);
        let expected = [("b2e2", 5), ("h2e2", 5), ("c3c4", 1), ("g3g4", 1)];
        assert_eq!(
            known(&book, &[]),
            expected.map(|(mv, weight)| (mv.to_string(), weight)),
            "the start position equals its mirror image"
        );
        // With h9g7 (once mirrored) Black lost two games and drew one; with b9c7 it won one.
        assert_eq!(known(&book, &["h2e2"]), [("b9c7".to_string(), 2), ("h9g7".to_string(), 1)]);
        assert_eq!(known(&book, &["g3g4"]), [("b7g7".to_string(), 2), ("h9g7".to_string(), 1)]);
        assert_eq!(known(&book, &["h2e2", "h9g7"]), [("h0g2".to_string(), 2)]);
    }

    #[test]
    fn rare_and_late_moves_are_dropped() {
        let rare = book(BuildSettings { min_games: 2, ..BuildSettings::default() }, GAMES);
        assert_eq!(known(&rare, &["g3g4"]), []);
        assert_eq!(known(&rare, &["h2e2"]), [("h9g7".to_string(), 1)]);
        let short = book(BuildSettings { plies: 1, min_games: 1, ..BuildSettings::default() }, GAMES);
        assert_eq!((known(&short, &[]).len(), known(&short, &["h2e2"]).len()), (4, 0));
    }

    #[test]
    fn variations_are_added_unless_the_main_line_is_wanted() {
        let settings = BuildSettings { min_games: 1, plies: 3, ..BuildSettings::default() };
        let text = "h2e2 h9g7 (b9c7 h0g2 (b0c2 i9i8) a6a5) (h7e7) h0g2 1/2-1/2";
        let game = games(text).next().unwrap().unwrap();
        let built = |is_main_only| {
            let mut builder = Builder::new(settings.clone());
            let added = builder.add(&game, is_main_only);
            (added, known(&builder.finish().0, &["h2e2"]).len())
        };
        assert_eq!((built(false), built(true)), ((7, 3), (3, 1)));
        let all = book(settings, text);
        assert_eq!(known(&all, &["h2e2", "b9c7"]).len(), 2);
    }

    #[test]
    fn repeated_move_counts_once_per_game() {
        let game = "a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 i0i1 1-0\n";
        assert_eq!(book(BuildSettings::default(), game).entries(), []);
        let twice = book(BuildSettings::default(), &game.repeat(2));
        assert_eq!(known(&twice, &[]), [("a0a1".to_string(), 4), ("i0i1".to_string(), 4)]);
    }
}
