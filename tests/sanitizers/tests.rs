//! The tests of searches and of threads.

#[path = "../common/data.rs"]
mod data;
#[path = "../library/search.rs"]
mod search;
#[path = "../library/threads.rs"]
mod threads;
