//! Why memory for the hash table or the search threads cannot be had.

use thiserror::Error;

/// Not enough memory for a hash table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {wanted} MB, keeping {kept} MB")]
pub struct HashError {
    /// Megabytes requested.
    pub wanted: usize,
    /// Megabytes of the current table, which is kept.
    pub kept: usize,
}

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
