//! Text and pictures for the user (L6): values of the lower layers written as lines, SVG, PNG and HTML.

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
pub(crate) mod units;
pub(crate) mod verdict;
