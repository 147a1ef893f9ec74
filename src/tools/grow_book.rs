//! Growing an opening book from nothing but the engine's own searches: of the positions that are waiting, those likeliest
//! to come up are searched; the moves nearly as good as the best become the book's, and where they lead waits in turn.
//!
//! How likely a position is, is told by the lines it begins with (openings that people play) and by the weights of the moves
//! that lead there. The order depends on nothing else: the same plan grows the same book, on any number of threads.

use super::analyse::{AnalysisSettings, analyse};
use crate::book::dat::{BookEntry, OpeningBook, entries_of, locks};
use crate::notation::game_record::GameRecord as Game;
use crate::position::Position;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::types::{Move, Score};
use std::collections::{BTreeMap, HashSet};

/// Positions searched before those they lead to are looked at.
const BATCH: usize = 32;
/// Weight of the best move.
const BEST: f64 = 1_000.0;

/// How a book is grown.
#[derive(Clone, Debug)]
pub struct GrowSettings {
    /// Positions searched.
    pub positions: usize,
    /// Nodes for each of them.
    pub nodes: u64,
    /// Most moves kept of each.
    pub moves: usize,
    /// By how many engine units a move may be worse than the best.
    pub margin: Score,
    /// By how many engine units a move is worse that is played less often by a factor of e.
    pub temperature: f64,
    /// Positions searched at the same time.
    pub threads: usize,
    /// Megabytes of hash table for each of them.
    pub hash_megabytes: usize,
}

/// A position that waits to be searched.
struct Waiting {
    position: Position,
    probability: f64,
}

/// Positions by lock, the smaller of their own and of their mirror image's.
#[derive(Default)]
struct Queue {
    waiting: BTreeMap<u32, Waiting>,
    done: HashSet<u32>,
}

impl Queue {
    /// Lets a position wait, unless it was searched.
    fn add(&mut self, position: &Position, probability: f64) {
        let [own, image] = locks(position);
        let lock = own.min(image);
        if self.done.contains(&lock) || position.has_no_moves() {
            return;
        }
        let waiting =
            self.waiting.entry(lock).or_insert_with(|| Waiting { position: position.clone(), probability: 0.0 });
        waiting.probability += probability;
    }

    /// Takes the likeliest positions, at most so many.
    fn take(&mut self, most: usize) -> Vec<Waiting> {
        let mut locks: Vec<(u32, f64)> =
            self.waiting.iter().map(|(&lock, waiting)| (lock, waiting.probability)).collect();
        locks.sort_by(|one, other| other.1.total_cmp(&one.1));
        locks.truncate(most);
        self.done.extend(locks.iter().map(|&(lock, _)| lock));
        locks.iter().filter_map(|(lock, _)| self.waiting.remove(lock)).collect()
    }
}

/// How far the growing has come.
pub enum Grown {
    /// By one more position.
    Position,
    /// Some positions make a book so far.
    Batch(OpeningBook),
}

/// Grows a book from the start position and from `lines`, games or their first moves; `step` is called as it grows.
///
/// # Errors
/// When there is no memory for the hash tables: their size in megabytes.
pub fn grow(lines: &[Game], settings: &GrowSettings, step: &mut dyn FnMut(Grown)) -> Result<OpeningBook, usize> {
    let search = AnalysisSettings {
        limits: Limits {
            nodes: Some(settings.nodes),
            settings: SearchSettings { lines: settings.moves, ..SearchSettings::default() },
            ..Limits::default()
        },
        threads: settings.threads,
        hash_megabytes: settings.hash_megabytes,
    };
    let mut queue = Queue::default();
    queue.add(&Position::start(), 1.0);
    for line in lines {
        let mut position = line.start.clone();
        for &mv in &line.moves {
            position.make(mv, &mut ());
            queue.add(&position, 1.0 / lines.len() as f64);
        }
    }
    // By lock and move. A position that is its own mirror image has each move twice: said of one, it is said of the other.
    let mut weights: BTreeMap<(u32, u16), u16> = BTreeMap::new();
    let book = |weights: &BTreeMap<(u32, u16), u16>| {
        OpeningBook::from_entries(weights.iter().map(|(&(lock, mv), &weight)| BookEntry { lock, mv, weight }))
    };
    let mut left = settings.positions;
    while left > 0 {
        let batch = queue.take(left.min(BATCH));
        if batch.is_empty() {
            break;
        }
        left -= batch.len();
        let positions: Vec<Position> = batch.iter().map(|waiting| waiting.position.clone()).collect();
        analyse(&positions, &search, &mut |index, found| {
            step(Grown::Position);
            let (position, probability) = (&batch[index].position, batch[index].probability);
            let lines = found.map_or_else(Vec::new, |iteration| iteration.lines);
            // Not always the first: a search that was broken off has scores of two iterations.
            let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
            let moves: Vec<(Move, f64)> = lines
                .iter()
                .filter(|line| best - line.score <= settings.margin)
                .filter_map(|line| {
                    Some((*line.pv.first()?, BEST * (f64::from(line.score - best) / settings.temperature).exp()))
                })
                .collect();
            let all: f64 = moves.iter().map(|(_, weight)| weight).sum();
            for (mv, weight) in moves {
                for entry in entries_of(position, mv, weight.round().max(1.0) as u16) {
                    weights.entry((entry.lock, entry.mv)).or_insert(entry.weight);
                }
                let mut after = position.clone();
                after.make(mv, &mut ());
                queue.add(&after, probability * weight / all);
            }
        })?;
        step(Grown::Batch(book(&weights)));
    }
    Ok(book(&weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn;

    fn settings(threads: usize) -> GrowSettings {
        GrowSettings {
            positions: 40,
            nodes: 2_000,
            moves: 3,
            margin: 40,
            temperature: 20.0,
            threads,
            hash_megabytes: 1,
        }
    }

    fn games(text: &str) -> Vec<Game> {
        pgn::games(text).collect()
    }

    #[test]
    fn the_same_plan_grows_the_same_book() {
        let lines = games("a3a4 a6a5 *\n");
        let grown = [1, 3].map(|threads| {
            let mut steps = 0;
            let mut last = None;
            let book = grow(&lines, &settings(threads), &mut |grown| match grown {
                Grown::Position => steps += 1,
                Grown::Batch(book) => last = Some(book),
            });
            let book = book.unwrap();
            assert_eq!((steps, last.as_ref()), (40, Some(&book)));
            book
        });
        assert_eq!(grown[0], grown[1]);
        let book = &grown[0];
        let start = book.find(&Position::start());
        assert!(start.len() >= 2 && start[0].weight == 1_000, "a move and its image: {start:?}");
        let mut position = Position::start();
        for &mv in &lines[0].moves {
            position.make(mv, &mut ());
            let found = book.find(&position);
            assert!((1..=3).contains(&found.len()) && found[0].weight == 1_000, "{found:?}");
        }
        assert_eq!(book.positions(), 40);
    }

    #[test]
    fn a_line_begins_where_it_says() {
        let lines = games("[FEN \"3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1\"]\ne0f0 *");
        let mut position = lines[0].start.clone();
        position.make(lines[0].moves[0], &mut ());
        let book = grow(&lines, &GrowSettings { positions: 3, ..settings(1) }, &mut |_| ()).unwrap();
        assert!(!book.find(&position).is_empty());
    }

    #[test]
    fn the_openings_of_the_repository_are_sound() {
        let lines = games(include_str!("../book/openings.txt"));
        assert_eq!(lines.len(), 156);
        assert!(lines.iter().all(|line| line.error.is_none() && line.moves.len() == 8));
    }

    #[test]
    fn the_likeliest_come_first_and_none_twice() {
        let after = |mv: &str| {
            let mut position = Position::start();
            position.make(mv.parse().unwrap(), &mut ());
            position
        };
        let mut queue = Queue::default();
        for (mv, probability) in [("h2e2", 0.3), ("g3g4", 0.5), ("b2e2", 0.3), ("a3a4", 0.1)] {
            queue.add(&after(mv), probability);
        }
        let taken = queue.take(2);
        let wdl: Vec<f64> = taken.iter().map(|waiting| waiting.probability).collect();
        assert_eq!(wdl, [0.6, 0.5], "a mirror image is the same");
        queue.add(&after("h2e2"), 1.0);
        assert_eq!(queue.take(5).len(), 1);
    }
}
