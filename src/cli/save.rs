//! Writing files.

use super::error::CliError;
use std::fs;
use std::path::Path;

/// Writes a file atomically: to a temporary file beside it, which then replaces it. An interrupted program leaves the
/// old file or the new one.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}.new", std::process::id()));
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).map_err(|error| CliError::Save(path.into(), error))
}
