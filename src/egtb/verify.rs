//! Checking a table with the engine's own move generator: every position against those that its moves lead to, and some
//! against a plain forward search.

use super::file::TableFile;
use super::forward_search::ForwardSearch;
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
    /// The value that its moves give, or a search; `None` if a position after a move is in no table, or a search sees no
    /// mate within the number of plies of `found`.
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
            let agrees = match (found, expected) {
                // Greater ranks do no harm: see `perpetual_check`.
                (Some(EndgameValue::LossByRule(rank)), Some(EndgameValue::LossByRule(least)))
                | (Some(EndgameValue::WinByRule(rank)), Some(EndgameValue::WinByRule(least))) => rank >= least,
                (found, expected) => found.is_some() && found == expected,
            };
            if !agrees {
                return (checked, Some(Fault { fen: position.to_fen(), found, expected }));
            }
        }
    }
    (checked, None)
}

/// Checks a position of a table against a forward search of at most `plies` plies and `nodes` nodes: the search must see a
/// mate exactly where the table has one, as far as it gets.
pub fn check_by_search(
    table: &TableFile,
    search: &mut ForwardSearch,
    (index, side): (usize, Color),
    plies: u32,
    nodes: u64,
) -> Option<Fault> {
    let mut position = position_of(table.indexer(), index, side)?;
    let found = table.value(index, side);
    search.set_nodes(nodes);
    for plies in 0..=plies {
        let seen = search.is_mate_within(&mut position, plies)?;
        let expected = if plies.is_multiple_of(2) { EndgameValue::Loss(plies) } else { EndgameValue::Win(plies) };
        if seen != (found == Some(expected)) {
            let expected = seen.then_some(expected);
            return Some(Fault { fen: position.to_fen(), found, expected });
        }
        if seen {
            break;
        }
    }
    None
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
