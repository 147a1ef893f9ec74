//! Root moves: multi-PV lines, excluded and banned moves, root noise, node effort.

use crate::types::Bound;

use super::limits::Limits;
use super::report::Line;
use super::settings::MAX_ROOT_NOISE;
use crate::position::Position;
use crate::types::score::is_decided;
use crate::types::{Move, Score};

/// A multi-PV line.
#[derive(Clone, Debug)]
pub(super) struct RootLine {
    /// Score including root noise, in engine units.
    pub noisy_score: Score,
    pub bound: Bound,
    /// Depth of the iteration that found the line, in plies: the last iteration until the present one reaches the line.
    pub depth: i32,
    pub pv: Vec<Move>,
}

impl RootLine {
    /// First move of the PV.
    pub(super) fn first_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

impl Default for RootLine {
    fn default() -> Self {
        RootLine { noisy_score: 0, bound: Bound::Exact, depth: 0, pv: Vec::new() }
    }
}

/// State of the root node.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Multi-PV lines, best first; at least one.
    pub lines: Vec<RootLine>,
    /// Index of the line being searched.
    pub current: usize,
    /// Banned root moves.
    pub banned: Vec<Move>,
    /// Random additions to the scores of root moves (option `randomness`), in engine units.
    pub root_noise: Vec<(Move, Score)>,
    /// The score of all root moves that are not banned, if the endgame tables have them as draws.
    drawn: Option<Score>,
    /// Nodes searched below each root move, in all iterations of this thread.
    effort: Vec<(Move, u64)>,
}

impl Root {
    /// The root of a search of `position`. Ignores the ban if it covers all legal moves.
    pub(super) fn new(position: &Position, limits: &Limits) -> Root {
        let legal = position.legal_moves();
        let mut banned: Vec<Move> = limits.banned.iter().copied().filter(|&mv| legal.contains(mv)).collect();
        if legal.iter().all(|mv| banned.contains(&mv)) {
            banned.clear();
        }
        // Bans moves that lose at once by repetition, unless no other is left. A move that allows mate has a lower
        // score, but the opponent must still find the mate.
        let losing: Vec<Move> = legal
            .iter()
            .filter(|mv| !banned.contains(mv))
            .filter(|&mv| limits.settings.rules.loses_by_repetition(position, mv))
            .collect();
        if legal.iter().any(|mv| !banned.contains(&mv) && !losing.contains(&mv)) {
            banned.extend(losing);
        }
        let noise = |&(mv, noise): &(Move, Score)| (mv, noise.clamp(-MAX_ROOT_NOISE, MAX_ROOT_NOISE));
        let root_noise = limits.settings.root_noise.iter().map(noise).collect();
        let drawn = limits.drawn_by_tables.then(|| limits.settings.draw_score());
        Root { lines: vec![RootLine::default()], current: 0, banned, root_noise, drawn, effort: Vec::new() }
    }

    /// Whether `mv` is excluded from the line being searched: banned, or first move of a better line (multi-PV).
    pub(super) fn is_excluded(&self, mv: Move) -> bool {
        self.banned.contains(&mv) || self.lines[..self.current].iter().any(|line| line.first_move() == Some(mv))
    }

    /// Adds `nodes` to the effort of the root move `mv`.
    pub(super) fn add_effort(&mut self, mv: Move, nodes: u64) {
        match self.effort.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, sum)) => *sum += nodes,
            None => self.effort.push((mv, nodes)),
        }
    }

    /// Sets the line being searched to `pv`, found in the iteration of `depth` plies.
    pub(super) fn update_pv(&mut self, depth: i32, noisy_score: Score, bound: Bound, pv: &[Move]) {
        let line = &mut self.lines[self.current];
        (line.depth, line.noisy_score, line.bound) = (depth, noisy_score, bound);
        pv.clone_into(&mut line.pv);
    }

    /// Node effort of the best move: its share of all nodes, from 0 to 1.
    pub(super) fn best_move_effort(&self) -> f64 {
        let all: u64 = self.effort.iter().map(|(_, nodes)| nodes).sum();
        let best = self.effort.iter().find(|(mv, _)| Some(*mv) == self.lines[0].first_move());
        best.map_or(0.0, |(_, nodes)| *nodes as f64 / all.max(1) as f64)
    }

    /// Whether no root move is excluded and there is no root noise.
    pub(super) fn is_unrestricted(&self) -> bool {
        self.banned.is_empty() && self.current == 0 && self.root_noise.is_empty()
    }

    /// Root noise of `mv`, in engine units.
    pub(super) fn noise(&self, mv: Move) -> Score {
        self.root_noise.iter().find(|(noise, _)| *noise == mv).map_or(0, |&(_, noisy_score)| noisy_score)
    }

    /// `line` as reported: the score without root noise, which decided scores do not include; or that of a draw by the tables.
    pub(super) fn line(&self, line: &RootLine) -> Line {
        let (depth, pv) = (line.depth as u32, line.pv.clone());
        if let Some(score) = self.drawn {
            return Line { score, bound: Bound::Exact, depth, pv };
        }
        let noise = line.first_move().filter(|_| !is_decided(line.noisy_score)).map_or(0, |mv| self.noise(mv));
        Line { score: line.noisy_score - noise, bound: line.bound, depth, pv }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves<const N: usize>(names: [&str; N]) -> [Move; N] {
        names.map(|name| name.parse().unwrap())
    }

    #[test]
    fn best_move_effort_is_its_share_of_all_root_nodes() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        assert_eq!(root.best_move_effort(), 0.0);
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.add_effort(one, 30);
        root.add_effort(other, 50);
        root.add_effort(one, 120);
        assert_eq!(root.best_move_effort(), 0.0, "there is no PV yet");
        root.update_pv(1, 7, Bound::Exact, &[one]);
        assert_eq!(root.best_move_effort(), 0.75);
        root.update_pv(1, 8, Bound::Exact, &[other, one]);
        assert_eq!(root.best_move_effort(), 0.25);
    }

    #[test]
    fn banned_moves_are_excluded_unless_all_are_banned() {
        // Red has two legal moves.
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").unwrap();
        let [up, right, none] = moves(["e0e1", "e0f0", "a0a9"]);
        let root = |banned: &[Move]| Root::new(&position, &Limits { banned: banned.to_vec(), ..Limits::default() });
        assert_eq!(root(&[right, none]).banned, [right]);
        assert!(root(&[right]).is_excluded(right) && !root(&[right]).is_excluded(up));
        assert!(root(&[up, right]).banned.is_empty());
        // The check completes a perpetual check, so it is banned too. One of the other banned moves is listed twice.
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/R8/9/5K3 w").unwrap();
        for mv in moves(["a2d2", "d9e9", "d2e2", "e9d9", "e2d2", "d9e9", "d2e2", "e9d9"]) {
            position.make(mv);
        }
        let [check, quiet] = moves(["e2d2", "e2a2"]);
        let mut banned: Vec<Move> = position.legal_moves().iter().filter(|&mv| mv != check && mv != quiet).collect();
        banned.push(banned[0]);
        let root = Root::new(&position, &Limits { banned, ..Limits::default() });
        assert!(root.is_excluded(check) && !root.is_excluded(quiet));
    }

    #[test]
    fn first_moves_of_better_lines_are_excluded() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.update_pv(1, 7, Bound::Exact, &[one]);
        assert!(root.is_unrestricted() && !root.is_excluded(one));
        root.lines.push(RootLine::default());
        root.current = 1;
        assert!(!root.is_unrestricted() && root.is_excluded(one) && !root.is_excluded(other));
    }

    #[test]
    fn reported_scores_do_not_include_root_noise() {
        let mut root = Root::new(&Position::start(), &Limits::default());
        let [one, other] = moves(["h2e2", "b2e2"]);
        root.root_noise = vec![(one, 5)];
        let score = |mv: Move, noisy_score| {
            root.line(&RootLine { noisy_score, bound: Bound::Exact, depth: 1, pv: vec![mv] }).score
        };
        assert_eq!((score(one, 12), score(other, 12)), (7, 12));
        let mate = crate::types::score::mate_in(3);
        assert_eq!(score(one, mate), mate);
    }
}
