//! The root of a search: the moves that take part, the best lines found, and what went into them.

use super::limits::Limits;
use super::report::{Bound, Line};
use crate::position::Position;
use crate::types::score::is_decided;
use crate::types::{Move, Score};

/// A line of the root.
#[derive(Clone, Debug)]
pub struct RootLine {
    /// Its score and what the searcher's whims add to it.
    pub worth: Score,
    pub bound: Bound,
    /// The iteration that found it, in plies: while one runs, lines it has not come to are of the one before.
    pub depth: i32,
    pub pv: Vec<Move>,
}

impl RootLine {
    /// Its first move.
    pub fn head(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

impl Default for RootLine {
    fn default() -> Self {
        RootLine { worth: 0, bound: Bound::Exact, depth: 0, pv: Vec::new() }
    }
}

/// What is known at the root.
#[derive(Clone, Debug)]
pub struct Root {
    /// The best lines, at least one, the best of all first.
    pub lines: Vec<RootLine>,
    /// Index of the one being searched.
    pub current: usize,
    /// Moves not to be played.
    pub banned: Vec<Move>,
    /// What moves are worth beyond their score.
    pub whims: Vec<(Move, Score)>,
    /// How many nodes went into each move.
    efforts: Vec<(Move, u64)>,
}

impl Root {
    /// The moves of `position` that `limits` leave.
    pub fn new(position: &Position, limits: &Limits) -> Root {
        let legal = position.legal_moves();
        let mut banned: Vec<Move> = limits.banned.iter().copied().filter(|&mv| legal.contains(mv)).collect();
        if legal.iter().all(|mv| banned.contains(&mv)) {
            banned.clear();
        }
        // What loses at once, by a repetition, is played only if there is nothing else. That is worse than its score says,
        // which is better than being mated in some moves: those the opponent would still have to find.
        let losing: Vec<Move> = legal
            .iter()
            .filter(|mv| !banned.contains(mv))
            .filter(|&mv| limits.conduct.rules.forbids(position, mv))
            .collect();
        if legal.iter().any(|mv| !banned.contains(&mv) && !losing.contains(&mv)) {
            banned.extend(losing);
        }
        let whims = limits.conduct.whims.clone();
        Root { lines: vec![RootLine::default()], current: 0, banned, whims, efforts: Vec::new() }
    }

    /// Whether `mv` has no part in the line being searched: it may not be played, or heads a better line.
    pub fn is_left_out(&self, mv: Move) -> bool {
        self.banned.contains(&mv) || self.lines[..self.current].iter().any(|line| line.head() == Some(mv))
    }

    /// So many more nodes went into `mv`.
    pub fn note_effort(&mut self, mv: Move, nodes: u64) {
        match self.efforts.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, sum)) => *sum += nodes,
            None => self.efforts.push((mv, nodes)),
        }
    }

    /// The line being searched is now `pv`, which this iteration found to be worth so much.
    pub fn note_line(&mut self, depth: i32, worth: Score, bound: Bound, pv: &[Move]) {
        let line = &mut self.lines[self.current];
        (line.depth, line.worth, line.bound) = (depth, worth, bound);
        pv.clone_into(&mut line.pv);
    }

    /// The share of all nodes that went into the best move.
    pub fn share_of_best(&self) -> f64 {
        let all: u64 = self.efforts.iter().map(|(_, nodes)| nodes).sum();
        let best = self.efforts.iter().find(|(mv, _)| Some(*mv) == self.lines[0].head());
        best.map_or(0.0, |(_, nodes)| *nodes as f64 / all.max(1) as f64)
    }

    /// Whether all moves take part, with their true scores.
    pub fn is_plain(&self) -> bool {
        self.banned.is_empty() && self.current == 0 && self.whims.is_empty()
    }

    /// What `mv` is worth beyond its score.
    pub fn whim(&self, mv: Move) -> Score {
        self.whims.iter().find(|(whim, _)| *whim == mv).map_or(0, |&(_, worth)| worth)
    }

    /// `line` with its true score.
    pub fn line(&self, line: &RootLine) -> Line {
        let whim = line.head().filter(|_| !is_decided(line.worth)).map_or(0, |mv| self.whim(mv));
        Line { score: line.worth - whim, bound: line.bound, depth: line.depth as u32, pv: line.pv.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves<const N: usize>(names: [&str; N]) -> [Move; N] {
        names.map(|name| name.parse().unwrap())
    }

    #[test]
    fn the_share_of_the_best_move_is_that_of_all_nodes_at_the_root() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        assert_eq!(root.share_of_best(), 0.0);
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.note_effort(one, 30);
        root.note_effort(other, 50);
        root.note_effort(one, 120);
        assert_eq!(root.share_of_best(), 0.0, "no line yet");
        root.note_line(1, 7, Bound::Exact, &[one]);
        assert_eq!(root.share_of_best(), 0.75);
        root.note_line(1, 8, Bound::Exact, &[other, one]);
        assert_eq!(root.share_of_best(), 0.25);
    }

    #[test]
    fn banned_moves_are_left_out_but_not_all_of_them() {
        // The king has two moves.
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").unwrap();
        let [up, right, none] = moves(["e0e1", "e0f0", "a0a9"]);
        let root = |banned: &[Move]| Root::new(&position, &Limits { banned: banned.to_vec(), ..Limits::default() });
        assert_eq!(root(&[right, none]).banned, [right]);
        assert!(root(&[right]).is_left_out(right) && !root(&[right]).is_left_out(up));
        assert!(root(&[up, right]).banned.is_empty());
        // The first move repeats the position for the third time and checks for ever: it is banned beside the others, one of
        // which is named twice.
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/R8/9/5K3 w").unwrap();
        for mv in moves(["a2d2", "d9e9", "d2e2", "e9d9", "e2d2", "d9e9", "d2e2", "e9d9"]) {
            position.make(mv, &mut ());
        }
        let [check, quiet] = moves(["e2d2", "e2a2"]);
        let mut banned: Vec<Move> = position.legal_moves().iter().filter(|&mv| mv != check && mv != quiet).collect();
        banned.push(banned[0]);
        let root = Root::new(&position, &Limits { banned, ..Limits::default() });
        assert!(root.is_left_out(check) && !root.is_left_out(quiet));
    }

    #[test]
    fn heads_of_better_lines_are_left_out() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.note_line(1, 7, Bound::Exact, &[one]);
        assert!(root.is_plain() && !root.is_left_out(one));
        root.lines.push(RootLine::default());
        root.current = 1;
        assert!(!root.is_plain() && root.is_left_out(one) && !root.is_left_out(other));
    }

    #[test]
    fn lines_are_told_without_whims() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.whims = vec![(one, 5)];
        let score = |mv: Move, worth| root.line(&RootLine { worth, bound: Bound::Exact, depth: 1, pv: vec![mv] }).score;
        assert_eq!((score(one, 12), score(other, 12)), (7, 12));
        let mate = crate::types::score::mate_in(3);
        assert_eq!(score(one, mate), mate);
    }
}
