//! Why memory for the hash table or the search threads cannot be had.

use super::hash_size::HashError;
use thiserror::Error;

/// What there is not enough memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AllocationError {
    /// The hash table.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// Search threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// Both.
    #[error("{}", format!("{}; {}", .0, .1))]
    Both(ThreadsError, HashError),
}

/// Not enough memory for the search threads, or the system does not start so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{wanted} search threads cannot be had, using {kept}")]
pub struct ThreadsError {
    /// Threads requested.
    pub wanted: usize,
    /// Threads used instead.
    pub kept: usize,
}
