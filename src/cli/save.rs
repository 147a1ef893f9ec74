//! Writing files.

use super::error::CliError;
use crate::engine::save;
use std::path::Path;

/// Writes a file: see [`save::save`].
///
/// # Errors
/// When it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    save::save(path, bytes).map_err(|error| CliError::Save(path.into(), error))
}
