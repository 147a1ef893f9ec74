//! The Xiangqi Cloud Database (chessdb.cn), or a server that answers as it does (L3): queries, answers, and with the feature
//! `engine` the client.

pub mod answer;
#[cfg(feature = "engine")]
pub(crate) mod client;
pub mod query;
