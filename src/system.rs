//! What the program asks of the operating system: files, memory, the processor.
//!
//! | module | content |
//! |---|---|
//! | [`files`] | where files named by clients are, and reading files in bounded memory |
//! | [`save`] | writing files whole |
//! | [`file_lock`] | files that one process at a time writes |
//! | [`file_size_limit`] | a write beyond the limit on the size of files is an error |
//! | [`memory`] | available memory |
//! | [`processor`] | whether the processor can run the program |

#[cfg(feature = "engine")]
pub mod file_lock;
#[cfg(feature = "engine")]
pub(crate) mod file_size_limit;
#[cfg_attr(not(feature = "engine"), allow(dead_code, reason = "the library opens files, and does not look for them"))]
pub(crate) mod files;
#[cfg(feature = "engine")]
pub(crate) mod memory;
#[cfg(feature = "engine")]
pub(crate) mod processor;
#[cfg(feature = "engine")]
pub(crate) mod save;
