//! What the program asks of the operating system: files, memory, the processor.

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
