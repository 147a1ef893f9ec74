//! Nodes of the search tree: their types, and the context of a node and of its moves.

use super::history::PreviousMoves;
use crate::types::{Move, Score};

/// Node types, as in Stockfish: known at compile time, so that each gets its own copy of the search.
pub trait NodeType {
    /// On the principal variation (PV): the window is open.
    const PV: bool;
    /// The root of the search tree.
    const ROOT: bool;
}

/// The root of the search tree.
pub struct RootNode;
/// A node of the principal variation (PV).
pub struct PvNode;
/// A node searched with a null window.
pub struct NonPvNode;

impl NodeType for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for PvNode {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPvNode {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// A node whose moves are about to be searched.
pub struct NodeContext {
    pub alpha: Score,
    pub beta: Score,
    /// Remaining depth, in plies.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Expected cut node: some move is expected to fail high.
    pub cut: bool,
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Improving: the static evaluation has risen, see [`Worker::is_improving`](super::worker::Worker::is_improving).
    pub improving: bool,
    /// Move of the transposition table.
    pub tt_move: Option<Move>,
    pub tt_capture: bool,
    /// ttPv: see [`StackEntry::was_pv`](super::stack::StackEntry::was_pv).
    pub was_pv: bool,
    /// Singular or negative extension of `tt_move`, in plies.
    pub singular_extension: i32,
    pub killers: [Option<Move>; 2],
    /// The previous moves, the keys of the continuation history.
    pub previous: PreviousMoves,
}

/// The next move of a node, before it is made.
pub struct MoveInfo {
    pub mv: Move,
    /// Its number among the moves of the node, from 1.
    pub count: usize,
    pub is_capture: bool,
    /// Late move reduction by depth and move number alone, in [`PLY`](super::tunables::PLY)ths.
    pub base_reduction: i32,
}
