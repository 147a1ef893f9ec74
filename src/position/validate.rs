//! Consistency check of the redundant board representation.

use super::mailbox::Cell;
use super::{PARTS, Position, part_of};
use crate::tables::slides::{file_bit, rank_bit};
use crate::tables::zobrist;
use crate::types::{Color, Square};

impl Position {
    /// With the feature `validate`, panics if [`Position::validate`] finds an inconsistency. Runs after every make and undo.
    #[inline]
    pub(super) fn check(&self) {
        #[cfg(feature = "validate")]
        assert_eq!(self.validate(), Ok(()), "{:?}", self.undo.last().map(|undo| undo.mv));
    }

    /// Compares mailbox, piece list, piece sets, bit-ranks, bit-files and Zobrist key.
    ///
    /// # Errors
    /// A description of the first inconsistency.
    pub fn validate(&self) -> Result<(), String> {
        let mut ranks = [0u16; 16];
        let mut files = [0u16; 16];
        let mut pieces = [0u64; 2];
        let mut key = if self.side == Color::Black { zobrist::side() } else { 0 };
        let mut part_keys = [0; PARTS];
        for raw in 0..=255 {
            let square = Square::from_raw(raw);
            let cell = self.cells.at(square);
            if !square.is_on_board() {
                if cell != Cell::BORDER {
                    return Err(format!("border {raw:#x} holds {cell:?}"));
                }
                continue;
            }
            if cell.is_empty() {
                continue;
            }
            let Some(piece) = cell.piece() else { return Err(format!("{square} holds {cell:?}")) };
            if self.squares[cell.index()] != square {
                return Err(format!("the piece list has {piece:?} of {square} on {}", self.squares[cell.index()]));
            }
            ranks[square.row()] |= rank_bit(square);
            files[square.column()] |= file_bit(square);
            pieces[piece.color().index()] |= cell.bit();
            key ^= zobrist::piece(piece, square);
            part_keys[part_of(piece)] ^= zobrist::piece(piece, square) as u32;
        }
        if ranks != self.ranks || files != self.files {
            return Err("bit-ranks or bit-files differ from the mailbox".into());
        }
        if pieces != self.pieces {
            return Err("piece sets differ from the mailbox".into());
        }
        if key != self.state.key || part_keys != self.state.part_keys {
            return Err("the key differs from the mailbox".into());
        }
        for color in Color::ALL {
            if pieces[color.index()] & Cell::king(color).bit() == 0 {
                return Err(format!("{color} has no king"));
            }
        }
        Ok(())
    }
}
