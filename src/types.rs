//! Basic types (L0): squares, pieces, moves, move lists, scores and bounds.

mod bound;
mod move_list;
mod moves;
mod piece;
mod piece_square;
pub mod score;
mod square;

pub use bound::Bound;
pub use move_list::MoveList;
pub(crate) use move_list::Writer;
pub use moves::{Move, ParseMoveError};
pub use piece::{Color, Piece, PieceType};
pub use piece_square::PieceSquare;
pub use score::{MAX_PLY, Score};
pub use square::Square;
