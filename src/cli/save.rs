//! Writing files.

use super::error::{CliError, Failure, IoContext};
use crate::files::save;
use std::io::{self, Write};
use std::path::Path;

/// Whether a path means standard output: `-`.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Where a command writes one of its outputs.
pub(super) struct Output<'a> {
    out: &'a mut dyn Write,
    path: &'a Path,
}

impl Output<'_> {
    /// Writes a part of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.write_bytes(text.as_bytes())
    }

    /// The same with bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(|error| match is_standard_output(self.path) {
            true => Failure::from(error),
            false => CliError::Save(self.path.into(), error).into(),
        })
    }
}

/// Calls `write` with a new file, or standard output for `-`, or nothing without a path. The file replaces an old one when
/// `write` has ended without an error.
///
/// # Errors
/// Those of `write`, and when it cannot be written.
pub(super) fn with_output<T>(
    path: Option<&Path>,
    write: impl FnOnce(Option<Output>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match path {
        None => write(None),
        Some(path) if is_standard_output(path) => write(Some(Output { out: &mut io::stdout().lock(), path })),
        Some(path) => save_with(path, |out| write(Some(Output { out, path }))),
    }
}

/// Writes a file, or standard output for `-`.
///
/// # Errors
/// When it cannot be written.
pub(super) fn save_or_print(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_standard_output(path) { Ok(io::stdout().lock().write_all(bytes)?) } else { save(path, bytes) }
}

/// Writes a file: see [`save::save`].
///
/// # Errors
/// When it cannot be written.
pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    save::save(path, bytes).writing(path)
}

/// Checks, before the work, that a file can be written: see [`save::check`].
///
/// # Errors
/// When it cannot.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    save::check(path).writing(path)
}

/// As [`save()`], with what `write` writes. After an error of `write` the old file stays.
///
/// # Errors
/// Those of `write`, and when the file cannot be written.
pub(super) fn save_with<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    save::save_with(path, &|error| CliError::Save(path.into(), error).into(), write)
}
