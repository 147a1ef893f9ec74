//! Depth-first proof-number search (df-pn: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! 2002), with weak proof numbers (T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number search", 2008): of a
//! node whose children must all be solved, the greatest number of one of them and one for each other, as a sum counts
//! transpositions many times.
//!
//! A node asks for a mate in a number of moves, which falls along each line. So a proof is one whatever has been played, and
//! a disproof too: see the module above. Only where the number of moves is no bound, a position of the path that comes again
//! is no way to a mate, and what is disproven by that holds for the path alone (A. Kishimoto and M. Müller, "A general
//! solution to the graph history interaction problem", AAAI 2004).

use super::Attack;
use super::proof_table::{INFINITE, Numbers, ProofTable, Question, REPETITION};
use crate::position::Position;
use crate::types::Move;

/// Nodes between two questions whether to stop.
const STOP_NODES: u64 = 1024;

/// A move and what is known of the position after it.
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// One proof-number search.
pub(super) struct Prover<'a> {
    pub position: &'a mut Position,
    pub table: &'a mut ProofTable,
    pub is_stopped: &'a dyn Fn() -> bool,
    pub attack: Attack,
    /// The only moves tried at the root.
    pub root_moves: Option<&'a [Move]>,
    /// Whether positions of the path that come again are no way to a mate.
    pub judges_repetition: bool,
    /// Nodes visited, and their limit.
    pub nodes: u64,
    pub max_nodes: u64,
    /// The keys of the path.
    path: Vec<u64>,
    /// A hash of them.
    path_hash: u32,
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        position: &'a mut Position,
        table: &'a mut ProofTable,
        is_stopped: &'a dyn Fn() -> bool,
        attack: Attack,
        max_nodes: u64,
    ) -> Prover<'a> {
        Prover {
            position,
            table,
            is_stopped,
            attack,
            root_moves: None,
            judges_repetition: false,
            nodes: 0,
            max_nodes,
            path: Vec::new(),
            path_hash: 0,
        }
    }

    /// Searches for a mate by the side to move in at most this many of its moves.
    pub(super) fn prove(&mut self, moves: u8) -> Numbers {
        self.attack(moves, INFINITE, INFINITE)
    }

    /// Searches for a mate of the side to move, which has the other's king attacked in at most this many moves.
    pub(super) fn prove_defence(&mut self, moves: u8) -> Numbers {
        self.defend(moves, INFINITE, INFINITE)
    }

    /// Whether a limit or a stop ends the search.
    fn is_over(&self) -> bool {
        self.nodes >= self.max_nodes
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_NODES) && (self.is_stopped)() {
            self.max_nodes = self.nodes;
        }
    }

    fn question(&self, key: u64, moves: u8) -> Question {
        Question { key, moves, attack: self.attack }
    }

    /// The moves that are tried, with the keys of the positions after them.
    fn moves_to_try(&self, is_tried: impl Fn(&Self, Move) -> bool) -> Vec<(Move, u64)> {
        let list = self.position.legal_moves();
        let moves = list.iter().filter(|&mv| is_tried(self, mv)).map(|mv| {
            let key = self.position.key_after(mv);
            self.table.prefetch(key);
            (mv, key)
        });
        moves.collect()
    }

    /// The numbers of a child; `fresh` are those of one never seen.
    fn known(&mut self, key: u64, moves: u8, fresh: impl FnOnce(&mut Self) -> Numbers) -> Numbers {
        if self.judges_repetition && self.path.contains(&key) {
            return Numbers::REPEATED;
        }
        let path = self.path_hash ^ fold(self.position.key());
        match self.table.get(self.question(key, moves), path) {
            Some(numbers) => numbers,
            None => {
                let numbers = fresh(self);
                self.table.put(self.question(key, moves), path, numbers);
                numbers
            }
        }
    }

    /// Whether a move is one that the attacker tries.
    fn is_tried(&self, mv: Move) -> bool {
        let is_unwanted = self.path.is_empty() && self.root_moves.is_some_and(|moves| !moves.contains(&mv));
        !is_unwanted && (self.attack == Attack::All || self.position.gives_check(mv))
    }

    /// Keeps the numbers of the position, unless not all moves were tried.
    fn keep(&mut self, moves: u8, numbers: Numbers) {
        if !self.path.is_empty() || self.root_moves.is_none() {
            self.table.put(self.question(self.position.key(), moves), self.path_hash, numbers);
        }
    }

    /// Whether a move mates.
    fn mates(&mut self, mv: Move) -> bool {
        self.position.make(mv);
        let mates = self.position.has_no_moves();
        self.position.undo();
        mates
    }

    /// The number of legal replies to a move.
    fn replies(&mut self, mv: Move) -> u32 {
        self.position.make(mv);
        let replies = self.position.count_legal() as u32;
        self.position.undo();
        replies
    }

    fn enter(&mut self, mv: Move) {
        self.path.push(self.position.key());
        self.path_hash ^= fold(self.position.key());
        self.position.make(mv);
    }

    fn leave(&mut self) {
        self.position.undo();
        self.path.pop();
        self.path_hash ^= fold(self.position.key());
    }

    /// An OR node: the attacker, to move, has this many moves. Ends when its numbers reach the limits.
    fn attack(&mut self, moves: u8, max_pn: u32, max_dn: u32) -> Numbers {
        self.count_node();
        if moves == 1 {
            let mates = self.position.legal_moves().iter().any(|mv| self.is_tried(mv) && self.mates(mv));
            let numbers = if mates { Numbers::proven(1) } else { Numbers::DISPROVEN };
            self.keep(moves, numbers);
            return numbers;
        }
        let moves_to_try = self.moves_to_try(Self::is_tried);
        let mut children = Vec::with_capacity(moves_to_try.len());
        for (mv, key) in moves_to_try {
            let numbers = self.known(key, moves - 1, |this| match this.replies(mv) {
                0 => Numbers::proven(0),
                replies => Numbers::new(replies, 1),
            });
            children.push(Child { mv, numbers });
            if numbers.is_proven() {
                break;
            }
        }
        let numbers = loop {
            let numbers = numbers_of_attack(&children);
            if numbers.pn >= max_pn || numbers.dn >= max_dn || numbers.is_solved() || self.is_over() {
                break numbers;
            }
            let (best, second) = two_least(&children, |numbers| numbers.pn);
            let others = children.iter().filter(|child| !child.numbers.is_disproven()).count() as u32 - 1;
            let child_pn = max_pn.min(second.saturating_add(second / 2).saturating_add(4));
            let child_dn = if max_dn >= INFINITE { INFINITE } else { max_dn - others };
            self.enter(children[best].mv);
            children[best].numbers = self.defend(moves - 1, child_pn, child_dn);
            self.leave();
        };
        self.keep(moves, numbers);
        numbers
    }

    /// An AND node: the defender is to move, and the attacker has this many moves.
    fn defend(&mut self, moves: u8, max_pn: u32, max_dn: u32) -> Numbers {
        self.count_node();
        if moves == 0 {
            return if self.position.has_no_moves() { Numbers::proven(0) } else { Numbers::DISPROVEN };
        }
        let mut children = Vec::new();
        for (mv, key) in self.moves_to_try(|_, _| true) {
            let numbers = self.known(key, moves, |_| Numbers::new(1, 1));
            children.push(Child { mv, numbers });
            if numbers.is_disproven() {
                break;
            }
        }
        let numbers = loop {
            let numbers = numbers_of_defence(&children);
            if numbers.pn >= max_pn || numbers.dn >= max_dn || numbers.is_solved() || self.is_over() {
                break numbers;
            }
            let (best, second) = two_least(&children, |numbers| numbers.dn);
            let others = children.iter().filter(|child| !child.numbers.is_proven()).count() as u32 - 1;
            let child_dn = max_dn.min(second.saturating_add(second / 2).saturating_add(2));
            let child_pn = if max_pn >= INFINITE { INFINITE } else { max_pn - others };
            self.enter(children[best].mv);
            children[best].numbers = self.attack(moves, child_pn, child_dn);
            self.leave();
        };
        self.keep(moves, numbers);
        numbers
    }
}

/// The numbers of an OR node: one child must be proven, or all disproven.
fn numbers_of_attack(children: &[Child]) -> Numbers {
    let proven = children.iter().filter(|child| child.numbers.is_proven());
    if let Some(length) = proven.map(|child| child.numbers.length).min() {
        return Numbers::proven(length + 1);
    }
    let pn = children.iter().map(|child| child.numbers.pn).min().unwrap_or(INFINITE);
    Numbers::new(pn, weak_sum(children.iter().map(|child| child.numbers.dn)))
}

/// The numbers of an AND node: all children must be proven, or one disproven. Without children it is mate, or stalemate.
fn numbers_of_defence(children: &[Child]) -> Numbers {
    if children.iter().all(|child| child.numbers.is_proven()) {
        return Numbers::proven(children.iter().map(|child| child.numbers.length).max().unwrap_or(0));
    }
    if children.iter().any(|child| child.numbers == Numbers::DISPROVEN) {
        return Numbers::DISPROVEN;
    }
    if children.iter().any(|child| child.numbers.is_disproven()) {
        return Numbers::REPEATED;
    }
    let dn = children.iter().map(|child| child.numbers.dn).min().unwrap_or(0);
    Numbers::new(weak_sum(children.iter().map(|child| child.numbers.pn)), dn)
}

/// The greatest of the numbers that are not 0, and one for each other.
fn weak_sum(numbers: impl Iterator<Item = u32>) -> u32 {
    let (greatest, count) = numbers
        .filter(|&number| number > 0)
        .fold((0, 0), |(greatest, count): (u32, u32), number| (greatest.max(number), count + 1));
    (greatest + count.saturating_sub(1)).min(REPETITION - 1)
}

/// The place of the child with the least number, and the second least number.
fn two_least(children: &[Child], number: impl Fn(Numbers) -> u32) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
    for (place, child) in children.iter().enumerate() {
        let number = number(child.numbers);
        if number < least {
            (best, least, second) = (place, number, least);
        } else {
            second = second.min(number);
        }
    }
    (best, second.min(INFINITE))
}

/// The part of a key in the hash of a path.
fn fold(key: u64) -> u32 {
    (key ^ key >> 29) as u32
}
