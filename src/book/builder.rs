//! Books made of games: each move of each position counts as often as it was played, and by how the games ended.

use super::dat::{OpeningBook, entries_of};
use crate::notation::game_record::{GameRecord as Game, GameResult};
use crate::types::Color;
use std::collections::HashMap;

/// What goes into a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildSettings {
    /// Plies of each game.
    pub plies: usize,
    /// A move that was played in fewer games is left out.
    pub least_games: u32,
    /// What a move is worth in a game that its player won.
    pub win: u32,
    /// In one that was drawn.
    pub draw: u32,
    /// In one that its player lost.
    pub loss: u32,
    /// In one whose ending nobody knows.
    pub unknown: u32,
}

impl Default for BuildSettings {
    fn default() -> BuildSettings {
        BuildSettings { plies: 40, least_games: 2, win: 2, draw: 1, loss: 0, unknown: 1 }
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

/// How often a move was played, and what that was worth.
#[derive(Clone, Copy, Debug, Default)]
struct MoveStats {
    games: u32,
    weight: u64,
    /// Number of the last of these games: a game counts once, however often it comes back.
    last: u64,
}

/// A book being made.
#[derive(Clone, Debug)]
pub struct Builder {
    settings: BuildSettings,
    games: u64,
    /// By lock and move.
    stats: HashMap<(u32, u16), MoveStats>,
}

impl Builder {
    /// Nothing yet.
    pub fn new(settings: BuildSettings) -> Builder {
        Builder { settings, games: 0, stats: HashMap::new() }
    }

    /// Adds a game, as far as the plan goes; returns how many moves that were.
    pub fn add(&mut self, game: &Game) -> usize {
        self.games += 1;
        let mut position = game.start.clone();
        let moves = &game.moves[..game.moves.len().min(self.settings.plies)];
        for &mv in moves {
            let weight = self.settings.value(game.result, position.side());
            for entry in entries_of(&position, mv, 1) {
                let stats = self.stats.entry((entry.lock, entry.mv)).or_default();
                if stats.last != self.games {
                    stats.last = self.games;
                    stats.games += 1;
                    stats.weight += u64::from(weight);
                }
            }
            position.make(mv, &mut ());
        }
        moves.len()
    }

    /// The book: moves that were played often enough and are worth something, their weights in proportion to their worth.
    pub fn finish(self) -> OpeningBook {
        let least = self.settings.least_games;
        let kept = self.stats.into_iter().filter(|(_, stats)| stats.games >= least);
        OpeningBook::of(kept.map(|((lock, mv), stats)| (lock, mv, stats.weight)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn;
    use crate::position::Position;

    fn book(settings: BuildSettings, games: &str) -> OpeningBook {
        let mut builder = Builder::new(settings);
        pgn::games(games).for_each(|game| {
            assert!(game.error.is_none());
            builder.add(&game);
        });
        builder.finish()
    }

    fn known(book: &OpeningBook, moves: &[&str]) -> Vec<(String, u16)> {
        let mut position = Position::start();
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap(), &mut ()));
        book.find(&position).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    const GAMES: &str =
        "h2e2 h9g7 h0g2 1-0\nb2e2 b9c7 1-0\nh2e2 b9c7 0-1\nh2e2 h9g7 1/2-1/2\ng3g4 h9g7 *\ng3g4 b7g7 0-1\n";

    #[test]
    fn moves_count_by_how_their_games_ended() {
        let book = book(BuildSettings { least_games: 1, ..BuildSettings::default() }, GAMES);
        let expected = [("b2e2", 5), ("h2e2", 5), ("c3c4", 1), ("g3g4", 1)];
        assert_eq!(
            known(&book, &[]),
            expected.map(|(mv, weight)| (mv.to_string(), weight)),
            "the start is its own image"
        );
        // Black lost twice and drew once with the horse by the cannon, and won once with the other.
        assert_eq!(known(&book, &["h2e2"]), [("b9c7".to_string(), 2), ("h9g7".to_string(), 1)]);
        assert_eq!(known(&book, &["g3g4"]), [("b7g7".to_string(), 2), ("h9g7".to_string(), 1)]);
        assert_eq!(known(&book, &["h2e2", "h9g7"]), [("h0g2".to_string(), 2)]);
    }

    #[test]
    fn what_is_rare_or_late_is_left_out() {
        let rare = book(BuildSettings { least_games: 2, ..BuildSettings::default() }, GAMES);
        assert_eq!(known(&rare, &["g3g4"]), []);
        assert_eq!(known(&rare, &["h2e2"]), [("h9g7".to_string(), 1)]);
        let short = book(BuildSettings { plies: 1, least_games: 1, ..BuildSettings::default() }, GAMES);
        assert_eq!((known(&short, &[]).len(), known(&short, &["h2e2"]).len()), (4, 0));
    }

    #[test]
    fn a_game_counts_once() {
        let game = "a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 i0i1 1-0\n";
        assert_eq!(book(BuildSettings::default(), game).entries(), []);
        let twice = book(BuildSettings::default(), &game.repeat(2));
        assert_eq!(known(&twice, &[]), [("a0a1".to_string(), 4), ("i0i1".to_string(), 4)]);
    }
}
