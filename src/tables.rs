//! Geometry (L1): what moves reach on an empty or a given line, computed at compile time.
//!
//! | module | what it holds |
//! |---|---|
//! | [`slides`] | ranks and files: where lines of sight end, for each place and each occupancy |
//! | [`leapers`] | king, advisor, bishop with eyes, knight with legs, pawn |
//! | [`zobrist`] | the position keys, those of ElephantEye's books |

pub mod leapers;
pub mod slides;
pub mod zobrist;
