//! A threat of one piece against another.

use crate::position::{PieceId, Position};
use crate::types::Move;

/// One piece threatening to capture another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Threat {
    /// The piece that threatens.
    pub by: PieceId,
    /// The piece that is threatened.
    pub of: PieceId,
}

impl Threat {
    /// The threatened capture.
    pub(crate) fn capture(&self, position: &Position) -> Move {
        Move::new(position.square_of(self.by), position.square_of(self.of))
    }
}
