//! The solution of a problem: the moves that mate in time, all defences, and the answers to them.

use super::{MAX_MOVES, MateLimits, MateSolver, MateVerdict};
use crate::position::Position;
use crate::types::Move;

/// Nodes for the length of a defence.
const LENGTH_NODES: u64 = 20_000;

/// Of a line whose mate is known.
const LINE_LIMITS: SolutionLimits =
    SolutionLimits { moves: None, nodes: 0, move_nodes: 50_000, all: false, answers: 0 };

/// How much a solution is to say.
#[derive(Clone, Copy, Debug)]
pub struct SolutionLimits {
    /// The mates in at most so many moves; `None`: those as short as the shortest.
    pub moves: Option<u8>,
    /// Nodes of the search for the shortest mate.
    pub nodes: u64,
    /// Nodes for each other move: whether it mates too.
    pub move_nodes: u64,
    /// Every move that mates and all defences, not one move and the longest defence.
    pub all: bool,
    /// Greatest number of answers; beyond them, only the longest defence goes on.
    pub answers: usize,
}

/// The solution of a position, for the side to move.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The shortest mate found.
    pub verdict: MateVerdict,
    /// The moves that mate in the moves asked for, the shortest first. More than one: the problem is cooked.
    pub keys: Vec<Attacking>,
    /// Moves of which it is not decided whether they are keys.
    pub undecided: Vec<Move>,
    /// What the move given as the solution does, if there is a mate.
    pub given: Option<Given>,
    /// The moves in which the keys mate.
    moves: u8,
}

impl Solution {
    /// The moves in which its keys mate: those asked for, or the shortest mate's.
    pub fn moves(&self) -> u8 {
        self.moves
    }
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// It mates in this many moves, itself included.
    Mates(u8),
    /// It does not mate in as many moves as the keys.
    DoesNotMate,
    /// It is not decided.
    Undecided,
}

/// A move of the attacker that mates.
#[derive(Clone, Debug)]
pub struct Attacking {
    /// The move.
    pub mv: Move,
    /// Moves to the mate, this one included.
    pub moves: u8,
    /// All legal replies, the longest defence first; none: it is mate. Of those beyond the limit, only the first has answers.
    pub replies: Vec<Defence>,
}

/// A reply of the defender.
#[derive(Clone, Debug)]
pub struct Defence {
    /// The reply.
    pub mv: Move,
    /// Moves to the mate after it.
    pub moves: u8,
    /// The moves that mate in time, the shortest first; more than one: there are duals.
    pub answers: Vec<Attacking>,
}

impl MateSolver {
    /// One of `among` that mates in at most `moves` moves, of which it is known that there is one.
    pub fn key(&mut self, position: &Position, among: &[Move], moves: u8) -> Option<Move> {
        let mut tree = Tree { solver: self, limits: &LINE_LIMITS, is_stopped: &|| false, left: 0 };
        let (keys, _) = tree.mating_moves(position, among.to_vec(), moves);
        keys.first().map(|&(mv, _)| mv)
    }

    /// A line of the mate in `moves` moves that begins with `mv`: the longest defences.
    pub fn line(&mut self, position: &Position, mv: Move, moves: u8) -> Vec<Move> {
        let mut tree = Tree { solver: self, limits: &LINE_LIMITS, is_stopped: &|| false, left: 0 };
        tree.attacking(position, mv, moves).line()
    }

    /// The solution of a problem; `given` is the move that is said to solve it.
    pub fn solution(
        &mut self,
        position: &Position,
        given: Option<Move>,
        limits: &SolutionLimits,
        is_stopped: &dyn Fn() -> bool,
    ) -> Solution {
        let moves = limits.moves.unwrap_or(MAX_MOVES);
        let verdict = self.solve(position, MateLimits { moves, nodes: limits.nodes, is_stopped });
        let mut solution = Solution { verdict, keys: Vec::new(), undecided: Vec::new(), given: None, moves: 0 };
        let Some(shortest) = verdict.mate else { return solution };
        let moves = limits.moves.unwrap_or(shortest);
        let mut tree = Tree { solver: self, limits, is_stopped, left: limits.answers };
        let (keys, undecided) = tree.mating_moves(position, position.legal_moves().iter().collect(), moves);
        solution.undecided = undecided;
        solution.keys = keys.into_iter().map(|(mv, moves)| tree.attacking(position, mv, moves)).collect();
        solution.given = given.map(|mv| match tree.mates_by(position, mv, moves) {
            Some(Some(moves)) => Given::Mates(moves),
            Some(None) => Given::DoesNotMate,
            None => Given::Undecided,
        });
        Solution { moves, ..solution }
    }
}

impl Attacking {
    /// The line of the longest defences.
    pub fn line(&self) -> Vec<Move> {
        let mut line = vec![self.mv];
        if let Some(reply) = self.replies.first() {
            line.push(reply.mv);
            line.extend(reply.answers.first().into_iter().flat_map(Attacking::line));
        }
        line
    }
}

/// Builds the tree of a solution.
struct Tree<'a> {
    solver: &'a mut MateSolver,
    limits: &'a SolutionLimits,
    is_stopped: &'a dyn Fn() -> bool,
    /// Answers that may still be shown.
    left: usize,
}

impl Tree<'_> {
    /// As [`MateSolver::mates_by`].
    fn mates_by(&mut self, position: &Position, mv: Move, moves: u8) -> Option<Option<u8>> {
        let limits = MateLimits { moves, nodes: self.limits.move_nodes, is_stopped: self.is_stopped };
        self.solver.mates_by(position, mv, limits)
    }

    /// The moves of these that mate in at most `moves` moves, the shortest first, and those not decided.
    fn mating_moves(
        &mut self,
        position: &Position,
        mut moves_to_try: Vec<Move>,
        moves: u8,
    ) -> (Vec<(Move, u8)>, Vec<Move>) {
        let (mut mating, mut undecided) = (Vec::new(), Vec::new());
        let is_known = |mv| self.solver.knows_mate(position.key_after(mv), moves - 1);
        moves_to_try.sort_by_key(|&mv| (!is_known(mv), !position.gives_check(mv)));
        for mv in moves_to_try {
            match self.mates_by(position, mv, moves) {
                Some(Some(moves)) => mating.push((mv, moves)),
                Some(None) => continue,
                None => undecided.push(mv),
            }
            if !self.limits.all && !mating.is_empty() {
                break;
            }
        }
        mating.sort_by_key(|&(_, moves)| moves);
        (mating, undecided)
    }

    /// A move that mates in `moves` moves, with what follows.
    fn attacking(&mut self, position: &Position, mv: Move, moves: u8) -> Attacking {
        let after = position.after(mv);
        let mut replies = Vec::new();
        for reply in after.legal_moves().iter() {
            let limits = MateLimits { moves: moves - 1, nodes: LENGTH_NODES, is_stopped: self.is_stopped };
            let verdict = self.solver.solve(&after.after(reply), limits);
            replies.push(Defence { mv: reply, moves: verdict.mate.unwrap_or(moves - 1), answers: Vec::new() });
        }
        replies.sort_by_key(|reply| std::cmp::Reverse(reply.moves));
        for (number, reply) in replies.iter_mut().enumerate() {
            if number > 0 && (!self.limits.all || self.left == 0) {
                break;
            }
            let position = after.after(reply.mv);
            let (answers, _) = self.mating_moves(&position, position.legal_moves().iter().collect(), moves - 1);
            self.left = self.left.saturating_sub(answers.len());
            // What follows a dual is not the author's.
            let answer = |(place, (mv, moves)): (usize, (Move, u8))| match place {
                0 => self.attacking(&position, mv, moves),
                _ => Attacking { mv, moves, replies: Vec::new() },
            };
            reply.answers = answers.into_iter().enumerate().map(answer).collect();
        }
        Attacking { mv, moves, replies }
    }
}
