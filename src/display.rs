//! Text for the user (L6).
//!
//! | module | what it shows |
//! |---|---|
//! | [`board`] | the board, in FEN letters or Chinese characters |
//! | [`verdict`] | who won or why the game is drawn, in English or Chinese |

pub mod board;
pub mod verdict;
