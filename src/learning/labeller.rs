//! Labels: the scores of small searches, for positions from inside other searches.

use super::games::ScoredMove;
use super::samples::{Sample, target_score};
use crate::position::{GenType, PackedPosition, Position};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::transposition::TranspositionTable;
use crate::types::MoveList;

/// Nodes of a labelling search at most, as a multiple of the soft limit.
const MAX_NODES: u64 = 8;

/// Searches positions for their scores.
pub struct Labeller {
    searcher: Searcher,
    table: TranspositionTable,
    limits: Limits,
    samples: Vec<Sample>,
}

impl Labeller {
    /// A labeller that begins no new iteration after `nodes` nodes, with a hash table of this many MB.
    ///
    /// # Panics
    /// When there is no memory for the hash table.
    pub fn new(settings: &SearchSettings, nodes: u64, hash_megabytes: usize) -> Labeller {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes * MAX_NODES),
            settings: settings.clone(),
            ..Limits::default()
        };
        let table = TranspositionTable::new(hash_megabytes).expect("invariant: there is memory for a small table");
        Labeller { searcher: Searcher::new(), table, limits, samples: Vec::new() }
    }

    /// Clears the hash table, histories and samples.
    pub fn new_game(&mut self) {
        self.searcher.clear();
        self.table.clear();
        self.samples.clear();
    }

    /// Labels a position, if it is fit for training.
    pub fn add(&mut self, packed: &PackedPosition) {
        let sample = self.label(packed);
        self.samples.extend(sample);
    }

    /// The labelled positions since the last call.
    pub fn take(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.samples)
    }

    /// The position with the score of a search; `None` if it is not fit for training.
    fn label(&mut self, packed: &PackedPosition) -> Option<Sample> {
        let position = packed.unpack().expect("invariant: it is a position of a search");
        if position.in_check() || wins_material(&position) || position.has_no_moves() {
            return None;
        }
        let found = self.searcher.search(&position, &self.limits, &Signals::new(), &self.table, &mut |_| {});
        let score = i16::try_from(found.score).expect("invariant: no score is beyond a mate");
        let score = target_score(&position, ScoredMove { mv: found.best?, score: Some(score) })?;
        Some(Sample::new(&position, score, None))
    }
}

/// Whether a capture wins material by static exchange evaluation: then it is most likely the best move.
fn wins_material(position: &Position) -> bool {
    let mut captures = MoveList::new();
    position.generate(GenType::Captures, &mut captures);
    captures.iter().any(|mv| position.see_ge(mv, 1))
}
