//! The search stack: the state of each ply of the line being searched.

use super::history::PieceTo;
use super::picker::Picker;
use crate::types::{MAX_PLY, Move, Score};

/// Entries of a stack. A node writes two plies below its own.
const LEN: usize = MAX_PLY + 2;

/// One ply of the line being searched.
#[derive(Default)]
pub(super) struct StackEntry {
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Static evaluation as the transposition table stores it: without correction history and damping.
    pub raw_eval: Option<Score>,
    /// What the correction history added to the static evaluation; 0 in check.
    pub correction: Score,
    /// ttPv: a PV node, or one of an earlier search as far as the transposition table knows.
    pub was_pv: bool,
    /// The move made here, as piece and target square; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Whether that move captured nothing.
    pub is_quiet: bool,
    /// Beta cutoffs of nodes at this ply since the search entered the node two plies above (Stockfish's `cutoffCnt`).
    /// Those of searches that exclude a move count too.
    pub cutoffs: u32,
    /// The move excluded by the search for a singular extension.
    pub excluded: Option<Move>,
    /// Killer moves: the last two quiet moves that caused a cutoff at this ply, the later one first.
    pub killers: [Option<Move>; 2],
    /// Principal variation (PV) from here on.
    pub pv: Vec<Move>,
    /// The moves of the node being searched at this ply.
    pub picker: Picker,
}

impl StackEntry {
    /// Records a quiet move that caused a cutoff as the first killer move.
    pub(super) fn update_killers(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// A stack with an entry for every ply.
pub(super) fn new_stack() -> Vec<StackEntry> {
    (0..LEN).map(|_| StackEntry::default()).collect()
}

/// Resets the entries for a new search. Keeps their memory; pickers start anew with each node.
pub(super) fn reset(stack: &mut [StackEntry]) {
    for StackEntry {
        eval,
        raw_eval,
        correction,
        was_pv,
        piece_to,
        is_quiet,
        cutoffs,
        excluded,
        killers,
        pv,
        picker: _,
    } in stack
    {
        (*eval, *raw_eval, *correction, *was_pv) = (None, None, 0, false);
        (*piece_to, *is_quiet, *cutoffs, *excluded, *killers) = (None, false, 0, None, [None; 2]);
        pv.clear();
    }
}
