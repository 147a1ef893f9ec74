//! Opening books: positions that were played or searched before, and how good the moves there are.
//!
//! | module | what it owns |
//! |---|---|
//! | [`dat`] | ElephantEye's format: reading it safely, finding positions, writing it |
//! | [`text`] | books as text |
//! | [`builder`] | books made of games |
//! | [`cloud`] | a book on a server far away |

pub mod builder;
pub mod cloud;
pub mod dat;
pub mod text;

use crate::types::Move;

/// A move that a book knows in some position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it is played, relative to the others there; at least 1.
    pub weight: u16,
}
