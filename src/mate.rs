//! Mates (L4): forced ones found by proof-number search, in how many moves, the moves that begin them, and how they go on.
//!
//! A mate in N is one that the attacker forces with at most N of his moves, whatever the defender plays; stalemate is mate.
//! It needs no rule of repetition: where a position has a mate in few moves, the attacker plays that one, so that no position
//! comes twice, and no defence gains by a repetition. What was played before the position may still matter (its positions, the
//! move limit): whoever shows a mate lets the arbiter play it.

mod df_pn;
mod proof_table;
pub mod solution;

use crate::position::Position;
use crate::types::Move;
use df_pn::Prover;
use proof_table::{Numbers, ProofTable, Question};

/// Greatest number of moves of a mate that is looked for.
pub const MAX_MOVES: u8 = 60;
/// Nodes of the first try of each way to search; each round has twice as many.
const FIRST_NODES: u64 = 1 << 14;

/// Greatest number of moves that is searched without regard to repetitions.
const BOUNDING_MOVES: u8 = 8;

/// The moves with which the attacker mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attack {
    /// Any.
    All,
    /// Checks only. The defender has few replies, so these mates are found many moves deep.
    Checks,
}

/// What is known of the mates of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateVerdict {
    /// There is a mate in this many moves.
    pub mate: Option<u8>,
    /// There is no mate in this many moves.
    pub no_mate: u8,
}

impl MateVerdict {
    /// Whether no mate is shorter than the one found.
    pub fn is_shortest(&self) -> bool {
        self.mate == Some(self.no_mate + 1)
    }

    /// Whether more nodes can tell more of mates in at most `moves` moves.
    fn is_open(&self, moves: u8) -> bool {
        self.no_mate < self.mate.map_or(moves, |mate| mate - 1)
    }
}

/// Searches for mates; keeps what it has proven.
pub struct MateSolver {
    table: ProofTable,
    nodes: u64,
}

/// Where a search for mates ends.
#[derive(Clone, Copy)]
pub struct MateLimits<'a> {
    /// Greatest number of moves of a mate; at most [`MAX_MOVES`].
    pub moves: u8,
    /// Greatest number of nodes.
    pub nodes: u64,
    /// Asked every thousand nodes.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl MateSolver {
    /// A solver with this much memory for proofs; `None`: there is not so much.
    pub fn new(megabytes: usize) -> Option<MateSolver> {
        Some(MateSolver { table: ProofTable::new(megabytes)?, nodes: 0 })
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for the shortest mate of the side to move.
    pub fn solve(&mut self, position: &Position, limits: MateLimits) -> MateVerdict {
        Search::new(self, position, First::Any, limits).run()
    }

    /// Searches for the shortest mate that begins with one of these moves.
    pub fn solve_among(&mut self, position: &Position, moves: &[Move], limits: MateLimits) -> MateVerdict {
        Search::new(self, position, First::Among(moves), limits).run()
    }

    /// Whether this move mates in the moves of the limits, itself included: the moves of the mate found, which need not be the
    /// shortest. `None`: it is not decided.
    pub fn mates_by(&mut self, position: &Position, mv: Move, limits: MateLimits) -> Option<Option<u8>> {
        Search::new(self, position, First::Move(mv), limits).within()
    }

    /// Whether it is kept that the position of this key, the defender to move, is mated in at most `moves` moves.
    fn knows_mate(&self, key: u64, moves: u8) -> bool {
        self.table.get(Question { key, moves, attack: Attack::All }, 0).is_some_and(Numbers::is_proven)
    }
}

/// The first moves of the mates that are looked for.
enum First<'a> {
    Any,
    Among(&'a [Move]),
    Move(Move),
}

/// A search for mates of a position.
struct Search<'a> {
    solver: &'a mut MateSolver,
    position: Position,
    first: First<'a>,
    limits: MateLimits<'a>,
    /// The solver's nodes at which it ends.
    end: u64,
}

impl<'a> Search<'a> {
    fn new(solver: &'a mut MateSolver, position: &Position, first: First<'a>, limits: MateLimits<'a>) -> Search<'a> {
        let end = solver.nodes.saturating_add(limits.nodes);
        let limits = MateLimits { moves: limits.moves.min(MAX_MOVES), ..limits };
        Search { solver, position: position.without_history(), first, limits, end }
    }

    fn is_over(&self) -> bool {
        self.solver.nodes >= self.end || (self.limits.is_stopped)()
    }

    fn run(&mut self) -> MateVerdict {
        let max_moves = self.limits.moves;
        let mut verdict = MateVerdict { mate: None, no_mate: 0 };
        let (mut nodes, mut may_check) = (FIRST_NODES, true);
        while verdict.is_open(max_moves) && !self.is_over() {
            // From below, all moves: what is disproven has no mate so short.
            while verdict.is_open(max_moves) {
                let moves = verdict.no_mate + 1;
                let numbers = self.prove(Attack::All, moves, nodes);
                if numbers.is_proven() {
                    verdict.mate = Some(numbers.length);
                } else if numbers == Numbers::DISPROVEN {
                    verdict.no_mate = moves;
                } else {
                    break;
                }
            }
            // From above: checks, of which even many are few positions, then all moves.
            for attack in [Attack::Checks, Attack::All] {
                while verdict.is_open(max_moves) && (attack == Attack::All || may_check) && !self.is_over() {
                    let moves = verdict.mate.map_or(max_moves, |mate| mate - 1);
                    let numbers = self.prove(attack, moves, nodes);
                    if !numbers.is_proven() {
                        if numbers.is_disproven() && attack == Attack::Checks {
                            may_check = false;
                        } else if numbers == Numbers::DISPROVEN {
                            verdict.no_mate = moves;
                        }
                        break;
                    }
                    verdict.mate = Some(numbers.length);
                }
            }
            nodes = nodes.saturating_mul(2);
        }
        verdict
    }

    /// Whether there is a mate in the moves of the limits, and how long it is.
    fn within(&mut self) -> Option<Option<u8>> {
        let mut nodes = FIRST_NODES;
        while !self.is_over() {
            for attack in [Attack::Checks, Attack::All] {
                let numbers = self.prove(attack, self.limits.moves, nodes);
                if numbers.is_proven() {
                    return Some(Some(numbers.length));
                }
                if attack == Attack::All && numbers == Numbers::DISPROVEN {
                    return Some(None);
                }
            }
            nodes = nodes.saturating_mul(2);
        }
        None
    }

    /// Searches for a mate in at most this many moves. Its length counts the move with which it begins.
    fn prove(&mut self, attack: Attack, moves: u8, max_nodes: u64) -> Numbers {
        let MateSolver { table, nodes } = &mut *self.solver;
        let max_nodes = max_nodes.min(self.end.saturating_sub(*nodes));
        if let First::Move(mv) = self.first {
            self.position.make(mv);
        }
        let mut prover = Prover::new(&mut self.position, table, self.limits.is_stopped, attack, max_nodes);
        // So few moves are a bound that ends every line; with more, a line that repeats a position leads nowhere.
        prover.judges_repetition = moves > BOUNDING_MOVES;
        if let First::Among(moves) = self.first {
            prover.root_moves = Some(moves);
        }
        let numbers = match self.first {
            First::Move(_) => prover.prove_defence(moves - 1),
            _ => prover.prove(moves),
        };
        *nodes += prover.nodes.max(1);
        if !matches!(self.first, First::Move(_)) {
            return numbers;
        }
        self.position.undo();
        if numbers.is_proven() { Numbers::proven(numbers.length + 1) } else { numbers }
    }
}
