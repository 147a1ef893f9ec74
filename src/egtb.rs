//! Endgame tables (L3): the value of every position of a material class.
//!
//! | module | content |
//! |---|---|
//! | [`material`] | material classes |
//! | [`index`] | the order of the positions of a class |
//! | `board` | a small board with moves backwards |
//! | [`generate`] | retrograde analysis |
//! | [`statistics`] | what share of a class is won |
//! | [`value`] | the value of a position |

mod board;
pub mod generate;
pub mod index;
pub mod material;
pub mod statistics;
pub mod value;
