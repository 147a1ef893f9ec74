//! Texts for the user (L6): values of the lower layers in words, English or Chinese.

pub(crate) mod board;
#[cfg(feature = "engine")]
pub(crate) mod columns;
pub(crate) mod count;
#[cfg(feature = "cli")]
pub(crate) mod date;
#[cfg(feature = "engine")]
pub(crate) mod evaluation;
#[cfg(feature = "cli")]
pub(crate) mod json;
pub(crate) mod language;
#[cfg(feature = "cli")]
pub(crate) mod messages;
pub(crate) mod move_class;
#[cfg(feature = "engine")]
pub(crate) mod score;
pub(crate) mod table_value;
pub(crate) mod units;
pub(crate) mod verdict;
