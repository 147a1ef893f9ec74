//! What the command line offers besides playing (L6).

pub mod perft;
