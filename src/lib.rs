//! ChuHe (楚河): a xiangqi engine.

pub mod position;
pub mod tables;
pub mod tools;
pub mod types;
