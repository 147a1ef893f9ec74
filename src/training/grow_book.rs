//! Grows an opening book by searching. A queue holds positions with their probability of being reached. The most
//! probable ones are searched; the moves whose scores are close to the best enter the book, and the positions after
//! them enter the queue.
//!
//! The probability of a position comes from the given opening lines and from the weights of the moves that lead to it.
//! The result depends on the settings only, not on the number of threads.

use crate::analysis::positions::{AnalysisSettings, analyse};
use crate::book::dat::{BookEntry, OpeningBook, entries_of, locks};
use crate::games::record::GameRecord as TrainingGame;
use crate::position::Position;
use crate::search::limits::Limits;
use crate::search::report::Iteration;
use crate::search::settings::SearchSettings;
use crate::types::{Move, Score};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

/// Number of positions searched before the queue is sorted again.
const BATCH: usize = 32;
/// Weight of the best move of a position.
const MAX_WEIGHT: f64 = 1_000.0;

/// The settings for growing a book.
#[derive(Clone, Debug)]
pub(crate) struct GrowSettings {
    /// Number of positions to search.
    pub positions: usize,
    /// Nodes per position.
    pub nodes: u64,
    /// Maximum number of moves kept per position.
    pub moves: usize,
    /// Maximum difference to the score of the best move, in engine units.
    pub margin: Score,
    /// Temperature of the weights, in engine units: a move that is worse by this much has 1/e of the weight.
    pub temperature: f64,
    /// Number of positions searched in parallel.
    pub threads: usize,
    /// Size of the hash table of each thread, in megabytes.
    pub hash_megabytes: usize,
}

/// A position to be searched, and its probability of being reached.
struct Candidate {
    position: Position,
    probability: f64,
}

/// Positions by lock, the smaller of the position's and of its mirror image's.
#[derive(Default)]
struct Queue {
    candidates: BTreeMap<u32, Candidate>,
    done: HashSet<u32>,
}

impl Queue {
    /// Adds to the probability of a position, unless it has been searched.
    fn add(&mut self, position: &Position, probability: f64) {
        let [own, image] = locks(position);
        let lock = own.min(image);
        if self.done.contains(&lock) || position.has_no_moves() {
            return;
        }
        let candidate =
            self.candidates.entry(lock).or_insert_with(|| Candidate { position: position.clone(), probability: 0.0 });
        candidate.probability += probability;
    }

    /// Removes and returns the most probable positions, at most `count`.
    fn take(&mut self, count: usize) -> Vec<Candidate> {
        let mut locks: Vec<(u32, f64)> =
            self.candidates.iter().map(|(&lock, candidate)| (lock, candidate.probability)).collect();
        locks.sort_by(|one, other| other.1.total_cmp(&one.1));
        locks.truncate(count);
        self.done.extend(locks.iter().map(|&(lock, _)| lock));
        locks.iter().filter_map(|(lock, _)| self.candidates.remove(lock)).collect()
    }
}

/// Progress of growing.
pub(crate) enum Grown {
    /// One more position has been searched.
    Position,
    /// A batch of positions has been searched; the book so far.
    Batch(OpeningBook),
}

/// Grows a book from the start position and the positions of `lines` (games or openings). Calls `progress` after each
/// position and each batch.
///
/// # Errors
/// When there is not enough memory for the hash tables: their total size in megabytes.
pub(crate) fn grow(
    lines: &[TrainingGame],
    settings: &GrowSettings,
    progress: &mut dyn FnMut(Grown),
) -> Result<OpeningBook, usize> {
    let search = AnalysisSettings {
        limits: Limits {
            nodes: Some(settings.nodes),
            settings: SearchSettings { lines: settings.moves, ..SearchSettings::default() },
            ..Limits::default()
        },
        threads: settings.threads,
        hash_kilobytes: settings.hash_megabytes << 10,
    };
    let mut queue = Queue::default();
    queue.add(&Position::start(), 1.0);
    for line in lines {
        let mut position = line.start.clone();
        for mv in line.moves() {
            position.make(mv);
            queue.add(&position, 1.0 / lines.len() as f64);
        }
    }
    // By lock and move. In a position that equals its mirror image, a move and its mirror image share the weight found
    // first.
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
        let answer = |candidate: Candidate, search: &mut dyn FnMut(&Position) -> Option<Iteration>| {
            let found = search(&candidate.position);
            (candidate, found)
        };
        analyse(batch, &search, answer, &mut |(Candidate { position, probability }, found)| {
            progress(Grown::Position);
            let lines = found.map_or_else(Vec::new, |iteration| iteration.lines);
            // Not always the first line: a search stopped in the middle of an iteration has scores of two iterations.
            let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
            let moves: Vec<(Move, f64)> = lines
                .iter()
                .filter(|line| best - line.score <= settings.margin)
                .filter_map(|line| {
                    Some((*line.pv.first()?, MAX_WEIGHT * (f64::from(line.score - best) / settings.temperature).exp()))
                })
                .collect();
            let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
            for (mv, weight) in moves {
                for entry in entries_of(&position, mv, weight.round().max(1.0) as u16) {
                    weights.entry((entry.lock, entry.mv)).or_insert(entry.weight);
                }
                queue.add(&position.after(mv), probability * weight / total);
            }
            ControlFlow::Continue(())
        })?;
        progress(Grown::Batch(book(&weights)));
    }
    Ok(book(&weights))
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn games(text: &str) -> Vec<TrainingGame> {
        crate::games::games(text).map(Result::unwrap).collect()
    }

    #[test]
    fn book_does_not_depend_on_the_number_of_threads() {
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
        assert!(start.len() >= 2 && start[0].weight == 1_000, "a move and its mirror image: {start:?}");
        let mut position = Position::start();
        for mv in lines[0].moves() {
            position.make(mv);
            let found = book.find(&position);
            assert!((1..=3).contains(&found.len()) && found[0].weight == 1_000, "{found:?}");
        }
        assert_eq!(book.positions(), 40);
    }

    #[test]
    fn lines_may_start_from_a_fen() {
        let lines = games("[FEN \"3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1\"]\ne0f0 *");
        let mut position = lines[0].start.clone();
        position.make(lines[0].moves()[0]);
        let book = grow(&lines, &GrowSettings { positions: 3, ..settings(1) }, &mut |_| ()).unwrap();
        assert!(!book.find(&position).is_empty());
    }

    #[test]
    fn openings_file_is_valid() {
        let lines = games(include_str!("../book/openings.txt"));
        assert_eq!(lines.len(), 156);
        assert!(lines.iter().all(|line| line.error.is_none() && line.moves().len() == 8));
    }

    #[test]
    fn most_probable_positions_come_first_and_once() {
        let after = |mv: &str| {
            let mut position = Position::start();
            position.make(mv.parse().unwrap());
            position
        };
        let mut queue = Queue::default();
        for (mv, probability) in [("h2e2", 0.3), ("g3g4", 0.5), ("b2e2", 0.3), ("a3a4", 0.1)] {
            queue.add(&after(mv), probability);
        }
        let taken = queue.take(2);
        let probabilities: Vec<f64> = taken.iter().map(|candidate| candidate.probability).collect();
        assert_eq!(probabilities, [0.6, 0.5], "mirror images are one position");
        queue.add(&after("h2e2"), 1.0);
        assert_eq!(queue.take(5).len(), 1);
    }
}
