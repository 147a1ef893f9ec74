//! Checking a table: every position against those that its moves lead to, with the engine's own move generator.

use super::file::TableFile;
use super::index::Indexer;
use super::tables::Tables;
use super::value::EndgameValue;
use crate::position::{Position, PositionBuilder};
use crate::types::{Color, Piece};
use std::ops::Range;

/// A position with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position.
    pub fen: String,
    /// Its value in the table; `None` if the block is damaged.
    pub found: Option<EndgameValue>,
    /// The value that its moves give; `None` if a position after a move is in no table.
    pub expected: Option<EndgameValue>,
}

/// Checks the positions `range` of a table, with either side to move: the value of each must follow from the values
/// after its moves, which are looked up in `tables`. Returns the number of positions checked and the first fault.
pub fn check_positions(table: &TableFile, tables: &Tables, range: Range<usize>) -> (u64, Option<Fault>) {
    let mut checked = 0;
    for index in range {
        for side in Color::ALL {
            let Some(position) = position_of(table.indexer(), index, side) else { continue };
            checked += 1;
            let found = table.value(index, side);
            let moves = tables.probe_moves(&position);
            let expected = moves.map(|moves| moves.first().map_or(EndgameValue::Loss(0), |(_, probe)| probe.value));
            if found.is_none() || found != expected {
                return (checked, Some(Fault { fen: position.to_fen(), found, expected }));
            }
        }
    }
    (checked, None)
}

/// A numbered position of a class; `None` if it is impossible.
pub fn position_of(indexer: &Indexer, index: usize, side: Color) -> Option<Position> {
    let squares = indexer.squares(index);
    let mut builder = PositionBuilder::new();
    for ((color, kind), square) in indexer.kinds().zip(squares) {
        if builder.piece_at(square).is_some() {
            return None;
        }
        builder.set(square, Some(Piece::new(color, kind)));
    }
    builder.side_to_move(side);
    builder.build().ok()
}
