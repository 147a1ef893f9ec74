//! Text for the user (L6): values of the lower layers written as lines.
//!
//! | module | what it shows |
//! |---|---|
//! | [`board`] | the board, in FEN letters or Chinese characters |
//! | [`count`] | numbers with a noun |
//! | [`evaluation`] | the terms of the static evaluation |
//! | `messages` | errors and notices, in English or Chinese |
//! | [`table_value`] | values of endgame tables, in English or Chinese |
//! | [`verdict`] | who won or why the game is drawn, in English or Chinese |

pub mod board;
pub mod count;
pub mod evaluation;
#[cfg(feature = "cli")]
pub mod messages;
pub mod table_value;
pub mod verdict;
