//! Shortcuts: what is found out about a node before its moves are searched, by its evaluation, by passing, and by
//! comparing the hash move with the others.

use super::alphabeta::NonPvNode;
use super::pruning::Pruning;
use super::transposition::{Entry, from_table};
use super::worker::Worker;
use crate::types::Bound;
use crate::types::Score;
use crate::types::score::{RULE_BOUND, is_decided};

/// What a position is worth at first sight: the table's score is a better guess than the static evaluation where it
/// bounds it.
pub fn tt_adjusted_eval(eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return eval };
    let score = from_table(entry.score, ply);
    match entry.bound {
        Bound::Exact => score,
        Bound::Lower => score.max(eval),
        Bound::Upper => score.min(eval),
    }
}

impl Worker<'_> {
    /// Reasons to leave a null-window node before any move is searched: far above beta, or good enough even after
    /// passing.
    pub fn prune_node(
        &mut self,
        tt_adjusted_eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        improving: bool,
    ) -> Option<Score> {
        let tunables = self.tunables();
        if depth <= tunables.reverse_futility_depth()
            && self.prunes(Pruning::Large)
            && !is_decided(beta)
            && !is_decided(tt_adjusted_eval)
            && tt_adjusted_eval - tunables.reverse_futility_margin(depth, improving) >= beta
        {
            return Some(tt_adjusted_eval);
        }
        let after_null_move = ply > 0 && self.stack[ply - 1].piece_to.is_none();
        if depth >= tunables.null_move_depth()
            && self.prunes(Pruning::Medium)
            && tt_adjusted_eval >= beta
            && beta > -RULE_BOUND
            && !after_null_move
            && self.position.has_non_pawn_material(self.position.side())
        {
            return self.try_null_move(tt_adjusted_eval, beta, depth, ply);
        }
        None
    }

    /// Passes the turn: if the position still is too good, a move will be too.
    fn try_null_move(&mut self, tt_adjusted_eval: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let reduced_depth = depth - self.tunables().null_move_reduction(depth, tt_adjusted_eval - beta);
        self.stack[ply].piece_to = None;
        self.nodes += 1;
        self.table.prefetch(self.position.key_after_null());
        self.position.make_null(&mut self.evaluator);
        let score = -self.search::<NonPvNode>(-beta, 1 - beta, reduced_depth, ply + 1, false);
        self.undo();
        let holds = score >= beta && !self.stopped;
        holds.then_some(if score >= RULE_BOUND { beta } else { score })
    }

    /// Plies by which to extend the hash move, which the table says is good: more if it is the only good one, less if
    /// it is not where a cutoff is near. The others are searched less deeply against a bound somewhat below its score.
    /// The idea is from Anantharaman, Campbell and Hsu, "Singular Extensions" (1990), in the form of Stockfish.
    pub fn singular_extension(&mut self, beta: Score, depth: i32, ply: usize, cut: bool, entry: Option<Entry>) -> i32 {
        let tunables = self.tunables();
        let Some(entry) = entry.filter(|entry| {
            depth >= tunables.singular_depth() && entry.bound != Bound::Upper && entry.depth as i32 >= depth - 3
        }) else {
            return 0;
        };
        let Some(mv) = entry.mv.filter(|&mv| self.position.is_legal(mv)) else { return 0 };
        let score = from_table(entry.score, ply);
        if is_decided(score) {
            return 0;
        }
        let bar = score - tunables.singular_margin(depth);
        self.stack[ply].excluded = Some(mv);
        let others = self.search::<NonPvNode>(bar - 1, bar, (depth - 1) / 2, ply, cut);
        self.stack[ply].excluded = None;
        if others < bar {
            1
        } else if score >= beta {
            -tunables.negative_extension_beta()
        } else if cut {
            -tunables.negative_extension_cut()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::search::lazy_smp::SmpState;
    use crate::search::limits::Limits;
    use crate::search::report::StopReason;
    use crate::search::signals::Signals;
    use crate::search::transposition::TranspositionTable;
    use crate::search::worker::{Worker, WorkerMemory};

    /// Wherever a search is broken off, also while a move is left out to see what the others are worth.
    #[test]
    fn a_search_broken_off_leaves_nothing_behind() {
        let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let (mut memory, table, signals, smp) =
            (WorkerMemory::new(), TranspositionTable::new(1).unwrap(), Signals::new(), SmpState::new(1));
        for nodes in (10_000..30_000).step_by(777) {
            table.clear();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut report = |_| ();
            let mut worker = Worker::new(&position, &mut memory, &table, &signals, &limits, &mut report, (&smp, 0));
            worker.find();
            assert_eq!(worker.stop_reason, StopReason::Nodes);
            assert_eq!(worker.position.to_fen(), fen);
            assert!(worker.stack.iter().all(|frame| frame.excluded.is_none()));
        }
    }
}
