//! Positions from and to FEN (Forsyth–Edwards notation, as adapted to xiangqi).

use super::{Position, PositionBuilder, SetupError};
use crate::types::{Color, Piece, Square};
use std::fmt::{self, Write};
use thiserror::Error;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a FEN is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// There is no text.
    #[error("the FEN is empty")]
    Empty,
    /// The board does not have ten ranks.
    #[error("the number of ranks is {0} instead of 10")]
    RankCount(usize),
    /// A rank does not have nine files.
    #[error("rank {rank} ({text:?}): the number of files is {files} instead of 9")]
    FileCount {
        /// The rank, 9 to 0.
        rank: u8,
        /// The number of its files.
        files: usize,
        /// Its text.
        text: String,
    },
    /// A letter on the board that is not a piece.
    #[error("{0:?} on the board is neither a piece nor a number of empty squares")]
    Letter(char),
    /// The second field is not a side.
    #[error("the side to move is {0:?} instead of w, r, red, b or black")]
    Side(String),
    /// The pieces do not form a playable position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// The start position.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("invariant: the start position is well formed")
    }

    /// Reads a FEN: board, side to move, two unused fields, plies since the last capture (halfmove clock), move number.
    ///
    /// Accepts what clients and files contain if it can mean only one thing: the FEN in quotes; the side as a letter or
    /// a word (`w`, `r`, `b`, `red`, `black`, 红, 黑先, …), by default Red, also behind the unused fields or counters;
    /// any field but the board missing, also the unused ones alone (`board w 0 1`). Counters that cannot be read are 0
    /// and 1. Text after the sixth field, or from a field that begins with `;` on, is ignored.
    ///
    /// # Errors
    /// If the text is malformed or the position is not playable: see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(PositionBuilder::from_fen(fen)?.build()?)
    }

    /// The FEN of the position, with six fields.
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

    /// The number of the next move, as in a FEN: incremented after each move of Black.
    pub fn move_number(&self) -> u32 {
        let plies = self.plies() as u32 + (self.first_side == Color::Black) as u32;
        self.first_number.saturating_add(plies / 2)
    }
}

impl PositionBuilder {
    /// Reads a FEN as [`Position::from_fen`] does, whose position need not be legal.
    ///
    /// # Errors
    /// If the text is malformed.
    pub fn from_fen(fen: &str) -> Result<PositionBuilder, FenError> {
        let is_quote = |letter: char| matches!(letter, '"' | '\'' | '“' | '”' | '「' | '」');
        let mut fields =
            fen.split_whitespace().map(|field| field.trim_matches(is_quote)).filter(|field| !field.is_empty());
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut builder = PositionBuilder::new();
        read_board(board, &mut builder)?;
        let mut fields: Vec<&str> = fields.take_while(|field| !field.starts_with(';')).take(5).collect();
        let may_precede_side = |field: &&&str| **field == "-" || is_number(field);
        let side = fields.iter().take_while(may_precede_side).count();
        if side < fields.len() {
            let text = fields.remove(side);
            match read_side(text) {
                Some(color) => {
                    builder.side_to_move(color);
                }
                // Behind all other fields it is not the side but a comment.
                None if side >= 4 => {}
                None => return Err(FenError::Side(text.chars().take(16).collect())),
            }
        }
        let counters: Vec<&str> = match fields[..] {
            [one, two, ref counters @ ..] if !is_number(one) && !is_number(two) => counters.to_vec(),
            _ => fields.into_iter().filter(|field| *field != "-").collect(),
        };
        let counter = |index: usize| counters.get(index).and_then(|field| field.parse::<u32>().ok());
        builder.quiet_plies(counter(0).unwrap_or(0));
        builder.move_number(counter(1).unwrap_or(1));
        Ok(builder)
    }
}

/// The FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether a field is a number, in range or not.
fn is_number(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
}

/// The side to move that a field names.
fn read_side(field: &str) -> Option<Color> {
    match field.to_lowercase().trim_end_matches(['先', '走', '方']) {
        "w" | "r" | "red" | "white" | "红" | "紅" => Some(Color::Red),
        "b" | "black" | "黑" => Some(Color::Black),
        _ => None,
    }
}

/// Reads the ranks of a FEN, rank 9 first.
fn read_board(board: &str, builder: &mut PositionBuilder) -> Result<(), FenError> {
    let ranks = board.split('/').count();
    if ranks != Square::RANKS as usize {
        return Err(FenError::RankCount(ranks));
    }
    for (rank, text) in (0..Square::RANKS).rev().zip(board.split('/')) {
        let mut files = 0usize;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10).filter(|&digit| digit > 0) {
                files += digit as usize;
                continue;
            }
            let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
            let piece = piece.ok_or(FenError::Letter(letter))?;
            if files < Square::FILES as usize {
                builder.set(Square::new(files as u8, rank), Some(piece));
            }
            files += 1;
        }
        if files != Square::FILES as usize {
            return Err(FenError::FileCount { rank, files, text: text.chars().take(32).collect() });
        }
    }
    Ok(())
}
