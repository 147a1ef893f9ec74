//! Words (L0): squares, men, moves, scores and the list of moves. They know nothing of each other's use.

mod list;
mod moves;
mod piece;
pub mod score;
mod square;

pub use list::MoveList;
pub(crate) use list::Writer;
pub use moves::{Move, ParseMoveError};
pub use piece::{Color, Kind, Piece};
pub use score::{MAX_PLY, Score};
pub use square::Square;
