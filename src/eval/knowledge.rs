//! Grades of evaluation knowledge.

/// Which evaluation is used; each grade has more knowledge than the one before (the UCCI option `knowledge`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knowledge {
    /// Material only.
    None,
    /// Piece-square tables (PSQT), which include material.
    Small,
    /// Classical evaluation: piece-square tables, mobility, threats, king safety; no winning score without attacking
    /// pieces.
    Medium,
    /// Piece-square tables and a neural network (NNUE); no winning score without attacking pieces.
    #[default]
    Large,
}

impl Knowledge {
    /// All grades, in ascending order.
    pub const ALL: [Knowledge; 4] = [Knowledge::None, Knowledge::Small, Knowledge::Medium, Knowledge::Large];
}
