//! What the program asks of the operating system: files, memory, the processor.
//!
//! | module | content |
//! |---|---|
//! | [`files`] | where files named by clients are, and reading files in bounded memory |
//! | [`save`] | writing files whole |
//! | [`file_size_limit`] | a write beyond the limit on the size of files is an error |
//! | [`memory`] | available memory |
//! | [`processor`] | whether the processor can run the program |

pub mod file_size_limit;
pub mod files;
pub(crate) mod memory;
pub mod processor;
pub mod save;
