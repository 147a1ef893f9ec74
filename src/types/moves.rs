//! A move: from one square to another.

use super::Square;
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;
use thiserror::Error;

/// A move, `from | to << 8` as in ElephantEye's books.
///
/// Square 0 is off the board, so no move is zero and `Option<Move>` takes two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move from `from` to `to`, both on the board.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        match Move::from_bits(from.raw() as u16 | (to.raw() as u16) << 8) {
            Some(mv) => mv,
            None => panic!("invariant: squares on the board are not zero"),
        }
    }

    /// The move with these bits; `None` for zero.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// `from | to << 8`.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square the piece moves from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_raw(self.0.get() as u8)
    }

    /// The square the piece moves to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_raw((self.0.get() >> 8) as u8)
    }

    /// The left-right mirror image.
    pub const fn mirrored(self) -> Move {
        Move::new(self.from().mirrored(), self.to().mirrored())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a move: {0:?}")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads ICCS coordinates such as `h2e2`, in either case, with or without a hyphen (`H2-E2`).
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let error = || ParseMoveError(text.chars().take(16).collect());
        let (from, to) = match *text.as_bytes() {
            [a, b, c, d] | [a, b, b'-', c, d] => (Square::from_ascii(a, b), Square::from_ascii(c, d)),
            _ => return Err(error()),
        };
        Ok(Move::new(from.ok_or_else(error)?, to.ok_or_else(error)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_and_print_iccs() {
        let mv: Move = "b2e2".parse().unwrap();
        assert_eq!(mv.bits(), 0xA7A4);
        assert_eq!(mv.to_string(), "b2e2");
        assert_eq!("B2-E2".parse(), Ok(mv));
        assert_eq!(mv.mirrored().to_string(), "h2e2");
        assert_eq!(size_of::<Option<Move>>(), 2);
        for bad in ["", "b2", "b2e", "b2e2q", "j0a0", "a0a:", "b2+e2", "炮二平五"] {
            assert_eq!(bad.parse::<Move>(), Err(ParseMoveError(bad.into())));
        }
    }
}
