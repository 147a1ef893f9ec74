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

/// How far a position agrees with a forward search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchCheck {
    /// The search saw the mate of the table, or none in all plies asked for.
    Agrees,
    /// The nodes were used up before.
    Unfinished,
    /// The search saw another mate, or none where the table has one.
    Fault(Fault),
}

/// Checks a position of a table against a forward search of at most `plies` plies and `nodes` nodes.
pub fn check_by_search(
    found: Option<EndgameValue>,
    position: &mut Position,
    search: &mut ForwardSearch,
    plies: u32,
    mut nodes: u64,
) -> SearchCheck {
    for plies in 0..=plies {
        let Some(seen) = search.is_mate_within(position, plies, &mut nodes) else { return SearchCheck::Unfinished };
        let expected = if plies.is_multiple_of(2) { EndgameValue::Loss(plies) } else { EndgameValue::Win(plies) };
        if seen != (found == Some(expected)) {
            return SearchCheck::Fault(Fault { fen: position.to_fen(), found, expected: seen.then_some(expected) });
        }
        if seen {
            break;
        }
    }
    SearchCheck::Agrees
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
