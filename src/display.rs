//! Text and pictures for the user (L6): values of the lower layers written as lines, SVG, PNG and HTML.
//!
//! | module | what it shows |
//! |---|---|
//! | [`board`] | the board, in FEN letters or Chinese characters |
//! | [`columns`] | texts in columns |
//! | [`count`] | numbers with a noun |
//! | `move_class` | the classes of the moves of a cycle by the Chinese rules |
//! | `date` | dates of games |
//! | `diagram` | the board as shapes, and as SVG |
//! | [`evaluation`] | the terms of the static evaluation |
//! | `glyphs` | outlines of the characters on diagrams |
//! | `json` | scores as JSON |
//! | [`language`] | English or Chinese, and the names of sides and pieces |
//! | `messages` | errors and notices, in English or Chinese |
//! | `page` | reviews of games as a page for browsers |
//! | `png` | the board as PNG |
//! | `score` | scores |
//! | `shape` | shapes of a picture, and their SVG |
//! | [`table_value`] | values of endgame tables, in English or Chinese |
//! | [`verdict`] | who won or why the game is drawn, in English or Chinese |

pub(crate) mod board;
#[cfg(feature = "engine")]
pub(crate) mod columns;
pub(crate) mod count;
#[cfg(feature = "cli")]
pub(crate) mod date;
#[cfg(feature = "cli")]
pub(crate) mod diagram;
#[cfg(feature = "engine")]
pub(crate) mod evaluation;
#[cfg(feature = "cli")]
mod glyphs;
#[cfg(feature = "cli")]
pub(crate) mod json;
pub(crate) mod language;
#[cfg(feature = "cli")]
pub(crate) mod messages;
pub(crate) mod move_class;
#[cfg(feature = "cli")]
pub(crate) mod page;
#[cfg(feature = "png")]
pub(crate) mod png;
#[cfg(feature = "engine")]
pub(crate) mod score;
#[cfg(feature = "cli")]
mod shape;
pub(crate) mod table_value;
pub(crate) mod verdict;
