//! Opening books: positions with the moves to play there, each with a weight (L3).
//!
//! | module | what it owns |
//! |---|---|
//! | [`dat`] | ElephantEye's format `BOOK.DAT`: validated reading, lookup, writing |
//! | [`text`] | the same books as text |
//! | [`builder`] | books made from game records |
//! | `ecco` | names of openings |
//! | [`cloud_query`] | the queries of the Xiangqi Cloud Database; its client is [`crate::engine::cloud`] |
//! | [`cloud_answer`] | its answers |

pub mod builder;
pub mod cloud_answer;
pub mod cloud_query;
pub mod dat;
#[cfg(feature = "cli")]
pub mod ecco;
pub mod text;

use crate::types::Move;

/// A move that a book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often to play it, relative to the other moves of the position; at least 1.
    pub weight: u16,
}
