//! Extensions: moves searched more deeply than the others of their node.

use super::node::{MoveInfo, NodeContext};
use super::worker::Worker;

impl Worker<'_> {
    /// The extension of a move just made, in plies: the singular or negative extension of the transposition table move,
    /// or the check extension, one ply for a move that gives check. None beyond twice the depth of the iteration.
    pub fn extension(&self, node: &NodeContext, move_info: &MoveInfo) -> i32 {
        let may_extend = node.ply < 2 * self.iteration as usize;
        match node.singular_extension {
            _ if !may_extend => 0,
            plies if plies != 0 && Some(move_info.mv) == node.tt_move => plies,
            _ => self.position.in_check() as i32,
        }
    }
}
