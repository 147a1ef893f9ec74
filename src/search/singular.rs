//! Singular extension and negative extension of the move of the transposition table.
//!
//! The other moves are searched to about half the depth against a bound somewhat below the score of the table. If all
//! fail low, the move is singular and extended (Anantharaman, Campbell and Hsu, "Singular Extensions", 1990, in the
//! form of Stockfish). If not, and another move is likely to cause a cutoff, the move is reduced: a negative extension.

use super::node::NonPvNode;
use super::transposition::{Entry, from_table};
use super::worker::Worker;
use crate::types::Bound;
use crate::types::Score;
use crate::types::score::is_decided;

impl Worker<'_> {
    /// The extension of the move of `entry`, in plies: 1 if it is singular, 0 or less if not.
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
        let singular_beta = score - tunables.singular_margin(depth);
        self.stack[ply].excluded = Some(mv);
        let others = self.search::<NonPvNode>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut);
        self.stack[ply].excluded = None;
        if others < singular_beta {
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

    /// Stops the search at many different nodes, some of them inside the search that excludes a move.
    #[test]
    fn stopped_search_restores_position_and_excluded_moves() {
        let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let (mut memory, table, signals, smp) =
            (WorkerMemory::new(), TranspositionTable::new(1).unwrap(), Signals::new(), SmpState::new(1));
        for nodes in (10_000..30_000).step_by(777) {
            table.clear();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut report = |_| ();
            let mut worker = Worker::new(&position, &mut memory, &table, &signals, &limits, &mut report, (&smp, 0));
            worker.run();
            assert_eq!(worker.stop_reason, StopReason::Nodes);
            assert_eq!(worker.position.to_fen(), fen);
            assert!(worker.stack.iter().all(|entry| entry.excluded.is_none()));
        }
    }
}
