//! Shortcuts: what is found out about a node before its moves are searched, by its evaluation, by passing, and by
//! comparing the hash move with the others.

use super::alphabeta::NullWindow;
use super::pruning::Pruning;
use super::report::Bound;
use super::transposition::{Entry, from_table};
use super::worker::Worker;
use crate::types::Score;
use crate::types::score::{RULE_BOUND, is_decided};

/// What a position is worth at first sight: the table's score is a better guess than the static evaluation where it
/// bounds it.
pub fn guess(eval: Score, entry: Option<Entry>, ply: usize) -> Score {
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
    pub fn leave_early(&mut self, guess: Score, beta: Score, depth: i32, ply: usize, improving: bool) -> Option<Score> {
        let tunables = self.tunables();
        if depth <= tunables.reverse_futility_depth()
            && self.prunes(Pruning::Large)
            && !is_decided(beta)
            && !is_decided(guess)
            && guess - tunables.reverse_futility_margin(depth, improving) >= beta
        {
            return Some(guess);
        }
        let passed_before = ply > 0 && self.frames[ply - 1].step.is_none();
        if depth >= tunables.null_move_depth()
            && self.prunes(Pruning::Medium)
            && guess >= beta
            && beta > -RULE_BOUND
            && !passed_before
            && self.position.has_pieces(self.position.side())
        {
            return self.pass(guess, beta, depth, ply);
        }
        None
    }

    /// Passes the turn: if the position still is too good, a move will be too.
    fn pass(&mut self, guess: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let reduced = depth - self.tunables().null_move_reduction(depth, guess - beta);
        self.frames[ply].step = None;
        self.nodes += 1;
        self.table.prefetch(self.position.key_after_null());
        self.position.make_null(&mut self.evaluator);
        let score = -self.search::<NullWindow>(-beta, 1 - beta, reduced, ply + 1, false);
        self.undo();
        let holds = score >= beta && !self.stopped;
        holds.then_some(if score >= RULE_BOUND { beta } else { score })
    }

    /// Plies by which to extend the hash move, which the table says is good: more if it is the only good one, less if
    /// it is not where a cutoff is near. The others are searched less deeply against a bound somewhat below its score.
    /// The idea is from Anantharaman, Campbell and Hsu, "Singular Extensions" (1990), in the form of Stockfish.
    pub fn hash_extension(&mut self, beta: Score, depth: i32, ply: usize, cut: bool, entry: Option<Entry>) -> i32 {
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
        self.frames[ply].excluded = Some(mv);
        let others = self.search::<NullWindow>(bar - 1, bar, (depth - 1) / 2, ply, cut);
        self.frames[ply].excluded = None;
        if others < bar {
            1
        } else if score >= beta {
            -tunables.singular_failed()
        } else if cut {
            -tunables.singular_cut()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::position::Position;
    use crate::search::limits::Limits;
    use crate::search::report::Ending;
    use crate::search::signals::Signals;
    use crate::search::team::Team;
    use crate::search::transposition::Table;
    use crate::search::worker::{Memory, Worker};

    /// Wherever a search is broken off, also while a move is left out to see what the others are worth.
    #[test]
    fn a_search_broken_off_leaves_nothing_behind() {
        let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let (mut memory, table, signals, team) = (Memory::new(), Table::new(1).unwrap(), Signals::new(), Team::new(1));
        for nodes in (10_000..30_000).step_by(777) {
            table.clear();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut report = |_| ();
            let mut worker = Worker::new(&position, &mut memory, &table, &signals, &limits, &mut report, (&team, 0));
            worker.find();
            assert_eq!(worker.ending, Ending::Nodes);
            assert_eq!(worker.position.to_fen(), fen);
            assert!(worker.frames.iter().all(|frame| frame.excluded.is_none()));
        }
    }
}
