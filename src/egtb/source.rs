//! Where the bytes of a table are: in memory, or in a file of which parts are read when they are needed.
//!
//! Files are not mapped into memory: a mapped file that another program cuts short or writes over ends the process by a
//! signal (SIGBUS), while a read of it fails or comes short.

use crate::files;
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The bytes of a table.
pub(super) enum Source {
    /// Bytes in memory.
    Memory(Cow<'static, [u8]>),
    /// A file.
    File(FileSource),
}

/// A file that is opened when it is read.
pub(super) struct FileSource {
    path: PathBuf,
    file: OnceLock<File>,
}

impl Source {
    /// A file.
    pub(super) fn file(path: &Path) -> Source {
        Source::File(FileSource { path: path.into(), file: OnceLock::new() })
    }

    /// The path of a file.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Source::Memory(_) => None,
            Source::File(file) => Some(&file.path),
        }
    }

    /// Closes a file until it is read again: a set of tables has more files than some systems let a process have open.
    pub(super) fn close(&mut self) {
        if let Source::File(source) = self {
            source.file = OnceLock::new();
        }
    }

    /// Fills `buffer` with the bytes from `start` on.
    ///
    /// # Errors
    /// When they cannot be read, or there are fewer.
    pub(super) fn read(&self, start: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Source::Memory(bytes) => {
                let rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
                let found = rest.and_then(|rest| rest.get(..buffer.len()));
                buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            Source::File(source) => read_exact_at(source.get()?, buffer, start).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "it has been cut short"),
                _ => error,
            }),
        }
    }
}

impl FileSource {
    fn get(&self) -> io::Result<&File> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let file = files::open(&self.path)?;
        Ok(self.file.get_or_init(|| file))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, start)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut start: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, start) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                start += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
