//! Positions from and to FEN (Forsyth–Edwards notation, as adapted to xiangqi).

use super::Position;
use crate::types::{Color, Piece, PieceType, Square};
use std::fmt::Write;
use thiserror::Error;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Most men of one side: what the board's generation is built for.
const MAX_PIECES: u32 = 16;

/// Counters beyond this say no more: every limit has long been passed.
const MAX_QUIET_PLIES: u16 = 1_000;

/// Why a FEN is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// There is no text.
    #[error("the FEN is empty")]
    Empty,
    /// The board has not ten ranks.
    #[error("the board has {0} ranks instead of 10")]
    RankCount(usize),
    /// A rank has not nine files.
    #[error("rank {rank} ({text:?}) has {files} files instead of 9")]
    FileCount {
        /// The rank's number, 9 to 0.
        rank: u8,
        /// The files it has.
        files: usize,
        /// Its text.
        text: String,
    },
    /// A letter that stands for no man.
    #[error("{0:?} on the board is neither a man nor a number of empty squares")]
    Letter(char),
    /// The second field names no side.
    #[error("the side to move is {0:?} instead of w, r or b")]
    Side(String),
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has two kings.
    #[error("{0} has more than one king")]
    TwoKings(Color),
    /// A king stands outside its palace.
    #[error("the {0} king on {1} is outside its palace")]
    KingOutsidePalace(Color, Square),
    /// A side has more than eight men of one kind.
    #[error("{0} has more than 8 men {1:?}")]
    TooManyOfOneKind(Color, PieceType),
    /// A side has more than sixteen men.
    #[error("{0} has {1} men, more than 16")]
    TooManyMen(Color, u32),
    /// The side that has just moved left its king to be captured.
    #[error("{0} is in check and it is the other side's turn")]
    SideNotToMoveInCheck(Color),
}

impl Position {
    /// Reads a FEN: board, side, two unused fields, plies since the last capture, move number. Every field but the board
    /// may be missing, unreadable counters count as 0 and 1, and whatever follows the sixth field is ignored: clients
    /// send all of that.
    ///
    /// # Errors
    /// When no game could go on from there: see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut position = Position::empty();
        position.read_board(board)?;
        let side = match fields.next() {
            None | Some("w" | "r" | "W" | "R") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::Side(other.chars().take(16).collect())),
        };
        let mut counters = fields.skip(2).take(2).map(|field| field.parse::<u32>().ok());
        let quiet_plies = counters.next().flatten().unwrap_or(0);
        position.set_counters(side, quiet_plies, counters.next().flatten().unwrap_or(1));
        for color in Color::ALL {
            position.check_pieces(color)?;
        }
        if position.is_king_attacked(!position.side) {
            return Err(FenError::SideNotToMoveInCheck(!position.side));
        }
        position.update_checks();
        debug_assert_eq!(position.validate(), Ok(()));
        Ok(position)
    }

    /// The position with the sides exchanged: the board turned over, each man the other side's, and the other side to
    /// move. Its history is forgotten.
    pub fn color_flipped(&self) -> Position {
        let mut position = Position::empty();
        for (piece, square) in self.pieces() {
            let turned = Square::new(square.file(), Square::RANKS - 1 - square.rank());
            position
                .put_piece(Piece::new(!piece.color(), piece.piece_type()), turned)
                .expect("invariant: as many as there are");
        }
        position.variant = self.variant;
        position.set_counters(!self.side, self.quiet_plies(), self.move_number());
        position.update_checks();
        debug_assert_eq!(position.validate(), Ok(()));
        position
    }

    /// Sets what does not stand on the board.
    fn set_counters(&mut self, side: Color, quiet_plies: u32, number: u32) {
        self.side = side;
        if side == Color::Black {
            self.state.key ^= crate::tables::zobrist::side();
        }
        self.state.quiet_plies = quiet_plies.min(MAX_QUIET_PLIES as u32) as u16;
        self.first_number = number.max(1);
        self.first_side = side;
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        let rows = board.split('/').count();
        if rows != Square::RANKS as usize {
            return Err(FenError::RankCount(rows));
        }
        for (row, text) in board.split('/').enumerate() {
            let rank = Square::RANKS - 1 - row as u8;
            let mut files = 0usize;
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10).filter(|&digit| digit > 0) {
                    files += digit as usize;
                    continue;
                }
                let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
                let piece = piece.ok_or(FenError::Letter(letter))?;
                if files < Square::FILES as usize {
                    let square = Square::new(files as u8, rank);
                    self.put_piece(piece, square)
                        .ok_or(FenError::TooManyOfOneKind(piece.color(), piece.piece_type()))?;
                }
                files += 1;
            }
            if files != Square::FILES as usize {
                return Err(FenError::FileCount { rank, files, text: text.chars().take(32).collect() });
            }
        }
        Ok(())
    }

    fn check_pieces(&self, color: Color) -> Result<(), FenError> {
        match self.count(color, PieceType::King) {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            _ => return Err(FenError::TwoKings(color)),
        }
        let king = self.king(color);
        if !king.is_in_palace() || (king.rank() < 5) != (color == Color::Red) {
            return Err(FenError::KingOutsidePalace(color, king));
        }
        let pieces = self.pieces[color.index()].count_ones();
        if pieces > MAX_PIECES { Err(FenError::TooManyMen(color, pieces)) } else { Ok(()) }
    }

    /// The FEN of the position as it stands, six fields.
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        for rank in (0..Square::RANKS).rev() {
            let mut empty = 0;
            for file in 0..Square::FILES {
                match self.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            let _ = write!(fen, "{empty}");
                        }
                        empty = 0;
                        fen.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                let _ = write!(fen, "{empty}");
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        let side = if self.side == Color::Red { 'w' } else { 'b' };
        let _ = write!(fen, " {side} - - {} {}", self.quiet_plies(), self.move_number());
        fen
    }

    /// The number of the move to be made, as in a FEN: it grows after each of Black's moves.
    pub fn move_number(&self) -> u32 {
        let plies = self.plies() as u32 + (self.first_side == Color::Black) as u32;
        self.first_number.saturating_add(plies / 2)
    }
}
