//! The Chinese Xiangqi Association's rules of repetition (edition of 2020).
mod class;
mod gain;
mod material;
mod search;
mod verdict;

pub use class::{Chase, Class, Idle, Manner};
pub use verdict::{ChineseVerdict, ClassifiedMove, Reason, classify_moves, judge_cycle};
