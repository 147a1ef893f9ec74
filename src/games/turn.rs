//! Which side has the first move of a record. Programs write the field that says it wrongly; the first move does not err.

use super::record::Note;
use crate::position::{FenError, Position, PositionBuilder, SetupError};
use crate::types::{Color, Square};

/// Whether these are the pieces of the start position, from which Red begins.
fn is_standard(builder: &PositionBuilder) -> bool {
    let start = Position::start();
    Square::all().all(|square| builder.piece_at(square) == start.piece_at(square))
}

/// The start position of a record whose field says that `said` is to move and whose first move is one of `mover`, and a
/// note if it is not `said`: the side of the first move, else the only one with which the position is legal, else `said`.
///
/// # Errors
/// When the position is legal with neither side to move.
pub(super) fn start(
    builder: &mut PositionBuilder,
    said: Color,
    mover: Option<Color>,
) -> Result<(Position, Option<Note>), SetupError> {
    let side = mover.filter(|&mover| mover == Color::Red || !is_standard(builder)).unwrap_or(said);
    let mut with = |side| builder.side_to_move(side).build();
    let position = with(side).or_else(|error| with(!side).map_err(|_| error))?;
    let note = (position.side() != said).then(|| Note::SideToMove(position.side()));
    Ok((position, note))
}

/// The same of a FEN.
///
/// # Errors
/// When it is malformed or its position illegal.
pub(super) fn of_fen(fen: &str) -> Result<(Position, Option<Note>), FenError> {
    let mut builder = PositionBuilder::from_fen(fen)?;
    let said = builder.side();
    Ok(start(&mut builder, said, None)?)
}

/// The position with the other side to move, if it is legal so and a record from it may begin so.
pub(super) fn other(position: &Position) -> Option<Position> {
    let mut builder = PositionBuilder::from(position);
    if position.side() == Color::Red && is_standard(&builder) {
        return None;
    }
    builder.side_to_move(!position.side()).build().ok()
}
