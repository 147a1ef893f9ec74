//! ChuHe (楚河): a xiangqi engine.

pub mod eval;
pub mod position;
pub mod rules;
pub mod search;
pub mod tables;
pub mod tools;
pub mod types;
