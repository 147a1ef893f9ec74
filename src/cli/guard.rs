//! The files that commands write, checked and locked before anything is made: none is read by the command, written twice or
//! of another kind than what is written, and no other process writes it.

use super::error::{CliError, Failure};
use super::file_kind::FileKind;
use super::save::{check, is_standard_output};
use crate::files::lock::FileLock;
use crate::files::save;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that a command writes, and how.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// It is replaced, if it is of this kind.
    New(&'a Path, FileKind),
    /// It is replaced, as the state of what is in it: the command judges that itself.
    State(&'a Path),
    /// What is in it is continued: the command judges that itself.
    Continued(&'a Path),
    /// Text is appended, perhaps by several at the same time.
    Log(&'a Path),
}

impl Target<'_> {
    pub(super) fn path(&self) -> &Path {
        match self {
            Target::New(path, _) | Target::State(path) | Target::Continued(path) | Target::Log(path) => path,
        }
    }

    /// Checks that it can be written to, and is of its kind.
    fn check(&self) -> Result<(), Failure> {
        let path = self.path();
        let is_there = fs::metadata(path).is_ok();
        // What is continued or appended to needs no place for a new file.
        if !is_there || matches!(self, Target::New(..) | Target::State(_)) {
            check(path)?;
        }
        let kind = match self {
            Target::New(_, kind) => *kind,
            Target::State(_) | Target::Continued(_) => return Ok(()),
            Target::Log(_) => FileKind::Log,
        };
        // Devices and pipes are of every kind.
        if is_there && save::is_replaced(path) && !kind.is_of(path) {
            return Err(CliError::Foreign(path.into(), kind).into());
        }
        Ok(())
    }
}

/// Checks and locks what a command that reads `inputs` writes. The locks are to be held to its end. Nothing is left behind
/// by a refusal.
///
/// # Errors
/// When a file cannot be written, is read by the command or written by another process, when there are two outputs in it, or
/// when it is of another kind.
pub(super) fn guard(inputs: &[&Path], outputs: &[Target]) -> Result<Vec<FileLock>, Failure> {
    for (index, output) in outputs.iter().enumerate() {
        let path = output.path();
        if inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(CliError::ReplacesInput(path.into()).into());
        }
        let is_log = |target: &Target| matches!(target, Target::Log(_));
        let is_shared = |other: &Target| is_log(other) && is_log(output);
        if outputs[..index].iter().any(|other| is_same_file(other.path(), path) && !is_shared(other)) {
            return Err(CliError::SameOutput(path.into()).into());
        }
        output.check()?;
    }
    let locked = outputs.iter().filter(|output| !matches!(output, Target::Log(_)));
    locked
        .map(|output| Ok(FileLock::new(output.path()).ok_or_else(|| CliError::InUse(output.path().into()))?))
        .collect()
}

/// As [`guard`], of outputs that may be standard output, `-`. Also whether one is.
///
/// # Errors
/// Those of [`guard`], and when several are standard output.
pub(super) fn guard_outputs(
    inputs: &[&Path],
    outputs: &[(&Option<PathBuf>, FileKind)],
) -> Result<(Vec<FileLock>, bool), Failure> {
    let paths = || outputs.iter().filter_map(|(path, kind)| Some((path.as_deref()?, *kind)));
    let files = paths().filter(|(path, _)| !is_standard_output(path)).map(|(path, kind)| Target::New(path, kind));
    let locks = guard(inputs, &files.collect::<Vec<_>>())?;
    match paths().filter(|(path, _)| is_standard_output(path)).count() {
        count @ (0 | 1) => Ok((locks, count == 1)),
        _ => Err(CliError::StandardOutputs.into()),
    }
}

/// Whether two paths are the same file, which need not be there: by links, and by names that differ in case only where the
/// system ignores that. Devices and pipes are never replaced, so they are none.
fn is_same_file(one: &Path, other: &Path) -> bool {
    if let (Ok(first), Ok(second)) = (fs::metadata(one), fs::metadata(other)) {
        if !first.is_file() || !second.is_file() {
            return false;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            return (first.dev(), first.ino()) == (second.dev(), second.ino());
        }
    }
    let resolved = |path: &Path| {
        let path = save::destination(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = folder.canonicalize().ok()?.join(path.file_name()?);
        Some(if cfg!(any(windows, target_os = "macos")) { path.to_string_lossy().to_lowercase().into() } else { path })
    };
    resolved(one).is_some_and(|one| resolved(other) == Some(one))
}
