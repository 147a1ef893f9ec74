//! Books made of games: each move of each position counts as often as it was played, and by how the games ended.

use super::dat::{Dat, records_of};
use crate::notation::record::{Ending, Record as Game};
use crate::types::Color;
use std::collections::HashMap;

/// What goes into a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
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

impl Default for Plan {
    fn default() -> Plan {
        Plan { plies: 40, least_games: 2, win: 2, draw: 1, loss: 0, unknown: 1 }
    }
}

impl Plan {
    fn value(&self, ending: Ending, mover: Color) -> u32 {
        match ending {
            Ending::Won(color) if color == mover => self.win,
            Ending::Won(_) => self.loss,
            Ending::Drawn => self.draw,
            Ending::Unknown => self.unknown,
        }
    }
}

/// How often a move was played, and what that was worth.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u32,
    worth: u64,
    /// Number of the last of these games: a game counts once, however often it comes back.
    last: u64,
}

/// A book being made.
#[derive(Clone, Debug)]
pub struct Builder {
    plan: Plan,
    games: u64,
    /// By lock and move.
    tallies: HashMap<(u32, u16), Tally>,
}

impl Builder {
    /// Nothing yet.
    pub fn new(plan: Plan) -> Builder {
        Builder { plan, games: 0, tallies: HashMap::new() }
    }

    /// Adds a game, as far as the plan goes; returns how many moves that were.
    pub fn add(&mut self, game: &Game) -> usize {
        self.games += 1;
        let mut position = game.start.clone();
        let moves = &game.moves[..game.moves.len().min(self.plan.plies)];
        for &mv in moves {
            let worth = self.plan.value(game.ending, position.side());
            for record in records_of(&position, mv, 1) {
                let tally = self.tallies.entry((record.lock, record.mv)).or_default();
                if tally.last != self.games {
                    tally.last = self.games;
                    tally.games += 1;
                    tally.worth += u64::from(worth);
                }
            }
            position.make(mv, &mut ());
        }
        moves.len()
    }

    /// The book: moves that were played often enough and are worth something, their weights in proportion to their worth.
    pub fn finish(self) -> Dat {
        let least = self.plan.least_games;
        let kept = self.tallies.into_iter().filter(|(_, tally)| tally.games >= least);
        Dat::of(kept.map(|((lock, mv), tally)| (lock, mv, tally.worth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn;
    use crate::position::Position;

    fn book(plan: Plan, games: &str) -> Dat {
        let mut builder = Builder::new(plan);
        pgn::games(games).for_each(|game| {
            assert!(game.flaw.is_none());
            builder.add(&game);
        });
        builder.finish()
    }

    fn known(book: &Dat, moves: &[&str]) -> Vec<(String, u16)> {
        let mut position = Position::start();
        moves.iter().for_each(|mv| position.make(mv.parse().unwrap(), &mut ()));
        book.find(&position).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    const GAMES: &str =
        "h2e2 h9g7 h0g2 1-0\nb2e2 b9c7 1-0\nh2e2 b9c7 0-1\nh2e2 h9g7 1/2-1/2\ng3g4 h9g7 *\ng3g4 b7g7 0-1\n";

    #[test]
    fn moves_count_by_how_their_games_ended() {
        let book = book(Plan { least_games: 1, ..Plan::default() }, GAMES);
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
        let rare = book(Plan { least_games: 2, ..Plan::default() }, GAMES);
        assert_eq!(known(&rare, &["g3g4"]), []);
        assert_eq!(known(&rare, &["h2e2"]), [("h9g7".to_string(), 1)]);
        let short = book(Plan { plies: 1, least_games: 1, ..Plan::default() }, GAMES);
        assert_eq!((known(&short, &[]).len(), known(&short, &["h2e2"]).len()), (4, 0));
    }

    #[test]
    fn a_game_counts_once() {
        let game = "a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 i0i1 1-0\n";
        assert_eq!(book(Plan::default(), game).records(), []);
        let twice = book(Plan::default(), &game.repeat(2));
        assert_eq!(known(&twice, &[]), [("a0a1".to_string(), 4), ("i0i1".to_string(), 4)]);
    }
}
