//! Analysis of positions and games (L6).

pub(crate) mod answer;
pub mod answer_file;
pub(crate) mod criterion;
pub(crate) mod find;
pub(crate) mod opening_tree;
pub(crate) mod player_report;
pub(crate) mod positions;
pub(crate) mod puzzle;
pub(crate) mod review;
