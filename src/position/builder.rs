//! Setting up a position piece by piece, and the symmetries of the board.

use super::{MAX_PIECES_OF_SIDE, MAX_QUIET_PLIES, Position, Variant};
use crate::tables::zobrist;
use crate::types::{Color, Piece, PieceType, Square};
use thiserror::Error;

/// A position being set up: any arrangement of pieces, legal or not. [`PositionBuilder::build`] checks it.
///
/// ```
/// use chuhe::position::PositionBuilder;
/// use chuhe::types::{Color, Piece, PieceType, Square};
///
/// let mut builder = PositionBuilder::new();
/// builder.set(Square::new(4, 0), Some(Piece::new(Color::Red, PieceType::King)));
/// builder.set(Square::new(3, 9), Some(Piece::new(Color::Black, PieceType::King)));
/// builder.set(Square::new(0, 5), Some(Piece::new(Color::Red, PieceType::Rook)));
/// let position = builder.build().unwrap();
/// assert_eq!(position.to_fen(), "3k5/9/9/9/R8/9/9/9/9/4K4 w - - 0 1");
/// assert_eq!(position.mirrored().to_fen(), "5k3/9/9/9/8R/9/9/9/9/4K4 w - - 0 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionBuilder {
    board: [Option<Piece>; 256],
    side: Color,
    quiet_plies: u32,
    move_number: u32,
    variant: Variant,
}

/// Why an arrangement of pieces is not a playable position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has two kings.
    #[error("{0} has more than one king")]
    TwoKings(Color),
    /// A king stands outside its palace.
    #[error("the {0} king on {1} is outside its palace")]
    KingOutsidePalace(Color, Square),
    /// A side has more than eight pieces of one type.
    #[error("{0} has more than 8 pieces of type {1:?}")]
    TooManyOfOneType(Color, PieceType),
    /// A side has more than sixteen pieces.
    #[error("{0} has {1} pieces, more than 16")]
    TooManyPieces(Color, u32),
    /// The kings stand on one file with nothing between them.
    #[error("the kings face each other")]
    KingsFace,
    /// The king of the side not to move could be captured.
    #[error("{0} is in check and it is the other side's turn")]
    SideNotToMoveInCheck(Color),
}

impl PositionBuilder {
    /// An empty board, Red to move, move 1.
    pub fn new() -> PositionBuilder {
        PositionBuilder {
            board: [None; 256],
            side: Color::Red,
            quiet_plies: 0,
            move_number: 1,
            variant: Variant::Standard,
        }
    }

    /// Puts a piece on a square of the board, or empties it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) -> &mut Self {
        self.board[square.index()] = piece;
        self
    }

    /// What is on a square of the board.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Sets the side to move.
    pub fn side_to_move(&mut self, side: Color) -> &mut Self {
        self.side = side;
        self
    }

    /// Sets the plies since the last capture or promotion (halfmove clock).
    pub fn quiet_plies(&mut self, plies: u32) -> &mut Self {
        self.quiet_plies = plies;
        self
    }

    /// Sets the number of the next move, from 1.
    pub fn move_number(&mut self, number: u32) -> &mut Self {
        self.move_number = number;
        self
    }

    /// The same with files mirrored (file a becomes file i).
    pub fn mirrored(&self) -> PositionBuilder {
        let mut mirrored = self.clone();
        Square::all().for_each(|square| mirrored.board[square.mirrored().index()] = self.board[square.index()]);
        mirrored
    }

    /// The same with colors exchanged: ranks mirrored, every piece of the other color, the other side to move.
    pub fn color_flipped(&self) -> PositionBuilder {
        let mut flipped = PositionBuilder { side: !self.side, ..self.clone() };
        for square in Square::all() {
            let piece = self.board[square.index()];
            flipped.board[square.flipped().index()] = piece.map(|piece| Piece::new(!piece.color(), piece.piece_type()));
        }
        flipped
    }

    /// The position, without history.
    ///
    /// # Errors
    /// If the position is not playable: see [`SetupError`].
    pub fn build(&self) -> Result<Position, SetupError> {
        let mut position = self.assemble()?;
        for color in Color::ALL {
            match position.count(color, PieceType::King) {
                0 => return Err(SetupError::NoKing(color)),
                1 => {}
                _ => return Err(SetupError::TwoKings(color)),
            }
            let king = position.king(color);
            if !king.is_in_palace() || (king.rank() < 5) != (color == Color::Red) {
                return Err(SetupError::KingOutsidePalace(color, king));
            }
            let pieces = position.piece_set(color).count_ones();
            if pieces > MAX_PIECES_OF_SIDE {
                return Err(SetupError::TooManyPieces(color, pieces));
            }
        }
        if position.kings_face() {
            return Err(SetupError::KingsFace);
        }
        position.update_checks();
        if position.is_king_attacked(!position.side) {
            return Err(SetupError::SideNotToMoveInCheck(!position.side));
        }
        position.check();
        Ok(position)
    }

    /// The position, playable or not, without checkers and blockers.
    fn assemble(&self) -> Result<Position, SetupError> {
        let mut position = Position::empty();
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                let put = position.put_piece(piece, square);
                put.ok_or(SetupError::TooManyOfOneType(piece.color(), piece.piece_type()))?;
            }
        }
        position.variant = self.variant;
        position.side = self.side;
        if self.side == Color::Black {
            position.state.key ^= zobrist::side();
        }
        position.state.quiet_plies = self.quiet_plies.min(MAX_QUIET_PLIES.into()) as u16;
        position.first_number = self.move_number.max(1);
        position.first_side = self.side;
        Ok(position)
    }
}

impl Default for PositionBuilder {
    fn default() -> Self {
        Self::new()
    }
}

/// The same position, without its history.
impl From<&Position> for PositionBuilder {
    fn from(position: &Position) -> PositionBuilder {
        let mut builder = PositionBuilder {
            side: position.side,
            quiet_plies: position.quiet_plies(),
            move_number: position.move_number(),
            variant: position.variant,
            ..PositionBuilder::new()
        };
        for (piece, square) in position.pieces() {
            builder.set(square, Some(piece));
        }
        builder
    }
}

impl Position {
    /// The position with files mirrored, without its history.
    pub fn mirrored(&self) -> Position {
        Position::rebuilt(&PositionBuilder::from(self).mirrored())
    }

    /// The position with colors exchanged (see [`PositionBuilder::color_flipped`]), without its history.
    pub fn color_flipped(&self) -> Position {
        Position::rebuilt(&PositionBuilder::from(self).color_flipped())
    }

    /// The position of a builder that came from another position.
    fn rebuilt(builder: &PositionBuilder) -> Position {
        let mut position = builder.assemble().expect("invariant: as many pieces as there were");
        position.update_checks();
        position
    }
}
