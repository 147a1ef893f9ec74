//! Writing files.

use super::error::CliError;
use crate::engine::save;
use std::io::Write;
use std::path::Path;

/// Writes a file: see [`save::save`].
///
/// # Errors
/// When it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    save::save(path, bytes).map_err(|error| CliError::Save(path.into(), error))
}

/// As [`save()`], with what `write` writes. After an error of `write` the old file stays.
///
/// # Errors
/// Those of `write`, and when the file cannot be written.
pub fn save_with<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, CliError>) -> Result<T, CliError> {
    save::save_with(path, &|error| CliError::Save(path.into(), error), write)
}
