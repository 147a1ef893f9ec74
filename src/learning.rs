//! From games to better numbers (L6): self-play and what it teaches. With the feature `tuning`.
//!
//! | module | what it does |
//! |---|---|
//! | [`selfplay`] | games of the engine against itself |
//! | [`mod@compare`] | what changed numbers of the search are worth, in Elo |
//! | [`spsa`] | tunes the numbers of the search |

pub mod compare;
pub mod selfplay;
pub mod spsa;
