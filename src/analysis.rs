//! Analysis of positions and games (L6).
//!
//! | module | content |
//! |---|---|
//! | [`positions`] | the best lines of many positions, found in parallel |
//! | `answer` | an answer of `chuhe analyse` as JSON |
//! | `answer_file` | files of answers, and how they are continued |
//! | `review` | a game looked over: evaluations, mistakes, accuracy |

pub(crate) mod answer;
pub mod answer_file;
pub(crate) mod positions;
pub(crate) mod review;
