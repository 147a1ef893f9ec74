//! Writing files.

use super::error::CliError;
use super::position_argument::PositionArgument;
use chuhe::system::save;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Whether a path means standard output: `-`.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Checks, before the work, that the outputs of a command can be written: files, or standard output for `-`. Returns
/// whether one is standard output.
///
/// # Errors
/// When one cannot be written or is a file among the `arguments`, or several are standard output or the same file.
pub fn check_outputs(outputs: &[&Option<PathBuf>], arguments: &[PositionArgument]) -> Result<bool, CliError> {
    let paths = || outputs.iter().filter_map(|path| path.as_deref());
    let files: Vec<&Path> = paths().filter(|path| !is_standard_output(path)).collect();
    files.iter().try_for_each(|path| check(path))?;
    let is_read = |output: &Path| {
        arguments.iter().any(|argument| matches!(argument, PositionArgument::File(path) if is_same_file(path, output)))
    };
    if let Some(path) = files.iter().find(|path| is_read(path)) {
        return Err(CliError::ReplacesInput(path.into()));
    }
    let same =
        files.iter().enumerate().find(|(index, path)| files[..*index].iter().any(|other| is_same_file(other, path)));
    if let Some((_, path)) = same {
        return Err(CliError::SameOutput(path.into()));
    }
    match paths().filter(|path| is_standard_output(path)).count() {
        count @ (0 | 1) => Ok(count == 1),
        _ => Err(CliError::StandardOutputs),
    }
}

/// Whether two paths are the same file, which need not be there.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize()
            .or_else(|_| Ok::<_, io::Error>(folder.canonicalize()?.join(path.file_name().unwrap_or_default())))
    };
    resolved(one).is_ok_and(|one| resolved(other).is_ok_and(|other| one == other))
}

/// Where a command writes one of its outputs.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    path: &'a Path,
}

impl Output<'_> {
    /// Writes a part of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, text: &str) -> Result<(), CliError> {
        self.write_bytes(text.as_bytes())
    }

    /// The same with bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.out.write_all(bytes).map_err(|error| match is_standard_output(self.path) {
            true => CliError::Write(error),
            false => CliError::Save(self.path.into(), error),
        })
    }
}

/// Calls `write` with a new file, or standard output for `-`, or nothing without a path. The file replaces an old one when
/// `write` has ended without an error.
///
/// # Errors
/// Those of `write`, and when it cannot be written.
pub fn with_output<T>(
    path: Option<&Path>,
    write: impl FnOnce(Option<Output>) -> Result<T, CliError>,
) -> Result<T, CliError> {
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
pub fn save_or_print(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    if is_standard_output(path) { Ok(io::stdout().lock().write_all(bytes)?) } else { save(path, bytes) }
}

/// Writes a file: see [`save::save`].
///
/// # Errors
/// When it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    save::save(path, bytes).map_err(|error| CliError::Save(path.into(), error))
}

/// Checks, before the work, that a file can be written: see [`save::check`].
///
/// # Errors
/// When it cannot.
pub fn check(path: &Path) -> Result<(), CliError> {
    save::check(path).map_err(|error| CliError::Save(path.into(), error))
}

/// As [`save()`], with what `write` writes. After an error of `write` the old file stays.
///
/// # Errors
/// Those of `write`, and when the file cannot be written.
pub fn save_with<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, CliError>) -> Result<T, CliError> {
    save::save_with(path, &|error| CliError::Save(path.into(), error), write)
}
